import { types } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { n8nClock } from '../../nodes/CrossChainBridge/service/n8nClock';
import type { WebhookCall } from './n8n';
import { accepting, checksAskedFor, startsOf, untilAsked, wallClockAhead } from './sandboxed';
import { begun, bridge, ENGINES, events, n8n, open, restart, restartWith } from './scene';

/** Orders that add themselves: the trigger's webhook next to its polls, in the real n8n-core. */

const HASH = `0x${'a'.repeat(64)}`;
const WALLET = `0x${'d'.repeat(40)}`;
const HOUR = 3_600_000;
const hashOf = (number: number) => `0x1${number.toString(16).padStart(63, '0')}`;
const started = () => startsOf(n8n);
const answered = (status: number, body: unknown) => ({ status, body });
const watched = async () =>
	((await call({ method: 'GET' })).body as { orders: IDataObject[] }).orders;
const watchedFor = async () =>
	(await watched()).map(({ sourceHash, reference }) => [sourceHash, reference]);
const watchedHashes = async () => (await watched()).map(({ sourceHash }) => sourceHash);

/** A call to the webhook; no answer is kept by anybody on the way. */
async function call(request: WebhookCall) {
	const answer = await n8n.call(request);
	expect(answer.headers).toMatchObject({ 'Cache-Control': 'no-store' });
	return answer;
}

const post = async (body: unknown) => await call({ body });
const remove = async (...orders: string[]) => await call({ method: 'DELETE', body: orders });

test('a posted order starts the workflow when it finishes, with its reference', async () => {
	const [hash = ''] = await open();
	const registered = await n8n.publish([accepting()]);
	await bridge.forgetRequests();
	const reference = { chatId: -1001234, invoice: 'A-7', nested: [null, true, 'ü'] };
	expect(await post({ sourceHash: hash, reference })).toMatchObject(
		answered(202, { accepted: 1, alreadyWatched: [], alreadyFinished: [], watching: 1, room: 999 }),
	);
	// Nothing goes to the service while a call is answered.
	expect(await bridge.requests()).toEqual([]);
	await registered.poll();
	expect(n8n.started).toEqual([]);
	await bridge.finish(hash, 'completed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'completed', reference }]);
	await registered.poll();
	expect(n8n.started).toHaveLength(1);
	expect(await post({ sourceHash: hash })).toMatchObject({
		status: 202,
		body: {
			accepted: 0,
			alreadyFinished: [
				{ sourceHash: hash, status: 'completed', finishedSeenAt: expect.any(String) },
			],
			watching: 0,
			room: 1000,
		},
	});
});

test('with Keep Checking the ticks check a posted order at once, although none was watched when it was published', async () => {
	const registered = await n8n.publish([accepting({ keepChecking: true, checkEvery: 1 })]);
	await bridge.forgetRequests();
	registered.tick();
	expect(await bridge.requests()).toEqual([]);
	const [hash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 0 });
	await post({ sourceHash: hash, reference: 7 });
	await n8n.untilStarted(1);
	expect(started()).toEqual([{ hash, event: 'completed', reference: 7 }]);
	// The names were read when the workflow was published.
	expect(n8n.started[0]?.json).toMatchObject({
		summary: expect.stringMatching(/^✅ Order “7”: the 0\.1 ETH from Ethereum arrived on Base /),
	});
});

test('an order that is posted while a poll waits for the service is checked from then on, not from the next poll on', async () => {
	const watch = accepting({ keepChecking: true, checkEvery: 1 });
	await n8n.publish([watch]);
	await bridge.fault({ kind: 'delay', endpoint: 'config', delaySeconds: 3600 });
	await bridge.forgetRequests();
	const published = n8n.publish([watch], { mode: 'update' });
	while ((await bridge.requests()).length === 0) await new Promise(setImmediate);
	const [hash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 0 });
	expect(await post({ sourceHash: hash })).toMatchObject({ status: 202 });
	await bridge.clearFaults();
	await published;
	await n8n.untilStarted(1);
	expect(started()).toEqual([{ hash, event: 'completed', reference: null }]);
});

test('an order that is posted while a person publishes again is checked once', async () => {
	const watch = accepting({ keepChecking: true, checkEvery: 60 });
	const registered = await n8n.publish([watch]);
	const [hash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 0 });
	await bridge.fault({ kind: 'delay', endpoint: 'config', delaySeconds: 1.5 });
	await bridge.forgetRequests();
	registered.tick();
	const published = n8n.publish([watch], { mode: 'update' });
	expect(await post({ sourceHash: hash })).toMatchObject({ status: 202 });
	await untilAsked(bridge, 1, checksAskedFor);
	await published;
	await n8n.untilStarted(1);
	expect(await checksAskedFor(bridge)).toHaveLength(1);
});

