import { createDeferredPromise } from 'n8n-workflow';

import { VirtualClock } from '../../virtualClock';
import { Commits, MAX_COMMIT_WAIT_MS } from '../../../nodes/CrossChainBridge/n8n/commits';
import type { StartReport } from '../../../nodes/CrossChainBridge/n8n/internals';

/** One start after another in the durable engine, and what n8n reports of each. */

let clock: VirtualClock;
let commits: Commits;
let done: string[];
let starts: StartReport[];
/** The starts and steps of a poll, one after the other. */
let work: Promise<void>;
beforeEach(() => {
	clock = new VirtualClock();
	done = [];
	starts = [];
	work = Promise.resolve();
	const wait = { commitWaitMs: MAX_COMMIT_WAIT_MS };
	commits = new Commits(clock, wait, { createDeferredPromise }, () => done.push('stopped'));
});

/** Does this as soon as the start before it is committed, as a poll does, unless nothing more may be started. */
function next(step: () => void): void {
	work = work.then(async () => {
		await commits.ready();
		if (!commits.isOver) step();
	});
}

function start(...names: string[]): void {
	for (const name of names)
		next(() => {
			done.push(name);
			commits.start(
				(report) => void starts.push(report),
				() => done.push(`${name} undone`),
			);
		});
}

const step = () => next(() => done.push('step'));

/** Until every promise that can has settled; no time passes. */
const settled = async () => await clock.run(clock.now());
const starting = async (...names: string[]) => {
	start(...names);
	await settled();
};
const committed = (report: StartReport | undefined) => report?.done.resolve({} as never);
const refused = (report: StartReport | undefined) =>
	report?.response.reject(new Error('The poll no longer holds its lease'));
const failed = (more: object) => (report: StartReport | undefined) =>
	report?.done.reject(Object.assign(new Error('failed'), more));
const notRun = (report: StartReport | undefined) => report?.done.resolve(undefined as never);

test('the first start waits for nothing, the next one for the commit before it', async () => {
	await starting('a', 'b');
	expect(done).toEqual(['a']);
	committed(starts[0]);
	await settled();
	expect(done).toEqual(['a', 'b']);
	expect(commits.saved).toBe('ofLastStart');
});

test('a start that n8n drops is undone, the poll is stopped, and nothing more is started', async () => {
	await starting('a', 'b');
	refused(starts[0]);
	notRun(starts[0]);
	await settled();
	expect(done).toEqual(['a', 'a undone', 'stopped']);
	await starting('c');
	expect(done).toEqual(['a', 'a undone', 'stopped']);
	expect(commits.saved).toBe('ofLastStart');
});

test.each<[string, (report: StartReport | undefined) => void]>([
	['an execution that was stopped', notRun],
	[
		'an execution that failed before it could answer',
		(report) => [refused(report), committed(report)],
	],
	['an execution that was cancelled', failed({ extra: { executionId: '7' } })],
	['one that n8n no longer knows', failed({ extra: { executionId: '8' } })],
	[
		'an execution that has answered and was stopped',
		(report) => [report?.response.resolve({} as never), notRun(report)],
	],
])('%s is committed all the same, and the next one starts', async (_name, report) => {
	await starting('a', 'b');
	report(starts[0]);
	await settled();
	expect(done).toEqual(['a', 'b']);
	expect(commits.saved).toBe('ofLastStart');
});

test.each<[string, object]>([
	['says nothing of an execution', {}],
	['says something else', { extra: 'SQLITE_BUSY' }],
])('a start whose error %s is undone, and the poll saves nothing more', async (_name, more) => {
	await starting('a', 'b');
	failed(more)(starts[0]);
	await settled();
	expect(done).toEqual(['a', 'a undone', 'stopped']);
	expect(commits.saved).toBe('unknown');
});

test('a workflow that runs for long counts as committed after ten seconds, the next one after one second; the order of the commits is then uncertain', async () => {
	start('a', 'b', 'c');
	await clock.run(9_999);
	expect([done, commits.saved]).toEqual([['a'], 'ofLastStart']);
	await clock.run(10_000);
	expect([done, commits.saved]).toEqual([['a', 'b'], 'perhapsOlder']);
	await clock.run(10_999);
	expect(done).toEqual(['a', 'b']);
	await clock.run(11_000);
	expect(done).toEqual(['a', 'b', 'c']);
});

test('the time counts from the start: what comes ten seconds after it waits for nothing', async () => {
	await starting('a');
	await clock.run(9_000);
	start('b');
	await clock.run(9_999);
	expect(done).toEqual(['a']);
	await clock.run(10_000);
	expect(done).toEqual(['a', 'b']);
	await clock.run(30_000);
	await starting('c');
	expect(done).toEqual(['a', 'b', 'c']);
});

test('once a workflow has finished in time, the next start is waited for as before', async () => {
	start('a', 'b', 'c', 'd');
	await clock.run(10_000);
	committed(starts[1]);
	await settled();
	expect(done).toEqual(['a', 'b', 'c']);
	await clock.run(19_999);
	expect(done).toEqual(['a', 'b', 'c']);
	await clock.run(20_000);
	expect(done).toEqual(['a', 'b', 'c', 'd']);
});

