import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { type ActionOptions, runAction } from './n8n';
import {
	byAddress,
	byId,
	DAI,
	GET_QUOTE as QUOTE_OF_ETH,
	NATIVE,
	USDC,
	USDC_ON_BASE,
} from './quoteFields';
import {
	beginCompleted,
	checksAskedFor,
	n8nWith,
	openOrders,
	quotesAskedFor,
	rehearse,
	type Rehearsal,
	untilAsked,
	wallClockAhead,
} from './sandboxed';

/** Faults of the operations that attacks have found, through the real n8n-core. */

let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;
const GET_STATUS = { operation: 'getStatus', sourceHash: HASH };
const WAIT = { operation: 'waitForCompletion', sourceHash: HASH, checkEvery: 1 };
const GET_QUOTE = { ...QUOTE_OF_ETH, toToken: byAddress(USDC_ON_BASE) };
const OF_USDC = { ...GET_QUOTE, fromToken: byAddress(USDC) };

/** The node's first item, its error and its hints. */
async function run(parameters: IDataObject, options: ActionOptions = {}) {
	const { outputs, error, run: ran } = await runAction(bridge.credentials, parameters, options);
	const hints = ran.data.resultData.runData.Bridge?.[0]?.hints ?? [];
	return {
		outputs,
		item: outputs.flat()[0]?.json,
		error,
		hints: hints.map(({ message }) => message).join(' '),
	};
}

const always = async (fault: Fault) => await bridge.fault({ ...fault, times: 'always' });
const checks = async () => await checksAskedFor(bridge);
const amountsAskedFor = async () =>
	(await quotesAskedFor(bridge)).map(({ inputTokenAmount }) => inputTokenAmount);

