import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import type { FinishedOrder } from '../../../nodes/CrossChainBridge/state/finished';
import { type ListedOrder, withList } from '../../../nodes/CrossChainBridge/state/listedOrders';
import { type PostedOrder, withPosted } from '../../../nodes/CrossChainBridge/state/postedOrders';
import {
	EMPTY_STATE,
	unseenOrder,
	type WatchedOrder,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';

/** States, and what makes them, for all tests of what is known of orders. */

export const ALL: WatchRules = {
	events: ['completed', 'refunded', 'failed'],
	includeFinished: true,
};
export const COMPLETED: WatchRules = { ...ALL, events: ['completed'] };
export const HOUR = 3_600_000;
export const NOW = Date.parse('2026-01-01T00:00:00Z');

export const listed = (changes: Partial<WatchedOrder> = {}): WatchedOrder =>
	unseenOrder('0xA', { listed: true, posted: null, ...changes }, NOW);
export const posted = (changes: Partial<WatchedOrder> = {}): WatchedOrder =>
	listed({ listed: false, posted: { at: NOW, reference: 'posted' }, ...changes });
const FINISHED = {
	status: 'completed',
	at: NOW,
	emitted: true,
	listed: false,
	posted: true,
} as const;
export const finished = (changes: Partial<FinishedOrder> = {}): FinishedOrder => ({
	...FINISHED,
	...changes,
});

/** A state of revision 5. */
export const stateOf = (...orders: WatchedOrder[]): WatchState => ({
	...EMPTY_STATE,
	revision: 5,
	orders: new Map(orders.map((order) => [order.sourceHash.toLowerCase(), order])),
});

export const NOT_FOUND: CheckOutcome = { kind: 'notFound' };
export const shown = (status: unknown, more: object = {}): CheckOutcome => ({
	kind: 'order',
	order: { status, ...more },
});

/** The state after a check of 0xa that has shown this. */
export const checked = (
	state: WatchState,
	outcome: CheckOutcome,
	{ rules = ALL, key = '0xa', now = NOW } = {},
): WatchState => applyCheck(state, key, outcome, rules, now).state;

/** The state for a list in which most orders have no reference. */
export const withListOf = (
	state: WatchState,
	list: ReadonlyArray<string | ListedOrder>,
	now = NOW,
): WatchState =>
	withList(
		state,
		list.map((each) => (typeof each === 'string' ? { sourceHash: each, reference: null } : each)),
		now,
	);

export const post = (
	sourceHash: string,
	reference: unknown = undefined,
	startedAt: number | null = null,
): PostedOrder => ({ sourceHash, reference, startedAt });

/** What becomes of these posts, for which there is room. */
export function posting(
	state: WatchState,
	orders: Array<string | PostedOrder>,
	{ rules = ALL, now = NOW } = {},
) {
	const all = orders.map((each) => (typeof each === 'string' ? post(each) : each));
	const result = withPosted(state, all, rules, now);
	if (result === null) throw new Error('There is no room');
	return result;
}

/** The state after "not found" for these orders at these times, and the hashes of those whose watch has expired by then. */
export function expire(
	state: WatchState,
	checkedAt: Record<string, number>,
	now: number,
	rules = ALL,
): { state: WatchState; expired: string[] } {
	const after = Object.entries(checkedAt).reduce(
		(before, [key, at]) => applyCheck(before, key, NOT_FOUND, rules, now, at).state,
		state,
	);
	return {
		state: after,
		expired: [...state.orders.keys()].filter((key) => !after.orders.has(key)),
	};
}

/** The state as n8n keeps it and gives it back. */
export const readBack = (state: WatchState): WatchState | null =>
	readStoredWatch(JSON.parse(JSON.stringify(storedWatch(state))));
