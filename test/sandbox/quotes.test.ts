import { API, errorBody, EVM_WALLET, rehearse, rehearseTogether, stopAll } from './rehearsal';

afterEach(stopAll);
const together = rehearseTogether();

const USDC_ON_ETHEREUM = '0x166cab27f2cbb40426a5742c477d609e0716128b';
const USDC_ON_BNB = '0xaec35434bbf2539d0817ead9841a53db27a3ae58';
const SOLANA_WALLET = '4BCkqJvPiVKgaL2jnhyGVrEHXUygHQuLvMKbyW24brGE';

const PARAMS = {
	inputNetwork: 101,
	outputNetwork: 102,
	inputTokenAmount: '1000000000000000000',
	sourceAddress: EVM_WALLET,
	destinationAddress: EVM_WALLET,
};

interface QuoteAnswer {
	success: boolean;
	data: {
		tokenIn: Record<string, unknown>;
		tokenOut: Record<string, unknown>;
		fees: Record<string, string>;
		balanceCheck: Record<string, unknown>;
		transactions?: Array<Record<'type' | 'to' | 'data' | 'value' | 'gasLimit', string>>;
		expiry: number;
	};
}

test('a quote has the published shape, exact amounts, and one bridge transaction', async () => {
	const { client, clock } = together();
	const response = await client.get<QuoteAnswer>(`${API}/quote`, { params: PARAMS });
	expect(response.status).toBe(200);
	expect(response.data).toEqual({
		success: true,
		data: {
			tokenIn: {
				symbol: 'ETH',
				address: `0x${'0'.repeat(40)}`,
				decimals: 18,
				amount: '1000000000000000000',
				amountUSD: '2500.00',
			},
			tokenOut: {
				symbol: 'ETH',
				address: `0x${'0'.repeat(40)}`,
				decimals: 18,
				amount: '998500000000000000',
				amountUSD: '2496.25',
				minAmount: '993507500000000000',
			},
			fees: {
				platform: '800000000000000',
				builder: '200000000000000',
				solverIncentive: '500000000000000',
				total: '1500000000000000',
				percentage: '0.15',
			},
			priceImpact: '0.01',
			rewardPoints: 10,
			balanceCheck: {
				sufficient: true,
				balance: '2000000000000000000',
				required: '1000000000000000000',
			},
			transactions: [
				{
					type: 'bridge',
					to: '0x15086c22a26b2862fd87a3f336b1487c87f0abd4',
					data: expect.stringMatching(/^0x[0-9a-f]+$/) as string,
					value: '1000000000000000000',
					gasLimit: '210000',
				},
			],
			expiry: clock.seconds + 300,
		},
	});
});

test('amounts stay exact beyond what a JavaScript number can represent', async () => {
	const { client } = together();
	const inputTokenAmount = '123456789012345678901';
	const { data } = (
		await client.get<QuoteAnswer>(`${API}/quote`, { params: { ...PARAMS, inputTokenAmount } })
	).data;
	expect(data.tokenIn.amount).toBe(inputTokenAmount);
	const total = BigInt(data.fees.total ?? '');
	expect(data.tokenOut.amount).toBe(String(BigInt(inputTokenAmount) - total));
});

test('between tokens of 6 and 18 decimals the amount is converted exactly', async () => {
	const { client } = together();
	const params = {
		...PARAMS,
		outputNetwork: 104,
		inputTokenAmount: '1000001',
		inputTokenContract: USDC_ON_ETHEREUM,
		outputTokenContract: USDC_ON_BNB,
	};
	const { data } = (await client.get<QuoteAnswer>(`${API}/quote`, { params })).data;
	expect(data.tokenIn).toMatchObject({
		symbol: 'USDC',
		decimals: 6,
		amount: '1000001',
		amountUSD: '1.00',
	});
	expect(data.tokenOut).toMatchObject({
		symbol: 'USDC',
		decimals: 18,
		amount: '998501000000000000',
	});
});

test('an ERC-20 source is approved first: exact amount, for the gateway', async () => {
	const { client } = together();
	const params = { ...PARAMS, inputTokenAmount: '5000000', inputTokenContract: USDC_ON_ETHEREUM };
	const { data } = (await client.get<QuoteAnswer>(`${API}/quote`, { params })).data;
	const [approval, bridge] = data.transactions ?? [];
	expect(approval).toEqual({
		type: 'approval',
		to: USDC_ON_ETHEREUM,
		data:
			'0x095ea7b3' +
			'00000000000000000000000015086c22a26b2862fd87a3f336b1487c87f0abd4' +
			'00000000000000000000000000000000000000000000000000000000004c4b40',
		value: '0',
		gasLimit: '60000',
	});
	expect(bridge).toMatchObject({ type: 'bridge', value: '0' });
});

test('a token address is found in any case', async () => {
	const { client } = together();
	const inputTokenContract = USDC_ON_ETHEREUM.toUpperCase().replace('0X', '0x');
	const params = { ...PARAMS, inputTokenAmount: '5000000', inputTokenContract };
	expect((await client.get<QuoteAnswer>(`${API}/quote`, { params })).data.data.tokenIn.symbol).toBe(
		'USDC',
	);
});

