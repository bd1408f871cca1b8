import type { IDataObject } from 'n8n-workflow';

import { storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import { withListOf } from '../state/states';
import { EMPTY_STATE, type WatchState } from '../../../nodes/CrossChainBridge/state/state';
import type { TriggerContext } from '../../../nodes/CrossChainBridge/trigger/pollTimes';
import type { Engine } from '../../../nodes/CrossChainBridge/trigger/engine';
import { sessionOf } from '../../../nodes/CrossChainBridge/trigger/session';
import {
	isStoredDurably,
	loadState,
	readInbox,
	storeInbox,
	storeWithNode,
	storeWithWorkflow,
} from '../../../nodes/CrossChainBridge/trigger/store';

let workflows = 0;

const state = (revision: number): WatchState => ({
	...withListOf(EMPTY_STATE, ['0xa'], 1),
	revision,
});

/** Stores this state as a process does that knows the workflow's other triggers. */
function store(
	context: TriggerContext,
	own: WatchState,
	siblings: Array<{ nodeId: string; state: WatchState }> = [],
): void {
	for (const { nodeId, state: known } of siblings) {
		const sibling = { ...context, getNode: () => ({ id: nodeId }) } as unknown as TriggerContext;
		const session = sessionOf(sibling);
		session.engine = { isShared: true } as unknown as Engine;
		session.watch.state = known;
	}
	storeWithWorkflow(context, own);
}

/** A node of a workflow whose global data contains these watches. */
function nodeOf(nodeId: string, watches: object[] = []) {
	const workflowId = `store ${++workflows}`;
	const data: Record<string, IDataObject> = {
		node: {},
		global: { crossChainBridgeWatches: { watches } as IDataObject },
	};
	const context = {
		getWorkflow: () => ({ id: workflowId }),
		getNode: () => ({ id: nodeId }),
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

test('of each trigger of the workflow the newest state is kept, be it in memory or in the database', () => {
	// Another process may have run the sibling last: then memory is the older one.
	const old = ['newer in memory', 'newer in the database', 'not in memory'];
	const watches = [keptOf('own', 9), ...old.map((name) => keptOf(name, 5))];
	const { context, kept } = nodeOf('own', watches);
	const siblings = [
		{ nodeId: 'newer in memory', state: state(6) },
		{ nodeId: 'newer in the database', state: state(4) },
	];
	store(context, state(7), siblings);
	const expected = { own: 7, 'newer in memory': 6, 'newer in the database': 5, 'not in memory': 5 };
	expect(kept()).toEqual(expected);
});

test('what is known to be older is not even read, for it may be large', () => {
	const large = { nodeId: 'sibling', version: 2, revision: 5 };
	Object.defineProperty(large, 'orders', {
		enumerable: true,
		get: () => {
			throw new Error('It was read');
		},
	});
	const { context, kept } = nodeOf('own', [large]);
	store(context, state(7), [{ nodeId: 'sibling', state: state(5) }]);
	expect(kept()).toEqual({ own: 7, sibling: 5 });
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
	store(context, state(7));
	expect(data.node).toEqual({});
	expect(loadState(context)).toEqual(state(7));
});

test.each<[string, object, boolean]>([
	['in a table of its own', {}, true],
	['as part of the workflow, where n8n notices changes', { __dataChanged: false }, false],
])('n8n keeps the node’s data %s', (_where, node, isDurable) => {
	const { context, data } = nodeOf('own');
	data.node = node as IDataObject;
	expect(isStoredDurably(context)).toBe(isDurable);
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['text', 'broken'],
	['an object', { nodeId: 'own' }],
	['watches of nobody', [storedWatch(state(5))]],
	['watches of a number', [{ nodeId: 7, ...storedWatch(state(5)) }]],
	['null among them', [null]],
	['a watch that cannot be read', [{ nodeId: 'own', version: 0, revision: 5, orders: [] }]],
])('where the workflow has kept %s, the state is an empty one', (_what, watches) => {
	const { context, data, kept } = nodeOf('own');
	data.global = { crossChainBridgeWatches: { watches } as IDataObject };
	expect(loadState(context)).toBe(EMPTY_STATE);
	store(context, state(7));
	expect(kept()).toEqual({ own: 7 });
});

test('the watch of another node is not taken for its own', () => {
	const { context } = nodeOf('own', [keptOf('other', 9)]);
	expect(loadState(context)).toBe(EMPTY_STATE);
});

describe('calls that wait for a poll', () => {
	const call = {
		writer: 'a process',
		at: 5,
		removes: false,
		orders: [{ sourceHash: '0x1', reference: 'r', startedAt: null }],
	};

	test('are found again, and those of other triggers stay', () => {
		const one = nodeOf('one');
		const at = Date.now();
		const [first, removal, later] = [
			{ ...call, at },
			{ ...call, at: at + 1, removes: true },
			{ ...call, at: at + 2 },
		];
		storeInbox(one.context, [first, removal]);
		const other = { ...one.context, getNode: () => ({ id: 'other' }) } as unknown as TriggerContext;
		expect(readInbox(other)).toEqual([]);
		storeInbox(other, [later]);
		expect(readInbox(one.context)).toEqual([first, removal]);
		expect(readInbox(other)).toEqual([later]);
		storeInbox(one.context, []);
		expect([readInbox(one.context), readInbox(other)]).toEqual([[], [later]]);
	});

	test('of a trigger that took none for a week are dropped', () => {
		const one = nodeOf('one');
		storeInbox(one.context, [call]);
		const other = { ...one.context, getNode: () => ({ id: 'other' }) } as unknown as TriggerContext;
		storeInbox(other, []);
		expect(readInbox(one.context)).toEqual([]);
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['a list', []],
		['text', 'broken'],
		['something else for this trigger', { one: 'broken' }],
		['calls that cannot be read', { one: [null, { writer: 5 }] }],
	])('are none where n8n has kept %s, which the next call replaces', (_what, kept) => {
		const { context, data } = nodeOf('one');
		data.global = { crossChainBridgeInbox: kept } as IDataObject;
		expect(readInbox(context)).toEqual([]);
		storeInbox(context, [call]);
		expect(readInbox(context)).toEqual([call]);
		expect(Object.keys(data.global.crossChainBridgeInbox as object)).toEqual(['one']);
	});

	test('are stored in a fresh object, since n8n notices nothing else', () => {
		const { context, data } = nodeOf('one');
		storeInbox(context, [call]);
		const before = data.global?.crossChainBridgeInbox;
		storeInbox(context, [call]);
		expect(data.global?.crossChainBridgeInbox).not.toBe(before);
	});
});
