import type { AddOptions, CheckResult } from '../../nodes/CrossChainBridge/schedule/watchedEntry';
import { OrderWatcher } from '../../nodes/CrossChainBridge/schedule/orderWatcher';
import { RequestBudget } from '../../nodes/CrossChainBridge/budget/requestBudget';
import { TickDriver } from '../../nodes/CrossChainBridge/schedule/tickDriver';
import { oneWay, SERVICE_LIMIT, SlidingWindow } from './service';
import type { Random } from './random';
import { VirtualClock } from './virtualClock';

/** One order of a run. All times in milliseconds of simulated time. */
export interface SimulatedOrder {
	beganAt: number;
	/** Before this the service does not find it. */
	foundFrom: number;
	finishedAt: number;
	/** When the watcher gets to know of it, and what is stated of it then. */
	addedAt: number;
	stated: AddOptions;
}

export interface Outcome {
	/** Milliseconds from each order's final status (or from when it was added, if that was later) until it is reported, in the order of the orders. */
	delays: number[];
	requests: number;
	refused: number;
}

export interface Run {
	orders: readonly SimulatedOrder[];
	intervalMs: number;
	random: Random;
}

export type Policy = (run: Run) => Promise<Outcome>;

/** How the trigger is driven: n8n's ticks once a second, which come a few ms late. */
const TICK_MS = 1_000;
const TICK_LATENESS_MS = 8;
/** The service states an expiry so long after the beginning. */
const EXPIRY_MS = 600_000;

type Answer = 'finished' | 'open' | 'notFound' | 'refused';

export interface Simulation {
	clock: VirtualClock;
	service: SlidingWindow;
	delays: number[];
	missing: number;
	/** Sends a check of an order; resolves when the answer is there. */
	ask(index: number): Promise<Answer>;
	/** The final status of this order is reported now. */
	report(index: number): void;
}

/** One service for all orders of a run, and what is reported of them. */
export function simulate({ orders, random }: Pick<Run, 'orders' | 'random'>): Simulation {
	const clock = new VirtualClock(START_MS - LEAD_IN_MS);
	const service = new SlidingWindow();
	const simulation: Simulation = {
		clock,
		service,
		delays: orders.map(() => Number.NaN),
		missing: orders.length,
		async ask(index) {
			const order = orders[index];
			await clock.sleep(oneWay(random));
			const isServed = service.arrive(clock.now());
			const arrivedAt = clock.now() - START_MS;
			await clock.sleep(oneWay(random));
			if (!isServed) return 'refused';
			if (order === undefined || arrivedAt < order.foundFrom) return 'notFound';
			return arrivedAt >= order.finishedAt ? 'finished' : 'open';
		},
		report(index) {
			const order = orders[index];
			if (order === undefined || !Number.isNaN(simulation.delays[index])) return;
			simulation.delays[index] =
				clock.now() - START_MS - Math.max(order.finishedAt, order.foundFrom, order.addedAt);
			simulation.missing--;
		},
	};
	return simulation;
}

/** Simulated time begins here, so that orders may have begun before it. */
export const START_MS = 1_000_000;
/** Ticks have been coming for so long by then. */
const LEAD_IN_MS = 2_000;

async function outcomeOf(simulation: Simulation): Promise<Outcome> {
	await simulation.clock.run(Number.POSITIVE_INFINITY, () => simulation.missing === 0);
	const { delays, service } = simulation;
	return { delays, requests: service.requests, refused: service.refused };
}

/** What an answer shows to the schedule. */
export function resultOf(answer: Answer, order: SimulatedOrder | undefined): CheckResult {
	if (answer === 'refused') return { kind: 'limited' };
	if (answer === 'notFound') return { kind: 'notFound' };
	// The service states whole seconds.
	const createdAtMs = Math.floor((START_MS + (order?.beganAt ?? 0)) / 1000) * 1000;
	return answer === 'open'
		? { kind: 'open', createdAtMs, expiresAtMs: createdAtMs + EXPIRY_MS }
		: { kind: 'finished', createdAtMs };
}

