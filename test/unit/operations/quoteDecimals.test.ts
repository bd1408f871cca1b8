import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { itemInput } from '../../../nodes/CrossChainBridge/fields/parameters';
import { errorDetails, type NodeError } from '../../../nodes/CrossChainBridge/operations/operation';
import {
	type QuoteInput,
	quoteOfTokenUnits,
	type TokenUnits,
} from '../../../nodes/CrossChainBridge/operations/quoteAmount';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import { nodeWith } from '../node';
import { rejected } from '../service/rejected';

/** Where the decimals of an amount in token units come from, and what is said if they come from nowhere. */

const ZERO = `0x${'0'.repeat(40)}`;
const ETHEREUM = { chainID: 1, decimals: 18, tokens: { NATIVE: '0xee' } };
const SILENT = { chainID: 1, tokens: { NATIVE: '0xee' } };
const LOOK_UP =
	"Find the number of decimals on the token's page in a block explorer, then add the option 'Token Decimals' with the token's address, or enter 'Amount' in the smallest unit.";

/** Null: the bridge is down. */
type Networks = IDataObject[] | null;
/** What a quote says of the token's decimals, or why there is no quote. */
type Said = number | null | ServiceError;
const isError = (said: Said): said is ServiceError => typeof said === 'object' && said !== null;

/** An execution in which the first quotes say this, and all others nothing. */
function execution(said: Said[] = [], networks: Networks = [], token: IDataObject = {}) {
	const asked: IDataObject[] = [];
	const quote = async (parameters: IDataObject): Promise<ServiceResponse> => {
		const next = said[asked.push(parameters) - 1] ?? null;
		return await Promise.resolve(
			isError(next)
				? { ok: false, error: next }
				: { ok: true, data: { tokenIn: { ...token, decimals: next } } },
		);
	};
	const context = { getNode: () => nodeWith(), getInputData: () => [{ json: {} }] };
	const input = {
		...itemInput(context as unknown as IExecuteFunctions, 0),
		service: { quote },
		networks: { get: async () => await Promise.resolve(null), accountError: null },
		firstQuotes: new Map(),
	} as unknown as QuoteInput;
	const ask = async (
		address: string,
		{ amount = '1', tokenDecimals = new Map(), ...more }: Partial<TokenUnits> & IDataObject = {},
	) =>
		await quoteOfTokenUnits(input, {
			amount,
			tokenDecimals,
			configuration:
				networks === null ? { ok: false, error: rejected(503) } : { ok: true, networks },
			parameters: { inputNetwork: '1', inputTokenContract: address, ...more },
		});
	return { asked, ask, amounts: () => asked.map(({ inputTokenAmount }) => inputTokenAmount) };
}

const failureOf = async (quote: Promise<unknown>): Promise<NodeError> =>
	await quote.then(
		() => {
			throw new Error('There is a quote');
		},
		(error: NodeError) => error,
	);

describe('learning in one execution', () => {
	const REJECTED = rejected(400);
	const OUTAGE = rejected(503);

	const SPELLED = ['0xAB', '0xab', '0xAb'];

	test.each<[string, Said[], number, string[]]>([
		['what is said counts for all', [8], 1, SPELLED],
		['nor is asked again what nobody states', [null], 1, SPELLED],
		['or what is rejected', [REJECTED], 1, ['0xab', '0xab', '0xab']],
		['what may pass is asked by the next one', [OUTAGE, 8], 2, SPELLED],
	])('%s', async (_what, said, times, tokens) => {
		const { ask, asked } = execution(said);
		// The amounts have more decimals than the token, so that nothing else is asked for.
		const asking = tokens.map(
			async (address) => await failureOf(ask(address, { amount: '0.123456789' })),
		);
		const [, ...others] = (await Promise.all(asking)).map(({ message }) => message);
		expect(asked).toHaveLength(times);
		expect(new Set(others).size).toBe(1);
		await failureOf(ask('0xab', { amount: '0.123456789' }));
		expect(asked).toHaveLength(times);
	});

	test('what one question is rejected for is no other question’s', async () => {
		const { ask, asked } = execution([REJECTED, REJECTED, 6]);
		await failureOf(ask('0x1', { recipient: 'wrong' }));
		await failureOf(ask('0x1', { recipient: 'wrong' }));
		expect(asked).toHaveLength(1);
		const [bad, right] = [ask('0x1', { recipient: 'bad' }), ask('0x1', { recipient: 'right' })];
		await failureOf(bad);
		await right;
		expect(asked).toHaveLength(3);
		// Its own amount is asked for, with the decimals that are known by now.
		await ask('0x1', { recipient: 'wrong', amount: '2' });
		expect(asked.at(-1)).toMatchObject({ recipient: 'wrong', inputTokenAmount: '2000000' });
		expect(asked).toHaveLength(4);
	});

	test('one token is not another, on another network neither', async () => {
		const { ask, amounts } = execution([6, 8, null, 3]);
		await ask('0x1');
		await ask('0x2');
		await ask('0x1', { inputNetwork: '2' });
		expect(amounts()).toEqual(['1000000', '1000000', '100000000', '1000000', '1000']);
	});
});

