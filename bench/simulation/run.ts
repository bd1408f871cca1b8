import type { Clock } from '../../nodes/CrossChainBridge/budget/clock';
import { RequestBudget } from '../../nodes/CrossChainBridge/budget/requestBudget';
import { Checker } from '../../nodes/CrossChainBridge/checks/checker';
import type { OpenOrder } from '../../nodes/CrossChainBridge/checks/tenant';
import { isFinal } from '../../nodes/CrossChainBridge/checks/outcome';
import type { Beginning } from '../../nodes/CrossChainBridge/schedule/order';
import { FINISHING, prospects } from '../../nodes/CrossChainBridge/schedule/curve';
import { failed, type ServiceResponse } from '../../nodes/CrossChainBridge/service/envelope';
import type { BridgeService } from '../../nodes/CrossChainBridge/service/service';
import { VirtualClock } from '../../test/virtualClock';
import type { Random } from './random';
import { oneWay, SERVICE_LIMIT, SlidingWindow } from './service';

/** One order of a run. All times in milliseconds of simulated time; Infinity: never. */
export interface SimulatedOrder {
	beganAt: number;
	/** Before this the service does not find it. */
	foundFrom: number;
	finishedAt: number;
	/** When the tenant gets to know of it, and what is stated of it then. */
	addedAt: number;
	stated: Beginning;
	/** Every check of it fails. */
	fails?: boolean;
}

/** Who watches some of the orders: as the trigger does, by ticks, or as Wait for Completion does, all the time. */
interface SimulatedTenant {
	/** Places in the orders of the run. */
	orders: readonly number[];
	ticks: boolean;
}

export interface Run {
	orders: readonly SimulatedOrder[];
	tenants: readonly SimulatedTenant[];
	intervalMs: number;
	random: Random;
	/** This part of all checks fails. */
	failingPart?: number;
	/** 429s that an idle budget has got before the run, with a Retry-After of 3 s, one every 10 s; and how long before (ms). */
	strays?: { count: number; beforeMs: number };
	limit?: number;
	/** For so long n8n is busy with sending one request (ms). Default 0. */
	sendMs?: number;
}

export interface Outcome {
	/** Milliseconds from each order's final status (or from when it was added, if that was later) until it is reported. */
	delays: number[];
	requests: number;
	refused: number;
	/** Simulated seconds from the beginning until all were reported. */
	seconds: number;
}

/** How the trigger is driven: n8n's ticks once a second, which come a few ms late. */
const TICK_MS = 1_000;
const TICK_LATENESS_MS = 8;
/** Simulated time begins here, so that orders may have begun before it. */
const START_MS = Date.UTC(2030, 0, 1);
/** Ticks have been coming for this long by then. */
const LEAD_IN_MS = 2_000;
const STRAY_EVERY_MS = 10_000;
const STRAY_RETRY_AFTER_MS = 3_000;

const REJECTED = { kind: 'rejected', code: null, words: null, retryAfterMs: null } as const;

/** The service's errors by its answer. */
const ERRORS = {
	notFound: { status: 404, meaning: 'NOT_FOUND' },
	limited: { status: 429, meaning: 'RATE_LIMITED' },
	failed: { status: 500, meaning: 'INTERNAL_ERROR' },
} as const;

type Answer = 'finished' | 'open' | 'notFound' | 'limited' | 'failed';

/** One service for all orders of a run, and what is reported of them. */
class Simulation {
	readonly clock = new VirtualClock(START_MS - 3_600_000);

	readonly service: SlidingWindow;

	readonly delays: number[];

	missing: number;

	/** n8n is busy with sending until then. */
	busyUntil = 0;

	constructor(private readonly run: Run) {
		this.service = new SlidingWindow(run.limit ?? SERVICE_LIMIT);
		this.delays = run.orders.map(() => Number.NaN);
		this.missing = run.orders.filter(({ finishedAt }) => Number.isFinite(finishedAt)).length;
	}

	/** Sends a check of an order; resolves when the answer is there. */
	async ask(index: number): Promise<Answer> {
		const { orders, random, failingPart = 0, sendMs = 0 } = this.run;
		const order = orders[index];
		this.busyUntil = Math.max(this.busyUntil, this.clock.now()) + sendMs;
		await this.clock.sleep(this.busyUntil - this.clock.now() + oneWay(random));
		const isServed = this.service.arrive(this.clock.now());
		const arrivedAt = this.clock.now() - START_MS;
		await this.clock.sleep(oneWay(random));
		if (!isServed) return 'limited';
		if (order?.fails === true || (failingPart > 0 && random() < failingPart)) return 'failed';
		if (order === undefined || arrivedAt < order.foundFrom) return 'notFound';
		return arrivedAt >= order.finishedAt ? 'finished' : 'open';
	}

