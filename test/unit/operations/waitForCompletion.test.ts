import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { nodeWith } from '../node';
import { rejected } from '../service/rejected';
import type { VirtualClock } from '../../virtualClock';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import { failed, found, simulatedService } from '../simulatedService';
import { waitForCompletion } from '../../../nodes/CrossChainBridge/operations/waitForCompletion';
import { simulateTime } from './simulatedTime';

/** Wait for Completion in simulated time: how long its fields make it wait, and where its items go. */

let clock: VirtualClock;
beforeEach(() => void (clock = simulateTime()));
const BEGINNING = Date.parse('2026-01-01T00:00:00Z');
afterEach(() => void jest.restoreAllMocks());

/** By hash; one that is just of the age at which orders finish is checked as often as Check Every allows. */
function answerTo(sourceHash: string): ServiceResponse {
	if (sourceHash === 'unknown') return failed(rejected(404, 'NOT_FOUND'));
	const isForgotten = sourceHash === 'pending-forgotten' && clock.now() > BEGINNING + 3_000;
	if (sourceHash === 'malformed' || isForgotten)
		return failed(rejected(400, 'INVALID_PARAMETER', 'bad sourceHash'));
	const timing = { createdAt: clock.now() / 1000 - 8 };
	return found({ status: sourceHash.split('-')[0], timing });
}

interface Execution {
	parameters?: IDataObject;
	node?: Partial<INode>;
	continues?: boolean;
}

async function run(
	hashes: string[],
	{ parameters = {}, node = {}, continues = false }: Execution = {},
) {
	const service = simulatedService({
		clock,
		status: answerTo,
		config: () => found({ networks: [{ chainID: 1, name: 'Ethereum' }] }),
	});
	const context = {
		getNode: () => nodeWith(node),
		getInputData: () => hashes.map((hash) => ({ json: { hash } })),
		getNodeParameter: (name: string, itemIndex: number, otherwise: unknown) =>
			name === 'sourceHash' ? hashes[itemIndex] : name in parameters ? parameters[name] : otherwise,
		continueOnFail: () => continues,
		getExecutionCancelSignal: () => undefined,
	} as unknown as IExecuteFunctions;
	const began = clock.now();
	let over: Awaited<ReturnType<typeof waitForCompletion.run>> | Error | null = null;
	waitForCompletion.run({ context, service, onRawAmount: () => undefined }).then(
		(outputs) => (over = outputs),
		(error: Error) => (over = error),
	);
	await clock.run(began + 24 * 3_600_000, () => over !== null);
	const ended = over as Awaited<ReturnType<typeof waitForCompletion.run>> | Error | null;
	if (ended === null) throw new Error('It still waits after a day');
	if (ended instanceof Error) throw ended;
	return {
		outputs: ended.map((items) => items.map(({ json }) => json)),
		seconds: (clock.now() - began) / 1000,
	};
}

describe('an open order is waited for', () => {
	test.each<[string, IDataObject, number]>([
		['5 minutes by default', {}, 300],
		['as many minutes as wanted', { maxMinutes: 1 }, 60],
		['a part of a minute', { maxMinutes: 0.5 }, 30],
		['5 minutes where the number is none', { maxMinutes: 'x' }, 300],
		['5 minutes where it is zero', { maxMinutes: 0 }, 300],
		['5 minutes where it is negative', { maxMinutes: -1 }, 300],
		['5 minutes where the number has no value', { maxMinutes: '' }, 300],
		['as many minutes as a text says', { maxMinutes: ' 1 ' }, 60],
		['5 minutes where it is beyond all numbers', { maxMinutes: Number.POSITIVE_INFINITY }, 300],
	])('%s', async (_what, parameters, seconds) => {
		const waited = await run(['pending'], { parameters: { checkEvery: 60, ...parameters } });
		expect(waited.outputs).toMatchObject([[], [], [{ status: 'pending', outcome: null }]]);
		expect(waited.seconds).toBeGreaterThanOrEqual(seconds);
		expect(waited.seconds).toBeLessThan(seconds + 2);
	});

	test.each<[string, IDataObject, number]>([
		['every 5 seconds by default', {}, 5],
		['every 2 seconds', { checkEvery: 2 }, 2],
		['no more than once a second', { checkEvery: 0.2 }, 1],
		['every 5 seconds where the number is none', { checkEvery: 'x' }, 5],
		['every minute', { checkEvery: 60 }, 60],
	])('with checks %s', async (_what, parameters, seconds) => {
		const waited = await run(['pending'], {
			parameters: { simplify: false, maxMinutes: seconds / 15, ...parameters },
		});
		const checks = Number(waited.outputs[2]?.[0]?.checks);
		expect(checks).toBeGreaterThan(2);
		expect(checks).toBeLessThanOrEqual(5);
	});
});

test.each<[string, IDataObject, number]>([
	['5 minutes by default', {}, 300],
	['as many minutes as wanted', { notFoundMinutes: 1 }, 60],
	['not at all', { notFoundMinutes: 0 }, 0],
	['not at all by the text 0', { notFoundMinutes: '0' }, 0],
	['5 minutes where the number is negative', { notFoundMinutes: -1 }, 300],
	['5 minutes where there is no value', { notFoundMinutes: null }, 300],
	['5 minutes where the value is empty', { notFoundMinutes: '' }, 300],
	['5 minutes where the value is blank', { notFoundMinutes: ' ' }, 300],
	['5 minutes where the value is a list', { notFoundMinutes: [] }, 300],
])('an order that is not found is waited for %s', async (_what, parameters, seconds) => {
	const waited = await run(['unknown'], {
		parameters: { maxMinutes: 1_000, checkEvery: 15, ...parameters },
	});
	const expected = [[], [], [{ status: 'notFound', sourceHash: 'unknown', outcome: null }]];
	expect(waited.outputs).toMatchObject(expected);
	expect(waited.seconds).toBeGreaterThanOrEqual(seconds);
	expect(waited.seconds).toBeLessThan(seconds + 31);
});

describe('items', () => {
	test('that are not found have no order', async () => {
		const parameters = { simplify: false, notFoundMinutes: 0 };
		const { outputs } = await run(['unknown'], { parameters });
		const item = { status: 'notFound', isFinal: false, outcome: null, checks: 1, order: null };
		expect(outputs[2]).toMatchObject([item]);
	});

	test('that fail stop the run with their sentence', async () => {
		await expect(run(['completed', 'malformed'])).rejects.toMatchObject({
			message: 'The bridge does not accept the hash',
			context: { itemIndex: 1 },
		});
	});

	test('that fail later have the status that was seen last', async () => {
		const { outputs } = await run(['pending-forgotten'], { continues: true });
		expect(outputs[2]).toMatchObject([
			{ status: 'pending', outcome: null, error: { code: 'INVALID_PARAMETER' } },
		]);
	});

	test('that fail have nothing but the error where there is an error output', async () => {
		const { outputs } = await run(['malformed'], {
			continues: true,
			node: { onError: 'continueErrorOutput' },
		});
		expect(outputs[2]?.map((json) => Object.keys(json))).toEqual([['error']]);
	});

	test('without any item there is nothing to wait for', async () => {
		expect(await run([])).toEqual({ outputs: [[], [], []], seconds: 0 });
	});
});
