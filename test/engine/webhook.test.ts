import type { IDataObject } from 'n8n-workflow';

import { TestN8n, type WebhookAnswer } from './n8n';
import { rehearse, type Rehearsal } from './sandboxed';
import { startedAnew } from './startedAnew';

/** Orders that add themselves: the trigger's webhook beside its polls, in the real n8n-core. */

let bridge: Rehearsal;
let n8n: TestN8n;
let workflows = 0;
beforeEach(async () => {
	bridge = await rehearse();
	n8n = new TestN8n(bridge.credentials, `webhook${++workflows}`);
});
afterEach(async () => {
	jest.restoreAllMocks();
	await n8n.unpublish();
	await bridge.sandbox.stop();
});

const HASH = `0x${'a'.repeat(64)}`;
const open = async (count = 1) => await bridge.begin(...Array.from({ length: count }, () => ({ end: 'never' as const })));
/** One look a poll, so that a test says when. */
const accepting = (more: IDataObject = {}) => ({ parameters: { acceptOrders: true, keepChecking: false, ...more } });
const started = () => n8n.started.map(({ json }) => ({ hash: json.sourceHash, event: json.event, reference: json.reference }));
const post = async (body: unknown): Promise<WebhookAnswer> => await n8n.call({ body });
const watched = async () => ((await n8n.call({ method: 'GET' })).body as { orders: IDataObject[] }).orders;

/** n8n is killed and starts again: only what it had saved is left. */
async function killAndStart(): Promise<void> {
	await n8n.unpublish();
	n8n = startedAnew(n8n);
}

test('a posted order starts the workflow when it ends, with its reference', async () => {
	const [hash = ''] = await open();
	const registered = await n8n.publish([accepting()]);
	const reference = { chatId: -1001234, invoice: 'A-7', nested: [null, true, 'ü'] };
	expect(await post({ sourceHash: hash, reference })).toMatchObject({
		status: 202,
		body: { accepted: 1, alreadyWatched: [], alreadyEnded: [], watching: 1, room: 999 },
	});
	await registered.poll();
	expect(n8n.started).toEqual([]);
	await bridge.end(hash, 'completed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'completed', reference }]);
	await registered.poll();
	expect(n8n.started).toHaveLength(1);
	expect(await post({ sourceHash: hash })).toMatchObject({
		status: 202,
		body: { accepted: 0, alreadyEnded: [{ sourceHash: hash, status: 'completed', endSeenAt: expect.any(String) }], watching: 0, room: 1000 },
	});
});

test('with Keep Checking the ticks look at a posted order at once, although none was watched when it was published', async () => {
	const registered = await n8n.publish([accepting({ keepChecking: true, checkEvery: 1 })]);
	await bridge.forgetRequests();
	registered.tick();
	expect(await bridge.requests()).toEqual([]);
	const [hash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 0 });
	await post({ sourceHash: hash, reference: 7 });
	await n8n.untilStarted(1);
	expect(started()).toEqual([{ hash, event: 'completed', reference: 7 }]);
});

test('an order that is posted while a poll waits for the service is looked at from then on, not from the next poll on', async () => {
	const watch = accepting({ keepChecking: true, checkEvery: 1 });
	await n8n.publish([watch]);
	await bridge.fault({ kind: 'delay', endpoint: 'config', delaySeconds: 0.5 });
	await bridge.forgetRequests();
	const publishing = n8n.publish([watch], { mode: 'update' });
	while ((await bridge.requests()).length === 0) await new Promise(setImmediate);
	const [hash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 0 });
	expect(await post({ sourceHash: hash })).toMatchObject({ status: 202 });
	await publishing;
	await n8n.untilStarted(1);
	expect(started()).toEqual([{ hash, event: 'completed', reference: null }]);
});

test('no call goes to the service while a call to the webhook is answered', async () => {
	await n8n.publish([accepting()]);
	await bridge.forgetRequests();
	await post({ orders: [{ sourceHash: HASH }, { sourceHash: `${HASH}b` }] });
	expect(await bridge.requests()).toEqual([]);
});

