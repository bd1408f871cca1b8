import { type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { within } from '../budget/clock';
import { isAccountError } from '../service/errors';
import { n8nClock } from '../service/n8nClock';
import { type BridgeService, connectToService } from '../service/service';
import { visibleError } from '../trigger/health';
import { changedInN8n, twinOf } from './internals';

/** Whether a person has published the trigger, so that n8n polls with this context; otherwise n8n has started, or this process leads now. */
export function isPublishedByPerson(context: IPollFunctions): boolean {
	const mode = context.getActivationMode();
	return mode !== 'init' && mode !== 'leadershipChange';
}

/** How long publishing waits for the credential, and for the configuration, in milliseconds since it began. */
const CREDENTIAL_WAIT_MS = 5_000;
const CONFIG_WAIT_MS = 3_500;

/**
 * The bridge of a trigger that a person publishes; throws what has to be corrected. A transient error never prevents publishing: it is
 * undefined if the credential cannot be read in time.
 */
export async function serviceToPublish(
	context: IPollFunctions,
): Promise<BridgeService | undefined> {
	const startedAt = n8nClock.now();
	await throwIfNotRunnable(context);
	const connecting = connectToService(context);
	const service = await within(n8nClock, startedAt + CREDENTIAL_WAIT_MS, connecting);
	if (service !== undefined) await throwIfAccountIsWrong(context, service, startedAt);
	return service;
}

async function throwIfAccountIsWrong(
	context: IPollFunctions,
	service: BridgeService,
	startedAt: number,
): Promise<void> {
	const response = await within(n8nClock, startedAt + CONFIG_WAIT_MS, service.configNow());
	if (response?.ok === false && isAccountError(response.error, 'config'))
		throw visibleError(context, { kind: 'account', cause: response.error }, 1);
}

/** Throws a sentence if n8n cannot run this trigger: it has changed, or the workflow has two nodes that it cannot tell apart. */
export async function throwIfNotRunnable(context: IPollFunctions): Promise<void> {
	const twin = twinOf(context);
	if (twin !== null)
		throw new NodeOperationError(
			context.getNode(),
			`The nodes '${context.getNode().name}' and '${twin}' have the same ID, so n8n treats them as one`,
			{
				description:
					'This can happen in a workflow that was imported from a file or created with an API. Delete one of the two nodes, add it again from the nodes panel, and publish the workflow.',
			},
		);
	const changed = await changedInN8n(context);
	if (changed !== null)
		throw new NodeOperationError(
			context.getNode(),
			`This version of the package cannot watch orders in this n8n: ${changed}`,
			{ description: 'Update the package. If the newest version says the same, open an issue.' },
		);
}
