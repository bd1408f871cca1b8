import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import type { Registration, TestN8n } from './n8n';
import { checksAskedFor, untilAsked, wallClockAhead } from './sandboxed';
import {
	asked,
	begun,
	bridge,
	ENGINES,
	events,
	messages,
	n8n,
	open,
	polling,
	polls,
	restart,
	restartWith,
	UNKNOWN,
} from './scene';

/** The trigger in the real n8n-core, with one check a poll; checks between polls are tested in keepChecking.long.test.ts. */

/** Polls so many times; gives the numbers of the polls that failed visibly. */
async function failingPolls(registered: Registration, count: number): Promise<number[]> {
	const failing: number[] = [];
	for (let poll = 1; poll <= count; poll++) {
		const before = n8n.failures.length;
		await registered.poll();
		if (n8n.failures.length > before) failing.push(poll);
	}
	return failing;
}

test('each finished order starts the workflow once, with what came before', async () => {
	const [a = '', b = '', c = ''] = await open(3);
	const registered = await n8n.publish([polling([a, b, c])]);
	expect(n8n.started).toEqual([]);
	await bridge.finish(b, 'refunded');
	await registered.poll();
	expect(n8n.started[0]?.json).toMatchObject({
		event: 'refunded',
		status: 'refunded',
		sourceHash: b,
	});
	await bridge.finish(a, 'completed');
	await bridge.finish(c, 'failed');
	await registered.poll();
	await registered.poll();
	expect(events()).toEqual([`${b} refunded`, `${a} completed`, `${c} failed`]);
	expect(n8n.failures).toEqual([]);
});

test('when all are finished nothing is asked any more', async () => {
	const [a = ''] = await open();
	await bridge.finish(a, 'completed');
	const registered = await n8n.publish([polling([a])]);
	expect(events()).toEqual([`${a} completed`]);
	await bridge.forgetRequests();
	await registered.poll();
	expect(await bridge.requests()).toEqual([]);
});

describe('Delayed', () => {
	const LATE = ['anyFinalStatus', 'delayed'];
	const late = (hashes: string[]) => polling(hashes, { events: LATE });
	const createdAt = () => Math.floor(Date.now() / 1000) - 301;

	test.each(ENGINES)(
		'starts the workflow once for an order that takes long, also across a restart; its final status does as always (%s engine)',
		async (engine) => {
			const [a = ''] = await bridge.begin({
				end: 'never',
				answer: { timing: { createdAt: createdAt() } },
			});
			const check = async (mode?: 'init') => {
				const trigger = late([a, UNKNOWN]);
				if (engine === 'durable') await n8n.durablePoll(trigger, 6_000);
				else await (await n8n.publish([trigger], { mode })).poll();
			};
			await check();
			expect(n8n.started.map(({ json }) => json)).toEqual([
				expect.objectContaining({
					event: 'delayed',
					sourceHash: a,
					summary: expect.stringContaining('is still pending after 5 min'),
				}),
			]);
			await check();
			await restart();
			await check('init');
			expect(n8n.started).toEqual([]);
			await bridge.finish(a, 'refunded');
			await check();
			expect(events()).toEqual([`${a} refunded`]);
			expect(n8n.failures).toEqual([]);
		},
	);

	describe.each(ENGINES)('in the %s engine', (engine) => {
		test('Delayed After that gives nothing fails the poll, and is not 5', async () => {
			const [hash = ''] = await open();
			const poll = await begun(engine, { sourceHashes: hash, delayedAfter: 60, events: LATE });
			wallClockAhead(301_000);
			await poll({ delayedAfter: '={{ $vars.minutes }}' });
			await poll({ delayedAfter: 60 });
			expect({ failures: messages(), events: events() }).toEqual({
				failures: [expect.stringContaining('Delayed After')],
				events: [],
			});
		});

		test('Delayed goes by the clock of the bridge if that of n8n is six minutes ahead', async () => {
			wallClockAhead(360_000);
			const secondsAgo = (seconds: number) => ({
				answer: { timing: { createdAt: Math.floor(new Date().getTime() / 1000) - seconds } },
			});
			const [hash = ''] = await bridge.begin({ end: 'never', ...secondsAgo(2) });
			const poll = await begun(engine, { sourceHashes: hash, events: LATE });
			await poll();
			expect(events()).toEqual([]);
			await bridge.change(hash, secondsAgo(301));
			await poll();
			expect(events()).toEqual([`${hash} delayed`]);
			expect(n8n.started[0]?.json.summary).toContain('after 5 min');
		});

		test('Delayed comes once for a single order whose checks fail, because the configuration is sound', async () => {
			await bridge.fault({ kind: 'error', status: 500, endpoint: 'status', times: 'always' });
			const poll = await begun(engine, { sourceHashes: UNKNOWN, events: LATE });
			wallClockAhead(301_000);
			for (let polls = 0; polls < 3; polls++) await poll();
			expect(n8n.started).toMatchObject([
				{ json: { event: 'delayed', summary: expect.stringMatching(/could not be checked/) } },
			]);
		});

		test('Delayed comes once for a hash that the bridge rejects by a code of its own', async () => {
			await bridge.fault({
				kind: 'error',
				status: 400,
				code: 'INVALID_HASH',
				sourceHash: UNKNOWN,
				times: 'always',
			});
			const poll = await begun(engine, { sourceHashes: UNKNOWN, events: LATE });
			wallClockAhead(301_000);
			await poll();
			await poll();
			expect(events()).toEqual([`${UNKNOWN} delayed`]);
		});

		test('Delayed does not come for another spelling of a finished order', async () => {
			const [hash = ''] = await open();
			const sourceHashes = [hash, hash.slice(2)].join('\n');
			const poll = await begun(engine, { sourceHashes, events: LATE });
			await bridge.finish(hash, 'completed');
			await poll();
			wallClockAhead(301_000);
			await poll();
			expect(events()).toEqual([`${hash} completed`]);
		});
	});

	test.each<[string, Fault | null, RegExp]>([
		['is still not found', null, /has not found order 0x5e5e…5e5e after 1 h/],
		[
			'the bridge does not accept',
			{ kind: 'error', status: 400, sourceHash: UNKNOWN, times: 'always' },
			/order 0x5e5e…5e5e could not be checked/i,
		],
	])('starts it once for one that %s, with the time of its post', async (_what, fault, summary) => {
		const { parameters } = late([]);
		const registered = await n8n.publish([
			{ parameters: { ...parameters, acceptOrders: true, delayedAfter: 60 } },
		]);
		if (fault !== null) await bridge.fault(fault);
		await n8n.call({
			body: { sourceHash: UNKNOWN, startedAt: new Date(Date.now() - 3_601_000).toISOString() },
		});
		await registered.poll();
		await registered.poll();
		expect(n8n.started).toMatchObject([
			{ json: { event: 'delayed', summary: expect.stringMatching(summary) } },
		]);
	});
});

