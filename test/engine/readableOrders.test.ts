import type { IDataObject } from 'n8n-workflow';

import { networkById } from '../../sandbox/networks';
import { type ActionOptions, runAction } from './n8n';
import { rehearse, type Rehearsal } from './sandboxed';

/** Each test has a service, and so a kept configuration, of its own. */
let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const check = async (hashes: string[], parameters: IDataObject = {}, options: ActionOptions = {}) =>
	await runAction(
		bridge.credentials,
		{ operation: 'getStatus', sourceHash: '={{ $json.hash }}', ...parameters },
		{ items: hashes.map((hash) => ({ json: { hash } })), ...options },
	);

const first = async (hash: string, parameters: IDataObject = {}) => {
	const { outputs, error } = await check([hash], { simplify: false, ...parameters });
	expect(error).toBeUndefined();
	return outputs[0]?.[0]?.json ?? {};
};

const configRequests = async () =>
	(await bridge.requests()).filter(({ path }) => path.endsWith('/config'));

const USDC_ON_ETHEREUM = networkById(101)?.tokens.USDC ?? '';
const USDC_ON_BNB = networkById(104)?.tokens.USDC ?? '';
const NATIVE = networkById(101)?.tokens.NATIVE ?? '';

/** An order of 0.5 ETH from Ethereum with the given final status, with 1246.87 USDC on BNB Smart Chain where the sandbox counts 18 decimals. */
async function bridged(
	status: 'completed' | 'refunded' | 'failed' | 'never',
	answer: IDataObject = {},
): Promise<string> {
	const [hash = ''] = await bridge.begin({
		end: 'never',
		answer: {
			input: { chainId: 101, token: NATIVE, amount: '500000000000000000' },
			...(status === 'completed'
				? {
						output: {
							chainId: 104,
							token: USDC_ON_BNB.toUpperCase().replace('0X', '0x'),
							amount: '1246870000000000000000',
						},
					}
				: {}),
			timing: { createdAt: null, duration: 12 },
			...answer,
		},
	});
	if (status !== 'never') await bridge.finish(hash, status);
	return hash;
}

/** A summary without the hash after it. */
const sentence = (words: string) => expect.stringContaining(words) as string;
const SUMMARY_OF_NAMES =
	'✅ 0.5 ETH from Ethereum arrived on BNB Smart Chain as 1246870000000000000000 smallest units of USDC after 12 s';
const decimals = (...token: IDataObject[]) => ({ options: { tokenDecimals: { token } } });

describe('names and amounts', () => {
	const READABLE = '✅ 0.5 ETH from Ethereum arrived on BNB Smart Chain as 1246.87 USDC after 12 s';

	test('networks and tokens have their names, a native amount its decimals, other tokens those of the option, none by guess', async () => {
		const hash = await bridged('completed');
		expect(await first(hash)).toMatchObject({
			summary: sentence(SUMMARY_OF_NAMES),
			inputNetwork: 'Ethereum',
			inputTokenSymbol: 'ETH',
			inputAmountReadable: '0.5',
			inputDecimalsFrom: 'networkConfig',
			outputNetwork: 'BNB Smart Chain',
			outputTokenSymbol: 'USDC',
			outputAmount: '1246870000000000000000',
			outputAmountReadable: null,
			outputDecimalsFrom: null,
		});
		const options = decimals({ address: ` ${USDC_ON_BNB}`, decimals: '={{ 9 + 9 }}' });
		expect(await first(hash, options)).toMatchObject({
			summary: sentence(READABLE),
			outputAmountReadable: '1246.87',
			outputDecimalsFrom: 'tokenDecimalsOption',
		});
	});

	test('a minimum in token units is compared if something states the decimals; one in the smallest unit always', async () => {
		const hash = await bridged('completed');
		const { options } = decimals({ address: USDC_ON_BNB, decimals: '18' });
		const asExpected = async (minimumReceived: string, more: IDataObject = {}) =>
			(await first(hash, { options: { ...more, minimumReceived } })).asExpected;
		expect(await asExpected('1246.87 USDC')).toBeNull();
		expect(await asExpected('1246.87 USDC', options)).toBe(true);
		expect(await asExpected('1246.88 USDC', options)).toBe(false);
		expect(await asExpected('1246870000000000000000 smallest units')).toBe(true);
	});

	test('another token than the expected one is not as expected, whatever its amount', async () => {
		const output = { chainId: 104, token: USDC_ON_BNB, amount: '1' };
		const hash = await bridged('completed', { output });
		for (const minimumReceived of [
			'0.49 BNB',
			'0.49 of token NATIVE',
			`0.49 of token ${USDC_ON_ETHEREUM}`,
			'5 smallest units of USDT',
		])
			expect(await first(hash, { options: { minimumReceived } })).toMatchObject({
				asExpected: false,
				summary: sentence(
					`⚠️ Only 1 smallest unit of USDC instead of at least ${minimumReceived} arrived on BNB Smart Chain`,
				),
			});
	});

	test('a native amount of which order and configuration state different decimals is shown in the smallest unit', async () => {
		const input = { chainId: 101, token: NATIVE, amount: '499250000000000000' };
		const hash = await bridged('completed', { input: { ...input, decimals: 6 } });
		expect(await first(hash)).toMatchObject({
			summary: sentence('✅ 499250000000000000 smallest units of ETH from Ethereum arrived on '),
			sent: '499250000000000000 smallest units of ETH',
			inputAmountReadable: null,
			inputDecimalsFrom: null,
		});
	});

	test('an order that is not known says so, once the configuration has shown that it is the bridge that says it', async () => {
		const hash = `0x${'ab'.repeat(32)}`;
		const item = await first(hash, { options: { notFound: 'item' } });
		expect(item).toMatchObject({
			status: 'notFound',
			summary: '⏳ The bridge has not found order 0xabab…abab yet. Check the hash.',
			inputNetwork: null,
		});
		expect(await configRequests()).toHaveLength(1);
	});

	test('amounts, IDs and decimals that no JavaScript number can represent stay exact', async () => {
		const hash = await bridged('completed');
		const big = '123456789012345678901234567890';
		const leg = `{"chainId":${big},"token":"${NATIVE}","amount":${big}}`;
		const network = `{"chainID":${big},"name":"Huge","baseToken":"H","decimals":27}`;
		for (const [endpoint, data] of [
			['config', `{"networks":[${network}]}`],
			['status', `{"status":"pending","input":${leg}}`],
		] as const)
			await bridge.fault({ kind: 'body', endpoint, body: `{"success":true,"data":${data}}` });
		expect(await first(hash)).toMatchObject({
			inputChainId: big,
			inputNetwork: 'Huge',
			inputAmount: big,
			inputAmountReadable: '123.45678901234567890123456789',
			summary: sentence(
				'⏳ The transfer of 123.45678901234567890123456789 H from Huge is still pending',
			),
		});
	});
});

