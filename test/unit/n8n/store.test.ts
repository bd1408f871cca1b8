import type { IDataObject } from 'n8n-workflow';

import type { TriggerContext } from '../../../nodes/CrossChainBridge/n8n/internals';
import {
	keepCopy,
	loadInbox,
	loadState,
	storeInbox,
	storeWithNode,
	storeWithWorkflow,
} from '../../../nodes/CrossChainBridge/n8n/store';
import type { InboxCall } from '../../../nodes/CrossChainBridge/watch/inboxCalls';
import { EMPTY_STATE, type WatchState } from '../../../nodes/CrossChainBridge/watch/state';
import { storedWatch } from '../../../nodes/CrossChainBridge/watch/stored';
import { DAY, listing, NOW } from '../watch/watching';

/** Where n8n keeps the state of a trigger: with the node, or with the workflow. */

const state = (revision: number): WatchState => ({ ...listing(['0xA']).state, revision });

let workflows = 0;

/** A node of a workflow with these nodes, whose global data contains these watches. */
function nodeOf(nodeId: string, watches: object[] = [], ids: string[] | null = null) {
	const data: Record<string, IDataObject> = {
		node: {},
		global: { crossChainBridgeWatches: { watches } as IDataObject },
	};
	const nodes = Object.fromEntries((ids ?? []).map((id) => [`name of ${id}`, { id, name: id }]));
	const workflow = { id: `workflow ${workflows++}` };
	const context = {
		...(ids === null ? {} : { workflow: { nodes } }),
		getNode: () => ({ id: nodeId }),
		getWorkflow: () => workflow,
		getWorkflowStaticData: (type: string) => data[type] ?? {},
	} as unknown as TriggerContext;
	const kept = (): Record<string, number> => {
		const written = data.global?.crossChainBridgeWatches as {
			watches: Array<{ nodeId: string; revision: number }>;
		};
		return Object.fromEntries(written.watches.map(({ nodeId: id, revision }) => [id, revision]));
	};
	return { context, data, kept };
}

const keptOf = (nodeId: string, revision: number) => ({ nodeId, ...storedWatch(state(revision)) });

/** Stores these states, by node ID, as a process does that knows them. */
const store = (context: TriggerContext, states: Record<string, number>, now = NOW) =>
	storeWithWorkflow(
		context,
		new Map(Object.entries(states).map(([id, revision]) => [id, state(revision)])),
		now,
	);

test('of each trigger of the workflow the newest state is kept, be it in memory or in the database', () => {
	// Another process may have run the sibling last: then memory is the older one.
	const old = ['newer in memory', 'newer in the database', 'not in memory'];
	const watches = [keptOf('own', 6), ...old.map((name) => keptOf(name, 5))];
	const { context, kept } = nodeOf('own', watches);
	store(context, { own: 7, 'newer in memory': 6, 'newer in the database': 4 });
	const expected = { own: 7, 'newer in memory': 6, 'newer in the database': 5, 'not in memory': 5 };
	expect(kept()).toEqual(expected);
});

test('the state of a trigger that was deleted is kept for a day, in case the deletion is undone, and then dropped', () => {
	const watches = [keptOf('deleted', NOW), keptOf('own', NOW)];
	const { context, kept } = nodeOf('own', watches, ['own', 'another']);
	store(context, { own: NOW + 1, another: NOW + 1 }, NOW + DAY - 1);
	expect(Object.keys(kept())).toEqual(['deleted', 'own', 'another']);
	store(context, { own: NOW + 2, another: NOW + 1 }, NOW + DAY);
	expect(Object.keys(kept())).toEqual(['own', 'another']);
});

test('one that this process knows is not taken for deleted by another that was published before it was added, however long it was silent', () => {
	const { context, kept } = nodeOf('own', [keptOf('added', NOW)], ['own']);
	store(context, { own: NOW + 1, added: NOW }, NOW + 100 * DAY);
	expect(Object.keys(kept())).toEqual(['added', 'own']);
});

test('the copies of all registrations have the newest states and the inbox, because n8n saves an older copy whole for a trigger of another service', () => {
	const older = nodeOf('own', [keptOf('own', 5)]);
	const newer = nodeOf('own', [keptOf('own', 6)]);
	const ofCall = nodeOf('own', [keptOf('own', 6)]);
	const ofOtherWorkflow = nodeOf('own', [keptOf('own', 4)]);
	Object.assign(newer.context, { getWorkflow: older.context.getWorkflow });
	Object.assign(ofCall.context, { getWorkflow: older.context.getWorkflow });
	for (const { context } of [older, newer, newer, ofOtherWorkflow]) keepCopy(context);
	store(ofCall.context, { own: 7, sibling: 7 });
	storeInbox(ofCall.context, []);
	for (const { kept, data } of [older, newer, ofCall]) {
		expect(kept()).toEqual({ own: 7, sibling: 7 });
		expect(data.global?.crossChainBridgeInbox).toEqual({ calls: [] });
	}
	expect(ofOtherWorkflow.kept()).toEqual({ own: 4 });
});