describe.each(ENGINES)('Watching Interrupted in the %s engine', (engine) => {
	test('tells down the branch of all events that the key is wrong, once, and once that it works again', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: `Rent: ${hash}`, events: ['anyEvent'] });
		const { data } = bridge.credentials;
		bridge.credentials.data = { ...data, apiKey: 'wrong' };
		for (let polls = 0; polls < 4; polls++) await poll();
		bridge.credentials.data = data;
		await bridge.finish(hash, 'completed');
		for (let polls = 0; polls < 3; polls++) await poll();
		const shown = n8n.started.map(({ json: { event, summary } }) => [event, summary]);
		expect(shown.sort()).toEqual([
			['completed', expect.stringMatching(/“Rent”/)],
			['interrupted', expect.stringMatching(/^⚠️ .*API key.* 1 order is not checked\.$/)],
			[
				'resumed',
				'✅ Watching is no longer interrupted. No orders are open. 1 has finished in the meantime.',
			],
		]);
	});

	test('tells in the poll that reads the names of the networks again that the key was revoked, although no order is due', async () => {
		const [hash = ''] = await open();
		const rarely = { keepChecking: true, checkEvery: 3_600, events: ['anyEvent'] };
		const poll = await begun(engine, { ...rarely, sourceHashes: hash });
		await untilAsked(bridge, 1, checksAskedFor);
		await bridge.fault({ kind: 'error', status: 401, times: 'always' });
		await bridge.forgetRequests();
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + 301_000);
		await poll();
		expect(await checksAskedFor(bridge)).toEqual([]);
		expect(n8n.started).toMatchObject([
			{ json: { event: 'interrupted', summary: expect.stringMatching(/API key/) } },
		]);
	});

	test('says of a field that is wrong that the trigger goes on with what it can read, and checks the orders', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash, events: ['anyEvent'] });
		await poll({ sourceHashes: `${hash}\nnonsense` });
		await bridge.finish(hash, 'completed');
		for (let polls = 0; polls < 2; polls++) await poll();
		expect(n8n.started).toMatchObject([
			{
				json: {
					event: 'interrupted',
					summary: expect.stringMatching(
						/nonsense.* Until this is resolved, the trigger goes on with what it can read\.$/,
					),
				},
			},
			{ json: { event: 'completed', sourceHash: hash } },
		]);
	});

	test('tells of a wrong key although a field is wrong, too: then no order is checked', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash, events: ['anyEvent'] });
		const { data } = bridge.credentials;
		const wrongField = { sourceHashes: `${hash}\nnonsense` };
		await poll(wrongField);
		bridge.credentials.data = { ...data, apiKey: 'wrong' };
		for (let polls = 0; polls < 3; polls++) await poll(wrongField);
		bridge.credentials.data = data;
		for (let polls = 0; polls < 3; polls++) await poll({ sourceHashes: hash });
		const shown = n8n.started.map(({ json: { event, summary } }) => [event, summary]);
		expect(shown).toEqual([
			['interrupted', expect.stringMatching(/nonsense.* goes on with what it can read\.$/)],
			['interrupted', expect.stringMatching(/API key.* 1 order is not checked\.$/)],
			['resumed', expect.stringMatching(/^✅ The problem is resolved\. 1 order is watched\. /)],
		]);
	});

	test('tells once that the bridge has not worked for ten minutes, and once that it works again', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash, events: ['interrupted'] });
		await bridge.fault({ kind: 'error', status: 503, times: 'always' });
		let minute = 0;
		// Minute by minute, because n8n does not stand still meanwhile: it would have after 60 seconds without a tick, of which a poll takes some.
		const eventsAfter = async (minutes: number) => {
			while (minute < minutes) {
				wallClockAhead(55_000 * ++minute);
				await poll();
			}
			await poll();
			return n8n.started.map(({ json }) => json.event);
		};
		expect(await eventsAfter(1)).toEqual([]);
		expect(await eventsAfter(10)).toEqual([]);
		expect(await eventsAfter(12)).toEqual(['interrupted']);
		await bridge.clearFaults();
		expect(await eventsAfter(15)).toEqual(['interrupted', 'resumed']);
		expect(await eventsAfter(16)).toEqual(['interrupted', 'resumed']);
	});
});

