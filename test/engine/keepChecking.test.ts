import type { IDataObject } from 'n8n-workflow';

import { liveWatchOf } from '../../nodes/CrossChainBridge/trigger/liveWatch';
import { isTicking } from '../../nodes/CrossChainBridge/trigger/ticks';
import { TestN8n } from './n8n';
import { rehearse, type Rehearsal } from './sandboxed';
import { startedAnew } from './startedAnew';

/** How the trigger goes on looking between polls: by the ticks of the real scheduler of n8n-core, and inside a durable poll. */

let bridge: Rehearsal;
let n8n: TestN8n;
let workflows = 0;
beforeEach(async () => {
	bridge = await rehearse();
	n8n = new TestN8n(bridge.credentials, `keep${++workflows}`);
});
afterEach(async () => {
	await n8n.unpublish();
	await bridge.sandbox.stop();
});

/** Open orders of an age at which ends are likely, so that they are looked at every second. */
const open = async (count = 1) => {
	const timing = { createdAt: Math.floor(Date.now() / 1000) - 8 };
	return await bridge.begin(...Array.from({ length: count }, () => ({ end: 'never' as const, answer: { timing } })));
};
const watching = (hashes: string[], more: IDataObject = {}) => ({ parameters: { sourceHashes: hashes.join('\n'), checkEvery: 1, ...more } });
const events = () => n8n.started.map(({ json }) => [json.sourceHash, json.event]);

/** Asks the sandbox until the service has had so many requests; bounded. */
async function untilRequests(count: number): Promise<void> {
	for (let tries = 0; tries < 20_000; tries++) {
		if ((await bridge.requests()).length >= count) return;
	}
	throw new Error(`The service had fewer than ${count} requests`);
}

test('each end is told between polls, once', async () => {
	const [a = '', b = ''] = await open(2);
	await n8n.publish([watching([a, b])]);
	expect(n8n.started).toEqual([]);
	await bridge.end(b, 'failed');
	await n8n.untilStarted(1);
	await bridge.end(a, 'completed');
	await n8n.untilStarted(2);
	expect(events()).toEqual([[b, 'failed'], [a, 'completed']]);
	await bridge.forgetRequests();
	await n8n.publish([watching([a, b])], { mode: 'update' });
	// All have ended: the publishing asks for the configuration, and nothing looks any more.
	expect((await bridge.requests()).map(({ path }) => path)).toEqual(['/api/sdk/v2/config']);
});

test('an order that is announced is found and told', async () => {
	const hash = `0x${'5e'.repeat(32)}`;
	await n8n.publish([watching([hash])]);
	await bridge.begin({ sourceHash: hash, end: 'never' });
	await bridge.end(hash, 'refunded');
	await n8n.untilStarted(1);
	expect(events()).toEqual([[hash, 'refunded']]);
});

test('a look that is answered after the workflow was unpublished tells nothing, and the end is told after the next publishing', async () => {
	const [a = ''] = await open();
	await n8n.publish([watching([a])]);
	await bridge.forgetRequests();
	await bridge.end(a, 'completed');
	await bridge.fault({ kind: 'delay', delaySeconds: 3600, times: 'always' });
	await untilRequests(1);
	await n8n.unpublish();
	await bridge.clearFaults();
	expect(n8n.dropped).toEqual([]);
	const [probe = ''] = await open();
	await bridge.end(probe, 'completed');
	const again = await n8n.publish([watching([a, probe])]);
	await n8n.untilStarted(2);
	again.tick();
	expect(events().sort()).toEqual([[a, 'completed'], [probe, 'completed']].sort());
});

test('after a new publishing the older registration tells nothing, also with a look in the air', async () => {
	const [a = ''] = await open();
	const older = await n8n.publish([watching([a])]);
	await bridge.forgetRequests();
	await bridge.end(a, 'completed');
	await bridge.fault({ kind: 'delay', delaySeconds: 3600 });
	await untilRequests(1);
	await n8n.publish([watching([a])], { mode: 'update' });
	await bridge.clearFaults();
	older.tick();
	await n8n.untilStarted(1);
	older.tick();
	await older.poll();
	expect(events()).toEqual([[a, 'completed']]);
});

