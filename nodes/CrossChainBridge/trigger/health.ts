import { type IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type ServiceError, toNodeError } from '../service/errors';
import type { Checker } from '../checks/checker';

/**
 * What keeps a trigger from its work. 'settings': a field, its credential in n8n, another node with its ID, or an n8n that has changed. 'account': the key or the address.
 * 'transient': the bridge cannot be reached, or does not work. 'fault': n8n, or this package.
 */
export interface Problem {
	kind: 'settings' | 'account' | 'transient' | 'fault';
	/** Null if the bridge works, but responds about no order. */
	cause: ServiceError | Error | null;
	/** What was found nevertheless, if it is only that a field cannot be read now. */
	otherwise?: 'checked' | 'idle';
}

/** The finding of a poll: the bridge has responded to a check since the poll before, there was nothing to check, or a problem. */
export type Finding = 'checked' | 'idle' | Problem;

/** What the checks since the last poll have shown. If they do not say whose fault it is, it asks the configuration, up to the time `until` (ms of the clock). */
export async function judgeChecks(
	checker: Checker,
	unreported: Error | null,
	until: number,
): Promise<Finding> {
	const { responses, hasShownOrder, error, fault } = checker.takeTally();
	const ownFault = unreported ?? fault;
	// Any server responds that it does not find an order.
	const isUnclear = responses > 0 ? !hasShownOrder : error !== null;
	const probed =
		isUnclear && ownFault === null && checker.accountError === null
			? await checker.probe(until)
			: 'notSent';
	if (checker.accountError !== null) return { kind: 'account', cause: checker.accountError };
	if (ownFault !== null) return { kind: 'fault', cause: ownFault };
	if (responses > 0) return 'checked';
	if (error === null) return 'idle';
	// If the configuration is sound, an error about orders blames neither key nor address.
	const cause = probed === 'sound' ? null : probed === 'notSent' ? error : probed;
	return { kind: 'transient', cause };
}

/** Consecutive polls with a problem of each kind, so that a wrong key after an outage shows at once. */
export type Health = Readonly<Record<Problem['kind'], number>>;

export const HEALTHY: Health = { settings: 0, account: 0, transient: 0, fault: 0 };

/** With how many of them a failed execution shows the problem, and after how many more it shows again. */
const FIRST_SHOWN: Health = { settings: 1, account: 1, transient: 5, fault: 1 };
const REPEATED_EVERY = 30;

/** The counts after a poll that has found this. */
export function afterPoll(health: Health, finding: Finding): Health {
	if (finding === 'checked') return HEALTHY;
	const others = { ...health, settings: 0, fault: 0 };
	if (finding === 'idle') return others;
	const sound = finding.otherwise === 'checked' ? HEALTHY : others;
	const counted = { ...sound, [finding.kind]: health[finding.kind] + 1 };
	// A wrong key or address is a response: there is no outage.
	return finding.kind === 'account' ? { ...counted, transient: 0 } : counted;
}

/** Whether the poll that `health` includes fails, so that people see the problem. */
export function isShown(kind: Problem['kind'], health: Health): boolean {
	const sinceFirst = health[kind] - FIRST_SHOWN[kind];
	return sinceFirst >= 0 && sinceFirst % REPEATED_EVERY === 0;
}

/** The problem as n8n's own error. `polls`: how many polls in a row have found it. */
export function visibleError(
	context: IPollFunctions,
	{ cause }: Problem,
	polls: number,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	if (cause instanceof NodeOperationError || cause instanceof NodeApiError) return cause;
	if (cause instanceof Error) return new NodeOperationError(node, cause);
	const note =
		polls > 1
			? `No order could be checked in ${polls} polls in a row. The trigger keeps watching all orders.`
			: '';
	if (cause !== null) return toNodeError(node, cause, { asked: 'config', note });
	return new NodeOperationError(
		node,
		"The bridge is reachable, but can't return any order's status",
		{ description: `${note} If this continues, contact your bridge.`.trim() },
	);
}

/** The same error without a code, because n8n's durable engine pauses a trigger for half an hour if it knows the cause. */
export function withoutCause(
	context: IPollFunctions,
	{ message, description }: NodeApiError | NodeOperationError,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, {
		description: description ?? undefined,
	});
}
