import type { IDataObject, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { within } from '../budget/clock';
import type { Checker } from '../checks/checker';
import { errorOf } from '../orders/values';
import { n8nClock } from '../service/n8nClock';
import type { BridgeService } from '../service/service';
import { type Finding, HEALTHY } from '../trigger/health';
import { readSettings, settingsOf, type TriggerSettings } from '../trigger/settings';
import type { CallEvent, Effect, Emission, WatchEvent } from '../watch/events';
import { reduce } from '../watch/reduce';
import type { WatchRules } from '../watch/rules';
import { newestOf } from '../watch/state';
import { startReport } from './commits';
import {
	reportsStarts,
	startWorkflow,
	takeFromOtherVersion,
	tickAgain,
	tickEverySecond,
	type TriggerContext,
} from './internals';
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
	setOpenOrders,
} from './driver';
import { withCalls } from './inbox';
import { isPublishedByPerson, serviceToPublish, throwIfNotRunnable } from './publishing';
import {
	beginPublishing,
	endPublishing,
	keeperOf,
	keepSession,
	mayEmit,
	putInCharge,
	Runner,
	type Session,
	sessionsOfWorkflow,
} from './session';
import { loadState, storeWithWorkflow } from './store';

/** How long the poll that n8n runs when it starts may take, in milliseconds. */
const MAX_START_MS = 5_000;

/** How long a poll waits to hear whether a rejected key works again, in milliseconds. */
const MAX_ACCOUNT_WAIT_MS = 5_000;

/** How long a poll may wait for the configuration to say whose fault it is that no order could be checked, in milliseconds. The request may have to wait for the budget. */
const MAX_PROBE_WAIT_MS = 30_000;

/** For how long after a poll the checks that become due are begun, in milliseconds; those that are due later are left to the ticks. */
const BEGUN_BY_POLL_MS = 250;

/** n8n writes the whole state with each start: more of them at once would keep n8n from everything else for a second. */
const MAX_STARTS_A_TICK = 25;

/** Without a tick for this long, in milliseconds, this process no longer counts as the one that runs the trigger. */
const TICKS_MISSED_MS = 5_000;

/** After this long without a tick, in milliseconds, n8n or the computer has stood still, so that checks that failed before say nothing of an outage. */
const STANDSTILL_MS = 60_000;

/**
 * One registration of a trigger in n8n's usual engine, and the driver of its watch. All polls of a registration have one context. A poll reads
 * the node's fields and its credential, and begins the checks that are due; the ticks between the polls check on. Only ticks start the workflow,
 * because n8n stops them at once when the workflow is unpublished; the list, which a poll applies at once, never does (`reduce` in watch/reduce.ts).
 */
export class UsualTrigger extends Runner implements Driver {
	/**
	 * With what the registration begins here: a person publishes the trigger, or n8n starts, or it is published already, because another
	 * version of this package drove the registration, or its first poll was taken for one of the durable engine.
	 */
	private readonly beginsWith: 'publishing' | 'start' | 'published';

	private isPolling = false;

	/** The session's, once it has the credential and the orders of this registration. */
	private checker: Checker | null = null;

	/** The last tick, and the last one before the last poll, in milliseconds since 1970. */
	private tickedAt = 0;

	private tickedBeforePoll = 0;

	/** Since when the orders of the first list that can be read may have been listed, in milliseconds since 1970; null if since now. */
	private firstListedAfter: number | null = null;

	/** What the polls have found, as events that the next tick applies. */
	private readonly untilTick: WatchEvent[] = [];

	constructor(session: Session, context: IPollFunctions, wasPublished: boolean) {
		super(session, context);
		const isPublished = takeFromOtherVersion(context) || wasPublished;
		this.beginsWith = isPublished
			? 'published'
			: isPublishedByPerson(context)
				? 'publishing'
				: 'start';
	}

