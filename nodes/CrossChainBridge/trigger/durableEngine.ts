import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../checks/checker';
import { n8nClock } from '../service/service';
import { mergedInbox, untaken } from '../state/inbox';
import { isBeingPolled, newestOf, type WatchState } from '../state/state';
import { CommitQueue } from './commitQueue';
import { DurableEngine } from './durableInbox';
import type { OutcomeSeen } from './engine';
import { type DurableTimes, pollBudgetMs } from './pollTimes';
import { isInCharge, putInCharge } from './registration';
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

let hasSeenDurablePolls = false;

/** One durable poll says it for all triggers of the process. */
export function hasDurablePolls(): boolean {
	return hasSeenDurablePolls;
}

/** What a publication and a poll have in common: each has a context of its own, and the committed state counts. */
abstract class DurableRegistration extends DurableEngine {
	constructor(
		session: Session,
		protected readonly context: IPollFunctions,
	) {
		super(session);
	}

	receive(seen: OutcomeSeen): void {
		const { session, context } = this;
		if (session.registration.polls.has(context)) this.inTurn(() => applyOutcome(session, seen));
	}

	start(json: IDataObject, undo: () => void): void {
		const { commits, watch } = this.session;
		this.emit(json, undo);
		commits.lastEmit = { revision: watch.state.revision, at: Date.now() };
		commits.stateAtN8n = watch.state;
	}

	protected abstract emit(json: IDataObject, undo: () => void): void;

	/** Whether this process has emitted more than is stored; a commit that is missing for long was dropped, and its event comes again. */
	protected isCommitUnderWay(stored: WatchState): boolean {
		const { lastEmit } = this.session.commits;
		return (
			stored.revision < lastEmit.revision && Math.abs(Date.now() - lastEmit.at) < MAX_COMMIT_MS
		);
	}

	/** Forgets the calls that the committed state has taken. */
	protected noteTaken({ taken }: WatchState): void {
		const { commits } = this.session;
		commits.takenAtLoad = taken;
		commits.accepted = untaken(commits.accepted, taken, Date.now());
	}

	protected putInChargeWith(state: WatchState): void {
		const { session, context } = this;
		const { watch } = session;
		watch.state = { ...state, polledUntil: 0 };
		watch.isInherited = false;
		putInCharge(session, context);
		session.engine = this;
		watch.checker?.takeFindings();
	}

	protected runInCharge(step: () => void): void {
		if (isInCharge(this.session, this.context)) step();
	}
}

/** What n8n runs as a poll while it publishes; it keeps the state with the workflow, from where the first poll takes it. */
export class DurablePublication extends DurableRegistration {
	readonly until = null;

	readonly pausesForErrors = false;

	takeOver(): void {
		const { session, context } = this;
		const stored = loadState(context);
		if (this.isCommitUnderWay(stored)) return;
		// n8n has taken the lease of the polls before away.
		this.noteTaken(stored);
		session.commits.stateAtN8n = stored;
		this.putInChargeWith(stored);
		session.watch.checker?.restart();
	}

	begin(): void {
		// Another poll begins when this one is over.
	}

	async check(checker: Checker, _settings: TriggerSettings, until: number): Promise<void> {
		await checker.checkEach(until);
	}

	inTurn(step: () => void): void {
		this.runInCharge(step);
	}

	/** With the calls that were accepted meanwhile, since n8n saves this copy of the workflow's data after publishing. */
	keep(): void {
		const { context, session } = this;
		const { accepted } = session.commits;
		storeWithWorkflow(context, session.watch.state);
		if (accepted.length > 0) storeInbox(context, mergedInbox(readInbox(context), accepted));
	}

	async finish(): Promise<void> {
		// n8n saves when it has published.
	}

	protected emit(json: IDataObject): void {
		this.context.__emit([[{ json }]]);
	}
}

/** One poll, which checks until the next; n8n commits the state with a start, or drops both. */
export class DurablePoll extends DurableRegistration {
	readonly until: number;

	readonly pausesForErrors = true;

