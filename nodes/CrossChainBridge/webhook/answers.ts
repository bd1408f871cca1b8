import { isOpen, openOrders, roomIn } from '../state/openOrders';
import { withoutPosted, withPosted } from '../state/postedOrders';
import type { WatchRules, WatchState } from '../state/state';
import type { BadCall, CallRead } from './request';

/** What the webhook answers, and what it makes of the watch. Pure. */

export interface WebhookAnswer {
	httpStatus: number;
	body: object;
	/** Seconds after which the same call may be accepted. */
	retryAfterSeconds?: number;
}

interface Decision {
	answer: WebhookAnswer;
	/** The state after it, which must be kept before the answer is given; null where nothing has changed. */
	state: WatchState | null;
}

/** How many seconds a caller should wait for orders to finish, and make room. */
const ROOM_MAY_COME_SECONDS = 60;

/** n8n registers the webhook a moment before the trigger. */
const STARTED_BY_THEN_SECONDS = 5;

/** A list in an answer has its first entries; how many there are in all stands beside it. */
const MAX_ECHOED = 100;

export function answerPost(
	state: WatchState,
	call: CallRead,
	rules: WatchRules,
	now: number,
): Decision {
	if (!call.ok) return { answer: badCallAnswer(call), state: null };
	const posting = withPosted(state, call.orders, rules, now);
	if (posting === null) return { answer: noRoomAnswer(state, rules), state: null };
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
	return { answer: { httpStatus: 202, body }, state: after === state ? null : after };
}

export function answerDelete(
	state: WatchState,
	call: CallRead,
	rules: WatchRules,
	now: number,
): Decision {
	if (!call.ok) return { answer: badCallAnswer(call), state: null };
	const hashes = call.orders.map(({ sourceHash }) => sourceHash);
	const { state: after, removed, ...left } = withoutPosted(state, hashes, rules, now);
	const body = {
		removed,
		...listed('listed', left.listed),
		...listed('notWatched', left.notWatched),
		...placesIn(after, rules),
	};
	return { answer: { httpStatus: 200, body }, state: after === state ? null : after };
}

/** The open orders, listed and posted. */
export function answerGet(state: WatchState, rules: WatchRules): WebhookAnswer {
	const orders = [...state.orders.values()]
		.filter((order) => isOpen(order, rules))
		.map(({ sourceHash, status, since, posted, listed: isListed, listReference }) => ({
			sourceHash,
			status,
			since: new Date(since).toISOString(),
			reference: posted?.reference ?? listReference,
			listed: isListed,
		}));
	return { httpStatus: 200, body: { ...placesIn(state, rules), orders } };
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

export function badCallAnswer({ httpStatus, message, position }: BadCall): WebhookAnswer {
	return { httpStatus, body: { message, ...(position === null ? {} : { position }) } };
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

/** A process that gets the call here cannot keep the order, and must never seem to have accepted it. */
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

/** Bounded, however many orders a call had. */
function listed(name: string, entries: readonly unknown[]): Record<string, unknown> {
	return { [name]: entries.slice(0, MAX_ECHOED), [`${name}Count`]: entries.length };
}

function placesIn(state: WatchState, rules: WatchRules): { watching: number; room: number } {
	return { watching: openOrders(state, rules).length, room: roomIn(state, rules) };
}
