import type { IDataObject, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Checker } from '../checks/checker';
import { isFinal } from '../checks/outcome';
import { n8nClock } from '../service/service';
import { mergedInbox } from '../state/inbox';
import { EMPTY_STATE, isBeingPolled, newestOf, type WatchState } from '../state/state';
import { CommitQueue, type StartReport } from './commitQueue';
import { keepCall, noteTaken } from './durableInbox';
import type { Change, Engine, OutcomeSeen } from './engine';
import { type DurableTimes, pollBudgetMs } from './pollTimes';
import { putInCharge } from './registration';
import type { Session } from './session';
import type { TriggerSettings } from './settings';
import {
	isStoredDurably,
	loadState,
	readInbox,
	storeInbox,
	storeWithNode,
	storeWithWorkflow,
} from './store';
import { applyOutcome } from './watch';

/** Longer than n8n needs to commit an execution, in milliseconds: 11 seconds were seen. */
const MAX_COMMIT_MS = 60_000;

const LEFT_FOR_COMMITS_MS = 300;

/** A publication or a poll: each has a context of its own, and the committed state counts. */
abstract class DurableRegistration {
	constructor(
		protected readonly session: Session,
		readonly context: IPollFunctions,
	) {}

	/** Whether n8n commits the node's data with each start, as it does with durable cursors. */
	protected abstract readonly isCommitted: boolean;

	/** A poll of any process takes what is accepted where the state is committed. */
	isAtWork(): boolean {
		return this.isCommitted;
	}

	get isShared(): boolean {
		return !this.isCommitted;
	}

	async accept<Answer>(context: IWebhookFunctions, change: Change<Answer>): Promise<Answer> {
		return await keepCall(this.session, context, change);
	}

	protected isPolling(): boolean {
		return this.session.polls.has(this.context);
	}

	/** Hands a start to n8n, with the state that was kept for it. */
	protected emit(json: IDataObject, { response, done }: Partial<StartReport> = {}): void {
		const { commits, watch } = this.session;
		this.context.__emit([[{ json }]], response, done);
		commits.lastEmit = { revision: watch.state.revision, at: Date.now() };
	}

	/** Whether more was emitted here than is stored; a commit that is missing for long was dropped. */
	protected isCommitUnderWay(stored: WatchState): boolean {
		const { lastEmit } = this.session.commits;
		return (
			stored.revision < lastEmit.revision && Math.abs(Date.now() - lastEmit.at) < MAX_COMMIT_MS
		);
	}
}

/** What n8n runs as a poll while it publishes; the first poll takes the state from the workflow. */
export class DurablePublication extends DurableRegistration implements Engine {
	readonly until = null;

	protected readonly isCommitted = true;

	takeOver(): void {
		const { session, context } = this;
		const stored = loadState(context);
		if (this.isCommitUnderWay(stored)) return;
		// n8n has taken the lease of the polls before away.
		noteTaken(session, stored);
		putInCharge(session, this, { ...stored, polledUntil: 0 });
		session.watch.checker?.restart();
	}

	async check(checker: Checker, _settings: TriggerSettings, until: number): Promise<void> {
		await checker.checkEach(until);
	}

	receive(seen: OutcomeSeen): void {
		if (this.isPolling()) applyOutcome(this.session, this, seen);
	}

	start(json: IDataObject): void {
		this.emit(json);
	}

	/** With the calls accepted meanwhile, since n8n saves this copy after publishing. */
	keep(): void {
		const { context, session } = this;
		const { accepted } = session.commits;
		storeWithWorkflow(context, session.watch.state);
		if (accepted.length > 0) storeInbox(context, mergedInbox(readInbox(context), accepted));
	}
}

/** One poll, which checks until the next; n8n commits the state with a start, or drops both. */
export class DurablePoll extends DurableRegistration implements Engine {
	/** Whether one has begun in this process. */
	static hasBegun = false;

	readonly until: number;

	readonly seenFinal = new Set<string>();

	/** Stored with the state, so that no other poll begins meanwhile; 0 while none need know. */
	private polledUntil = 0;

	/** What n8n last got to commit, or gave to this poll. */
	private stateAtN8n = EMPTY_STATE;

	protected readonly isCommitted: boolean;

	private readonly queue: CommitQueue;

