import type { IExecuteFunctions } from 'n8n-workflow';

import { rejected } from '../service/rejected';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import type { BridgeService } from '../../../nodes/CrossChainBridge/service/service';
import { getStatus } from '../../../nodes/CrossChainBridge/operations/getStatus';
import { simulateTime } from './simulatedTime';

beforeEach(() => void simulateTime());
afterEach(() => void jest.restoreAllMocks());

/** In which order Get Status asks. */
async function askedFor(hashes: string[], parameters: Record<string, unknown>): Promise<string[]> {
	const asked: string[] = [];
	const notFound: ServiceResponse = { ok: false, error: rejected(404, 'NOT_FOUND') };
	const service = {
		status: async (sourceHash: string) => {
			asked.push(sourceHash);
			return await Promise.resolve(
				sourceHash === '0xa0' ? notFound : { ok: true, data: { status: 'pending' } },
			);
		},
		networks: async () => {
			asked.push('networks');
			return await Promise.resolve({ ok: true, networks: [] });
		},
	} as unknown as BridgeService;
	const all: Record<string, unknown> = { 'options.notFound': 'item', ...parameters };
	const context = {
		getNode: () => ({ type: 'bridge' }),
		getInputData: () => hashes.map(() => ({ json: {} })),
		getNodeParameter: (name: string, item: number, otherwise: unknown) =>
			name === 'sourceHash' ? hashes[item] : (all[name] ?? otherwise),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
	} as unknown as IExecuteFunctions;
	const [items] = await getStatus.run({ context, service, onRawAmount: () => undefined });
	expect(items).toHaveLength(hashes.length);
	return asked;
}

test('the names of networks do not wait behind all orders of a long input, also where the first order is not found', async () => {
	const expected = ['0xa0', '0xa1', 'networks', '0xa2', '0xa3'];
	expect(await askedFor(['0xa0', '0xa1', '0xa2', '0xa3'], {})).toEqual(expected);
});
