import type { Effect, PollFinding, Reduced, WatchEmission } from './events';
import { INTERRUPTED, RESUMED, type WatchRules } from './rules';
import { changed, placesIn, type WatchState } from './state';

/** How long checks may fail before that is an event, if the cause may pass by itself. */
const INTERRUPTED_AFTER_MS = 10 * 60_000;

/**
 * The state after a poll has found whether the orders can be checked. The first poll that finds that they cannot be, for ten minutes or
 * for a cause that a person has to correct, brings the event `interrupted`, and the first one that finds that they can be again brings
 * `resumed`. Each comes once for an interruption, because the interruption is a part of the state.
 */
export function applyPoll(
	state: WatchState,
	finding: PollFinding,
	{ events }: WatchRules,
	now: number,
): Reduced {
	const { interruption, uncheckedSince } = state;
	const watching = placesIn(state).watching;
	if (finding.kind === 'stoodStill')
		return uncheckedSince === null || interruption !== null
			? { state, effects: [] }
			: { state: changed(state, { uncheckedSince: null }, now), effects: [] };
	// Without an order nothing is left to be interrupted.
	if (finding.kind === 'idle' && watching > 0) return { state, effects: [] };
	if (finding.kind !== 'problem') {
		if (interruption === null && uncheckedSince === null) return { state, effects: [] };
		const after = changed(state, { interruption: null, uncheckedSince: null }, now);
		return interruption === null || !events.has(INTERRUPTED)
			? { state: after, effects: [] }
			: {
					state: after,
					effects: [emit({ event: RESUMED, why: null, watching, before: interruption })],
				};
	}
	const { why, isOfFields } = finding;
	// The clock of n8n may have gone back since then.
	const since = Math.min(uncheckedSince ?? now, now);
	// With a wrong field orders are checked as before.
	const unchecked = isOfFields === true ? uncheckedSince : since;
	const isOver = !finding.isTransient || now - since >= INTERRUPTED_AFTER_MS;
	if (interruption !== null || !isOver || !events.has(INTERRUPTED))
		return {
			state:
				uncheckedSince === unchecked ? state : changed(state, { uncheckedSince: unchecked }, now),
			effects: [],
		};
	return {
		state: changed(state, { interruption: { since, finished: 0 }, uncheckedSince: unchecked }, now),
		effects: [emit({ event: INTERRUPTED, why, isOfFields, watching, before: interruption })],
	};
}

function emit(emission: Omit<WatchEmission, 'kind'>): Effect {
	return { kind: 'emit', emission: { kind: 'watch', ...emission } };
}

/** The state as if this event had not been emitted; the next poll brings it again. */
export function undoWatchEvent(
	state: WatchState,
	{ event, before }: WatchEmission,
	now: number,
): WatchState {
	const isPresent = (state.interruption !== null) === (event === INTERRUPTED);
	return isPresent ? changed(state, { interruption: before }, now) : state;
}
