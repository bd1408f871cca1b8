import type { IDataObject } from 'n8n-workflow';

import { errorOf } from '../orders/values';
import { isFinal, whyNotChecked } from '../checks/outcome';
import { applyCheck } from '../state/applyCheck';
import { mergedInbox, withInbox } from '../state/inbox';
import { withList } from '../state/listedOrders';
import { type WatchState, withEventUndone } from '../state/state';
import type { Engine, OutcomeSeen } from './engine';
import { type ItemForm, triggerItem } from './item';
import { isInCharge } from './registration';
import { changeState, type Session, setOpenOrders, type Watch } from './session';
import type { TriggerSettings } from './settings';
import { readInbox } from './store';

/** Brings the state up to the list and the posts since the last poll, and forgets what finished long ago. */
export function applySettings(
	session: Session,
	{ context }: Engine,
	settings: TriggerSettings,
	isStart: boolean,
): void {
	const { watch, commits } = session;
	const now = Date.now();
	// What an expression had listed before n8n stopped may not have been saved.
	const isOlder = isStart && !settings.rules.includeFinished && watch.state.revision > 0;
	const listedSince = isOlder ? Math.min(watch.state.revision, now) : now;
	watch.settings = settings;
	const calls = mergedInbox(readInbox(context), commits.accepted);
	const withCalls = withInbox(watch.state, calls, settings.rules, now);
	changeState(session, withList(withCalls, [...settings.listed.values()], now, listedSince));
}

/** Changes the state, and starts the workflow where there is an event; only for the engine in charge. */
export function applyOutcome(
	session: Session,
	engine: Engine,
	{ key, outcome, at }: OutcomeSeen,
): void {
	const { watch } = session;
	const { settings } = watch;
	if (settings === null || !isInCharge(session, engine)) return;
	try {
		const now = Date.now();
		const { state, event } = applyCheck(watch.state, key, outcome, settings.rules, now, at);
		const item =
			event === null
				? null
				: triggerItem(
						{ ...event, whyNotChecked: whyNotChecked(outcome), detectedAt: now },
						itemForm(watch, settings),
					);
		try {
			emit(session, key, state, item);
		} finally {
			// One whose event n8n did not accept stays.
			if (isFinal(outcome) || !watch.state.orders.has(key)) setOpenOrders(session);
		}
	} catch (error) {
		// Nothing here would catch it: the next poll shows it.
		watch.uncaught = errorOf(error);
	}
}

/** The state first, then the workflow; if n8n does not accept the item, the order is as before. */
function emit(session: Session, key: string, state: WatchState, json: IDataObject | null): void {
	const { watch, engine } = session;
	const before = watch.state;
	changeState(session, state);
	if (json === null) return;
	const undo = (): void =>
		changeState(session, withEventUndone(watch.state, key, before, state, Date.now()));
	let isAccepted = false;
	try {
		engine?.start(json, undo);
		isAccepted = true;
	} finally {
		if (!isAccepted) undo();
	}
}

/** Without the names of an account that is no longer in use. */
function itemForm(
	{ names, checker }: Watch,
	{ simplify, display, listed }: TriggerSettings,
): ItemForm {
	const isPresent =
		names !== null && (checker === null || checker.service.budget === names.account);
	return { simplify, display: { ...display, networks: isPresent ? names.networks : null }, listed };
}
