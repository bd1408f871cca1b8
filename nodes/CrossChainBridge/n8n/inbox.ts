import type { IWebhookFunctions } from 'n8n-workflow';

import { within } from '../budget/clock';
import { n8nClock } from '../service/n8nClock';
import type { CallEvent, Effect } from '../watch/events';
import { type InboxCall, mergedInbox, withInbox } from '../watch/inboxCalls';
import { reduce } from '../watch/reduce';
import type { WatchRules } from '../watch/rules';
import type { WatchState } from '../watch/state';
import { setOpenOrders } from './driver';
import type { TriggerContext } from './internals';
import { type Session, workflowIdOf } from './session';
import { loadInbox, storeInbox } from './store';

/*
 * The inbox of the durable engine, in which only a poll can save the trigger's state. A call to the webhook is appended to a list in the
 * workflow's static data, which n8n saves before it answers. The next poll reads the list; a poll under way watches the orders at once.
 */

/** What this process has appended for the triggers of a workflow, as far as no committed state has read it. */
interface OwnCalls {
	calls: InboxCall[];
	/** By node ID: up to which call a committed state has read. What only the state in memory has read would be lost if n8n were killed. */
	readonly committed: Map<string, number>;
	/** Resolves when the last call was answered, and so saved. */
	lastAnswered: Promise<void>;
}

/** By workflow ID, because one column has the calls of all its triggers. */
const ownCallsByWorkflow = new Map<string, OwnCalls>();

function ownCalls(context: TriggerContext): OwnCalls {
	const id = workflowIdOf(context);
	const own = ownCallsByWorkflow.get(id) ?? {
		calls: [],
		committed: new Map(),
		lastAnswered: Promise.resolve(),
	};
	ownCallsByWorkflow.set(id, own);
	return own;
}

/** How long a call waits until the one before it is answered, in milliseconds. */
const MAX_ANSWER_MS = 5_000;

/** In characters of JSON: a thousand orders with the largest references, and room for corrections. */
const MAX_INBOX_LENGTH = 4 * 1024 * 1024;

/** The state after the calls that it has not read yet, stored ones and those of this process. */
export function withCalls(
	context: TriggerContext,
	state: WatchState,
	rules: WatchRules,
	now: number,
): WatchState {
	const calls = mergedInbox(loadInbox(context), ownCalls(context).calls, now);
	return withInbox(state, calls, context.getNode().id, rules);
}

/** Forgets the calls that a committed state has read. */
export function forgetReadCalls(context: TriggerContext, { inboxOffset }: WatchState): void {
	const own = ownCalls(context);
	own.committed.set(context.getNode().id, inboxOffset);
	own.calls = own.calls.filter((call) => !isRead(call, own));
}

function isRead({ nodeId, at }: InboxCall, { committed }: OwnCalls): boolean {
	return at <= (committed.get(nodeId) ?? 0);
}

/**
 * Appends a call if it changes something, or removes an order that this process does not know. One call comes after the other, each when
 * the one before it was answered, for which it waits up to MAX_ANSWER_MS: each saves the whole column, so that an older one that is saved later
 * would remove the newer call.
 */
export async function acceptIntoInbox(
	session: Session,
	context: IWebhookFunctions,
	event: CallEvent,
	rules: WatchRules,
): Promise<Effect[]> {
	await untilPreviousIsAnswered(context);
	const now = Date.now();
	const own = ownCalls(context);
	const nodeId = context.getNode().id;
	const calls = mergedInbox(loadInbox(context), own.calls, now);
	const before = withInbox(session.state, calls, nodeId, rules);
	const { state, effects } = reduce(before, event, rules, now);
	// A removal of an unknown order is stored, too: another process may know it.
	const isRemoval =
		event.kind === 'removed' && event.orders.some(({ key }) => !before.orders.has(key));
	if (state === before && !isRemoval) return effects;
	const at = Math.max(now, before.inboxOffset + 1, ...calls.map((each) => each.at + 1));
	const orders = event.orders.map((order) => ({ startedAt: null, ...order }));
	const call: InboxCall = { nodeId, at, removes: event.kind === 'removed', orders };
	const all = [...calls.filter((each) => !isRead(each, own)), call];
	if (JSON.stringify(all).length > MAX_INBOX_LENGTH) return [{ kind: 'full' }];
	own.calls = [...own.calls, call];
	storeInbox(context, all);
	session.state = { ...state, inboxOffset: at };
	setOpenOrders(session);
	return effects;
}

/** Resolves when the call before this one was answered, and so saved, or takes too long; the next call waits for this one. */
async function untilPreviousIsAnswered(context: IWebhookFunctions): Promise<void> {
	const own = ownCalls(context);
	const before = within(n8nClock, n8nClock.now() + MAX_ANSWER_MS, own.lastAnswered);
	const response = context.getResponseObject();
	own.lastAnswered = before.then(async () => {
		// A response that is closed already emits no second event.
		if (!response.closed)
			await new Promise<void>((resolve) => void response.once('close', resolve));
	});
	await before;
}