test('the same hash twice is watched once, and the newer reference wins', async () => {
	const [hash = ''] = await open();
	const registered = await n8n.publish([accepting()]);
	await post({ sourceHash: hash, reference: 'old' });
	expect(
		await post({ sourceHash: hash.toUpperCase().replace('0X', '0x'), reference: 'new' }),
	).toMatchObject({
		body: { accepted: 0, alreadyWatched: [{ reference: 'replaced' }], watching: 1 },
	});
	expect(await post({ sourceHash: hash })).toMatchObject({
		body: { alreadyWatched: [{ sourceHash: hash, reference: 'kept' }] },
	});
	await bridge.finish(hash, 'failed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'failed', reference: 'new' }]);
});

test('what was answered with 202 survives a kill, also before anything else was saved', async () => {
	const [posted = '', listed = ''] = await open(2);
	await n8n.publish([accepting({ sourceHashes: listed })]);
	await post({ sourceHash: posted, reference: 'r' });
	const registered = await restartWith(accepting({ sourceHashes: listed }));
	expect(await watchedFor()).toEqual([
		[listed, null],
		[posted, 'r'],
	]);
	await bridge.finish(posted, 'refunded');
	await registered.poll();
	expect(started()).toEqual([{ hash: posted, event: 'refunded', reference: 'r' }]);
	await (await restartWith(accepting({ sourceHashes: listed }))).poll();
	expect(n8n.started).toEqual([]);
});

test('the poller’s save keeps what was posted, the webhook’s save keeps what was emitted', async () => {
	const [a = '', b = '', listed = ''] = await open(3);
	const registered = await n8n.publish([accepting({ sourceHashes: listed })]);
	await post({ sourceHash: a });
	await bridge.finish(listed, 'completed');
	// The poller's workflow object was made before the post.
	await registered.poll();
	await post({ sourceHash: b });
	const again = await restartWith(accepting({ sourceHashes: listed }));
	await again.poll();
	expect(n8n.started).toEqual([]);
	expect(await watchedHashes()).toEqual([a, b]);
});

test('re-publishing, editing the list and renaming keep what was posted', async () => {
	const [hash = '', listed = ''] = await open(2);
	await n8n.publish([{ ...accepting(), id: 'same', name: 'Before' }]);
	await call({ body: { sourceHash: hash, reference: 1 } });
	await n8n.unpublish();
	await n8n.publish([{ ...accepting({ sourceHashes: listed }), id: 'same', name: 'After' }], {
		mode: 'update',
	});
	await n8n.unpublish();
	const registered = await n8n.publish(
		[{ ...accepting({ sourceHashes: '' }), id: 'same', name: 'After' }],
		{ mode: 'update' },
	);
	expect(await watchedHashes()).toEqual([hash]);
	await bridge.finish(hash, 'completed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'completed', reference: 1 }]);
});

test('an order that is listed and posted is one, and stays when it is removed from the list', async () => {
	const [hash = ''] = await open();
	await n8n.publish([accepting({ sourceHashes: hash })]);
	expect(await post({ sourceHash: hash, reference: 'r' })).toMatchObject({
		body: { accepted: 0, watching: 1 },
	});
	const registered = await n8n.publish([accepting()], { mode: 'update' });
	await bridge.finish(hash, 'completed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
});

test('two triggers in one workflow keep their own orders', async () => {
	const [a = '', b = ''] = await open(2);
	const both = [
		{ ...accepting(), name: 'One', id: '1' },
		{ ...accepting(), name: 'Two', id: '2' },
	];
	await n8n.publish(both);
	await call({ trigger: 'One', body: { sourceHash: a } });
	await call({ trigger: 'Two', body: { sourceHash: b } });
	const registered = await restartWith(...both);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'completed');
	await registered.poll('One');
	await registered.poll('Two');
	expect(n8n.started.map(({ trigger, json }) => [trigger, json.sourceHash])).toEqual([
		['One', a],
		['Two', b],
	]);
});

const ORDER = { hash: HASH, reference: 'r' };

test.each<[string, object]>([
	['the fields of a form', { body: ORDER, rawBody: Buffer.from(`hash=${HASH}&reference=r`) }],
	['the fields of a multipart form', { body: { data: ORDER, files: {} }, rawBody: null }],
	['a JSON object', { body: ORDER }],
	['a JSON list', { body: [ORDER] }],
	['JSON with another Content-Type', { body: {}, rawBody: Buffer.from(JSON.stringify(ORDER)) }],
])('an order is accepted as %s', async (_name, request) => {
	await n8n.publish([accepting()]);
	expect(await call(request)).toMatchObject({ status: 202, body: { accepted: 1 } });
	expect(await watched()).toEqual([
		{ sourceHash: HASH, status: null, since: expect.any(String), reference: 'r', listed: false },
	]);
});

test('the answer says which fields of a form were ignored, and which rows of a list were skipped', async () => {
	await n8n.publish([accepting()]);
	const ignored = {
		message: expect.stringMatching(/^Ignored, because orders have no such fields: formMode\./),
	};
	const form = { sourceHash: HASH, formMode: 'production' };
	expect(await post(form)).toMatchObject(answered(202, { accepted: 1, ...ignored }));
	expect(await call({ method: 'DELETE', body: form })).toMatchObject(
		answered(200, { removed: 1, ...ignored }),
	);
	expect(await watched()).toEqual([]);
	const row = { 'Source Hash': HASH, Name: 'Ann', reference_id: 17 };
	const skipped = {
		message: expect.stringMatching(
			/^Order 2 of the list was skipped, .*\. Ignored, .*: reference_id\./,
		),
	};
	expect(await post([row, { ...row, 'Source Hash': '' }])).toMatchObject(
		answered(202, { accepted: 1, ...skipped }),
	);
	expect(await watchedFor()).toEqual([[HASH, 'Ann']]);
	expect(await remove(HASH)).toMatchObject({ status: 200 });
	const test = await n8n.testCall({ acceptOrders: true }, { body: form });
	expect(test).toMatchObject(
		answered(202, {
			message: expect.stringMatching(/^The orders are shown in the editor\. Ignored, .*formMode/),
		}),
	);
});

test('of a faulty list nothing is accepted, and the answer says where the fault is', async () => {
	await n8n.publish([accepting()]);
	const refused = await post([{ sourceHash: HASH }, { sourceHash: 'two words' }]);
	expect(refused).toMatchObject(
		answered(400, { message: expect.stringContaining('Order 2'), position: 2 }),
	);
	// Sending it again changes nothing.
	expect(Object.keys(refused.headers)).not.toContain('Retry-After');
	for (const tooMuch of [
		{ body: {}, rawBody: Buffer.alloc(256 * 1024 + 1) },
		{ body: Array.from({ length: 1001 }, (_, i) => hashOf(i)) },
	])
		expect(await call(tooMuch)).toMatchObject({ status: 413 });
	expect(await watched()).toEqual([]);
});

test('while the workflow is being published it is open which list counts: a post is accepted, listing and removing have to come again', async () => {
	await n8n.publish([accepting()]);
	await bridge.fault({ kind: 'delay', endpoint: 'config', delaySeconds: 3600 });
	await bridge.forgetRequests();
	const published = n8n.publish([accepting()], { mode: 'update' });
	while ((await bridge.requests()).length === 0) await new Promise(setImmediate);
	expect(await post({ sourceHash: HASH })).toMatchObject({ status: 202 });
	for (const request of [{ method: 'GET' }, { method: 'DELETE', body: [HASH] }] as const)
		expect(await call({ ...request })).toMatchObject({
			status: 503,
			body: { message: expect.stringContaining('the call was not accepted') },
		});
	await bridge.clearFaults();
	await published;
	expect(await watched()).toHaveLength(1);
});

test('a trigger at its order limit says so and loses nothing', async () => {
	await n8n.publish([accepting()]);
	const orders = Array.from({ length: 1000 }, (_, i) => ({ sourceHash: hashOf(i) }));
	expect(await post(orders)).toMatchObject({ status: 202, body: { accepted: 1000, room: 0 } });
	expect(await post({ sourceHash: HASH })).toMatchObject({
		status: 429,
		body: { watching: 1000, room: 0 },
		headers: { 'Retry-After': '60' },
	});
	// One that is watched already needs no room.
	expect(await post({ sourceHash: hashOf(1), reference: 'new' })).toMatchObject(
		answered(202, { watching: 1000 }),
	);
	expect(await watched()).toHaveLength(1000);
});

test('DELETE stops watching a posted order, and says what it cannot take out', async () => {
	const [hash = '', listed = ''] = await open(2);
	const registered = await n8n.publish([accepting({ sourceHashes: listed })]);
	await post({ sourceHash: hash });
	expect(await remove(hash, listed, HASH)).toMatchObject(
		answered(200, { removed: 1, listed: [listed], notWatched: [HASH], watching: 1, room: 999 }),
	);
	const again = await restartWith(accepting({ sourceHashes: listed }));
	await bridge.finish(hash, 'completed');
	await again.poll();
	await registered.poll();
	expect(n8n.started).toEqual([]);
});

test.each<[string, WebhookCall, string]>([
	[
		'what is expected of an order',
		{ body: { sourceHash: HASH }, query: { recipient: WALLET, 'Minimum Received': '5 ETH', a: 1 } },
		'recipient and Minimum Received',
	],
	['the hash', { body: {}, query: { txHash: HASH, reference: 'Rent' } }, 'txHash and reference'],
	['an order that is to be removed', { method: 'DELETE', body: [], query: { hash: HASH } }, 'hash'],
])('fields in the query are refused by name: %s', async (_what, request, names) => {
	await n8n.publish([accepting()]);
	const message = `The fields of an order are read from the body only. Send ${names} in the body, not in the query of the URL.`;
	expect(await call(request)).toMatchObject(answered(400, { message }));
	expect(await watched()).toEqual([]);
	if (request.method === undefined)
		expect(await n8n.testCall({ acceptOrders: true }, request)).toMatchObject({ status: 400 });
});

test('other parameters of the query are ignored, and so are fields without a value', async () => {
	await n8n.publish([accepting()]);
	const query = { utm_source: 'mail', recipientId: 'rec1', id: '7', recipient: '', hash: ' ' };
	const request = { body: { sourceHash: HASH }, query };
	expect(await call(request)).toMatchObject({ status: 202 });
	expect(await watchedHashes()).toEqual([HASH]);
	expect(await call({ ...request, method: 'DELETE' })).toMatchObject(answered(200, { removed: 1 }));
});

test.each<[string, WebhookCall]>([
	['in the query', { query: { sourceHash: HASH } }],
	['in the query, next to another field', { query: { reference: 'r', sourceHash: HASH } }],
	['in the body', { body: { 'Source Hash': HASH } }],
])('GET with an order %s is no list: nobody may take it for accepted', async (_where, request) => {
	await n8n.publish([accepting()]);
	const message = 'A GET request only lists the orders. To add an order, send it with POST.';
	expect(await call({ ...request, method: 'GET' })).toMatchObject(answered(405, { message }));
	expect(await watched()).toEqual([]);
});

test('GET with an order needs the secret if there is one; without one it is told to use POST, and not to set a secret', async () => {
	await n8n.publish([accepting()]);
	const lost = { method: 'GET', query: { sourceHash: HASH }, headers: {} } as const;
	expect(await call({ ...lost })).toMatchObject({ status: 401 });
	bridge.credentials.data = { ...bridge.credentials.data, webhookSecret: '' };
	expect(await call({ ...lost })).toMatchObject({ status: 405 });
});

describe('a process that does not run the trigger accepts nothing', () => {
	test('one in which the trigger was never registered: n8n before it has started, or a separate webhook process', async () => {
		await n8n.publish([accepting()]);
		await restart();
		expect(await post({ sourceHash: HASH })).toMatchObject({
			status: 503,
			headers: { 'Retry-After': '5' },
			body: { message: expect.stringContaining('the call was not accepted') },
		});
		await n8n.publish([accepting()], { mode: 'init' });
		expect(await watched()).toEqual([]);
		expect(await post({ sourceHash: HASH })).toMatchObject({ status: 202 });
	});

	test('one that no longer runs triggers, because another main process is the leader', async () => {
		await n8n.publish([accepting()]);
		expect(await post({ sourceHash: HASH })).toMatchObject({ status: 202 });
		await n8n.unpublish();
		wallClockAhead(16_000);
		expect(await post({ sourceHash: hashOf(1) })).toMatchObject({ status: 503 });
	});

	test('when the durable engine takes over, it continues with what was kept', async () => {
		const [listed = '', posted = ''] = await open(2);
		const watch = { id: 'same', ...accepting({ sourceHashes: listed }) };
		const registered = await n8n.publish([watch]);
		await post({ sourceHash: posted, reference: 'r' });
		await bridge.finish(listed, 'completed');
		await registered.poll();
		await restart();
		await bridge.finish(posted, 'failed');
		await n8n.durablePoll(watch, 36_000);
		expect(started()).toEqual([{ hash: posted, event: 'failed', reference: 'r' }]);
	});
});

test('after the durable engine was switched off, what was watched before a publication stays watched if an order is posted right after it', async () => {
	const [before = '', after = ''] = await open(2);
	await n8n.publish([accepting()]);
	await post({ sourceHash: before, reference: 'before' });
	await n8n.unpublish();
	await restart();
	n8n.keepsNodeDataApart = true;
	const registered = await n8n.publish([accepting()]);
	expect(await post({ sourceHash: after, reference: 'after' })).toMatchObject({ status: 202 });
	await registered.poll();
	for (const hash of [before, after]) await bridge.finish(hash, 'completed');
	await registered.poll();
	expect(started().map(({ reference }) => reference)).toEqual(['before', 'after']);
});

test.each(ENGINES)(
	'two triggers with one node ID, which n8n takes for one, accept nothing, and say so (%s engine)',
	async (engine) => {
		const twins = [
			{ ...accepting(), name: 'One', id: 'same' },
			{ ...accepting(), name: 'Two', id: 'same' },
		];
		const poll = async () => {
			for (const twin of twins) await n8n.durablePoll(twin, 6_000);
		};
		await expect(n8n.publish(twins)).rejects.toThrow(/have the same ID/);
		n8n.saveNodes(twins);
		if (engine === 'durable') await poll();
		else {
			const registered = await n8n.publish(twins, { mode: 'init' });
			for (const name of ['One', 'Two']) await registered.poll(name);
		}
		// What is said of one is said of both.
		expect(n8n.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/'(One' and 'Two|Two' and 'One)' have the same ID, so n8n treats them/),
		]);
		for (const trigger of ['One', 'Two'])
			expect(await call({ trigger, body: { sourceHash: HASH } })).toMatchObject({ status: 503 });
		// One of them was deleted, and added again.
		const apart = [twins[0], { ...twins[1], id: 'another' }] as typeof twins;
		n8n.saveNodes(apart);
		if (engine === 'durable') for (const each of apart) await n8n.durablePoll(each, 6_000);
		else await n8n.publish(apart);
		for (const trigger of ['One', 'Two'])
			expect(await call({ trigger, body: { sourceHash: HASH } })).toMatchObject({
				status: 202,
				body: { accepted: 1, watching: 1 },
			});
	},
);

