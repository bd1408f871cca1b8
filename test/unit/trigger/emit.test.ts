import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { changeState } from '../../../nodes/CrossChainBridge/trigger/emit';
import { sessionOf } from '../../../nodes/CrossChainBridge/trigger/session';
import { EMPTY_STATE, withList } from '../../../nodes/CrossChainBridge/trigger/state';

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