/** What this package ships, driven as the trigger drives it: what a check has shown is applied, and reported, at the next tick. */
export const shipped: Policy = async (run) => {
	const simulation = simulate(run);
	const { clock } = simulation;
	const finished: number[] = [];
	const watcher = new OrderWatcher({
		budget: new RequestBudget(SERVICE_LIMIT, clock),
		clock,
		intervalMs: run.intervalMs,
		queueKey: 'bench',
		async check(key, permit) {
			const index = Number(key);
			const sentAt = clock.now();
			const answer = await simulation.ask(index);
			driver.noteAnswer(clock.now() - sentAt);
			permit.settle({ limited: answer === 'refused' });
			if (answer === 'finished') finished.push(index);
			return resultOf(answer, run.orders[index]);
		},
	});
	run.orders.forEach(({ addedAt, stated }, index) => {
		const { startedAt, postedAt } = stated;
		clock.at(START_MS + addedAt, () =>
			watcher.add(String(index), {
				...(startedAt === undefined ? {} : { startedAt: START_MS + startedAt }),
				...(postedAt === undefined ? {} : { postedAt: START_MS + postedAt }),
			}),
		);
	});
	const driver = new TickDriver(watcher, clock);
	const phase = TICK_MS * run.random();
	const tick = (count: number): void => {
		if (simulation.missing === 0) return;
		clock.at(START_MS + phase + count * TICK_MS + TICK_LATENESS_MS * run.random(), () => {
			for (const index of finished.splice(0)) simulation.report(index);
			void driver.tick();
			tick(count + 1);
		});
	};
	tick(-2);
	const outcome = await outcomeOf(simulation);
	watcher.stop();
	return outcome;
};

/** Sends a check of an order when its turn comes, again after the interval, until it has shown the final status. */
async function loop(run: Run, turn: (clock: VirtualClock) => number): Promise<Outcome> {
	const simulation = simulate(run);
	const { clock } = simulation;
	run.orders.forEach(({ addedAt }, index) => {
		const check = (): void => {
			clock.at(turn(clock), () => {
				void simulation.ask(index).then((answer) => {
					if (answer === 'finished') simulation.report(index);
					else clock.at(clock.now() + run.intervalMs, check);
				});
			});
		};
		clock.at(START_MS + addedAt, check);
	});
	return await outcomeOf(simulation);
}

/** The service's own advice, taken literally for each order: check, wait the interval, check again. */
export const plainLoop: Policy = async (run) => await loop(run, (clock) => clock.now());

/** The same loop behind a plain limiter: first come first served, up to 100 sent in any 60.5 s. */
export const limitedLoop: Policy = async (run) => {
	const sent: number[] = [];
	return await loop(run, (clock) => {
		const oldest = sent[sent.length - SERVICE_LIMIT];
		const at = Math.max(
			clock.now(),
			sent[sent.length - 1] ?? 0,
			oldest === undefined ? 0 : oldest + 60_500,
		);
		sent.push(at);
		return at;
	});
};

/** A polling trigger as n8n has them: once a minute one check of every open order. */
export const oncePerMinute: Policy = async (run) => {
	const simulation = simulate(run);
	const { clock } = simulation;
	const open = new Set(run.orders.keys());
	const phase = 60_000 * run.random();
	const poll = (count: number): void => {
		clock.at(START_MS + phase + count * 60_000, () => {
			for (const index of open) {
				if ((run.orders[index]?.addedAt ?? 0) > clock.now() - START_MS) continue;
				void simulation.ask(index).then((answer) => {
					if (answer !== 'finished') return;
					open.delete(index);
					simulation.report(index);
				});
			}
			if (simulation.missing > 0) poll(count + 1);
		});
	};
	poll(0);
	return await outcomeOf(simulation);
};
