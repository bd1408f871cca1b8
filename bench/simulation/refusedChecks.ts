import { OrderWatcher } from '../../nodes/CrossChainBridge/schedule/orderWatcher';
import { RequestBudget } from '../../nodes/CrossChainBridge/budget/requestBudget';
import { TickDriver } from '../../nodes/CrossChainBridge/schedule/tickDriver';
import type { Random } from './random';
import { oneWay, SERVICE_LIMIT, SlidingWindow } from './service';
import { VirtualClock } from './virtualClock';

/** Orders that are watched while the service refuses some checks with 429 although its limit is not reached. */

export interface RefusedChecksRun {
	/** When each order begins and finishes, in ms of simulated time; each is known from its beginning. */
	orders: ReadonlyArray<{ startsAt: number; endsAt: number }>;
	/** The part of the checks that is refused, 0 to 1. */
	refusedShare: number;
	/** The Retry-After of a refused check in ms; null: it has none. */
	retryAfterMs: number | null;
	/** For latencies and jitter, */
	random: Random;
	/** and for which checks are refused. */
	fate: Random;
}

export interface RefusedChecksOutcome {
	/** Mean time from an order's finish until it is seen, in seconds. */
	meanSeconds: number;
	refused: number;
}

const TICK_MS = 1_000;
const INTERVAL_MS = 5_000;

export async function runRefusedChecks({
	orders,
	refusedShare,
	retryAfterMs,
	random,
	fate,
}: RefusedChecksRun): Promise<RefusedChecksOutcome> {
	const clock = new VirtualClock();
	const service = new SlidingWindow(SERVICE_LIMIT);
	const delays: number[] = [];
	let refused = 0;
	const watcher = new OrderWatcher({
		budget: new RequestBudget(SERVICE_LIMIT, clock, { random }),
		clock,
		intervalMs: INTERVAL_MS,
		queueKey: 'bench',
		async check(key, permit) {
			const order = orders[Number(key)] ?? { startsAt: 0, endsAt: 0 };
			const sentAt = clock.now();
			await clock.sleep(oneWay(random));
			const isServed = fate() >= refusedShare && service.arrive(clock.now());
			const isFinished = clock.now() >= order.endsAt;
			await clock.sleep(oneWay(random));
			driver.noteAnswer(clock.now() - sentAt);
			permit.settle({
				limited: !isServed,
				...(isServed || retryAfterMs === null ? {} : { retryAfterMs }),
			});
			if (!isServed) {
				refused++;
				return { kind: 'failed' };
			}
			if (isFinished) {
				delays.push(clock.now() - order.endsAt);
				return { kind: 'finished' };
			}
			return {
				kind: 'open',
				createdAtMs: Math.floor(order.startsAt / 1000) * 1000,
				expiresAtMs: null,
			};
		},
	});
	const driver = new TickDriver(watcher, clock);
	for (const [index, { startsAt }] of orders.entries())
		clock.at(startsAt, () => watcher.add(String(index), { startedAt: startsAt }));
	const tick = (count: number): void => {
		clock.at(count * TICK_MS, () => {
			if (delays.length === orders.length) return;
			void driver.tick();
			tick(count + 1);
		});
	};
	tick(0);
	await clock.run(Number.POSITIVE_INFINITY, () => delays.length === orders.length);
	watcher.stop();
	return {
		meanSeconds: delays.reduce((sum, each) => sum + each, 0) / delays.length / 1000,
		refused,
	};
}