describe("n8n's durable engine", () => {
	const watch = { id: 'same', ...accepting() };
	const poll = async (budgetMs = 36_000, parameters = watch.parameters) =>
		await n8n.durablePoll({ ...watch, parameters }, budgetMs);
	const other = { id: 'other', name: 'Other', ...accepting() };
	const pollOther = async () => await n8n.durablePoll(other, 36_000);
	/** The calls that n8n has saved. */
	const inbox = () =>
		(
			n8n.database.get(n8n.workflowId)?.global as
				{ crossChainBridgeInbox?: { calls: unknown[] } } | undefined
		)?.crossChainBridgeInbox?.calls ?? [];
	beforeEach(async () => {
		n8n.saveNodes([watch]);
		await poll();
	});

	test('what is posted between polls is saved before the answer, and watched by the next poll of any process', async () => {
		const [hash = ''] = await open();
		expect(await post({ sourceHash: hash, reference: 'r' })).toMatchObject(
			answered(202, { accepted: 1, watching: 1 }),
		);
		expect(await post({ sourceHash: hash })).toMatchObject(
			answered(202, { accepted: 0, alreadyWatchedCount: 1 }),
		);
		expect(inbox()).toHaveLength(2);
		await restart();
		await bridge.finish(hash, 'completed');
		await poll();
		await poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
		await restart();
		await poll();
		expect(n8n.started).toEqual([]);
	});

	test('what no poll has read is watched when the usual engine takes over', async () => {
		const [hash = '', removed = ''] = await open(2);
		await post({ sourceHash: removed });
		await poll();
		await post({ sourceHash: hash, reference: 'r' });
		await call({ method: 'DELETE', body: { sourceHash: removed } });
		await restart();
		const registered = await n8n.publish([watch], { mode: 'init' });
		for (const each of [hash, removed]) await bridge.finish(each, 'completed');
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});

	test('a poll that is under way takes it at once', async () => {
		const [hash = ''] = await open();
		// The first check shows it: the next one is due five seconds later, perhaps too late for this poll.
		await bridge.finish(hash, 'completed');
		const polling = poll(8_000, accepting({ keepChecking: true }).parameters);
		await post({ sourceHash: hash, reference: 1 });
		await n8n.untilStarted(1);
		await polling;
		await restart();
		await poll();
		expect(n8n.started).toEqual([]);
	});

	test('listing and removing', async () => {
		const [a = '', b = ''] = await open(2);
		await post([{ sourceHash: a, reference: 'a' }, { sourceHash: b }]);
		expect(await watchedFor()).toEqual([
			[a, 'a'],
			[b, null],
		]);
		expect(await call({ method: 'DELETE', body: { sourceHash: b } })).toMatchObject(
			answered(200, { removed: 1, watching: 1 }),
		);
		await restart();
		await poll();
		expect(await watchedHashes()).toEqual([a]);
		// What is known to be in the committed state is gone from the inbox with the next call.
		await poll();
		wallClockAhead(3_000);
		await post({ sourceHash: b });
		expect(inbox()).toHaveLength(1);
	});

	test.each([
		['one trigger', 'Trigger'],
		['two triggers of the workflow', 'Other'],
	])(
		'two posts to %s at the same moment: what is saved last contains both',
		async (_to, second) => {
			const [a = '', b = ''] = await open(2);
			n8n.saveNodes([watch, other]);
			await pollOther();
			const posts = [
				call({ body: { sourceHash: a } }),
				call({ body: { sourceHash: b }, trigger: second }),
			];
			expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([202, 202]);
			await restart();
			await bridge.finish(a, 'completed');
			await bridge.finish(b, 'failed');
			await poll();
			await pollOther();
			expect(started().map(({ hash }) => hash)).toEqual([a, b]);
		},
	);

	test('a caller that hangs at one trigger holds up a call to another one of the workflow once, for up to 5 seconds', async () => {
		n8n.saveNodes([watch, other]);
		await pollOther();
		await call({ body: { sourceHash: HASH }, isCallerHanging: true });
		// The waits of the first call pass soon, those of the second one never would. No time passes while one is computed.
		jest.spyOn(n8nClock, 'now').mockReturnValue(n8nClock.now());
		const sleep = jest.spyOn(n8nClock, 'sleep');
		sleep.mockImplementation(async () => await new Promise(setImmediate));
		const toOther = (sourceHash: string) => call({ body: { sourceHash }, trigger: 'Other' });
		expect(await toOther(hashOf(1))).toMatchObject({ status: 202 });
		const waits = sleep.mock.calls.map(([ms]) => ms);
		sleep.mockReturnValue(new Promise(() => {}));
		expect(await toOther(hashOf(2))).toMatchObject({ status: 202 });
		expect(Math.max(...waits)).toBeCloseTo(5_000, 0);
		jest.restoreAllMocks();
	});

	test('a caller that is gone before n8n runs the node holds up nobody, and what it posted is watched', async () => {
		const [a = '', b = ''] = await open(2);
		jest.spyOn(n8nClock, 'sleep').mockReturnValue(new Promise(() => {}));
		await call({ body: { sourceHash: a }, isCallerGone: true });
		expect(await post({ sourceHash: b })).toMatchObject({ status: 202, body: { watching: 2 } });
		jest.restoreAllMocks();
		await restart();
		await poll();
		expect(await watchedHashes()).toEqual([a, b]);
	});

	test('a call in the same millisecond as one that the polls have taken is not taken for that one', async () => {
		const [hash = ''] = await open();
		const now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		await post({ sourceHash: hash });
		await poll();
		await poll();
		expect(await call({ method: 'DELETE', body: { sourceHash: hash } })).toMatchObject({
			body: { removed: 1 },
		});
		jest.restoreAllMocks();
		await poll();
		await bridge.finish(hash, 'completed');
		await poll();
		expect(n8n.started).toEqual([]);
	});

	test('what was accepted after many removals is not lost', async () => {
		const [hash = ''] = await open();
		await poll();
		for (let round = 0; round < 21; round++) {
			const hashes = Array.from({ length: 1000 }, (_, i) => hashOf(1000 * round + i + 1));
			expect(await remove(...hashes)).toMatchObject({ status: 200 });
		}
		const { status } = await post({ sourceHash: hash });
		await restart();
		await poll();
		await bridge.finish(hash, 'completed');
		await poll();
		// To refuse it would be fine, too.
		expect(started()).toHaveLength(status === 202 ? 1 : 0);
	});

	test('what changes nothing is answered, and not saved', async () => {
		expect(await post({ sourceHash: 'two words' })).toMatchObject({ status: 400 });
		expect(await call({ method: 'DELETE', body: {} })).toMatchObject({ status: 400 });
		expect(await post([])).toMatchObject({ status: 202, body: { accepted: 0 } });
		expect(inbox()).toEqual([]);
	});

	test('what is to be removed and is not watched here is kept for the next poll, because the saved state may have it', async () => {
		expect(await call({ method: 'DELETE', body: { sourceHash: HASH } })).toMatchObject({
			status: 200,
			body: { removed: 0, notWatched: [HASH] },
		});
		expect(inbox()).toMatchObject([{ removes: true, orders: [{ sourceHash: HASH }] }]);
	});

	test('once another trigger of the process was polled, it accepts calls before the first poll of this one', async () => {
		const [hash = ''] = await open();
		n8n.saveNodes([watch, other]);
		await restart();
		await pollOther();
		expect(await post({ sourceHash: hash, reference: 'early' })).toMatchObject(
			answered(202, { accepted: 1 }),
		);
		await bridge.finish(hash, 'completed');
		await poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'early' }]);
	});

	test('but not where its list has to be corrected first, nor before any poll: the process does not know which engine runs', async () => {
		const parameters = { ...watch.parameters, sourceHashes: 'my orders' };
		n8n.saveNodes([{ ...watch, parameters }, other]);
		await restart();
		expect(await post({ sourceHash: HASH })).toMatchObject({ status: 503 });
		await pollOther();
		expect(await post({ sourceHash: HASH })).toMatchObject({ status: 503 });
	});

	test('without durable cursors it accepts nothing, before the first poll neither, so that what was watched stays watched', async () => {
		const [posted = '', listed = ''] = await open(2);
		const listing = { ...watch, ...accepting({ sourceHashes: listed }) };
		await n8n.publish([listing]);
		await post({ sourceHash: posted, reference: 'r' });
		await bridge.finish(listed, 'completed');
		await n8n.unpublish();
		n8n.saveNodes([listing, other]);
		await restart();
		n8n.keepsDurableStateInWorkflow = true;
		await pollOther();
		expect(await post({ sourceHash: hashOf(1) })).toMatchObject({ status: 503 });
		await bridge.finish(posted, 'failed');
		await n8n.durablePoll(listing, 36_000);
		expect(started()).toMatchObject([
			{ hash: listed, event: 'completed' },
			{ hash: posted, event: 'failed', reference: 'r' },
		]);
	});

	test('after a restart, once another trigger was polled and before the first poll of this one, nothing is said of the orders', async () => {
		const [a = '', b = ''] = await open(2);
		await post({ sourceHash: a, reference: 'a' });
		await poll();
		await poll();
		await post({ sourceHash: b, reference: 'b' });
		n8n.saveNodes([watch, other]);
		await restart();
		await pollOther();
		const listed = await call({ method: 'GET' });
		const removed = await call({ method: 'DELETE', body: { sourceHash: a } });
		await bridge.finish(a, 'completed');
		await poll();
		const came = started().map(({ hash }) => hash);
		expect([listed.status, removed.status, came]).toEqual([503, 503, [a]]);
	});

	test('more than can wait for a poll is refused', async () => {
		const large = (call: number) =>
			Array.from({ length: 120 }, (_, index) => ({
				sourceHash: hashOf(index),
				reference: String(call).padEnd(2000, 'x'),
			}));
		const statuses: number[] = [];
		for (let call = 0; call < 20; call++) statuses.push((await post(large(call))).status);
		expect(new Set(statuses)).toEqual(new Set([202, 429]));
		expect(JSON.stringify(inbox()).length).toBeLessThan(4.1 * 1024 * 1024);
		// The second one is handed the state that the first has saved.
		await poll();
		await poll();
		expect((await post(large(99))).status).toBe(202);
	});
});