describe('links', () => {
	test('each side has that of its network, and none if there is no explorer', async () => {
		const hash = await bridged('completed', { output: { chainId: 104, txHash: 'a/b?c' } });
		const explorer = [
			{ network: '101', address: 'https://etherscan.io/tx/' },
			{ network: 104, address: 'https://bsc.example/{hash}/view' },
		];
		expect(await first(hash, { options: { blockExplorers: { explorer } } })).toMatchObject({
			inputTxUrl: `https://etherscan.io/tx/${hash}`,
			outputTxUrl: 'https://bsc.example/a%2Fb%3Fc/view',
		});
		expect(
			await first(hash, { options: { blockExplorers: { explorer: explorer.slice(1) } } }),
		).toMatchObject({ inputTxUrl: null });
	});
});

describe('a configuration that cannot be had', () => {
	const STRANGE = [null, 1, 'a', [], {}, { chainID: null }, { chainID: 101, name: 5, tokens: [1] }];

	test.each([
		['answers with an error', { kind: 'error', code: 'INTERNAL_ERROR' }],
		['breaks off', { kind: 'drop' }],
		['is a web page', { kind: 'html' }],
		['contains no networks', { kind: 'fields', answer: { networks: 'none' } }],
		['contains other things', { kind: 'fields', answer: { networks: STRANGE } }],
	] as const)('which %s: the order comes without names', async (_name, fault) => {
		await bridge.fault({ ...fault, endpoint: 'config' } as never);
		const item = await first(await bridged('completed'));
		expect(item).toMatchObject({
			status: 'completed',
			inputNetwork: null,
			inputTokenSymbol: null,
			inputAmount: '500000000000000000',
			inputAmountReadable: null,
			summary: sentence(
				'✅ 500000000000000000 smallest units of token 0x0000…0000 from network 101 arrived on network 104',
			),
		});
	});

	test('is asked for once in an execution, however many items it has', async () => {
		await bridge.fault({ kind: 'error', endpoint: 'config', times: 'always' });
		const hash = await bridged('completed');
		const { outputs } = await check(
			Array.from({ length: 250 }, () => hash),
			{ simplify: false },
		);
		expect(outputs[0]?.map(({ json }) => [json.status, json.route])).toEqual(
			Array.from({ length: 250 }, () => ['completed', 'network 101 → network 104']),
		);
		expect(await configRequests()).toHaveLength(1);
		// Not after all of the orders: in a budget that is spent it would come too late for their names.
		expect(
			(await bridge.requests()).findIndex(({ path }) => path.endsWith('/config')),
		).toBeLessThan(100);
	});

	test('takes no place in the budget that an order waits for', async () => {
		const hash = await bridged('completed');
		bridge.credentials.data = { ...bridge.credentials.data, requestsPerMinute: 1 };
		expect(await first(hash)).toMatchObject({ status: 'completed', inputNetwork: null });
	});

	test('is asked for again in the next execution', async () => {
		await bridge.fault({ kind: 'error', endpoint: 'config', code: 'INTERNAL_ERROR' });
		const hash = await bridged('completed');
		expect(await first(hash)).toMatchObject({ inputNetwork: null });
		expect(await first(hash)).toMatchObject({ inputNetwork: 'Ethereum' });
		expect(await first(hash)).toMatchObject({ inputNetwork: 'Ethereum' });
		expect(await configRequests()).toHaveLength(2);
	});
});