	/** One poll. It throws only what a person has to see now. */
	async poll(): Promise<void> {
		// n8n does not wait for a poll before it runs the next one, and may poll a registration that was replaced.
		if (this.isPolling || this.state === 'replaced') return;
		const { state, beginsWith } = this;
		this.isPolling = true;
		try {
			if (state !== 'new' || beginsWith === 'published') await this.scheduled();
			else if (beginsWith === 'publishing') await this.publishedByPerson();
			else await this.startedByN8n();
		} finally {
			this.isPolling = false;
		}
	}

	private async publishedByPerson(): Promise<void> {
		const { session, context } = this;
		const settings = settingsOf(context);
		beginPublishing(session, this);
		try {
			const service = await serviceToPublish(context);
			// A newer one is being published by now.
			if (session.runner !== this) return;
			this.takeOver(settings);
			if (service !== undefined) await this.check(settings, service);
			// n8n saves this copy afterwards, so that it has to contain what other triggers have emitted meanwhile.
			if (mayEmit(session, this)) this.store();
		} finally {
			endPublishing(session, this);
		}
	}

	/** It never throws, because n8n would not start the trigger: the next poll shows what is wrong. */
	private async startedByN8n(): Promise<void> {
		beginPublishing(this.session, this);
		await within(n8nClock, n8nClock.now() + MAX_START_MS, this.work());
		if (mayEmit(this.session, this)) this.store();
	}

	private async scheduled(): Promise<void> {
		const { session, context } = this;
		if (this.state === 'new') beginPublishing(session, this);
		// A newer one is being published meanwhile.
		if (session.runner !== this) return;
		if (mayEmit(session, this)) this.keepTicking();
		const finding = await this.work(n8nClock.now() + MAX_PROBE_WAIT_MS);
		// A runner that is not in charge has no ticks: a finding that is kept for them would be applied when it is no longer true.
		if (mayEmit(session, this)) this.untilTick.push(asPolled(context, finding));
		const error = countedError(session, context, finding);
		if (error !== null) throw error;
	}

	/** Applies the fields, has the orders checked, and says what that has found, asking the configuration up to the time `until` (ms of n8nClock); it never throws. */
	private async work(until = Infinity): Promise<Finding> {
		const { session, context } = this;
		const { settings, error } = readSettings(context, session.settings);
		try {
			await this.use(settings);
			const isChecking = mayEmit(session, this) && hasWork(session, settings);
			const checker = isChecking ? await this.check(settings) : null;
			return await findingOf(session, this, { checker, error, until });
		} catch (thrown) {
			return { kind: 'settings', cause: errorOf(thrown) };
		}
	}

	/** Applies the fields; a registration that is not in charge yet takes over first. It does nothing if a newer one has begun. */
	private async use(settings: TriggerSettings): Promise<void> {
		const { session, context } = this;
		if (this.state === 'inCharge') return this.applyFields(settings);
		// What was published already can be run, so that nothing is awaited here: meanwhile it could be unpublished, and n8n would not stop ticks
		// that are registered after that.
		if (this.beginsWith !== 'published') await throwIfNotRunnable(context);
		if (session.runner === this) this.takeOver(settings);
	}

	/** Puts this registration in charge, with the newest state, and starts its ticks. There is no wait in it, so that nothing is emitted meanwhile. */
	private takeOver(settings: TriggerSettings): void {
		const { session, context, beginsWith } = this;
		const stored = loadState(context);
		// n8n may have changed its engine, so that calls were accepted that no poll of the durable engine has read.
		const newest = withCalls(
			context,
			newestOf([session.state, stored]),
			settings.rules,
			Date.now(),
		);
		// Another process may have stopped before n8n had saved what it emitted last.
		const isOfAnother = keeperOf(session) === null || stored.revision > session.state.revision;
		const state =
			isOfAnother && beginsWith !== 'published'
				? reduce(newest, { kind: 'takenOver' }, settings.rules, Date.now()).state
				: newest;
		// n8n refuses a second schedule for a trigger, so that the schedule of a registration that it has not dropped ticks for the newest one.
		tickEverySecond(context, () => {
			if (session.runner instanceof UsualTrigger) session.runner.tick();
		});
		this.tickedAt = Date.now();
		putInCharge(session, this, state);
		session.health = HEALTHY;
		// Orders that an expression listed just before n8n stopped may not have been saved. They are dated back to the last save, because otherwise
		// one that finished meanwhile would count as finished before it was listed.
		const lastSavedAt = newest.revision;
		const includesFinished = settings.areFieldsKnown && settings.rules.includeFinished;
		const mayHaveBeenListed = beginsWith === 'start' && !includesFinished && lastSavedAt > 0;
		this.firstListedAfter = mayHaveBeenListed ? lastSavedAt : null;
		this.applyFields(settings);
	}