describe('the test address', () => {
	test('shows the posted orders as the workflow would get them, and watches none', async () => {
		const [open1 = '', done = ''] = await open(2);
		await bridge.finish(done, 'completed');
		const answer = await n8n.testCall(
			{ acceptOrders: true },
			{
				body: [{ sourceHash: done, reference: 'x' }, open1, { sourceHash: HASH, reference: 'r' }],
			},
		);
		expect(answer).toMatchObject(answered(202, { message: 'The orders are shown in the editor.' }));
		expect(
			answer.items?.map(({ sourceHash, event, status, reference }) => [
				sourceHash,
				event,
				status,
				reference,
			]),
		).toEqual([
			[done, 'completed', 'completed', 'x'],
			[open1, null, 'pending', null],
			[HASH, null, 'notFound', 'r'],
		]);
		// n8n runs the poll for the execution that the call has started; the next test execution is another matter.
		expect(await n8n.fetchTestEvent({ acceptOrders: true })).toEqual(answer.items);
		expect(await n8n.fetchTestEvent({ acceptOrders: true, sourceHashes: open1 })).toMatchObject([
			{ sourceHash: open1 },
		]);
		await n8n.publish([accepting()]);
		expect(await watched()).toEqual([]);
	});

	test('a link that was posted as the hash is the link of its items', async () => {
		const [hash = ''] = await open();
		const link = `https://explorer.example/tx/${hash}`;
		const { items } = await n8n.testCall({ acceptOrders: true }, { body: { sourceHash: link } });
		expect(items).toMatchObject([{ sourceHash: hash, link }]);
		await n8n.publish([accepting()]);
		await post({ sourceHash: link });
		await post({ sourceHash: hash, reference: 'later' });
		const again = await restartWith(accepting());
		await bridge.finish(hash, 'completed');
		await again.poll();
		expect(n8n.started).toMatchObject([{ json: { link, reference: 'later' } }]);
	});

	test('an order that is listed and posted has the reference with which it would start the workflow', async () => {
		const [both = ''] = await open();
		const more = { sourceHashes: both };
		const registered = await n8n.publish([accepting(more)]);
		await post({ sourceHash: both, reference: 'theirs' });
		await registered.poll();
		const items = await n8n.fetchTestEvent({ acceptOrders: true, ...more });
		await bridge.finish(both, 'completed');
		await registered.poll();
		expect(started()).toMatchObject([{ reference: 'theirs' }]);
		expect(items).toMatchObject([{ sourceHash: both, reference: 'theirs' }]);
	});

	test('the age of an order that was not found goes by the start that was sent with it, also of one that is listed, too', async () => {
		const more = { sourceHashes: hashOf(1) };
		const bodies = [1, 2].map((number) => ({
			sourceHash: hashOf(number),
			startedAt: new Date(Date.now() - 5.5 * HOUR).toISOString(),
		}));
		const late = { status: 'notFound', summary: expect.stringMatching(/ after 5 h \d+ min\./) };
		const { items } = await n8n.testCall({ acceptOrders: true, ...more }, { body: bodies });
		expect(items).toMatchObject([late, late]);
		await n8n.publish([accepting(more)]);
		await post(bodies);
		// Only the clock of n8n is wrong, not that of the caller.
		wallClockAhead(HOUR);
		const shown = await n8n.fetchTestEvent({ acceptOrders: true, simplify: false, ...more });
		expect(shown).toMatchObject([late, late]);
		for (const { watchedSince } of shown)
			expect(Date.parse(String(watchedSince))).toBeGreaterThan(Date.now() - 2 * HOUR);
	});

	test('an order whose funds arrived otherwise than was sent with it has a warning in the test, too', async () => {
		const [listed = '', posted = ''] = await open(2);
		const more = { sourceHashes: listed };
		await n8n.publish([accepting(more)]);
		for (const sourceHash of [listed, posted])
			await post({ sourceHash, recipient: `0x${'52'.repeat(20)}` });
		for (const hash of [listed, posted]) await bridge.finish(hash, 'completed');
		const otherwise = { asExpected: false, summary: expect.stringContaining('⚠️') };
		expect(await n8n.fetchTestEvent({ acceptOrders: true, ...more })).toMatchObject([
			{ sourceHash: listed, ...otherwise },
			{ sourceHash: posted, ...otherwise },
		]);
	});

	test('a wrong key is an error, and so is a list in the field that has to be corrected', async () => {
		const call = { body: { sourceHash: HASH } };
		await expect(
			n8n.testCall({ acceptOrders: true, sourceHashes: 'my orders' }, call),
		).rejects.toThrow(
			"Line 1 of 'Source Transaction Hashes': 'my orders' is not a transaction hash",
		);
		bridge.credentials.data = { ...bridge.credentials.data, apiKey: 'wrong' };
		await expect(n8n.testCall({ acceptOrders: true }, call)).rejects.toThrow(/key/i);
	});

	test('where the execution runs in another process, it says so', async () => {
		await n8n.testCall({ acceptOrders: true }, { body: { sourceHash: HASH } });
		await restart();
		await expect(n8n.fetchTestEvent({ acceptOrders: true })).rejects.toMatchObject({
			message: 'The test did not receive the order you sent',
			description: expect.stringMatching(
				/another n8n process.*publish the workflow and use the Production URL\.$/,
			),
		});
	});

	test('GET while no order is watched says what to do', async () => {
		await expect(n8n.testCall({ acceptOrders: true }, { method: 'GET' })).rejects.toMatchObject({
			message: 'The test found no orders to watch',
			description:
				"Send an order to the Test URL with POST, or enter a hash in 'Source Transaction Hashes'.",
		});
	});

	test.each([false, true])(
		'GET shows what is watched: the list, and posted orders that are open, also if this process knows nothing of them (%s)',
		async (isKnownFromDataOnly) => {
			const pending = { end: 'never', executesAfterSeconds: null } as const;
			const [listed = '', posted = '', done = ''] = await bridge.begin(pending, pending, pending);
			const more = { sourceHashes: `Mine: ${listed}` };
			const registered = await n8n.publish([accepting(more)]);
			await post([{ sourceHash: posted, reference: 'theirs' }, done]);
			await bridge.finish(done, 'completed');
			await registered.poll();
			if (isKnownFromDataOnly) await restart();
			const { items } = await n8n.testCall({ acceptOrders: true, ...more }, { method: 'GET' });
			expect(items).toMatchObject([
				{ sourceHash: listed, status: 'pending', reference: 'Mine' },
				{ sourceHash: posted, status: 'pending', reference: 'theirs' },
			]);
			expect(items?.[1]?.summary).toMatch(/is still pending after /);
			expect(await n8n.fetchTestEvent({ acceptOrders: true, ...more })).toEqual(items);
		},
	);

	test.each<[WebhookCall, object]>([
		[{ body: {} }, { status: 400 }],
		[{ method: 'DELETE' }, { status: 405 }],
		[
			{ body: [] },
			{ status: 400, body: { message: 'The list is empty, so there is nothing to show.' } },
		],
		[{ body: [HASH, 5] }, { status: 400, body: { position: 2 } }],
	])('a bad call (%j) gets its sentence', async (call, answer) => {
		expect(await n8n.testCall({ acceptOrders: true }, call)).toMatchObject({
			...answer,
			items: null,
		});
	});
});

