import type { IDataObject } from 'n8n-workflow';

import type { Checker } from '../checks/checker';
import { errorOf } from '../orders/values';
import { checkResult } from '../trigger/checkResult';
import { emissionItem } from '../trigger/emissionItem';
import type { ItemForm } from '../trigger/item';
import type { TriggerSettings } from '../trigger/settings';
import type { Emission, WatchEvent } from '../watch/events';
import { reduce } from '../watch/reduce';
import { setOpenOrders, type Session } from './session';

/** How a driver does what only its engine knows. */
export interface Driver {
	/** Puts the session's state where n8n saves it with the next start. */
	store(): void;
	/** Starts the workflow with this item, or throws. */
	start(item: IDataObject, emission: Emission): void;
	/** Applies the fields of the node; a registration that is not in charge yet takes over first. It does nothing if a newer runner has begun. */
	use(settings: TriggerSettings): Promise<void>;
	/** Has the orders checked. */
	check(settings: TriggerSettings): Promise<Checker>;
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

/** Applies the fields of the node. `listedAfter`: since when orders that are new in the list may have been listed, in milliseconds since 1970; null if since now. */
export function applySettings(
	session: Session,
	settings: TriggerSettings,
	listedAfter: number | null,
	driver: Driver,
): void {
	session.settings = settings;
	const { listed, wholeList, isListByHand } = settings;
	const orders = [...listed.values()];
	apply(
		session,
		{ kind: 'listed', orders, isWhole: wholeList !== null, isListByHand, listedAfter },
		driver,
	);
}

/** The result of a check that is applied next; null if there is none. It is taken only now: until a final status is taken, its order is not checked again. */
export function nextResult(checker: Checker): WatchEvent | null {
	const seen = checker.takeNext();
	if (seen === null) return null;
	const { key, outcome, at, clockAheadMs, isServiceSound } = seen;
	const result = checkResult(outcome, isServiceSound);
	return { kind: 'checked', key, result, at, clockAheadMs };
}

/** How items are made now; without the names of networks if they are those of an account that is no longer in use. */
function itemForm({ names, checker }: Session, settings: TriggerSettings): ItemForm {
	const isPresent = names !== null && (checker === null || checker.service.budget === names.budget);
	const { simplify, display, listed } = settings;
	return { simplify, display: { ...display, networks: isPresent ? names.networks : null }, listed };
}
