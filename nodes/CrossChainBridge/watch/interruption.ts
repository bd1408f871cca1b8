import type { Effect, PollFinding, Reduced, WatchEmission } from './events';
import { INTERRUPTED, RESUMED, type WatchRules } from './rules';
import { changed, placesIn, type Interruption, type WatchState } from './state';

/** How long checks may fail before that is an event, if the cause may pass by itself. */
const INTERRUPTED_AFTER_MS = 10 * 60_000;

/**
 * The state after a poll has found whether the orders can be checked. The first poll that finds that they cannot be, for ten minutes or
 * for a cause that a person has to correct, brings the event `interrupted`, and the first one that finds that they can be again brings
 * `resumed`. Each comes once for an interruption, because the interruption is a part of the state; `interrupted` comes again if what a
 * person has to know about it changes.
 */
export function applyPoll(
	state: WatchState,
	finding: PollFinding,
	{ events }: WatchRules,
	now: number,
): Reduced {
	const { interruption, uncheckedSince } = state;
	const { watching } = placesIn(state);
	const withUnchecked = (since: number | null): Reduced => ({
		state: since === uncheckedSince ? state : changed(state, { uncheckedSince: since }, now),
		effects: [],
	});
	if (finding.kind === 'fault') return { state, effects: [] };
	// What was before says nothing of now; an interruption that was reported ends with a check that works.
	if (finding.kind === 'stoodStill')
		return withUnchecked(interruption === null ? null : uncheckedSince);
	// If only a field was wrong, it is not any more.
	const isRead = interruption?.cause === 'fields' && uncheckedSince === null;
	// An expression may give no orders for one poll. Without any order nothing is left to be interrupted.
	if (finding.kind === 'idle' && state.orders.size > 0 && !isRead)
		return withUnchecked(watching === 0 ? null : uncheckedSince);
	if (finding.kind !== 'problem') {
		if (interruption === null) return withUnchecked(null);
		const after = changed(state, { interruption: null, uncheckedSince: null }, now);
		const resumed = { event: RESUMED, why: null, watching, before: interruption } as const;
		return { state: after, effects: events.has(INTERRUPTED) ? [emit(resumed)] : [] };
	}
	const { why, isTransient, otherwise } = finding;
	const isOfFields = otherwise !== undefined;
	// The clock of n8n may have gone back since then.
	const since = Math.min(uncheckedSince ?? now, now);
	// With a wrong field orders are checked as before.
	const asBefore = otherwise === 'checked' ? null : uncheckedSince;
	const unchecked = isOfFields ? asBefore : since;
	const isOver = !isTransient || now - since >= INTERRUPTED_AFTER_MS;
	const uncheckedFor = isTransient ? 'transient' : 'toCorrect';
	const cause = isOfFields ? 'fields' : uncheckedFor;
	const isAnother =
		interruption === null || isOtherMessage(cause, interruption.cause, otherwise === 'checked');
	if (!isAnother || !isOver || !events.has(INTERRUPTED)) return withUnchecked(unchecked);
	const finished = interruption?.finished ?? 0;
	return {
		state: changed(
			state,
			{ interruption: { since, finished, cause }, uncheckedSince: unchecked },
			now,
		),
		effects: [emit({ event: INTERRUPTED, why, isOfFields, watching, before: interruption })],
	};
}

/**
 * Whether a cause has to be reported after the one that was: that no order is checked any more, and the other way round that with a wrong
 * field they are again; and that what seemed to pass by itself has to be corrected by a person.
 */
function isOtherMessage(
	now: Interruption['cause'],
	reported: Interruption['cause'],
	isChecked: boolean,
): boolean {
	if (now === 'fields') return reported !== 'fields' && isChecked;
	return reported === 'fields' || (now === 'toCorrect' && reported === 'transient');
}

function emit(emission: Omit<WatchEmission, 'kind'>): Effect {
	return { kind: 'emit', emission: { kind: 'watch', ...emission } };
}

/** The state as if this event had not been emitted; the next poll brings it again. */
export function undoWatchEmission(
	state: WatchState,
	{ event, before }: WatchEmission,
	now: number,
): WatchState {
	const isPresent = (state.interruption !== null) === (event === INTERRUPTED);
	return isPresent ? changed(state, { interruption: before }, now) : state;
}