test.each([false, 'false'])(
	'Simplify off (%j, as an expression may give it) gives the order as the service gave it',
	async (simplify) => {
		const [a = ''] = await open();
		await bridge.finish(a, 'completed');
		await n8n.publish([polling([a], { simplify })]);
		expect(n8n.started[0]?.json).toMatchObject({
			event: 'completed',
			status: 'completed',
			order: { status: 'completed', timing: { createdAt: expect.any(Number) } },
		});
	},
);

test('only chosen events; one chosen later is emitted then', async () => {
	const [a = '', b = ''] = await open(2);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'failed');
	await n8n.publish([polling([a, b], { events: ['failed'] })]);
	expect(events()).toEqual([`${b} failed`]);
	await n8n.unpublish();
	await n8n.publish([polling([a, b])]);
	expect(events()).toEqual([`${b} failed`, `${a} completed`]);
});

test('orders that finished before can be left out; those that finish later are emitted', async () => {
	const [a = '', b = ''] = await open(2);
	await bridge.finish(a, 'completed');
	await bridge.change(a, {
		answer: { timing: { completedAt: Math.floor(Date.now() / 1000) - 120 } },
	});
	const registered = await n8n.publish([polling([a, b], { options: { includeFinished: false } })]);
	expect(events()).toEqual([]);
	await bridge.finish(b, 'completed');
	await registered.poll();
	expect(events()).toEqual([`${b} completed`]);
});

test('a hash that is not known yet is waited for', async () => {
	const hash = UNKNOWN;
	const registered = await n8n.publish([
		polling([hash], { options: { includeFinished: false }, simplify: false }),
	]);
	await bridge.begin({ sourceHash: hash, end: 'never' });
	await bridge.finish(hash, 'completed');
	await registered.poll();
	expect(n8n.started.map(({ json }) => [json.event, json.previousStatus])).toEqual([
		['completed', null],
	]);
});

test('re-publishing, editing and restarting repeat nothing', async () => {
	const [a = '', b = '', c = ''] = await open(3);
	await n8n.publish([polling([a, b])]);
	await bridge.finish(a, 'completed');
	await n8n.publish([polling([a, b])], { mode: 'update' });
	await bridge.finish(b, 'failed');
	const registered = await restartWith(polling([b, a, c]));
	expect(events()).toEqual([`${b} failed`]);
	await bridge.finish(c, 'refunded');
	await registered.poll();
	await restartWith(polling([a, b, c]));
	expect(n8n.started).toEqual([]);
});

describe('Delivery: At Least Once', () => {
	const twice = (hashes: string[]) =>
		polling(hashes, { simplify: false, options: { delivery: 'atLeastOnce' } });

	test('what was emitted just before a restart comes once more, marked as such, with the same eventId, and no third time', async () => {
		const [a = '', b = ''] = await open(2);
		await bridge.finish(a, 'completed');
		const registered = await n8n.publish([twice([a, b])]);
		const [first] = n8n.started.map(({ json }) => json);
		expect(first).not.toHaveProperty('redelivered');
		await registered.poll();
		await n8n.publish([twice([a, b])], { mode: 'update' });
		expect(events()).toEqual([`${a} completed`]);
		await restartWith(twice([a, b]));
		expect(n8n.started.map(({ json }) => json)).toEqual([
			expect.objectContaining({ eventId: first?.eventId, sourceHash: a, redelivered: true }),
		]);
		await bridge.finish(b, 'failed');
		const again = await restartWith(twice([a, b]));
		await again.poll();
		expect(n8n.started.map(({ json }) => [json.sourceHash, json.redelivered])).toEqual([
			[b, undefined],
		]);
	});

	test('the same if a process leads again that led before the one that stopped', async () => {
		const [a = ''] = await open();
		const first = n8n;
		await first.publish([twice([a])]);
		// The next leader emits, and stops at once.
		await restart();
		const registered = await n8n.publish([twice([a])], { mode: 'leadershipChange' });
		await bridge.finish(a, 'completed');
		await registered.poll();
		expect(events()).toEqual([`${a} completed`]);
		const kept = n8n.database.get(n8n.workflowId);
		await n8n.unpublish();
		if (kept !== undefined) first.database.set(first.workflowId, structuredClone(kept));
		await first.publish([twice([a])], { mode: 'leadershipChange' });
		expect(first.started.map(({ json }) => [json.sourceHash, json.redelivered])).toEqual([
			[a, true],
		]);
		await first.unpublish();
	});

	test('more than ten minutes after the state was saved nothing comes again', async () => {
		const [a = ''] = await open();
		await bridge.finish(a, 'completed');
		await n8n.publish([twice([a])]);
		wallClockAhead(10 * 60_000 + 1);
		await restartWith(twice([a]));
		expect(n8n.started).toEqual([]);
	});
});

