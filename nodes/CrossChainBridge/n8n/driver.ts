import type { IDataObject, IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { within } from '../budget/clock';
import { Checker } from '../checks/checker';
import { type CheckOutcome, whyNotChecked } from '../checks/outcome';
import { errorOf } from '../orders/values';
import { n8nClock } from '../service/n8nClock';
import { MAX_NAMES_WAIT_MS, NetworksInTime } from '../service/networksInTime';
import { type BridgeService, connectToService } from '../service/service';
import { afterPoll, type Finding, isShown, judgeChecks, visibleError } from '../trigger/health';
import { emissionItem, type ItemForm } from '../trigger/item';
import type { TriggerSettings } from '../trigger/settings';
import type { CheckResult, Emission, WatchEvent } from '../watch/events';
import { reduce } from '../watch/reduce';
import { openOrders } from '../watch/state';
import { mayEmit, type Runner, type Session } from './session';

/* What the drivers of both poll engines do, in the order of a poll: the fields, the checks, the finding, what the finding and the checks mean. */

/** How a driver does what only its engine knows. */
export interface Driver {
	/** Writes the session's state into n8n's static data, which n8n saves with the next start. */
	store(): void;
	/** Starts the workflow with this item, or throws. */
	start(item: IDataObject, emission: Emission): void;
}

/** Applies the fields of the node. `listedAfter`: since when orders that are new in the list may have been listed, in milliseconds since 1970; null if since now. */
export function applySettings(
	session: Session,
	settings: TriggerSettings,
	listedAfter: number | null,
	driver: Driver,
): void {
	session.settings = settings;
	const { listed, isListWhole: isWhole, isListByHand } = settings;
	const orders = [...listed.values()];
	apply(session, { kind: 'listed', orders, isWhole, isListByHand, listedAfter }, driver);
}

/** Whether anything can be checked now, or until the next poll. */
export function hasWork({ state }: Session, { acceptsOrders }: TriggerSettings): boolean {
	return openOrders(state).size > 0 || acceptsOrders;
}

/**
 * Reads the node's credential, and has the session's checker use it for its open orders; throws n8n's error if that is impossible. It asks
 * whether a key that was rejected works by now, up to the time `until` (ms of n8nClock).
 */
export async function connect(
	session: Session,
	context: IPollFunctions,
	{ intervalMs }: TriggerSettings,
	until: number,
	known?: BridgeService,
): Promise<Checker> {
	const read = known ?? (await connectToService(context));
	// A credential store that hangs keeps nobody from checking with the credential as it was read last.
	const isHanging = read.problem?.kind === 'credentialNotRead';
	const service = (isHanging ? session.checker?.service : null) ?? read;
	if (session.checker === null)
		session.checker = new Checker({ service, clock: n8nClock, intervalMs });
	else session.checker.use(service, intervalMs);
	const { checker } = session;
	setOpenOrders(session);
	if (checker.accountError !== null) await checker.probe(until);
	if (checker.accountError === null)
		await within(n8nClock, n8nClock.now() + MAX_NAMES_WAIT_MS, readNames(session, checker));
	return checker;
}

/** Reads the names of the networks. If no order is due, no other request shows that the key does not work any more. */
async function readNames(session: Session, checker: Checker): Promise<void> {
	const { service } = checker;
	const { budget } = service;
	const asking = new NetworksInTime(service);
	const networks = await asking.ask();
	if (networks !== null) session.names = { budget, networks };
	if (asking.accountError !== null) await checker.probe();
}

/** Has the checker check just the orders that are open now. */
export function setOpenOrders({ checker, state }: Session): void {
	const open = [...openOrders(state)].map(([key, order]) => {
		const { sourceHash, posted, status, since, startedAt } = order;
		// Until the bridge has shown the order, its latest post is the best guess of its beginning.
		const postedAt = posted === null ? undefined : status === null ? posted.at : since;
		return [key, { sourceHash, postedAt, startedAt: startedAt ?? undefined }] as const;
	});
	checker?.setOrders(new Map(open));
}

/**
 * What a poll has found. If a field cannot be read (`error`), it is that, unless no order can be checked, which is worse. `checker`: null if
 * nothing was to be checked. It may ask the configuration, up to the time `until` (ms of n8nClock).
 */
export async function findingOf(
	session: Session,
	runner: Runner,
	{ checker, error, until }: { checker: Checker | null; error: Error | null; until: number },
): Promise<Finding> {
	let finding: Finding = 'idle';
	if (mayEmit(session, runner)) {
		const { unreportedError: unreported } = session;
		session.unreportedError = null;
		if (checker !== null) finding = await judgeChecks(checker, unreported, until);
		else if (unreported !== null) finding = { kind: 'fault', cause: unreported };
	}
	// A newer runner reads the fields itself.
	if (error === null || typeof finding !== 'string' || session.runner !== runner) return finding;
	return { kind: 'settings', cause: error, otherwise: finding };
}

/** What a poll has found, as an event. */
export function asPolled(context: IPollFunctions, finding: Finding): WatchEvent {
	if (typeof finding === 'string') return { kind: 'polled', finding: { kind: finding } };
	if (finding.kind === 'fault') return { kind: 'polled', finding: { kind: 'fault' } };
	const { message: why } = visibleError(context, finding, 1);
	const isTransient = finding.kind === 'transient';
	const { otherwise } = finding;
	return { kind: 'polled', finding: { kind: 'problem', why, isTransient, otherwise } };
}

/** Counts what a poll has found, and gives the error with which the poll fails; null if nobody has to see it now. */
export function countedError(
	session: Session,
	context: IPollFunctions,
	finding: Finding,
): NodeApiError | NodeOperationError | null {
	session.health = afterPoll(session.health, finding);
	if (typeof finding === 'string' || !isShown(finding.kind, session.health)) return null;
	return visibleError(context, finding, session.health[finding.kind]);
}

/** The result of a check that is applied next; null if there is none. It is taken only when it is applied, because an order whose final status nobody has taken yet is not checked again. */
export function nextResult(checker: Checker): WatchEvent | null {
	const seen = checker.takeNext();
	if (seen === null) return null;
	const { key, outcome, at, clockAheadMs, isServiceSound } = seen;
	const result = checkResult(outcome, isServiceSound);
	return { kind: 'checked', key, result, at, clockAheadMs };
}

/**
 * What the outcome of a status check means for the watch of its order.
 * @param isServiceSound whether the bridge works for other orders, or its configuration does, so that a failed check is the fault of this order
 */
export function checkResult(outcome: CheckOutcome, isServiceSound: boolean): CheckResult {
	if (outcome.kind === 'order' || outcome.kind === 'notFound') return outcome;
	const why = whyNotChecked(outcome) ?? '';
	const isAnswered = outcome.kind === 'orderError';
	return { kind: 'nothingShown', isOwn: isAnswered || isServiceSound, isAnswered, why };
}

/**
 * Applies an event to the session's state, stores that, and starts the workflow for what the event brings. It never throws: an error is
 * kept for the next poll to show, and costs only this event. Gives how many starts there were.
 */
export function apply(session: Session, event: WatchEvent, driver: Driver): number {
	const { state: before, settings } = session;
	if (settings === null) return 0;
	const now = Date.now();
	let starts = 0;
	let starting: Emission | null = null;
	try {
		const { state, effects } = reduce(before, event, settings.rules, now);
		session.state = state;
		// The state first: what n8n saves with the start has to say that the event was emitted.
		if (state.revision !== before.revision) driver.store();
		for (const effect of effects) {
			if (effect.kind !== 'emit') continue;
			starting = effect.emission;
			driver.start(emissionItem(starting, itemForm(session, settings), now), starting);
			starting = null;
			starts++;
		}
	} catch (error) {
		// The workflow was not started for this event, so that it comes again.
		if (starting !== null) apply(session, { kind: 'undone', emission: starting }, driver);
		session.unreportedError = errorOf(error);
	}
	if (session.state.orders !== before.orders) setOpenOrders(session);
	return starts;
}

/** How items are made now; without the names of networks if they are those of an account that is no longer in use. */
function itemForm({ names, checker }: Session, settings: TriggerSettings): ItemForm {
	const isPresent = names !== null && (checker === null || checker.service.budget === names.budget);
	const { simplify, display, listed } = settings;
	return { simplify, display: { ...display, networks: isPresent ? names.networks : null }, listed };
}
