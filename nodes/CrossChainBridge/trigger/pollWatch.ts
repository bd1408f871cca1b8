import { type IPollFunctions, type NodeApiError, NodeOperationError } from 'n8n-workflow';

import { networksOf } from '../bridge/networks';
import { hashKey } from '../bridge/orders';
import { isRateLimited, needsAPerson, type Refusal, refusalToNodeError } from '../bridge/refusal';
import { type BridgeService, connectToService } from '../bridge/service';
import { type LiveWatch, liveWatchOf, pollBudgetMs, pollEngineOf } from './liveWatch';
import { asWatch, lookAtEach } from './lookRound';
import { emptyTally } from './lookTally';
import { changeState, takeIn, type Watch } from './news';
import { OrderLooks } from './orderLooks';
import { readSettings, type TriggerSettings } from './settings';
import { isKeptDurably, loadWatch, type PollEngine } from './stateStore';
import { isTicking, startTicks } from './ticks';
import { isShown, type PollOccasion, type TroubleKind } from './trouble';
import { type Look, newestOf, openOrders, withList } from './watchState';

/** Registrations that have polled: the default engine hands one context object to all polls of a registration. */
const seenRegistrations = new WeakSet<IPollFunctions>();

/** What a durable poll leaves of its budget for requests that are still in the air when the looks end. */
const LEFT_FOR_LAST_ANSWERS_MS = 4_000;

/** What it leaves for its own return. */
const LEFT_FOR_THE_END_MS = 1_500;

/**
 * One poll of a published trigger. What it does depends on who runs it:
 * - n8n, while it registers the workflow: one look at each open order, then the ticks take over;
 * - the default engine, later: reads the fields anew and makes trouble visible; the looks are the ticks' (without Keep
 *   Checking, one look at each open order);
 * - the durable engine: looks for as long as its budget allows, since no tick may work there.
 * Each end starts the workflow at the moment it is seen. Throws only what has to become visible now (see trouble.ts).
 */
export async function pollWatch(context: IPollFunctions): Promise<void> {
	const engine = pollEngineOf(context);
	const occasion = occasionOf(context, engine);
	const live = liveWatchOf(context);
	const replaced = { owner: live.owner, looks: live.looks };
	if (!takeOver(live, context, engine)) return;
	const trouble = await watchOnce({ context, engine, live }, occasion);
	if (trouble !== null && occasion === 'scheduled') live.troubledPolls++;
	if (trouble === null || !isShown(trouble.kind, occasion, live.troubledPolls)) {
		if (replaced.owner !== context) replaced.looks?.stop();
		return;
	}
	// A publishing that is refused leaves the older registration in charge.
	if (occasion === 'publishedByPerson' && live.owner === context) Object.assign(live, replaced);
	throw trouble.error(live.troubledPolls);
}

/** What keeps a poll from looking, as the error it becomes once it has to be seen. */
interface PollTrouble {
	kind: TroubleKind;
	error: (troubledPolls: number) => NodeApiError | NodeOperationError;
}

function occasionOf(context: IPollFunctions, engine: PollEngine): PollOccasion {
	if (engine === 'durable' || seenRegistrations.has(context)) return 'scheduled';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'startedByN8n' : 'publishedByPerson';
}

/**
 * Makes this registration the one that may emit. False where it must not: an overlapping poll, or a registration that
 * a newer one has replaced. A new registration starts from the newest state there is; in the durable engine, where
 * each poll comes with a context of its own, the committed state is the truth.
 */
function takeOver(live: LiveWatch, context: IPollFunctions, engine: PollEngine): boolean {
	const isNew = !seenRegistrations.has(context);
	seenRegistrations.add(context);
	// A watch without an owner is one that this process has no memory of.
	if (isNew || live.owner === null) {
		const kept = loadWatch(context, engine);
		const keptCounts = engine === 'durable' && kept.revision > 0;
		live.state = keptCounts ? kept : newestOf([live.state, kept]);
		live.owner = context;
		live.looks = null;
		live.unread = [];
	}
	if (live.owner !== context || live.polling === context) return false;
	live.polling = context;
	return true;
}

async function watchOnce(watch: Watch, occasion: PollOccasion): Promise<PollTrouble | null> {
	const { context, live } = watch;
	try {
		const read = readSettings(context);
		if (!read.ok) return { kind: 'needsAPerson', error: () => read.error };
		live.settings = read.settings;
		changeState(watch, withList(live.state, read.settings.sourceHashes, Date.now()));
		const refusal = await lookAround(watch, occasion, read.settings);
		if (refusal === null && live.tickError === null) return null;
		if (refusal !== null) return refusalTrouble(context, refusal);
		return brokenTrouble(context, live.tickError);
	} catch (error) {
		return brokenTrouble(context, error);
	} finally {
		live.tickError = null;
		if (live.polling === context) live.polling = null;
	}
}

function refusalTrouble(context: IPollFunctions, refusal: Refusal): PollTrouble {
	return {
		kind: needsAPerson(refusal) ? 'needsAPerson' : 'passing',
		error: (troubledPolls) => {
			const note = troubledPolls > 1 ? `No order could be looked up in ${troubledPolls} polls in a row. All stay watched.` : '';
			return refusalToNodeError(context.getNode(), refusal, { note });
		},
	};
}

