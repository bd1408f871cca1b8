import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../checks/checker';
import { newestOf, type WatchState } from '../state/state';
import type { PollOccasion, TriggerContext } from './pollTimes';
import { isInCharge, putInCharge } from './registration';
import {
	type Accepted,
	type Change,
	type CheckResult,
	type Engine,
	type Session,
	setOpenOrders,
} from './session';
import type { TriggerSettings } from './settings';
import { loadState, storeWithWorkflow } from './store';
import { isDrivenByOtherCode, isTicking, startTicks, stopOtherCode } from './ticks';
import { applyResult, changeState } from './watch';

/** Ticks come once a second; without one for this time, another process has become the one that runs triggers. */
const TICKS_MISSED_MS = 5_000;

/**
 * n8n's usual poll engine: one context object for all polls of a registration, and ticks of n8n's scheduler between
 * them. While it ticks, only a tick applies results, since ticks stop when the workflow is unpublished: nothing is then marked as
 * emitted.
 */
export class UsualEngine implements Engine {
	readonly until = null;

	readonly redelivers = true;

	readonly pausesForErrors = false;

	/** Results that no tick has applied yet. */
	private readonly pending: CheckResult[] = [];

	private tickedAt = 0;

	constructor(
		private readonly session: Session,
		readonly context: IPollFunctions,
	) {}

	takeOver(): void {
		const { session, context } = this;
		const { registration, watch } = session;
		// No await in between, so everything that another version of this code has emitted is in the stored state.
		stopOtherCode(context);
		const stored = loadState(context);
		// What another process emitted just before it stopped may have to be emitted again.
		const isOfAnother = registration.context === null || stored.revision > watch.state.revision;
		watch.isInherited = isOfAnother && !isDrivenByOtherCode(context);
		watch.state = newestOf([watch.state, stored]);
		putInCharge(session, context);
		session.engine = this;
		watch.checker?.restart();
		watch.checker?.takeFindings();
	}

	/**
	 * Starts the ticks before the poll waits for anything; not yet while a person publishes, since a later
	 * publication may overtake this one and n8n refuses a second schedule.
	 */
	begin(occasion: PollOccasion): void {
		if (occasion !== 'publishedByPerson') this.startTicks();
	}

	async check(
		checker: Checker,
		{ keepChecking }: TriggerSettings,
		until: number,
		isFirst: boolean,
	): Promise<void> {
		if (!keepChecking || isFirst || !isTicking(this.context)) await checker.checkEach(until);
		if (isInCharge(this.session, this.context)) this.startTicks();
	}

	/** Without ticks a result is applied at once, but only during the poll: after it n8n may have dropped the registration. */
	receive(result: CheckResult): void {
		if (isTicking(this.context)) this.pending.push(result);
		else if (this.session.registration.polls.has(this.context))
			this.inTurn(() => applyResult(this.session, result));
	}

	inTurn(step: () => void): void {
		if (isInCharge(this.session, this.context)) step();
	}

	start(json: IDataObject): void {
		this.context.__emit([[{ json }]]);
	}

	keep(): void {
		storeWithWorkflow(this.context, this.session.watch.state);
	}

	async finish(): Promise<void> {
		// n8n saves with each start.
	}

	isAtWork(now: number): boolean {
		return now - this.tickedAt <= TICKS_MISSED_MS;
	}

	/**
	 * Puts the state into both copies of the workflow's data, the call's, which n8n saves now, and the
	 * registration's, which it saves with the next event. Nothing is awaited in between, so neither can overwrite the
	 * other.
	 */
	async accept<Answer>(context: TriggerContext, change: Change<Answer>): Promise<Accepted<Answer>> {
		const { session } = this;
		const { state, answer } = change.decide(session.watch.state);
		if (state === null) return { answer, isKept: false };
		changeState(session, state);
		storeWithWorkflow(context, state);
		setOpenOrders(session);
		return { answer, isKept: true };
	}

	sharedState(): WatchState {
		return this.session.watch.state;
	}

	private startTicks(): void {
		if (startTicks(this.session, this.context, () => this.tick())) this.tickedAt = Date.now();
	}

	/** One tick: applies what the checks have shown, and keeps them going. Never throws, since n8n's scheduler catches nothing. */
	private tick(): void {
		const { session, context, pending } = this;
		const { registration, watch } = session;
		if (registration.context !== context || watch.settings === null) return;
		this.tickedAt = Date.now();
		registration.aliveAt = this.tickedAt;
		if (!isInCharge(session, context)) return;
		// No await in this loop: n8n turns the state into text only after it, so all saves that begin here are the same, whichever lands last.
		for (let next = pending.shift(); next !== undefined; next = pending.shift())
			applyResult(session, next);
		if (watch.settings.keepChecking && watch.isConnected) void watch.checker?.tick();
	}
}
