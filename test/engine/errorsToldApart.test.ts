import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';

import { n8nClock } from '../../nodes/CrossChainBridge/service/service';
import { sessionOf } from '../../nodes/CrossChainBridge/trigger/session';
import type { Fault } from '../../sandbox';
import type { Registration, TestN8n } from './n8n';
import { beginN8n, n8nWith, openAtFinishingAge, type Rehearsal } from './sandboxed';

/** Whatever a status request brings is that order's own; only the configuration judges key and address. */

let bridge: Rehearsal;
let n8n: TestN8n;
beforeEach(async () => void ({ bridge, n8n } = await beginN8n()));

const open = async (count = 1) => await openAtFinishingAge(bridge, count);
const watching = (hashes: string[], more: IDataObject = {}) => ({
	parameters: { sourceHashes: hashes.join('\n'), checkEvery: 1, ...more },
});
/** One round a poll, so that a test says when. */
const polling = (hashes: string[], more: IDataObject = {}) =>
	watching(hashes, { keepChecking: false, ...more });
const events = () => n8n.started.map(({ json }) => [json.sourceHash, json.event]);
const messages = () => n8n.failures.map(({ message }) => message);
const asked = async () =>
	(await bridge.requests()).map(({ path, query }) =>
		path.endsWith('/config') ? 'config' : (query.sourceHash ?? ''),
	);

async function polls(registered: Registration, count: number): Promise<void> {
	for (let poll = 0; poll < count; poll++) await registered.poll();
}

const now = n8nClock.now.bind(n8nClock);
let skipped = 0;

/** The clock of everything that waits goes ahead by so much. */
function skip(ms: number): void {
	skipped += ms;
	jest.spyOn(n8nClock, 'now').mockImplementation(() => now() + skipped);
}

const WRONG_KEY = 'The bridge does not accept the API key. Correct it in the credential.';

/** Whatever answers at that address, it answers everything with this status and JSON of its own. */
const otherServer = (status: number): Fault => ({
	kind: 'body',
	status,
	body: '{"message":"no such thing here"}',
	times: 'always',
});

/** Each in its own way no answer about the order. */
const BAD: Fault[] = [
	{ kind: 'error', status: 403, code: 'FORBIDDEN' },
	{ kind: 'html', status: 404 },
	{ kind: 'redirect', to: 'http://127.0.0.1:1/' },
	{ kind: 'body', body: '{"status":"completed"}' },
	{ kind: 'delay', delaySeconds: 3600 },
	{ kind: 'halfBody' },
];

/** From now on each order is answered in one of these ways. */
async function spoil(hashes: string[], faults: Fault[]): Promise<void> {
	for (const [index, sourceHash] of hashes.entries())
		await bridge.fault({ ...(faults[index] as Fault), sourceHash, times: 'always' });
}

describe('six bad orders beside twelve good ones', () => {
	test.each([true, false])(
		'are published, shut out none of the good ones, and stay watched (Keep Checking: %s)',
		async (keepChecking) => {
			const bad = await open(BAD.length);
			const good = await open(12);
			await spoil(bad, BAD);
			const registered = await n8n.publish([watching([...bad, ...good], { keepChecking })]);
			expect(n8n.started).toEqual([]);
			for (const hash of good) await bridge.finish(hash, 'completed');
			// What hangs keeps a round until its time is over; no event waits for that.
			if (!keepChecking) void registered.poll();
			await n8n.untilStarted(12);
			expect(events().sort()).toEqual(good.map((hash) => [hash, 'completed']).sort());
			const checks = await asked();
			const checksOf = (hash: string) => checks.filter((each) => each === hash).length;
			expect(Math.max(...bad.map(checksOf))).toBeLessThanOrEqual(Math.max(...good.map(checksOf)));
			// The configuration is asked while publishing, at the first suspicion, and by a poll that no good order has answered yet.
			expect(checksOf('config')).toBeLessThanOrEqual(3);
			await bridge.clearFaults();
			for (const hash of bad) await bridge.finish(hash, 'failed');
			// Past all pauses after failed checks.
			skip(60_000);
			if (!keepChecking) await polls(registered, 2);
			await n8n.untilStarted(18);
			expect(events().slice(12).sort()).toEqual(bad.map((hash) => [hash, 'failed']).sort());
			expect(n8n.failures).toEqual([]);
		},
	);

	test.each([
		['beside twelve good ones fail no poll', 5, 12, []],
		[
			'and nothing else are said not to be checked, without blame for key or address',
			4,
			0,
			[
				{
					message: 'The bridge responds, but not about orders',
					description: expect.stringContaining('No order could be checked in 5 polls in a row'),
				},
			],
		],
	])('%s', async (_what, count, ofGood, failures) => {
		const bad = await open(count);
		const good = await open(ofGood);
		await spoil(
			bad,
			BAD.filter(({ kind }) => kind !== 'delay'),
		);
		const registered = await n8n.publish([polling([...bad, ...good])]);
		await polls(registered, 12);
		expect(n8n.failures).toHaveLength(failures.length);
		expect(n8n.failures).toMatchObject(failures);
	});
});