describe('an event for which n8n 2.38 or newer cannot create the execution, as it reports', () => {
	const begin = async (delivery: string) => {
		const [a = '', b = ''] = await open(2);
		Object.assign(n8n, { reportsStarts: true, failingExecutions: 1 });
		const registered = await n8n.publish([
			polling([a, b], { simplify: false, options: { delivery } }),
		]);
		await bridge.finish(a, 'completed');
		await registered.poll();
		expect(n8n.dropped).toHaveLength(1);
		await polls(registered, 3);
		return { a, b, registered };
	};

	test('comes again with At Least Once, and is shown', async () => {
		const { a, b, registered } = await begin('atLeastOnce');
		expect(events()).toEqual([`${a} completed`]);
		await bridge.finish(b, 'failed');
		await registered.poll();
		expect(events()).toEqual([`${a} completed`, `${b} failed`]);
		expect(n8n.started.map(({ json }) => json.redelivered)).toEqual([true, undefined]);
		expect(messages()).toEqual([expect.stringContaining(`'completed' of ${a}`)]);
	});

	test('is lost with At Most Once, because n8n may run it when it starts next, and is shown', async () => {
		const { a, b, registered } = await begin('atMostOnce');
		await bridge.finish(b, 'failed');
		await registered.poll();
		expect(events()).toEqual([`${b} failed`]);
		expect(messages()).toEqual([expect.stringContaining(`'completed' of ${a}`)]);
	});
});

test('an order that is removed from the list is forgotten', async () => {
	const [a = '', b = ''] = await open(2);
	await bridge.finish(a, 'completed');
	await n8n.publish([polling([a, b])]);
	await n8n.publish([polling([b])], { mode: 'update' });
	expect(JSON.stringify(n8n.database.get(n8n.workflowId))).not.toContain(a);
	await n8n.publish([polling([a, b])], { mode: 'update' });
	expect(events()).toEqual([`${a} completed`, `${a} completed`]);
});

test('a renamed trigger repeats nothing, also after a restart', async () => {
	const [a = '', b = ''] = await open(2);
	await bridge.finish(a, 'completed');
	await n8n.publish([{ ...polling([a, b]), name: 'Before', id: 'one' }]);
	await n8n.publish([{ ...polling([a, b]), name: 'After', id: 'one' }], { mode: 'update' });
	await restartWith({ ...polling([a, b]), name: 'Later', id: 'one' });
	expect(n8n.started).toEqual([]);
});

test('a registration that was replaced has the newest state in its copy, because n8n saves that for a trigger of another service', async () => {
	const [a = ''] = await open();
	const older = await n8n.publish([polling([a])]);
	const newer = await n8n.publish([polling([a])], { mode: 'update' });
	await bridge.finish(a, 'completed');
	await newer.poll();
	expect(events()).toEqual([`${a} completed`]);
	const copyOf = ({ contextOf }: typeof older) => contextOf().getWorkflowStaticData('global');
	expect(copyOf(newer).crossChainBridgeWatches).toMatchObject({ watches: [{ orders: [] }] });
	expect(copyOf(older)).toEqual(copyOf(newer));
});

test('two triggers in one workflow, only one edited, then a restart: nothing is repeated', async () => {
	const [a = '', b = '', c = '', d = ''] = await open(4);
	const first = { ...polling([a, b]), name: 'First', id: 'one' };
	const second = { ...polling([c]), name: 'Second', id: 'two' };
	const both = await n8n.publish([first, second]);
	await bridge.finish(c, 'completed');
	await both.poll('Second');
	// n8n 2.40 registers only the edited one again; the other keeps its own, older copy of the static data.
	const edited = await n8n.publish([{ ...polling([c, d]), name: 'Second', id: 'two' }], {
		mode: 'update',
	});
	await bridge.finish(d, 'failed');
	await edited.poll('Second');
	await bridge.finish(a, 'refunded');
	await both.poll('First');
	expect(events()).toEqual([`${c} completed`, `${d} failed`, `${a} refunded`]);
	await restartWith(first, { ...polling([c, d]), name: 'Second', id: 'two' });
	expect(n8n.started).toEqual([]);
});

