import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import {
	changedInN8n,
	cursorCommit,
	durableBudgetMs,
	hasDurableCursor,
	isTool,
	nodesOfWorkflow,
	reportsStarts,
	startWorkflow,
	type StartReport,
	takeFromOtherVersion,
	tickAgain,
	tickEverySecond,
	withOwnSignal,
} from '../../../nodes/CrossChainBridge/n8n/internals';
import { FakeN8n } from './n8n';

/** What n8n does not document: that it is there, and what is said if it is not. In real cores: test/engine/internals. */

const usual = (changes: object = {}): IPollFunctions => {
	const n8n = new FakeN8n();
	return n8n.register(n8n.node(), { changes }).context;
};
const durable = (changes: object = {}): IPollFunctions => {
	const n8n = new FakeN8n();
	return n8n.durable(n8n.node(), changes);
};
const inWorkflow = { getWorkflowStaticData: () => ({ __dataChanged: false }) };

test.each<[string, IPollFunctions]>([
	['the usual engine before 2.38', usual()],
	['the usual engine since then', usual({ getPollBudgetMs: () => 300_000 })],
	['one that gives a poll more time', usual({ getPollBudgetMs: () => 600_000 })],
	['the durable engine', durable()],
	['one with the longest poll', durable({ getPollBudgetMs: () => 60_000 })],
	['one without durable cursors', durable({ ...inWorkflow, __commitCursor: undefined })],
])('nothing has changed in %s', async (_what, context) => {
	expect(await changedInN8n(context)).toBeNull();
});

test.each<[string, IPollFunctions, RegExp]>([
	[
		'no start between polls',
		usual({ __emit: undefined }),
		/no longer lets a polling trigger start/,
	],
	[
		'a start that cannot be called',
		usual({ __emit: {} }),
		/no longer lets a polling trigger start/,
	],
	[
		'a budget of neither engine',
		usual({ getPollBudgetMs: () => 120_000 }),
		/gives a poll 120 seconds/,
	],
	[
		'another sign of changed data',
		usual({ getWorkflowStaticData: () => ({}) }),
		/no longer notices/,
	],
	['no schedule', usual({ helpers: { registerCron: undefined } }), /register a schedule/],
	['no save in a durable poll', durable({ __commitCursor: undefined }), /durable engine save/],
])('a change is said in a sentence with the version: %s', async (_what, context, sentence) => {
	const changed = await changedInN8n(context);
	expect(changed).toMatch(sentence);
	expect(changed).toMatch(/\(n8n-workflow \d+\.\d+\.\d+\)$/);
});

test.each<[string, IPollFunctions, number | null]>([
	['before 2.38', usual(), null],
	['in the usual engine', usual({ getPollBudgetMs: () => 300_000 }), null],
	['in the durable one', durable(), 36_000],
	['as text', usual({ getPollBudgetMs: () => '36000' }), null],
	['as a number', usual({ getPollBudgetMs: 36_000 }), null],
])('the time of a poll, %s: %3$j', (_what, context, ms) => {
	expect(durableBudgetMs(context)).toBe(ms);
});

test('the time of a poll is asked of n8n’s own context', () => {
	const context = usual({
		ms: 9_000,
		getPollBudgetMs: function (this: { ms: number }) {
			return this.ms;
		},
	});
	expect(durableBudgetMs(context)).toBe(9_000);
});

test('n8n keeps the node’s data in a table of its own, or in the workflow, where it notices changes', () => {
	expect([hasDurableCursor(durable()), hasDurableCursor(usual())]).toEqual([true, false]);
});

test.each<[string, IPollFunctions, boolean]>([
	['before 2.38', usual(), false],
	['since then', usual({ getPollBudgetMs: () => 300_000 }), true],
	['in the durable engine', durable(), true],
])(
	'what became of a start is reported, or an error of it would be caught by nobody: %s',
	(_what, context, isReported) => {
		expect(reportsStarts(context)).toBe(isReported);
	},
);

test('a change is said without a version if n8n does not show one', async () => {
	jest.doMock('n8n-workflow/package.json', () => {
		throw new Error('not exported');
	});
	try {
		expect(await changedInN8n(usual({ __emit: undefined }))).toMatch(
			/\(n8n-workflow of unknown version\)$/,
		);
	} finally {
		jest.dontMock('n8n-workflow/package.json');
	}
});

