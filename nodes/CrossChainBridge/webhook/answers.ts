import type { CallResult, Effect } from '../watch/events';
import { isOpen, placesIn, referenceOf, type WatchState } from '../watch/state';

export interface WebhookAnswer {
	httpStatus: number;
	body: object;
	/** After how many seconds the same call may be accepted. */
	retryAfterSeconds?: number;
}

/** Orders finish, and make room. */
const ROOM_MAY_COME_SECONDS = 60;

/** n8n registers the webhook a moment before the trigger. */
const STARTED_BY_THEN_SECONDS = 5;

/** How many entries a list in an answer has; their number stands next to it. */
const MAX_ECHOED = 100;

/** What became of the orders of a POST or DELETE. `state` is the one after the call. `notes`: see CallRead. */
export function answerTo(
	method: string,
	effects: readonly Effect[],
	state: WatchState,
	notes: readonly string[],
): WebhookAnswer {
	const places = placesIn(state);
	if (effects.some(({ kind }) => kind === 'full'))
		return {
			httpStatus: 429,
			body: { message: NO_ROOM, ...places },
			retryAfterSeconds: ROOM_MAY_COME_SECONDS,
		};
	const results = effects.flatMap((effect) => (effect.kind === 'answer' ? [effect.result] : []));
	const named = <As extends CallResult['as']>(as: As) =>
		results.filter((result): result is Extract<CallResult, { as: As }> => result.as === as);
	const hashesOf = (as: CallResult['as']) => named(as).map(({ sourceHash }) => sourceHash);
	const message = notes.length === 0 ? {} : { message: notes.join(' ') };
	if (method === 'DELETE') {
		const removed = named('removed').length;
		const kept = capped('listed', hashesOf('listed'));
		const notWatched = capped('notWatched', hashesOf('notWatched'));
		return { httpStatus: 200, body: { removed, ...kept, ...notWatched, ...places, ...message } };
	}
	const accepted = named('accepted').length;
	const watched = named('alreadyWatched').map(({ sourceHash, reference }) => ({
		sourceHash,
		reference,
	}));
	const finished = named('alreadyFinished').map(({ sourceHash, status, finishedSeenAt }) => ({
		sourceHash,
		status,
		finishedSeenAt: new Date(finishedSeenAt).toISOString(),
	}));
	const body = {
		accepted,
		...capped('alreadyWatched', watched),
		...capped('alreadyFinished', finished),
		...places,
		...message,
	};
	return { httpStatus: 202, body };
}

const NO_ROOM =
	'This trigger has no room for what was sent, so nothing was changed. It keeps watching the orders that it accepted before. Send fewer orders, or try again later.';

/** The open orders, listed and posted ones, and since when none of them could be checked. */
export function answerToGet(state: WatchState): WebhookAnswer {
	const orders = [...state.orders.values()].filter(isOpen).map((order) => ({
		sourceHash: order.sourceHash,
		status: order.status,
		since: new Date(order.since).toISOString(),
		reference: referenceOf(order),
		listed: order.listed,
	}));
	const uncheckedSince =
		state.uncheckedSince === null ? null : new Date(state.uncheckedSince).toISOString();
	return { httpStatus: 200, body: { ...placesIn(state), uncheckedSince, orders } };
}

export function saying(
	httpStatus: number,
	message: string,
	retryAfterSeconds?: number,
): WebhookAnswer {
	return { httpStatus, body: { message }, retryAfterSeconds };
}

/** A process that cannot keep an order must never seem to have accepted it. */
export const NOT_RUN_HERE = saying(
	503,
	'The trigger is not running, so the call was not accepted. Send it again in a few seconds. If this persists, open the workflow and publish it again. If n8n has several processes, calls must reach the main process that runs the triggers.',
	STARTED_BY_THEN_SECONDS,
);

export const GET_ADDS_NOTHING = saying(
	405,
	'A GET request only lists the orders. To add an order, send it with POST.',
);

export const TEST_REMOVES_NOTHING = saying(
	405,
	'The Test URL only shows orders in the editor: with POST the orders that you send, with GET the orders that the trigger watches. To remove orders, use the Production URL.',
);

/** To the test URL, whose orders the editor shows. */
export function shownInEditor(method: string, notes: readonly string[]): WebhookAnswer {
	const sentences = ['The orders are shown in the editor.', ...notes];
	return saying(method === 'POST' ? 202 : 200, sentences.join(' '));
}

export const NOTHING_TO_SHOW = saying(400, 'The list is empty, so there is nothing to show.');

function capped(name: string, entries: readonly unknown[]): Record<string, unknown> {
	return { [name]: entries.slice(0, MAX_ECHOED), [`${name}Count`]: entries.length };
}
