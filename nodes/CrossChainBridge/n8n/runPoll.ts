import type { IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { errorOf } from '../orders/values';
import { afterPoll, type Finding, isShown, judgeChecks, visibleError } from '../trigger/health';
import { readSettings, type TriggerSettings } from '../trigger/settings';
import type { WatchEvent } from '../watch/events';
import { openOrders } from '../watch/state';
import type { Driver } from './apply';
import { mayEmit } from './inCharge';
import type { Runner } from './runner';
import { type Session, takeUnreported } from './session';

/**
 * One poll, for both drivers: reads the node's fields, has the driver apply them (`use`) and have the orders checked (`check`), and says what
 * that has found; it never throws. If a field cannot be read, that is what the poll has found, unless no order can be checked, which is
 * worse. It may ask the configuration, up to the time `until` (ms of n8nClock).
 */
export async function runPoll(
	session: Session,
	driver: Runner & Driver,
	until = Infinity,
): Promise<Finding> {
	const { settings, error } = readSettings(driver.context, session.settings);
	try {
		const finding = await checkWith(settings, session, driver, until);
		// A newer driver reads the fields itself.
		if (error === null || typeof finding !== 'string' || session.runner !== driver) return finding;
		return { kind: 'settings', cause: error, otherwise: finding };
	} catch (thrown) {
		return { kind: 'settings', cause: errorOf(thrown) };
	}
}

async function checkWith(
	settings: TriggerSettings,
	session: Session,
	driver: Runner & Driver,
	until: number,
): Promise<Finding> {
	await driver.use(settings);
	if (!mayEmit(session, driver)) return 'idle';
	if (openOrders(session.state).size === 0 && !settings.acceptsOrders) {
		const cause = takeUnreported(session);
		return cause === null ? 'idle' : { kind: 'fault', cause };
	}
	const checker = await driver.check(settings);
	if (!mayEmit(session, driver)) return 'idle';
	return await judgeChecks(checker, takeUnreported(session), until);
}

/** Counts what a poll has found, and gives the error with which the poll fails; null if nobody has to see it now. */
export function countedError(
	session: Session,
	context: IPollFunctions,
	finding: Finding,
): NodeApiError | NodeOperationError | null {
	session.health = afterPoll(session.health, finding);
	if (typeof finding === 'string' || !isShown(finding.kind, session.health)) return null;
	return visibleError(context, finding, session.health[finding.kind]);
}

/** What a poll has found, as an event. A fault of n8n or of this package says nothing of the checks. */
export function asPolled(context: IPollFunctions, finding: Finding): WatchEvent {
	if (typeof finding === 'string') return { kind: 'polled', finding: { kind: finding } };
	if (finding.kind === 'fault') return { kind: 'polled', finding: { kind: 'idle' } };
	const { message: why } = visibleError(context, finding, 1);
	const isTransient = finding.kind === 'transient';
	const { otherwise } = finding;
	return { kind: 'polled', finding: { kind: 'problem', why, isTransient, otherwise } };
}