describe('an address at which some other server answers everything', () => {
	const STATUSES = [402, 404, 407, 408, 410, 451];
	const sentenceOf = (status: number) =>
		status === 404
			? 'The Base URL does not lead to the bridge. Correct it in the credential.'
			: 'The bridge did not accept the request';

	test.each(STATUSES)(
		'with JSON and %i: the workflow cannot be published; after it was, the next poll shows it, then every 30th, until it is over',
		async (status) => {
			const [a = ''] = await open();
			await bridge.fault(otherServer(status));
			await expect(n8n.publish([watching([a])])).rejects.toThrow(sentenceOf(status));
			await bridge.clearFaults();
			const registered = await n8n.publish([polling([a], { simplify: false })]);
			await bridge.fault(otherServer(status));
			await polls(registered, 31);
			expect(messages()).toEqual([sentenceOf(status), sentenceOf(status)]);
			expect(n8n.failures[0]).toMatchObject({
				description: expect.stringMatching(/Base URL in the credential.*HTTP \d+/),
				httpCode: String(status),
			});
			await bridge.clearFaults();
			await bridge.finish(a, 'completed');
			await polls(registered, 2);
			expect(events()).toEqual([[a, 'completed']]);
			expect(n8n.failures).toHaveLength(2);
		},
	);

	test('hashes that the service does not know are shown as no problem, for one request more a poll', async () => {
		const registered = await n8n.publish([polling([`0x${'00'.repeat(32)}`], { simplify: false })]);
		await bridge.forgetRequests();
		await polls(registered, 6);
		expect(n8n.failures).toEqual([]);
		expect((await asked()).filter((each) => each === 'config')).toHaveLength(6);
	});
});

test('a web page between two polls: the configuration is probed between polls, and checks continue before the next poll', async () => {
	const [a = ''] = await open();
	const registered = await n8n.publish([watching([a])]);
	await bridge.fault({ kind: 'html', endpoint: 'config', times: 2 });
	await bridge.fault({ kind: 'html', endpoint: 'status', times: 1 });
	const { checker } = sessionOf(registered.contextOf()).watch;
	while (checker?.accountError === null) await bridge.requests();
	await bridge.forgetRequests();
	await bridge.finish(a, 'completed');
	// One more page, then the configuration again: nothing is checked until that is there.
	skip(5_000);
	while ((await asked()).length < 1) await bridge.requests();
	expect(n8n.started).toEqual([]);
	skip(5_000);
	await n8n.untilStarted(1);
	expect(events()).toEqual([[a, 'completed']]);
	expect(await asked()).toEqual(['config', 'config', a]);
	await registered.poll();
	expect(n8n.failures).toEqual([]);
});

describe('a service that accepts connections and says nothing', () => {
	test('delays neither publishing nor a start of n8n beyond 6 seconds', async () => {
		const hashes = await open(40);
		await bridge.fault({ kind: 'delay', delaySeconds: 3600, times: 'always' });
		const took = async (mode: WorkflowActivateMode, keepChecking: boolean): Promise<number> => {
			const other = n8nWith(bridge.credentials);
			const began = performance.now();
			await other.publish([watching(hashes, { keepChecking })], { mode });
			return performance.now() - began;
		};
		const all = await Promise.all(
			(['activate', 'init'] as const).flatMap((mode) => [took(mode, true), took(mode, false)]),
		);
		expect((await bridge.requests()).filter(({ status }) => status !== null)).toEqual([]);
		expect(Math.max(...all)).toBeLessThan(6_000);
	});

	test('gets one check of each order in a poll, and no more', async () => {
		const hashes = await open(40);
		const registered = await n8n.publish([polling(hashes, { simplify: false })]);
		await bridge.fault({ kind: 'delay', delaySeconds: 3600, times: 'always' });
		await bridge.forgetRequests();
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		// Long enough for a busy machine to send all of them.
		jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(2_000));
		await registered.poll();
		const checked = (await asked()).filter((each) => each !== 'config');
		expect(checked.sort()).toEqual([...new Set(hashes)].sort());
	});
});

