import { sessionOf } from '../../nodes/CrossChainBridge/n8n/session';
import type { Fault } from '../../sandbox';
import { restarted } from './restarted';
import { checksAskedFor, n8nWith, rehearse, untilAsked, wallClockAhead } from './sandboxed';
import { bridge, events, messages, n8n, openAndDue as open, watching } from './scene';

/** How the trigger keeps checking between polls: by the ticks of the real scheduler of n8n-core, and inside a durable poll. */

const untilRequests = async (count: number) => await untilAsked(bridge, count);

/**
 * Until a check is under way whose answer, and that of each later one, says that the order is completed, and comes when the faults are
 * cleared. In one step: a check between two of them would be answered at once.
 */
async function untilCompletedIsOnItsWay(): Promise<void> {
	const completed = {
		kind: 'fields',
		endpoint: 'status',
		answer: { status: 'completed' },
	} as const;
	await bridge.fault({ ...completed, delaySeconds: 3600, times: 'always' });
	await untilAsked(bridge, 1, async ({ requests }) =>
		(await requests()).filter(({ path, status }) => path.endsWith('/status') && status === null),
	);
}

test('each event is emitted between polls, once; polls in between, also overlapping ones, change nothing', async () => {
	const [a = '', b = ''] = await open(2);
	const registered = await n8n.publish([watching([a, b])]);
	expect(n8n.started).toEqual([]);
	await bridge.finish(b, 'failed');
	await n8n.untilStarted(1);
	await bridge.finish(a, 'completed');
	await Promise.all([registered.poll(), registered.poll()]);
	await n8n.untilStarted(2);
	await registered.poll();
	expect(events()).toEqual([`${b} failed`, `${a} completed`]);
	expect(n8n.failures).toEqual([]);
	await bridge.forgetRequests();
	await n8n.publish([watching([a, b])], { mode: 'update' });
	// All are finished: publishing asks for the configuration, and nothing is checked any more.
	expect((await bridge.requests()).map(({ path }) => path)).toEqual(['/api/sdk/v2/config']);
});

test('orders are checked as often as Check Every says, whenever n8n polls', async () => {
	const [fast = '', slow = ''] = await open(2);
	const registered = await n8n.publish([
		{ name: 'Fast', ...watching([fast]) },
		{ name: 'Slow', ...watching([slow], { checkEvery: 60 }) },
	]);
	const checks = async (hash: string) =>
		(await checksAskedFor(bridge)).filter(({ sourceHash }) => sourceHash === hash).length;
	for (let poll = 0; poll <= 3; poll++) {
		if (poll > 0) await registered.poll('Slow');
		// The orders are alike; the fast one's checks are the clock.
		while ((await checks(fast)) < 3 + poll);
	}
	expect(await checks(slow)).toBe(1);
});

test('a check that is answered after the workflow was unpublished emits nothing, and the event is emitted when it is published again', async () => {
	const [a = ''] = await open();
	await n8n.publish([watching([a])]);
	await untilCompletedIsOnItsWay();
	await n8n.unpublish();
	await bridge.finish(a, 'completed');
	await bridge.clearFaults();
	const [probe = ''] = await open();
	await bridge.finish(probe, 'completed');
	const again = await n8n.publish([watching([a, probe])]);
	await n8n.untilStarted(2);
	again.tick();
	expect(events().sort()).toEqual([`${a} completed`, `${probe} completed`].sort());
	expect(n8n.dropped).toEqual([]);
});

test('unpublished during the first poll that finds its credential: no tick remains, and the event is emitted when it is published again', async () => {
	const [a = ''] = await open();
	const { data } = bridge.credentials;
	bridge.credentials.data = undefined;
	const started = await n8n.publish([watching([a])], { mode: 'init' });
	bridge.credentials.data = data;
	const poll = started.poll();
	await n8n.unpublish();
	await bridge.finish(a, 'completed');
	await poll;
	const other = n8nWith(bridge.credentials);
	const [probe = ''] = await open();
	await bridge.finish(probe, 'completed');
	// By then a schedule of a second has come.
	await other.publish([watching([probe])]);
	await other.untilStarted(1);
	expect([n8n.started, n8n.dropped]).toEqual([[], []]);
	await n8n.publish([watching([a])]);
	await n8n.untilStarted(1);
	expect(events()).toEqual([`${a} completed`]);
});

test('if the usual engine keeps the node’s data apart, it checks between polls as well', async () => {
	const [a = ''] = await open();
	n8n.keepsNodeDataApart = true;
	await n8n.publish([watching([a])], { mode: 'init' });
	await bridge.finish(a, 'completed');
	await n8n.untilStarted(1);
	expect(events()).toEqual([`${a} completed`]);
});

