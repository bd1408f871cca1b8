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

/** A hash that stands for this word. */
const hashOf = (word: string): string => `0x${Buffer.from(word).toString('hex').padEnd(64, '0')}`;
const wordOf = (hash: string): string =>
	Buffer.from(hash.slice(2), 'hex').toString().replace(/\0+$/, '');

const ARRIVED = { chainId: 1, token: `0x${'0'.repeat(40)}`, amount: '499250000000000000' };
const NETWORKS = found({
	networks: [{ chainID: 1, name: 'Ethereum', baseToken: 'ETH', decimals: 18 }],
});

/** By the hash's word; one that is just of the age at which orders finish is checked as often as Check Every allows. */
function answerTo(sourceHash: string): ServiceResponse | Promise<never> {
	const word = wordOf(sourceHash);
	if (word === 'silent') return new Promise(() => undefined);
	if (word === 'pending-lost' && clock.now() > BEGINNING + 3_000)
		return failed(rejected(404, 'NOT_FOUND'));
	if (word === 'unknown') return failed(rejected(404, 'NOT_FOUND'));
	if (word === 'unknown-down')
		return failed(clock.now() < BEGINNING + 50_000 ? rejected(404, 'NOT_FOUND') : rejected(503));
	// The key is revoked while the node waits, and the bridge does not say so.
	if (word === 'pending-refused' && clock.now() > BEGINNING + 50_000)
		return failed(rejected(401, 'FORBIDDEN'));
	const isForgotten = word === 'pending-forgotten' && clock.now() > BEGINNING + 3_000;
	if (word === 'malformed' || isForgotten)
		return failed(rejected(400, 'INVALID_PARAMETER', 'bad sourceHash'));
	const timing = { createdAt: clock.now() / 1000 - 8 };
	if (word === 'pending-arrived' && clock.now() > BEGINNING + 50_000)
		return found({ status: 'completed', output: ARRIVED });
	return found({ status: word.split('-')[0], timing });
}

interface Execution {
	parameters?: IDataObject;
	node?: Partial<INode>;
	continues?: boolean;
	/** The response to a request for the configuration, of which there were so many before. */
	configuration?(before: number): ServiceResponse | Promise<never>;
}

async function run(
	words: string[],
	{ parameters = {}, node = {}, continues = false, configuration = () => NETWORKS }: Execution = {},
) {
	const hashes = words.map(hashOf);
	let asked = 0;
	const service = simulatedService({
		clock,
		status: answerTo,
		config: () =>
			words.includes('pending-refused') && clock.now() > BEGINNING + 50_000
				? failed(rejected(401, 'FORBIDDEN'))
				: configuration(asked++),
	});
	const context = {
		getNode: () => nodeWith(node),
		getInputData: () => hashes.map((hash) => ({ json: { hash } })),
		getNodeParameter: (name: string, itemIndex: number, otherwise: unknown) =>
			name in parameters ? parameters[name] : name === 'sourceHash' ? hashes[itemIndex] : otherwise,
		continueOnFail: () => continues,
		getExecutionCancelSignal: () => undefined,
	} as unknown as IExecuteFunctions;
	const began = clock.now();
	let over: Awaited<ReturnType<typeof waitForCompletion.run>> | Error | null = null;
	waitForCompletion.run({ context, service, hint: () => undefined }).then(
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
		['a part with a decimal comma', { maxMinutes: '0,5' }, 30],
		['as many minutes as a text says', { maxMinutes: ' 1 ' }, 60],
	])('%s', async (_what, parameters, seconds) => {
		const waited = await run(['pending'], { parameters: { checkEvery: 60, ...parameters } });
		expect(waited.outputs).toMatchObject([[], [], [{ status: 'pending', outcome: null }]]);
		expect(waited.seconds).toBeGreaterThanOrEqual(seconds);
		expect(waited.seconds).toBeLessThan(seconds + 2);
	});

	test.each<[string, IDataObject, number]>([
		['every 5 seconds by default', {}, 5],
		['every 2 seconds', { checkEvery: 2 }, 2],
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
])('an order that is not found is waited for %s', async (_what, parameters, seconds) => {
	const waited = await run(['unknown'], {
		parameters: { maxMinutes: 1_000, checkEvery: 15, ...parameters },
	});
	const expected = [[], [], [{ status: 'notFound', sourceHash: hashOf('unknown'), outcome: null }]];
	expect(waited.outputs).toMatchObject(expected);
	expect(waited.seconds).toBeGreaterThanOrEqual(seconds);
	expect(waited.seconds).toBeLessThan(seconds + 31);
});

