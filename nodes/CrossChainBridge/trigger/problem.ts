import { type IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { describeError, type ServiceError, toNodeError } from '../bridge/errors';
import type { Checker } from '../checks/checker';
import type { PollEngine } from './engine';
import type { ProblemKind } from './health';

/** What keeps a poll from checking. The cause first; the text is made from it when it has to be shown. */
export interface Problem {
	kind: ProblemKind;
	cause: ServiceError | Error;
}

/** How a poll went. */
export interface Polled {
	problem: Problem | null;
	/** Whether the service has answered anything since the poll before. */
	answered: boolean;
}

export const NOTHING: Polled = { problem: null, answered: false };

/** A poll that has thrown: a credential that is gone, an expression that cannot be evaluated. */
export function brokenPoll(error: unknown): Polled {
	return { problem: settingsProblem(error instanceof Error ? error : new Error(String(error))), answered: false };
}

/** What has kept the checks since the last poll from being answered. `uncaught`: what else went wrong meanwhile. */
export async function examine(checker: Checker, uncaught: Error | null, until: number): Promise<Polled> {
	const { answered, hasShownOrder, error } = checker.takeFindings();
	const broken = settingsProblem(uncaught);
	if (checker.accountError !== null) return { problem: { kind: 'account', cause: checker.accountError }, answered: true };
	const isUnknown = answered > 0 ? !hasShownOrder : error !== null;
	if (!isUnknown || broken !== null) return { problem: broken, answered: answered > 0 };
	// No order was shown: the service's problem, another server's answers, or only these orders?
	const probed = await checker.probe(until);
	if (checker.accountError !== null) return { problem: { kind: 'account', cause: checker.accountError }, answered: true };
	if (probed === 'sound' || answered > 0 || error === null) return { problem: null, answered: true };
	return { problem: { kind: 'transient', cause: probed === 'notSent' ? error : probed }, answered: false };
}

/** Something went wrong in the node's own fields, its credential or n8n; null where nothing did. */
export function settingsProblem(cause: Error | null): Problem | null {
	return cause === null ? null : { kind: 'settings', cause };
}

/**
 * The problem as n8n's own error; `polls`: how many polls in a row have had it. The durable engine pauses a trigger for half an hour
 * where an error's code says that the key is wrong, so there only the error's text says it.
 */
export function visibleError(context: IPollFunctions, { cause }: Problem, polls: number, engine: PollEngine): NodeApiError | NodeOperationError {
	const node = context.getNode();
	if (cause instanceof NodeOperationError || cause instanceof NodeApiError) {
		return engine === 'usual' ? cause : new NodeOperationError(node, cause.message, { description: cause.description ?? undefined });
	}
	if (cause instanceof Error) return new NodeOperationError(node, cause);
	const note = polls > 1 ? `No order could be checked in ${polls} polls in a row. All stay watched.` : '';
	if (engine === 'usual') return toNodeError(node, cause, { asked: 'config', note });
	const { message, description } = describeError(cause, 'config');
	return new NodeOperationError(node, message, { description: note ? `${description} ${note}` : description });
}
