import { type INode, type IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type ServiceError, toNodeError } from '../service/errors';
import type { Checker } from '../checks/checker';
import type { PollOccasion } from './pollTimes';

/** 'settings': the node's fields, its credential or n8n; 'account': key or address; 'transient': passes by itself. */
type ProblemKind = 'settings' | 'account' | 'transient';

interface Problem {
	kind: ProblemKind;
	/** Null: the configuration is there, but no order can be checked. */
	cause: ServiceError | Error | null;
}

/** What one poll has found; 'responded': the service, to a check since the poll before. */
export type Polled = Problem | 'responded' | 'idle';

/** The result of a poll that could not work for this cause, or had nothing to do. */
export function polled(cause: Error | null): Polled {
	return cause === null ? 'idle' : { kind: 'settings', cause };
}

/** What has kept the checks since the last poll from getting a response. */
export async function pollResult(
	checker: Checker,
	uncaught: Error | null,
	until: number,
): Promise<Polled> {
	const { responses, hasShownOrder, error } = checker.takeFindings();
	const isUnclear = responses > 0 ? !hasShownOrder : error !== null;
	// The service's problem, another server's responses, or only these orders?
	const probed =
		isUnclear && uncaught === null && checker.accountError === null
			? await checker.probe(until)
			: 'notSent';
	if (checker.accountError !== null) return { kind: 'account', cause: checker.accountError };
	if (uncaught !== null) return { kind: 'settings', cause: uncaught };
	if (responses > 0) return 'responded';
	if (error === null) return 'idle';
	// What is said of orders only, blames neither key nor address.
	const cause = probed === 'sound' ? null : probed === 'notSent' ? error : probed;
	return { kind: 'transient', cause };
}

/** Consecutive failed polls of each kind, so that a wrong key after an outage shows at once. */
export type Health = Readonly<Record<ProblemKind, number>>;

export const HEALTHY: Health = { settings: 0, account: 0, transient: 0 };

const FIRST_SHOWN: Health = { settings: 1, account: 1, transient: 5 };
const REPEATED_EVERY = 30;

/** The counts after a poll that has found this. */
export function afterPoll(health: Health, found: Polled): Health {
	if (found === 'responded') return HEALTHY;
	if (found === 'idle') return { ...health, settings: 0 };
	switch (found.kind) {
		case 'settings':
			return { ...health, settings: health.settings + 1 };
		case 'account':
			// The service has responded: no outage.
			return { settings: 0, account: health.account + 1, transient: 0 };
		case 'transient':
			return { ...health, settings: 0, transient: health.transient + 1 };
	}
}

/** Whether this poll, which `health` includes, throws. */
export function isShown(kind: ProblemKind, occasion: PollOccasion, health: Health): boolean {
	if (occasion === 'startedByN8n') return false;
	if (occasion === 'publishedByPerson') return kind !== 'transient';
	const sinceFirst = health[kind] - FIRST_SHOWN[kind];
	return sinceFirst >= 0 && sinceFirst % REPEATED_EVERY === 0;
}

/** As n8n's own error, without a code where n8n would pause the trigger for it. */
export function visibleError(
	context: IPollFunctions,
	{ cause }: Problem,
	polls: number,
	pausesForErrors: boolean,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const error = errorToShow(node, cause, polls);
	if (!pausesForErrors) return error;
	const { message, description } = error;
	return new NodeOperationError(node, message, { description: description ?? undefined });
}

function errorToShow(
	node: INode,
	cause: Problem['cause'],
	polls: number,
): NodeApiError | NodeOperationError {
	if (cause instanceof NodeOperationError || cause instanceof NodeApiError) return cause;
	if (cause instanceof Error) return new NodeOperationError(node, cause);
	const note =
		polls > 1 ? `No order could be checked in ${polls} polls in a row. All stay watched.` : '';
	if (cause !== null) return toNodeError(node, cause, { asked: 'config', note });
	return new NodeOperationError(node, 'The bridge responds, but not about orders', {
		description: `If this persists, ask its operator. ${note}`.trim(),
	});
}
