/**
 * When what keeps a trigger from checking becomes visible as a failed execution. Pure.
 *
 * What passes by itself shows on the 5th poll in a row without a single answer; what the user has to correct on the first.
 * After that every 30th poll repeats it, so that an outage is neither silent nor a storm. Each kind has a count of its own, so
 * that a wrong key after an outage shows at once.
 */

/** 'settings': the node's own fields, its credential or n8n; 'account': key or address; 'transient': passes by itself. */
export type ProblemKind = 'settings' | 'account' | 'transient';

/** Consecutive failed polls of each kind. */
export type Health = Readonly<Record<ProblemKind, number>>;

/** Why n8n runs the poll: the user publishes, n8n registers the trigger by itself (start, new leader), or its time has come. */
export type PollOccasion = 'publishedByPerson' | 'startedByN8n' | 'scheduled';

export const HEALTHY: Health = { settings: 0, account: 0, transient: 0 };

const FIRST_SHOWN: Health = { settings: 1, account: 1, transient: 5 };
const REPEATED_EVERY = 30;

/** The counts after one more scheduled poll. `answered`: whether the service has answered anything since the last one. */
export function afterPoll(health: Health, problem: ProblemKind | null, answered: boolean): Health {
	switch (problem) {
		case null:
			return answered ? HEALTHY : { ...health, settings: 0 };
		case 'settings':
			return { ...health, settings: health.settings + 1 };
		case 'account':
			// The service has answered something: no outage.
			return { settings: 0, account: health.account + 1, transient: 0 };
		case 'transient':
			return { ...health, settings: 0, transient: health.transient + 1 };
	}
}

/** Whether this poll throws; `health` includes it. While the user publishes it throws only for what the user has to correct; while n8n starts, never. */
export function isShown(kind: ProblemKind, occasion: PollOccasion, health: Health): boolean {
	if (occasion === 'startedByN8n') return false;
	if (occasion === 'publishedByPerson') return kind !== 'transient';
	const sinceFirst = health[kind] - FIRST_SHOWN[kind];
	return sinceFirst >= 0 && sinceFirst % REPEATED_EVERY === 0;
}
