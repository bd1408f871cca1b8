import type { IExecuteFunctions } from 'n8n-workflow';

import { rejected } from '../service/rejected';
import { failed, found, simulatedService } from '../simulatedService';
import { getStatus } from '../../../nodes/CrossChainBridge/operations/getStatus';
import { simulateTime } from './simulatedTime';

beforeEach(() => void simulateTime());
afterEach(() => void jest.restoreAllMocks());

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(64)}`) as [
	string,
	string,
	string,
	string,
];

/** In which order Get Status asks. */
async function askedFor(hashes: string[], parameters: Record<string, unknown>): Promise<string[]> {
	const asked: string[] = [];
	const service = simulatedService({
		clock: { now: () => 0, sleep: async () => await Promise.resolve() },
		status: (sourceHash) => {
			asked.push(sourceHash);
			return sourceHash === A ? failed(rejected(404, 'NOT_FOUND')) : found({ status: 'pending' });
		},
		config: () => {
			asked.push('networks');
			return found({ networks: [] });
		},
	});
	const all: Record<string, unknown> = { options: { notFound: 'item' }, ...parameters };
	const context = {
		getNode: () => ({ type: 'bridge' }),
		getInputData: () => hashes.map(() => ({ json: {} })),
		getNodeParameter: (name: string, item: number, otherwise: unknown) =>
			name === 'sourceHash' ? hashes[item] : (all[name] ?? otherwise),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
	} as unknown as IExecuteFunctions;
	const [items] = await getStatus.run({ context, service, hint: () => undefined });
	expect(items).toHaveLength(hashes.length);
	return asked;
}

test('the names of networks do not wait behind all orders of a long input, also if the first order is not found', async () => {
	expect(await askedFor([A, B, C, D], {})).toEqual([A, B, 'networks', C, D]);
});
