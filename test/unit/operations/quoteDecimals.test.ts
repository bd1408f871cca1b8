import type {
	NetworksResponse,
	OperationInput,
} from '../../../nodes/CrossChainBridge/fields/parameters';
import { nodeWith } from '../node';
import { rejected } from '../service/rejected';
import type { KnownDecimals } from '../../../nodes/CrossChainBridge/orders/display';
import { errorDetails, type NodeError } from '../../../nodes/CrossChainBridge/operations/operation';
import {
	type AmountOf,
	assertDecimalsMatch,
	isAboutAmount,
	knownDecimals,
	type Learned,
	learnDecimals,
	type LearnedDecimals,
	unknownDecimalsError,
} from '../../../nodes/CrossChainBridge/operations/quoteAmount';

const INPUT = {
	itemIndex: 0,
	context: { getNode: () => nodeWith(), getInputData: () => [{ json: {} }] },
} as unknown as OperationInput;

const token = (address: string, network = '1'): AmountOf => ({
	network,
	token: address,
	tokenDecimals: new Map(),
});

describe('learning in one execution', () => {
	const SIX: Learned = 6;
	const SILENCE: Learned = null;
	const REJECTED: Learned = rejected(400);
	const OUTAGE: Learned = rejected(503);

	test.each<[string, Learned[], Learned[]]>([
		['what is said counts for all', [SIX], [SIX, SIX, SIX]],
		['nor is asked again what nobody states', [SILENCE], [SILENCE, SILENCE, SILENCE]],
		['or what is rejected', [REJECTED], [REJECTED, REJECTED, REJECTED]],
		['what may pass is asked by the next one', [OUTAGE, SIX], [OUTAGE, SIX, SIX]],
	])('%s', async (_what, said, expected) => {
		const learned: LearnedDecimals = new Map();
		let asked = 0;
		const ask = async () => await Promise.resolve(said[asked++] as Learned);
		const tokens = ['0xAB', '0xab', '0xAb'].map((address) => token(address));
		expect(
			await Promise.all(tokens.map(async (of) => await learnDecimals(learned, of, {}, ask))),
		).toEqual(expected);
		expect(await learnDecimals(learned, token('0xab'), {}, ask)).toEqual(expected.at(-1));
		expect(asked).toBe(said.length);
	});

	test('what one question is rejected for is no other question’s', async () => {
		const learned: LearnedDecimals = new Map();
		const asking = async (recipient: string, said: Learned) =>
			await learnDecimals(
				learned,
				token('0x1'),
				{ recipient },
				async () => await Promise.resolve(said),
			);
		expect(await asking('wrong', REJECTED)).toBe(REJECTED);
		expect(await asking('wrong', SIX)).toBe(REJECTED);
		const both = [asking('bad', REJECTED), asking('right', SIX)];
		expect(await Promise.all(both)).toEqual([REJECTED, SIX]);
		expect(await asking('wrong', REJECTED)).toBe(SIX);
	});

	test('of one token does not wait for another, on another network neither', async () => {
		const learned: LearnedDecimals = new Map();
		const never = learnDecimals(
			learned,
			token('0x1'),
			{},
			async () => await new Promise<Learned>(() => undefined),
		);
		for (const other of [token('0x2'), token('0x1', '2')])
			expect(await learnDecimals(learned, other, {}, async () => await Promise.resolve(SIX))).toBe(
				SIX,
			);
		expect(await Promise.race([never, Promise.resolve('waits')])).toBe('waits');
	});
});

const ZERO = `0x${'0'.repeat(40)}`;
const ETHEREUM = { chainID: 1, decimals: 18, tokens: { NATIVE: '0xee' } };
const SILENT = { chainID: 1, tokens: { NATIVE: '0xee' } };
const LOOK_UP =
	"Find it on the token's page in a block explorer, then add the option 'Token Decimals' with the token's address, or enter 'Amount' in the smallest unit.";

/** Null: the bridge is down. */
const configurationOf = (networks: Array<Record<string, unknown>> | null): NetworksResponse =>
	networks === null ? { ok: false, error: rejected(503) } : { ok: true, networks };

