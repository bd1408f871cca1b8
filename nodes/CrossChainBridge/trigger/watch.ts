import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { hashKey, isFinalStatus, statusOf } from '../orders/orders';
import { errorOf } from '../orders/values';
import { applyCheck } from '../state/applyCheck';
import { withoutExpired } from '../state/expiry';
import { mergedInbox, withInbox } from '../state/inbox';
import { withList } from '../state/listedOrders';
import { renewed, type WatchState, withRecent, withRedelivery } from '../state/state';
import { type ItemForm, triggerItem, watchExpiredItem } from './item';
import { type CheckResult, type Session, setOpenOrders, type Watch } from './session';
import type { TriggerSettings } from './settings';
import { readInbox } from './store';

/** What is known of the orders: how it changes, and what starts the workflow when it does. */

/** The session's new state, kept where n8n saves it if there is anything in it worth saving. */
export function changeState({ watch, engine }: Session, state: WatchState): void {
	const isWorthKeeping = state.revision !== watch.state.revision;
	watch.state = state;
	if (isWorthKeeping) engine?.keep();
}

/** The fields as a poll has read them, and the calls that have waited for it. */
export function applySettings(
	session: Session,
	context: IPollFunctions,
	settings: TriggerSettings,
): void {
	const { watch, commits } = session;
	const now = Date.now();
	watch.settings = settings;
	const isRedelivering = watch.isInherited && settings.rules.redelivers === true;
	const state = isRedelivering ? withRedelivery(watch.state, now) : watch.state;
	watch.isInherited = false;
	const calls = mergedInbox(readInbox(context), commits.inbox);
	const withCalls = withInbox(state, calls, settings.rules, now);
	changeState(session, renewed(withList(withCalls, settings.listed, now), now));
}

/** Applies one result, and starts the workflow if it brought an event. Only for the registration that may emit. */
export function applyResult(session: Session, { key, outcome, at }: CheckResult): void {
	const { watch } = session;
	const { settings } = watch;
	if (settings === null) return;
	tryTo(watch, () => {
		const now = Date.now();
		const { state, event } = applyCheck(watch.state, key, outcome, settings.rules, now, at);
		const item =
			event === null ? null : triggerItem({ ...event, detectedAt: now }, itemForm(watch, settings));
		try {
			emit(session, state, item);
		} finally {
			// Finished orders are removed; one whose event n8n did not accept stays.
			if (outcome.kind === 'order' && isFinalStatus(statusOf(outcome.order)))
				setOpenOrders(session);
		}
	});
}

/** Drops posted orders that are no longer needed; one whose watch expires starts the workflow if the user chose that event. */
export function expireOrders(session: Session, now: number): void {
	const { watch, engine } = session;
	const { settings, checker } = watch;
	if (settings === null) return;
	const answeredAt = checker?.answeredAt() ?? new Map<string, number>();
	const expire = (max: number) => withoutExpired(watch.state, settings.rules, answeredAt, now, max);
	const all = Number.POSITIVE_INFINITY;
	// What is forgotten is forgotten, also where n8n does not accept an event now.
	changeState(session, expire(settings.emitsWatchExpired ? 0 : all).state);
	let isAccepted = true;
	for (let left = expire(all).watchExpired.length; left > 0; left--) {
		engine?.inTurn(() => {
			// If n8n does not accept one of them, those after it stay for the next poll.
			isAccepted &&= tryTo(watch, () => {
				const { state, watchExpired } = expire(1);
				const [order] = watchExpired;
				if (order === undefined) return;
				const key = hashKey(order.sourceHash);
				const recent = withRecent(state, key, order, order.redelivered, settings.rules, now);
				const item = watchExpiredItem(order, now, itemForm(watch, settings));
				emit(session, { ...state, recent }, item);
			});
		});
	}
}

/** The new state first, then the workflow with one item, if there is one. If n8n does not accept it, the state is as it was before. */
function emit(session: Session, state: WatchState, json: IDataObject | null): void {
	const { watch, engine } = session;
	const before = watch.state;
	changeState(session, state);
	if (json === null) return;
	const undo = (): void => changeState(session, { ...before, revision: watch.state.revision + 1 });
	let isAccepted = false;
	try {
		engine?.start(json, undo);
		isAccepted = true;
	} finally {
		if (!isAccepted) undo();
	}
}

/** Where nothing would catch an error the next poll shows it; false if there was one. */
function tryTo(watch: Watch, step: () => void): boolean {
	try {
		step();
		return true;
	} catch (error) {
		watch.uncaught = errorOf(error);
		return false;
	}
}

/** What went wrong where nothing caught it, once. */
export function takeUncaught(watch: Watch): Error | null {
	const { uncaught } = watch;
	watch.uncaught = null;
	return uncaught;
}

/** How items of this trigger are made now. Names of an account that is no longer in use are not shown. */
function itemForm(
	{ names, checker }: Watch,
	{ simplify, display, links }: TriggerSettings,
): ItemForm {
	const isPresent =
		names !== null && (checker === null || checker.service.budget === names.account);
	return { simplify, display: { ...display, networks: isPresent ? names.networks : null }, links };
}
