import { type IPollFunctions, type NodeApiError, NodeOperationError } from 'n8n-workflow';

import { networksOf } from '../bridge/networks';
import { hashKey } from '../bridge/orders';
import { isRateLimited, needsAPerson, type Refusal, refusalToNodeError } from '../bridge/refusal';
import { type BridgeService, connectToService, n8nClock } from '../bridge/service';
import { type LiveWatch, liveWatchOf, openHashes, pollBudgetMs, pollEngineOf, siblingsOf } from './liveWatch';
import { type Ask, asWatch, lookAtEach } from './lookRound';
import { emptyTally } from './lookTally';
import { changeState, letGo, takeIn, tryToTakeIn, type Watch } from './news';
import { readNetworks } from './networkNames';
import { OrderLooks } from './orderLooks';
import { readSettings, type TriggerSettings } from './settings';
import { isKeptDurably, keepWatch, loadWatch, type PollEngine } from './stateStore';
import { isTakenFromOtherCode, isTicking, startTicks, stopOtherCode } from './ticks';
import { isShown, type PollOccasion, type TroubleKind } from './trouble';
import { Turns } from './turns';
import { type Look, newestOf, type WatchState, withList, withListOf } from './watchState';

/** Registrations that have polled: the default engine hands one context object to all polls of a registration. */
const seenRegistrations = new WeakSet<IPollFunctions>();

/** Those with a poll under way. */
const polling = new WeakSet<IPollFunctions>();

/** What a durable poll leaves of its budget for requests that are still in the air when the looks end. */
const LEFT_FOR_LAST_ANSWERS_MS = 4_000;

/** What it leaves for its own return. */
const LEFT_FOR_THE_END_MS = 1_500;

/** Longer than n8n needs to commit an execution, also on a busy machine (11 seconds were seen). */
const LONGEST_COMMIT_MS = 60_000;

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
	const replaced = { owner: live.owner, looks: live.looks, settings: live.settings };
	if (!takeOver(live, context)) return;
	const before = live.state;
	const turns = engine === 'durable' ? new Turns(n8nClock, () => live.owner === context && endLooks(live)) : undefined;
	const trouble = await watchOnce({ context, engine, live, turns }, occasion);
	// n8n saves this copy of the workflow's data after publishing: what another trigger has told meanwhile must be in it.
	if (occasion !== 'scheduled' && live.owner === context) keepWatch(context, engine, live.state, siblingsOf(context), Date.now());
	if (trouble !== null && occasion === 'scheduled') live.troubledPolls++;
	if (trouble === null || !isShown(trouble.kind, occasion, live.troubledPolls)) {
		if (replaced.owner !== context) replaced.looks?.stop();
		return;
	}
	// A publishing that is refused leaves the older registration in charge, with its list.
	if (occasion === 'publishedByPerson' && live.owner === context) {
		changeState({ context, engine, live }, withListOf(before, live.state, Date.now()));
		Object.assign(live, replaced);
	}
	throw trouble.error(live.troubledPolls);
}

/** What keeps a poll from looking, as the error it becomes once it has to be seen. */
interface PollTrouble {
	kind: TroubleKind;
	error: (troubledPolls: number) => NodeApiError | NodeOperationError;
}

function occasionOf(context: IPollFunctions, engine: PollEngine): PollOccasion {
	if (engine === 'durable' || seenRegistrations.has(context) || isTakenFromOtherCode(context)) return 'scheduled';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'startedByN8n' : 'publishedByPerson';
}

/**
 * Makes this registration the one that may emit. False where it must not: an overlapping poll, a registration that a newer
 * one has replaced, or a durable poll that was handed less than has been told. A new registration starts from the newest state there is; in the durable engine, where
 * each poll comes with a context of its own, the committed state is the truth.
 */
function takeOver(live: LiveWatch, context: IPollFunctions): boolean {
	if (!seenRegistrations.has(context)) {
		seenRegistrations.add(context);
		// Nothing lies in between, so all that the other code has told is in what is kept.
		stopOtherCode(context);
		const kept = loadWatch(context);
		const isCommitted = isKeptDurably(context);
		if (isCommitted && isCommitUnderWay(live, kept)) return false;
		live.isCommitted = isCommitted;
		live.state = isCommitted ? kept : newestOf([live.state, kept]);
		live.owner = context;
		live.looks = null;
		live.unread = [];
		// What went wrong for another registration is no reason to refuse this one.
		live.tickError = null;
		live.sincePoll = emptyTally();
	}
	if (live.owner !== context || polling.has(context)) return false;
	polling.add(context);
	return true;
}

/**
 * A durable poll may begin while another one still looks (n8n repeats what a killed process had begun), or while its
 * commits wait for the database: what was handed to this poll then knows nothing of ends that have been told. It leaves
 * them alone. Where nothing comes of a commit for so long, n8n has dropped it, and the end has to be told.
 */
function isCommitUnderWay({ lastStart }: LiveWatch, kept: WatchState): boolean {
	return kept.revision < lastStart.revision && Date.now() - lastStart.at < LONGEST_COMMIT_MS;
}