	/** What the service responds; it states whole seconds. */
	responseTo(index: number, answer: Answer): ServiceResponse {
		const status = { finished: 'completed', open: 'executing' };
		if (answer === 'finished' || answer === 'open') {
			const createdAt = Math.floor((START_MS + (this.run.orders[index]?.beganAt ?? 0)) / 1000);
			return { ok: true, data: { status: status[answer], timing: { createdAt } } };
		}
		return failed({ ...REJECTED, ...ERRORS[answer] });
	}

	/** The final status of this order is reported now. */
	report(index: number): void {
		const order = this.run.orders[index];
		if (order === undefined || !Number.isNaN(this.delays[index])) return;
		this.delays[index] =
			this.clock.now() - START_MS - Math.max(order.finishedAt, order.foundFrom, order.addedAt);
		this.missing--;
	}

	async outcome(): Promise<Outcome> {
		await this.clock.run(Number.POSITIVE_INFINITY, () => this.missing === 0);
		const { delays, service, clock } = this;
		return {
			delays: delays.filter((delay) => !Number.isNaN(delay)),
			requests: service.requests,
			refused: service.refused,
			seconds: (clock.now() - START_MS) / 1000,
		};
	}
}

/** What this package ships, driven as the trigger and Wait for Completion drive it. */
export async function shipped(run: Run): Promise<Outcome> {
	const simulation = new Simulation(run);
	const { clock } = simulation;
	// What n8n is busy with delays its timers.
	const ofN8n: Clock = {
		now: () => clock.now(),
		sleep: async (ms) => await clock.sleep(Math.max(ms, simulation.busyUntil - clock.now())),
	};
	const limit = run.limit ?? SERVICE_LIMIT;
	const budget = new RequestBudget(clock, { random: run.random });
	const checkers = run.tenants.map(({ orders, ticks }) => {
		const checker = new Checker({
			service: serviceOf(simulation, budget, limit),
			clock: ofN8n,
			intervalMs: run.intervalMs,
		});
		const open = new Map<string, OpenOrder>();
		for (const index of orders) {
			const { addedAt = 0, stated = {} } = run.orders[index] ?? {};
			clock.at(START_MS + addedAt, () => {
				open.set(String(index), { sourceHash: String(index), ...onClock(stated) });
				checker.setOrders(open);
				if (!ticks && open.size === 1) void wait();
			});
		}
		const report = (): void => {
			for (const { key, outcome } of checker.take()) {
				if (!isFinal(outcome)) continue;
				simulation.report(Number(key));
				open.delete(key);
				checker.setOrders(open);
			}
		};
		// As Wait for Completion does.
		const wait = async (): Promise<void> => {
			while (open.size > 0) {
				checker.run(Number.POSITIVE_INFINITY);
				await checker.next(Number.POSITIVE_INFINITY);
				report();
			}
			checker.stop();
		};
		const phase = ticks ? TICK_MS * run.random() : 0;
		const tick = (count: number): void => {
			if (simulation.missing === 0) return;
			const whenFree = (): void => {
				if (clock.now() < simulation.busyUntil) return clock.at(simulation.busyUntil, whenFree);
				report();
				checker.planForNextTick();
				tick(count + 1);
			};
			const at = START_MS + phase + count * TICK_MS + TICK_LATENESS_MS * run.random();
			clock.at(at, whenFree);
		};
		if (ticks) tick(-LEAD_IN_MS / TICK_MS);
		return checker;
	});
	const { count: strays, beforeMs } = run.strays ?? { count: 0, beforeMs: 0 };
	for (let stray = 0; stray < strays; stray++)
		clock.at(START_MS - beforeMs - stray * STRAY_EVERY_MS, () => {
			budget.tryCheck(limit)?.settle({ limited: true, retryAfterMs: STRAY_RETRY_AFTER_MS });
		});
	const outcome = await simulation.outcome();
	for (const checker of checkers) checker.stop();
	return outcome;
}

function onClock({ startedAt, postedAt }: Beginning): Beginning {
	return {
		...(startedAt === undefined ? {} : { startedAt: START_MS + startedAt }),
		...(postedAt === undefined ? {} : { postedAt: START_MS + postedAt }),
	};
}