test.each<[string, unknown]>([
	['of another version', { version: 99, revision: 1, orders: [] }],
	['that is text', 'broken'],
	['with broken entries', { version: 4, revision: 5, orders: [{ hash: 7 }], finished: [7, [7]] }],
	['that is null', null],
])('a stored state %s keeps no order from being watched', async (_name, watch) => {
	const [a = ''] = await open();
	n8n.database.set(n8n.workflowId, {
		'node:Trigger': { watch } as IDataObject,
		global: {
			crossChainBridgeWatches: { watches: [{ ...Object(watch), nodeId: 'same' }, watch] },
		} as IDataObject,
	});
	await bridge.finish(a, 'completed');
	await n8n.publish([{ id: 'same', ...polling([a]) }]);
	expect(events()).toEqual([`${a} completed`]);
});

test('of a stored state that is far too large no more is kept than a trigger can have', async () => {
	const foreign = Array.from({ length: 11_000 }, (_, i) => ({
		sourceHash: `0x1${i.toString(16).padStart(63, '0')}`,
		since: 1,
		unlisted: true,
		posted: { at: Date.now(), reference: 'x'.repeat(5_000) },
	}));
	const marks = ['completed', 1, 'emitted', 'posted'];
	const finished = foreign.map((_, i) => [String(i).padStart(12, '0'), ...marks]);
	const watch = { version: 4, revision: 5, orders: foreign, finished };
	n8n.database.set(n8n.workflowId, {
		global: {
			crossChainBridgeWatches: { watches: [{ nodeId: 'same', ...watch }] },
		} as unknown as IDataObject,
	});
	const [a = ''] = await open();
	await bridge.finish(a, 'completed');
	await n8n.publish([{ id: 'same', ...polling([a]) }]);
	expect(events()).toEqual([`${a} completed`]);
	const kept = n8n.database.get(n8n.workflowId)?.global as {
		crossChainBridgeWatches: { watches: Array<{ orders: unknown[] }> };
	};
	expect(kept.crossChainBridgeWatches.watches[0]?.orders).toHaveLength(10_000);
	expect(JSON.stringify(kept)).not.toContain('xxxx');
});

test('0x hashes that differ in case are one; pasted lists and expressions are read', async () => {
	const [a = '', b = ''] = await open(2);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'completed');
	const upper = `0x${a.slice(2).toUpperCase()}`;
	await n8n.publish([
		{
			parameters: {
				options: { keepChecking: false },
				sourceHashes: `={{ [["${a}"], "${upper}, ${b}", ["${b}", null]] }}`,
			},
		},
	]);
	expect(events()).toEqual(expect.arrayContaining([`${a} completed`, `${b} completed`]));
	expect(n8n.started).toHaveLength(2);
});

describe('orders made readable', () => {
	const native = { inputNetwork: 101, outputNetwork: 102, inputTokenAmount: '500000000000000000' };

	test('whole tokens, a link and a sentence, as in the action node', async () => {
		const [hash = ''] = await bridge.begin({ end: 'never', ...native });
		const options = {
			blockExplorers: { explorer: [{ network: '101', address: 'https://explorer.example/tx/' }] },
		};
		const registered = await n8n.publish([polling([hash], { options })]);
		await bridge.finish(hash, 'completed');
		await registered.poll();
		const [item] = n8n.started.map(({ json }) => json);
		expect(item).toMatchObject({
			event: 'completed',
			sent: '0.5 ETH',
			link: `https://explorer.example/tx/${hash}`,
			summary: expect.stringMatching(/^✅ 0\.5 ETH from Ethereum arrived on Base as /),
		});
		expect(await n8n.fetchTestEvent(polling([hash], { options }).parameters)).toMatchObject([
			{ summary: item?.summary },
		]);
	});

	test('without the configuration the networks have no names, and the event still comes; once it is available they have', async () => {
		const [a = '', b = ''] = await bridge.begin(
			{ end: 'never', ...native },
			{ end: 'never', ...native },
		);
		await bridge.fault({ kind: 'error', status: 503, endpoint: 'config', times: 'always' });
		const registered = await n8n.publish([polling([a, b])], { mode: 'init' });
		await bridge.finish(a, 'completed');
		await registered.poll();
		await bridge.clearFaults();
		await bridge.finish(b, 'failed');
		await registered.poll();
		expect(n8n.started.map(({ json }) => [json.sourceHash, json.summary])).toEqual([
			[a, expect.stringContaining('from network 101 arrived on network 102')],
			[b, expect.stringContaining('from Ethereum')],
		]);
	});

	test('a row of the options that cannot be used keeps the workflow from being published', async () => {
		const options = { tokenDecimals: { token: [{ address: 'USDC', decimals: '6' }] } };
		await expect(n8n.publish([polling(await open(), { options })])).rejects.toThrow(
			"Row 1 of 'Token Decimals': 'Token Address' cannot be 'USDC'",
		);
	});

	test('the configuration is asked for once in some minutes', async () => {
		const registered = await n8n.publish([polling(await open())]);
		await polls(registered, 5);
		expect((await asked()).filter((each) => each === 'config')).toHaveLength(1);
	});
});

