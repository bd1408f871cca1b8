import type { IWebhookFunctions } from 'n8n-workflow';

import { within } from '../budget/clock';
import { hashKey } from '../orders/orders';
import { n8nClock } from '../service/service';
import { type InboxCall, mergedInbox, untaken, withInbox, withTaken } from '../state/inbox';
import { finishedOrder, type WatchState } from '../state/state';
import type { Change } from './engine';
import { type Session, sessionsOfWorkflow, setOpenOrders } from './session';
import { readInboxes, storeInbox } from './store';

const THIS_PROCESS = Math.random().toString(36).slice(2);

/** How long a call waits for the one before it. */
const MAX_ANSWER_MS = 5_000;

/** By then another process has saved what it accepted. */
const OTHERS_SAVE_WITHIN_MS = 2_000;

/** Characters of JSON: the largest watch of 1,000 orders, and room for corrections. */
const MAX_INBOX_LENGTH = 4 * 1024 * 1024;

/** Forgets the calls that the committed state has taken. */
export function noteTaken({ commits }: Session, { taken }: WatchState): void {
	commits.takenAtLoad = taken;
	commits.accepted = untaken(commits.accepted, taken, Date.now());
}

/** Keeps one call of a workflow after another, each with those before it; a poll under way watches its orders at once. */
export async function keepCall<Answer>(
	session: Session,
	context: IWebhookFunctions,
	change: Change<Answer>,
): Promise<Answer> {
	const { watch, commits } = session;
	const all = [...sessionsOfWorkflow(context).values()].map(({ commits: each }) => each);
	const before = Promise.all(all.map(({ lastAnswered }) => lastAnswered));
	const turn = within(n8nClock, n8nClock.now() + MAX_ANSWER_MS, before);
	const response = context.getResponseObject();
	const answered = turn.then(async () => {
		// A closed response emits no second 'close'.
		if (!response.closed)
			await new Promise<void>((resolve) => void response.once('close', resolve));
	});
	for (const each of all) each.lastAnswered = answered;
	await turn;
	const now = Date.now();
	const stored = readInboxes(context);
	const mine = stored.get(context.getNode().id) ?? [];
	const waiting = untaken(mergedInbox(mine, commits.accepted), commits.takenAtLoad, now);
	const state = withInbox(watch.state, waiting, change.rules, now);
	const { state: after, answer } = change.decide(state);
	// Only what this call changes: the rest may be different when a poll takes it.
	const removals = waiting.flatMap((call) => (call.removes ? call.orders : []));
	const removed = new Set(removals.map(({ sourceHash }) => hashKey(sourceHash)));
	const orders = change.orders.filter(({ sourceHash }) => {
		const key = hashKey(sourceHash);
		// Another main process may watch what is to be removed: the next poll removes it.
		const mayBeElsewhere = change.removes && !state.orders.has(key) && !removed.has(key);
		return (
			mayBeElsewhere ||
			state.orders.get(key) !== after.orders.get(key) ||
			finishedOrder(state, key) !== finishedOrder(after, key)
		);
	});
	if (orders.length === 0) return answer;
	// Another process that has read the same data would write over this call.
	const isBusy = [...stored.values()]
		.flat()
		.some(
			({ writer, at }) => writer !== THIS_PROCESS && Math.abs(now - at) < OTHERS_SAVE_WITHIN_MS,
		);
	if (isBusy) return change.busy;
	const at = Math.max(now, (state.taken.get(THIS_PROCESS) ?? 0) + 1);
	const call: InboxCall = { writer: THIS_PROCESS, at, removes: change.removes, orders };
	const calls = [...waiting, call];
	if (JSON.stringify(calls).length > MAX_INBOX_LENGTH)
		return after === state ? answer : change.full(state);
	commits.accepted = [...commits.accepted, call];
	storeInbox(context, calls);
	// The poll under way saves this; a call cannot.
	watch.state = withTaken(after, call, now);
	setOpenOrders(session);
	return answer;
}