test('a row that cannot be used fails with its item, before anything is sent for it', async () => {
	const hash = await bridged('completed');
	const single = await check([hash], {
		options: { blockExplorers: { explorer: [{ network: '101', address: 'etherscan.io' }] } },
	});
	expect(single.error).toMatchObject({
		message: "Row 1 of 'Block Explorers': 'Address' cannot be 'etherscan.io'",
	});
	expect(await bridge.requests()).toHaveLength(0);
	const rows = decimals(
		{ address: '={{ $json.hash }}', decimals: 6 },
		{ address: USDC_ON_BNB, decimals: '={{ $itemIndex === 1 ? "six" : 6 }}' },
	);
	const second = await check([hash, hash], rows);
	expect(second.error).toMatchObject({
		message: "Row 2 of 'Token Decimals': 'Decimals' cannot be 'six' (item 2 of 2)",
		description: 'Enter a whole number from 0 to 255, for example 6.',
	});
});

describe('Wait for Completion', () => {
	/** Long enough for one check of each order, also on a machine that has other work. */
	const BRIEFLY = { checkEvery: 1, maxMinutes: 0.1, simplify: false };
	const wait = async (hashes: string[], more: IDataObject = {}, options: ActionOptions = {}) =>
		await check(hashes, { operation: 'waitForCompletion', ...BRIEFLY, ...more }, options);

	test('reads its orders in the same way, with what the waiting took', async () => {
		const completed = await bridged('completed');
		const refunded = await bridged('refunded');
		const unknown = `0x${'cd'.repeat(32)}`;
		const { outputs, error } = await wait([completed, refunded, unknown, completed], {
			...decimals({ address: USDC_ON_BNB, decimals: 18 }),
			notFoundMinutes: 0,
		});
		expect(error).toBeUndefined();
		const summary = sentence(
			'✅ 0.5 ETH from Ethereum arrived on BNB Smart Chain as 1246.87 USDC after 12 s',
		);
		const checked = { checks: expect.any(Number), waitedSeconds: expect.any(Number) };
		const refund = sentence('↩️ The transfer of 0.5 ETH from Ethereum was refunded after 12 s');
		const isNotShown = sentence('⏳ The bridge has not found order 0xcdcd…cdcd');
		expect(outputs.map((items) => items.map(({ json }) => json))).toMatchObject([
			[
				{ summary, outputAmountReadable: '1246.87', ...checked },
				{ summary, ...checked },
			],
			[{ summary: refund, ...checked }],
			[{ summary: isNotShown, ...checked }],
		]);
		expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toEqual([
			...Object.keys(await first(completed)),
			'checks',
			'waitedSeconds',
		]);
		expect(await configRequests()).toHaveLength(1);
	});

	test('waits for no configuration', async () => {
		const hash = await bridged('completed');
		await bridge.fault({ kind: 'delay', endpoint: 'config', delaySeconds: 3600, times: 'always' });
		const { outputs } = await wait([hash]);
		expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'completed', inputNetwork: null });
		expect(await configRequests()).toHaveLength(1);
		await bridge.clearFaults();
	});

	test('a row that cannot be used fails only its own item, which is not checked', async () => {
		const [open = '', hash] = [await bridged('never'), await bridged('completed')];
		const bySomeItem = '={{ $itemIndex === 1 ? 18 : "" }}';
		const options = decimals({ address: USDC_ON_BNB, decimals: bySomeItem });
		const { outputs } = await wait([open, hash], options, { onError: 'continueRegularOutput' });
		expect(
			outputs.map((items) => items.map(({ json, pairedItem }) => [json.sourceHash, pairedItem])),
		).toEqual([[[hash, { item: 1 }]], [], [[open, { item: 0 }]]]);
		expect(outputs[2]?.[0]?.json).toMatchObject({
			outcome: null,
			error: { message: "Row 1 of 'Token Decimals': 'Decimals' is empty (item 1 of 2)" },
		});
		const asked = (await bridge.requests()).map(({ query }) => query.sourceHash);
		expect(asked).not.toContain(open);
	});
});