test.each<[string, IDataObject, string]>([
	['zero', { maxMinutes: 0 }, "'Maximum Wait (Minutes)' cannot be '0'"],
	['a unit', { maxMinutes: '10 min' }, "'Maximum Wait (Minutes)' cannot be '10 min'"],
	['less than a second', { checkEvery: 0.2 }, "'Check Every (Seconds)' cannot be '0.2'"],
	['a negative number', { notFoundMinutes: -1 }, "'Wait While Not Found (Minutes)' cannot be '-1'"],
	['nothing', { notFoundMinutes: null }, "'Wait While Not Found (Minutes)' is empty"],
])('%s is no time: it is refused, and no default counts', async (_what, parameters, message) => {
	await expect(run(['pending'], { parameters })).rejects.toMatchObject({ message });
});

describe('a configuration that could not be read when the first order was shown', () => {
	const minimum = { options: { minimumReceived: '0.5 ETH' } };
	const firstFails =
		(then: () => ServiceResponse | Promise<never>) =>
		(before: number): ServiceResponse | Promise<never> =>
			before === 0 ? failed(rejected(503)) : then();

	test('is asked for again when the wait is over, so that what arrived is compared', async () => {
		const { outputs } = await run(['pending-arrived'], {
			parameters: minimum,
			configuration: firstFails(() => NETWORKS),
		});
		expect(outputs[0]).toMatchObject([{ received: '0.49925 ETH', asExpected: false }]);
	});

	test('and does not come then either, delays the end by two seconds, not more', async () => {
		const { outputs, seconds } = await run(['pending-arrived'], {
			parameters: minimum,
			configuration: firstFails(async () => await new Promise<never>(() => undefined)),
		});
		expect(outputs[0]).toMatchObject([{ status: 'completed', asExpected: null }]);
		expect(seconds).toBeLessThan(50 + 5 + 2 + 1);
	});

	test('one that came is not asked for again', async () => {
		const asked: number[] = [];
		await run(['pending-arrived'], {
			configuration: (before) => {
				asked.push(before);
				return NETWORKS;
			},
		});
		expect(asked).toEqual([0]);
	});
});

