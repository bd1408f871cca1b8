import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../checks/checker';
import { within } from '../budget/clock';
import { hashKey } from '../orders/orders';
import { n8nClock } from '../service/service';
import { type InboxCall, mergedInbox, untaken, withInbox, withTaken } from '../state/inbox';
import { isBeingPolled, newestOf, type WatchState } from '../state/state';
import { CommitQueue } from './commitQueue';
import type { Accepted, Change, Closable, Engine, OutcomeSeen } from './engine';
import { type DurableTimes, pollBudgetMs, timesOf, type TriggerContext } from './pollTimes';
import { isInCharge, putInCharge } from './registration';
import { commitsOfWorkflow, type Session, setOpenOrders } from './session';
import type { TriggerSettings } from './settings';
import {
	isStoredDurably,
	loadState,
	readInboxes,
	storeInbox,
	storeWithNode,
	storeWithWorkflow,
} from './store';
import { applyOutcome } from './watch';

const THIS_PROCESS = Math.random().toString(36).slice(2);

/** How long a call waits for the one before it, in milliseconds. */
const MAX_ANSWER_MS = 5_000;

/** Another process has saved a call that it accepted by then, in milliseconds. */
const OTHERS_SAVE_WITHIN_MS = 2_000;

/** Characters of JSON: the largest watch of 1,000 orders, and room for corrections. */
const MAX_INBOX_LENGTH = 4 * 1024 * 1024;

/** Longer than n8n needs to commit an execution, in milliseconds: 11 seconds were seen. */
const MAX_COMMIT_MS = 60_000;

const LEFT_FOR_COMMITS_MS = 300;

let hasSeenDurablePolls = false;

/** One durable poll says it for all triggers of the process. */
export function hasDurablePolls(): boolean {
	return hasSeenDurablePolls;
}

/** Each poll has a context of its own and checks until the next; n8n commits the state with a start, or drops both, so the committed state counts. */
export class DurableEngine implements Engine {
	readonly redelivers = false;

	/** Null while n8n publishes, when the state is kept with the workflow. */
	private readonly times: DurableTimes | null;

	/** Without durable cursors the state is part of the workflow's data after all. */
	private readonly isCommitted: boolean;

	private readonly queue: CommitQueue | null;

	constructor(
		private readonly session: Session,
		/** Null for calls that come before the first poll. */
		private readonly context: IPollFunctions | null,
	) {
		const times =
			context === null ? null : timesOf(context, { now: n8nClock.now(), wall: Date.now() });
		this.times = times;
		this.isCommitted = context === null || isStoredDurably(context);
		this.queue =
			times === null
				? null
				: new CommitQueue(
						n8nClock,
						() => this.hasRegistration() && session.watch.checker?.pause(),
						() => Date.now() < times.overAt,
						session.commits.wait,
					);
	}

	get until(): number | null {
		return this.times === null ? null : this.times.until - LEFT_FOR_COMMITS_MS;
	}

	get pausesForErrors(): boolean {
		return this.times !== null;
	}

	takeOver(): void {
		const { session, context, times, isCommitted } = this;
		if (context === null) return;
		const { watch, commits } = session;
		const stored = loadState(context);
		if (isCommitted) {
			if (times !== null) hasSeenDurablePolls = true;
			if (this.isCommitUnderWay(stored)) return;
			const isOwn = stored.polledUntil === commits.overAt;
			const isElsewhere = !isOwn && isBeingPolled(stored, pollBudgetMs(context), Date.now());
			// While it publishes, n8n has taken the lease of the polls before away.
			if (times !== null && isElsewhere) return;
			commits.takenAtLoad = stored.taken;
			commits.accepted = untaken(commits.accepted, stored.taken, Date.now());
		}
		commits.stateAtN8n = stored;
		const state = isCommitted ? stored : newestOf([watch.state, stored]);
		watch.state = { ...state, polledUntil: 0 };
		watch.isInherited = false;
		putInCharge(session, context);
		session.engine = this;
		// Each poll has a registration of its own: the rhythm continues.
		if (times === null) watch.checker?.restart();
		else watch.checker?.pause();
		watch.checker?.takeFindings();
	}

	/** Commits that this poll is at work, so that one that begins after it, in any process, leaves at once. */
	begin(): void {
		const { session, context, times, queue } = this;
		const { watch, commits } = session;
		const commitCursor: unknown = context === null ? null : Reflect.get(context, '__commitCursor');
		const hasWork = watch.state.orders.size > 0 || watch.settings?.acceptsOrders === true;
		if (times === null || !hasWork || !this.isCommitted || typeof commitCursor !== 'function')
			return;
		watch.state = { ...watch.state, polledUntil: times.committedBy };
		this.keep();
		commits.stateAtN8n = watch.state;
		queue?.begin(async () => void (await commitCursor.call(context)));
	}