test('a key that is refused ends the looks until a poll has tried again', async () => {
	const [a = ''] = await open();
	const registered = await n8n.publish([watching([a])]);
	bridge.credentials.data = { ...bridge.credentials.data, apiKey: 'wrong' };
	await bridge.forgetRequests();
	await untilRequests(1);
	await registered.poll();
	await registered.poll();
	expect(n8n.failures.map(({ message }) => message)).toEqual(['The bridge service does not accept the API key']);
	bridge.credentials.data = { ...bridge.credentials.data, apiKey: bridge.sandbox.apiKey };
	await bridge.end(a, 'completed');
	await registered.poll();
	await n8n.untilStarted(1);
	expect(events()).toEqual([[a, 'completed']]);
});

test('an address that was mended in the credential is used from the next poll on', async () => {
	const [a = ''] = await open();
	const registered = await n8n.publish([watching([a])]);
	const other = await rehearse();
	await other.begin({ sourceHash: a, end: 'never' });
	await other.end(a, 'failed');
	bridge.credentials.data = { ...bridge.credentials.data, baseUrl: other.sandbox.url };
	await registered.poll();
	await n8n.untilStarted(1);
	expect(events()).toEqual([[a, 'failed']]);
	await other.sandbox.stop();
});

test('what the address before still answers is not told any more', async () => {
	const [a = ''] = await open();
	const registered = await n8n.publish([watching([a])]);
	const other = await rehearse();
	await other.begin({ sourceHash: a, end: 'never' });
	await bridge.forgetRequests();
	await bridge.end(a, 'completed');
	await bridge.fault({ kind: 'delay', delaySeconds: 3600, times: 'always' });
	await untilRequests(1);
	bridge.credentials.data = { ...bridge.credentials.data, baseUrl: other.sandbox.url };
	await registered.poll();
	await bridge.clearFaults();
	await other.end(a, 'failed');
	await n8n.untilStarted(1);
	expect(events()).toEqual([[a, 'failed']]);
	await other.sandbox.stop();
});

test('what the registration before has seen and not told is looked at anew', async () => {
	const [a = ''] = await open();
	const older = await n8n.publish([watching([a])]);
	liveWatchOf(older.contextOf()).unread.push({ key: a, look: { kind: 'order', order: { status: 'completed' } } });
	const newer = await n8n.publish([watching([a])], { mode: 'update' });
	newer.tick();
	expect(events()).toEqual([]);
});

describe('two publishings at once', () => {
	test('the one that is overtaken has no ticks', async () => {
		const [a = ''] = await open();
		await bridge.forgetRequests();
		// Its configuration comes at once; what it waits for is the order.
		await bridge.fault({ kind: 'delay', endpoint: 'status', delaySeconds: 3600 });
		const overtaken = n8n.publish([watching([a])]);
		await untilRequests(2);
		const newer = await n8n.publish([watching([a])], { mode: 'update' });
		await bridge.clearFaults();
		expect([isTicking((await overtaken).contextOf()), isTicking(newer.contextOf())]).toEqual([false, true]);
	});

	test('one that is refused late leaves the one that has overtaken it in charge', async () => {
		const [a = ''] = await open();
		const right = bridge.credentials.data;
		bridge.credentials.data = { ...right, apiKey: 'wrong' };
		await bridge.forgetRequests();
		await bridge.fault({ kind: 'delay', delaySeconds: 3600 });
		const refused = n8n.publish([watching([a])]).catch((error: Error) => error.message);
		await untilRequests(1);
		bridge.credentials.data = right;
		const newer = await n8n.publish([watching([a])], { mode: 'update' });
		await bridge.clearFaults();
		expect(await refused).toContain('does not accept the API key');
		// Asked of the watch itself: newer versions of n8n-core take the ticks of both away when one is refused.
		expect(liveWatchOf(newer.contextOf()).owner).toBe(newer.contextOf());
	});
});

test('polls in between change nothing but the list', async () => {
	const [a = '', b = ''] = await open(2);
	const registered = await n8n.publish([watching([a, b])]);
	await bridge.end(a, 'completed');
	await Promise.all([registered.poll(), registered.poll()]);
	await n8n.untilStarted(1);
	await bridge.end(b, 'completed');
	await n8n.untilStarted(2);
	await registered.poll();
	expect(events()).toEqual([[a, 'completed'], [b, 'completed']]);
	expect(n8n.failures).toEqual([]);
});

