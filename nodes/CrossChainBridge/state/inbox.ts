import { plainJson } from '../orders/exactJson';
import { field } from '../orders/values';
import { isTime, linkField } from './codec';
import { type PostedOrder, withoutPosted, withPosted } from './postedOrders';
import type { WatchRules, WatchState } from './state';

/** A call that was accepted in the durable engine, where only polls write the state. */
export interface InboxCall {
	writer: string;
	/** When it came, in milliseconds since 1970; higher for each call of a writer. */
	at: number;
	removes: boolean;
	orders: PostedOrder[];
}

/** Polls take a call within minutes; one that waits longer was for a trigger that is gone. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Each call once, in the order in which they came. */
export function mergedInbox(one: readonly InboxCall[], other: readonly InboxCall[]): InboxCall[] {
	const calls = new Map([...one, ...other].map((call) => [`${call.at} ${call.writer}`, call]));
	return [...calls.values()].sort((a, b) => a.at - b.at);
}

/** The calls that the state has not taken, without those that nobody will take. */
export function untaken(
	calls: readonly InboxCall[],
	taken: WatchState['taken'],
	now: number,
): InboxCall[] {
	return calls.filter(
		({ writer, at }) => at > (taken.get(writer) ?? Number.NEGATIVE_INFINITY) && now - at < KEPT_MS,
	);
}

/** The state with all calls that it has not taken yet; when they came, there was room. */
export function withInbox(
	state: WatchState,
	calls: readonly InboxCall[],
	rules: WatchRules,
	now: number,
): WatchState {
	return untaken(calls, state.taken, now).reduce((before, call) => {
		const { orders, at } = call;
		const hashes = orders.map(({ sourceHash }) => sourceHash);
		const after = call.removes
			? withoutPosted(before, hashes, rules, at).state
			: (withPosted(before, orders, rules, at, Number.POSITIVE_INFINITY)?.state ?? before);
		return withTaken(after, call, now);
	}, state);
}

/** The state with a note that it has taken this call. */
export function withTaken(state: WatchState, { writer, at }: InboxCall, now: number): WatchState {
	const recent = [...state.taken].filter(([, takenAt]) => now - takenAt < KEPT_MS);
	const taken = new Map(recent).set(writer, at);
	return { ...state, taken, revision: Math.max(state.revision + 1, at) };
}

/** The calls out of what n8n kept; what this package did not write is left out. */
export function readStoredCalls(stored: unknown): InboxCall[] {
	const calls: InboxCall[] = [];
	for (const entry of Array.isArray(stored) ? (stored as unknown[]) : []) {
		const writer = field(entry, 'writer');
		const at = field(entry, 'at');
		const orders = field(entry, 'orders');
		if (typeof writer !== 'string' || !isTime(at) || !Array.isArray(orders)) continue;
		const read = (orders as unknown[]).flatMap(readStoredOrder);
		calls.push({ writer, at, removes: field(entry, 'removes') === true, orders: read });
	}
	return calls;
}

function readStoredOrder(stored: unknown): PostedOrder[] {
	const sourceHash = field(stored, 'sourceHash');
	const startedAt = field(stored, 'startedAt');
	const kept = field(stored, 'reference');
	if (typeof sourceHash !== 'string') return [];
	// An absent reference stays absent, since it replaces none.
	const reference = kept === undefined ? undefined : plainJson(kept);
	return [
		{
			sourceHash,
			reference,
			...linkField(field(stored, 'link')),
			startedAt: isTime(startedAt) ? startedAt : null,
		},
	];
}