test('a trigger that n8n does not show is not taken for deleted, nor is one that is only silent', () => {
	const watches = [keptOf('silent', NOW)];
	const unseen = nodeOf('own', watches);
	store(unseen.context, { own: NOW }, NOW + 100 * DAY);
	const silent = nodeOf('own', watches, ['own', 'silent']);
	store(silent.context, { own: NOW }, NOW + 100 * DAY);
	for (const { kept } of [unseen, silent]) expect(Object.keys(kept())).toEqual(['silent', 'own']);
});

test.each([
	[3, 4, 4],
	[4, 3, 4],
])('the newer one is loaded: the node has %d, the workflow %d', (ofNode, ofWorkflow, newer) => {
	const { context, data } = nodeOf('own', [keptOf('own', ofWorkflow), keptOf('other', 8)]);
	data.node = { watch: storedWatch(state(ofNode)) } as unknown as IDataObject;
	expect(loadState(context).revision).toBe(newer);
});

test('the durable engine’s state is stored with the node, and the workflow’s data stay as they are', () => {
	const { context, data, kept } = nodeOf('own', [keptOf('other', 5)]);
	const { global } = data;
	storeWithNode(context, state(7));
	expect(data.node?.watch).toEqual(storedWatch(state(7)));
	expect([data.global, kept()]).toEqual([global, { other: 5 }]);
});

test('the usual engine’s state is stored with the workflow, and nothing with the node', () => {
	const { context, data } = nodeOf('own');
	store(context, { own: 7 });
	expect(data.node).toEqual({});
	expect(loadState(context)).toEqual(state(7));
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['text', 'broken'],
	['an object', { nodeId: 'own' }],
	['watches of nobody', [storedWatch(state(5))]],
	['watches of a number', [{ nodeId: 7, ...storedWatch(state(5)) }]],
	['null among them', [null]],
	['a watch that cannot be read', [{ nodeId: 'own', version: 5, orders: [] }]],
])('where the workflow has kept %s, the state is an empty one', (_what, watches) => {
	const { context, data, kept } = nodeOf('own');
	data.global = { crossChainBridgeWatches: { watches } as IDataObject };
	expect(loadState(context)).toBe(EMPTY_STATE);
	store(context, { own: 7 });
	expect(kept()).toEqual({ own: 7 });
});

test('the watch of another node is not taken for its own', () => {
	const { context } = nodeOf('own', [keptOf('other', 9)]);
	expect(loadState(context)).toBe(EMPTY_STATE);
});

describe('the inbox', () => {
	const call = (at: number): InboxCall => ({
		nodeId: 'own',
		at,
		removes: false,
		orders: [{ key: '0x1', sourceHash: '0x1', reference: { chat: 7 }, startedAt: null }],
	});

	test('is kept for all triggers of the workflow, apart from what this process keeps', () => {
		const { context, data } = nodeOf('own');
		const calls = [call(5), { ...call(6), nodeId: 'another' }];
		storeInbox(context, calls);
		const kept = data.global?.crossChainBridgeInbox;
		expect(loadInbox(context)).toEqual(calls);
		Object.assign(calls[0]?.orders[0]?.reference as object, { chat: 8 });
		expect(loadInbox(context)[0]?.orders[0]?.reference).toEqual({ chat: 7 });
		// n8n notices only that a key was assigned.
		storeInbox(context, [call(5)]);
		expect(data.global?.crossChainBridgeInbox).not.toBe(kept);
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['a list', []],
		['text', 'broken'],
		['calls that are no list', { calls: 'broken' }],
		['what another version of this package kept', { own: [{ writer: 'w', at: 5, orders: [] }] }],
	])('is empty if n8n has kept %s, which the next call replaces', (_what, kept) => {
		const { context, data } = nodeOf('own');
		data.global = { crossChainBridgeInbox: kept } as IDataObject;
		expect(loadInbox(context)).toEqual([]);
		storeInbox(context, [call(5)]);
		expect(loadInbox(context)).toEqual([call(5)]);
	});
});