describe('each kind of problem has a count of its own', () => {
	const outage: Fault = { kind: 'error', status: 503, times: 'always' };
	const wrongKey: Fault = { kind: 'error', status: 401, times: 'always' };

	async function pollsWith(
		fault: Fault | null,
		registered: Registration,
		count: number,
	): Promise<void> {
		if (fault !== null) await bridge.fault(fault);
		await polls(registered, count);
		await bridge.clearFaults();
	}

	test('after two outages a wrong key shows with the first poll that sees it', async () => {
		const registered = await n8n.publish([polling(await open())]);
		await pollsWith(outage, registered, 3);
		await pollsWith(null, registered, 1);
		await pollsWith(outage, registered, 3);
		expect(messages()).toEqual([]);
		await pollsWith(wrongKey, registered, 1);
		expect(messages()).toEqual([WRONG_KEY]);
	});

	test('a key that is refused only after the configuration has accepted it does not keep the workflow from being published; the next poll shows it', async () => {
		const [a = ''] = await open();
		await bridge.forgetRequests();
		await bridge.fault({ ...wrongKey, endpoint: 'status', delaySeconds: 1 });
		const publishing = n8n.publish([polling([a], { simplify: false })]);
		while (!(await asked()).includes(a));
		await bridge.fault({ ...wrongKey, endpoint: 'config' });
		const registered = await publishing;
		expect(sessionOf(registered.contextOf()).watch.checker?.accountError).not.toBeNull();
		await registered.poll();
		expect(messages()).toEqual([WRONG_KEY]);
	});

	test('answered checks begin the count of an outage again', async () => {
		const registered = await n8n.publish([polling(await open())]);
		for (let outages = 0; outages < 3; outages++) {
			await pollsWith(outage, registered, 4);
			await pollsWith(null, registered, 1);
		}
		expect(messages()).toEqual([]);
		await pollsWith(outage, registered, 5);
		expect(messages()).toEqual(['The bridge is temporarily unavailable']);
	});

	test('a corrected key begins its count again: the next wrong one shows at once', async () => {
		const registered = await n8n.publish([polling(await open())]);
		await pollsWith(wrongKey, registered, 2);
		await pollsWith(null, registered, 1);
		await pollsWith(wrongKey, registered, 2);
		expect(messages()).toEqual([WRONG_KEY, WRONG_KEY]);
	});

	test.each([500, 502])(
		'a %i without a code is the service’s problem, not the order’s: it shows on the 5th poll',
		async (status) => {
			const registered = await n8n.publish([polling(await open())]);
			const withoutCode: Fault = { kind: 'body', status, body: '{}', times: 'always' };
			await pollsWith(withoutCode, registered, 4);
			expect(messages()).toEqual([]);
			await pollsWith(withoutCode, registered, 1);
			expect(messages()).toEqual(['The bridge is temporarily unavailable']);
		},
	);
});

describe('without Keep Checking', () => {
	test('orders that fail do not end the round', async () => {
		const failing = await open(12);
		const [last = ''] = await open();
		const registered = await n8n.publish([polling([...failing, last])]);
		for (const sourceHash of failing)
			await bridge.fault({ kind: 'error', status: 500, sourceHash, times: 'always' });
		await bridge.finish(last, 'completed');
		await registered.poll();
		expect(events()).toEqual([[last, 'completed']]);
	});

	test('a key that is refused costs up to one check of each order, and from then on a poll asks the configuration only', async () => {
		const hashes = await open(20);
		const registered = await n8n.publish([polling(hashes)]);
		await bridge.fault({ kind: 'error', status: 401, times: 'always' });
		await bridge.forgetRequests();
		await registered.poll();
		const checked = (await asked()).filter((each) => each !== 'config');
		expect(new Set(checked).size).toBe(checked.length);
		await bridge.forgetRequests();
		await polls(registered, 3);
		expect(new Set(await asked())).toEqual(new Set(['config']));
	});
});
