import {
	EVM_WALLET,
	expectError,
	rehearseTogether,
	SOLANA_WALLET,
	USDC_ON_ETHEREUM,
} from './rehearsal';

const together = rehearseTogether();

const USDC_ON_BNB = '0xaec35434bbf2539d0817ead9841a53db27a3ae58';
const PARAMS = {
	inputNetwork: 101,
	outputNetwork: 102,
	inputTokenAmount: '1000000000000000000',
	sourceAddress: EVM_WALLET,
	destinationAddress: EVM_WALLET,
};

const ask = async (changes: object) => await together().ask('quote', { ...PARAMS, ...changes });

interface Quote {
	transactions?: Array<Record<string, string>>;
}

/** The data of a quote with these parameters in place of the usual ones. */
async function quote(changes: object): Promise<Quote> {
	const { status, data } = await ask(changes);
	expect(status).toBe(200);
	return (data as { data: Quote }).data;
}

test('a quote has the published shape, exact amounts, and one bridge transaction', async () => {
	const { data } = await together().ask('quote', PARAMS);
	expect(data).toEqual({
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
			expiry: together().clock.seconds + 300,
		},
	});
});

test.each<[string, object, object]>([
	[
		'amounts stay exact beyond what a JavaScript number can represent',
		{ inputTokenAmount: '123456789012345678901' },
		{
			tokenIn: { amount: '123456789012345678901' },
			tokenOut: { amount: '123271603828827160384' },
			fees: { total: '185185183518518517' },
		},
	],
	[
		'between tokens of 6 and 18 decimals the amount is converted exactly',
		{
			outputNetwork: 104,
			inputTokenAmount: '1000001',
			inputTokenContract: USDC_ON_ETHEREUM,
			outputTokenContract: USDC_ON_BNB,
		},
		{
			tokenIn: { symbol: 'USDC', decimals: 6, amount: '1000001', amountUSD: '1.00' },
			tokenOut: { symbol: 'USDC', decimals: 18, amount: '998501000000000000' },
		},
	],
	[
		'base points of slippage lower minAmount',
		{ slippage: 100 },
		{ tokenOut: { minAmount: '988515000000000000' } },
	],
	['no slippage keeps it', { slippage: 0 }, { tokenOut: { minAmount: '998500000000000000' } }],
	[
		'a non-EVM source has its own addresses and transaction data',
		{ inputNetwork: 201, inputTokenAmount: '1000000000', sourceAddress: SOLANA_WALLET },
		{
			tokenIn: { symbol: 'SOL', decimals: 9, address: '1'.repeat(32) },
			transactions: [{ data: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) as string }],
		},
	],
])('%s', async (_what, changes, expected) => {
	expect(await quote(changes)).toMatchObject(expected);
});

test('an ERC-20 source is approved first: exact amount, for the gateway', async () => {
	const asked = { inputTokenAmount: '5000000', inputTokenContract: USDC_ON_ETHEREUM };
	expect((await quote(asked)).transactions).toEqual([
		{
			type: 'approval',
			to: USDC_ON_ETHEREUM,
			data:
				'0x095ea7b3' +
				'00000000000000000000000015086c22a26b2862fd87a3f336b1487c87f0abd4' +
				'00000000000000000000000000000000000000000000000000000000004c4b40',
			value: '0',
			gasLimit: '60000',
		},
		expect.objectContaining({ type: 'bridge', value: '0' }),
	]);
});

test.each<[string, unknown[]]>([
	['inputNetwork', [undefined, 'ethereum', '', [101, 102]]],
	['outputNetwork', [undefined, '1.0', '101']],
	['inputTokenAmount', [undefined, '1.5', '-1', '1e18', '0x10', '0', 'ten', '9'.repeat(79)]],
	['sourceAddress', [undefined, '0x1234', SOLANA_WALLET]],
	['destinationAddress', [undefined, 'me']],
	['inputTokenContract', ['0x1234', '']],
	['outputTokenContract', [SOLANA_WALLET]],
	['slippage', ['much', '-1', '10000']],
	['showBridgeData', ['yes']],
])('%s that is missing or malformed is INVALID_PARAMETER', async (name, values) => {
	for (const value of values)
		expectError(await ask({ [name]: value }), 'INVALID_PARAMETER', value === undefined ? name : '');
});

test.each([
	['inputNetwork', 999],
	['outputNetwork', 999],
	['inputTokenContract', `0x${'9'.repeat(40)}`],
	['outputTokenContract', USDC_ON_ETHEREUM],
])('%s that does not exist is NOT_FOUND', async (name, value) => {
	expectError(await ask({ [name]: value }), 'NOT_FOUND');
});

test('above the mark of one million US dollars there is INSUFFICIENT_LIQUIDITY', async () => {
	await quote({ inputTokenAmount: '400000000000000000000' });
	expectError(await ask({ inputTokenAmount: '400000010000000000000' }), 'INSUFFICIENT_LIQUIDITY');
});
