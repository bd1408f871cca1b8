import type { N8nClient } from '../server/client';
import { itemsOf, type Execution, type JsonObject } from '../server/types';
import { STEPS } from './examples';

/** What one item that the trigger handed to the workflow became. */
export interface Notification {
	executionId: string;
	/** When n8n started the execution. */
	startedAt: Date;
	sourceHash: string;
	event: string;
	/** Hash and event, which are the same on any repetition. */
	eventId: string;
	/** What the order was posted with. */
	reference: unknown;
	/** The text that the node after the trigger composed. */
	text: string;
}

const UNFINISHED = ['new', 'running', 'waiting'];

/** What the executions that a trigger started have become so far; one that still runs counts as not there yet. */
export interface Outcomes {
	/** The oldest first. */
	notifications: Notification[];
	/** Those that did not succeed: failed polls, for example. */
	failed: Execution[];
}

/** All that has come of a workflow made from the example watch-orders. */
export async function outcomesOf(client: N8nClient, workflowId: string): Promise<Outcomes> {
	const summaries = await client.executions(workflowId);
	const started = summaries.filter(
		({ mode, status }) => mode === 'trigger' && !UNFINISHED.includes(status),
	);
	const executions = await Promise.all(started.map(async ({ id }) => await client.execution(id)));
	return {
		notifications: executions.filter(({ status }) => status === 'success').flatMap(notificationsIn),
		failed: executions.filter(({ status }) => status !== 'success'),
	};
}

/**
 * All notifications of a workflow made from the example watch-orders, the oldest first.
 * @throws when an execution has failed; one that still runs counts as not there yet
 */
export async function notificationsOf(
	client: N8nClient,
	workflowId: string,
): Promise<Notification[]> {
	const { notifications, failed } = await outcomesOf(client, workflowId);
	const [first] = failed;
	if (first !== undefined)
		throw new Error(
			`Execution ${first.id} has the status ${first.status}: ${first.error?.message}`,
		);
	return notifications;
}

/** What a trigger handed to the workflow, whatever its name: all that did not come out of the node that composes the text. */
export function emittedItems(execution: Pick<Execution, 'runs'>): JsonObject[] {
	const triggers = Object.keys(execution.runs).filter((name) => name !== STEPS.notification);
	return triggers.flatMap((name) => itemsOf(execution, name));
}

function notificationsIn(execution: Execution): Notification[] {
	const texts = itemsOf(execution, STEPS.notification);
	// Another trigger of the workflow emits items of another form.
	const ours = emittedItems(execution).filter(
		({ sourceHash, event }) => typeof sourceHash === 'string' && typeof event === 'string',
	);
	return ours.map((item, index) => ({
		executionId: execution.id,
		startedAt: new Date(execution.startedAt),
		sourceHash: String(item.sourceHash),
		event: String(item.event),
		eventId: `${String(item.sourceHash)}:${String(item.event)}`,
		reference: item.reference,
		text: String(texts[index]?.text),
	}));
}

const EVENT_ID = /(0x[0-9a-f]{64}):(?:completed|refunded|failed|delayed)/;

/** The order that an execution is about, in its data as the database has them, if Simplify is off in the trigger; null: about none. */
export function sourceHashIn(executionData: string): string | null {
	return EVENT_ID.exec(executionData)?.[1] ?? null;
}
