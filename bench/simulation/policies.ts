import { OrderWatcher } from '../../nodes/CrossChainBridge/watch/orderWatcher';
import { RequestBudget } from '../../nodes/CrossChainBridge/watch/requestBudget';
import { TickDriver } from '../../nodes/CrossChainBridge/watch/tickDriver';
import { oneWay, SERVICE_LIMIT, SlidingWindow } from './service';
import type { Random } from './random';
import { VirtualClock } from './virtualClock';

/** One order of a run: when it begins and ends (ms of simulated time). */
export interface SimulatedOrder {
	beginsAt: number;
	endsAt: number;
}

export interface Outcome {
	/** Milliseconds from each order's end until it was seen, in the order of the orders. */
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

interface Simulation {
	clock: VirtualClock;
	service: SlidingWindow;
	delays: number[];
	missing: number;
	/** Sends a look at an order; resolves when the answer is there. */
	ask(index: number): Promise<'ended' | 'open' | 'refused'>;
}

function simulate({ orders, random }: Run): Simulation {
	const clock = new VirtualClock();
	const service = new SlidingWindow();
	const simulation: Simulation = {
		clock,
		service,
		delays: orders.map(() => Number.NaN),
		missing: orders.length,
		async ask(index) {
			const order = orders[index];
			await clock.sleep(oneWay(random));
			const served = service.arrive(clock.now());
			const ended = order !== undefined && clock.now() >= order.endsAt;
			await clock.sleep(oneWay(random));
			if (!served) return 'refused';
			if (ended && Number.isNaN(simulation.delays[index])) {
				simulation.delays[index] = clock.now() - order.endsAt;
				simulation.missing--;
			}
			return ended ? 'ended' : 'open';
		},
	};
	return simulation;
}

async function outcomeOf(simulation: Simulation): Promise<Outcome> {
	await simulation.clock.run(Number.POSITIVE_INFINITY, () => simulation.missing === 0);
	const { delays, service } = simulation;
	return { delays, requests: service.requests, refused: service.refused };
}

/** What this package ships: the very modules, driven as the trigger drives them. */
export const shipped: Policy = async (run) => {
	const simulation = simulate(run);
	const { clock } = simulation;
	const budget = new RequestBudget(SERVICE_LIMIT, clock);
	const watcher = new OrderWatcher({
		budget,
		clock,
		intervalMs: run.intervalMs,
		lane: 'bench',
		async look(key, ticket) {
			const index = Number(key);
			const sentAt = clock.now();
			const answer = await simulation.ask(index);
			driver.noteAnswer(clock.now() - sentAt);
			ticket.settle({ limited: answer === 'refused' });
			if (answer === 'ended') return { kind: 'ended' };
			if (answer === 'refused') return { kind: 'failed' };
			// The service states whole seconds.
			const createdAtMs = Math.floor((run.orders[index]?.beginsAt ?? 0) / 1000) * 1000;
			return { kind: 'open', createdAtMs, expiresAtMs: createdAtMs + 600_000 };
		},
	});
	run.orders.forEach(({ beginsAt }, index) => {
		clock.at(beginsAt, () => watcher.add(String(index), { beginsAt }));
	});
	const driver = new TickDriver(watcher, clock);
	const phase = TICK_MS * run.random();
	const tick = (count: number): void => {
		if (simulation.missing === 0) return;
		clock.at(phase + count * TICK_MS + TICK_LATENESS_MS * run.random(), () => {
			void driver.tick();
			tick(count + 1);
		});
	};
	tick(0);
	const outcome = await outcomeOf(simulation);
	watcher.stop();
	return outcome;
};

/** The service's own advice, taken literally for each order: look, wait the interval, look again. */
export const plainLoop: Policy = async (run) => {
	const simulation = simulate(run);
	const { clock } = simulation;
	run.orders.forEach(({ beginsAt }, index) => {
		const look = (): void => {
			void simulation.ask(index).then((answer) => {
				if (answer !== 'ended') clock.at(clock.now() + run.intervalMs, look);
			});
		};
		clock.at(beginsAt, look);
	});
	return await outcomeOf(simulation);
};

/** The same loop behind a plain limiter: first come first served, at most 100 sent in any 60.5 s. */
export const limitedLoop: Policy = async (run) => {
	const simulation = simulate(run);
	const { clock } = simulation;
	const sent: number[] = [];
	const turn = (): number => {
		const oldest = sent[sent.length - SERVICE_LIMIT];
		const at = Math.max(clock.now(), sent[sent.length - 1] ?? 0, oldest === undefined ? 0 : oldest + 60_500);
		sent.push(at);
		return at;
	};
	run.orders.forEach(({ beginsAt }, index) => {
		const look = (): void => {
			clock.at(turn(), () => {
				void simulation.ask(index).then((answer) => {
					if (answer !== 'ended') clock.at(clock.now() + run.intervalMs, look);
				});
			});
		};
		clock.at(beginsAt, look);
	});
	return await outcomeOf(simulation);
};

/** A polling trigger as n8n has them: once a minute one look at every open order. */
export const oncePerMinute: Policy = async (run) => {
	const simulation = simulate(run);
	const { clock } = simulation;
	const open = new Set(run.orders.keys());
	const phase = 60_000 * run.random();
	const poll = (count: number): void => {
		clock.at(phase + count * 60_000, () => {
			for (const index of open) {
				if ((run.orders[index]?.beginsAt ?? 0) > clock.now()) continue;
				void simulation.ask(index).then((answer) => {
					if (answer === 'ended') open.delete(index);
				});
			}
			if (simulation.missing > 0) poll(count + 1);
		});
	};
	poll(0);
	return await outcomeOf(simulation);
};