describe('the decimals that are known without a quote', () => {
	const row = (address: string, decimals: number) => new Map([[address, decimals]]);
	const NONE: ReadonlyMap<string, number> = new Map();
	const FROM_OPTION = row(ZERO, 18);
	const OTHER_NETWORK = { ...ETHEREUM, chainID: 2 };
	const OPTION = /^'Token Decimals' is 18, but the bridge says that the token has 8 decimals$/;
	const CONFIG =
		/^The bridge gave two different numbers of decimals for this token \(18, then 8\)$/;
	const OPTION_REMEDY =
		"Correct the row of the option 'Token Decimals' or remove it: the bridge states the decimals of this token by itself.";
	const CONFIG_REMEDY =
		"Enter 'Amount' in the smallest unit, or ask your bridge which number is correct.";

	test.each<[string, Networks, string, ReadonlyMap<string, number>, RegExp | null]>([
		['of the native token', [ETHEREUM], '', NONE, CONFIG],
		['of the native token by an address of zeros', [ETHEREUM], ZERO, NONE, CONFIG],
		['of the native token by its name', [ETHEREUM], '0xee', NONE, CONFIG],
		['of the native token, with a row that agrees', [ETHEREUM], '', FROM_OPTION, CONFIG],
		['of the native token, whatever a row says', [ETHEREUM], '', row(ZERO, 6), CONFIG],
		['of the native token, with another row', [ETHEREUM], '', row('0xab', 6), CONFIG],
		['of the native token, which a row states', [SILENT], ZERO, FROM_OPTION, OPTION],
		['of the native token, with a row only', null, '', FROM_OPTION, OPTION],
		['of a network listed twice', [ETHEREUM, { ...ETHEREUM }], '', NONE, CONFIG],
		['of a token with a row only', null, '0xAB', row('0xab', 18), OPTION],
		['of a token without a row or a configuration', null, '0xab', NONE, null],
		['of a token under another name', [ETHEREUM], '0xab', NONE, null],
		['of a token whose network is not known', [], '0xab', NONE, null],
		['of what is called native, without decimals', [SILENT], '0xee', NONE, null],
		['of another network’s native token', [OTHER_NETWORK], '0xee', NONE, null],
	])('%s: %#', async (_what, networks, address, tokenDecimals, contradicted) => {
		const silent = execution([], networks);
		const quote = silent.ask(address, { tokenDecimals });
		if (contradicted === null) {
			expect(await failureOf(quote)).toMatchObject({ description: expect.stringMatching(/state/) });
			// Asked for as if the token had six.
			expect(silent.amounts()).toEqual(['1000000']);
			return;
		}
		await quote;
		expect(silent.amounts()).toEqual([`1${'0'.repeat(18)}`]);
		await execution([18], networks).ask(address, { tokenDecimals });
		const contradicting = execution([8], networks).ask(address, { tokenDecimals });
		const remedy = contradicted === OPTION ? OPTION_REMEDY : CONFIG_REMEDY;
		expect(await failureOf(contradicting)).toMatchObject({
			message: expect.stringMatching(contradicted),
			description: `The quote was discarded because it may be for a different amount. ${remedy}`,
		});
	});

	const UNKNOWN = 'The number of decimals of this token is unknown';
	const NOWHERE = `The bridge's configuration doesn't state it for this network's native token. ${LOOK_UP}`;
	const WITHOUT: unknown = expect.stringMatching(
		/To work without it, enter 'Amount' in the smallest unit, or add the option 'Token Decimals'\.$/,
	);

	test.each<[string, Networks, string, unknown]>([
		['nothing states them', [SILENT], UNKNOWN, NOWHERE],
		[
			'two entries of the network differ',
			[ETHEREUM, { ...ETHEREUM, decimals: 6 }],
			UNKNOWN,
			NOWHERE,
		],
		['there is no configuration', null, 'The bridge is temporarily unavailable', WITHOUT],
	])('a sentence if %s', async (_what, networks, message, description) => {
		const { ask, asked } = execution([], networks);
		expect(await failureOf(ask(''))).toMatchObject({ message, description });
		expect(asked).toEqual([]);
	});
});