test.each<[string, (report: StartReport | undefined) => void]>([
	['is dropped', (report) => [refused(report), notRun(report)]],
	['fails in the database', failed({})],
])('a start that %s after it was waited for is undone, and is the last', async (_name, report) => {
	start('a', 'b', 'c');
	await clock.run(10_000);
	report(starts[0]);
	await clock.run(20_000);
	expect(done).toEqual(['a', 'b', 'a undone', 'stopped']);
	expect(commits.saved).not.toBe('unknown');
});

test.each<[string, number, Commits['saved']]>([
	['less than ten seconds before', 9_999, 'unknown'],
	['ten seconds before', 10_000, 'perhapsOlder'],
])('at the end of a poll nothing is heard of a start %s', async (_name, after, saved) => {
	await starting('a');
	await clock.run(after - 1);
	const finished = commits.finish(after);
	await clock.run(after);
	await finished;
	expect(commits.saved).toBe(saved);
});

test('if the order of starts is uncertain, the newest state is saved though a start may still fail', async () => {
	start('a', 'b');
	await clock.run(10_000);
	const finished = commits.finish(10_500);
	await clock.run(10_500);
	await finished;
	expect(commits.saved).toBe('perhapsOlder');
});

test('a start that n8n refuses at once is not waited for', async () => {
	const refuse = () => {
		throw new Error('n8n is shutting down');
	};
	expect(() => commits.start(refuse, () => done.push('undone'))).toThrow('shutting down');
	await starting('a');
	expect(done).toEqual(['a']);
});

test('a start is waited for once', async () => {
	await starting('a');
	step();
	step();
	await clock.run(10_000);
	expect(done).toEqual(['a', 'step', 'step']);
});

test('nothing starts before what the poll begins with is committed', async () => {
	let commit: () => void = () => undefined;
	commits.begin(new Promise<void>((resolve) => (commit = resolve)));
	await starting('a');
	expect(done).toEqual([]);
	commit();
	await settled();
	expect(done).toEqual(['a']);
});

test('if that fails, the poll is stopped, and nothing is started', async () => {
	commits.begin(Promise.reject(new Error('no database')));
	await starting('a');
	expect(done).toEqual(['stopped']);
});

describe('a poll that is over', () => {
	async function finishes(withinMs: number): Promise<() => boolean> {
		await settled();
		let isOver = false;
		void commits.finish(withinMs).then(() => (isOver = true));
		await settled();
		return () => isOver;
	}

	test('waits for the commit of the last start', async () => {
		start('a');
		const isOver = await finishes(10_000);
		expect([done, isOver()]).toEqual([['a'], false]);
		committed(starts[0]);
		await settled();
		expect(isOver()).toBe(true);
		expect(commits.saved).toBe('ofLastStart');
	});

	test('waits for nothing if nothing was started', async () => {
		expect((await finishes(10_000))()).toBe(true);
	});

	test('waits no longer than it may, and drops what has not begun by then', async () => {
		start('a', 'b');
		const isOver = await finishes(500);
		await clock.run(499);
		expect(isOver()).toBe(false);
		await clock.run(500);
		expect(isOver()).toBe(true);
		committed(starts[0]);
		await settled();
		expect(done).toEqual(['a']);
	});

	test('starts nothing more if the report of the last start comes with the end of its time', async () => {
		start('a', 'b');
		const isOver = await finishes(500);
		clock.at(500, () => committed(starts[0]));
		await clock.run(500);
		expect([done, isOver()]).toEqual([['a'], true]);
	});

	test.each([0, -1])('waits for nothing if %i ms are left', async (ms) => {
		start('a');
		const isOver = await finishes(ms);
		await clock.run(0);
		expect(isOver()).toBe(true);
	});

	test('what n8n drops after that undoes nothing, because the next poll has its own state', async () => {
		start('a', 'b');
		const isOver = await finishes(500);
		await clock.run(500);
		refused(starts[0]);
		notRun(starts[0]);
		await settled();
		expect([done, isOver()]).toEqual([['a'], true]);
	});
});

test('if the database fails late, and nothing was started since, only it knows', async () => {
	await starting('a');
	step();
	await clock.run(10_000);
	failed({})(starts[0]);
	await settled();
	expect(done).toEqual(['a', 'step', 'a undone', 'stopped']);
	expect(commits.saved).toBe('unknown');
});

test('a poll that is over waits for the last start up to ten seconds', async () => {
	start('a', 'b');
	await clock.run(10_000);
	committed(starts[0]);
	let isOver = false;
	void commits.finish(60_000).then(() => (isOver = true));
	await clock.run(19_999);
	expect(isOver).toBe(false);
	await clock.run(20_000);
	expect([isOver, commits.saved]).toEqual([true, 'perhapsOlder']);
});
