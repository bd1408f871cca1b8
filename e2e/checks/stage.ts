import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import { adapted, readExample, withTriggerParameters } from '../../realN8n/rehearsal/examples';
import { notificationsOf, type Notification } from '../../realN8n/rehearsal/notifications';
import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import type {
	JsonObject,
	StoredCredential,
	StoredWorkflow,
	WorkflowDefinition,
} from '../../realN8n/server/types';
import type { CheckList } from './checkList';

/** What a group of checks is given. */
export interface Stage {
	rehearsal: Rehearsal;
	checks: CheckList;
	/** A credential that is right for the sandbox, without a limit that would slow the checks down. */
	credential: StoredCredential;
	/** Whether n8n runs its durable poll engine. */
	durable: boolean;
	/** Whether an outage lasts as long as it says, with polls once a minute, and not as many polls every five seconds. */
	realTime: boolean;
	/** How often n8n is killed right after it has answered a post. */
	kills: number;
}

export const UNLIMITED_REQUESTS_PER_MINUTE = 6000;

/**
 * Poll times of every fifth second. n8n refuses one expression below a minute; several with a fixed second each it
 * takes, in all versions.
 */
export const EVERY_FIVE_SECONDS = {
	item: Array.from({ length: 12 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 5} * * * * *`,
	})),
};

/** Longer than any poll and its execution should take, and shorter than patience. */
export const PATIENCE_SECONDS = 120;

/** The example watch-orders, polling every five seconds. */
export function watchingWorkflow(
	{ rehearsal, credential }: Stage,
	name: string,
	sourceHashes: string[],
	parameters: JsonObject = {},
): WorkflowDefinition {
	const example = adapted(readExample('watch-orders'), rehearsal.control.sandbox.url, credential);
	return withTriggerParameters(
		{ ...example, name },
		{ sourceHashes: sourceHashes.join('\n'), pollTimes: EVERY_FIVE_SECONDS, ...parameters },
	);
}

/** Makes and publishes a workflow that watches these orders. */
export async function publishWatch(
	stage: Stage,
	name: string,
	sourceHashes: string[],
	parameters: JsonObject = {},
): Promise<StoredWorkflow> {
	const { client } = stage.rehearsal;
	const workflow = await client.createWorkflow(
		watchingWorkflow(stage, name, sourceHashes, parameters),
	);
	await client.publish(workflow.id);
	return workflow;
}

/** Waits until the workflow has been started for all these orders, and returns every notification so far. */
export async function notificationsFor(
	{ rehearsal }: Stage,
	workflowId: string,
	sourceHashes: string[],
	seconds: number = PATIENCE_SECONDS,
): Promise<Notification[]> {
	return await until(
		`notifications of ${sourceHashes.length} order(s)`,
		async () => {
			const notifications = await notificationsOf(rehearsal.client, workflowId);
			const came = new Set(notifications.map(({ sourceHash }) => sourceHash));
			return sourceHashes.every((hash) => came.has(hash)) ? notifications : null;
		},
		{ seconds },
	);
}

/**
 * All notifications of a workflow after it has polled some more: a repetition would have come by then.
 * @param openHash an order that the same trigger watches and that stays open, so that its checks show the polls
 */
export async function notificationsAfterFurtherPolls(
	{ rehearsal }: Stage,
	workflowId: string,
	openHash: string,
): Promise<Notification[]> {
	// the first check may belong to a poll that had begun before; by the third, a whole poll lies in between
	await rehearsal.control.furtherChecksOf(openHash, 3, PATIENCE_SECONDS);
	return await notificationsOf(rehearsal.client, workflowId);
}

/** The event IDs, in an order that does not depend on chance; equal lists mean: all came, each once. */
export function eventIds(notifications: Notification[]): string[] {
	return notifications.map(({ eventId }) => eventId).sort();
}

/** The same workflow with another name of its trigger, as the editor changes it: in the connections, too. */
export function renamed(
	workflow: WorkflowDefinition,
	from: string,
	to: string,
): WorkflowDefinition {
	const { [from]: outgoing, ...connections } = workflow.connections;
	assert.ok(outgoing);
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => (node.name === from ? { ...node, name: to } : node)),
		connections: { ...connections, [to]: outgoing },
	};
}
