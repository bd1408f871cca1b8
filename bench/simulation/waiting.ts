import { OrderWatcher } from '../../nodes/CrossChainBridge/schedule/orderWatcher';
import { RequestBudget } from '../../nodes/CrossChainBridge/budget/requestBudget';
import { resultOf, simulate, type SimulatedOrder, START_MS } from './policies';
import type { Random } from './random';
import { SERVICE_LIMIT } from './service';

/** Executions that wait for orders, as Wait for Completion does, with the shipped watcher and budget. */

/** The orders of one execution begin to be waited for when they are added; none states its beginning. */
export interface WaitingRun {
	orders: readonly SimulatedOrder[];
	/** Places in `orders`, execution by execution, with the process that runs it. Each process has a budget of its own with the whole limit. */
	executions: ReadonlyArray<{ process: number; orders: readonly number[] }>;
	/** Whether the service's 429 says when to come again. */
	retryAfter: boolean;
	random: Random;
}

export interface WaitingOutcome {
	/** Seconds from each order's final status, or from when it was added if that was later, until its execution knows; in their order. */
	delays: number[];
	requests: number;
	refused: number;
	/** Seconds until all have finished, from the beginning of the run, */
	seconds: number;
	/** and the processor time that the run has taken, in seconds. */
	processorSeconds: number;
}

const INTERVAL_MS = 5_000;

export async function runWaiting({
	orders,
	executions,
	retryAfter,
	random,
}: WaitingRun): Promise<WaitingOutcome> {
	const simulation = simulate({ orders, random });
	const { clock, service } = simulation;
	const budgets = new Map<number, RequestBudget>();
	const watchers: OrderWatcher[] = [];
	const before = process.cpuUsage();
	for (const [number, execution] of executions.entries()) {
		const budget =
			budgets.get(execution.process) ?? new RequestBudget(SERVICE_LIMIT, clock, { random });
		budgets.set(execution.process, budget);
		const watcher = new OrderWatcher({
			budget,
			clock,
			intervalMs: INTERVAL_MS,
			queueKey: String(number),
			async check(key, permit) {
				const index = Number(key);
				const answer = await simulation.ask(index);
				const isRefused = answer === 'refused';
				permit.settle({
					limited: isRefused,
					...(isRefused && retryAfter ? { retryAfterMs: service.retryAfterMs(clock.now()) } : {}),
				});
				if (answer === 'finished') simulation.report(index);
				return resultOf(answer, orders[index]);
			},
		});
		watchers.push(watcher);
		for (const index of execution.orders) {
			const { addedAt = 0, stated = {} } = orders[index] ?? {};
			const postedAt =
				stated.postedAt === undefined ? {} : { postedAt: START_MS + stated.postedAt };
			clock.at(START_MS + addedAt, () => {
				watcher.add(String(index), postedAt);
				void watcher.run(Number.POSITIVE_INFINITY);
			});
		}
	}
	await clock.run(Number.POSITIVE_INFINITY, () => simulation.missing === 0);
	const seconds = (clock.now() - START_MS) / 1000;
	for (const watcher of watchers) watcher.stop();
	const { user, system } = process.cpuUsage(before);
	return {
		delays: simulation.delays.map((ms) => ms / 1000),
		requests: service.requests,
		refused: service.refused,
		seconds,
		processorSeconds: (user + system) / 1e6,
	};
}
