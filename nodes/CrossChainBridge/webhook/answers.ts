import { type PostedOrder, withoutPosted, withPosted } from '../state/postedOrders';
import { isOpen, placesIn, referenceOf, type WatchRules, type WatchState } from '../state/state';

export interface WebhookAnswer {
	httpStatus: number;
	body: object;
	/** Seconds after which the same call may be accepted. */
	retryAfterSeconds?: number;
}

/** `state`: after the call, the same one where nothing has changed. */
interface Decision {
	answer: WebhookAnswer;
	state: WatchState;
}

/** How long a caller should wait for orders to finish, and make room. */
const ROOM_MAY_COME_SECONDS = 60;

/** n8n registers the webhook a moment before the trigger. */
const STARTED_BY_THEN_SECONDS = 5;

/** Entries of a list in an answer; their number stands beside it. */
const MAX_ECHOED = 100;

/** Watches the posted orders, or none where there is no room for all. */
export function answerPost(
	state: WatchState,
	orders: readonly PostedOrder[],
	rules: WatchRules,
	now: number,
): Decision {
	const posting = withPosted(state, orders, rules, now);
	if (posting === null) return { answer: noRoomAnswer(state, rules), state };
	const { state: after, accepted, alreadyWatched, alreadyFinished } = posting;
	const finished = alreadyFinished.map(({ finishedSeenAt: at, ...order }) => ({
		...order,
		finishedSeenAt: at === null ? null : new Date(at).toISOString(),
	}));
	const body = {
		accepted,
		...listed('alreadyWatched', alreadyWatched),
		...listed('alreadyFinished', finished),
		...placesIn(after, rules),
	};
	return { answer: { httpStatus: 202, body }, state: after };
}

/** Removes orders as far as they were posted; listed ones stay. */
export function answerDelete(
	state: WatchState,
	orders: readonly PostedOrder[],
	rules: WatchRules,
	now: number,
): Decision {
	const hashes = orders.map(({ sourceHash }) => sourceHash);
	const { state: after, removed, ...left } = withoutPosted(state, hashes, rules, now);
	const body = {
		removed,
		...listed('listed', left.listed),
		...listed('notWatched', left.notWatched),
		...placesIn(after, rules),
	};
	return { answer: { httpStatus: 200, body }, state: after };
}

/** The open orders, listed and posted. */
export function answerGet(state: WatchState, rules: WatchRules): Decision {
	const orders = [...state.orders.values()]
		.filter((order) => isOpen(order, rules))
		.map((order) => ({
			sourceHash: order.sourceHash,
			status: order.status,
			since: new Date(order.since).toISOString(),
			reference: referenceOf(order),
			listed: order.listed,
		}));
	return { answer: { httpStatus: 200, body: { ...placesIn(state, rules), orders } }, state };
}

export function noRoomAnswer(state: WatchState, rules: WatchRules): WebhookAnswer {
	const message =
		'This trigger is at its order limit; no orders were added. Orders that were accepted before stay watched.';
	return {
		httpStatus: 429,
		body: { message, ...placesIn(state, rules) },
		retryAfterSeconds: ROOM_MAY_COME_SECONDS,
	};
}

export function saying(
	httpStatus: number,
	message: string,
	retryAfterSeconds?: number,
): WebhookAnswer {
	return { httpStatus, body: { message }, retryAfterSeconds };
}

/** The right to post does not include reading all references and removing orders. */
export const LISTING_IS_OFF = saying(
	403,
	'This address accepts orders only. To list and remove orders by it, switch on Allow Listing and Removing by Webhook in the options of the trigger.',
);

/** A process that cannot keep an order must never seem to have accepted it. */
export const NOT_RUN_HERE = saying(
	503,
	'The trigger is not running in this n8n process, so no order was accepted. Send it again in a few seconds. If this persists, an administrator has to make sure that webhook calls reach a main process that runs the triggers.',
	STARTED_BY_THEN_SECONDS,
);

export const TEST_REMOVES_NOTHING = saying(
	405,
	'The test URL takes POST, which shows the posted orders in the editor, and GET, which shows the watched ones. Use the production URL to remove orders.',
);

export const NOTHING_TO_SHOW = saying(400, 'The list is empty, so there is nothing to show.');

function listed(name: string, entries: readonly unknown[]): Record<string, unknown> {
	return { [name]: entries.slice(0, MAX_ECHOED), [`${name}Count`]: entries.length };
}