test('the same hash twice is watched once, and the newer reference wins', async () => {
	const [hash = ''] = await open();
	const registered = await n8n.publish([accepting()]);
	await post({ sourceHash: hash, reference: 'old' });
	expect(await post({ sourceHash: hash.toUpperCase().replace('0X', '0x'), reference: 'new' })).toMatchObject({
		body: { accepted: 0, alreadyWatched: [{ reference: 'replaced' }], watching: 1 },
	});
	expect(await post({ sourceHash: hash })).toMatchObject({ body: { alreadyWatched: [{ sourceHash: hash, reference: 'kept' }] } });
	await bridge.end(hash, 'failed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'failed', reference: 'new' }]);
});

test('what was answered with 202 survives a kill, also before anything else was saved', async () => {
	const [posted = '', listed = ''] = await open(2);
	await n8n.publish([accepting({ sourceHashes: listed })]);
	await post({ sourceHash: posted, reference: 'r' });
	await killAndStart();
	const registered = await n8n.publish([accepting({ sourceHashes: listed })], { mode: 'init' });
	expect((await watched()).map(({ sourceHash, reference }) => [sourceHash, reference])).toEqual([[listed, null], [posted, 'r']]);
	await bridge.end(posted, 'refunded');
	await registered.poll();
	expect(started()).toEqual([{ hash: posted, event: 'refunded', reference: 'r' }]);
	await killAndStart();
	await (await n8n.publish([accepting({ sourceHashes: listed })], { mode: 'init' })).poll();
	expect(n8n.started).toEqual([]);
});

test('the poller’s save keeps what was posted, the webhook’s save keeps what was told', async () => {
	const [a = '', b = '', listed = ''] = await open(3);
	const registered = await n8n.publish([accepting({ sourceHashes: listed })]);
	await post({ sourceHash: a });
	await bridge.end(listed, 'completed');
	// The poller's workflow object was made before the post.
	await registered.poll();
	await post({ sourceHash: b });
	await killAndStart();
	const again = await n8n.publish([accepting({ sourceHashes: listed })], { mode: 'init' });
	await again.poll();
	expect(n8n.started).toEqual([]);
	expect((await watched()).map(({ sourceHash }) => sourceHash)).toEqual([a, b]);
});

test('re-publishing, editing the list and renaming keep what was posted', async () => {
	const [hash = '', listed = ''] = await open(2);
	await n8n.publish([{ ...accepting(), id: 'same', name: 'Before' }]);
	await n8n.call({ body: { sourceHash: hash, reference: 1 } });
	await n8n.unpublish();
	await n8n.publish([{ ...accepting({ sourceHashes: listed }), id: 'same', name: 'After' }], { mode: 'update' });
	await n8n.unpublish();
	const registered = await n8n.publish([{ ...accepting({ sourceHashes: '' }), id: 'same', name: 'After' }], { mode: 'update' });
	expect((await watched()).map(({ sourceHash }) => sourceHash)).toEqual([hash]);
	await bridge.end(hash, 'completed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'completed', reference: 1 }]);
});

test('an order that is listed and posted is one, and stays when it leaves the list', async () => {
	const [hash = ''] = await open();
	await n8n.publish([accepting({ sourceHashes: hash })]);
	expect(await post({ sourceHash: hash, reference: 'r' })).toMatchObject({ body: { accepted: 0, watching: 1 } });
	const registered = await n8n.publish([accepting()], { mode: 'update' });
	await bridge.end(hash, 'completed');
	await registered.poll();
	expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
});

test('two triggers in one workflow keep their own orders', async () => {
	const [a = '', b = ''] = await open(2);
	const both = [{ ...accepting(), name: 'One', id: '1' }, { ...accepting(), name: 'Two', id: '2' }];
	await n8n.publish(both);
	await n8n.call({ trigger: 'One', body: { sourceHash: a } });
	await n8n.call({ trigger: 'Two', body: { sourceHash: b } });
	await killAndStart();
	const registered = await n8n.publish(both, { mode: 'init' });
	await bridge.end(a, 'completed');
	await bridge.end(b, 'completed');
	await registered.poll('One');
	await registered.poll('Two');
	expect(n8n.started.map(({ trigger, json }) => [trigger, json.sourceHash])).toEqual([['One', a], ['Two', b]]);
});

test.each<[string, object, string]>([
	['form fields', { body: { sourceHash: HASH, reference: 'f' } }, 'f'],
	['query parameters', { query: { sourceHash: HASH, reference: 'q' } }, 'q'],
	['a list of orders', { body: { orders: [{ sourceHash: HASH, reference: 'l' }] } }, 'l'],
	['a list alone', { body: [{ sourceHash: HASH, reference: 'a' }] }, 'a'],
	['text that is JSON', { body: JSON.stringify({ sourceHash: HASH, reference: 't' }) }, 't'],
])('%s are taken', async (_name, call, reference) => {
	await n8n.publish([accepting()]);
	expect(await n8n.call(call)).toMatchObject({ status: 202, body: { accepted: 1 } });
	expect(await watched()).toEqual([{ sourceHash: HASH, status: null, since: expect.any(String), reference, listed: false }]);
});

test('of a faulty list nothing is taken, and the answer says where the fault is', async () => {
	await n8n.publish([accepting()]);
	expect(await post({ orders: [{ sourceHash: HASH }, { sourceHash: 'two words' }] })).toMatchObject({
		status: 400,
		body: { message: expect.stringContaining('Order 2'), position: 2 },
	});
	expect(await n8n.call({ body: {}, rawBody: Buffer.alloc(256 * 1024 + 1) })).toMatchObject({ status: 413 });
	expect(await watched()).toEqual([]);
});

test('a full watch says so and loses nothing', async () => {
	await n8n.publish([accepting()]);
	const orders = Array.from({ length: 1000 }, (_, i) => ({ sourceHash: `0x${i.toString(16)}` }));
	expect(await post({ orders })).toMatchObject({ status: 202, body: { accepted: 1000, room: 0 } });
	expect(await post({ sourceHash: HASH })).toMatchObject({ status: 429, body: { watching: 1000, room: 0 }, headers: { 'Retry-After': '60' } });
	// One that is watched already needs no room.
	expect(await post({ sourceHash: '0x1', reference: 'new' })).toMatchObject({ status: 202, body: { watching: 1000 } });
	expect(await watched()).toHaveLength(1000);
});

test('DELETE stops watching a posted order, and says what it cannot take out', async () => {
	const [hash = '', listed = ''] = await open(2);
	const registered = await n8n.publish([accepting({ sourceHashes: listed })]);
	await post({ sourceHash: hash });
	expect(await n8n.call({ method: 'DELETE', body: { orders: [hash, listed, HASH] } })).toMatchObject({
		status: 200,
		body: { removed: 1, listed: [listed], notWatched: [HASH], watching: 1, room: 999 },
	});
	await killAndStart();
	const again = await n8n.publish([accepting({ sourceHashes: listed })], { mode: 'init' });
	await bridge.end(hash, 'completed');
	await again.poll();
	await registered.poll();
	expect(n8n.started).toEqual([]);
});

describe('a process that does not hold the watch takes nothing', () => {
	test('one in which the trigger was never registered: n8n before it has started, or a separate webhook process', async () => {
		await n8n.publish([accepting()]);
		await killAndStart();
		expect(await post({ sourceHash: HASH })).toMatchObject({
			status: 503,
			headers: { 'Retry-After': '5' },
			body: { message: expect.stringContaining('nothing was taken') },
		});
		await n8n.publish([accepting()], { mode: 'init' });
		expect(await watched()).toEqual([]);
		expect(await post({ sourceHash: HASH })).toMatchObject({ status: 202 });
	});

	test('one that has stopped to run triggers, since another main process is the leader', async () => {
		await n8n.publish([accepting()]);
		expect(await post({ sourceHash: HASH })).toMatchObject({ status: 202 });
		await n8n.unpublish();
		const later = Date.now() + 16_000;
		jest.spyOn(Date, 'now').mockImplementation(() => later);
		expect(await post({ sourceHash: `${HASH}1` })).toMatchObject({ status: 503 });
	});

	test('when the durable engine takes over, it goes on with what was kept', async () => {
		const [listed = '', posted = ''] = await open(2);
		const watch = { id: 'same', ...accepting({ sourceHashes: listed }) };
		const registered = await n8n.publish([watch]);
		await post({ sourceHash: posted, reference: 'r' });
		await bridge.end(listed, 'completed');
		await registered.poll();
		await killAndStart();
		await bridge.end(posted, 'failed');
		await n8n.durablePoll(watch, 36_000);
		expect(started()).toEqual([{ hash: posted, event: 'failed', reference: 'r' }]);
	});

	test('the durable engine', async () => {
		n8n.saveNodes([accepting()]);
		await n8n.durablePoll(accepting(), 36_000);
		expect(await post({ sourceHash: HASH })).toMatchObject({ status: 503 });
	});
});

describe('orders that nobody waits for any more', () => {
	const HOUR_MS = 3_600_000;
	const later = (hours: number) => {
		const now = Date.now() + hours * HOUR_MS;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	};

	test('an end is remembered for a day', async () => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([accepting()]);
		await post({ sourceHash: hash });
		await bridge.end(hash, 'completed');
		await registered.poll();
		later(23);
		await registered.poll();
		expect(await post({ sourceHash: hash })).toMatchObject({ body: { accepted: 0, alreadyEnded: [{ sourceHash: hash }] } });
		later(2);
		await registered.poll();
		expect(await post({ sourceHash: hash })).toMatchObject({ body: { accepted: 1 } });
	});

	test('what is never found is given up after 48 hours, and told if wanted', async () => {
		const registered = await n8n.publish([accepting({ events: ['completed', 'givenUp'] })]);
		await post({ sourceHash: HASH, reference: 'r' });
		later(47.9);
		await registered.poll();
		expect(n8n.started).toEqual([]);
		later(0.2);
		await registered.poll();
		await registered.poll();
		expect(n8n.started.map(({ json }) => json)).toEqual([
			expect.objectContaining({ event: 'givenUp', eventId: `${HASH}:givenUp`, reference: 'r', sourceHash: HASH, status: 'notFound', isFinal: false, outcome: null }),
		]);
		expect(await watched()).toEqual([]);
	});

	test('time that passed while n8n was down gives nothing up: what ended meanwhile is told', async () => {
		const [hash = ''] = await open();
		await n8n.publish([accepting({ events: ['completed', 'givenUp'] })]);
		await post({ sourceHash: hash, reference: 'r' });
		await bridge.end(hash, 'completed');
		await killAndStart();
		later(50);
		const registered = await n8n.publish([accepting({ events: ['completed', 'givenUp'] })], { mode: 'init' });
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});

	test('nor does time in which the key was refused', async () => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([accepting({ events: ['completed', 'givenUp'] })]);
		await post({ sourceHash: hash, reference: 'r' });
		const right = bridge.credentials.data;
		bridge.credentials.data = { ...right, apiKey: 'wrong' };
		await bridge.end(hash, 'completed');
		later(50);
		await registered.poll();
		bridge.credentials.data = right;
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});

	test('an order that the service refuses is given up like one that is never found', async () => {
		const registered = await n8n.publish([accepting({ events: ['givenUp'] })]);
		await bridge.fault({ kind: 'error', status: 400, endpoint: 'status', times: 'always' });
		await post({ sourceHash: HASH });
		later(49);
		await registered.poll();
		await registered.poll();
		expect(started()).toEqual([{ hash: HASH, event: 'givenUp', reference: null }]);
	});

	test('by default it is given up in silence', async () => {
		const registered = await n8n.publish([accepting()]);
		await post({ sourceHash: HASH });
		later(49);
		await registered.poll();
		expect(await watched()).toHaveLength(1);
		await registered.poll();
		expect(n8n.started).toEqual([]);
		expect(await watched()).toEqual([]);
	});

	test('what never ends is given up 24 hours after its expiry', async () => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([accepting({ events: ['givenUp'] })]);
		await post({ sourceHash: hash });
		// The sandbox's orders expire an hour after they began.
		await registered.poll();
		later(24.9);
		await registered.poll();
		expect(n8n.started).toEqual([]);
		later(0.2);
		await registered.poll();
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'givenUp', reference: null }]);
	});
});

