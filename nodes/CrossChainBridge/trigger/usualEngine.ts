import type { IDataObject, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Checker } from '../checks/checker';
import { newestOf, type WatchRules, withRedelivery } from '../state/state';
import type { Change, Engine, OutcomeSeen } from './engine';
import type { PollOccasion } from './pollTimes';
import { isInCharge, putInCharge } from './registration';
import { changeState, type Session, sessionOf, setOpenOrders } from './session';
import type { TriggerSettings } from './settings';
import { loadState, storeWithWorkflow } from './store';
import { canTick, isDrivenByOtherCode, isTicking, startTicks, stopOtherCode } from './ticks';
import { applyOutcome } from './watch';

/** Without a tick for this long, in milliseconds, another process runs the triggers. */
const TICKS_MISSED_MS = 5_000;

/** All polls of a registration share a context; only ticks apply outcomes, since n8n stops them on unpublishing. */
export class UsualEngine implements Engine {
	readonly until = null;

	readonly isShared = true;

	private readonly pending: OutcomeSeen[] = [];

	private tickedAt = 0;

	/** Whether the checker has the credential and orders of this registration. */
	private isConnected = false;

	constructor(
		private readonly session: Session,
		readonly context: IPollFunctions,
	) {}

	takeOver(rules: WatchRules | null): void {
		const { session, context } = this;
		const { engine, watch } = session;
		// No await after this: all that the other code has emitted is stored.
		stopOtherCode(context);
		const stored = loadState(context);
		// What another process emitted just before it stopped may have to be emitted again.
		const isOfAnother = engine === null || stored.revision > watch.state.revision;
		// Only At Least Once has kept orders to repeat.
		const isRedelivering =
			isOfAnother && !isDrivenByOtherCode(context) && rules?.redelivers !== false;
		const newest = newestOf([watch.state, stored]);
		putInCharge(session, this, isRedelivering ? withRedelivery(newest, Date.now()) : newest);
		watch.checker?.restart();
	}

	/** Not while a person publishes: a later publication may overtake this one, and n8n refuses a second schedule. */
	begin(occasion: PollOccasion): void {
		if (occasion !== 'publishedByPerson') this.startTicks();
	}

	async check(checker: Checker, { keepChecking }: TriggerSettings, until: number): Promise<void> {
		this.isConnected = true;
		if (!keepChecking || !canTick(this.context)) await checker.checkEach(until);
		// Only the first poll is bounded; the others leave it to the ticks.
		else if (until < Number.POSITIVE_INFINITY) await checker.checkDue(until);
		if (isInCharge(this.session, this)) this.startTicks();
	}

	/** Without ticks only a poll under way applies it: n8n may drop the registration afterwards. */
	receive(seen: OutcomeSeen): void {
		if (isTicking(this.context)) this.pending.push(seen);
		else if (this.session.polls.has(this.context)) applyOutcome(this.session, this, seen);
	}

	start(json: IDataObject): void {
		this.context.__emit([[{ json }]]);
	}

	keep(): void {
		storeWithWorkflow(this.context, this.session.watch.state);
	}

	isAtWork(now: number): boolean {
		return now - this.tickedAt <= TICKS_MISSED_MS;
	}

	/** No await between the session's state and the call's copy, so that neither overwrites the other. */
	async accept<Answer>(context: IWebhookFunctions, change: Change<Answer>): Promise<Answer> {
		const { session } = this;
		const { state, answer } = change.decide(session.watch.state);
		if (state === session.watch.state) return answer;
		changeState(session, state);
		storeWithWorkflow(context, state);
		setOpenOrders(session);
		return answer;
	}

	private startTicks(): void {
		if (startTicks(this.context, () => this.tick())) this.tickedAt = Date.now();
	}

	/** Never throws, since n8n's scheduler catches nothing. */
	private tick(): void {
		const { session, pending } = this;
		const { settings, checker } = session.watch;
		if (session.engine !== this || sessionOf(this.context) !== session) return;
		this.tickedAt = Date.now();
		if (!isInCharge(session, this)) return;
		// No await in this loop: n8n writes the state after it.
		for (let next = pending.shift(); next !== undefined; next = pending.shift())
			applyOutcome(session, this, next);
		if (settings?.keepChecking === true && this.isConnected) void checker?.tick();
	}
}