test('the workflow starts with one item, and with what n8n reports on it', () => {
	const calls: unknown[][] = [];
	const context = usual({ __emit: (...given: unknown[]) => calls.push(given) });
	const report = { response: {}, done: {} } as StartReport;
	startWorkflow(context, { a: 1 });
	startWorkflow(context, { b: 2 }, report);
	expect(calls).toEqual([
		[[[{ json: { a: 1 } }]], undefined, undefined],
		[[[{ json: { b: 2 } }]], report.response, report.done],
	]);
});

test('a poll of the durable engine can have its state saved, and no other', async () => {
	const committed = jest.fn();
	await cursorCommit(durable({ __commitCursor: committed }))?.();
	expect(committed).toHaveBeenCalledTimes(1);
	expect(cursorCommit(usual())).toBeNull();
});

describe('a tick each second', () => {
	test('comes by one schedule for a registration, and goes to the last one that asked', () => {
		const n8n = new FakeN8n();
		const expressions: unknown[] = [];
		const { context } = n8n.register(n8n.node());
		let tick = () => undefined as void;
		context.helpers.registerCron = ({ expression }, onTick) => {
			expressions.push(expression);
			tick = onTick;
		};
		const done: string[] = [];
		tickEverySecond(context, () => done.push('old code'));
		tickEverySecond(context, () => done.push('new code'));
		tick();
		expect([expressions, done]).toEqual([['* * * * * *'], ['new code']]);
	});

	test('that is asked for again comes by another spelling, and no longer by the first, which may live all the same', () => {
		const n8n = new FakeN8n();
		const { context } = n8n.register(n8n.node());
		const schedules = new Map<string, () => void>();
		context.helpers.registerCron = ({ expression }, tick) => void schedules.set(expression, tick);
		const onTick = jest.fn();
		tickAgain(context);
		tickEverySecond(context, onTick);
		tickAgain(context);
		tickAgain(context);
		expect([...schedules.keys()].map((each) => each.split(/ +/).join(' '))).toEqual(
			Array(3).fill('* * * * * *'),
		);
		for (const [count, tick] of [...schedules.values()].entries()) {
			tick();
			expect(onTick).toHaveBeenCalledTimes(count === 2 ? 1 : 0);
		}
	});

	test('of another version of this package ends when its registration is taken, which says that there was one', () => {
		const n8n = new FakeN8n();
		const { context, ticks } = n8n.register(n8n.node());
		expect(takeFromOtherVersion(context)).toBe(false);
		const onTick = jest.fn();
		tickEverySecond(context, onTick);
		expect(takeFromOtherVersion(context)).toBe(true);
		ticks[0]?.();
		expect(onTick).not.toHaveBeenCalled();
	});

	test('is asked for again if n8n has not accepted it', () => {
		const n8n = new FakeN8n();
		const { context, ticks } = n8n.register(n8n.node());
		const { registerCron } = context.helpers;
		context.helpers.registerCron = () => {
			throw new Error('not now');
		};
		expect(() => tickEverySecond(context, () => undefined)).toThrow('not now');
		context.helpers.registerCron = registerCron;
		tickEverySecond(context, () => undefined);
		expect(ticks).toHaveLength(1);
	});
});

test('the nodes of the workflow are known, or not, and then nobody is taken for missing', () => {
	const n8n = new FakeN8n();
	const node = n8n.node();
	expect(nodesOfWorkflow(n8n.register(node).context)).toMatchObject([{ id: 'node' }]);
	for (const workflow of [undefined, null, 'x', {}, { nodes: null }])
		expect(nodesOfWorkflow(usual({ workflow }))).toBeNull();
});

test('a node that is an agent’s tool is told by its type', () => {
	const isOfType = (type: string) =>
		isTool({ getNode: () => ({ type }) } as Partial<IExecuteFunctions> as IExecuteFunctions);
	expect(['crossChainBridge', 'crossChainBridgeTool'].map(isOfType)).toEqual([false, true]);
});

test('a request keeps its own signal, whatever n8n assigns', () => {
	const own = new AbortController().signal;
	const request = withOwnSignal({ url: 'x' }, own);
	Object.assign(request, { abortSignal: new AbortController().signal });
	expect(request.abortSignal).toBe(own);
	expect(Object.keys(request)).toContain('abortSignal');
});
