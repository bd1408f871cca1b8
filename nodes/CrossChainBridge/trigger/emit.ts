import type { IDataObject } from 'n8n-workflow';

import { hashKey, isFinalStatus, statusOf } from '../orders/orders';
import { errorOf } from '../orders/values';
import { applyCheck } from '../state/applyCheck';
import { withoutExpired } from '../state/expiry';
import { type WatchState, withRecent } from '../state/state';
import { type ItemForm, triggerItem, watchExpiredItem } from './item';
import { type CheckResult, isInCharge, type Session, setOpenOrders } from './session';
import type { TriggerSettings } from './settings';
import { changeState } from './store';

/**
 * Applies one result and starts the workflow if it brought an event. The state that has the event as emitted is stored before, in
 * the same run of the event loop. Only for the registration that may emit.
 */
function applyOutcome(session: Session, { key, outcome, at }: CheckResult): void {
	const { settings } = session;
	if (settings === null) return;
	const now = Date.now();
	const { state, event } = applyCheck(session.state, key, outcome, settings.rules, now, at);
	const form = itemForm(session, settings);
	try {
		emit(session, state, event === null ? null : triggerItem({ ...event, detectedAt: now }, form));
	} finally {
		// Finished orders are removed; one whose event n8n did not accept stays.
		if (outcome.kind === 'order' && isFinalStatus(statusOf(outcome.order))) setOpenOrders(session);
	}
}

/** As `applyOutcome`, where nothing would catch an error: the next poll shows it. */
export function tryToApply(session: Session, result: CheckResult): void {
	tryTo(session, () => applyOutcome(session, result));
}

function tryTo(session: Session, step: () => unknown): void {
	try {
		step();
	} catch (error) {
		session.uncaught = errorOf(error);
	}
}

/** What `tryTo` has caught last, once. */
export function takeUncaught(session: Session): Error | null {
	const { uncaught } = session;
	session.uncaught = null;
	return uncaught;
}

/** Drops posted orders that are no longer needed; one whose watch expires starts the workflow if the user chose that event. */
export function expireOrders(session: Session, now: number): void {
	const { context, commitQueue, settings, checker } = session;
	if (settings === null) return;
	const answeredAt = checker?.answeredAt() ?? new Map<string, number>();
	const expire = (most: number) =>
		withoutExpired(session.state, settings.rules, answeredAt, now, most);
	const next = (): boolean => {
		const { state, watchExpired } = expire(1);
		const [order] = watchExpired;
		if (order === undefined) return false;
		const key = hashKey(order.sourceHash);
		const recent = withRecent(state, key, order, order.redelivered, settings.rules, now);
		emit(session, { ...state, recent }, watchExpiredItem(order, now, itemForm(session, settings)));
		return true;
	};
	if (!settings.emitsWatchExpired) {
		changeState(session, expire(Number.POSITIVE_INFINITY).state);
		return;
	}
	// What is forgotten is forgotten, also where n8n does not accept an event now.
	changeState(session, expire(0).state);
	// If n8n does not accept one of them, those after it stay for the next poll.
	if (commitQueue === null)
		tryTo(session, () => {
			while (next());
		});
	else
		for (let left = expire(Number.POSITIVE_INFINITY).watchExpired.length; left > 0; left--)
			commitQueue.take(
				() => context !== null && isInCharge(session, context) && tryTo(session, next),
			);
}

/** How items of this trigger are made now. Names of an account that is no longer in use are not shown. */
function itemForm(
	{ names, checker }: Session,
	{ simplify, display, links }: TriggerSettings,
): ItemForm {
	const isPresent =
		names !== null && (checker === null || checker.service.budget === names.account);
	return { simplify, display: { ...display, networks: isPresent ? names.networks : null }, links };
}

/** The new state first, then the workflow with one item, if there is one. If n8n does not accept it, the state is as it was before. */
function emit(session: Session, state: WatchState, json: IDataObject | null): void {
	const { context, commitQueue, lastEmit, state: before } = session;
	changeState(session, state);
	if (context === null || json === null) return;
	const undo = (): void => {
		session.lastEmit = lastEmit;
		changeState(session, { ...before, revision: session.state.revision + 1 });
	};
	let isTaken = false;
	try {
		if (commitQueue === null) context.__emit([[{ json }]]);
		else {
			const { response, done } = commitQueue.nextStart(() => session.context === context && undo());
			context.__emit([[{ json }]], response, done);
		}
		isTaken = true;
		session.lastEmit = { revision: session.state.revision, at: Date.now() };
		session.handedOver = session.state;
	} finally {
		if (!isTaken) undo();
	}
}
