import { nextPollAt } from '../../../nodes/CrossChainBridge/trigger/timing';

const MINUTE = Date.parse('2026-01-01T00:10:00Z');
const at = (second: number): number => MINUTE + second * 1000;
const custom = (...expressions: string[]) => ({ item: expressions.map((cronExpression) => ({ mode: 'custom', cronExpression })) });
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
	['a built-in mode beside a custom one', { item: [{ mode: 'everyHour', minute: 0 }, { mode: 'custom', cronExpression: '30 * * * * *' }] }, at(0), at(30)],
	['seconds by a step, which n8n refuses', custom('*/10 * * * * *'), at(0), null],
	['spaces around the expression', custom('  30 * * * * * '), at(0), at(30)],
	['a field too many', custom('30 * * * * * 2026'), at(0), null],
	['what is no expression', custom('soon', '99 * * * * *'), at(0), null],
	['nothing', undefined, at(0), null],
])('the next poll: %s', (_what, pollTimes, now, expected) => {
	expect(nextPollAt(pollTimes, now)).toBe(expected);
});