test('after the workflow is published again the older registration emits nothing, also with a check in flight', async () => {
	const [a = ''] = await open();
	const older = await n8n.publish([watching([a])]);
	await untilCompletedIsOnItsWay();
	await n8n.publish([watching([a])], { mode: 'update' });
	await bridge.finish(a, 'completed');
	await bridge.clearFaults();
	older.tick();
	await n8n.untilStarted(1);
	older.tick();
	await older.poll();
	expect(events()).toEqual([`${a} completed`]);
});

test('a registration that n8n makes without dropping the one before checks between polls, and accepts orders', async () => {
	const [a = '', b = ''] = await open(2);
	const watch = watching([a], { acceptOrders: true });
	await n8n.publish([watch]);
	for (const mode of ['update', 'leadershipChange'] as const) await n8n.publish([watch], { mode });
	await bridge.finish(a, 'completed');
	await n8n.untilStarted(1);
	expect(await n8n.call({ body: { sourceHash: b } })).toMatchObject({ status: 202 });
	await bridge.finish(b, 'failed');
	await n8n.untilStarted(2);
	expect(events()).toEqual([`${a} completed`, `${b} failed`]);
});

test('a key that is refused ends the checks until the configuration accepts it', async () => {
	const [a = ''] = await open();
	const registered = await n8n.publish([watching([a])]);
	bridge.credentials.data = { ...bridge.credentials.data, apiKey: 'wrong' };
	await registered.poll();
	while (sessionOf(registered.contextOf()).checker?.accountError === null) await bridge.requests();
	await registered.poll();
	await registered.poll();
	expect(messages()).toEqual([
		'The bridge does not accept the API key. Correct it in the credential.',
	]);
	bridge.credentials.data = { ...bridge.credentials.data, apiKey: bridge.sandbox.apiKey };
	await bridge.finish(a, 'completed');
	await registered.poll();
	await n8n.untilStarted(1);
	expect(events()).toEqual([`${a} completed`]);
});

test.each<[string, Fault, string]>([
	[
		'are those of the new account',
		{
			kind: 'fields',
			answer: { networks: [{ chainID: 101, name: 'Other Chain' }] },
			delaySeconds: 0.3,
		},
		'from Other Chain',
	],
	[
		'are not known while its configuration is not',
		{ kind: 'error', status: 503 },
		'from network 101',
	],
])('after the credential was changed the names in items %s', async (_what, fault, expected) => {
	const native = { inputNetwork: 101, outputNetwork: 102, end: 'never' } as const;
	const [a = '', b = ''] = await bridge.begin(native, native);
	const registered = await n8n.publish([watching([a, b], { keepChecking: false })]);
	await bridge.finish(a, 'completed');
	await registered.poll();
	const other = await rehearse();
	await other.fault({ ...fault, endpoint: 'config', times: 'always' });
	await other.begin({ ...native, sourceHash: b });
	await other.finish(b, 'failed');
	bridge.credentials.data = { ...bridge.credentials.data, baseUrl: other.sandbox.url };
	await registered.poll();
	await n8n.untilStarted(2);
	expect(n8n.started.map(({ json }) => json.summary)).toEqual([
		expect.stringContaining('from Ethereum arrived on Base'),
		expect.stringContaining(expected),
	]);
});

test('what the address before still answers is not emitted any more', async () => {
	const [a = ''] = await open();
	const registered = await n8n.publish([watching([a])]);
	const other = await rehearse();
	await other.begin({ sourceHash: a, end: 'never' });
	await untilCompletedIsOnItsWay();
	bridge.credentials.data = { ...bridge.credentials.data, baseUrl: other.sandbox.url };
	await registered.poll();
	await bridge.clearFaults();
	await other.finish(a, 'failed');
	await n8n.untilStarted(1);
	expect(events()).toEqual([`${a} failed`]);
});

