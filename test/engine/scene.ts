import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';

import type { Registration, TestN8n, TriggerNode } from './n8n';
import { restarted } from './restarted';
import {
	accepting,
	beginN8n,
	openAtFinishingAge,
	openOrders,
	type Rehearsal,
	triggerParameters,
} from './sandboxed';

/** What tests of the trigger begin with: a bridge, and an n8n that restart() replaces. Each test has its own. */

export let bridge: Rehearsal;
export let n8n: TestN8n;
beforeEach(async () => void ({ bridge, n8n } = await beginN8n()));

/** n8n stops or is killed, and starts again: only what it had saved is left. */
export async function restart(): Promise<void> {
	await n8n.unpublish();
	n8n = restarted(n8n);
}

/** It then publishes by itself what was published. */
export async function restartWith(...triggers: TriggerNode[]): Promise<Registration> {
	await restart();
	return await n8n.publish(triggers, { mode: 'init' });
}

/** Orders that stay open until the test says otherwise. */
export const open = async (count = 1) => await openOrders(bridge, count);

/** The same, of an age at which they are likely to finish, so that they are checked every second. */
export const openAndDue = async (count = 1) => await openAtFinishingAge(bridge, count);

/** A trigger that checks these orders every second, also between polls. */
export const watching = (hashes: string[], more: IDataObject = {}) => ({
	parameters: triggerParameters({ sourceHashes: hashes.join('\n'), checkEvery: 1, ...more }),
});

/** One that makes one round of checks a poll, so that a test says when. */
export const polling = (hashes: string[], more: IDataObject = {}) =>
	watching(hashes, { keepChecking: false, ...more });

/** What has started the workflow: each time the hash and the event. */
export const events = () =>
	n8n.started.map(({ json }) => `${String(json.sourceHash)} ${String(json.event)}`);

export const messages = () => n8n.failures.map(({ message }) => message);

export const post = async (body: unknown) => await n8n.call({ body });

/** A hash that the bridge does not know. */
export const UNKNOWN = `0x${'5e'.repeat(32)}`;

export const ENGINES = ['usual', 'durable'] as const;

/** Begins a trigger that accepts orders, with its first poll; gives its further polls, with other fields from then on if some are given. */
export async function begun(
	engine: string,
	fields: IDataObject = {},
	mode: WorkflowActivateMode = 'activate',
) {
	const watch = { id: 'same', ...accepting(fields) };
	const { poll } =
		engine === 'durable'
			? { poll: async () => await n8n.durablePoll(watch, 6_000) }
			: await n8n.publish([watch], { mode });
	if (engine === 'durable') {
		n8n.saveNodes([watch]);
		await poll();
	}
	return async (changed: IDataObject = {}): Promise<void> => {
		Object.assign(watch.parameters, changed);
		for (const { parameters } of n8n.nodes) Object.assign(parameters, changed);
		await poll();
	};
}

/** What the webhook lists. */
export const watchedHashes = async () => {
	const { body } = await n8n.call({ method: 'GET' });
	return (body as { orders: IDataObject[] }).orders.map(({ sourceHash }) => sourceHash);
};

/** What the bridge has been asked, in this order: 'config', or the hash of an order. */
export const asked = async (): Promise<string[]> =>
	(await bridge.requests()).map(({ path, query }) =>
		path.endsWith('/config') ? 'config' : String(query.sourceHash ?? ''),
	);

export async function polls(registered: Registration, count: number): Promise<void> {
	for (let poll = 0; poll < count; poll++) await registered.poll();
}
