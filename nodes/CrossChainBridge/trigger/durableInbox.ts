import type { IDataObject } from 'n8n-workflow';

import { within } from '../budget/clock';
import type { Checker } from '../checks/checker';
import { hashKey } from '../orders/orders';
import { n8nClock } from '../service/service';
import { type InboxCall, mergedInbox, untaken, withInbox, withTaken } from '../state/inbox';
import type { WatchState } from '../state/state';
import type { Accepted, Change, Closable, Engine, OutcomeSeen } from './engine';
import type { TriggerContext } from './pollTimes';
import { commitsOfWorkflow, type Session, setOpenOrders } from './session';
import type { TriggerSettings } from './settings';
import { readInboxes, storeInbox } from './store';

const THIS_PROCESS = Math.random().toString(36).slice(2);

/** How long a call waits for the one before it, in milliseconds. */
const MAX_ANSWER_MS = 5_000;

/** Another process has saved a call that it accepted by then, in milliseconds. */
const OTHERS_SAVE_WITHIN_MS = 2_000;

/** Characters of JSON: the largest watch of 1,000 orders, and room for corrections. */
const MAX_INBOX_LENGTH = 4 * 1024 * 1024;

/** The durable engine before a trigger's first poll, when there is nothing but its calls. */
export class DurableInbox implements Engine {
	readonly until: number | null = null;

	readonly redelivers = false;

	readonly pausesForErrors: boolean = false;

	constructor(protected readonly session: Session) {}

	takeOver(): void {
		// Nothing polls yet.
	}

	begin(): void {
		// Nothing is at work yet.
	}

	async check(_checker: Checker, _settings: TriggerSettings, _until: number): Promise<void> {
		// Nothing is checked yet.
	}

	receive(_seen: OutcomeSeen): void {
		// Nothing was checked.
	}

	inTurn(_step: () => void): void {
		// Nothing may start the workflow.
	}

	start(_json: IDataObject, _undo: () => void): void {
		// Nothing may start the workflow.
	}

	keep(): void {
		// The call's own data are saved.
	}

	async finish(): Promise<void> {
		// Nothing has begun.
	}

	/** A poll of any process takes what is accepted here. */
	isAtWork(): boolean {
		return true;
	}

	async accept<Answer>(
		context: TriggerContext,
		change: Change<Answer>,
		response: Closable,
	): Promise<Accepted<Answer>> {
		return await keepCall(this.session, context, change, response);
	}

	sharedState(): WatchState | null {
		return null;
	}
}

/**
 * Keeps one call of a workflow's triggers after another, so that each is saved with those before it; a poll under way goes by it at
 * once, the next one takes it: n8n lets nobody but polls write the state.
 */
async function keepCall<Answer>(
	session: Session,
	context: TriggerContext,
	change: Change<Answer>,
	response: Closable,
): Promise<Accepted<Answer>> {
	const { watch, commits } = session;
	const all = [...commitsOfWorkflow(context).values()];
	const before = Promise.all(all.map(({ lastAnswered }) => lastAnswered));
	const turn = within(n8nClock, n8nClock.now() + MAX_ANSWER_MS, before);
	const answered = turn.then(async () => {
		// One whose caller is gone does not close again.
		if (!response.closed)
			await new Promise<void>((resolve) => void response.once('close', resolve));
	});
	for (const each of all) each.lastAnswered = answered;
	await turn;
	const now = Date.now();
	const rejected = (answer: Answer): Accepted<Answer> => ({ answer, isKept: false });
	const stored = readInboxes(context);
	const mine = stored.get(context.getNode().id) ?? [];
	const waiting = untaken(mergedInbox(mine, commits.accepted), commits.takenAtLoad, now);
	const state =
		watch.settings === null
			? watch.state
			: withInbox(watch.state, waiting, watch.settings.rules, now);
	const { state: after, answer } = change.decide(state);
	// Of posts only the orders that the answer says have changed: the rest may be another when a poll takes the call.
	const orders = change.orders.filter(({ sourceHash }) => {
		const key = hashKey(sourceHash);
		// Another main process may watch what is to be removed: the next poll removes it.
		const mayBeElsewhere = change.removes && !state.orders.has(key);
		return mayBeElsewhere || state.orders.get(key) !== after.orders.get(key);
	});
	if (orders.length === 0) return rejected(answer);
	// Of two processes that read the same data at the same moment the later would write over the other's call.
	const isBusy = [...stored.values()]
		.flat()
		.some(
			({ writer, at }) => writer !== THIS_PROCESS && Math.abs(now - at) < OTHERS_SAVE_WITHIN_MS,
		);
	if (isBusy) return rejected(change.busy);
	const at = Math.max(now, (state.taken.get(THIS_PROCESS) ?? 0) + 1);
	const call: InboxCall = { writer: THIS_PROCESS, at, removes: change.removes, orders };
	const calls = [...waiting, call];
	if (JSON.stringify(calls).length > MAX_INBOX_LENGTH) return rejected(change.full(state));
	commits.accepted = [...commits.accepted, call];
	storeInbox(context, calls);
	// A poll under way goes by it at once, and stores it: n8n lets nobody else write a poll's data.
	watch.state = withTaken(after, call, now);
	setOpenOrders(session);
	return { answer, isKept: true };
}