	constructor(
		session: Session,
		context: IPollFunctions,
		private readonly times: DurableTimes,
	) {
		super(session, context);
		this.until = times.returnsBy - LEFT_FOR_COMMITS_MS;
		this.isCommitted = isStoredDurably(context);
		this.queue = new CommitQueue(
			n8nClock,
			() => session.engine === this && session.watch.checker?.pause(),
			() => Date.now() < times.overAt,
			session.commits.wait,
		);
	}

	takeOver(): void {
		const { session, context, isCommitted } = this;
		const { watch, commits } = session;
		const stored = loadState(context);
		if (isCommitted) {
			DurablePoll.hasBegun = true;
			const isOwn = stored.polledUntil === commits.ownPolledUntil;
			const isElsewhere = !isOwn && isBeingPolled(stored, pollBudgetMs(context), Date.now());
			if (isElsewhere || this.isCommitUnderWay(stored)) return;
			noteTaken(session, stored);
		}
		this.stateAtN8n = stored;
		const newest = isCommitted ? stored : newestOf([watch.state, stored]);
		putInCharge(session, this, { ...newest, polledUntil: 0 });
		// Each poll has a registration of its own: the rhythm continues.
		watch.checker?.pause();
	}

	/** Commits that this poll is at work, so that one that begins later, in any process, leaves. */
	begin(): void {
		const { session, context, times, queue } = this;
		const { watch } = session;
		const commitCursor: unknown = Reflect.get(context, '__commitCursor');
		const hasWork = watch.state.orders.size > 0 || watch.settings?.acceptsOrders === true;
		if (!hasWork || !this.isCommitted || typeof commitCursor !== 'function') return;
		this.polledUntil = times.polledUntil;
		this.keep();
		this.stateAtN8n = this.stateToKeep();
		queue.begin(async () => void (await commitCursor.call(context)));
	}

	async check(checker: Checker, settings: TriggerSettings, until: number): Promise<void> {
		const { checksUntil } = this.times;
		// An order that is posted meanwhile is checked by this poll.
		const { session, seenFinal } = this;
		const isNeeded = () =>
			session.engine === this && (checker.size + seenFinal.size > 0 || settings.acceptsOrders);
		if (settings.keepChecking) await checker.checkUntil(checksUntil, isNeeded);
		else await checker.checkEach(checksUntil);
		if (session.engine === this) await checker.settled(until);
		if (session.engine === this) checker.pause();
	}

	receive(seen: OutcomeSeen): void {
		const { session, seenFinal, queue } = this;
		if (!this.isPolling()) return;
		if (isFinal(seen.outcome)) seenFinal.add(seen.key);
		queue.take(() => {
			seenFinal.delete(seen.key);
			applyOutcome(session, this, seen);
		});
	}

	start(json: IDataObject, undo: () => void): void {
		const { session, queue } = this;
		const { commits } = session;
		const { lastEmit } = commits;
		const start = (report: StartReport) => this.emit(json, report);
		queue.nextStart(start, () => {
			if (session.engine !== this) return;
			commits.lastEmit = lastEmit;
			undo();
		});
		this.stateAtN8n = this.stateToKeep();
	}

	keep(): void {
		storeWithNode(this.context, this.stateToKeep());
	}

	/** Waits until all starts are committed, since n8n drops what comes after the poll. */
	async finish(): Promise<void> {
		const { session, context, times, queue } = this;
		const { commits } = session;
		if (session.engine !== this) return;
		await queue.finish(times.returnsBy);
		if (session.engine !== this) return;
		commits.ownPolledUntil = times.polledUntil;
		// Where the process stood still, the next poll may have saved more.
		const mayDiffer = Date.now() >= times.overAt || queue.isStateUncertain;
		if (this.isCommitted && mayDiffer) {
			// What n8n has already, so that it saves nothing.
			storeWithNode(context, this.stateAtN8n);
			return;
		}
		// If an older state may have been written last, a new revision makes n8n write this one.
		this.polledUntil = 0;
		const state = this.stateToKeep();
		const revision = state.revision + (queue.isOrderUncertain ? 1 : 0);
		storeWithNode(context, { ...state, revision });
	}

	private stateToKeep(): WatchState {
		return { ...this.session.watch.state, polledUntil: this.polledUntil };
	}
}