describe('the test address', () => {
	test('shows the posted orders as the workflow would get them, and watches none', async () => {
		const [open1 = '', done = ''] = await open(2);
		await bridge.end(done, 'completed');
		const answer = await n8n.testCall({ acceptOrders: true }, { body: { orders: [{ sourceHash: done, reference: 'x' }, open1, HASH] } });
		expect(answer.status).toBe(202);
		expect(answer.items?.map(({ sourceHash, event, status, reference }) => [sourceHash, event, status, reference])).toEqual([
			[done, 'completed', 'completed', 'x'],
			[open1, null, 'pending', null],
			[HASH, null, 'notFound', null],
		]);
		// n8n runs the poll for the execution that the call has started; the next test execution is another matter.
		expect(await n8n.fetchTestEvent({ acceptOrders: true })).toEqual(answer.items);
		expect(await n8n.fetchTestEvent({ acceptOrders: true, sourceHashes: open1 })).toMatchObject([{ sourceHash: open1 }]);
		await n8n.publish([accepting()]);
		expect(await watched()).toEqual([]);
	});

	test('a wrong key is told as an error', async () => {
		bridge.credentials.data = { apiKey: 'wrong', baseUrl: bridge.sandbox.url, requestsPerMinute: 100_000 };
		await expect(n8n.testCall({ acceptOrders: true }, { body: { sourceHash: HASH } })).rejects.toThrow(/key/i);
	});

	test('bad calls get their sentence', async () => {
		expect(await n8n.testCall({ acceptOrders: true }, { body: {} })).toMatchObject({ status: 400, items: null });
		expect(await n8n.testCall({ acceptOrders: true }, { method: 'GET' })).toMatchObject({ status: 405, items: null });
	});
});

test('without the switch there is no webhook', async () => {
	await n8n.publish([{ parameters: { sourceHashes: HASH } }]);
	await expect(post({ sourceHash: HASH })).rejects.toThrow('No webhook is registered');
});
