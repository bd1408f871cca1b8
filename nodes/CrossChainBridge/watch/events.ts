import type { Expected } from '../orders/expectation';
import type { PlainObject } from '../orders/values';
import type { FinishedOrder } from './finished';
import type { INTERRUPTED, OrderEvent, RESUMED } from './rules';
import type { Interruption, WatchedOrder, WatchState } from './state';

/** An order that the node's list names. */
export interface ListedOrder {
	key: string;
	sourceHash: string;
	/** Its name in the list; null without one. */
	reference: unknown;
}

/** An order that a call to the webhook names. */
export interface PostedOrder {
	key: string;
	sourceHash: string;
	/** Any JSON for the item; undefined if none was sent. */
	reference?: unknown;
	/** The page of a block explorer that was posted as the hash. */
	link?: string;
	/** When the order began, as the caller has stated. */
	startedAt: number | null;
	/** What has to arrive, as the caller has stated. */
	expected?: Expected;
	/** The hash, as it was entered, of the transaction that was sped up, so that this one was sent in its place. */
	replaces?: string;
}

/** What a status check has shown of its order. */
export type CheckResult =
	/** `shownKey`: the order key of the hash that the response itself names; null if it names none. */
	| { kind: 'order'; order: PlainObject; shownKey: string | null }
	| { kind: 'notFound' }
	/**
	 * The check has failed. `isOwn`: although the bridge works, so that it is the fault of this order. `isAnswered`: the bridge has responded
	 * about this order; otherwise it may have finished all the same.
	 */
	| { kind: 'nothingShown'; isOwn: boolean; isAnswered: boolean; why: string };

/**
 * What a poll has found of the checks since the poll before: they work, there was nothing to check, why none worked, or that n8n has stood still, so
 * that what was before says nothing of now. `why` is a sentence. `isTransient`: it may pass by itself, so that it counts only after a while.
 * `otherwise`: what was found nevertheless, if it is only that a field of the node cannot be read now.
 */
export type PollFinding =
	| { kind: 'checked' }
	| { kind: 'idle' }
	| { kind: 'stoodStill' }
	/** Of n8n or of this package: it says nothing of the checks, and nothing of the fields. */
	| { kind: 'fault' }
	| { kind: 'problem'; why: string; isTransient: boolean; otherwise?: 'checked' | 'idle' };

/** What happens to a trigger's orders. */
export type WatchEvent =
	/**
	 * The node's list was read. `isWhole`: all of it could be read; otherwise what it named before stays in it.
	 * `isListByHand`: a person has written it; otherwise it comes from an expression.
	 * `listedAfter`: since when its new orders may have been listed, if that may be long before now; otherwise null.
	 */
	| {
			kind: 'listed';
			orders: readonly ListedOrder[];
			isWhole: boolean;
			isListByHand: boolean;
			listedAfter: number | null;
	  }
	/** A call has named orders to watch. */
	| { kind: 'posted'; orders: readonly PostedOrder[] }
	/** A call has named orders to watch no longer. */
	| { kind: 'removed'; orders: ReadonlyArray<{ key: string; sourceHash: string }> }
	/** `at`: when the bridge responded. `clockAheadMs`: how far the clock of n8n was ahead of that of the bridge then. */
	| { kind: 'checked'; key: string; result: CheckResult; at: number; clockAheadMs?: number }
	/** A poll has found whether orders can be checked; see PollFinding. */
	| { kind: 'polled'; finding: PollFinding }
	/** This process takes over from one that has emitted the last events, and has perhaps stopped before n8n had saved them. */
	| { kind: 'takenOver' }
	/** n8n has not started the workflow for this event. `mayHaveStarted`: it has only reported an error, so that the event that comes again may be a repetition. */
	| { kind: 'undone'; emission: Emission; mayHaveStarted?: boolean };

/** An event of one order, from which its item is made. */
export interface OrderEmission {
	kind: 'order';
	event: OrderEvent;
	/** As it was before the event. */
	before: WatchedOrder;
	/** What was remembered of it before the event, if it had finished earlier. */
	finishedBefore: FinishedOrder | null;
	/** What the bridge has shown; null if it has not shown the order. */
	order: PlainObject | null;
	/** The status before this check, if it is another one. */
	previousStatus: string | null;
	/** When the order began, as far as is known, by the clock of the bridge. */
	beganAt: number | null;
	/** How far the clock of n8n was ahead of that of the bridge when the bridge responded, in milliseconds. */
	clockAheadMs: number;
	/** Why the order could not be checked, as a sentence; null if it could. */
	whyNotChecked: string | null;
	/** Whether the event may be a repetition. */
	redelivered: boolean;
}

/** An event of the trigger itself. */
export interface WatchEmission {
	kind: 'watch';
	event: typeof INTERRUPTED | typeof RESUMED;
	/** What is wrong, as a sentence; null for `resumed`. */
	why: string | null;
	/** Whether it is a field of the node, so that orders are checked with what can be read. */
	isOfFields?: boolean;
	/** How many orders are watched. */
	watching: number;
	/** The interruption before the event. */
	before: Interruption | null;
}

export type Emission = OrderEmission | WatchEmission;

/** What became of an order that a call has named. */
export type CallResult =
	| { as: 'accepted' | 'removed' | 'notWatched' | 'listed'; sourceHash: string }
	| { as: 'alreadyWatched'; sourceHash: string; reference: 'replaced' | 'kept' }
	| {
			as: 'alreadyFinished';
			sourceHash: string;
			status: FinishedOrder['status'];
			finishedSeenAt: number;
	  };

/** What is to be done after an event. */
export type Effect =
	/** Start the workflow. */
	| { kind: 'emit'; emission: Emission }
	/** Tell the caller. */
	| { kind: 'answer'; result: CallResult }
	/** Tell the caller that there is no room for the new orders, so that none was accepted. */
	| { kind: 'full' };

export interface Reduced {
	/** The same state if nothing has changed. */
	state: WatchState;
	effects: Effect[];
}

/** The events of a kind. */
export type EventOf<Kind extends WatchEvent['kind']> = Extract<WatchEvent, { kind: Kind }>;

/** What a call to the webhook asks for. */
export type CallEvent = EventOf<'posted' | 'removed'>;