describe('items', () => {
	test('that are not found have no order', async () => {
		const parameters = { simplify: false, notFoundMinutes: 0 };
		const { outputs } = await run(['unknown'], { parameters });
		const item = { status: 'notFound', isFinal: false, outcome: null, checks: 1, order: null };
		expect(outputs[2]).toMatchObject([item]);
	});

	test('that were checked and not found are not found, though the last check failed', async () => {
		const { outputs } = await run(['unknown-down'], { parameters: { maxMinutes: 1 } });
		expect(outputs[2]).toMatchObject([{ status: 'notFound' }]);
	});

	test('that got no response are not said to be unknown', async () => {
		const { outputs } = await run(['silent'], { parameters: { maxMinutes: 0.5 } });
		expect(outputs[2]).toMatchObject([
			{
				status: 'notChecked',
				outcome: null,
				summary: expect.stringContaining('No status check was completed while this node waited'),
			},
		]);
	});

	test('that the bridge no longer finds have no order, and the summary has the status that was seen last', async () => {
		const parameters = { maxMinutes: 1, simplify: false };
		const { outputs } = await run(['pending-lost'], { parameters });
		expect(outputs[2]).toMatchObject([
			{
				status: 'notFound',
				outcome: null,
				order: null,
				summary: expect.stringMatching(/no longer finds .* which was pending/),
			},
		]);
	});

	test('that were shown are shown, though the key may not read the configuration', async () => {
		const { outputs } = await run(['completed', 'unknown'], {
			continues: true,
			parameters: { notFoundMinutes: 0 },
			configuration: () => failed(rejected(401, 'UNAUTHORIZED')),
		});
		expect(outputs).toMatchObject([
			[{ status: 'completed' }],
			[],
			[{ sourceHash: hashOf('unknown') }],
		]);
	});

	test('that fail stop the run at once, but under Continue On Fail no other order’s wait', async () => {
		const words = ['malformed', 'pending-arrived'];
		await expect(run(words)).rejects.toMatchObject({ context: { itemIndex: 0 } });
		expect(clock.now()).toBeLessThan(BEGINNING + 5_000);
		const { outputs } = await run(words, { continues: true });
		expect(outputs).toMatchObject([
			[{ sourceHash: hashOf('pending-arrived'), status: 'completed' }],
			[],
			[{ sourceHash: hashOf('malformed'), error: { code: 'INVALID_PARAMETER' } }],
		]);
	});

	test('of a key that is revoked meanwhile blame the key, not the order', async () => {
		await expect(run(['pending-refused'])).rejects.toMatchObject({
			message: expect.stringContaining('does not accept the API key'),
		});
	});

	test('that fail stop the run with their sentence', async () => {
		await expect(run(['completed', 'malformed'])).rejects.toMatchObject({
			description: expect.stringContaining('bad Source Transaction Hash'),
			context: { itemIndex: 1 },
		});
	});

	test('that fail later have the status that was seen last', async () => {
		const { outputs } = await run(['pending-forgotten'], { continues: true });
		expect(outputs[2]).toMatchObject([
			{ status: 'pending', outcome: null, error: { code: 'INVALID_PARAMETER' } },
		]);
	});

	const DIGITS = '5c'.repeat(32);
	test.each<[string, string, string]>([
		['nothing of a private key', `private key: 0x${DIGITS}`, ''],
		['nothing of one with a number', `PRIVATE_KEY_1=0x${DIGITS}`, ''],
		[
			'nothing of one that is broken',
			`private key 0x${DIGITS.slice(0, 30)} ${DIGITS.slice(30)}`,
			'',
		],
		['what was entered otherwise', ' Rent ', 'Rent'],
	])('that cannot be read show %s', async (_what, sourceHash, shown) => {
		const { outputs } = await run(['completed'], { continues: true, parameters: { sourceHash } });
		expect(outputs[2]).toMatchObject([{ outcome: null, sourceHash: shown }]);
		expect(JSON.stringify(outputs)).not.toContain('5c5c');
	});

	test.each<[string, object]>([
		['sourceHash', { sourceHash: '', reference: null }],
		['reference', { sourceHash: hashOf('completed'), reference: null }],
	])('whose %s cannot be evaluated are still open, with what can be read', async (name, item) => {
		const parameters = Object.defineProperty({}, name, {
			get: () => {
				throw new Error('No path back to node');
			},
		});
		const { outputs } = await run(['completed'], { continues: true, parameters });
		expect(outputs).toMatchObject([
			[],
			[],
			[{ ...item, outcome: null, error: { message: 'No path back to node' } }],
		]);
	});

	test('that fail have nothing but the error where there is an error output', async () => {
		const { outputs } = await run(['malformed'], {
			continues: true,
			node: { onError: 'continueErrorOutput' },
		});
		expect(outputs[2]?.map((json) => Object.keys(json))).toEqual([['error']]);
	});

	test('that cannot be used leave nothing to ask the bridge', async () => {
		let asked = 0;
		const configuration = () => {
			asked++;
			return NETWORKS;
		};
		const parameters = { sourceHash: 'Invoice 4711' };
		const { outputs } = await run(['pending'], { continues: true, parameters, configuration });
		expect([outputs[2]?.length, asked]).toEqual([1, 0]);
	});

	test('without any item there is nothing to wait for', async () => {
		expect(await run([])).toEqual({ outputs: [[], [], []], seconds: 0 });
	});
});
