import { type Priority, RequestBudget } from '../../nodes/CrossChainBridge/budget/requestBudget';
import type { Random } from './random';
import { oneWay, SERVICE_LIMIT, SlidingWindow } from './service';
import { VirtualClock } from '../../test/virtualClock';

/** Several processes that use one key and do not know of each other: each has the shipped budget, the service one limit for all. */

interface SharedKeyRun {
	/**
	 * For each process: the Requests per Minute of its credential, and how many checks a minute it wants. Infinity: as many as it gets,
	 * as large batches and watches do, which leave a twentieth of the limit to what somebody waits for.
	 */
	processes: ReadonlyArray<{
		requestsPerMinute: number;
		wantsPerMinute: number;
		/** A busy process is there from the one minute until the other; all the time by default. */
		during?: readonly [number, number];
	}>;
	minutes: number;
	/** What is served in the first minutes says how the processes start, not how they continue. */
	warmUpMinutes?: number;
	/** Whether the service's 429 says when to come again. */
	retryAfter: boolean;
	random: Random;
}

export interface SharedKeyOutcome {
	/** Requests that the service has served, a minute, by process. */
	servedPerMinute: number[];
	/** Requests answered with 429, a minute, all processes together. */
	refusedPerMinute: number;
	/** Jain's index of what each was served as a part of its max-min fair share: 1 if all got the same part, 1/n if one got all. */
	fairness: number;
	/** Seconds: the longest time that a busy process was served nothing, */
	longestGapSeconds: number;
	/** and the longest time from when another wanted a request until it was served, with 429s in between. */
	longestWaitSeconds: number;
}

const MINUTE_MS = 60_000;
const WARM_UP_MINUTES = 5;

export async function runSharedKey({
	processes,
	minutes,
	warmUpMinutes = WARM_UP_MINUTES,
	retryAfter,
	random,
}: SharedKeyRun): Promise<SharedKeyOutcome> {
	const clock = new VirtualClock();
	const service = new SlidingWindow();
	const countsFrom = MINUTE_MS * warmUpMinutes;
	const endsAt = countsFrom + MINUTE_MS * minutes;
	const served = processes.map(() => 0);
	let refused = 0;
	let longestGapMs = 0;
	let longestWaitMs = 0;

	/** Sends one request as the service does; true if it was served. */
	const send = async (
		index: number,
		budget: RequestBudget,
		limit: number,
		priority: Priority,
	): Promise<boolean> => {
		const permit = await budget.acquire({ priority, limit, queueKey: '' });
		await clock.sleep(oneWay(random));
		const arrivedAt = clock.now();
		const isServed = service.arrive(arrivedAt);
		// Asked before others come: a place may be free again while the answer is under way.
		const retryAfterMs =
			retryAfter && !isServed ? { retryAfterMs: service.retryAfterMs(arrivedAt) } : {};
		await clock.sleep(oneWay(random));
		permit.settle({ limited: !isServed, ...retryAfterMs });
		if (arrivedAt >= countsFrom) {
			if (isServed) served[index] = (served[index] ?? 0) + 1;
			else refused++;
		}
		return isServed;
	};

	const stillWaiting = new Set<number>();
	const lastServedAt = new Map<number, number>();
	for (const [
		index,
		{ requestsPerMinute, wantsPerMinute, during: [from, to] = [0, Number.POSITIVE_INFINITY] },
	] of processes.entries()) {
		const budget = new RequestBudget(clock, { random });
		if (Number.isFinite(wantsPerMinute)) {
			const gapMs = MINUTE_MS / wantsPerMinute;
			const want = async (): Promise<void> => {
				const wantedAt = clock.now();
				stillWaiting.add(wantedAt);
				// As the nodes do: a 429 is waited out.
				while (!(await send(index, budget, requestsPerMinute, 'interactive')));
				stillWaiting.delete(wantedAt);
				if (wantedAt >= countsFrom) longestWaitMs = Math.max(longestWaitMs, clock.now() - wantedAt);
			};
			const next = (at: number): void =>
				clock.at(at, () => {
					void want();
					next(at + gapMs * (0.5 + random()));
				});
			next(gapMs * random());
		} else {
			lastServedAt.set(index, 0);
			const again = async (): Promise<void> => {
				while (clock.now() < MINUTE_MS * to) {
					const isServed = await send(index, budget, requestsPerMinute, 'batch');
					const now = clock.now();
					if (!isServed) continue;
					if (now >= countsFrom)
						longestGapMs = Math.max(
							longestGapMs,
							now - Math.max(countsFrom, lastServedAt.get(index) ?? 0),
						);
					lastServedAt.set(index, now);
				}
			};
			// As many at once as the budget could ever let through: it is never idle for want of work.
			for (let sender = 0; sender < requestsPerMinute; sender++)
				clock.at(MINUTE_MS * from, () => void again());
		}
	}
	await clock.run(endsAt);
	// What still waits at the end has waited as well.
	for (const at of lastServedAt.values())
		longestGapMs = Math.max(longestGapMs, endsAt - Math.max(countsFrom, at));
	for (const wantedAt of stillWaiting)
		longestWaitMs = Math.max(longestWaitMs, endsAt - Math.max(countsFrom, wantedAt));
	const shares = fairShares(processes.map(({ wantsPerMinute }) => wantsPerMinute));
	return {
		servedPerMinute: served.map((each) => each / minutes),
		refusedPerMinute: refused / minutes,
		fairness: jain(served.map((each, index) => each / (shares[index] ?? 1))),
		longestGapSeconds: longestGapMs / 1000,
		longestWaitSeconds: longestWaitMs / 1000,
	};
}

/** Max-min fair shares of the service's limit, a minute: nobody gets more than it wants, and what is left is divided evenly. */
function fairShares(wants: readonly number[]): number[] {
	const shares = wants.map(() => 0);
	let left = SERVICE_LIMIT;
	const byWant = [...wants.entries()].sort(([, one], [, other]) => one - other);
	for (const [place, [index, want]] of byWant.entries()) {
		const share = Math.min(want, left / (wants.length - place));
		shares[index] = share;
		left -= share;
	}
	return shares;
}

function jain(values: readonly number[]): number {
	const sum = values.reduce((total, each) => total + each, 0);
	const squares = values.reduce((total, each) => total + each * each, 0);
	return sum === 0 ? 1 : (sum * sum) / (values.length * squares);
}

/** The whole limit in each credential: the processes divide it by what they hear. */
export function wholeLimit(wantsPerMinute: readonly number[]): SharedKeyRun['processes'] {
	return wantsPerMinute.map((wants) => ({
		requestsPerMinute: SERVICE_LIMIT,
		wantsPerMinute: wants,
	}));
}