describe('two publishings at once', () => {
	test('the one that is overtaken emits nothing', async () => {
		const [a = ''] = await open();
		await bridge.forgetRequests();
		await bridge.fault({ kind: 'delay', endpoint: 'config', delaySeconds: 3600 });
		const overtaken = n8n.publish([watching([a])]);
		await untilRequests(1);
		await n8n.publish([watching([a])], { mode: 'update' });
		await bridge.clearFaults();
		const older = await overtaken;
		await bridge.finish(a, 'completed');
		await n8n.untilStarted(1);
		older.tick();
		await older.poll();
		expect(events()).toEqual([`${a} completed`]);
	});

	test('one that fails late leaves the one that has overtaken it in charge', async () => {
		const [a = ''] = await open();
		const right = bridge.credentials.data;
		bridge.credentials.data = { ...right, apiKey: 'wrong' };
		await bridge.forgetRequests();
		await bridge.fault({ kind: 'delay', delaySeconds: 3600 });
		const failed = n8n.publish([watching([a])]).catch((error: Error) => error.message);
		await untilRequests(1);
		bridge.credentials.data = right;
		const newer = await n8n.publish([watching([a])], { mode: 'update' });
		await bridge.clearFaults();
		expect(await failed).toContain('does not accept the API key');
		// Asked of the watch itself: newer versions of n8n-core remove the ticks of both when one fails.
		expect(sessionOf(newer.contextOf()).runner?.context).toBe(newer.contextOf());
	});
});

test('names of networks that come too late for the first poll are in the items after it', async () => {
	const [a = ''] = await open();
	await bridge.fault({ kind: 'delay', endpoint: 'config', delaySeconds: 3600 });
	await n8n.publish([watching([a])], { mode: 'init' });
	await bridge.clearFaults();
	await bridge.finish(a, 'completed');
	await n8n.untilStarted(1);
	expect(n8n.started[0]?.json).toMatchObject({
		summary: expect.stringContaining('from Ethereum arrived on Base'),
	});
});

