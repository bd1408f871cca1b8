import type { IDataObject } from 'n8n-workflow';

import type { Seen } from '../checks/checker';
import { errorOf } from '../orders/values';
import { checkResult } from '../trigger/checkResult';
import { emissionItem } from '../trigger/emissionItem';
import type { ItemForm } from '../trigger/item';
import type { TriggerSettings } from '../trigger/settings';
import type { Emission, WatchEvent } from '../watch/events';
import { reduce } from '../watch/reduce';
import { checkOpenOrders, type Session } from './session';

/** How a driver does what only its engine knows. */
export interface Driver {
	/** Puts the session's state to where n8n saves it with the next start. */
	store(): void;
	/** Starts the workflow with this item, or throws. */
	start(item: IDataObject, emission: Emission): void;
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
	try {
		const { state, effects } = reduce(before, event, settings.rules, now);
		session.state = state;
		// The state first: what n8n saves with the start has to say that the event was emitted.
		if (state.revision !== before.revision) driver.store();
		for (const effect of effects) {
			if (effect.kind !== 'emit') continue;
			start(session, effect.emission, itemForm(session, settings), now, driver);
			starts++;
		}
	} catch (error) {
		session.unreportedError = errorOf(error);
	}
	if (session.state.orders !== before.orders) checkOpenOrders(session);
	return starts;
}

function start(
	session: Session,
	emission: Emission,
	form: ItemForm,
	now: number,
	driver: Driver,
): void {
	let isStarted = false;
	try {
		driver.start(emissionItem(emission, form, now), emission);
		isStarted = true;
	} finally {
		if (!isStarted) undo(session, emission, driver);
	}
}

/** The workflow was not started for this event, so that it comes again. */
export function undo(session: Session, emission: Emission, driver: Driver): void {
	const rules = session.settings?.rules;
	if (rules === undefined) return;
	session.state = reduce(session.state, { kind: 'undone', emission }, rules, Date.now()).state;
	driver.store();
	checkOpenOrders(session);
}

/** What the checker has seen, as an event. */
export function asChecked({ key, outcome, at, clockAheadMs, isServiceSound }: Seen): WatchEvent {
	const result = checkResult(outcome, isServiceSound);
	return { kind: 'checked', key, result, at, clockAheadMs };
}

/** Without the names of an account that is no longer in use. */
function itemForm({ names, checker }: Session, settings: TriggerSettings): ItemForm {
	const isPresent =
		names !== null && (checker === null || checker.service.budget === names.account);
	const { simplify, display, listed } = settings;
	return { simplify, display: { ...display, networks: isPresent ? names.networks : null }, listed };
}