/** A credential that is gone, or an expression that cannot be evaluated: a person has to mend it. */
function brokenTrouble(context: IPollFunctions, error: unknown): PollTrouble {
	const cause = error instanceof Error ? error : String(error);
	return { kind: 'needsAPerson', error: () => new NodeOperationError(context.getNode(), cause) };
}

/** What kept all looks since the last poll from being answered; null where one was, or none was due. */
async function lookAround(watch: Watch, occasion: PollOccasion, settings: TriggerSettings): Promise<Refusal | null> {
	const { context, engine, live } = watch;
	const open = openHashes(live, settings);
	const isPublishing = occasion === 'publishedByPerson';
	if (open.size === 0 && !isPublishing) {
		live.looks?.watch(open);
		return null;
	}
	const service = await connectToService(context);
	// Only the durable engine bounds a poll; nothing that a poll waits for may go on beyond that.
	const signal = engine === 'durable' ? AbortSignal.timeout(pollBudgetMs(context) - LEFT_FOR_THE_END_MS) : undefined;
	const known = isPublishing || live.looks?.isBlocked === true ? await serviceTrouble(service, signal) : null;
	if (known !== null && needsAPerson(known)) return known;

	await makeLooks(watch, service, settings, open, signal);
	const tally = live.sincePoll;
	live.sincePoll = emptyTally();
	if (tally.answered > 0) live.troubledPolls = 0;
	if (engine === 'default' && mayTick(context, occasion)) startTicks(watch);
	return tally.answered > 0 || tally.trouble === null ? null : await troubleOfAll(tally.trouble, open.size, service, signal);
}

/** The open orders: hash key to source hash; those that nothing has looked at for the longest time first. */
function openHashes(live: LiveWatch, { rules }: TriggerSettings): Map<string, string> {
	const keys = openOrders(live.state, rules).sort((a, b) => (live.lookedAt.get(a) ?? 0) - (live.lookedAt.get(b) ?? 0));
	return new Map(keys.map((key) => [key, live.state.orders.get(key)?.sourceHash ?? key]));
}

/** This poll's part of looking. What the ticks do already it leaves to them. */
async function makeLooks(
	watch: Watch,
	service: BridgeService,
	settings: TriggerSettings,
	open: Map<string, string>,
	signal?: AbortSignal,
): Promise<void> {
	const { context, engine, live } = watch;
	if (!settings.keepChecking) {
		live.looks?.stop();
		live.looks = null;
		live.sincePoll = await lookAtEach([...open.values()], asWatch(service, signal), (hash, look) =>
			receive(watch, hashKey(hash), look),
		);
		return;
	}
	const looks = looksOf(watch, service, settings);
	looks.watch(open);
	if (engine === 'durable') {
		await looks.lookFor(pollBudgetMs(context) - LEFT_FOR_LAST_ANSWERS_MS);
		await looks.finish(LEFT_FOR_LAST_ANSWERS_MS - LEFT_FOR_THE_END_MS);
		live.looks = null;
	} else if (!isTicking(context)) await looks.lookOnce();
}

/** The looks that go on between polls; begun anew when another address, key or interval has been set. */
function looksOf(watch: Watch, service: BridgeService, { intervalMs }: TriggerSettings): OrderLooks {
	const { live } = watch;
	if (live.looks?.continuesWith(service, intervalMs) === true) return live.looks;
	live.looks?.stop();
	live.looks = new OrderLooks({
		service,
		intervalMs,
		tally: () => live.sincePoll,
		onLook: (key, look) => receive(watch, key, look),
	});
	return live.looks;
}

/** Between polls a look waits for the next tick, which is the proof that the workflow is still published. */
function receive(watch: Watch, key: string, look: Look): void {
	const { context, live } = watch;
	if (live.owner !== context || live.settings === null) return;
	if (isTicking(context)) live.unread.push({ key, look });
	else takeIn(watch, live.settings, key, look);
}

/**
 * Whether ticks may work for this registration. Data that is kept durably is a sign of the durable engine, where they must
 * not; a registration that polls a second time belongs to the default engine for certain.
 */
function mayTick(context: IPollFunctions, occasion: PollOccasion): boolean {
	return occasion === 'scheduled' || !isKeptDurably(context);
}

/** One open order alone cannot show whether the trouble is its own; that is never the user's business. */
async function troubleOfAll(
	trouble: Refusal,
	openOrders: number,
	service: BridgeService,
	signal?: AbortSignal,
): Promise<Refusal | null> {
	if (openOrders > 1 || needsAPerson(trouble) || isRateLimited(trouble)) return trouble;
	return await serviceTrouble(service, signal);
}

/** Whether key and address lead to the service, by its configuration; null also where nothing may be sent now. */
async function serviceTrouble(service: BridgeService, signal?: AbortSignal): Promise<Refusal | null> {
	const ticket = service.budget.tryTake('person');
	if (ticket === null) return null;
	const answer = await service.config(undefined, { ticket, signal });
	if (!answer.ok) return answer.refusal;
	return networksOf(answer.data) === null ? { kind: 'unreadable', status: 200, found: 'noNetworks' } : null;
}
