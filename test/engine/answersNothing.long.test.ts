import type { WorkflowActivateMode } from 'n8n-workflow';

import { sessionOf } from '../../nodes/CrossChainBridge/n8n/session';
import { n8nClock } from '../../nodes/CrossChainBridge/service/n8nClock';
import type { Fault } from '../../sandbox';
import { deadlines } from '../security/deadlines';
import { checksAskedFor, n8nWith, untilAsked } from './sandboxed';
import {
	asked,
	begun,
	bridge,
	ENGINES,
	events,
	n8n,
	openAndDue as open,
	polling,
	polls,
	watching,
} from './scene';

/** What answers nothing, or nothing about an order, costs no more than its own part. These tests wait for time limits. */

const now = n8nClock.now.bind(n8nClock);
let skipped = 0;

/** The clock of everything that waits goes ahead by so much. */
function skip(ms: number): void {
	skipped += ms;
	jest.spyOn(n8nClock, 'now').mockImplementation(() => now() + skipped);
}

/** Each in its own way no answer about the order. */
const BAD: Fault[] = [
	{ kind: 'error', status: 403, code: 'FORBIDDEN' },
	{ kind: 'html' },
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

describe('six bad orders next to twelve good ones', () => {
	test.each([true, false])(
		'are published, shut out none of the good ones, and stay watched (Keep Checking: %s)',
		async (keepChecking) => {
			const bad = await open(BAD.length);
			const good = await open(12);
			await spoil(bad, BAD);
			const registered = await n8n.publish([watching([...bad, ...good], { keepChecking })]);
			expect(n8n.started).toEqual([]);
			const areCheckedTwice = async () => {
				const checks = await asked();
				return good.every((hash) => checks.indexOf(hash) !== checks.lastIndexOf(hash));
			};
			while (keepChecking && !(await areCheckedTwice()));
			for (const hash of good) await bridge.finish(hash, 'completed');
			// What hangs keeps a round until its time is over; no event waits for that.
			if (!keepChecking) void registered.poll();
			await n8n.untilStarted(12);
			expect(events().sort()).toEqual(good.map((hash) => `${hash} completed`).sort());
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
			expect(events().slice(12).sort()).toEqual(bad.map((hash) => `${hash} failed`).sort());
			expect(n8n.failures).toEqual([]);
		},
	);

	test.each([
		['next to twelve good ones fail no poll', 5, 12, []],
		[
			'and nothing else are said not to be checked, without blame for key or address',
			4,
			0,
			[
				{
					message: "The bridge is reachable, but can't return any order's status",
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

test('a web page between two polls: the configuration is probed between polls, and checks continue before the next poll', async () => {
	const [a = ''] = await open();
	const registered = await n8n.publish([watching([a])]);
	await bridge.fault({ kind: 'html', endpoint: 'config', times: 2 });
	await bridge.fault({ kind: 'html', endpoint: 'status', times: 1 });
	const { checker } = sessionOf(registered.contextOf());
	while (checker?.accountError === null) await bridge.requests();
	await bridge.forgetRequests();
	await bridge.finish(a, 'completed');
	// One more page, then the configuration again: nothing is checked until that is there.
	skip(5_000);
	while ((await asked()).length < 1) await bridge.requests();
	expect(n8n.started).toEqual([]);
	skip(5_000);
	await n8n.untilStarted(1);
	expect(events()).toEqual([`${a} completed`]);
	expect(await asked()).toEqual(['config', 'config', a]);
	await registered.poll();
	expect(n8n.failures).toEqual([]);
});

describe('a service that accepts connections and says nothing', () => {
	test('delays neither publishing nor a start of n8n for longer than five seconds, and what a busy machine adds', async () => {
		const hashes = await open(40);
		await bridge.fault({ kind: 'delay', delaySeconds: 3600, times: 'always' });
		const took = async (mode: WorkflowActivateMode, keepChecking: boolean): Promise<number> => {
			const other = n8nWith(bridge.credentials);
			const began = performance.now();
			await other.publish([watching(hashes, { keepChecking })], { mode, onlyPublishes: true });
			return performance.now() - began;
		};
		const all = await Promise.all(
			(['activate', 'init'] as const).flatMap((mode) => [took(mode, true), took(mode, false)]),
		);
		expect((await bridge.requests()).filter(({ status }) => status !== null)).toEqual([]);
		expect(Math.max(...all)).toBeLessThan(10_000);
	});

	test('gets one check of each order in a poll, and no more', async () => {
		const hashes = await open(40);
		const registered = await n8n.publish([polling(hashes, { simplify: false })]);
		await bridge.fault({ kind: 'delay', delaySeconds: 3600, times: 'always' });
		await bridge.forgetRequests();
		const time = deadlines();
		const polled = registered.poll();
		await untilAsked(bridge, hashes.length, checksAskedFor);
		time.pass();
		await polled;
		const checked = (await asked()).filter((each) => each !== 'config');
		expect(checked.sort()).toEqual([...new Set(hashes)].sort());
	});
});

describe.each(ENGINES)('a credential store that hangs, in the %s engine', (engine) => {
	test('ends no more than one poll: with the next one orders are checked and calls accepted', async () => {
		const [listed = '', posted = ''] = await open(2);
		const poll = await begun(engine, { sourceHashes: listed });
		await poll();
		bridge.credentials.isHanging = true;
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		// The time limits of requests end before the next poll, which comes a minute later.
		const limits = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(1_000));
		await poll();
		limits.mockRestore();
		expect(await n8n.call({ body: { sourceHash: posted } })).toMatchObject({ status: 503 });
		expect(n8n.failures).toEqual([]);
		bridge.credentials.isHanging = false;
		expect(await n8n.call({ body: { sourceHash: posted } })).toMatchObject({ status: 202 });
		await bridge.finish(listed, 'completed');
		await bridge.finish(posted, 'failed');
		await poll();
		expect(events().sort()).toEqual([`${listed} completed`, `${posted} failed`].sort());
		expect(n8n.failures).toEqual([]);
	});
});
