import { USUAL, World, type WorldOptions } from './world';

/** What the next poll corrects, so that no history shows it: needless requests, late events, problems that are shown too often or never. */

const orders = Array.from({ length: 20 }, (_, number) => `0x1${String(number).padStart(63, '0')}`);

interface Watching {
	world: World;
	options: WorldOptions;
	/** How many requests the service has had. */
	requests: () => number;
	/** What was asked for: hashes, or 'config'. */
	asked: string[];
	/** How many polls have failed visibly. */
	failures: () => number;
	/** Whether the event Watching Interrupted was emitted. */
	isInterrupted: () => boolean;
}

/** A published trigger that watches open orders. */
async function watching(changes: Partial<WorldOptions>): Promise<Watching> {
	const options = { ...USUAL, ...changes };
	const noted: string[] = [];
	const world = new World(options, (kind) => void noted.push(kind));
	const failures = () => noted.filter((kind) => kind === 'poll: fails visibly').length;
	const isInterrupted = () => noted.includes('the watching is interrupted');
	for (const hash of orders) world.service.begin(hash);
	world.lists[0]?.push(...orders);
	world.publish();
	await world.wait(61, false);
	const asked: string[] = [];
	const answer = world.service.answer.bind(world.service);
	world.service.answer = (url, hash) => {
		asked.push(url.endsWith('/config') ? 'config' : hash);
		return answer(url, hash);
	};
	return { world, options, requests: () => asked.length, asked, failures, isInterrupted };
}

test('a poll that begins while one is under way returns at once', async () => {
	const { world, requests } = await watching({ keepChecking: false });
	world.service.set('verySlow');
	world.poll();
	await world.wait(1, true);
	const ofOne = requests();
	expect(ofOne).toBeGreaterThan(0);
	world.poll();
	await world.wait(1, true);
	expect(requests()).toBe(ofOne);
});

test('the durable engine: a poll that is replaced stops checking', async () => {
	const { world, requests } = await watching({ engine: 'durable' });
	world.poll();
	await world.wait(1, false);
	world.publish();
	await world.wait(2, false);
	const afterPublishing = requests();
	await world.wait(20, false);
	expect(requests()).toBe(afterPublishing);
});

test('Keep Checking that is switched off by its expression stops the checks between polls', async () => {
	const { world, options, requests } = await watching({});
	await world.wait(30, true);
	expect(requests()).toBeGreaterThan(0);
	options.keepChecking = false;
	world.poll();
	await world.wait(2, true);
	const afterPoll = requests();
	await world.wait(30, true);
	expect(requests()).toBe(afterPoll);
});

test('the durable engine: a poll that n8n has given up does not stop the checks of the next one', async () => {
	const { world } = await watching({ engine: 'durable' });
	const [hash = ''] = orders;
	world.credential = 'slow';
	world.poll();
	await world.wait(60, false);
	world.credential = 'there';
	world.poll();
	// The poll before gets its credential after 70 seconds.
	await world.wait(12, false);
	world.service.move(hash, 'completed');
	await world.wait(18, false);
	expect(world.failures).toEqual([]);
	expect(world.emitted).toEqual([`${hash}:completed`]);
});

test('the durable engine: a poll waits for the answers that are under way when its checks stop', async () => {
	const { world } = await watching({ engine: 'durable' });
	const answer = world.service.answer.bind(world.service);
	let seconds = 0;
	let finished = '';
	world.service.answer = (url, hash) => {
		if (seconds < 20) return answer(url, hash);
		// Asked for before the 32nd second, when the checks stop; answered after it, within the 34th or 35th.
		if (finished === '') world.service.move((finished = hash), 'completed');
		return { ...answer(url, hash), delayMs: 33_200 - 1000 * seconds };
	};
	world.poll();
	for (; seconds < 36; seconds++) await world.wait(1, false);
	expect(finished).not.toBe('');
	expect(world.emitted).toEqual([`${finished}:completed`]);
});

test('the durable engine: a finished order that waits for its start, because others are being committed, is not checked again', async () => {
	const { world, asked } = await watching({ engine: 'durable', commitsTake: [700] });
	for (const hash of orders) world.service.move(hash, 'completed');
	asked.splice(0);
	world.poll();
	await world.wait(36, false);
	expect(world.emitted).toHaveLength(orders.length);
	expect(asked.filter((each) => each !== 'config').sort()).toEqual([...orders].sort());
});

test('what n8n has saved as emitted and then failed to start is emitted when the workflow is published again', async () => {
	const { world } = await watching({});
	const [hash = ''] = orders;
	world.failsToStart = 'afterSaving';
	world.service.move(hash, 'completed');
	await world.wait(20, true);
	expect(world.emitted).toEqual([]);
	world.failsToStart = false;
	world.publish();
	await world.wait(61, true);
	expect(world.failures).toEqual([]);
	expect(world.emitted).toEqual([`${hash}:completed`]);
});

