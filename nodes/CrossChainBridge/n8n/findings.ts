import type { IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { errorOf } from '../orders/values';
import { afterPoll, type Found, isShown, type Problem, visibleError } from '../trigger/health';
import { readSettings, type TriggerSettings } from '../trigger/settings';
import type { WatchEvent } from '../watch/events';
import { type Session, takeUnreported } from './session';

/** What a poll has found, for both drivers. */

/** The fields as they are now. If they cannot be used, those from before stay in force, and the problem is what the poll has found. */
export function settingsInForce(
	session: Session,
	context: IPollFunctions,
): { settings: TriggerSettings; problem: Found | null } | { settings: null; problem: Found } {
	const read = readSettings(context);
	return read.ok
		? { settings: read.settings, problem: null }
		: { settings: session.settings, problem: { ...settingsProblem(read.error), isOfFields: true } };
}

/** An error in the node's fields or its credential, as what a poll has found. */
export function settingsProblem(error: unknown): Problem {
	return { kind: 'settings', cause: errorOf(error) };
}

/** What a poll has found whose fields cannot be used, too: that no order can be checked with the last valid ones is worse. */
export function gravest(ofFields: Found | null, ofChecks: Found): Found {
	return ofFields === null || typeof ofChecks !== 'string' ? ofChecks : ofFields;
}

/** An error that nothing could catch, as what a poll has found that had nothing else to do. */
export function faultOrIdle(session: Session): Found {
	const cause = takeUnreported(session);
	return cause === null ? 'idle' : { kind: 'fault', cause };
}

/** Counts what a poll has found, and gives the error with which the poll fails; null if nobody has to see it now. */
export function countedError(
	session: Session,
	context: IPollFunctions,
	found: Found,
): NodeApiError | NodeOperationError | null {
	session.health = afterPoll(session.health, found);
	if (typeof found === 'string' || !isShown(found.kind, session.health)) return null;
	return visibleError(context, found, session.health[found.kind]);
}

/** What a poll has found, as an event. A fault of n8n or of this package says nothing of the checks. */
export function asPolled(context: IPollFunctions, found: Found): WatchEvent {
	if (typeof found === 'string') return { kind: 'polled', finding: { kind: found } };
	if (found.kind === 'fault') return { kind: 'polled', finding: { kind: 'idle' } };
	const { message: why } = visibleError(context, found, 1);
	const isTransient = found.kind === 'transient';
	const { isOfFields } = found;
	return { kind: 'polled', finding: { kind: 'problem', why, isTransient, isOfFields } };
}