	private applyFields(settings: TriggerSettings): void {
		const listedAfter = this.firstListedAfter;
		if (settings.listed.size > 0 || settings.wholeList !== null) this.firstListedAfter = null;
		applySettings(this.session, settings, listedAfter, this);
	}

	private async check(settings: TriggerSettings, service?: BridgeService): Promise<Checker> {
		const { session, context } = this;
		const probeUntil = n8nClock.now() + MAX_ACCOUNT_WAIT_MS;
		const checker = await connect(session, context, settings, probeUntil, service);
		if (!mayEmit(session, this)) return checker;
		this.checker = checker;
		if (settings.keepChecking) checker.run(n8nClock.now() + BEGUN_BY_POLL_MS);
		else checker.wantEach();
		return checker;
	}

	/** Without ticks nothing would start the workflow any more, although the polls go on. */
	private keepTicking(): void {
		if (this.tickedAt === this.tickedBeforePoll && !this.isAtWork()) tickAgain(this.context);
		this.tickedBeforePoll = this.tickedAt;
	}

	/** It never throws, because nothing would catch that. */
	tick(): void {
		const { session, context, checker } = this;
		const stoodStill = Date.now() - this.tickedAt > STANDSTILL_MS;
		this.tickedAt = Date.now();
		keepSession(context, session);
		if (!mayEmit(session, this)) return;
		if (stoodStill) apply(session, { kind: 'polled', finding: { kind: 'stoodStill' } }, this);
		// There is no wait in this, because n8n writes the state only afterwards.
		for (const event of this.untilTick.splice(0)) apply(session, event, this);
		if (checker === null) return;
		for (let starts = 0; starts < MAX_STARTS_A_TICK;) {
			const event = nextResult(checker);
			if (event === null) break;
			starts += apply(session, event, this);
		}
		if (session.settings?.keepChecking === true) checker.planForNextTick();
	}

	start(item: IDataObject, emission: Emission): void {
		const { session, context } = this;
		if (!reportsStarts(context)) return startWorkflow(context, item);
		const { report, fate } = startReport(context.helpers);
		startWorkflow(context, item, report);
		void fate.then((known) => {
			if (known === 'committed' || keeperOf(session) !== this) return;
			session.unreportedError = new Error(notStarted(emission));
			// n8n may have made the execution all the same, and then runs it when it starts next.
			if (session.settings?.rules.redelivers === true)
				apply(session, { kind: 'undone', emission, mayHaveStarted: true }, this);
		});
	}

	/** `context`: a call to the webhook has a copy of its own. */
	store(context: TriggerContext = this.context): void {
		const sessions = [...sessionsOfWorkflow(context)];
		storeWithWorkflow(context, new Map(sessions.map(([id, { state }]) => [id, state])), Date.now());
	}

	isAtWork(): boolean {
		return Date.now() - this.tickedAt <= TICKS_MISSED_MS;
	}

	/** n8n saves the call's copy of the state before it answers. */
	async accept(call: IWebhookFunctions, event: CallEvent, rules: WatchRules): Promise<Effect[]> {
		const { session } = this;
		const { state, effects } = reduce(session.state, event, rules, Date.now());
		if (state === session.state) return effects;
		session.state = state;
		this.store(call);
		setOpenOrders(session);
		return effects;
	}
}

function notStarted(emission: Emission): string {
	const of = emission.kind === 'order' ? ` of ${emission.before.sourceHash}` : '';
	return `n8n could not start the workflow for the event '${emission.event}'${of}; n8n's log says why`;
}
