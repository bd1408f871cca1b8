import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { field } from '../orders/values';

/** Why n8n runs the poll; 'startedByN8n': also for a new leader. */
export type PollOccasion = 'publishedByPerson' | 'startedByN8n' | 'scheduled';

/** n8n's context of a poll, or of a call to the webhook. */
export type TriggerContext = IPollFunctions | IWebhookFunctions;

/** What n8n 2.38 and later reports of a poll without a bound. */
const UNBOUNDED_BUDGET_MS = 300_000;

/** How long n8n lets this poll run, in milliseconds. */
export function pollBudgetMs(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs : undefined;
	const ms: unknown = typeof budget === 'function' ? budget.call(context) : undefined;
	return typeof ms === 'number' ? ms : UNBOUNDED_BUDGET_MS;
}

const LEFT_FOR_RETURN_MS = 500;

const LEFT_FOR_RESPONSES_MS = 1_000;

/** How long before the next poll one is over. */
const BEFORE_NEXT_POLL_MS = 700;
const RESPONSES_BEFORE_NEXT_POLL_MS = 600;

/** A poll that is late by less than this is still the schedule's last one. */
const LATE_MS = 3_000;

export interface DurableTimes {
	/** When it sends its last check, in milliseconds of n8nClock. */
	checksUntil: number;
	/** When it has to return, in milliseconds of n8nClock. */
	returnsBy: number;
	/** When it may neither start nor save anything more, in milliseconds since 1970. */
	overAt: number;
	/** When n8n abandons it, a quarter of its budget later, in milliseconds since 1970. */
	polledUntil: number;
}

/** How long a durable poll may work, since overlapping polls lose what they save; null in the usual engine. `wall`: milliseconds since 1970. */
export function timesOf(
	context: IPollFunctions,
	{ now, wall }: { now: number; wall: number },
): DurableTimes | null {
	const budgetMs = pollBudgetMs(context);
	if (budgetMs === UNBOUNDED_BUDGET_MS) return null;
	const end = now + budgetMs - LEFT_FOR_RETURN_MS;
	const next = nextPollAt(pollTimesOf(context), wall);
	const beforeNext = next === null ? end : now + (next - wall) - BEFORE_NEXT_POLL_MS;
	const until = Math.min(beforeNext, end);
	const forResponses = beforeNext < end ? RESPONSES_BEFORE_NEXT_POLL_MS : LEFT_FOR_RESPONSES_MS;
	const overAt = wall + (until - now) + LEFT_FOR_RETURN_MS;
	return {
		checksUntil: until - forResponses,
		returnsBy: until,
		overAt,
		polledUntil: overAt + budgetMs / 4,
	};
}

function pollTimesOf(context: IPollFunctions): unknown {
	try {
		return context.getNodeParameter('pollTimes', {});
	} catch {
		// An expression that cannot be evaluated states no seconds.
		return {};
	}
}

/** The next poll by custom Poll Times as if each came every minute, in milliseconds since 1970; null for built-in modes. */
function nextPollAt(pollTimes: unknown, now: number): number | null {
	const items = field(pollTimes, 'item');
	const seconds = (Array.isArray(items) ? items : []).flatMap((item) =>
		field(item, 'mode') === 'custom' ? secondsOf(field(item, 'cronExpression')) : [],
	);
	if (seconds.length === 0) return null;
	const minute = Math.floor(now / 60_000) * 60_000;
	const moments = seconds.flatMap((second) => [second, second + 60].map((s) => minute + s * 1000));
	return Math.min(...moments.filter((moment) => moment > now + LATE_MS));
}

/** The seconds of a cron expression; one of five fields has none, and comes at the full minute. */
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