test('two quotes that state different decimals', async () => {
	expect(await failureOf(execution([8, 9]).ask('0xab'))).toMatchObject({
		message: 'The bridge gave two different numbers of decimals for this token (8, then 9)',
	});
});

const NOT_KNOWN = 'The number of decimals of this token is unknown';

test('decimals that no quote states: the sentence says where to find them', async () => {
	expect(await failureOf(execution([null]).ask('0xab'))).toMatchObject({
		message: NOT_KNOWN,
		description: `The bridge doesn't state it. ${LOOK_UP}`,
	});
	expect((await failureOf(execution([6], [], { address: '0xcd' }).ask('0xab'))).message).toBe(
		"The quote is for a different token than 'From Token'",
	);
});

test.each<[ServiceError, boolean]>([
	[rejected(400, 'INVALID_PARAMETER', 'inputTokenAmount is too small'), true],
	[rejected(400, 'AMOUNT_TOO_LOW'), true],
	[rejected(400, 'INVALID_PARAMETER', 'inputNetwork is not supported'), false],
	[rejected(404, 'NOT_FOUND'), false],
	[rejected(503), false],
	[rejected(401), false],
])('that %j is about the amount: %j', async (error, expected) => {
	const { message } = await failureOf(execution([error]).ask('0xab'));
	expect(message === NOT_KNOWN).toBe(expected);
});

test.each([
	['inputNetwork', 'From Network'],
	['outputNetwork', 'To Network'],
])(
	'a first quote whose %s is rejected names that field, as any quote does, and no decimals',
	async (name, label) => {
		const error = rejected(400, 'INVALID_PARAMETER', `${name} is not supported`);
		const failure = await failureOf(execution([error]).ask('0xab'));
		expect(failure.message).toBe(`'${label}' was not accepted`);
		expect(failure.description).toContain(`${label} is not supported`);
		expect(failure.description).not.toContain('decimals');
	},
);

test.each([
	['0.25', 1, 'this token has 1'],
	['0.25', 0, 'this token has 0'],
])(
	'%s has more decimals than the %i of the token, and is not rounded',
	async (amount, decimals, words) => {
		const tokenDecimals = new Map([['0xab', decimals]]);
		expect(await failureOf(execution().ask('0xab', { amount, tokenDecimals }))).toMatchObject({
			message: "'Amount' has more decimals than the token",
			description: `Remove the extra decimals (${words}). Nothing is rounded, so that the amount is exactly what you enter.`,
		});
	},
);

test('a first quote for one token is not the quote of an amount with more decimals than the bridge states', async () => {
	const { ask, amounts } = execution([6]);
	expect(await failureOf(ask('0xab', { amount: '0.1234567' }))).toMatchObject({
		message: "'Amount' has more decimals than the token",
		description: expect.stringContaining('this token has 6'),
	});
	expect(amounts()).toEqual(['1000000']);
});

test.each`
	words                                                       | message                           | quoted
	${'<b>destinationAddress</b> is wrong'}                     | ${"'Recipient' was not accepted"} | ${'＜b＞Recipient＜/b＞ is wrong'}
	${'inputTokenAmount is too small'}                          | ${NOT_KNOWN}                      | ${'Amount is too small'}
	${'the pool of inputTokenContract and outputTokenContract'} | ${NOT_KNOWN}                      | ${'the pool of From Token and To Token'}
`(
	'a first quote that is rejected with "$words" names the field that is wrong, otherwise the decimals',
	async ({ words, message, quoted }: Record<'words' | 'message' | 'quoted', string>) => {
		const { ask } = execution([rejected(400, 'INVALID_PARAMETER', words)]);
		const error = await failureOf(ask('0xab'));
		expect(error).toMatchObject({ message, context: { itemIndex: 0, code: 'INVALID_PARAMETER' } });
		const { description } = errorDetails(error);
		// n8n's editor shows a description as HTML.
		expect(description).not.toContain('<');
		expect(description).toContain(quoted);
		expect(description).toMatch(
			/^To find the token.s number of decimals, the node asked for a quote as if the token had 6 decimals, and the bridge rejected that request\. Check /,
		);
		expect(description).toContain(LOOK_UP);
	},
);
