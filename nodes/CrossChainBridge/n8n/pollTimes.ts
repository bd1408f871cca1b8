import type { IPollFunctions } from 'n8n-workflow';

import { field, listOf, valueOr } from '../orders/values';

/** How long before the end of its time a poll returns, in milliseconds. */
const LEFT_FOR_RETURN_MS = 500;

/** How long before it returns a poll sends its last check, and applies its last result. The rest is for the commit of the last start. */
const LEFT_FOR_RESPONSES_MS = 1_000;
const LEFT_FOR_COMMITS_MS = 300;

/** The same before the next poll of this trigger, which begins while this one works if the user has set several poll times. */
const BEFORE_NEXT_POLL_MS = 700;
const RESPONSES_BEFORE_NEXT_POLL_MS = 600;

/** A poll that begins up to this long before a poll time, in milliseconds, counts as the poll of that time: clocks differ. */
const EARLY_MS = 3_000;

/** When a poll of the durable engine has to be done with what. `…At`: in milliseconds since 1970; the others in milliseconds of n8nClock. */
export interface PollTimes {
	/** When it sends its last check. */
	checksUntil: number;
	/** When it applies the last result. */
	resultsUntil: number;
	/** When it has to return. */
	returnsBy: number;
	/** When it may neither start nor save anything more. */
	overAt: number;
	/** When n8n abandons it, a quarter of its budget later. */
	leaseUntilAt: number;
}

/** The times of a poll that may take this long, because polls that overlap lose what they save. `wall`: now, in milliseconds since 1970. */
export function pollTimes(
	context: IPollFunctions,
	budgetMs: number,
	{ now, wall }: { now: number; wall: number },
): PollTimes {
	const end = now + budgetMs - LEFT_FOR_RETURN_MS;
	// An expression that cannot be evaluated states no seconds.
	const entered = valueOr(() => context.getNodeParameter('pollTimes', {}), {});
	const next = nextPollAt(entered, wall);
	const beforeNext = next === null ? end : now + (next - wall) - BEFORE_NEXT_POLL_MS;
	const returnsBy = Math.min(beforeNext, end);
	const forResponses = beforeNext < end ? RESPONSES_BEFORE_NEXT_POLL_MS : LEFT_FOR_RESPONSES_MS;
	const overAt = wall + (returnsBy - now) + LEFT_FOR_RETURN_MS;
	return {
		checksUntil: returnsBy - forResponses,
		resultsUntil: returnsBy - LEFT_FOR_COMMITS_MS,
		returnsBy,
		overAt,
		leaseUntilAt: overAt + budgetMs / 4,
	};
}

/** Whether a poll claims the state up to the time `until`, so that no other one begins; a time further ahead than two budgets is a wrong clock. */
export function isLeased(leaseUntil: number, budgetMs: number, wall: number): boolean {
	return leaseUntil > wall && leaseUntil <= wall + 2 * budgetMs;
}

/** When the poll after this one comes by custom poll times, as if each came every minute, in milliseconds since 1970; null for n8n's own modes. */
function nextPollAt(pollTimesValue: unknown, wall: number): number | null {
	const seconds = listOf(field(pollTimesValue, 'item')).flatMap((item) =>
		field(item, 'mode') === 'custom' ? secondsOf(field(item, 'cronExpression')) : [],
	);
	if (seconds.length === 0) return null;
	const minute = Math.floor(wall / 60_000) * 60_000;
	const moments = seconds.flatMap((second) => [second, second + 60].map((s) => minute + s * 1_000));
	return Math.min(...moments.filter((moment) => moment > wall + EARLY_MS));
}

/** The seconds of a cron expression. One of five fields has none, and comes at the full minute. */
function secondsOf(expression: unknown): number[] {
	const fields = typeof expression === 'string' ? expression.trim().split(/\s+/) : [];
	if (fields.length === 5) return [0];
	const [first = ''] = fields;
	if (fields.length !== 6 || !/^\d{1,2}(,\d{1,2})*$/.test(first)) return [];
	return first
		.split(',')
		.map(Number)
		.filter((second) => second < 60);
}