test('without a Webhook Secret anyone who knows the URL may send orders, but reads no references and removes none', async () => {
	bridge.credentials.data = { ...bridge.credentials.data, webhookSecret: '' };
	const [hash = ''] = await open();
	const registered = await n8n.publish([accepting()]);
	await post({ sourceHash: hash, reference: 'confidential' });
	for (const request of [{ method: 'GET' }, { method: 'DELETE', body: [hash] }] as const) {
		const answer = await call(request);
		expect(answer).toMatchObject({
			status: 403,
			body: { message: expect.stringContaining('set a Webhook Secret') },
		});
		expect(JSON.stringify(answer)).not.toContain('confidential');
	}
	await bridge.finish(hash, 'completed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'completed', reference: 'confidential' }]);
});

test('an answer stays small, however many orders a call had', async () => {
	await n8n.publish([accepting()]);
	const orders = Array.from({ length: 1000 }, (_, i) => ({
		sourceHash: hashOf(i),
		reference: 'r'.repeat(50),
	}));
	await post(orders);
	const again = await post(orders);
	expect(again).toMatchObject({
		body: { accepted: 0, alreadyWatchedCount: 1000, alreadyFinishedCount: 0 },
	});
	expect((again.body as { alreadyWatched: unknown[] }).alreadyWatched).toHaveLength(100);
	expect(JSON.stringify(again.body).length).toBeLessThan(16_000);
	const unknown = await call({
		method: 'DELETE',
		body: orders.map((_, i) => hashOf(5000 + i)),
	});
	expect(unknown).toMatchObject({ body: { removed: 0, notWatchedCount: 1000, listedCount: 0 } });
	expect(JSON.stringify(unknown.body).length).toBeLessThan(10_000);
});

test('a reference that comes back after a restart is plain data, and the workflow’s own', async () => {
	const [hash = ''] = await open();
	await n8n.publish([accepting()]);
	await post({ sourceHash: hash, reference: { chat: { id: 7 } } });
	const registered = await restartWith(accepting());
	await bridge.finish(hash, 'completed');
	await registered.poll();
	const reference = n8n.started[0]?.json.reference;
	expect(reference).toEqual({ chat: { id: 7 } });
	expect([reference, (reference as IDataObject).chat].map((value) => types.isProxy(value))).toEqual(
		[false, false],
	);
});

test('an order that finished after it was posted starts the workflow, also by a service clock that is behind and without Include Already Finished Orders', async () => {
	const [hash = ''] = await open();
	const registered = await n8n.publish([accepting({ options: { includeFinished: false } })]);
	await post({ sourceHash: hash });
	await bridge.finish(hash, 'completed');
	await bridge.change(hash, {
		answer: { timing: { completedAt: Math.floor(Date.now() / 1000) - 50 } },
	});
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'completed', reference: null }]);
});

