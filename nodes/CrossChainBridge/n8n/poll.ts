import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readSettings, type TriggerSettings } from '../trigger/settings';
import type { CallEvent, Effect } from '../watch/events';
import { EMPTY_STATE, type WatchState } from '../watch/state';
import { DurablePublication, DurableRegistration } from './durable';
import { acceptIntoInbox, hasUnreadCalls } from './inbox';
import { durableBudgetMs, isStoredInTable, type TriggerContext, twinOf } from './internals';
import { keeperOf } from './inCharge';
import { isPublishedByPerson } from './registration';
import { forgetSession, keepSession, knownSession, type Session, sessionOf } from './session';
import { loadState } from './store';
import { UsualRegistration } from './usual';

/** The registrations that n8n polls again with the same context, as its usual engine does. */
const known = new WeakMap<IPollFunctions, UsualRegistration | DurablePublication>();

/** One poll of a published trigger, by the driver of the poll engine that n8n runs it with. It throws only what a person has to see now. */
export async function poll(context: IPollFunctions): Promise<void> {
	const registration = registrationOf(context);
	const { session } = registration;
	keepSession(context, session);
	try {
		await registration.poll();
	} finally {
		// A trigger whose first publishing was refused leaves nothing.
		if (session.registration === null && !hasUnreadCalls(context)) forgetSession(context, session);
	}
}

function registrationOf(
	context: IPollFunctions,
): UsualRegistration | DurablePublication | DurableRegistration {
	const before = known.get(context);
	if (before instanceof UsualRegistration) return before;
	const session = before?.session ?? sessionOf(context);
	const budgetMs = durableBudgetMs(context);
	if (budgetMs !== null) return new DurableRegistration(session, context, budgetMs);
	// After a change of engines n8n keeps the node's data in its table, but it polls the context again, or has started by itself.
	const isDurable =
		before === undefined && isStoredInTable(context) && isPublishedByPerson(context);
	const registration = isDurable
		? new DurablePublication(session, context)
		: new UsualRegistration(session, context);
	known.set(context, registration);
	return registration;
}

/** A trigger that can accept orders now. */
interface Accepting {
	session: Session;
	settings: TriggerSettings;
	/** Whether it knows all its orders, so that it can list and remove them. */
	isSettled: boolean;
	accept(event: CallEvent): Promise<Effect[]>;
}

/** The trigger that a call to the webhook is for; null if this process does not run it, because what it accepted would be lost. */
export function acceptingTrigger(call: IWebhookFunctions): Accepting | null {
	if (twinOf(call) !== null) return null;
	const session = knownSession(call);
	const keeper = session === null ? null : keeperOf(session);
	if (session !== null && keeper !== null) {
		const { settings, registration } = session;
		const isReady = settings !== null && keeper.isAtWork();
		const isSettled = registration === keeper;
		const accept: Accepting['accept'] = async (event) => await keeper.accept(call, event);
		return isReady ? { session, settings, isSettled, accept } : null;
	}
	// The first poll of the durable engine will find what comes before it.
	const read = DurableRegistration.hasRun ? readSettings(call) : null;
	if (read?.ok !== true) return null;
	const { settings } = read;
	const fresh = sessionOf(call);
	return {
		...{ session: fresh, settings, isSettled: false },
		accept: async (event) => await acceptIntoInbox(fresh, call, event, settings.rules),
	};
}

/** The published trigger's state, as far as n8n gives it to a test in the editor. */
export function knownState(context: TriggerContext): WatchState {
	try {
		return knownSession(context)?.state ?? loadState(context);
	} catch {
		// Only polls can read the state of the durable engine.
		return EMPTY_STATE;
	}
}
