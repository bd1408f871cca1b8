import { STEPS } from './examples';
import type { N8nClient } from './n8nClient';
import { itemsOf } from './n8nTypes';

/** What one item that the trigger handed to the workflow became. */
export interface Notification {
	executionId: string;
	/** When n8n started the execution. */
	startedAt: Date;
	sourceHash: string;
	event: string;
	eventId: string;
	/** The text that the step after the trigger composed. */
	text: string;
}

const UNFINISHED = ['new', 'running', 'waiting'];

/**
 * All notifications of a workflow made from the example watch-orders, the oldest first.
 * @throws when an execution has failed; one that still runs counts as not there yet
 */
export async function notificationsOf(client: N8nClient, workflowId: string): Promise<Notification[]> {
	const summaries = await client.executions(workflowId);
	const started = summaries.filter(({ mode, status }) => mode === 'trigger' && !UNFINISHED.includes(status));
	const executions = await Promise.all(started.map(async ({ id }) => await client.execution(id)));
	return executions.flatMap((execution) => {
		if (execution.status !== 'success') {
			throw new Error(`Execution ${execution.id} ended as ${execution.status}: ${execution.error?.message}`);
		}
		return itemsOf(execution, STEPS.notification).map((item) => ({
			executionId: execution.id,
			startedAt: new Date(execution.startedAt),
			sourceHash: String(item.sourceHash),
			event: String(item.event),
			eventId: String(item.eventId),
			text: String(item.text),
		}));
	});
}