describe.each(ENGINES)('in the %s engine', (engine) => {
	test('a post that was answered as already finished is so answered again when the list has been cleared', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash });
		await bridge.finish(hash, 'completed');
		await poll();
		const answers = [await post({ sourceHash: hash })];
		await poll({ sourceHashes: '' });
		answers.push(await post({ sourceHash: hash }));
		await poll();
		await poll();
		const finished = { status: 202, body: { alreadyFinished: [{ sourceHash: hash }] } };
		expect(answers).toMatchObject([finished, finished]);
		expect(events()).toEqual([`${hash} completed`]);
	});

	test('DELETE of a listed and posted order counts when it is removed from the list, too', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash });
		await post({ sourceHash: hash, reference: 'theirs' });
		await poll();
		await call({ method: 'DELETE', body: { sourceHash: hash } });
		await poll();
		await poll({ sourceHashes: '' });
		await bridge.finish(hash, 'completed');
		await poll();
		expect([events(), await watchedHashes()]).toEqual([[], []]);
	});

	test('a transaction and the one that was sent in its place have one name, be it that of the list, unless each has its own', async () => {
		const [rent = '', speedUp = '', bare = '', named = '', fees = '', faster = ''] = await open(6);
		const poll = await begun(engine, { sourceHashes: `Rent: ${rent}\n${bare}\nFees: ${fees}` });
		await poll();
		await post([
			{ sourceHash: speedUp, replaces: rent },
			{ sourceHash: named, replaces: bare, reference: 'Office' },
			{ sourceHash: faster, replaces: fees, reference: 'Faster' },
		]);
		for (const hash of [speedUp, bare, fees, faster]) await bridge.finish(hash, 'completed');
		await poll();
		await poll();
		expect(started().map(({ hash, reference }) => [hash, reference])).toEqual(
			expect.arrayContaining([
				[speedUp, 'Rent'],
				[bare, 'Office'],
				[fees, 'Fees'],
				[faster, 'Faster'],
			]),
		);
	});

	test('an empty reference that was posted does not hide the name in the list', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine);
		await post({ sourceHash: hash, reference: '' });
		await poll({ sourceHashes: `Food: ${hash}` });
		await bridge.finish(hash, 'completed');
		await poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'Food' }]);
	});
});

test.each<[string, unknown]>([
	['in a list', [{ sourceHash: HASH }]],
	['as a bare hash in a list', [HASH]],
	['as an item of n8n', { json: { txHash: HASH } }],
	['as text', HASH],
])('GET with an order is told to use POST: %s', async (_where, body) => {
	await n8n.publish([accepting()]);
	const message = 'A GET request only lists the orders. To add an order, send it with POST.';
	expect(await call({ method: 'GET', body })).toMatchObject(answered(405, { message }));
});
