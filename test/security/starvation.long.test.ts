import { VirtualClock } from '../virtualClock';
import { Checker } from '../../nodes/CrossChainBridge/checks/checker';
import { found, simulatedService } from '../unit/simulatedService';
import { RequestBudget } from '../../nodes/CrossChainBridge/budget/requestBudget';

/** No workflow takes the checks of another's trigger away, whatever it loops over or queues. At 20 requests a minute, in simulated time. */

const LIMIT = 20;
const MINUTES = 10;
const END = MINUTES * 60_000;
/** A quarter of the limit for the whole time, less what waiting for the next window costs. */
const SHARE = 0.85 * (LIMIT / 4) * MINUTES;
const ANSWER_MS = 50;

const OTHERS = {
	'a loop over single items': { loops: 1, waiting: 1, priority: 'interactive' },
	'ten such loops': { loops: 10, waiting: 1, priority: 'interactive' },
	'60 items at once, again and again': { loops: 1, waiting: 60, priority: 'batch' },
	'600 items at once, in ten workflows': { loops: 10, waiting: 60, priority: 'batch' },
} as const;

const cases = (Object.keys(OTHERS) as Array<keyof typeof OTHERS>).map((name) => [name] as const);

function begin(name: keyof typeof OTHERS): { clock: VirtualClock; budget: RequestBudget } {
	const clock = new VirtualClock();
	const budget = new RequestBudget(clock, { random: () => 0 });
	const { loops, waiting, priority } = OTHERS[name];
	const runs = async (queueKey: string): Promise<never> => {
		for (;;) {
			const permit = await budget.acquire({ priority, queueKey, limit: LIMIT });
			await clock.sleep(ANSWER_MS);
			permit.settle();
		}
	};
	for (let index = 0; index < loops * waiting; index++) void runs(`workflow ${index % loops}`);
	return { clock, budget };
}

test.each(cases)('%s leaves a trigger that checks all the time its share', async (name) => {
	const { clock, budget } = begin(name);
	let checks = 0;
	const service = simulatedService({
		clock,
		requestsPerMinute: LIMIT,
		async status() {
			await clock.sleep(ANSWER_MS);
			checks++;
			return found({ status: 'executing' });
		},
	});
	service.budget = budget;
	const checker = new Checker({ service, clock, intervalMs: 5_000 });
	const orders = Array.from({ length: 10 }, (_, order) => `${order}`);
	checker.setOrders(new Map(orders.map((hash) => [hash, { sourceHash: hash }])));
	checker.run(END);
	await clock.run(END);
	checker.stop();
	expect(checks).toBeGreaterThanOrEqual(SHARE);
});

test.each(cases)('%s leaves a trigger that checks once a poll its share', async (name) => {
	const { clock, budget } = begin(name);
	const rounds: number[] = [];
	for (let poll = 0; poll < MINUTES; poll++) {
		// What a poll used comes back after 60.5 s, so that one in two would find nothing if they came every 60 s.
		clock.at(61_000 * poll + 500, () => {
			let round = 0;
			for (
				let permit = budget.tryCheck(LIMIT);
				permit !== null && round < LIMIT;
				permit = budget.tryCheck(LIMIT), round++
			)
				permit.settle();
			rounds.push(round);
		});
	}
	await clock.run(61_000 * MINUTES);
	// The first finds all taken, and its share is kept from then on.
	for (const round of rounds.slice(2)) expect(round).toBeGreaterThanOrEqual(LIMIT / 4);
});

test('single interactive requests wait for nothing while a trigger uses all that is its own', async () => {
	const clock = new VirtualClock();
	const budget = new RequestBudget(clock);
	let waited = 0;
	const watching = (): void => {
		for (let permit = budget.tryCheck(LIMIT); permit !== null; permit = budget.tryCheck(LIMIT))
			permit.settle();
	};
	for (let at = 0; at < END; at += 1_000) clock.at(at, watching);
	for (let at = 61_500; at < END; at += 61_500) {
		clock.at(at, () => {
			const asked = clock.now();
			void budget
				.acquire({ priority: 'interactive', limit: LIMIT, queueKey: '' })
				.then((permit) => {
					permit.settle();
					waited = Math.max(waited, clock.now() - asked);
				});
		});
	}
	await clock.run(END);
	expect(waited).toBe(0);
});
