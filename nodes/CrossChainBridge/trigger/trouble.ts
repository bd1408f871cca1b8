/**
 * When trouble that keeps a trigger from looking becomes visible as a failed execution. Pure.
 *
 * What passes by itself shows on the 5th poll in a row without a single answer; what a person has to mend (key,
 * address) on the first. After that every 30th poll repeats it, so that an outage is neither silent nor a storm.
 */

const FIRST_SHOWN: Record<TroubleKind, number> = { passing: 5, needsAPerson: 1 };
const REPEATED_EVERY = 30;

export type TroubleKind = 'passing' | 'needsAPerson';

/** Why n8n runs the poll: a person publishes, n8n registers the trigger by itself (start, new leader), or its time has come. */
export type PollOccasion = 'publishedByPerson' | 'startedByN8n' | 'scheduled';

/**
 * Whether this poll throws. `troubledPolls` counts the scheduled polls in a row without a single answer, this one
 * included. A poll during publishing throws only for what a person has to mend; n8n's own start never fails.
 */
export function isShown(kind: TroubleKind, occasion: PollOccasion, troubledPolls: number): boolean {
	if (occasion === 'startedByN8n') return false;
	if (occasion === 'publishedByPerson') return kind === 'needsAPerson';
	const sinceFirst = troubledPolls - FIRST_SHOWN[kind];
	return sinceFirst >= 0 && sinceFirst % REPEATED_EVERY === 0;
}
