import type { IDataObject, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { within } from '../budget/clock';
import type { Checker } from '../checks/checker';
import { errorOf } from '../orders/values';
import { n8nClock } from '../service/n8nClock';
import { type Finding, HEALTHY, withoutCause } from '../trigger/health';
import { readSettings, settingsOf, type TriggerSettings } from '../trigger/settings';
import type { CallEvent, Effect, Emission, WatchEvent } from '../watch/events';
import type { WatchRules } from '../watch/rules';
import { EMPTY_STATE, newestOf, type WatchState } from '../watch/state';
import { Commits } from './commits';
import { acceptIntoInbox, forgetReadCalls, withCalls } from './inbox';
import { cursorCommit, hasDurableCursor, startWorkflow } from './internals';
import {
	apply,
	applySettings,
	asPolled,
	connect,
	countedError,
	type Driver,
	findingOf,
	hasWork,
	nextResult,
} from './driver';
import { isLeased, pollTimes, type PollTimes } from './pollTimes';
import { serviceToPublish, throwIfNotRunnable } from './publishing';
import {
	beginPublishing,
	endPublishing,
	keeperOf,
	mayEmit,
	putInCharge,
	Runner,
	type Session,
} from './session';
import { loadState, storeWithNode } from './store';

/** A start whose commit is missing for this long, in milliseconds, was dropped; the longest commit that was seen took 11 seconds. */
const DROPPED_AFTER_MS = 60_000;

/** A runner of the durable engine. A call to the webhook goes into the inbox, because only a poll can save the trigger's state. */
abstract class DurableRunner extends Runner {
	async accept(call: IWebhookFunctions, event: CallEvent, rules: WatchRules): Promise<Effect[]> {
		return await acceptIntoInbox(this.session, call, event, rules);
	}
}

/**
 * The poll that n8n runs while a person publishes in the durable engine. It ends the poll under way, and leaves the orders to the next one,
 * because it cannot save the node's own data.
 */
export class DurablePublishing extends DurableRunner {
	async poll(): Promise<void> {
		const { session, context } = this;
		const settings = settingsOf(context);
		beginPublishing(session, this);
		try {
			await serviceToPublish(context);
			// A newer one is being published by now.
			if (session.runner !== this) return;
			const newest = newestOf([session.state, loadState(context)]);
			const state = withCalls(context, newest, settings.rules, Date.now());
			putInCharge(session, this, { ...state, leaseUntil: 0 });
			session.settings = settings;
			session.health = HEALTHY;
			session.checker?.pause();
		} finally {
			endPublishing(session, this);
		}
	}

	/** A poll of any process reads what is accepted here. */
	isAtWork(): boolean {
		return true;
	}
}

/**
 * One poll of n8n's durable engine, and the driver of its watch. Each poll may run in another process, and begins with the state that n8n has
 * committed. It checks the orders until shortly before the next poll if Keep Checking is on, and otherwise once. It starts the workflow for each
 * event as it comes: with a durable cursor, n8n commits the state with each start, or drops both.
 */
export class DurablePoll extends DurableRunner implements Driver {
	/** Whether the last poll of the durable engine in this process had a durable cursor; false if none has run. */
	static hadDurableCursor = false;

	private readonly times: PollTimes;

	private readonly commits: Commits;

	/** Whether n8n commits the node's data with each start. */
	private readonly hasDurableCursor: boolean;

	/** The lease that the stored state has while this poll works; 0 while none is needed. */
	private lease = 0;

	/** The state that n8n last got to commit, or gave to this poll. */
	private stateAtN8n = EMPTY_STATE;

	constructor(
		session: Session,
		context: IPollFunctions,
		private readonly budgetMs: number,
	) {
		super(session, context);
		this.times = pollTimes(context, budgetMs, { now: n8nClock.now(), wall: Date.now() });
		this.hasDurableCursor = hasDurableCursor(context);
		this.commits = new Commits(n8nClock, session.durable, context.helpers, () => {
			if (session.runner === this) session.checker?.pause();
		});
	}

	/** One poll. It throws only what a person has to see now. */
	async poll(): Promise<void> {
		const { session, context } = this;
		DurablePoll.hadDurableCursor = this.hasDurableCursor;
		const stored = loadState(context);
		if (this.hasDurableCursor) {
			if (this.isWorkedOn(stored)) return;
			forgetReadCalls(context, stored);
		}
		this.stateAtN8n = stored;
		const newest = this.hasDurableCursor ? stored : newestOf([session.state, stored]);
		putInCharge(session, this, { ...newest, leaseUntil: 0 });
		// The orders keep the rhythm of their checks; only what is in flight is dropped.
		session.checker?.pause();
		const finding = await this.work();
		await this.applyNext(() => asPolled(context, finding)).finally(async () => await this.finish());
		const error = countedError(session, context, finding);
		if (error !== null) throw withoutCause(context, error);
	}

	/** Whether another poll works on this state, or this process has started more than is committed. */
	private isWorkedOn({ leaseUntil, revision }: WatchState): boolean {
		const { lastStart, ownLease } = this.session.durable;
		const now = Date.now();
		const isCommitting =
			revision < lastStart.revision && Math.abs(now - lastStart.at) < DROPPED_AFTER_MS;
		return isCommitting || (leaseUntil !== ownLease && isLeased(leaseUntil, this.budgetMs, now));
	}

	/** Applies the fields, has the orders checked, and says what that has found; it never throws. */
	private async work(): Promise<Finding> {
		const { session, context, times } = this;
		const { settings, error } = readSettings(context, session.settings);
		try {
			await this.use(settings);
			const isChecking = mayEmit(session, this) && hasWork(session, settings);
			const checker = isChecking ? await this.check(settings) : null;
			return await findingOf(session, this, { checker, error, until: times.resultsUntil });
		} catch (thrown) {
			return { kind: 'settings', cause: errorOf(thrown) };
		}
	}

	/** Applies the fields, after the calls to the webhook that came before them. */
	private async use(settings: TriggerSettings): Promise<void> {
		const { session, context } = this;
		await throwIfNotRunnable(context);
		if (!mayEmit(session, this)) return;
		// This engine repeats nothing.
		const rules = { ...settings.rules, redelivers: false };
		session.state = withCalls(context, session.state, rules, Date.now());
		applySettings(session, { ...settings, rules }, null, this);
		this.claim(settings);
	}

	/** Commits that this poll is at work, so that one that begins later, in any process, leaves the state to it. */
	private claim(settings: TriggerSettings): void {
		const { session, context, times } = this;
		const commit = this.hasDurableCursor ? cursorCommit(context) : null;
		if (commit === null || !hasWork(session, settings)) return;
		this.lease = times.leaseUntilAt;
		this.store();
		this.stateAtN8n = this.stateToStore();
		this.commits.begin(commit());
	}

	/** Applies what the checks show, one result after the other, until the time of this poll is over. */
	private async check(settings: TriggerSettings): Promise<Checker> {
		const { session, context, times } = this;
		const checker = await connect(session, context, settings, times.resultsUntil);
		if (settings.keepChecking) checker.run(times.checksUntil);
		else checker.wantEach();
		// An order that is posted meanwhile is checked by this poll.
		const isWaitedFor = () => checker.size > 0 || (settings.acceptsOrders && settings.keepChecking);
		while (mayEmit(session, this) && isWaitedFor() && (await checker.next(times.resultsUntil)))
			if (!(await this.applyNext(() => nextResult(checker)))) break;
		if (mayEmit(session, this)) checker.pause();
		return checker;
	}

	/** Applies an event as soon as the start before it is committed; false if this poll may start nothing more. */
	private async applyNext(event: () => WatchEvent | null): Promise<boolean> {
		const { session, commits, times } = this;
		const isReady = await within(
			n8nClock,
			times.returnsBy,
			commits.ready().then(() => true),
		);
		// A process that has stood still finds its time over.
		if (isReady !== true || !mayEmit(session, this) || commits.isOver || Date.now() >= times.overAt)
			return false;
		const next = event();
		if (next !== null) apply(session, next, this);
		return true;
	}

	start(item: IDataObject, emission: Emission): void {
		const { session, context, commits } = this;
		const { durable } = session;
		const { lastStart } = durable;
		commits.start(
			(report) => {
				startWorkflow(context, item, report);
				durable.lastStart = { revision: session.state.revision, at: Date.now() };
			},
			() => {
				// While a newer one is being published, this one still keeps the state.
				if (keeperOf(session) !== this) return;
				durable.lastStart = lastStart;
				apply(session, { kind: 'undone', emission }, this);
			},
		);
		this.stateAtN8n = this.stateToStore();
	}

	store(): void {
		storeWithNode(this.context, this.stateToStore());
	}

	private stateToStore(): WatchState {
		return { ...this.session.state, leaseUntil: this.lease };
	}

	/**
	 * Waits until what was begun last is committed, as far as there is time, because n8n drops what comes after the poll. Then it gives n8n the
	 * state for the next poll.
	 */
	private async finish(): Promise<void> {
		const { session, context, times, commits } = this;
		if (session.runner !== this) return;
		await commits.finish(times.returnsBy);
		if (session.runner !== this) return;
		session.durable.ownLease = times.leaseUntilAt;
		// If this process stood still, the next poll may have saved more. If a commit is uncertain, only the database knows what is saved.
		if (this.hasDurableCursor && (Date.now() >= times.overAt || commits.saved === 'unknown')) {
			// n8n was given this state already, and compares a durable cursor by its content, so that it finds nothing new to save.
			storeWithNode(context, this.stateAtN8n);
			return;
		}
		this.lease = 0;
		const state = this.stateToStore();
		// Two starts may have been committed in the wrong order. A higher revision makes n8n save this state over both.
		const revision = state.revision + (commits.saved === 'perhapsOlder' ? 1 : 0);
		storeWithNode(context, { ...state, revision });
	}

	/** A poll of any process reads what is accepted here, if n8n commits the state. */
	isAtWork(): boolean {
		return this.hasDurableCursor;
	}
}
