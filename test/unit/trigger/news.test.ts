import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { liveWatchOf } from '../../../nodes/CrossChainBridge/trigger/liveWatch';
import { changeState } from '../../../nodes/CrossChainBridge/trigger/news';
import { EMPTY_STATE, withList } from '../../../nodes/CrossChainBridge/trigger/watchState';

/** What changeState asks of n8n: where the static data is. */
function makeWatch() {
	const staticData: IDataObject = {};
	const context = {
		getWorkflow: () => ({ id: 'workflow of its own' }),
		getNode: () => ({ id: 'node' }),
		getWorkflowStaticData: () => staticData,
	} as unknown as IPollFunctions;
	return { watch: { context, engine: 'default' as const, live: liveWatchOf(context) }, staticData };
}

test('a state without change writes nothing, for n8n would save it all', () => {
	const { watch, staticData } = makeWatch();
	changeState(watch, withList(EMPTY_STATE, ['0x1'], 5));
	const written = staticData.crossChainBridgeWatches;
	expect(written).toBeDefined();
	changeState(watch, withList(watch.live.state, ['0x1'], 6));
	expect(staticData.crossChainBridgeWatches).toBe(written);
});

test('what is known of an order beside its state goes with the order', () => {
	const { watch } = makeWatch();
	changeState(watch, withList(EMPTY_STATE, ['0x1', '0x2'], 5));
	for (const times of [watch.live.askedAt, watch.live.lookedAt]) for (const key of ['0x1', '0x2']) times.set(key, 7);
	changeState(watch, withList(watch.live.state, ['0x2'], 8));
	expect([...watch.live.askedAt.keys(), ...watch.live.lookedAt.keys()]).toEqual(['0x2', '0x2']);
});