describe('Always Output Data, with which n8n puts an empty item on the output Completed', () => {
	const SWITCHED_ON = { alwaysOutputData: true };
	beforeEach(async () => void (await bridge.begin({ sourceHash: HASH, end: 'refunded' })));

	test('Wait for Completion stops before any request', async () => {
		await bridge.finish(HASH, 'refunded');
		const { outputs, error } = await run(WAIT, SWITCHED_ON);
		expect(outputs[0] ?? []).toEqual([]);
		expect(error).toMatchObject({
			message: expect.stringContaining("Turn off 'Always Output Data'"),
			description: expect.stringContaining('an empty item to the Completed output'),
		});
		expect(await bridge.requests()).toEqual([]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'also where it continues on errors (%s)',
		async (onError) => {
			await bridge.finish(HASH, 'refunded');
			const { outputs, error } = await run(WAIT, { ...SWITCHED_ON, onError });
			expect(JSON.stringify([outputs, error])).toContain("Turn off 'Always Output Data'");
			expect(await bridge.requests()).toEqual([]);
		},
	);

	test('it harms no tool, and no other operation', async () => {
		await bridge.finish(HASH, 'refunded');
		const refunded = { status: 'refunded' };
		expect((await run(WAIT, { ...SWITCHED_ON, asTool: true })).item).toMatchObject(refunded);
		expect((await run(GET_STATUS, SWITCHED_ON)).item).toMatchObject(refunded);
	});
});

describe('decimals that a test quote states', () => {
	test.each([NATIVE, DAI])('are not taken where it is for %s', async (address) => {
		await always({
			kind: 'fields',
			endpoint: 'quote',
			answer: { tokenIn: { address, decimals: 18 } },
		});
		const { error } = await run({ ...OF_USDC, amount: '100' });
		expect(error?.message).toContain("The quote is for another token than 'From Token'");
		expect(await amountsAskedFor()).toHaveLength(1);
	});

	test('where the amount is not enough, the quote that was asked for is named', async () => {
		await always({ kind: 'error', endpoint: 'quote', status: 400, code: 'AMOUNT_TOO_LOW' });
		const { error } = await run(OF_USDC);
		expect(error?.description).toContain('asked for a quote as if the token had 6 decimals');
		expect(error?.description).toContain('AMOUNT_TOO_LOW');
		expect(await amountsAskedFor()).toEqual(['500000']);
	});

	test('a network that the bridge rejects is no question of decimals', async () => {
		await always({
			kind: 'error',
			endpoint: 'quote',
			code: 'INVALID_PARAMETER',
			message: 'inputNetwork is not supported',
		});
		const { error } = await run({ ...OF_USDC, fromNetwork: byId('99') });
		expect(`${String(error?.message)} ${String(error?.description)}`).toContain('From Network');
		expect(error?.message).not.toContain('decimals');
	});
});

test.each([
	['2', '4992'],
	['0.5', '1248'],
])(
	'of a quote in token units, only the %s that were asked for are said',
	async (amount, received) => {
		const answer = {
			tokenIn: { amount },
			tokenOut: { amount: received, minAmount: received },
			fees: { total: '0.003' },
		};
		await always({ kind: 'fields', endpoint: 'quote', answer });
		const { item, hints } = await run({ ...GET_QUOTE, amount });
		expect(item).toMatchObject({ sent: `${amount} ETH`, received: null, receivedAtLeast: null });
		expect(item?.summary).not.toMatch(/smallest|gives about/);
		expect(hints).not.toContain('Token Decimals');
	},
);

test.each([
	['in no unit', { total: '1250000' }],
	['with a fraction', { total: '750000000000000', percentage: '0.0015' }],
	['with basis points', { total: '750000000000000', percentage: '15' }],
])('fees %s are shown as they came, and in no other unit', async (_how, fees) => {
	await always({ kind: 'fields', endpoint: 'quote', answer: { fees } });
	const { item } = await run(GET_QUOTE);
	expect(item?.fees).toMatchObject(fees);
	expect(String(item?.summary)).toMatch(/^0\.5 ETH on Ethereum gives about (?!.*fee)/);
});

test('an expiry that is a number of seconds is no time in 1970', async () => {
	await always({ kind: 'fields', endpoint: 'quote', answer: { expiry: 300 } });
	const { item, hints } = await run(GET_QUOTE);
	expect(item).toMatchObject({ sent: '0.5 ETH', expiresAt: null });
	expect(`${String(item?.summary)} ${hints}`).not.toContain('expired');
});

describe('an option of Get Quote by an expression without a usable value is an error', () => {
	const row = (value: string) => ({ queryParameters: { parameter: [{ name: 'minimum', value }] } });

	test.each<[string, IDataObject]>([
		['Slippage', { slippage: '={{ $json.missing }}' }],
		['Slippage', { slippage: '={{ null }}' }],
		['Slippage', { slippage: '={{ [0.5] }}' }],
		['Slippage', { slippage: '={{ ({ a: 1 }) }}' }],
		['Value', row('={{ $json.missing }}')],
		['Value', row('={{ null }}')],
	])('%s: %j', async (name, options) => {
		const { error } = await run({ ...GET_QUOTE, options });
		expect(error?.message).toContain(name);
		expect(await amountsAskedFor()).toEqual([]);
	});
});

describe('a wait that is over after the bridge had shown a pending order', () => {
	test.each<[string, Fault, IDataObject, RegExp]>([
		[
			'it was not seen for 15 minutes',
			{ kind: 'error', endpoint: 'status', status: 503 },
			{ maxMinutes: 0.05 },
			/pending(?!.* after 1\d min)/,
		],
		[
			'the bridge no longer finds it',
			{ kind: 'error', endpoint: 'status', code: 'NOT_FOUND' },
			{ maxMinutes: 0.05 },
			/no longer finds order .*, which was pending/,
		],
	])('%s', async (_what, fault, limit, words) => {
		const [sourceHash = ''] = await openOrders(bridge);
		await bridge.fault({ kind: 'fields', endpoint: 'status', answer: { status: 'pending' } });
		await always(fault);
		const running = run({ ...WAIT, ...limit, sourceHash });
		await untilAsked(bridge, 2, checks);
		wallClockAhead(15 * 60_000);
		const { outputs } = await running;
		expect(outputs[2]?.[0]?.json.summary).toMatch(words);
	});
});

describe('HTTP 400 for the configuration is no question of key or address', () => {
	const REJECTED: Array<[string, Fault]> = [
		['without a code', { kind: 'body', status: 400, body: '{"reason":"chainID is missing"}' }],
		['with one', { kind: 'error', code: 'INVALID_PARAMETER', message: 'chainID is missing' }],
	];
	const reject = async (fault = REJECTED[0]?.[1]) =>
		await always({ ...(fault as Fault), endpoint: 'config' });

	test.each(REJECTED)('Get Config does not send the user there (%s)', async (_how, fault) => {
		await reject(fault);
		const { error } = await run({ operation: 'getConfig' });
		expect(error).toMatchObject({ httpCode: '400' });
		expect(error?.description).not.toContain('API key');
	});

	test('a trigger can be published', async () => {
		await reject();
		const sourceHashes = HASH;
		const published = n8nWith(bridge.credentials).publish([
			{ parameters: { sourceHashes, keepChecking: false } },
		]);
		await expect(published).resolves.toBeDefined();
	});

	test('an order that is not found is not found', async () => {
		await reject();
		const { item } = await run({ ...GET_STATUS, options: { notFound: 'item' } });
		expect(item).toMatchObject({ sourceHash: HASH, status: 'notFound' });
	});
});

describe('where a server answers every path with 404 in JSON, the address is wrong', () => {
	beforeEach(async () => await always({ kind: 'body', status: 404, body: '{"statusCode":404}' }));

	test.each<[string, IDataObject]>([
		['a quote of a token', { ...GET_QUOTE, fromToken: byAddress(USDC) }],
		['a quote in the smallest unit', { ...GET_QUOTE, amountUnit: 'smallestUnit', amount: '5' }],
		[
			'a quote by JSON',
			{ ...GET_QUOTE, specifyQuote: 'json', quoteJson: '{ "inputNetwork": 101 }' },
		],
		['Get Status', { ...GET_STATUS, options: { notFound: 'item' } }],
	])('%s', async (_what, parameters) => {
		expect((await run(parameters)).error?.message).toContain('Base URL');
	});

	test('Wait for Completion says so at once', async () => {
		const { error } = await run({ ...WAIT, notFoundMinutes: 0.1 });
		expect(error?.message).toContain('Base URL');
		expect(await checks()).toHaveLength(1);
	});
});

test.each<[string, Fault]>([
	['unavailable', { kind: 'error', status: 503 }],
	['slow', { kind: 'delay', delaySeconds: 3600 }],
])('where the configuration is %s, amounts are not said to lack an option', async (_how, fault) => {
	await beginCompleted(bridge, [HASH]);
	await always({ ...fault, endpoint: 'config' });
	const { item, hints } = await run(GET_STATUS);
	expect(item?.sent).toContain('smallest units');
	expect(hints).not.toContain('Token Decimals');
	expect(hints).toContain("The bridge's configuration was not available in time");
});

test('a duration in milliseconds is read by the times beside it', async () => {
	const completedAt = Date.now() - 8_000;
	const timing = { createdAt: completedAt - 12_000, completedAt, duration: 12_000 };
	await beginCompleted(bridge, [HASH], { timing });
	expect((await run(GET_STATUS)).item?.summary).toContain(' after 12 s ');
});

describe.each<[string, IDataObject]>([
	['Get Status', GET_STATUS],
	['Wait for Completion', { ...WAIT, notFoundMinutes: 0 }],
])('%s', (_operation, parameters) => {
	test.each([`"${HASH}"`, `'${HASH}'`, `\`${HASH}\``, `${HASH}.`, `${HASH},`])(
		'reads the hash in %s',
		async (sourceHash) => {
			await beginCompleted(bridge, [HASH]);
			const { item } = await run({ ...parameters, sourceHash });
			expect(item).toMatchObject({ sourceHash: HASH, status: 'completed' });
		},
	);

	test.each(['0x9d23…9999', `${HASH},${OTHER_HASH}`])(
		'does not ask for %s, which is not one hash',
		async (sourceHash) => {
			const { error } = await run({ ...parameters, sourceHash });
			expect(error?.message).toContain('Source Transaction Hash');
			expect(await checks()).toEqual([]);
		},
	);

	test('does not blame the key for one order that only it may not see', async () => {
		const statuses = [401, 403];
		const hashes = [HASH, OTHER_HASH];
		for (const [index, sourceHash] of hashes.entries()) {
			const status = statuses[index];
			await always({ kind: 'error', endpoint: 'status', sourceHash, status, code: 'FORBIDDEN' });
		}
		const ran = hashes.map(async (sourceHash) => (await run({ ...parameters, sourceHash })).error);
		expect(await Promise.all(ran)).toEqual(
			statuses.map((status) =>
				expect.objectContaining({
					httpCode: String(status),
					message: expect.stringContaining('The bridge did not accept the request'),
				}),
			),
		);
	});
});

test('an agent gets a field whose name comes as text', async () => {
	await beginCompleted(bridge, [HASH]);
	const chosen = { ...GET_STATUS, output: 'selectedFields', fields: 'summary' };
	const { item } = await run(chosen, { asTool: true });
	expect(item).toEqual({ sourceHash: HASH, summary: expect.any(String) });
});

test('of networks with one name, the ID is said as well', async () => {
	const networks = [
		{ chainID: 101, name: 'Ethereum' },
		{ chainID: 102, name: 'Base' },
		{ chainID: 111, name: 'Ethereum' },
	];
	await always({ kind: 'fields', endpoint: 'config', answer: { networks } });
	await beginCompleted(bridge, [HASH], { input: { chainId: 101 }, output: { chainId: 102 } });
	const { item } = await run({ ...GET_STATUS, simplify: false });
	expect(item?.route).toBe('Ethereum (101) → Base');
	expect(item?.summary).toContain('Ethereum (101)');
});
