/*
 * The events of an order that is still open. Each is emitted once for an order, which stays watched, so that its hash and event identify it. A
 * further one needs its entries here (in MILESTONES, INCLUDES and `marksBy`), the moment at which it is reached (`milestone` in
 * watch/applyCheck.ts), and an option in the node (`EVENTS` in trigger/fields.ts); how its mark is stored, undone and repeated comes with that.
 */
export const DELAYED = 'delayed';
export const EXPIRED = 'expired';

/** All of them. If several are reached at once, the first one is emitted, and the others come with the next check, unless it includes them. */
export const MILESTONES = [EXPIRED, DELAYED] as const;

export type Milestone = (typeof MILESTONES)[number];

/** Which others each one includes, so that they do not come after it: an order that has expired is no longer reported as delayed. */
const INCLUDES: Readonly<Record<Milestone, readonly Milestone[]>> = {
	expired: [DELAYED],
	delayed: [],
};

/** Whether each one was emitted for an order; 'again' if it was, but may have been lost when n8n stopped. */
export type Marks = Readonly<Record<Milestone, 'emitted' | 'again' | null>>;

/** An order's marks, where this function gives the mark of each milestone. */
export function marksBy(mark: (milestone: Milestone) => Marks[Milestone]): Marks {
	return { expired: mark(EXPIRED), delayed: mark(DELAYED) };
}

export function isMilestone(event: string): event is Milestone {
	return MILESTONES.some((milestone) => milestone === event);
}

/** The marks after this event. */
export function marksAfter(present: Marks, event: Milestone): Marks {
	return marksBy((each) => (isMarkedBy(event, each) ? 'emitted' : present[each]));
}

/** The present marks, with which those events come again as repetitions that were emitted since `before`. */
export function marksAgain(present: Marks, before: Marks): Marks {
	return marksBy((each) =>
		before[each] === null && present[each] === 'emitted' ? 'again' : present[each],
	);
}

/** The present marks as if this event had not been emitted, or as a repetition if it may have been. `before`: the marks before it. */
export function marksWithout(
	present: Marks,
	event: Milestone,
	before: Marks,
	mayHaveStarted: boolean,
): Marks {
	const undone = mayHaveStarted ? marksAgain(present, before) : before;
	return marksBy((each) => (isMarkedBy(event, each) ? undone[each] : present[each]));
}

/** Whether an event that includes this one was emitted, so that this one does not come any more. */
export function isIncludedInEmitted(event: Milestone, marks: Marks): boolean {
	return MILESTONES.some((each) => marks[each] === 'emitted' && INCLUDES[each].includes(event));
}

/** Whether an event marks this one: it is the same, or included. */
function isMarkedBy(event: Milestone, each: Milestone): boolean {
	return each === event || INCLUDES[event].includes(each);
}