describe('the durable engine', () => {
	// The looks end 4 s before; a poll whose orders have all ended returns at once.
	const BUDGET_MS = 6_000;
	const AMPLE_BUDGET_MS = 20_000;

	test('a poll goes on looking within its budget, and tells each end when it is seen', async () => {
		const [a = '', b = ''] = await open(2);
		const polling = n8n.durablePoll(watching([a, b]), AMPLE_BUDGET_MS);
		await untilRequests(2);
		await bridge.end(a, 'completed');
		await n8n.untilStarted(1);
		await bridge.end(b, 'failed');
		await n8n.untilStarted(2);
		await polling;
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		expect(events()).toEqual([[a, 'completed'], [b, 'failed']]);
	});

	test('what is committed is the truth: an end that n8n has dropped is told again', async () => {
		const [a = ''] = await open();
		await bridge.end(a, 'completed');
		await n8n.durablePoll(watching([a]), BUDGET_MS);
		await n8n.durablePoll(watching([a]), BUDGET_MS);
		expect(events()).toHaveLength(1);
		n8n.durableCursors.clear();
		const now = Date.now.bind(Date);
		const later = jest.spyOn(Date, 'now').mockImplementation(() => now() + 61_000);
		await n8n.durablePoll(watching([a]), BUDGET_MS);
		later.mockRestore();
		expect(events()).toHaveLength(2);
	});

	test('an end whose commit is still under way is not told again by a poll that begins meanwhile', async () => {
		const [a = '', b = ''] = await open(2);
		await bridge.end(a, 'completed');
		const waiting: Array<() => void> = [];
		n8n.waitingCommits = waiting;
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		for (const save of waiting) save();
		n8n.waitingCommits = null;
		await bridge.end(b, 'failed');
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		expect(events()).toEqual([[a, 'completed'], [b, 'failed']]);
	});

	test.each([true, false])('ends that are told at the same time are all known to the next process, however n8n commits them (Keep Checking: %s)', async (keepChecking) => {
		const hashes = await open(4);
		for (const hash of hashes) await bridge.end(hash, 'completed');
		n8n.commitTakesMs = [400, 200, 0, 0];
		await n8n.durablePoll(watching(hashes, { keepChecking }), AMPLE_BUDGET_MS);
		expect(n8n.started).toHaveLength(4);
		await Promise.all(n8n.commits);
		const another = startedAnew(n8n);
		await another.durablePoll(watching(hashes, { keepChecking }), AMPLE_BUDGET_MS);
		expect(another.started).toEqual([]);
	});

	test('an end that n8n drops ends the poll, and the next one tells it at once', async () => {
		const [a = '', b = '', c = ''] = await open(3);
		await bridge.end(a, 'completed');
		await bridge.end(b, 'completed');
		n8n.holdsLease = false;
		await n8n.durablePoll(watching([a, b, c]), AMPLE_BUDGET_MS);
		expect([n8n.dropped.length, n8n.started.length]).toEqual([1, 0]);
		n8n.holdsLease = true;
		await bridge.end(c, 'failed');
		await n8n.durablePoll(watching([a, b, c]), AMPLE_BUDGET_MS);
		expect(events().sort()).toEqual([[a, 'completed'], [b, 'completed'], [c, 'failed']].sort());
	});

	test('so they are where the workflow runs for longer than the poll', async () => {
		const hashes = await open(3);
		for (const hash of hashes) await bridge.end(hash, 'completed');
		n8n.endsExecutions = false;
		n8n.commitTakesMs = [2_500, 0, 0];
		await n8n.durablePoll(watching(hashes), AMPLE_BUDGET_MS);
		expect(n8n.started).toHaveLength(3);
		await Promise.all(n8n.commits);
		const another = startedAnew(n8n);
		await another.durablePoll(watching(hashes), AMPLE_BUDGET_MS);
		expect(another.started).toEqual([]);
	});

	test.each([true, false])('an answer that drips cannot make the poll overrun its budget (Keep Checking: %s)', async (keepChecking) => {
		const [a = ''] = await open();
		await bridge.fault({ kind: 'drip', bytesPerSecond: 1, times: 'always' });
		const tooLate = new Promise<string>((resolve) =>
			AbortSignal.timeout(BUDGET_MS).addEventListener('abort', () => resolve('overran'), { once: true }),
		);
		const polled = n8n.durablePoll(watching([a], { keepChecking }), BUDGET_MS).then(() => 'in time');
		await expect(Promise.race([polled, tooLate])).resolves.toBe('in time');
	});
});