describe('one bad order or a bad minute', () => {
	test.each<Fault>([
		{ kind: 'error', status: 429 },
		{ kind: 'error', status: 500 },
		{ kind: 'drop' },
	])('publishing and n8n’s start succeed in spite of %j', async (fault) => {
		const [a = ''] = await open();
		await bridge.fault({ ...fault, times: 'always' });
		await n8n.publish([polling([a])]);
		await n8n.publish([polling([a])], { mode: 'init' });
		expect(n8n.failures).toEqual([]);
	});

	test('a lasting problem shows on the 5th poll, then on every 30th', async () => {
		const [a = ''] = await open();
		await bridge.fault({ kind: 'error', status: 503, code: 'INTERNAL_ERROR', times: 'always' });
		const registered = await n8n.publish([polling([a])]);
		expect(await failingPolls(registered, 66)).toEqual([5, 35, 65]);
		expect(n8n.failures[0]).toMatchObject({
			message: 'The bridge is temporarily unavailable',
			description: expect.stringContaining('5 polls in a row'),
			httpCode: '503',
		});
		await bridge.clearFaults();
		await bridge.finish(a, 'completed');
		await registered.poll();
		expect(events()).toEqual([`${a} completed`]);
	});

	test('Retry-After is kept: nothing is sent until then', async () => {
		const [a = ''] = await open();
		const registered = await n8n.publish([polling([a])]);
		await bridge.fault({ kind: 'error', status: 429, retryAfterSeconds: 3600 });
		await registered.poll();
		await bridge.forgetRequests();
		await registered.poll();
		expect(await bridge.requests()).toEqual([]);
		expect(n8n.failures).toEqual([]);
	});
});

interface Unpublishable {
	mode: WorkflowActivateMode;
	hashes: string[];
	data: object;
	sentence: string;
}

describe('what the user has to fix', () => {
	const WRONG_KEY = 'The bridge does not accept the API key. Correct it in the credential.';
	const MANY = Array.from({ length: 1001 }, (_, i) => `0x1${i.toString(16).padStart(63, '0')}`);
	let right: TestN8n['credentials']['data'];
	beforeEach(() => (right = bridge.credentials.data));
	const wrongKey = () => (bridge.credentials.data = { ...right, apiKey: 'wrong' });

	test.each`
		what                                    | mode          | hashes                    | data                      | sentence
		${'a wrong key'}                        | ${'activate'} | ${['open']}               | ${{ apiKey: 'wrong' }}    | ${WRONG_KEY}
		${'a wrong key'}                        | ${'create'}   | ${['open']}               | ${{ apiKey: 'wrong' }}    | ${WRONG_KEY}
		${'a wrong key'}                        | ${'update'}   | ${['open']}               | ${{ apiKey: 'wrong' }}    | ${WRONG_KEY}
		${'a wrong key with an empty list'}     | ${'activate'} | ${[]}                     | ${{ apiKey: 'wrong' }}    | ${WRONG_KEY}
		${'a wrong key with an unknown hash'}   | ${'activate'} | ${[UNKNOWN]}              | ${{ apiKey: 'wrong' }}    | ${WRONG_KEY}
		${'an address that is not the service'} | ${'activate'} | ${['open']}               | ${{ baseUrl: 'nowhere' }} | ${'The Base URL does not lead to the bridge. Correct it in the credential.'}
		${'a line that cannot be a hash'}       | ${'activate'} | ${[UNKNOWN, 'my orders']} | ${{}}                     | ${"Line 2 of 'Source Transaction Hashes': 'my orders' is not a transaction hash"}
		${'more than 1000 hashes'}              | ${'activate'} | ${MANY}                   | ${{}}                     | ${'The list has 1001 source transaction hashes'}
	`(
		'$what keeps the workflow from being published ($mode), with a sentence, and is one in Fetch Test Event',
		async ({ mode, hashes, data, sentence }: Unpublishable) => {
			const [a = ''] = await open();
			const list = hashes.map((hash) => (hash === 'open' ? a : hash));
			bridge.credentials.data = { ...right, ...data };
			if ('baseUrl' in data) bridge.credentials.data.baseUrl = `${bridge.sandbox.url}/nowhere`;
			await expect(n8n.publish([polling(list)], { mode })).rejects.toThrow(sentence);
			if (list.length > 0)
				await expect(n8n.fetchTestEvent(polling(list).parameters)).rejects.toThrow(sentence);
		},
	);

	test('after publishing has failed an older registration still emits', async () => {
		const [a = ''] = await open();
		const older = await n8n.publish([polling([a])]);
		wrongKey();
		await expect(n8n.publish([polling([a])], { mode: 'update' })).rejects.toThrow();
		bridge.credentials.data = right;
		await bridge.finish(a, 'completed');
		await older.poll();
		expect(events()).toEqual([`${a} completed`]);
	});

	test.each(['init', 'leadershipChange'] as const)(
		'n8n’s own start (%s) succeeds; the next poll says it once, then every 30th; a corrected key works by itself',
		async (mode) => {
			const [a = ''] = await open();
			wrongKey();
			const registered = await n8n.publish([polling([a])], { mode });
			expect(n8n.failures).toEqual([]);
			expect(await failingPolls(registered, 32)).toEqual([1, 31]);
			bridge.credentials.data = right;
			await bridge.finish(a, 'completed');
			await registered.poll();
			expect(events()).toEqual([`${a} completed`]);
		},
	);

	test('after the durable engine was switched off, a wrong key at the first poll after a publication ends no watch', async () => {
		const [a = ''] = await open();
		n8n.keepsNodeDataApart = true;
		const registered = await n8n.publish([polling([a])]);
		wrongKey();
		await registered.poll();
		bridge.credentials.data = right;
		await bridge.finish(a, 'completed');
		await registered.poll();
		expect(events()).toEqual([`${a} completed`]);
	});

	test('a deleted credential shows once, then every 30th poll', async () => {
		const [a = ''] = await open();
		const registered = await n8n.publish([polling([a])]);
		bridge.credentials.data = undefined;
		expect(await failingPolls(registered, 31)).toEqual([1, 31]);
	});
});

