import { USUAL, World } from './world';

/** Triggers that share one key, in n8n's durable engine, where each poll begins its checks afresh. */

/** One a minute: an order is checked again after 1.5 times 10 minutes at the latest, where the budget suffices for one check of each in that time. */
const POLLS = 15;
const REQUESTS_PER_MINUTE = 10;

const orders = Array.from(
	{ length: 3 * REQUESTS_PER_MINUTE },
	(_, number) => `0x1${String(number).padStart(63, '0')}`,
);
const LONE = `0x${'f'.repeat(64)}`;

test.each([
	[0, 'at the same moment', true],
	[0, 'at the same moment', false],
	[20, 'while the other one checks', true],
	[40, 'when the other one is done', true],
])(
	'a trigger with more orders than the budget leaves another one its share: %d seconds later, %s (orders known: %s)',
	async (seconds, _when, areKnown) => {
		const world = new World(
			{ ...USUAL, engine: 'durable', triggers: 2, requestsPerMinute: REQUESTS_PER_MINUTE },
			() => undefined,
		);
		if (areKnown) for (const hash of orders) world.service.begin(hash);
		world.lists[0]?.push(...orders);
		world.lists[1]?.push(LONE);
		world.publish();
		await world.wait(120, false);
		world.service.move(LONE, 'completed');
		for (let polls = 0; polls < POLLS && world.emitted.length === 0; polls++) {
			world.poll(0);
			await world.wait(seconds, false);
			world.poll(1);
			await world.wait(60 - seconds, false);
		}
		expect(world.failures).toEqual([]);
		expect(world.emitted).toEqual([`${LONE}:completed`]);
	},
);

test.each(['default', 'durable'] as const)(
	'without Keep Checking, orders that the service fails to answer for leave the others their share (%s engine)',
	async (engine) => {
		const world = new World(
			{ ...USUAL, engine, keepChecking: false, requestsPerMinute: REQUESTS_PER_MINUTE },
			() => undefined,
		);
		const answer = world.service.answer.bind(world.service);
		world.service.answer = (url, hash) =>
			orders.includes(hash)
				? { delayMs: 30, response: { statusCode: 500, headers: {}, body: '{}' } }
				: answer(url, hash);
		world.lists[0]?.push(...orders, LONE);
		world.service.move(LONE, 'completed');
		world.publish();
		for (let polls = 0; polls < POLLS && world.emitted.length === 0; polls++) {
			await world.wait(61, engine === 'default');
			world.poll();
			await world.wait(2, engine === 'default');
		}
		expect(world.failures).toEqual([]);
		expect(world.emitted).toEqual([`${LONE}:completed`]);
	},
);