	/** Whether n8n commits the node's data with each start; without durable cursors they are part of the workflow's data. */
	private readonly isCommitted: boolean;

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
			() => this.hasRegistration() && session.watch.checker?.pause(),
			() => Date.now() < times.overAt,
			session.commits.wait,
		);
	}

	takeOver(): void {
		const { session, context, isCommitted } = this;
		const { watch, commits } = session;
		const stored = loadState(context);
		if (isCommitted) {
			hasSeenDurablePolls = true;
			const isOwn = stored.polledUntil === commits.ownPolledUntil;
			const isElsewhere = !isOwn && isBeingPolled(stored, pollBudgetMs(context), Date.now());
			if (isElsewhere || this.isCommitUnderWay(stored)) return;
			this.noteTaken(stored);
		}
		commits.stateAtN8n = stored;
		this.putInChargeWith(isCommitted ? stored : newestOf([watch.state, stored]));
		// Each poll has a registration of its own: the rhythm continues.
		watch.checker?.pause();
	}

	/** Commits that this poll is at work, so that one that begins after it, in any process, leaves at once. */
	begin(): void {
		const { session, context, times, queue } = this;
		const { watch, commits } = session;
		const commitCursor: unknown = Reflect.get(context, '__commitCursor');
		const hasWork = watch.state.orders.size > 0 || watch.settings?.acceptsOrders === true;
		if (!hasWork || !this.isCommitted || typeof commitCursor !== 'function') return;
		watch.state = { ...watch.state, polledUntil: times.polledUntil };
		this.keep();
		commits.stateAtN8n = watch.state;
		queue.begin(async () => void (await commitCursor.call(context)));
	}

	async check(checker: Checker, settings: TriggerSettings, until: number): Promise<void> {
		const { checksUntil } = this.times;
		// An order that is posted meanwhile is checked by this poll.
		const isNeeded = () => this.hasRegistration() && (checker.size > 0 || settings.acceptsOrders);
		if (settings.keepChecking) await checker.checkUntil(checksUntil, isNeeded);
		else await checker.checkEach(checksUntil);
		if (this.hasRegistration()) await checker.settled(until);
		if (this.hasRegistration()) checker.pause();
	}

	inTurn(step: () => void): void {
		this.queue.take(() => this.runInCharge(step));
	}

	keep(): void {
		storeWithNode(this.context, this.session.watch.state);
	}

	/** Waits until all starts are committed, since n8n drops what comes after the poll. */
	async finish(): Promise<void> {
		const { session, context, times, queue } = this;
		const { watch, commits } = session;
		if (!this.hasRegistration()) return;
		await queue.finish(times.returnsBy - n8nClock.now());
		if (!this.hasRegistration()) return;
		// Where the process stood still, the next poll may have saved more.
		const mayDiffer = Date.now() >= times.overAt || queue.isStateUncertain;
		if (this.isCommitted && mayDiffer) {
			// What is committed counts: n8n saves nothing where nothing has changed.
			storeWithNode(context, commits.stateAtN8n);
			void queue.settled().then(() => (commits.ownPolledUntil = times.polledUntil));
			return;
		}
		// Where an older state may have been written last, a change makes n8n write this one when the poll ends.
		const revision = watch.state.revision + (queue.isOrderUncertain ? 1 : 0);
		watch.state = { ...watch.state, polledUntil: 0, revision };
		this.keep();
	}

	override isAtWork(): boolean {
		return this.isCommitted;
	}

	override sharedState(): WatchState | null {
		return this.isCommitted ? null : this.session.watch.state;
	}

	protected emit(json: IDataObject, undo: () => void): void {
		const { session, context, queue } = this;
		const { commits } = session;
		const { lastEmit } = commits;
		const { response, done } = queue.nextStart(() => {
			if (!this.hasRegistration()) return;
			commits.lastEmit = lastEmit;
			undo();
		});
		context.__emit([[{ json }]], response, done);
	}

	private hasRegistration(): boolean {
		return this.session.registration.context === this.context;
	}
}