/** The service as the checker sees it. */
function serviceOf(simulation: Simulation, budget: RequestBudget, limit: number): BridgeService {
	const isNotSimulated = async (): Promise<never> =>
		await Promise.reject(new Error('not simulated'));
	return {
		problem: null,
		budget,
		requestsPerMinute: limit,
		longPause: () => null,
		config: isNotSimulated,
		configNow: async () => await Promise.resolve(null),
		networks: isNotSimulated,
		quote: isNotSimulated,
		async status(sourceHash, permission) {
			const answer = await simulation.ask(Number(sourceHash));
			permission?.permit.settle({ limited: answer === 'limited' });
			return simulation.responseTo(Number(sourceHash), answer);
		},
	};
}

const CERTAIN = 0.93;

/**
 * What one would write oneself: one request at an even pace, for the order that has most probably finished where that is nearly
 * certain, otherwise for the one whose turn it is.
 */
export async function evenRoundRobin(run: Run): Promise<Outcome> {
	const simulation = new Simulation(run);
	const { clock } = simulation;
	const open = new Map<number, { seenAt: number; notBefore: number }>();
	run.orders.forEach(({ addedAt, beganAt }, index) =>
		clock.at(START_MS + addedAt, () => open.set(index, { seenAt: beganAt, notBefore: 0 })),
	);
	const next = (): void => {
		const now = clock.now() - START_MS;
		const ready = [...open].filter(([, { notBefore }]) => notBefore <= now);
		const chance = ([index, { seenAt }]: (typeof ready)[number]): number => {
			const beganAt = run.orders[index]?.beganAt ?? 0;
			const ages = {
				since: Math.max(0, seenAt - beganAt) / 1000,
				age: Math.max(0, now - beganAt) / 1000,
			};
			return prospects(FINISHING, ages).chance;
		};
		const certain = ready
			.filter((each) => chance(each) >= CERTAIN)
			.sort((one, other) => chance(other) - chance(one));
		const [index] = certain[0] ?? ready[0] ?? [];
		if (index !== undefined) {
			open.delete(index);
			void simulation.ask(index).then((answer) => {
				if (answer === 'finished') simulation.report(index);
				else open.set(index, { seenAt: now, notBefore: now + run.intervalMs });
			});
		}
		if (simulation.missing > 0) clock.at(clock.now() + 60_000 / (run.limit ?? SERVICE_LIMIT), next);
	};
	clock.at(START_MS, next);
	return await simulation.outcome();
}

/** One request at an even pace, for each open order in its turn, with no knowledge of any. */
export async function plainRoundRobin(run: Run): Promise<Outcome> {
	const simulation = new Simulation(run);
	const { clock } = simulation;
	const open = new Map<number, number>();
	run.orders.forEach(({ addedAt }, index) =>
		clock.at(START_MS + addedAt, () => {
			open.set(index, -Infinity);
		}),
	);
	const next = (): void => {
		const now = clock.now();
		const [[index, checkedAt] = [0, Infinity]] = open;
		if (now - checkedAt >= run.intervalMs) {
			open.delete(index);
			void simulation.ask(index).then((answer) => {
				if (answer === 'finished') simulation.report(index);
				else open.set(index, now);
			});
		}
		if (simulation.missing > 0) clock.at(now + 60_000 / (run.limit ?? SERVICE_LIMIT), next);
	};
	clock.at(START_MS, next);
	return await simulation.outcome();
}

/** What a schedule of n8n does: once a minute each open order is checked, in its turn where the limit does not allow all. */
export async function onceAMinute(run: Run): Promise<Outcome> {
	const simulation = new Simulation(run);
	const { clock } = simulation;
	const open: number[] = [];
	run.orders.forEach(({ addedAt }, index) =>
		clock.at(START_MS + addedAt, () => {
			open.push(index);
		}),
	);
	const minute = (): void => {
		for (const index of open.splice(0, run.limit ?? SERVICE_LIMIT)) {
			void simulation.ask(index).then((answer) => {
				if (answer === 'finished') simulation.report(index);
				else open.push(index);
			});
		}
		if (simulation.missing > 0) clock.at(clock.now() + MINUTE_MS, minute);
	};
	clock.at(START_MS + MINUTE_MS * run.random(), minute);
	return await simulation.outcome();
}

/** A little more than the service's minute, so that its window is empty again. */
const MINUTE_MS = 60_500;