describe('the decimals that are known without a quote', () => {
	const row = (address: string, decimals: number) => new Map([[address, decimals]]);
	const NONE: ReadonlyMap<string, number> = new Map();
	const FROM_OPTION = row(ZERO, 18);
	const OTHER_NETWORK = { ...ETHEREUM, chainID: 2 };
	type Networks = Array<Record<string, unknown>> | null;

	test.each<[string, Networks, string, ReadonlyMap<string, number>, KnownDecimals['from'] | null]>([
		['of the native token', [ETHEREUM], '', NONE, 'networkConfig'],
		['of the native token by an address of zeros', [ETHEREUM], ZERO, NONE, 'networkConfig'],
		['of the native token by its name', [ETHEREUM], '0xee', NONE, 'networkConfig'],
		['of the native token, with a row that agrees', [ETHEREUM], '', FROM_OPTION, 'networkConfig'],
		['of the native token, whatever a row says', [ETHEREUM], '', row(ZERO, 6), 'networkConfig'],
		['of the native token, with another row', [ETHEREUM], '', row('0xab', 6), 'networkConfig'],
		['of the native token, which a row states', [SILENT], ZERO, FROM_OPTION, 'tokenDecimalsOption'],
		['of the native token, with a row only', null, '', FROM_OPTION, 'tokenDecimalsOption'],
		['of a network listed twice', [ETHEREUM, { ...ETHEREUM }], '', NONE, 'networkConfig'],
		['of a token with a row only', null, '0xAB', row('0xab', 18), 'tokenDecimalsOption'],
		['of a token without a row or a configuration', null, '0xab', NONE, null],
		['of a token under another name', [ETHEREUM], '0xab', NONE, null],
		['of a token whose network is not known', [], '0xab', NONE, null],
		['of what is called native, without decimals', [SILENT], '0xee', NONE, null],
		['of another network’s native token', [OTHER_NETWORK], '0xee', NONE, null],
	])('%s: %#', (_what, networks, address, tokenDecimals, from) => {
		const of = { ...token(address), tokenDecimals };
		expect(knownDecimals(INPUT, of, configurationOf(networks))).toEqual(
			from === null ? null : { decimals: 18, from },
		);
	});

	const UNKNOWN = 'The number of decimals of this token is unknown';
	const NOWHERE = `The bridge's configuration doesn't state those of this network's native token. ${LOOK_UP}`;
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
	])('a sentence if %s', (_what, networks, message, description) => {
		expect(() => knownDecimals(INPUT, token(''), configurationOf(networks))).toThrow(
			expect.objectContaining({ message, description }),
		);
	});
});

test.each<[KnownDecimals['from'], string, string]>([
	[
		'tokenDecimalsOption',
		"'Token Decimals' is 6, but the bridge says that the token has 8 decimals",
		"Correct the row of the option 'Token Decimals' or remove it: the bridge states the decimals of this token by itself.",
	],
	...(['networkConfig', 'service'] as const).map(
		(from): [KnownDecimals['from'], string, string] => [
			from,
			'The bridge gave two different numbers of decimals for this token (6, then 8)',
			"Enter 'Amount' in the smallest unit, or ask your bridge which number is correct.",
		],
	),
])(
	'a quote that states other decimals than those from the %s stops with both',
	(from, message, remedy) => {
		const check = (stated: number | null) =>
			assertDecimalsMatch(INPUT, { decimals: 6, from }, stated);
		check(null);
		check(6);
		const description = `The quote was discarded because it may be for a different amount. ${remedy}`;
		expect(() => check(8)).toThrow(expect.objectContaining({ message, description }));
	},
);

const NOT_KNOWN = 'The number of decimals of this token is unknown';

test('decimals that no quote states: the sentence says where to find them', () => {
	expect(unknownDecimalsError(INPUT, null)).toMatchObject({
		message: NOT_KNOWN,
		description: `The bridge doesn't state it. ${LOOK_UP}`,
	});
	expect(unknownDecimalsError(INPUT, 'otherToken').message).toBe(
		"The quote is for another token than 'From Token'",
	);
});

test.each<[Learned, boolean]>([
	[rejected(400, 'INVALID_PARAMETER', 'inputTokenAmount is too small'), true],
	[rejected(400, 'AMOUNT_TOO_LOW'), true],
	[rejected(400, 'INVALID_PARAMETER', 'inputNetwork is not supported'), false],
	[rejected(404, 'NOT_FOUND'), false],
	[rejected(503), false],
	[rejected(401), false],
])('that %j is about the amount: %j', (error, expected) => {
	expect(isAboutAmount(error as never)).toBe(expected);
});

test.each`
	words                                                       | message                           | quoted
	${'<b>destinationAddress</b> is wrong'}                     | ${"'Recipient' was not accepted"} | ${'＜b＞Recipient＜/b＞ is wrong'}
	${'inputTokenAmount is too small'}                          | ${NOT_KNOWN}                      | ${'Amount is too small'}
	${'the pool of inputTokenContract and outputTokenContract'} | ${NOT_KNOWN}                      | ${'the pool of From Token and To Token'}
`(
	'a first quote that is rejected with "$words" names the field that is wrong, otherwise the decimals',
	({ words, message, quoted }: Record<'words' | 'message' | 'quoted', string>) => {
		const error = unknownDecimalsError(INPUT, rejected(400, 'INVALID_PARAMETER', words));
		expect(error).toMatchObject({ message, context: { itemIndex: 0, code: 'INVALID_PARAMETER' } });
		const { description } = errorDetails(error as NodeError);
		// n8n's editor shows a description as HTML.
		expect(description).not.toContain('<');
		expect(description).toContain(quoted);
		expect(description).toMatch(/^To find it, the node asked for a quote as if the token had 6 /);
		expect(description).toContain(LOOK_UP);
	},
);
