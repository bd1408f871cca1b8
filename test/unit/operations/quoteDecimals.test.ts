import type { OperationInput } from '../../../nodes/CrossChainBridge/fields/parameters';
import { rejected } from '../service/rejected';
import { failed, found, simulatedService } from '../simulatedService';
import type { KnownDecimals } from '../../../nodes/CrossChainBridge/orders/display';
import { errorDetails } from '../../../nodes/CrossChainBridge/operations/operation';
import {
	type AmountOf,
	checkDecimals,
	knownDecimals,
	type Learned,
	learnedDecimals,
	unknownDecimalsError,
} from '../../../nodes/CrossChainBridge/operations/quoteAmount';

/** Where the service has these networks; null: an outage. */
function account(networks: object[] | null = []): OperationInput {
	const service = simulatedService({
		clock: { now: () => 0, sleep: async () => await Promise.resolve() },
		config: () => (networks === null ? failed(rejected(503)) : found({ networks })),
	});
	const context = { getNode: () => ({ name: 'Bridge', type: 'bridge', parameters: {} }) };
	return { service, itemIndex: 0, context } as unknown as OperationInput;
}

const tokenDecimals: ReadonlyMap<string, number> = new Map();
const token = (address: string, network = '1'): AmountOf => ({
	network,
	token: address,
	tokenDecimals,
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
		const learned = new Map<string, Promise<Learned>>();
		let asked = 0;
		const ask = async () => await Promise.resolve(said[asked++] as Learned);
		const tokens = ['0xAB', '0xab', '0xAb'].map((address) => token(address));
		expect(
			await Promise.all(tokens.map(async (of) => await learnedDecimals(learned, of, {}, ask))),
		).toEqual(expected);
		expect(await learnedDecimals(learned, token('0xab'), {}, ask)).toEqual(expected.at(-1));
		expect(asked).toBe(said.length);
	});

	test('what one question is rejected for is no other question’s', async () => {
		const learned = new Map<string, Promise<Learned>>();
		const asking = (recipient: string, said: Learned) =>
			learnedDecimals(
				learned,
				token('0x1'),
				{ recipient },
				async () => await Promise.resolve(said),
			);
		expect(await asking('wrong', REJECTED)).toBe(REJECTED);
		expect(await asking('wrong', SIX)).toBe(REJECTED);
		const expected = [REJECTED, SIX];
		expect(await Promise.all([asking('bad', REJECTED), asking('right', SIX)])).toEqual(expected);
		expect(await asking('wrong', REJECTED)).toBe(SIX);
	});

	test('of one token does not wait for another, on another network neither', async () => {
		const learned = new Map<string, Promise<Learned>>();
		const never = learnedDecimals(
			learned,
			token('0x1'),
			{},
			async () => await new Promise<Learned>(() => undefined),
		);
		for (const other of [token('0x2'), token('0x1', '2')])
			expect(
				await learnedDecimals(learned, other, {}, async () => await Promise.resolve(SIX)),
			).toBe(SIX);
		expect(await Promise.race([never, Promise.resolve('waits')])).toBe('waits');
	});
});

const ZERO = `0x${'0'.repeat(40)}`;
const ETHEREUM = { chainID: 1, decimals: 18, tokens: { NATIVE: '0xee' } };
const SILENT = { chainID: 1, tokens: { NATIVE: '0xee' } };
const LOOK_UP =
	"Find them on the token's page in a block explorer (usually named Decimals), then add the option 'Token Decimals' with the token's address, or enter 'Amount' in the smallest unit.";

