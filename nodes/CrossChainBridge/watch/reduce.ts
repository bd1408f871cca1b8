import { applyCheck } from './applyCheck';
import type { Reduced, WatchEvent } from './events';
import { applyPoll, undoWatchEmission } from './interruption';
import { applyList } from './list';
import { applyPost, applyRemoval } from './posts';
import { applyTakeover, undoOrderEmission } from './redelivery';
import type { WatchRules } from './rules';
import type { WatchState } from './state';

/** The watch of a trigger: what an event changes, and what is to be done. `now` is in milliseconds since 1970. */
export function reduce(
	state: WatchState,
	event: WatchEvent,
	rules: WatchRules,
	now: number,
): Reduced {
	switch (event.kind) {
		case 'listed':
			return { state: applyList(state, event, rules, now), effects: [] };
		case 'posted':
			return applyPost(state, event.orders, rules, now);
		case 'removed':
			return applyRemoval(state, event.orders, now);
		case 'checked':
			return applyCheck(state, event, rules, now);
		case 'polled':
			return applyPoll(state, event.finding, rules, now);
		case 'takenOver':
			return { state: applyTakeover(state, rules, now), effects: [] };
		case 'undone': {
			const { emission, mayHaveStarted = false } = event;
			const undone =
				emission.kind === 'order'
					? undoOrderEmission(state, emission, now, mayHaveStarted)
					: undoWatchEmission(state, emission, now);
			return { state: undone, effects: [] };
		}
	}
}
