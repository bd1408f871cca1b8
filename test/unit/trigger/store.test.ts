import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import { withList } from '../../../nodes/CrossChainBridge/state/listedOrders';
import { EMPTY_STATE, type WatchState } from '../../../nodes/CrossChainBridge/state/state';
import type { TriggerContext } from '../../../nodes/CrossChainBridge/trigger/engine';
import { sessionOf } from '../../../nodes/CrossChainBridge/trigger/session';
import { changeState, loadState, saveState } from '../../../nodes/CrossChainBridge/trigger/store';

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2026-01-01T00:00:00Z');

const state = (revision: number): WatchState => ({ ...withList(EMPTY_STATE, ['0xa'], 1), revision });

/** A node of a workflow whose global data contains these watches. */
function nodeOf(nodeId: string, watches: object[] = []) {
	const data: Record<string, IDataObject> = { node: {}, global: { crossChainBridgeWatches: { watches } as IDataObject } };
	const context = {
		getNode: () => ({ id: nodeId }),
		getWorkflowStaticData: (type: string) => data[type] ?? {},
	} as unknown as TriggerContext;
	const kept = (): Record<string, number> => {
		const written = data.global?.crossChainBridgeWatches as { watches: Array<{ nodeId: string; revision: number }> };
		return Object.fromEntries(written.watches.map(({ nodeId: id, revision }) => [id, revision]));
	};
	return { context, data, kept };
}

const keptOf = (nodeId: string, revision: number) => ({ nodeId, ...storedWatch(state(revision)) });

test('of each trigger of the workflow the newest state is kept, be it in memory or in the database', () => {
	// Another process may have run the sibling last: then memory is the older one.
	const { context, kept } = nodeOf('own', [keptOf('own', 9), keptOf('newer in memory', 5), keptOf('newer in the database', 5), keptOf('not in memory', 5)]);
	const siblings = [
		{ nodeId: 'newer in memory', state: state(6) },
		{ nodeId: 'newer in the database', state: state(4) },
	];
	saveState(context, 'usual', state(7), siblings, 100);
	expect(kept()).toEqual({ own: 7, 'newer in memory': 6, 'newer in the database': 5, 'not in memory': 5 });
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
	saveState(context, 'usual', state(7), [{ nodeId: 'sibling', state: state(5) }], 100);
	expect(kept()).toEqual({ own: 7, sibling: 5 });
});

test('a trigger that is gone is forgotten after 90 days without a change, one that runs never', () => {
	const old = NOW - 91 * DAY;
	const { context, kept } = nodeOf('own', [keptOf('gone', old), keptOf('gone lately', NOW - 89 * DAY), keptOf('runs', old)]);
	saveState(context, 'usual', state(NOW), [{ nodeId: 'runs', state: state(old) }], NOW);
	expect(kept()).toEqual({ own: NOW, 'gone lately': NOW - 89 * DAY, runs: old });
});

test.each([
	[3, 4, 4],
	[4, 3, 4],
])('the newer one of the two places is loaded: the node has %d, the workflow %d', (ofNode, ofWorkflow, newer) => {
	const { context, data } = nodeOf('own', [keptOf('own', ofWorkflow), keptOf('other', 8)]);
	data.node = { watch: storedWatch(state(ofNode)) } as unknown as IDataObject;
	expect(loadState(context).revision).toBe(newer);
});

test('a state without change writes nothing, for n8n would save it all', () => {
	const staticData: IDataObject = {};
	const context = {
		getWorkflow: () => ({ id: 'workflow of its own' }),
		getNode: () => ({ id: 'node' }),
		getWorkflowStaticData: () => staticData,
	} as unknown as IPollFunctions;
	const session = sessionOf(context);
	session.context = context;
	changeState(session, withList(EMPTY_STATE, ['0x1'], 5));
	const written = staticData.crossChainBridgeWatches;
	expect(written).toBeDefined();
	changeState(session, withList(session.state, ['0x1'], 6));
	expect(staticData.crossChainBridgeWatches).toBe(written);
});