async function watchOnce(watch: Watch, occasion: PollOccasion): Promise<PollTrouble | null> {
	const { context, live } = watch;
	try {
		const read = readSettings(context);
		if (!read.ok) return { kind: 'needsAPerson', error: () => read.error };
		live.settings = read.settings;
		const now = Date.now();
		changeState(watch, withList(live.state, read.settings.sourceHashes, now));
		letGo(watch, read.settings, now);
		const refusal = await lookAround(watch, occasion, read.settings);
		if (refusal === null && live.tickError === null) return null;
		if (refusal !== null) return refusalTrouble(context, refusal);
		return brokenTrouble(context, live.tickError);
	} catch (error) {
		return brokenTrouble(context, error);
	} finally {
		live.tickError = null;
		polling.delete(context);
		if (live.owner === context && !isTicking(context)) endLooks(live);
	}
}

/** Without ticks nothing may be told once the poll is over: n8n may have taken the registration away by then. */
function endLooks(live: LiveWatch): void {
	live.looks?.stop();
	live.looks = null;
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
	const openOrders = openHashes(live, settings).size;
	const isPublishing = occasion === 'publishedByPerson';
	// An order may be posted at any moment, and a tick cannot read the credential.
	const mayBeAsked = openOrders > 0 || settings.acceptsOrders;
	if (!mayBeAsked && !isPublishing) {
		live.looks?.watch(new Map());
		return null;
	}
	const endsAt = n8nClock.now() + pollBudgetMs(context);
	// Only the durable engine bounds a poll; nothing that a poll waits for may go on beyond that.
	const signal = engine === 'durable' ? AbortSignal.timeout(pollBudgetMs(context) - LEFT_FOR_THE_END_MS) : undefined;
	const service = await connectToService(context);
	const known = isPublishing || live.looks?.isBlocked === true ? await serviceTrouble(service, signal) : null;
	if (known !== null && needsAPerson(known)) return known;

	// With nothing to look at nothing is asked, but for the names that the first posted order will need.
	if (settings.simplify && (openOrders > 0 || live.known === null)) await readNetworks(live, service);
	// While this poll waited, a newer registration may have taken over: the looks are its own now.
	if (live.owner !== context) return null;
	await makeLooks(watch, service, settings, { endsAt, signal });
	await watch.turns?.finish(endsAt - LEFT_FOR_THE_END_MS - n8nClock.now());
	if (live.owner !== context) return null;
	// Whatever n8n has written last until now: with this change it writes the newest state at the end of the poll.
	if (watch.turns?.isOrderUncertain === true) changeState(watch, { ...live.state, revision: live.state.revision + 1 });
	const tally = live.sincePoll;
	live.sincePoll = emptyTally();
	if (tally.answered > 0) live.troubledPolls = 0;
	if (engine === 'default' && mayTick(context, occasion)) startTicks(watch);
	return tally.answered > 0 || tally.trouble === null ? null : await troubleOfAll(tally.trouble, openOrders, service, signal);
}

/** This poll's part of looking. What the ticks do already it leaves to them. */
async function makeLooks(
	watch: Watch,
	service: BridgeService,
	settings: TriggerSettings,
	{ endsAt, signal }: { endsAt: number; signal?: AbortSignal },
): Promise<void> {
	const { context, engine, live } = watch;
	// Taken now: an order may have been posted while this poll was waiting.
	const open = openHashes(live, settings);
	if (!settings.keepChecking) {
		endLooks(live);
		const ask = asWatch(service, signal);
		const askAndNote: Ask = (hash) => {
			const asked = ask(hash);
			if (asked !== null) live.askedAt.set(hashKey(hash), n8nClock.now());
			return asked;
		};
		live.sincePoll = await lookAtEach([...open.values()], askAndNote, (hash, look) => receive(watch, hashKey(hash), look));
		return;
	}
	const looks = looksOf(watch, service, settings);
	looks.watch(open);
	if (engine === 'durable') {
		await looks.lookFor(endsAt - LEFT_FOR_LAST_ANSWERS_MS - n8nClock.now());
		await looks.untilAnswered(LEFT_FOR_LAST_ANSWERS_MS - LEFT_FOR_THE_END_MS);
	} else if (!isTicking(context)) await looks.lookOnce();
}

/** The looks that go on between polls; begun anew when another address, key or interval has been set. */
function looksOf(watch: Watch, service: BridgeService, { intervalMs }: TriggerSettings): OrderLooks {
	const { engine, live } = watch;
	if (live.looks?.continuesWith(service, intervalMs) === true) return live.looks;
	live.looks?.stop();
	const looks: OrderLooks = new OrderLooks({
		service,
		intervalMs,
		// What an earlier registration asked says nothing about this one, whose key may be another.
		tally: () => (live.looks === looks ? live.sincePoll : emptyTally()),
		// Each durable poll begins anew: without this, those that come first would be asked for again and again.
		askedAt: engine === 'durable' ? live.askedAt : new Map(),
		onAsk: (key) => live.askedAt.set(key, n8nClock.now()),
		onLook: (key, look) => receive(watch, key, look),
	});
	live.looks = looks;
	return looks;
}

/**
 * Between polls a look waits for the next tick, which is the proof that the workflow is still published; in a durable poll,
 * until what was told before is committed.
 */
function receive(watch: Watch, key: string, look: Look): void {
	const { context, live, turns } = watch;
	if (live.owner !== context || live.settings === null) return;
	if (isTicking(context)) live.unread.push({ key, look });
	else if (turns === undefined) takeIn(watch, live.settings, key, look);
	else turns.take(() => takeInTurn(watch, key, look));
}

function takeInTurn(watch: Watch, key: string, look: Look): void {
	const { context, live } = watch;
	if (live.owner === context && live.settings !== null) tryToTakeIn(watch, live.settings, key, look);
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
