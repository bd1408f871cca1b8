import { checkOutcome } from '../../nodes/CrossChainBridge/checks/outcome';
import { readResponse } from '../../nodes/CrossChainBridge/service/envelope';

test('22: a sound response without an order says that the order is not known (yet)', () => {
	const response = readResponse(
		{ statusCode: 200, headers: {}, body: '{"success":true,"data":null}' },
		{ now: 0, envelope: 'required', apiKey: 'a key of its own' },
	);
	expect(checkOutcome(response).kind).toBe('notFound');
});
