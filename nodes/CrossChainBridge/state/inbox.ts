import { plainJson } from '../orders/exactJson';
import { field, isPlainObject } from '../orders/values';
import { MAX_ORDERS } from './codec';
import { type PostedOrder, withoutPosted, withPosted } from './postedOrders';
import type { WatchRules, WatchState } from './state';

/**
 * What the webhook has accepted for n8n's durable engine. There the state belongs to the polls, and no call may touch it: a call is
 * put into the workflow's data, which polls read and never write, and the state remembers which calls it has taken.
 */

/** One accepted call. */
export interface InboxCall {
	/** Names the process that accepted it. */
	writer: string;
	/** When it came, in milliseconds since 1970; it grows with each call of a writer. */
	at: number;
	/** Whether its orders are to be removed. */
	removes: boolean;
	orders: PostedOrder[];
}

/** Polls take a call within a minute or so; what nobody has taken in a week belongs to a trigger that is gone. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Orders of all calls that wait for a poll; far more than come within a minute. */
const MAX_INBOX_ORDERS = 20_000;

/** Both lists as one, each call once, in the order in which they came. */
export function mergedInbox(one: readonly InboxCall[], other: readonly InboxCall[]): InboxCall[] {
	const calls = new Map([...one, ...other].map((call) => [`${call.at} ${call.writer}`, call]));
	return [...calls.values()].sort((a, b) => a.at - b.at);
}

/** The calls that a state has not taken yet. */
export function untaken(
	calls: readonly InboxCall[],
	{ taken }: Pick<WatchState, 'taken'>,
	now: number,
): InboxCall[] {
	return calls.filter(
		({ writer, at }) => at > (taken.get(writer) ?? Number.NEGATIVE_INFINITY) && now - at < KEPT_MS,
	);
}

/** The state with all calls that it has not taken yet. They were accepted, so there is room for each. */
export function withInbox(
	state: WatchState,
	calls: readonly InboxCall[],
	rules: WatchRules,
	now: number,
): WatchState {
	return untaken(calls, state, now).reduce((before, call) => {
		const { orders, at } = call;
		const hashes = orders.map(({ sourceHash }) => sourceHash);
		const after = call.removes
			? withoutPosted(before, hashes, rules, at, true).state
			: (withPosted(before, orders, rules, at, MAX_ORDERS - before.orders.size)?.state ?? before);
		return withTaken(after, call, now);
	}, state);
}

/** The state that has taken this call. */
export function withTaken(state: WatchState, { writer, at }: InboxCall, now: number): WatchState {
	const taken = new Map([...state.taken].filter(([, takenAt]) => now - takenAt < KEPT_MS)).set(
		writer,
		at,
	);
	return { ...state, taken, revision: Math.max(state.revision + 1, at) };
}

/** A call as n8n keeps it. What is left out is false or null; an absent reference stays absent, since it keeps the one before. */
export function storedCall({ writer, at, removes, orders }: InboxCall): object {
	const stored = orders.map(({ startedAt, ...order }) =>
		startedAt === null ? order : { ...order, startedAt },
	);
	return { writer, at, ...(removes ? { removes } : {}), orders: stored };
}

/** The calls out of what n8n kept, and no more orders than `max` of them: what is beyond that was not written by this trigger. */
export function readStoredCalls(stored: unknown, max = MAX_INBOX_ORDERS): InboxCall[] {
	const calls: InboxCall[] = [];
	let left = max;
	for (const entry of Array.isArray(stored) ? (stored as unknown[]) : []) {
		if (left <= 0) break;
		const writer = field(entry, 'writer');
		const at = field(entry, 'at');
		const orders = field(entry, 'orders');
		if (typeof writer !== 'string' || typeof at !== 'number' || !Array.isArray(orders)) continue;
		const read = (orders.slice(0, left) as unknown[]).flatMap(
			(order) => readStoredOrder(order) ?? [],
		);
		left -= 1 + read.length;
		calls.push({ writer, at, removes: field(entry, 'removes') === true, orders: read });
	}
	return calls;
}

function readStoredOrder(stored: unknown): PostedOrder | null {
	const sourceHash = field(stored, 'sourceHash');
	const startedAt = field(stored, 'startedAt');
	if (typeof sourceHash !== 'string') return null;
	const reference =
		isPlainObject(stored) && 'reference' in stored ? plainJson(stored.reference) : undefined;
	return { sourceHash, reference, startedAt: typeof startedAt === 'number' ? startedAt : null };
}
