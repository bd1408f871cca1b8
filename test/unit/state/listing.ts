import { type ListedOrder, withList } from '../../../nodes/CrossChainBridge/state/listedOrders';
import type { WatchState } from '../../../nodes/CrossChainBridge/state/state';

/** The state for a list in which most orders have no reference. */
export function withListOf(
	state: WatchState,
	list: ReadonlyArray<string | ListedOrder>,
	now: number,
): WatchState {
	return withList(
		state,
		list.map((each) => (typeof each === 'string' ? { sourceHash: each, reference: null } : each)),
		now,
	);
}
