import type { IDataObject, INode, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { acceptingTrigger, poll } from '../../../nodes/CrossChainBridge/n8n/poll';
import { sessionOf } from '../../../nodes/CrossChainBridge/n8n/session';
import { n8nClock } from '../../../nodes/CrossChainBridge/service/n8nClock';
import { postedOrder } from '../watch/watching';
import { CONFIG, FakeN8n, json, shows, WRONG_KEY } from './n8n';

/** The two drivers, with an n8n that lacks something, refuses something or hangs. What they do in a real n8n-core: test/engine. */

const hashOf = (number: number) => `0x1${number.toString(16).padStart(63, '0')}`;
const A = hashOf(0xa);

/** An n8n whose bridge shows each order with this status. */
function n8nWith(status: (asked: string) => string = () => 'pending'): FakeN8n {
	const n8n = new FakeN8n();
	n8n.respond = (asked) => (asked === 'config' ? CONFIG : shows(status(asked)));
	return n8n;
}

/** One poll of the usual engine, which makes its checks, and then a tick. */
async function pollAndTick(context: IPollFunctions, ticks: Array<() => void>): Promise<void> {
	await poll(context);
	const { checker } = sessionOf(context);
	await checker?.next(n8nClock.now() + 5_000);
	for (const tick of ticks) tick();
}

/** A poll that has to return by then, in milliseconds of simulated time. */
async function pollWithin(ms: number, context: IPollFunctions): Promise<void> {
	// If performance were simulated, n8nClock would have no time, and wait for nothing.
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
	try {
		let isOver = false;
		const polling = poll(context).finally(() => (isOver = true));
		await jest.advanceTimersByTimeAsync(ms);
		expect(isOver).toBe(true);
		await polling;
	} finally {
		jest.useRealTimers();
	}
}

const POLLING = { sourceHashes: A, options: { keepChecking: false } };

describe('publishing', () => {
	test.each<[string, IDataObject, (n8n: FakeN8n, node: INode) => void, RegExp]>([
		['a field', { sourceHashes: 'my orders' }, () => undefined, /is not a transaction hash/],
		['a wrong key', POLLING, (n8n) => (n8n.respond = () => WRONG_KEY), /API key/],
		[
			'a web page for an address',
			POLLING,
			(n8n) => (n8n.respond = () => ({ statusCode: 200, body: '<html>' })),
			/Base URL/,
		],
		[
			'a credential that is deleted',
			POLLING,
			(n8n) => (n8n.credential = async () => await Promise.reject(new Error('does not exist'))),
			/does not exist/,
		],
		[
			'another node with the same ID',
			{ ...POLLING, acceptOrders: true },
			(n8n) => n8n.node(POLLING, { name: 'Twin' }),
			/'Trigger' and 'Twin' have the same ID/,
		],
	])('is refused for %s, and nothing is left of it', async (_what, parameters, change, message) => {
		const n8n = n8nWith();
		const node = n8n.node(parameters);
		change(n8n, node);
		const { context, ticks } = n8n.register(node);
		await expect(poll(context)).rejects.toThrow(message);
		expect([ticks, acceptingTrigger(n8n.call(node))]).toEqual([[], null]);
	});

	test('is refused with a remedy for two nodes with one ID, and for an n8n that has changed', async () => {
		const n8n = n8nWith();
		const node = n8n.node(POLLING);
		const changed = n8n.register(node, { changes: { __emit: undefined } }).context;
		await expect(poll(changed)).rejects.toMatchObject({
			description: 'Update the package. If the newest version says the same, open an issue.',
		});
		n8n.node(POLLING, { name: 'Twin' });
		await expect(poll(n8n.register(node).context)).rejects.toMatchObject({
			description: expect.stringMatching(/Delete one of the two nodes, add it again .* publish/),
		});
	});

	test('in an n8n that has changed is refused with its version, and so is each poll if n8n starts by itself', async () => {
		const n8n = n8nWith();
		const node = n8n.node(POLLING);
		const sentence = /cannot watch orders in this n8n: .* \(n8n-workflow [\d.]+\)/;
		const changes = { __emit: undefined };
		await expect(poll(n8n.register(node, { changes }).context)).rejects.toThrow(sentence);
		const { context } = n8n.register(node, { mode: 'init', changes });
		await poll(context);
		await expect(poll(context)).rejects.toThrow(sentence);
	});

	test.each<[string, number]>([
		['is away', 503],
		['limits its requests', 429],
	])('is not refused while the bridge %s', async (_what, status) => {
		const n8n = n8nWith();
		n8n.respond = () => json({}, status);
		const { context, ticks } = n8n.register(n8n.node(POLLING));
		await pollWithin(8_000, context);
		expect(ticks).toHaveLength(1);
	});

	test.each(['credential store', 'bridge'])(
		'returns within seconds while the %s hangs',
		async (what) => {
			const n8n = n8nWith();
			const never = async () => await new Promise<never>(() => undefined);
			if (what === 'bridge') n8n.respond = never;
			else n8n.credential = never;
			const { context, ticks } = n8n.register(n8n.node(POLLING));
			await pollWithin(8_000, context);
			expect(ticks).toHaveLength(1);
		},
	);
});

describe('two triggers with one node ID', () => {
	const TWINS = { ...POLLING, acceptOrders: true };
	const twins = () => {
		const n8n = n8nWith();
		return { n8n, nodes: ['Trigger', 'Twin'].map((name) => n8n.node(TWINS, { name })) };
	};

	test('that n8n starts by itself accept nothing that nobody would check, and a poll says why', async () => {
		const { n8n, nodes } = twins();
		const messages: string[] = [];
		for (const node of nodes) {
			const { context } = n8n.register(node, { mode: 'init' });
			expect(acceptingTrigger(n8n.call(node))).toBeNull();
			await poll(context);
			expect(acceptingTrigger(n8n.call(node))).toBeNull();
			await poll(context).catch(({ message }: Error) => messages.push(message));
			expect(acceptingTrigger(n8n.call(node))).toBeNull();
		}
		expect([messages, n8n.asked]).toEqual([[expect.stringMatching(/have the same ID/)], []]);
	});

	test('accept nothing in the durable engine either, before and after their first polls', async () => {
		const other = n8nWith();
		await poll(other.durable(other.node({ ...TWINS, sourceHashes: '' })));
		const { n8n, nodes } = twins();
		const messages: string[] = [];
		for (const node of nodes) {
			expect(acceptingTrigger(n8n.call(node))).toBeNull();
			await poll(n8n.durable(node)).catch(({ message }: Error) => messages.push(message));
			expect(acceptingTrigger(n8n.call(node))).toBeNull();
		}
		expect([messages, n8n.asked]).toEqual([[expect.stringMatching(/have the same ID/)], []]);
	});
});

describe('a registration of the usual engine', () => {
	test('whose schedule n8n refuses once works with the next poll, and loses nothing', async () => {
		const n8n = n8nWith(() => 'completed');
		const { context, ticks } = n8n.register(n8n.node(POLLING), { mode: 'init' });
		const { registerCron } = context.helpers;
		context.helpers.registerCron = () => {
			throw new Error('not now');
		};
		await poll(context);
		await expect(poll(context)).rejects.toThrow('not now');
		context.helpers.registerCron = registerCron;
		await pollAndTick(context, ticks);
		expect(n8n.started).toMatchObject([{ event: 'completed', sourceHash: A }]);
	});

	test('starts up to 25 times a tick, because n8n writes the whole state with each, and the others with the next ticks', async () => {
		const hashes = Array.from({ length: 60 }, (_, i) => hashOf(i + 1));
		const n8n = n8nWith(() => 'completed');
		const { context, ticks } = n8n.register(
			n8n.node({ ...POLLING, sourceHashes: hashes.join('\n') }),
			{ mode: 'init' },
		);
		await poll(context);
		const until = Date.now() + 10_000;
		while (n8n.asked.length < 61 && Date.now() < until)
			await new Promise((resolve) => setTimeout(resolve, 20));
		await sessionOf(context).checker?.next(n8nClock.now() + 1_000);
		const counts = [1, 2, 3, 4].map(() => {
			const before = n8n.started.length;
			for (const tick of ticks) tick();
			return n8n.started.length - before;
		});
		expect(counts).toEqual([25, 25, 10, 0]);
	});

	test('whose ticks do not come any more, although the polls go on, asks for them again, so that the workflow starts', async () => {
		const n8n = n8nWith(() => 'completed');
		const { context, ticks } = n8n.register(n8n.node(POLLING), { mode: 'init' });
		let now = Date.now();
		const dateNow = jest.spyOn(Date, 'now').mockImplementation(() => now);
		try {
			await poll(context);
			for (const asked of [1, 2]) {
				now += 60_000;
				await poll(context);
				expect(ticks).toHaveLength(asked);
			}
			await sessionOf(context).checker?.next(n8nClock.now() + 5_000);
			ticks[0]?.();
			expect(n8n.started).toEqual([]);
			ticks[1]?.();
			expect(n8n.started).toMatchObject([{ event: 'completed' }]);
			now += 4_000;
			for (let count = 0; count < 2; count++) await poll(context);
			expect(ticks).toHaveLength(2);
		} finally {
			dateNow.mockRestore();
		}
	});

	test('that has not ticked for more than a minute has stood still, so that what failed before is not one long outage', async () => {
		const n8n = n8nWith();
		n8n.respond = () => json({}, 503);
		const { context, ticks } = n8n.register(n8n.node(POLLING), { mode: 'init' });
		const session = sessionOf(context);
		let now = Date.now();
		const dateNow = jest.spyOn(Date, 'now').mockImplementation(() => now);
		const tickAfter = (ms: number) => {
			now += ms;
			for (const tick of ticks) tick();
			return session.state.uncheckedSince;
		};
		try {
			await pollAndTick(context, ticks);
			await poll(context);
			const since = now;
			expect([tickAfter(1_000), tickAfter(60_000), tickAfter(60_001)]).toEqual([
				since + 1_000,
				since + 1_000,
				null,
			]);
		} finally {
			dateNow.mockRestore();
		}
	});

	test('whose event n8n refuses shows that with the next poll, and the event comes again', async () => {
		const n8n = n8nWith(() => 'completed');
		const { context, ticks } = n8n.register(n8n.node(POLLING), { mode: 'init' });
		n8n.startErrors.push(new Error('no execution'));
		await pollAndTick(context, ticks);
		expect(n8n.started).toEqual([]);
		await expect(poll(context)).rejects.toThrow('no execution');
		await pollAndTick(context, ticks);
		expect(n8n.started).toMatchObject([{ event: 'completed' }]);
		await pollAndTick(context, ticks);
		expect(n8n.started).toHaveLength(1);
	});

	test('has the event as emitted in what n8n saves with its start', async () => {
		const n8n = n8nWith(() => 'completed');
		const node = n8n.node(POLLING);
		const saved: unknown[] = [];
		const __emit = () => saved.push(structuredClone(n8n.global.crossChainBridgeWatches));
		const { context, ticks } = n8n.register(node, { mode: 'init', changes: { __emit } });
		await pollAndTick(context, ticks);
		expect(saved).toMatchObject([
			{
				watches: [{ nodeId: node.id, orders: [], finished: [expect.arrayContaining(['emitted'])] }],
			},
		]);
	});

	test('whose poll still waits makes no second one, although n8n polls it again', async () => {
		const n8n = n8nWith();
		const { context } = n8n.register(n8n.node(POLLING), { mode: 'init' });
		let asked = 0;
		const answers: Array<() => void> = [];
		const { credential } = n8n;
		n8n.credential = async () => {
			asked++;
			await new Promise<void>((resolve) => answers.push(resolve));
			return await credential();
		};
		const first = poll(context);
		while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
		const second = poll(context);
		// Whatever the second one asks for, it asks for before these are over.
		for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
		for (const answer of answers) answer();
		await Promise.all([first, second]);
		expect(asked).toBe(1);
	});

	test('has its list in what n8n saves after a person has published it', async () => {
		const n8n = n8nWith();
		await poll(n8n.register(n8n.node(POLLING)).context);
		expect(n8n.global.crossChainBridgeWatches).toMatchObject({
			watches: [{ orders: [expect.objectContaining({ sourceHash: A })] }],
		});
	});

	test('that was replaced emits nothing, whatever n8n still calls of it', async () => {
		const n8n = n8nWith(() => 'completed');
		const node = n8n.node(POLLING);
		const old = n8n.register(node, { mode: 'init' });
		await poll(old.context);
		const started: unknown[] = [];
		const __emit = (items: unknown) => started.push(items);
		const fresh = n8n.register(node, { changes: { __emit } });
		await poll(fresh.context);
		await poll(old.context);
		await pollAndTick(fresh.context, [...old.ticks, ...fresh.ticks]);
		expect([n8n.started, started.length]).toEqual([[], 1]);
	});
});

test('what the durable engine commits has no order for a repetition, also after a publishing with At Least Once', async () => {
	const n8n = n8nWith(() => 'completed');
	const node = n8n.node({ ...POLLING, options: { delivery: 'atLeastOnce' } });
	const table: IDataObject = {};
	const getWorkflowStaticData = (type: string) => (type === 'node' ? table : n8n.global);
	await poll(n8n.register(node, { changes: { getWorkflowStaticData } }).context);
	await poll(n8n.durable(node, { getWorkflowStaticData }));
	expect(n8n.started).toMatchObject([{ event: 'completed' }]);
	expect(table.watch).toMatchObject({ recent: [], orders: [] });
});

test('an order that is sent while the trigger is first published is kept for it, if this process has polled in the durable engine', async () => {
	const durable = n8nWith();
	await poll(durable.durable(durable.node(POLLING)));
	const n8n = new FakeN8n();
	const node = n8n.node({ ...POLLING, acceptOrders: true });
	const answers: Array<() => void> = [];
	n8n.respond = async () => {
		await new Promise<void>((resolve) => answers.push(resolve));
		return CONFIG;
	};
	const publishing = poll(n8n.register(node).context);
	while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
	const orders = [postedOrder({ hash: hashOf(0xb), reference: 'Rent' })];
	const effects = await acceptingTrigger(n8n.call(node))?.accept({ kind: 'posted', orders });
	expect(effects).toMatchObject([{ kind: 'answer', result: { as: 'accepted' } }]);
	for (const answer of answers) answer();
	await publishing;
	expect(JSON.stringify(n8n.global.crossChainBridgeWatches)).toContain('Rent');
});

test('an order that is sent to a trigger is watched, and the call says so', async () => {
	const n8n = n8nWith();
	const node = n8n.node({ ...POLLING, acceptOrders: true });
	await poll(n8n.register(node, { mode: 'init' }).context);
	const call: IWebhookFunctions = n8n.call(node);
	const orders = [postedOrder({ hash: hashOf(0xb), reference: 'Rent' })];
	const effects = await acceptingTrigger(call)?.accept({ kind: 'posted', orders });
	expect(effects).toMatchObject([{ kind: 'answer', result: { as: 'accepted' } }]);
	expect(JSON.stringify(n8n.global)).toContain('Rent');
});