test('the list gives a name as reference, and takes a link for its hash', async () => {
	const [a = '', b = ''] = await open(2);
	const registered = await n8n.publish([
		polling([`Invoice 4711: ${a}`, `https://etherscan.io/tx/${b}`]),
	]);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'failed');
	await registered.poll();
	expect(n8n.started.map(({ json }) => [json.sourceHash, json.event, json.reference])).toEqual([
		[a, 'completed', 'Invoice 4711'],
		[b, 'failed', null],
	]);
});

describe('Fetch Test Event', () => {
	test('shows the watched orders as they are now, a finished one first and unknown ones last, and touches no state', async () => {
		const [a = ''] = await bridge.begin({ end: 'never', executesAfterSeconds: null });
		const [b = ''] = await open();
		await bridge.finish(b, 'completed');
		const [c = ''] = await open();
		await bridge.finish(c, 'refunded');
		const unknown = `0x${'d0'.repeat(32)}`;
		const items = await n8n.fetchTestEvent({
			sourceHashes: `${unknown}\n${a} ${c}\nInvoice 7: ${b}`,
			events: ['completed'],
		});
		expect(
			items.map(({ sourceHash, event, status, reference }) => [
				sourceHash,
				event,
				status,
				reference,
			]),
		).toEqual([
			[b, 'completed', 'completed', 'Invoice 7'],
			[c, 'refunded', 'refunded', null],
			[a, null, 'pending', null],
			[unknown, null, 'notFound', null],
		]);
		await n8n.publish([polling([a, b])]);
		expect(events()).toEqual([`${b} completed`]);
	});

	test.each([
		[
			'an empty list',
			' \n',
			'The list of source transaction hashes is empty',
			"Enter at least one hash in 'Source Transaction Hashes', one on each line.",
		],
		[
			'if everything is 404, the address is wrong, not the hash',
			`0x${'ab'.repeat(32)}`,
			'The Base URL does not lead to the bridge. Correct it in the credential.',
			expect.any(String),
		],
	])(
		'%s: gets a sentence that says what to do',
		async (_what, sourceHashes, message, description) => {
			await bridge.fault({ kind: 'error', status: 404, code: 'NOT_FOUND', times: 'always' });
			const failure = { message, description };
			await expect(n8n.fetchTestEvent({ sourceHashes })).rejects.toMatchObject(failure);
		},
	);

	test('the link of the list is the link of the item, as it is when the order finishes', async () => {
		const [hash = ''] = await open();
		const sourceHashes = `https://etherscan.io/tx/${hash}`;
		expect(await n8n.fetchTestEvent({ sourceHashes })).toMatchObject([{ link: sourceHashes }]);
	});

	test('a block explorer of a network name that the bridge does not have has to be corrected; an ID may be that of an order all the same', async () => {
		const [sourceHashes = ''] = await open();
		const shown = async (network: string) =>
			await n8n.fetchTestEvent({
				sourceHashes,
				options: {
					blockExplorers: { explorer: [{ network, address: 'https://etherscan.io/tx/' }] },
				},
			});
		await expect(shown('Ethereun')).rejects.toMatchObject({
			message:
				"'Block Explorers': 'Ethereun' matches no network of this bridge, or more than one, so this block explorer is not used",
			description: 'Select the network from the list, or enter its ID.',
		});
		expect(await shown('Ethereum')).toMatchObject([{ sourceHash: sourceHashes }]);
		expect(await shown('987654')).toMatchObject([{ sourceHash: sourceHashes }]);
	});

	test('ages in it go by the clock of the bridge if that of n8n is an hour ahead', async () => {
		const createdAt = Math.floor(new Date().getTime() / 1000) - 360;
		const [hash = ''] = await bridge.begin({ end: 'never', answer: { timing: { createdAt } } });
		wallClockAhead(3_600_000);
		const [item] = await n8n.fetchTestEvent({ sourceHashes: hash });
		expect(item?.summary).toMatch(/after 6 min\b/);
	});

	test('hashes that nobody knows are shown as not found', async () => {
		const [one, other] = [`0x${'d0'.repeat(32)}`, `0x${'AB'.repeat(32)}`];
		const items = await n8n.fetchTestEvent({ sourceHashes: `${one}\n\nRent: ${other}` });
		expect(items).toMatchObject(
			[one, other].map((sourceHash) => ({ sourceHash, status: 'notFound', event: null })),
		);
	});

	test('checks the first 50 orders, and says of the others that it has not', async () => {
		const hashes = await open(51);
		const items = await n8n.fetchTestEvent({ sourceHashes: hashes.join('\n') });
		expect(items.map(({ sourceHash }) => sourceHash)).toEqual(hashes);
		expect(items[50]).toMatchObject({
			status: 'notChecked',
			summary: expect.stringMatching(
				/could not be checked\. A test checks only the first 50 orders\. See line 51 of the list\.$/,
			),
		});
	});

	test('shows all orders, those that could not be checked last and with the reason', async () => {
		const [a = '', b = '', c = ''] = await open(3);
		const short = `0x${'5e'.repeat(31)}5`;
		await bridge.fault({ kind: 'error', status: 503, sourceHash: a, times: 'always' });
		const wrongKey = { status: 403, code: 'UNAUTHORIZED', sourceHash: b } as const;
		await bridge.fault({ kind: 'error', ...wrongKey, times: 'always' });
		const shown = await n8n.fetchTestEvent({
			sourceHashes: [a, b, `Rent: ${short}`, c].join('\n'),
		});
		expect(shown.map(({ sourceHash, event, status }) => [sourceHash, event, status])).toEqual([
			[c, null, 'pending'],
			[a, null, 'notChecked'],
			[b, null, 'notChecked'],
			[short, null, 'notChecked'],
		]);
		expect(shown.slice(1).map(({ summary }) => summary)).toEqual([
			expect.stringMatching(
				/could not be checked. The bridge is temporarily unavailable. See line 1 of the list.$/,
			),
			expect.stringMatching(
				/could not be checked. The bridge did not accept the request. See line 2 of the list.$/,
			),
			'⏳ Order “Rent”: order 0x5e5e…e5e5 could not be checked. The bridge does not accept the hash, and says “Query parameter sourceHash is not a transaction hash”. It has 63 digits; hashes of most networks have 64. See line 3 of the list.',
		]);
		await expect(n8n.fetchTestEvent({ sourceHashes: short })).rejects.toMatchObject({
			description: expect.stringMatching(
				new RegExp(`^The order is ${short}\\. .*It has 63 digits`),
			),
		});
		await expect(n8n.fetchTestEvent({ sourceHashes: [b, a].join(' ') })).rejects.toMatchObject({
			httpCode: '403',
		});
		// What may concern all orders says more than what one of them is rejected for.
		for (const sourceHashes of [a, `${short}, ${a}`])
			await expect(n8n.fetchTestEvent({ sourceHashes })).rejects.toMatchObject({
				message: 'The bridge is temporarily unavailable',
				httpCode: '503',
			});
	});

	test.each([401, 503])(
		'if the service responds to everything with %i, one order and the configuration are asked for',
		async (status) => {
			const hashes = await open(3);
			await bridge.fault({ kind: 'error', status, times: 'always' });
			await bridge.forgetRequests();
			await expect(n8n.fetchTestEvent({ sourceHashes: hashes.join(' ') })).rejects.toMatchObject({
				httpCode: String(status),
			});
			expect((await bridge.requests()).map(({ path }) => path)).toEqual([
				'/api/sdk/v2/status',
				'/api/sdk/v2/config',
			]);
		},
	);

	test('asks for the other orders at once if the first one itself is rejected', async () => {
		const [a = '', b = ''] = await open(2);
		await bridge.fault({ kind: 'error', status: 400, sourceHash: a, times: 'always' });
		await bridge.forgetRequests();
		expect(
			(await n8n.fetchTestEvent({ sourceHashes: [a, b].join(' '), simplify: false })).map(
				({ sourceHash }) => sourceHash,
			),
		).toEqual([b, a]);
		expect((await bridge.requests()).map(({ path }) => path)).toEqual([
			'/api/sdk/v2/status',
			'/api/sdk/v2/status',
			'/api/sdk/v2/config',
		]);
	});

	test('without Simplify shows the orders as they came as well', async () => {
		const [a = ''] = await open();
		await bridge.forgetRequests();
		expect(await n8n.fetchTestEvent({ sourceHashes: a, simplify: false })).toMatchObject([
			{ sourceHash: a, status: 'pending', order: { status: 'pending' } },
		]);
	});
});
