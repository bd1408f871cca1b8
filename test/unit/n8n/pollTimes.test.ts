import type { IPollFunctions } from 'n8n-workflow';

import { isLeased, type PollTimes, pollTimes } from '../../../nodes/CrossChainBridge/n8n/pollTimes';

/** When a poll of the durable engine, which begins at that moment, has to be done with what. */
function durableTimes(
	poll: unknown,
	budgetMs: number,
	moment: { now: number; wall: number },
): PollTimes {
	const getNodeParameter = (name: string) => (name === 'pollTimes' ? poll : undefined);
	const context = { getNodeParameter } as unknown as IPollFunctions;
	return pollTimes(context, budgetMs, moment);
}

const MINUTE = Date.parse('2026-01-01T00:10:00Z');
const at = (second: number): number => MINUTE + second * 1000;
const custom = (...expressions: string[]) => ({
	item: expressions.map((cronExpression) => ({ mode: 'custom', cronExpression })),
});
const THIRDS = custom('0 * * * * *', '20 * * * * *', '40 * * * * *');

const inMode = (mode: string, cronExpression: unknown = '30 * * * * *') => ({
	item: [{ mode, cronExpression }],
});

const HOURLY = { mode: 'everyHour', minute: 0 };

test.each<[string, unknown, number, number | null]>([
	['three poll times', THIRDS, 0, 20],
	['one that begins late', THIRDS, 22, 40],
	['one that begins very late', THIRDS, 38, 60],
	['over the end of the minute', THIRDS, 41, 60],
	['several seconds in one expression', custom('0,30 * * * * *'), 1, 30],
	['one poll time', custom('5 * * * * *'), 5, 65],
	['five fields', custom('* * * * *'), 1, 60],
	['a built-in mode', inMode('everyMinute', undefined), 0, null],
	['a built-in mode next to a custom one', { item: [HOURLY, ...inMode('custom').item] }, 0, 30],
	['seconds by a step, which n8n refuses', custom('*/10 * * * * *'), 0, null],
	['spaces around the expression', custom('  30 * * * * * '), 0, 30],
	['a field too many', custom('30 * * * * * 2026'), 0, null],
	[
		'a poll that begins more than three seconds early: it is over before that moment',
		THIRDS,
		16.999,
		20,
	],
	['a poll that begins three seconds early: the one of that moment', THIRDS, 17, 40],
	['the last second of the minute', custom('59 * * * * *'), 0, 59],
	['a second that no minute has', custom('60 * * * * *'), 0, null],
	...['1e1', '0x5', '005', '+7'].map((seconds): [string, unknown, number, null] => [
		'seconds as no cron expression writes them',
		custom(`${seconds} * * * * *`),
		0,
		null,
	]),
	['tabs and several spaces between the fields', custom('30  *\t* * * *'), 0, 30],
	['an expression that is no text', inMode('custom', 30), 0, null],
	['a built-in mode that still has an expression', inMode('everyX'), 0, null],
	['items that are no list', { item: inMode('custom').item[0] }, 0, null],
	['what is no expression', custom('soon', '99 * * * * *'), 0, null],
	['nothing', undefined, 0, null],
])('the next poll: %s', (_what, pollTimes, second, next) => {
	const now = at(second);
	// Longer than the time to any next poll: then the budget bounds it, if no next poll is known.
	const budgetMs = 100_000;
	expect(durableTimes(pollTimes, budgetMs, { now, wall: now }).returnsBy).toBe(
		next === null ? now + budgetMs - 500 : at(next) - 700,
	);
});

test.each<[string, unknown, number, number, number]>([
	['its budget bounds it', inMode('everyMinute'), 36_000, 34.5, 35.5],
	['the next poll comes later than its budget', custom('50 * * * * *'), 36_000, 34.5, 35.5],
	['the next poll comes before that', THIRDS, 36_000, 18.7, 19.3],
	['the next poll would be met by its very end', THIRDS, 19_800, 18.3, 19.3],
	['the next poll comes a millisecond sooner', THIRDS, 19_801, 18.7, 19.3],
	['nothing says when the next poll comes', undefined, 10_000, 8.5, 9.5],
])('the times of a durable poll: %s', (_what, pollTimes, budgetMs, checksUntil, until) => {
	expect(durableTimes(pollTimes, budgetMs, { now: at(0), wall: at(0) })).toEqual({
		checksUntil: at(checksUntil),
		resultsUntil: at(until) - 300,
		returnsBy: at(until),
		overAt: at(until) + 500,
		leaseUntilAt: at(until) + 500 + budgetMs / 4,
	});
});

test('cron goes by the wall clock, which may be ahead of the one that waits', () => {
	expect(durableTimes(THIRDS, 36_000, { now: at(0), wall: at(5) })).toEqual({
		checksUntil: at(13.7),
		resultsUntil: at(14),
		returnsBy: at(14.3),
		overAt: at(19.8),
		leaseUntilAt: at(28.8),
	});
});

test('they go by the budget if Poll Times is an expression that cannot be evaluated', () => {
	const moment = { now: 1_000, wall: 1_000 };
	const getNodeParameter = () => {
		throw new Error('$env is not available');
	};
	const context = { getNodeParameter } as unknown as IPollFunctions;
	expect(pollTimes(context, 36_000, moment)).toEqual(durableTimes({}, 36_000, moment));
});

test.each([
	[0, false],
	[MINUTE, false],
	[MINUTE + 1, true],
	[MINUTE + 72_000, true],
	// A wrong clock claims nothing for ever.
	[MINUTE + 72_001, false],
])('with a budget of 36 s, a lease until %d is one: %s', (leaseUntil, is) => {
	expect(isLeased(leaseUntil, 36_000, MINUTE)).toBe(is);
});