describe('the durable engine', () => {
	// The checks stop 4 s before; a poll whose orders are all finished returns at once.
	const BUDGET_MS = 6_000;
	const AMPLE_BUDGET_MS = 20_000;
	// The longest that n8n gives, and a time for tests that end with a poll that does not use it up.
	const ENDLESS_BUDGET_MS = 60_000;
	const LESS_THAN_ENDLESS_MS = 50_000;

	test('a poll keeps checking within its budget, and emits each event when it is seen', async () => {
		const [a = '', b = ''] = await open(2);
		const polling = n8n.durablePoll(watching([a, b]), AMPLE_BUDGET_MS);
		await untilRequests(2);
		await bridge.finish(a, 'completed');
		await n8n.untilStarted(1);
		await bridge.finish(b, 'failed');
		await n8n.untilStarted(2);
		await polling;
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		expect(events()).toEqual([`${a} completed`, `${b} failed`]);
	});

	test('without durable cursors it emits in each poll, and registers no ticks', async () => {
		const [a = '', b = ''] = await open(2);
		n8n.keepsDurableStateInWorkflow = true;
		await n8n.publish([watching([])]);
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		await bridge.finish(a, 'completed');
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		await bridge.finish(b, 'failed');
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		expect(events()).toEqual([`${a} completed`, `${b} failed`]);
		expect(n8n.failures).toEqual([]);
	});

	test('a poll ends before the next of its Poll Times, which go by a wall clock that may be ahead', async () => {
		const [a = ''] = await open();
		wallClockAhead(61_000);
		const due = 1000 * Math.ceil(Date.now() / 1000) + 4_000;
		const pollTimes = {
			item: [{ mode: 'custom', cronExpression: `${new Date(due).getSeconds()} * * * * *` }],
		};
		// The timers of a process that stands still for a moment fire in their order all the same.
		const isDue = new Promise<string>((resolve) =>
			setTimeout(() => resolve('too late'), due - Date.now()),
		);
		const polled = n8n
			.durablePoll(watching([a], { pollTimes }), ENDLESS_BUDGET_MS)
			.then(() => 'in time');
		await expect(Promise.race([polled, isDue])).resolves.toBe('in time');
	});

	test('what is committed is the truth: an event that n8n has dropped is emitted again', async () => {
		const [a = ''] = await open();
		await bridge.finish(a, 'completed');
		await n8n.durablePoll(watching([a]), BUDGET_MS);
		await n8n.durablePoll(watching([a]), BUDGET_MS);
		expect(events()).toHaveLength(1);
		n8n.durableCursors.clear();
		wallClockAhead(61_000);
		await n8n.durablePoll(watching([a]), BUDGET_MS);
		expect(events()).toHaveLength(2);
	});

	test('an event whose commit is still under way is not emitted again by a poll that begins meanwhile', async () => {
		const [a = '', b = ''] = await open(2);
		await bridge.finish(a, 'completed');
		const waiting: Array<() => void> = [];
		n8n.waitingCommits = waiting;
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		for (const save of waiting) save();
		n8n.waitingCommits = null;
		await bridge.finish(b, 'failed');
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		expect(events()).toEqual([`${a} completed`, `${b} failed`]);
	});

	test('a workflow that runs for longer than the poll that started it does not keep the next poll from checking', async () => {
		const [a = '', b = ''] = await open(2);
		await bridge.finish(a, 'completed');
		n8n.endsExecutions = false;
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		await bridge.finish(b, 'failed');
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		expect(events()).toEqual([`${a} completed`, `${b} failed`]);
	});

	test('a poll next to which another process polls leaves at once; when that one has returned, the next is not kept waiting', async () => {
		const [a = '', b = ''] = await open(2);
		// Its checks are under way until the faults are cleared, so that it makes no others.
		await bridge.fault({ kind: 'delay', endpoint: 'status', delaySeconds: 3600, times: 'always' });
		const polling = n8n.durablePoll(watching([a, b]), AMPLE_BUDGET_MS);
		// That for the names of the networks, and both checks.
		await untilRequests(3);
		const another = restarted(n8n);
		const before = (await bridge.requests()).length;
		await another.durablePoll(watching([a, b]), ENDLESS_BUDGET_MS);
		expect((await bridge.requests()).length).toBe(before);
		for (const hash of [a, b]) await bridge.finish(hash, 'completed');
		await bridge.clearFaults();
		await polling;
		expect([events().length, another.started.length, another.failures]).toEqual([2, 0, []]);
		const [c = ''] = await open(1);
		await bridge.finish(c, 'completed');
		const next = restarted(n8n);
		await next.durablePoll(watching([a, b, c]), AMPLE_BUDGET_MS);
		expect(next.started).toHaveLength(1);
	});

	test('a poll that begins after another one whose last commit is still to come, leaves at once', async () => {
		const [a = ''] = await open();
		const began = Date.now();
		const polling = n8n.durablePoll(watching([a]), BUDGET_MS);
		await untilRequests(1);
		n8n.waitingCommits = [];
		await polling;
		n8n.waitingCommits = null;
		await bridge.finish(a, 'completed');
		const another = restarted(n8n);
		jest.spyOn(Date, 'now').mockReturnValue(began + BUDGET_MS + 700);
		await another.durablePoll(watching([a]), BUDGET_MS);
		expect([another.started, another.failures]).toEqual([[], []]);
	});

	test('a poll whose process died holds up the polls after its time no longer, nor does one from a clock far ahead', async () => {
		const [a = ''] = await open();
		void n8n.durablePoll(watching([a]), AMPLE_BUDGET_MS);
		await untilRequests(1);
		const [after, ahead] = [restarted(n8n), restarted(n8n)];
		await bridge.finish(a, 'completed');
		for (const [process, shift] of [
			[after, 1.25 * AMPLE_BUDGET_MS],
			[ahead, -3 * AMPLE_BUDGET_MS],
		] as const) {
			wallClockAhead(shift);
			await process.durablePoll(watching([a]), AMPLE_BUDGET_MS);
			expect(process.started).toHaveLength(1);
		}
	});

	test('a process that stood still emits nothing and saves nothing when it continues: the next poll may have begun', async () => {
		const [a = '', b = ''] = await open(2);
		const polling = n8n.durablePoll(watching([a, b]), BUDGET_MS);
		await untilRequests(2);
		const saved = structuredClone([...n8n.durableCursors]);
		wallClockAhead(BUDGET_MS);
		for (const hash of [a, b]) await bridge.finish(hash, 'completed');
		await polling;
		expect([n8n.started.length, [...n8n.durableCursors]]).toEqual([0, saved]);
		await n8n.durablePoll(watching([a, b]), BUDGET_MS);
		expect(events()).toHaveLength(2);
	});

	test.each([
		['however n8n commits them', true, true, [400, 200, 0, 0]],
		['also without Keep Checking', false, true, [400, 200, 0, 0]],
		['also if the workflow runs for longer than the poll', true, false, [2_500, 0, 0]],
	])(
		'events that are emitted at the same time are all known to the next process, %s',
		async (_how, keepChecking, endsExecutions, commitTakesMs) => {
			const hashes = await open(commitTakesMs.length);
			for (const hash of hashes) await bridge.finish(hash, 'completed');
			Object.assign(n8n, { endsExecutions, commitTakesMs: [...commitTakesMs] });
			await n8n.durablePoll(watching(hashes, { keepChecking }), AMPLE_BUDGET_MS);
			expect(n8n.started).toHaveLength(hashes.length);
			await Promise.all(n8n.commits);
			const another = restarted(n8n);
			await another.durablePoll(watching(hashes, { keepChecking }), AMPLE_BUDGET_MS);
			expect(another.started).toEqual([]);
		},
	);

	test.each<[string, () => void]>([
		[
			'an event that n8n drops stops the poll, and the next one emits it at once',
			() => (n8n.holdsLease = false),
		],
		[
			'an event that the database does not accept is not taken for emitted: the poll ends, saves nothing, and the next one emits it',
			() => (n8n.failingCommits = 1),
		],
	])(
		'%s',
		async (_name, prevent) => {
			const [a = '', b = '', c = ''] = await open(3);
			await bridge.finish(a, 'completed');
			await bridge.finish(b, 'completed');
			prevent();
			// c is still open: a poll that continued would last longer than this test may.
			await n8n.durablePoll(watching([a, b, c]), ENDLESS_BUDGET_MS);
			expect([n8n.dropped.length, n8n.started.length]).toEqual([1, 0]);
			n8n.holdsLease = true;
			await bridge.finish(c, 'failed');
			await n8n.durablePoll(watching([a, b, c]), AMPLE_BUDGET_MS);
			expect(events().sort()).toEqual([`${a} completed`, `${b} completed`, `${c} failed`].sort());
		},
		LESS_THAN_ENDLESS_MS,
	);

	test('two triggers with one key that poll at the same time each emit in their own poll', async () => {
		const [a = '', b = ''] = await open(2);
		const polls = [a, b].map(
			async (hash) => await n8n.durablePoll({ ...watching([hash]), name: `Of ${hash}` }, BUDGET_MS),
		);
		await untilRequests(2);
		for (const hash of [a, b]) await bridge.finish(hash, 'completed');
		await Promise.all(polls);
		expect(events().sort()).toEqual([a, b].map((hash) => `${hash} completed`).sort());
		expect(n8n.failures).toEqual([]);
	});

	test(
		'nor is one whose commit fails after the next event was started: the poll ends, and saves that it is open',
		async () => {
			const [a = '', b = '', c = ''] = await open(3);
			await bridge.finish(a, 'completed');
			await bridge.finish(b, 'completed');
			n8n.failingCommits = 1;
			n8n.commitTakesMs = [11_000];
			await n8n.durablePoll(watching([a, b, c]), ENDLESS_BUDGET_MS);
			expect([n8n.dropped.length, n8n.started.length]).toEqual([1, 1]);
			await bridge.finish(c, 'failed');
			const another = restarted(n8n);
			await another.durablePoll(watching([a, b, c]), AMPLE_BUDGET_MS);
			const all = [...n8n.started, ...another.started].map(({ json }) => json.sourceHash);
			expect(all.sort()).toEqual([a, b, c].sort());
		},
		LESS_THAN_ENDLESS_MS,
	);

	test('what a poll has not emitted when it ends is left to the next one', async () => {
		const hashes = await open(12);
		for (const hash of hashes) await bridge.finish(hash, 'completed');
		// Nothing says that a start is committed, so the next one waits for longer than the poll lasts.
		n8n.endsExecutions = false;
		await n8n.durablePoll(watching(hashes, { keepChecking: false }), BUDGET_MS);
		const before = n8n.started.length;
		expect(before).toBeLessThan(12);
		// What a start would wait for happens now.
		n8n.endExecutions();
		for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
		expect(n8n.started).toHaveLength(before);
		n8n.endsExecutions = true;
		await n8n.durablePoll(watching(hashes, { keepChecking: false }), AMPLE_BUDGET_MS);
		expect(events().sort()).toEqual(hashes.map((hash) => `${hash} completed`).sort());
	});

	test.each([true, false])(
		'an answer that drips cannot make the poll overrun its budget (Keep Checking: %s)',
		async (keepChecking) => {
			const [a = ''] = await open();
			await bridge.fault({ kind: 'drip', bytesPerSecond: 1, times: 'always' });
			const tooLate = new Promise<string>((resolve) =>
				AbortSignal.timeout(BUDGET_MS).addEventListener('abort', () => resolve('overran'), {
					once: true,
				}),
			);
			const polled = n8n
				.durablePoll(watching([a], { keepChecking }), BUDGET_MS)
				.then(() => 'in time');
			await expect(Promise.race([polled, tooLate])).resolves.toBe('in time');
		},
	);
});

test('a Retry-After that is a date goes by the clock of the bridge, which may be ahead', async () => {
	wallClockAhead(-3_600_000);
	const [hash = ''] = await open();
	await n8n.publish([watching([hash])]);
	await bridge.fault({
		kind: 'error',
		status: 429,
		retryAfterSeconds: 1,
		retryAfterForm: 'date',
	});
	await bridge.finish(hash, 'completed');
	await n8n.untilStarted(1);
	expect(events()).toEqual([`${hash} completed`]);
});