test.each([
	[
		'base points of slippage lower minAmount',
		{ slippage: 100 },
		{ minAmount: '988515000000000000' },
	],
	['no slippage keeps it', { slippage: 0 }, { minAmount: '998500000000000000' }],
])('%s', async (_what, extra, expected) => {
	const { client } = together();
	const { data } = (
		await client.get<QuoteAnswer>(`${API}/quote`, { params: { ...PARAMS, ...extra } })
	).data;
	expect(data.tokenOut).toMatchObject(expected);
});

test('showBridgeData=false leaves the transactions out, true keeps them', async () => {
	const { client } = together();
	const ask = async (showBridgeData: boolean): Promise<QuoteAnswer> =>
		(await client.get<QuoteAnswer>(`${API}/quote`, { params: { ...PARAMS, showBridgeData } })).data;
	expect((await ask(false)).data).not.toHaveProperty('transactions');
	expect((await ask(true)).data.transactions).toHaveLength(1);
});

test('a non-EVM source has its own addresses and transaction data', async () => {
	const { client } = together();
	const params = {
		...PARAMS,
		inputNetwork: 201,
		inputTokenAmount: '1000000000',
		sourceAddress: SOLANA_WALLET,
	};
	const { data } = (await client.get<QuoteAnswer>(`${API}/quote`, { params })).data;
	expect(data.tokenIn).toMatchObject({ symbol: 'SOL', decimals: 9, address: '1'.repeat(32) });
	expect(data.transactions).toHaveLength(1);
	expect(data.transactions?.[0]?.data).toMatch(/^[A-Za-z0-9+/]+=*$/);
});

describe('rule 2: INVALID_PARAMETER', () => {
	test.each([
		'inputNetwork',
		'outputNetwork',
		'inputTokenAmount',
		'sourceAddress',
		'destinationAddress',
	])('%s missing', async (name) => {
		const { client } = together();
		const response = await client.get<{ error: { message: string } }>(`${API}/quote`, {
			params: { ...PARAMS, [name]: undefined },
		});
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
		expect(response.data.error.message).toContain(name);
	});

	test.each([
		['inputNetwork', 'ethereum'],
		['inputNetwork', ''],
		['outputNetwork', '1.0'],
		['outputNetwork', '101'],
		['inputTokenAmount', '1.5'],
		['inputTokenAmount', '-1'],
		['inputTokenAmount', '1e18'],
		['inputTokenAmount', '0x10'],
		['inputTokenAmount', '0'],
		['inputTokenAmount', 'ten'],
		['inputTokenAmount', '9'.repeat(79)],
		['sourceAddress', '0x1234'],
		['sourceAddress', SOLANA_WALLET],
		['destinationAddress', 'me'],
		['inputTokenContract', '0x1234'],
		['inputTokenContract', ''],
		['outputTokenContract', SOLANA_WALLET],
		['slippage', 'much'],
		['slippage', '-1'],
		['slippage', '10000'],
		['showBridgeData', 'yes'],
	])('%s malformed: "%s"', async (name, value) => {
		const { client } = together();
		const response = await client.get<unknown>(`${API}/quote`, {
			params: { ...PARAMS, [name]: value },
		});
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
	});

	test('a parameter given twice', async () => {
		const { client } = together();
		const response = await client.get<unknown>(`${API}/quote?inputNetwork=102`, { params: PARAMS });
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
	});

	test('an amount of which nothing would arrive', async () => {
		const { client } = together();
		const params = { ...PARAMS, inputNetwork: 102, outputNetwork: 202, inputTokenAmount: '1' };
		const destinationAddress = `0x${'3c'.repeat(32)}`;
		const response = await client.get<unknown>(`${API}/quote`, {
			params: { ...params, destinationAddress },
		});
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
	});
});

describe('NOT_FOUND', () => {
	test.each([
		['inputNetwork', 999],
		['outputNetwork', 999],
		['inputTokenContract', `0x${'9'.repeat(40)}`],
		['outputTokenContract', USDC_ON_ETHEREUM],
	])('unknown %s', async (name, value) => {
		const { client } = together();
		const response = await client.get<unknown>(`${API}/quote`, {
			params: { ...PARAMS, [name]: value },
		});
		expect(response.status).toBe(404);
		expect(response.data).toEqual(errorBody('NOT_FOUND'));
	});
});

describe('INSUFFICIENT_LIQUIDITY', () => {
	test('up to the mark there is a quote, above it there is none', async () => {
		const { client } = together();
		// 400 ETH are worth exactly the mark of one million US dollars.
		const ask = async (inputTokenAmount: string) =>
			await client.get<unknown>(`${API}/quote`, { params: { ...PARAMS, inputTokenAmount } });
		expect((await ask('400000000000000000000')).status).toBe(200);
		const above = await ask('400000010000000000000');
		expect(above.status).toBe(400);
		expect(above.data).toEqual(errorBody('INSUFFICIENT_LIQUIDITY'));
	});

	test('the mark can be set', async () => {
		const { client } = await rehearse({ liquidityUsd: 100 });
		const response = await client.get<unknown>(`${API}/quote`, { params: PARAMS });
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INSUFFICIENT_LIQUIDITY'));
	});
});
