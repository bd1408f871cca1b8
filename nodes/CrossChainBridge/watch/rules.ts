import type { FinalStatus } from '../orders/orders';
import type { Milestone } from './milestones';

/* Times in this folder are in milliseconds since 1970, unless they say otherwise. */

export const DAY_MS = 24 * 3_600_000;

/** The event of a posted order that the trigger stops watching, although it is still open. */
export const WATCH_ENDED = 'watchEnded';

/** The event of a trigger that cannot check its orders, and the one after it, when it can again. */
export const INTERRUPTED = 'interrupted';
export const RESUMED = 'resumed';

export type OrderEvent = FinalStatus | Milestone | typeof WATCH_ENDED;

/** What the user has chosen in the node, as far as it decides what happens to an order. */
export interface WatchRules {
	/** The events that start the workflow. `interrupted` stands for `resumed`, too. */
	events: ReadonlySet<OrderEvent | typeof INTERRUPTED>;
	/** Whether an order that had already finished when it was listed or posted starts the workflow. */
	includeFinished: boolean;
	/** The age at which an order is delayed, in milliseconds. */
	delayedAfterMs: number;
	/** Whether an event that may have been lost when n8n stopped is emitted again (At Least Once). */
	redelivers: boolean;
}
