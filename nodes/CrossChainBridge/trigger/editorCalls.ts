import type { INodeExecutionData } from 'n8n-workflow';

import type { TriggerContext } from '../n8n/internals';

/** What calls to the Test URL show, by trigger: n8n runs poll() after such a call, and does not hand the call to it. */
const calls = new Map<string, { items: INodeExecutionData[]; at: number }>();

/** n8n runs poll() at once; what is older, in milliseconds, belongs to no execution. */
const TAKEN_WITHIN_MS = 30_000;

/** Leaves the items of a call for the poll that n8n runs next. */
export function leaveForEditor(
	context: TriggerContext,
	items: INodeExecutionData[],
	now: number,
): void {
	for (const [name, { at }] of calls) if (now - at > TAKEN_WITHIN_MS) calls.delete(name);
	calls.set(nameOf(context), { items, at: now });
}

/** The items of the call that has started this test execution; null if it was no call. */
export function takeForEditor(context: TriggerContext, now: number): INodeExecutionData[] | null {
	const call = calls.get(nameOf(context));
	calls.delete(nameOf(context));
	return call === undefined || now - call.at > TAKEN_WITHIN_MS ? null : call.items;
}

function nameOf(context: TriggerContext): string {
	return JSON.stringify([context.getWorkflow().id ?? '', context.getNode().id]);
}
