import { RequestBudget } from '../../nodes/CrossChainBridge/watch/requestBudget';
import type { Priority } from '../../nodes/CrossChainBridge/watch/requestLedger';
import type { Random } from './random';
import { oneWay, SERVICE_LIMIT, SlidingWindow } from './service';
import { VirtualClock } from './virtualClock';

/** Several processes that use one key and do not know of each other: each has the shipped budget, the service one limit for all. */

export interface SharedKeyRun {
	/**
	 * For each process: the Requests per Minute of its credential, and how many look-ups a minute it wants. Infinity: as many as it gets,
	 * as large batches and watches do, which leave a twentieth of the limit to what a person waits for.
	 */
	processes: ReadonlyArray<{ requestsPerMinute: number; wantsPerMinute: number }>;
	minutes: number;
	/** Whether the service's 429 says when to come again. */
	retryAfter: boolean;
	random: Random;
}

export interface SharedKeyOutcome {
	/** Requests that the service has served, a minute, by process. */
	servedPerMinute: number[];
	/** Requests answered with 429, a minute, all processes together. */
	refusedPerMinute: number;
	/** Jain's index of what was served: 1 if all got the same, 1/n if one got all. */
	fairness: number;
	/** The longest time in which a process was served nothing, in seconds. */
	longestPauseSeconds: number;
}

/** What is served in the first minutes says how the processes start, not how they go on. */
const WARM_UP_MINUTES = 5;

export async function runSharedKey({ processes, minutes, retryAfter, random }: SharedKeyRun): Promise<SharedKeyOutcome> {
	const clock = new VirtualClock();
	const service = new SlidingWindow();
	const served = processes.map(() => 0);
	const lastServedAt = processes.map(() => 0);
	let refused = 0;
	let longestPauseMs = 0;
	const countsFrom = 60_000 * WARM_UP_MINUTES;
	const endsAt = countsFrom + 60_000 * minutes;

	const send = async (index: number, budget: RequestBudget, priority: Priority): Promise<void> => {
		const ticket = await budget.take({ priority });
		await clock.sleep(oneWay(random));
		const isServed = service.arrive(clock.now());
		const arrivedAt = clock.now();
		await clock.sleep(oneWay(random));
		const retryAfterMs = retryAfter && !isServed ? { retryAfterMs: 1000 * Math.ceil(service.msUntilFree(arrivedAt) / 1000) } : {};
		ticket.settle({ limited: !isServed, ...retryAfterMs });
		if (arrivedAt < countsFrom) {
			if (isServed) lastServedAt[index] = arrivedAt;
			return;
		}
		if (!isServed) {
			refused++;
			return;
		}
		served[index] = (served[index] ?? 0) + 1;
		longestPauseMs = Math.max(longestPauseMs, arrivedAt - (lastServedAt[index] ?? 0));
		lastServedAt[index] = arrivedAt;
	};

	for (const [index, { requestsPerMinute, wantsPerMinute }] of processes.entries()) {
		const budget = new RequestBudget(requestsPerMinute, clock);
		if (Number.isFinite(wantsPerMinute)) {
			const gapMs = 60_000 / wantsPerMinute;
			const next = (at: number): void =>
				clock.at(at, () => {
					void send(index, budget, 'person');
					next(at + gapMs * (0.5 + random()));
				});
			next(gapMs * random());
		} else {
			// As many at once as the budget could ever let through: it is never idle for want of work.
			for (let lane = 0; lane < requestsPerMinute; lane++) {
				const again = (): void => void send(index, budget, 'watch').then(again);
				again();
			}
		}
	}
	await clock.run(endsAt);
	const sum = served.reduce((total, each) => total + each, 0);
	const squares = served.reduce((total, each) => total + each * each, 0);
	return {
		servedPerMinute: served.map((each) => each / minutes),
		refusedPerMinute: refused / minutes,
		fairness: sum === 0 ? 1 : (sum * sum) / (served.length * squares),
		longestPauseSeconds: longestPauseMs / 1000,
	};
}

/** The whole limit in each credential: the service's refusals divide it. */
export function wholeLimit(count: number, wantsPerMinute: readonly number[]): SharedKeyRun['processes'] {
	return Array.from({ length: count }, (_, index) => ({ requestsPerMinute: SERVICE_LIMIT, wantsPerMinute: wantsPerMinute[index] ?? Number.POSITIVE_INFINITY }));
}

/** Its share in each credential. */
export function itsShare(count: number, wantsPerMinute: readonly number[]): SharedKeyRun['processes'] {
	return wholeLimit(count, wantsPerMinute).map((process) => ({ ...process, requestsPerMinute: Math.floor(SERVICE_LIMIT / count) }));
}