describe('the decimals that are known without a quote', () => {
	const row = (address: string, decimals: number) => new Map([[address, decimals]]);

	const NONE: ReadonlyMap<string, number> = new Map();
	const FROM_OPTION = row(ZERO, 18);
	const OTHER_NETWORK = { ...ETHEREUM, chainID: 2 };

	test.each<
		[string, object[] | null, string, ReadonlyMap<string, number>, KnownDecimals['from'] | null]
	>([
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
	])('%s: %#', async (_what, networks, address, tokenDecimals, from) => {
		expect(await knownDecimals(account(networks), { ...token(address), tokenDecimals })).toEqual(
			from === null ? null : { decimals: 18, from },
		);
	});

	const UNKNOWN = 'The decimals of the token are not known [item 0]';
	const NO_NETWORK = "The bridge has no network with the ID in 'From Network'. Check it.";
	const NOWHERE = `The configuration does not state the decimals of this network's native token. ${LOOK_UP}`;
	const DOWN = 'The bridge is temporarily unavailable';
	const WITHOUT: unknown = expect.stringMatching(
		/The configuration was asked for the decimals of the token\. With the option 'Token Decimals', or with 'Amount' in the smallest unit, the configuration is not needed\.$/,
	);

	test.each<[string, object[] | null, ReadonlyMap<string, number>, string, unknown]>([
		['the network is not known', [OTHER_NETWORK], NONE, UNKNOWN, NO_NETWORK],
		['nothing states them', [SILENT], NONE, UNKNOWN, NOWHERE],
		['there is no configuration', null, NONE, DOWN, WITHOUT],
	])('a sentence where %s', async (_what, networks, tokenDecimals, message, description) => {
		await expect(
			knownDecimals(account(networks), { ...token(''), tokenDecimals }),
		).rejects.toMatchObject({ message, description, context: { itemIndex: 0 } });
	});
});

describe('a quote that states other decimals than were used', () => {
	const NOT_PASSED_ON =
		'The quote was discarded because it is for a different amount than you entered.';

	const BY_OPTION = "'Token Decimals' is 6, but the bridge says that the token has 8 decimals";
	const CORRECT =
		"Correct the row of the option 'Token Decimals' or remove it: the bridge states the decimals of this token by itself.";
	const ASK =
		"Enter 'Amount' in the smallest unit, or ask the operator of the bridge which is right.";
	const BY_QUOTE = 'The bridge said that the token has 6 decimals, and now says 8';

	test.each<[KnownDecimals['from'], string, string]>([
		['tokenDecimalsOption', BY_OPTION, CORRECT],
		['networkConfig', BY_QUOTE, ASK],
		['service', BY_QUOTE, ASK],
	])('from the %s: it stops with both', (from, message, remedy) => {
		const input = account();
		const check = (stated: number | null) => checkDecimals(input, { decimals: 6, from }, stated);
		check(null);
		check(6);
		expect(() => check(8)).toThrow(
			expect.objectContaining({
				message: `${message} [item 0]`,
				description: `${NOT_PASSED_ON} ${remedy}`,
			}),
		);
	});
});

const NOT_KNOWN = 'The decimals of the token are not known [item 0]';

test('decimals that no quote states: the sentence says where to find them', () => {
	expect(unknownDecimalsError(account(), null)).toMatchObject({
		message: NOT_KNOWN,
		description: `The bridge does not state them. ${LOOK_UP}`,
	});
});

test.each`
	words                                                       | message                           | quoted
	${'<b>destinationAddress</b> is wrong'}                     | ${"'Recipient' was not accepted"} | ${'＜b＞Recipient＜/b＞ is wrong'}
	${'inputTokenAmount is too small'}                          | ${NOT_KNOWN}                      | ${'Amount is too small'}
	${'the pool of inputTokenContract and outputTokenContract'} | ${NOT_KNOWN}                      | ${'the pool of From Token and To Token'}
`(
	'a test quote that is rejected with "$words" names the field that is wrong, and the decimals else',
	({ words, message, quoted }: Record<'words' | 'message' | 'quoted', string>) => {
		const refused = rejected(400, 'INVALID_PARAMETER', words);
		const error = unknownDecimalsError(account(), refused);
		const known = { message, httpCode: '400' };
		const context = { itemIndex: 0, code: 'INVALID_PARAMETER' };
		expect(error).toMatchObject({ ...known, context });
		// n8n's editor shows a description as HTML.
		expect(error.description).not.toContain('<');
		expect(errorDetails(error)).toEqual({
			...known,
			code: 'INVALID_PARAMETER',
			description: `A small test quote was requested to learn the token's decimals, but the bridge returned none: Check what was entered. The bridge responded with INVALID_PARAMETER (HTTP 400): "${quoted}". ${LOOK_UP}`,
		});
	},
);
