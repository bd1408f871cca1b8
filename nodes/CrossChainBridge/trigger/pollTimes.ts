import type { IPollFunctions } from 'n8n-workflow';

import { field } from '../orders/values';

/** Why n8n runs the poll: the user publishes, n8n registers the trigger by itself (start, new leader), or its time has come. */
export type PollOccasion = 'publishedByPerson' | 'startedByN8n' | 'scheduled';

/** n8n's context of a poll, or of a call to the webhook: which trigger is meant, and what n8n keeps for it. */
export type TriggerContext = Pick<
	IPollFunctions,
	'getWorkflow' | 'getNode' | 'getWorkflowStaticData'
>;

/** Poll budget that n8n reports where nothing bounds a poll (the usual engine of 2.38 and later). */
const UNBOUNDED_BUDGET_MS = 300_000;

/** How long a poll may take, in milliseconds; n8n before 2.38 has no such bound. */
export function pollBudgetMs(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs : undefined;
	const ms: unknown = typeof budget === 'function' ? budget.call(context) : undefined;
	return typeof ms === 'number' ? ms : UNBOUNDED_BUDGET_MS;
}

/** Whether n8n's durable engine runs this poll: only that one has a poll budget of its own. */
export function isDurablePoll(context: IPollFunctions): boolean {
	return pollBudgetMs(context) !== UNBOUNDED_BUDGET_MS;
}

/**
 * Left for the poll's own return, and for responses in flight when its checks end; n8n abandons a poll a quarter of
 * its budget later.
 */
const LEFT_FOR_RETURN_MS = 500;
const LEFT_FOR_ANSWERS_MS = 1_000;

/** Where the next poll comes sooner, it takes over what is in flight, so less is left: blind time is what it costs. */
const BEFORE_NEXT_POLL_MS = 700;
const ANSWERS_BEFORE_NEXT_POLL_MS = 600;

/** A poll that begins late by less than this is still the one of the schedule's last moment. */
const LATE_MS = 3_000;

/** How long a durable poll that begins now may work. */
export interface DurableTimes {
	/** When it sends its last check, in milliseconds of n8nClock. */
	checksUntil: number;
	/** When it has to be through, in milliseconds of n8nClock. */
	until: number;
	/** From when on it neither starts nor saves anything, in milliseconds since 1970: the next poll may have begun by then. */
	overAt: number;
}

/** Null in the usual engine, where n8n bounds no poll that matters. */
export function timesOf(
	context: IPollFunctions,
	moment: { now: number; wall: number },
): DurableTimes | null {
	return isDurablePoll(context)
		? durableTimes(pollTimesOf(context), pollBudgetMs(context), moment)
		: null;
}

function pollTimesOf(context: IPollFunctions): unknown {
	try {
		return context.getNodeParameter('pollTimes', {});
	} catch {
		// An expression that cannot be evaluated states no seconds.
		return {};
	}
}

/**
 * Until the budget ends, or shortly before the next poll: what overlapping polls save, one of them loses. `now` is of
 * n8nClock, `wall` the same moment in milliseconds since 1970, by which cron goes.
 */
function durableTimes(
	pollTimes: unknown,
	budgetMs: number,
	{ now, wall }: { now: number; wall: number },
): DurableTimes {
	const end = now + budgetMs - LEFT_FOR_RETURN_MS;
	const next = nextPollAt(pollTimes, wall);
	const beforeNext = next === null ? end : now + (next - wall) - BEFORE_NEXT_POLL_MS;
	const until = Math.min(beforeNext, end);
	const forAnswers = beforeNext < end ? ANSWERS_BEFORE_NEXT_POLL_MS : LEFT_FOR_ANSWERS_MS;
	return {
		checksUntil: until - forAnswers,
		until,
		overAt: wall + (until - now) + LEFT_FOR_RETURN_MS,
	};
}

/**
 * When the next poll may be due, in milliseconds of `now`'s clock, by the seconds of custom Poll Times; null where
 * they state none. The built-in modes never come within a minute of their last poll. Each expression counts as if it
 * came every minute, since a poll that ends too soon costs a few seconds only.
 */
function nextPollAt(pollTimes: unknown, now: number): number | null {
	const items = field(pollTimes, 'item');
	const seconds = (Array.isArray(items) ? items : []).flatMap((item) =>
		field(item, 'mode') === 'custom' ? secondsOf(field(item, 'cronExpression')) : [],
	);
	if (seconds.length === 0) return null;
	const minute = Math.floor(now / 60_000) * 60_000;
	const moments = [0, 1].flatMap((minutes) =>
		seconds.map((second) => minute + minutes * 60_000 + second * 1000),
	);
	return Math.min(...moments.filter((moment) => moment > now + LATE_MS));
}

/** The seconds of a cron expression's first field; one of five fields has none, and comes at the full minute. */
function secondsOf(expression: unknown): number[] {
	const fields = typeof expression === 'string' ? expression.trim().split(/\s+/) : [];
	if (fields.length === 5) return [0];
	const [first = ''] = fields;
	return fields.length === 6 && /^\d{1,2}(,\d{1,2})*$/.test(first)
		? first
				.split(',')
				.map(Number)
				.filter((second) => second < 60)
		: [];
}
