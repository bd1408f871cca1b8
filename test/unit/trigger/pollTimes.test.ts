import type { IPollFunctions } from 'n8n-workflow';

import {
	type DurableTimes,
	isDurablePoll,
	pollBudgetMs,
	timesOf,
} from '../../../nodes/CrossChainBridge/trigger/pollTimes';

test.each<[string, object, number, boolean]>([
	['n8n before 2.38 has no poll budget', {}, 300_000, false],
	['its usual engine bounds nothing', { getPollBudgetMs: () => 300_000 }, 300_000, false],
	['its durable engine states a budget', { getPollBudgetMs: () => 36_000 }, 36_000, true],
	['a longer one is a budget as well', { getPollBudgetMs: () => 600_000 }, 600_000, true],
	['what is no number bounds nothing', { getPollBudgetMs: () => '36000' }, 300_000, false],
	['nor does what cannot be called', { getPollBudgetMs: 36_000 }, 300_000, false],
])('%s', (_what, members, budgetMs, isDurable) => {
	const context = members as unknown as IPollFunctions;
	expect([pollBudgetMs(context), isDurablePoll(context)]).toEqual([budgetMs, isDurable]);
});

test('the budget is asked of n8n’s own context', () => {
	const context = {
		ms: 9_000,
		getPollBudgetMs: function () {
			return this.ms;
		},
	};
	expect(pollBudgetMs(context as unknown as IPollFunctions)).toBe(9_000);
});

interface Moment {
	now: number;
	wall: number;
}

/** The times of a poll of n8n's durable engine, which begins at that moment. */
function durableTimes(pollTimes: unknown, budgetMs: number, moment: Moment): DurableTimes | null {
	const context = { getNodeParameter: () => pollTimes, getPollBudgetMs: () => budgetMs };
	return timesOf(context as unknown as IPollFunctions, moment);
}

const MINUTE = Date.parse('2026-01-01T00:10:00Z');
const at = (second: number): number => MINUTE + second * 1000;
const custom = (...expressions: string[]) => ({
	item: expressions.map((cronExpression) => ({ mode: 'custom', cronExpression })),
});
const THIRDS = custom('0 * * * * *', '20 * * * * *', '40 * * * * *');

test.each<[string, unknown, number, number | null]>([
	['three poll times', THIRDS, at(0), at(20)],
	['one that begins late', THIRDS, at(22), at(40)],
	['one that begins very late', THIRDS, at(38), at(60)],
	['over the end of the minute', THIRDS, at(41), at(60)],
	['several seconds in one expression', custom('0,30 * * * * *'), at(1), at(30)],
	['one poll time', custom('5 * * * * *'), at(5), at(65)],
	['five fields', custom('* * * * *'), at(1), at(60)],
	['a built-in mode', { item: [{ mode: 'everyMinute' }] }, at(0), null],
	[
		'a built-in mode beside a custom one',
		{
			item: [
				{ mode: 'everyHour', minute: 0 },
				{ mode: 'custom', cronExpression: '30 * * * * *' },
			],
		},
		at(0),
		at(30),
	],
	['seconds by a step, which n8n refuses', custom('*/10 * * * * *'), at(0), null],
	['spaces around the expression', custom('  30 * * * * * '), at(0), at(30)],
	['a field too many', custom('30 * * * * * 2026'), at(0), null],
	['the first poll that is not late', THIRDS, at(17) - 1, at(20)],
	[
		'a poll that begins three seconds early, which is the one of that moment',
		THIRDS,
		at(17),
		at(40),
	],
	['the last second of the minute', custom('59 * * * * *'), at(0), at(59)],
	['a second that no minute has', custom('60 * * * * *'), at(0), null],
	[
		'seconds as no cron expression writes them',
		custom('1e1 * * * * *', '0x5 * * * * *', '005 * * * * *', '+7 * * * * *'),
		at(0),
		null,
	],
	['tabs and several spaces between the fields', custom('30  *\t* * * *'), at(0), at(30)],
	[
		'an expression that is no text',
		{ item: [{ mode: 'custom', cronExpression: 30 }] },
		at(0),
		null,
	],
	[
		'a built-in mode that still has an expression',
		{ item: [{ mode: 'everyX', cronExpression: '30 * * * * *' }] },
		at(0),
		null,
	],
	[
		'items that are no list',
		{ item: { mode: 'custom', cronExpression: '30 * * * * *' } },
		at(0),
		null,
	],
	['what is no expression', custom('soon', '99 * * * * *'), at(0), null],
	['nothing', undefined, at(0), null],
])('the next poll: %s', (_what, pollTimes, now, expected) => {
	// Longer than the time to any next poll: then the budget bounds it, if no next poll is known.
	const budgetMs = 100_000;
	expect(durableTimes(pollTimes, budgetMs, { now, wall: now })?.until).toBe(
		expected === null ? now + budgetMs - 500 : expected - 700,
	);
});

describe('the times of a durable poll', () => {
	test.each<[string, unknown, number, number, { checksUntil: number; until: number }]>([
		[
			'its budget bounds it',
			{ item: [{ mode: 'everyMinute' }] },
			at(0),
			36_000,
			{ checksUntil: at(34.5), until: at(35.5) },
		],
		[
			'the next poll comes later than its budget',
			custom('50 * * * * *'),
			at(0),
			36_000,
			{ checksUntil: at(34.5), until: at(35.5) },
		],
		[
			'the next poll comes before that',
			THIRDS,
			at(0),
			36_000,
			{ checksUntil: at(18.7), until: at(19.3) },
		],
		[
			'the next poll would be met by its very end',
			THIRDS,
			at(0),
			19_800,
			{ checksUntil: at(18.3), until: at(19.3) },
		],
		[
			'the next poll comes a millisecond sooner',
			THIRDS,
			at(0),
			19_801,
			{ checksUntil: at(18.7), until: at(19.3) },
		],
		[
			'nothing says when the next poll comes',
			undefined,
			at(0),
			10_000,
			{ checksUntil: at(8.5), until: at(9.5) },
		],
	])('%s', (_what, pollTimes, now, budgetMs, times) => {
		expect(durableTimes(pollTimes, budgetMs, { now, wall: now })).toEqual({
			...times,
			overAt: times.until + 500,
		});
	});

	test('cron goes by the wall clock, which may be ahead of the one that waits', () => {
		expect(durableTimes(THIRDS, 36_000, { now: at(0), wall: at(5) })).toEqual({
			checksUntil: at(13.7),
			until: at(14.3),
			overAt: at(19.8),
		});
	});
});

describe('the times of a poll', () => {
	const context = (budgetMs: number | null, getNodeParameter: () => unknown): IPollFunctions =>
		({
			getNodeParameter,
			...(budgetMs === null ? {} : { getPollBudgetMs: () => budgetMs }),
		}) as unknown as IPollFunctions;
	const moment = { now: 1_000, wall: 1_000 };

	test('are none in the usual engine', () => {
		const neverAsked = () => {
			throw new Error('asked');
		};
		expect(
			[null, 300_000].map((budgetMs) => timesOf(context(budgetMs, neverAsked), moment)),
		).toEqual([null, null]);
	});

	test('go by the budget where Poll Times is an expression that cannot be evaluated', () => {
		const times = timesOf(
			context(36_000, () => {
				throw new Error('$env is not available');
			}),
			moment,
		);
		expect(times).toEqual(durableTimes({}, 36_000, moment));
	});
});