test('what went wrong in a tick is shown by the next poll, and only by that one', async () => {
	const { world, failures } = await watching({});
	world.failsToStart = true;
	for (const hash of orders) world.service.move(hash, 'completed');
	await world.wait(20, true);
	world.failsToStart = false;
	world.poll();
	await world.wait(1, false);
	expect(failures()).toBe(1);
	world.poll();
	await world.wait(1, false);
	expect(failures()).toBe(1);
});

test('the durable engine: a service that no longer answers is shown by the 5th poll, also after a good time', async () => {
	const { world, failures } = await watching({ engine: 'durable' });
	const pollFor = async (minutes: number): Promise<void> => {
		for (let minute = 0; minute < minutes; minute++) {
			world.poll();
			await world.wait(60, false);
		}
	};
	await pollFor(2);
	world.service.set('serverError');
	await pollFor(4);
	expect(failures()).toBe(0);
	await pollFor(1);
	expect(failures()).toBe(1);
});

test('one tick applies all that has been seen', async () => {
	const { world } = await watching({});
	const emittedBefore = world.emitted.length;
	for (const hash of orders) world.service.move(hash, 'completed');
	const perSecond: number[] = [];
	for (let second = 0; second < 20; second++) {
		const before = world.emitted.length;
		await world.wait(1, true);
		perSecond.push(world.emitted.length - before);
	}
	expect(world.emitted.length - emittedBefore).toBe(orders.length);
	// They are of one age, so they are asked for in one go.
	expect(Math.max(...perSecond)).toBeGreaterThan(orders.length / 2);
});

test('a wrong key stops the checks between polls: only the configuration is probed, ever more rarely', async () => {
	const { world, asked } = await watching({});
	world.service.set('wrongKey');
	await world.wait(20, true);
	asked.splice(0);
	await world.wait(180, true);
	expect(new Set(asked)).toEqual(new Set(['config']));
	expect(asked.length).toBeLessThanOrEqual(6);
	world.service.set(null);
	const [hash = ''] = orders;
	world.service.move(hash, 'completed');
	await world.wait(75, true);
	expect(world.emitted).toEqual([`${hash}:completed`]);
});

test.each(['default', 'durable'] as const)(
	'%s engine: a pause of an hour, in which no check is sent, is shown and is an interruption',
	async (engine) => {
		const { world, requests, failures, isInterrupted } = await watching({ engine });
		const headers = { 'retry-after': '3600' };
		const limited = { delayMs: 30, response: { statusCode: 429, headers, body: '{}' } };
		const answer = world.service.answer.bind(world.service);
		world.service.answer = (url, hash) => ({ ...answer(url, hash), ...limited });
		for (let minute = 0; minute < 13; minute++) {
			expect(isInterrupted()).toBe(false);
			world.poll();
			await world.wait(60, true);
			if (isInterrupted()) break;
		}
		expect(isInterrupted()).toBe(true);
		expect(failures()).toBe(1);
		expect(requests()).toBeLessThanOrEqual(orders.length);
		expect(world.failures).toEqual([]);
	},
);

test.each(['default', 'durable'] as const)(
	'%s engine: an order that finished during three days without n8n is not dropped if its first checks fail for some minutes',
	async (engine) => {
		const world = new World({ ...USUAL, engine, events: ['anyFinalStatus'] }, () => undefined);
		const posted = `0x7${'0'.repeat(63)}`;
		const minutes = async (count: number): Promise<void> => {
			for (let minute = 0; minute < count; minute++) {
				world.poll();
				await world.wait(60, true);
			}
		};
		world.publish();
		await world.wait(61, true);
		world.service.begin(posted);
		expect(await world.call(0, 'POST', [{ hash: posted }])).toBe(true);
		await minutes(2);
		world.unpublish();
		await world.wait(10, false);
		world.service.move(posted, 'completed');
		await world.wait(3 * 86_400, false);
		const answer = world.service.answer.bind(world.service);
		const failed = { statusCode: 500, headers: {}, body: '{"success":false}' };
		// The configuration works, so that the failing checks count as those of the orders.
		world.service.answer = (url, hash) =>
			url.endsWith('/config') ? answer(url, hash) : { delayMs: 30, response: failed };
		world.publish();
		await world.wait(2, true);
		await minutes(12);
		world.service.answer = answer;
		await minutes(5);
		expect(world.failures).toEqual([]);
		expect(world.emitted).toContain(`${posted}:completed`);
	},
);
