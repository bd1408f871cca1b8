import {
	EMPTY_STATE,
	finishedOrder,
	openOrders,
} from '../../../nodes/CrossChainBridge/state/state';
import { ALL, checked, expire, finished, HOUR, NOW, posting, shown, withListOf } from './states';

describe('orders that are done with', () => {
	test('one that was emitted stays so under whatever list and post comes', () => {
		let state = checked(posting(EMPTY_STATE, ['0xa']).state, shown('completed'));
		expect(state.orders.size).toBe(0);
		state = withListOf(state, ['0xA'], NOW + 60_000);
		expect(openOrders(state, ALL).size).toBe(0);
		expect(posting(state, ['0xA']).alreadyFinished).toEqual([
			{ sourceHash: '0xA', status: 'completed', finishedSeenAt: NOW },
		]);
		const muchLater = NOW + 1000 * 24 * HOUR;
		state = expire(state, {}, muchLater).state;
		expect(finishedOrder(state, '0xa')).toEqual(finished({ listed: true }));
		state = expire(withListOf(state, [], muchLater), {}, muchLater).state;
		expect(finishedOrder(state, '0xa')).toBeNull();
	});
});
