import type { INodeExecutionData } from 'n8n-workflow';

import type { TriggerContext } from '../trigger/engine';

/**
 * What a call to the test address shows, on its way to the editor: n8n runs poll() for the execution that such a call
 * has started, and gives it nothing of the call.
 */

interface EditorCall {
	items: INodeExecutionData[];
	/** Milliseconds since 1970. */
	at: number;
}

const calls = new Map<string, EditorCall>();

/** n8n runs poll() at once; what is still here after that belongs to no execution any more. */
const TAKEN_WITHIN_MS = 30_000;

export function leaveForEditor(
	context: TriggerContext,
	items: INodeExecutionData[],
	at: number,
): void {
	for (const [name, call] of calls) if (at - call.at > TAKEN_WITHIN_MS) calls.delete(name);
	calls.set(nameOf(context), { items, at });
}

/** The items of the call that has started this test execution; null where it was started without one. */
export function takeForEditor(context: TriggerContext, now: number): INodeExecutionData[] | null {
	const name = nameOf(context);
	const call = calls.get(name);
	calls.delete(name);
	return call === undefined || now - call.at > TAKEN_WITHIN_MS ? null : call.items;
}

function nameOf(context: TriggerContext): string {
	return JSON.stringify([context.getWorkflow().id ?? '', context.getNode().id]);
}
