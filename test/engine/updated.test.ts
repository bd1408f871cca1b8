import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { TriggerNode } from './n8n';
import { checksAskedFor, untilAsked } from './sandboxed';
import { bridge, n8n, openAndDue as open, watching as watchingOf } from './scene';

/** The package is updated while workflows are published: registrations stay, and their polls and webhook calls are the new code's. */

const watching = (hashes: string[], more: IDataObject = {}): TriggerNode =>
	watchingOf(hashes, { acceptOrders: true, ...more });
const emitted = (sourceHash: string) =>
	n8n.started.filter(({ json }) => json.sourceHash === sourceHash).length;

/** Until an order was checked so many times more than now. */
async function furtherChecksAt(hash: string, count: number): Promise<void> {
	const checks = async () =>
		(await checksAskedFor(bridge)).filter(({ sourceHash }) => sourceHash === hash);
	await untilAsked(bridge, (await checks()).length + count, checks);
}

interface NewVersion {
	/** A scheduled poll of a registration that the old code began. */
	poll(context: IPollFunctions): Promise<void>;
	/** As n8n calls the webhook: the new code, with what the database has. */
	post(sourceHash: string): Promise<number>;
}

function update(): NewVersion {
	let loaded: NewVersion | undefined;
	jest.isolateModules(() => {
		const harness = jest.requireActual<typeof import('./n8n')>('./n8n');
		const { CrossChainBridgeTrigger } = jest.requireActual<
			typeof import('../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node')
		>('../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node');
		const trigger = new CrossChainBridgeTrigger();
		const callee = new harness.TestN8n(n8n.credentials, n8n.workflowId);
		loaded = {
			poll: async (context) => void (await trigger.poll.call(context)),
			post: async (sourceHash) => {
				callee.nodes = n8n.nodes;
				for (const [id, data] of n8n.database) callee.database.set(id, structuredClone(data));
				return (await callee.call({ body: { sourceHash } })).status;
			},
		};
	});
	if (loaded === undefined) throw new Error('The new version could not be loaded');
	return loaded;
}

test('an order that finishes around the first poll of the new code is emitted once', async () => {
	const [a = '', clock = ''] = await open(2);
	const registered = await n8n.publish([watching([a, clock])]);
	const newVersion = update();
	await bridge.finish(a, 'completed');
	await newVersion.poll(registered.contextOf());
	await furtherChecksAt(clock, 3);
	await bridge.finish(clock, 'completed');
	await n8n.untilStarted(2);
	expect([emitted(a), emitted(clock)]).toEqual([1, 1]);
});

test('the new code continues to check between polls, and the old code has stopped', async () => {
	const [a = '', b = ''] = await open(2);
	const registered = await n8n.publish([watching([a, b])]);
	const newVersion = update();
	await newVersion.poll(registered.contextOf());
	await bridge.finish(a, 'refunded');
	await n8n.untilStarted(1);
	await newVersion.poll(registered.contextOf());
	await bridge.finish(b, 'failed');
	await n8n.untilStarted(2);
	await newVersion.poll(registered.contextOf());
	expect(n8n.started.map(({ json }) => json.event)).toEqual(['refunded', 'failed']);
	expect(n8n.failures).toEqual([]);
});

test('the webhook takes orders again with the first poll of the new code', async () => {
	const [posted = ''] = await open(1);
	const registered = await n8n.publish([watching([])]);
	const newVersion = update();
	expect(await newVersion.post(posted)).toBe(503);
	await newVersion.poll(registered.contextOf());
	expect(await newVersion.post(posted)).toBe(202);
	await bridge.finish(posted, 'completed');
	await n8n.untilStarted(1);
	expect(emitted(posted)).toBe(1);
});

test('a trigger without checks between polls is handed over as well', async () => {
	const [a = ''] = await open(1);
	const registered = await n8n.publish([watching([a], { keepChecking: false })]);
	const newVersion = update();
	await bridge.finish(a, 'completed');
	await newVersion.poll(registered.contextOf());
	await n8n.untilStarted(1);
	await newVersion.poll(registered.contextOf());
	registered.tick();
	expect(emitted(a)).toBe(1);
});

test('all versions find the schedule of a registration under the same name', async () => {
	const registered = await n8n.publish([watching([])]);
	// Versions that are in use look for it here.
	const schedule: unknown = Reflect.get(
		registered.contextOf(),
		Symbol.for('n8n-nodes-cross-chain-bridge.schedule'),
	);
	expect(schedule).toEqual({ onTick: expect.any(Function) });
});
