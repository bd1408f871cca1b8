import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { valueOr } from '../orders/values';
import { readSettings } from '../trigger/settings';
import type { CallEvent, Effect } from '../watch/events';
import { EMPTY_STATE, type WatchState } from '../watch/state';
import { DurablePublishing, DurablePoll } from './durable';
import { acceptIntoInbox } from './inbox';
import { durableBudgetMs, hasDurableCursor, type TriggerContext, twinOf } from './internals';
import { isPublishedByPerson } from './publishing';
import {
	forgetSession,
	keeperOf,
	keepSession,
	knownSession,
	type Session,
	sessionOf,
} from './session';
import { keepCopy, loadState } from './store';
import { UsualTrigger } from './usual';

/**
 * The runner of each context that n8n may poll with again.
 *
 * | context of | gives a poll budget (`durableBudgetMs`) | is used again | runner |
 * |---|---|---|---|
 * | a registration in the usual engine | none, or five minutes | for each poll | UsualTrigger |
 * | a poll in the durable engine | up to a minute | no, so that it is not kept here | DurablePoll |
 * | a publication in the durable engine, if it has durable cursors | none | no | DurablePublishing |
 *
 * So a publication in the durable engine looks like the first poll of a registration in the usual one. If n8n polls with such a context a second
 * time, it was that.
 */
const known = new WeakMap<IPollFunctions, UsualTrigger | DurablePublishing>();

/**
 * One poll of a published trigger, by the driver of the poll engine that n8n runs it with. It throws only what a person has to see now.
 *
 * From n8n's call to the started workflow:
 * 1. `runnerOf` finds the driver: `UsualTrigger` (n8n/usual.ts), or `DurablePoll` (n8n/durable.ts). A person who publishes in the durable
 *    engine gets `DurablePublishing`, which finds out whether that is possible, and takes over the state, but checks no order.
 * 2. The driver's `work` (in the usual engine `publishedByPerson`, while a person publishes) reads the fields, hands the list to the watch
 *    (`applySettings` in n8n/driver.ts), gives the open orders to the checker (`connect` in n8n/driver.ts), and tells it to begin the checks
 *    (`run` in checks/checker.ts, or `wantEach` if Keep Checking is off). In the usual engine the first poll also registers the ticks, each of
 *    which tells the checker to begin the checks for the next one (`planForNextTick` in checks/checker.ts). For the way to the request see
 *    `CheckSender` (checks/checkSender.ts).
 * 3. What the checks have shown is taken one by one (`nextResult` in n8n/driver.ts): in the usual engine by the ticks, once a second
 *    (`tick` in n8n/usual.ts), and in the durable engine by the poll itself (`applyNext` in n8n/durable.ts).
 * 4. `apply` (n8n/driver.ts) hands each of it to `reduce` (watch/reduce.ts), which gives the next state and the events. It has the driver
 *    store the state (n8n/store.ts says where), and then start the workflow with the item (`emissionItem` in trigger/item.ts) by n8n's `__emit`
 *    (`startWorkflow` in n8n/internals.ts).
 */
export async function poll(context: IPollFunctions): Promise<void> {
	const runner = runnerOf(context);
	const { session } = runner;
	keepSession(context, session);
	try {
		await runner.poll();
	} finally {
		// Nothing is kept of a trigger that no runner has taken over: its first publishing was refused, or another process works on it.
		if (session.runner === null) forgetSession(context, session);
	}
}

function runnerOf(context: IPollFunctions): UsualTrigger | DurablePublishing | DurablePoll {
	const before = known.get(context);
	if (before instanceof UsualTrigger) return before;
	const session = before?.session ?? sessionOf(context);
	const budgetMs = durableBudgetMs(context);
	if (budgetMs !== null) return new DurablePoll(session, context, budgetMs);
	// The table of the durable engine may still have the node's data after a switch back to the usual engine. So only a first poll, and only of
	// a publication by a person, is taken for a publication in the durable engine.
	const isDurable =
		before === undefined && hasDurableCursor(context) && isPublishedByPerson(context);
	const runner = isDurable
		? new DurablePublishing(session, context)
		: new UsualTrigger(session, context, before !== undefined);
	known.set(context, runner);
	keepCopy(context);
	return runner;
}

/** A trigger that can accept orders now. */
interface Accepting {
	session: Session;
	/** Whether its newest runner is in charge: only then can it list and remove orders. */
	isSettled: boolean;
	accept(event: CallEvent): Promise<Effect[]>;
}

/**
 * The trigger that a call to the webhook is for; null if what it accepted would be lost, because this process neither runs it nor polls for it
 * in the durable engine, or cannot run it as it is.
 *
 * Where an order that is sent is kept: in the usual engine it is reduced into the session's state at once, which is also written into the
 * workflow's static data: into the call's copy, which n8n saves before it answers, and into those of all registrations, so that none of them
 * overwrites it with an older one (`accept` in n8n/usual.ts, `storeWithWorkflow` in n8n/store.ts). In the durable engine it is appended to the
 * inbox in the workflow's static data (`acceptIntoInbox` in n8n/inbox.ts), and a poll under way here watches it at once; otherwise the next poll
 * takes it into the state (`withCalls` in n8n/inbox.ts). Without durable cursors that engine saves nothing in time, so that nothing is accepted.
 */
export function acceptingTrigger(call: IWebhookFunctions): Accepting | null {
	if (twinOf(call) !== null) return null;
	const here = knownSession(call);
	const keeper = here === null ? null : keeperOf(here);
	if (here !== null && keeper !== null) {
		const { settings } = here;
		if (settings === null || !keeper.isAtWork()) return null;
		return {
			session: here,
			isSettled: here.runner === keeper,
			accept: async (event) => await keeper.accept(call, event, settings.rules),
		};
	}
	// Before its first poll here, a durable trigger has no session. If n8n commits its state, the call goes to the inbox, which that poll reads.
	const read = DurablePoll.hadDurableCursor ? readSettings(call) : null;
	if (read === null || read.error !== null) return null;
	const { rules } = read.settings;
	const session = sessionOf(call);
	return {
		session,
		isSettled: false,
		accept: async (event) => await acceptIntoInbox(session, call, event, rules),
	};
}

/** The published trigger's state, as far as n8n gives it to a test in the editor. */
export function knownState(context: TriggerContext): WatchState {
	// Only polls can read the state of the durable engine.
	return knownSession(context)?.state ?? valueOr(() => loadState(context), EMPTY_STATE);
}