	async check(checker: Checker, settings: TriggerSettings, until: number): Promise<void> {
		const { times } = this;
		if (times === null) return await checker.checkEach(until);
		// An order that is posted meanwhile is checked by this poll.
		const isNeeded = () => this.hasRegistration() && (checker.size > 0 || settings.acceptsOrders);
		if (settings.keepChecking) await checker.checkUntil(times.checksUntil, isNeeded);
		else await checker.checkEach(times.checksUntil);
		if (this.hasRegistration()) await checker.settled(until);
		if (this.hasRegistration()) checker.pause();
	}

	receive(seen: OutcomeSeen): void {
		const { session, context } = this;
		if (context !== null && session.registration.polls.has(context))
			this.inTurn(() => applyOutcome(session, seen));
	}

	inTurn(step: () => void): void {
		const stepInCharge = (): void => {
			if (isInCharge(this.session, this.context)) step();
		};
		if (this.queue === null) stepInCharge();
		else this.queue.take(stepInCharge);
	}

	start(json: IDataObject, undo: () => void): void {
		const { session, context, queue } = this;
		const { commits, watch } = session;
		const { lastEmit } = commits;
		if (queue === null) context?.__emit([[{ json }]]);
		else {
			const { response, done } = queue.nextStart(() => {
				if (!this.hasRegistration()) return;
				commits.lastEmit = lastEmit;
				undo();
			});
			context?.__emit([[{ json }]], response, done);
		}
		commits.lastEmit = { revision: watch.state.revision, at: Date.now() };
		commits.stateAtN8n = watch.state;
	}

	keep(): void {
		const { context, times, session } = this;
		if (context === null) return;
		if (times === null) storeWithWorkflow(context, session.watch.state);
		else storeWithNode(context, session.watch.state);
	}

	/** Waits until all starts are committed, since n8n drops what comes after the poll. */
	async finish(): Promise<void> {
		const { session, context, times, queue } = this;
		const { watch, commits } = session;
		if (context === null || times === null || queue === null || !this.hasRegistration()) return;
		await queue.finish(times.until - n8nClock.now());
		if (!this.hasRegistration()) return;
		// Where the process stood still, the next poll may have saved more.
		const mayDiffer = Date.now() >= times.overAt || queue.isStateUncertain;
		if (this.isCommitted && mayDiffer) {
			// What is committed counts: n8n saves nothing where nothing has changed.
			storeWithNode(context, commits.stateAtN8n);
			void queue.settled().then(() => (commits.overAt = times.committedBy));
			return;
		}
		// Where an older state may have been written last, a change makes n8n write this one when the poll ends.
		const revision = watch.state.revision + (queue.isOrderUncertain ? 1 : 0);
		watch.state = { ...watch.state, polledUntil: 0, revision };
		this.keep();
	}

	/** A poll of any process takes what is accepted here, if n8n keeps its state apart from the workflow's data. */
	isAtWork(): boolean {
		return this.isCommitted;
	}

	/** Accepts one call of a workflow's triggers after another, so that each is saved with those before it; a poll under way takes it at once. */
	async accept<Answer>(
		context: TriggerContext,
		change: Change<Answer>,
		response: Closable,
	): Promise<Accepted<Answer>> {
		const { session } = this;
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
		if (after === state) return rejected(answer);
		// Of two processes that read the same data at the same moment the later would write over the other's call.
		const isBusy = [...stored.values()]
			.flat()
			.some(
				({ writer, at }) => writer !== THIS_PROCESS && Math.abs(now - at) < OTHERS_SAVE_WITHIN_MS,
			);
		if (isBusy) return rejected(change.busy);
		// Only the orders that the answer says have changed: the rest may be another when a poll takes the call.
		const orders = change.orders.filter(({ sourceHash }) => {
			const key = hashKey(sourceHash);
			return state.orders.get(key) !== after.orders.get(key);
		});
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

	sharedState(): WatchState | null {
		return this.isCommitted ? null : this.session.watch.state;
	}

	private hasRegistration(): boolean {
		return this.session.registration.context === this.context;
	}

	/** Whether this process has emitted more than is stored; a commit that is missing for long was dropped, and its event comes again. */
	private isCommitUnderWay(stored: WatchState): boolean {
		const { lastEmit } = this.session.commits;
		return stored.revision < lastEmit.revision && Date.now() - lastEmit.at < MAX_COMMIT_MS;
	}
}
