import { type IPollFunctions, type NodeApiError, NodeOperationError } from 'n8n-workflow';

import { networksOf } from '../bridge/networks';
import { hashKey } from '../bridge/orders';
import { isRateLimited, needsAPerson, type Refusal, refusalToNodeError } from '../bridge/refusal';
import { type BridgeService, connectToService } from '../bridge/service';
import { type LiveWatch, liveWatchOf, pollEngineOf, siblingsOf } from './liveWatch';
import { lookAtEach } from './lookRound';
import { readSettings, type TriggerSettings } from './settings';
import { keepWatch, loadWatch, type PollEngine } from './stateStore';
import { triggerItem } from './triggerItem';
import { isShown, type PollOccasion, type TroubleKind } from './trouble';
import { afterLook, type Look, newestOf, openOrders, type WatchState, withList } from './watchState';

/** Registrations that have polled: the default engine hands one context object to all polls of a registration. */
const seenRegistrations = new WeakSet<IPollFunctions>();

/**
 * One poll of a published trigger: looks once at each open order and starts the workflow for each end, at the moment it
 * is seen. Throws only what has to become visible now (see trouble.ts).
 */
export async function pollWatch(context: IPollFunctions): Promise<void> {
	const engine = pollEngineOf(context);
	const occasion = occasionOf(context, engine);
	const live = liveWatchOf(context);
	const replaced = live.owner;
	if (!takeOver(live, context, engine)) return;
	const trouble = await watchOnce(context, engine, occasion, live);
	if (trouble === null) {
		live.troubledPolls = 0;
		return;
	}
	if (occasion === 'scheduled') live.troubledPolls++;
	if (!isShown(trouble.kind, occasion, live.troubledPolls)) return;
	// A publishing that is refused leaves the older registration in charge.
	if (occasion === 'publishedByPerson' && live.owner === context) live.owner = replaced;
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
	if (isNew) {
		const kept = loadWatch(context, engine);
		const keptCounts = engine === 'durable' && kept.revision > 0;
		live.state = keptCounts ? kept : newestOf([live.state, kept]);
		live.owner = context;
	}
	live.owner ??= context;
	if (live.owner !== context || live.polling === context) return false;
	live.polling = context;
	return true;
}

async function watchOnce(
	context: IPollFunctions,
	engine: PollEngine,
	occasion: PollOccasion,
	live: LiveWatch,
): Promise<PollTrouble | null> {
	try {
		const read = readSettings(context);
		if (!read.ok) return { kind: 'needsAPerson', error: () => read.error };
		update(context, engine, live, withList(live.state, read.settings.sourceHashes, Date.now()));
		if (Date.now() < live.quietUntil) return null;
		const refusal = await lookAtOpenOrders(context, engine, occasion, live, read.settings);
		return refusal === null ? null : refusalTrouble(context, refusal);
	} catch (error) {
		// A credential that is gone, or an expression that cannot be evaluated: a person has to mend it.
		const cause = error instanceof Error ? error : String(error);
		return { kind: 'needsAPerson', error: () => new NodeOperationError(context.getNode(), cause) };
	} finally {
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

/** What kept all looks from being answered; null where at least one was, or nothing is open. */
async function lookAtOpenOrders(
	context: IPollFunctions,
	engine: PollEngine,
	occasion: PollOccasion,
	live: LiveWatch,
	settings: TriggerSettings,
): Promise<Refusal | null> {
	const { rules } = settings;
	const open = longestUnseenFirst(live, openOrders(live.state, rules));
	const checksCredential = occasion === 'publishedByPerson';
	if (open.length === 0 && !checksCredential) return null;

	const service = await connectToService(context);
	const mayEmit = () => live.owner === context;
	const hashes = open.map((key) => live.state.orders.get(key)?.sourceHash ?? key);
	const round = await lookAtEach(hashes, service, (hash, look) => takeIn(context, engine, live, settings, hash, look), mayEmit);

	if (round.trouble !== null && isRateLimited(round.trouble)) {
		const wait = round.trouble.kind === 'refused' ? round.trouble.retryAfterMs : null;
		live.quietUntil = Date.now() + (wait ?? 0);
	}
	if (round.trouble === null) return round.confirmed === 0 && checksCredential ? await serviceTrouble(service) : null;
	if (round.answered > 0) return null;
	// One open order alone cannot show whether the trouble is its own; that is never the user's business.
	const mayBeTheOrders = open.length === 1 && !needsAPerson(round.trouble) && !isRateLimited(round.trouble);
	return mayBeTheOrders ? await serviceTrouble(service) : round.trouble;
}

/** Orders that no poll has looked at for the longest time come first, so that a round cut short starves none. */
function longestUnseenFirst(live: LiveWatch, keys: string[]): string[] {
	return keys.sort((a, b) => (live.lookedAt.get(a) ?? 0) - (live.lookedAt.get(b) ?? 0));
}

/** What the looks could not show: whether key and address lead to the service, by its configuration. */
async function serviceTrouble(service: BridgeService): Promise<Refusal | null> {
	const answer = await service.config();
	if (!answer.ok) return answer.refusal;
	return networksOf(answer.data) === null ? { kind: 'unreadable', status: 200, found: 'noNetworks' } : null;
}

/** Takes one look into the state and starts the workflow if it brought news: told and kept in the same breath, before. */
function takeIn(
	context: IPollFunctions,
	engine: PollEngine,
	live: LiveWatch,
	{ rules, simplify }: TriggerSettings,
	sourceHash: string,
	look: Look,
): void {
	if (live.owner !== context) return;
	const now = Date.now();
	const key = hashKey(sourceHash);
	live.lookedAt.set(key, now);
	const { state, news } = afterLook(live.state, key, look, rules, now);
	update(context, engine, live, state);
	if (news !== null) context.__emit([[{ json: triggerItem({ ...news, detectedAt: now }, simplify) }]]);
}

function update(context: IPollFunctions, engine: PollEngine, live: LiveWatch, state: WatchState): void {
	const isWorthKeeping = state.revision !== live.state.revision;
	live.state = state;
	for (const key of live.lookedAt.keys()) if (!state.orders.has(key)) live.lookedAt.delete(key);
	if (isWorthKeeping) keepWatch(context, engine, state, siblingsOf(context), Date.now());
}
