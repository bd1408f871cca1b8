import { openOrders, type WatchRules, type WatchState } from '../watchState';
import { roomIn, withoutPosted, withPosted } from '../postedOrders';
import type { BadCall, CallRead } from './request';

/**
 * What the webhook answers, and what it makes of the watch. Pure. An answer with a state is one that must be kept before
 * it is given.
 */

export interface WebhookAnswer {
	httpStatus: number;
	body: object;
	/** Seconds after which the same call may go better. */
	retryAfterSeconds?: number;
}

export interface Decision {
	answer: WebhookAnswer;
	/** The state after it; null where nothing has changed. */
	state: WatchState | null;
}

/** How many seconds a caller should wait for orders to end, and make room. */
const ROOM_MAY_COME_SECONDS = 60;

/** n8n registers the webhook a moment before the trigger. */
const STARTED_BY_THEN_SECONDS = 5;

export function answerPost(state: WatchState, call: CallRead, rules: WatchRules, now: number): Decision {
	if (!call.ok) return unchanged(badCallAnswer(call));
	const posting = withPosted(state, call.orders, rules, now);
	if (posting === null) {
		const body = { message: 'The watch is full, and nothing of this call was taken. Orders that were accepted before stay watched.', ...placesIn(state, rules) };
		return unchanged({ httpStatus: 429, body, retryAfterSeconds: ROOM_MAY_COME_SECONDS });
	}
	const { accepted, alreadyWatched } = posting;
	const alreadyEnded = posting.alreadyEnded.map(({ sourceHash, status, endSeenAt }) => ({
		sourceHash,
		status,
		endSeenAt: endSeenAt === null ? null : new Date(endSeenAt).toISOString(),
	}));
	const body = { accepted, alreadyWatched, alreadyEnded, ...placesIn(posting.state, rules) };
	return { answer: { httpStatus: 202, body }, state: posting.state === state ? null : posting.state };
}

export function answerDelete(state: WatchState, call: CallRead, rules: WatchRules, now: number): Decision {
	if (!call.ok) return unchanged(badCallAnswer(call));
	const hashes = call.orders.map(({ sourceHash }) => sourceHash);
	const { state: after, ...removal } = withoutPosted(state, hashes, rules, now);
	const answer = { httpStatus: 200, body: { ...removal, ...placesIn(after, rules) } };
	return { answer, state: after === state ? null : after };
}

/** The open orders: those of the list in the node's field, and those that were posted. */
export function answerGet(state: WatchState, rules: WatchRules): WebhookAnswer {
	const orders = openOrders(state, rules).flatMap((key) => {
		const order = state.orders.get(key);
		if (order === undefined) return [];
		const { sourceHash, status, since, posted, listed } = order;
		return [{ sourceHash, status, since: new Date(since).toISOString(), reference: posted?.reference ?? null, listed }];
	});
	return { httpStatus: 200, body: { ...placesIn(state, rules), orders } };
}

export function badCallAnswer({ httpStatus, message, position }: BadCall): WebhookAnswer {
	return { httpStatus, body: { message, ...(position === null ? {} : { position }) } };
}

/** Whoever is called here cannot keep an order, and must never seem to have taken it. */
export const NOT_HELD_HERE: WebhookAnswer = {
	httpStatus: 503,
	body: {
		message:
			'This n8n process does not run the trigger (any more, or yet), so nothing was taken. Send it again in a few seconds. If it stays like this, an administrator has to see to it that webhook calls reach the main process that runs the triggers, and that the durable poll engine is off.',
	},
	retryAfterSeconds: STARTED_BY_THEN_SECONDS,
};

/** The test URL shows one order as the workflow would get it; there is nothing to list or to remove. */
export const TEST_TAKES_POST: WebhookAnswer = { httpStatus: 405, body: { message: 'The test URL takes POST alone. Use the production URL to list or to remove orders.' } };

export const NOTHING_TO_SHOW: WebhookAnswer = { httpStatus: 400, body: { message: 'The list is empty, so there is nothing to show.' } };

function unchanged(answer: WebhookAnswer): Decision {
	return { answer, state: null };
}

function placesIn(state: WatchState, rules: WatchRules): { watching: number; room: number } {
	return { watching: openOrders(state, rules).length, room: roomIn(state, rules) };
}
