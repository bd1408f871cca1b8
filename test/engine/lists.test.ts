import { n8nClock } from '../../nodes/CrossChainBridge/service/n8nClock';
import type { Fault } from '../../sandbox';
import { TestCredentials } from './credentials';
import { runAction } from './n8n';
import { showList } from './lists';
import { rehearse, type Rehearsal } from './sandboxed';

let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const chosen = (value: unknown, mode = 'list') => ({ __rl: true, mode, value });
const networks = async (filter?: string) =>
	await showList(bridge.credentials, 'searchNetworks', { filter });
const tokensOf = async (fromNetwork: unknown, filter?: string) =>
	await showList(bridge.credentials, 'searchFromTokens', {
		parameters: { operation: 'getQuote', specifyQuote: 'fields', fromNetwork } as never,
		filter,
	});
const toTokensOf = async (toNetwork: unknown) =>
	await showList(bridge.credentials, 'searchToTokens', {
		parameters: { operation: 'getQuote', toNetwork } as never,
	});

describe('networks', () => {
	test('name and ID are shown, the value is the service’s own ID', async () => {
		const { entries } = await networks();
		expect(entries[0]).toEqual({ name: 'Ethereum (101)', value: '101' });
		expect(entries).toHaveLength(6);
	});

	test('are searched', async () => {
		const { entries, error } = await networks('  BASE ');
		expect([entries.map(({ value }) => value), error]).toEqual([['102'], null]);
		expect(await networks('nowhere')).toEqual({ entries: [], error: null });
	});
});

describe('tokens', () => {
	test('the chosen network’s: the native one first, then in the service’s order', async () => {
		const { entries } = await tokensOf(chosen('101'));
		expect(entries.map(({ name }) => name)).toEqual([
			'Native token (ETH)',
			'USDC (0x166c…128b)',
			'USDT (0x05ae…bbc0)',
			'WBTC (0x77d7…02c0)',
			'DAI (0xc14c…9762)',
		]);
		expect(entries[0]?.value).toBe(`0x${'0'.repeat(40)}`);
		expect(entries[1]?.value).toBe('0x166cab27f2cbb40426a5742c477d609e0716128b');
	});

	test('are searched', async () => {
		const found = async (filter: string) => await tokensOf(chosen('101', 'id'), filter);
		const entries = (await found('0X77D7')).entries.map(({ name }) => name);
		expect(entries).toEqual(['WBTC (0x77d7…02c0)']);
		expect(await found('nothing')).toEqual({ entries: [], error: null });
	});

	const EACH =
		"Each network has tokens of its own. If 'From Network' is an expression, run the previous node first, or use the Address mode to enter the token.";
	const CHECK_ID = "Choose it from the list of 'From Network', or check the ID or name there.";

	test.each`
		which                              | network                                 | message                                                                 | description
		${'none yet'}                      | ${chosen('')}                           | ${"Choose 'From Network' first"}                                        | ${EACH}
		${'none at all'}                   | ${undefined}                            | ${"Choose 'From Network' first"}                                        | ${EACH}
		${'one that the service lacks'}    | ${chosen('999', 'id')}                  | ${"The network in 'From Network' is not one of this bridge's networks"} | ${CHECK_ID}
		${'an expression without a value'} | ${chosen('={{ $json.network }}', 'id')} | ${"Choose 'From Network' first"}                                        | ${EACH}
	`(
		'with the network $which there is a sentence',
		async ({
			network,
			message,
			description,
		}: {
			network: unknown;
			message: string;
			description: string;
		}) => {
			expect((await tokensOf(network)).error).toEqual({ message, description, httpCode: null });
			expect((await toTokensOf(network)).error?.message).toBe(
				message.replace('From Network', 'To Network'),
			);
		},
	);

	test.each<[string, unknown]>([
		['with spaces', chosen(' 102 ', 'id')],
		['as a number', chosen(102)],
		['as the plain value of an expression', 102],
	])('a network given %s is understood', async (_name, network) => {
		const { entries } = await tokensOf(network);
		expect(entries).toHaveLength(3);
	});

	test('a network whose tokens the service does not name gets a sentence', async () => {
		await bridge.fault({ kind: 'fields', answer: { networks: [{ chainID: 7, name: 'Bare' }] } });
		const { error } = await tokensOf(chosen('7'));
		expect(error).toMatchObject({
			message: 'The bridge lists no tokens for Bare',
			description:
				"Use the Address mode to enter the token, or NATIVE for the network's own token.",
		});
	});

	test('while the configuration cannot be had, the way around is said', async () => {
		await bridge.fault({ kind: 'html', times: 'always' });
		const { error } = await toTokensOf(chosen('101'));
		expect(error?.description).toMatch(/Until then, use the Address mode to enter the token\.$/);
	});
});

test('all lists of a node cost one request, however many ask at once', async () => {
	const operation = 'getQuote';
	const parameters = { operation, fromNetwork: chosen('101'), toNetwork: chosen('102') };
	const methods = ['searchNetworks', 'searchFromTokens', 'searchToTokens'] as const;
	await Promise.all(
		[...methods, ...methods].map(
			async (method) => await showList(bridge.credentials, method, { parameters }),
		),
	);
	await networks('base');
	expect(await bridge.requests()).toHaveLength(1);
});

test('what Get Config gets of all networks the lists show from then on; of one network, or what the workflow makes of it, they do not', async () => {
	const network = { chainID: 7, name: 'New', tokens: { USDC: '0x1' } };
	const onlyNew = { kind: 'fields', answer: { networks: [network] } } as const;
	const getConfig = async (network: string) =>
		await runAction(bridge.credentials, { operation: 'getConfig', network: chosen(network, 'id') });
	await networks();
	await bridge.fault(onlyNew);
	expect((await getConfig('7')).outputs[0]).toHaveLength(1);
	expect((await networks()).entries).toHaveLength(6);
	await bridge.fault(onlyNew);
	const { outputs } = await getConfig('');
	Object.assign(outputs[0]?.[0]?.json.tokens as object, { USDC: '0x2' });
	expect((await networks()).entries).toEqual([{ name: 'New (7)', value: '7' }]);
	expect((await tokensOf(chosen('7'))).entries).toMatchObject([{ value: '0x1' }]);
	expect(await bridge.requests()).toHaveLength(3);
});

test('another key or another address shows at once', async () => {
	await networks();
	const { data } = bridge.credentials;
	bridge.credentials.data = { ...data, apiKey: 'wrong' };
	expect((await networks()).error?.httpCode).toBe('401');
	const { credentials, fault } = await rehearse();
	await fault({ kind: 'fields', answer: { networks: [] } });
	bridge.credentials.data = credentials.data;
	expect(await networks()).toEqual({ entries: [], error: null });
});

describe('a list that cannot be had says why', () => {
	const WRONG_KEY = 'The bridge does not accept the API key. Correct it in the credential.';

	test.each<[string, object, string, string | null]>([
		['a wrong key', { apiKey: 'wrong' }, WRONG_KEY, '401'],
		['no key', { apiKey: '' }, 'The credential has no API key', null],
		['no address', { baseUrl: '' }, 'The credential has no Base URL', null],
		[
			'an address where nothing answers',
			{ baseUrl: 'http://127.0.0.1:9' },
			'The bridge could not be reached',
			null,
		],
	])('%s', async (_name, data, message, httpCode) => {
		const credentials = new TestCredentials({ ...bridge.credentials.data, ...data });
		const { error } = await showList(credentials, 'searchNetworks');
		expect(error).toMatchObject({ message, httpCode });
		expect(error?.description).toMatch(/Until then, use By ID to enter the network\.$/);
		// The panel drops sentences with such words, and everything at a dash is torn apart.
		expect(error?.message).not.toMatch(/check\s+(your\s+)?credentials?|[-–—]/);
	});

	test('the limit, at once and with the time to wait', async () => {
		await bridge.fault({ kind: 'error', code: 'RATE_LIMITED', retryAfterSeconds: 40 });
		const { error } = await networks();
		expect(error).toMatchObject({
			message: "The bridge's request limit was reached",
			httpCode: '429',
			description: expect.stringContaining('Try again in 40 seconds'),
		});
		// While the service's pause lasts, the message comes without another request.
		const again = await tokensOf(chosen('101'));
		expect(again.error?.message).toBe("The bridge's request limit was reached");
		expect(await bridge.requests()).toHaveLength(1);
	});

	test.each([0, 0.999])(
		'a limit without a stated time only if it persists: its pause is waited out, also right after a start (chance %d)',
		async (chance) => {
			jest.spyOn(Math, 'random').mockReturnValue(chance);
			const waits = jest.spyOn(n8nClock, 'sleep');
			await bridge.fault({ kind: 'error', code: 'RATE_LIMITED' });
			expect((await networks()).entries).toHaveLength(6);
			expect(await bridge.requests()).toHaveLength(2);
			const waitedMs = waits.mock.calls.reduce((sum, [ms]) => sum + ms, 0);
			expect(waitedMs).toBeLessThanOrEqual(5_000);
		},
	);

	test.each<[Fault, string]>([
		[{ kind: 'html' }, 'The Base URL does not lead to the bridge. Correct it in the credential.'],
		[{ kind: 'error', code: 'INTERNAL_ERROR' }, 'The bridge is temporarily unavailable'],
		[{ kind: 'fields', absent: ['networks'] }, "The bridge's response could not be read"],
	])('and comes when what was wrong (%j) is fixed, with the same node', async (fault, message) => {
		await bridge.fault(fault);
		expect((await networks()).error?.message).toBe(message);
		expect((await networks()).entries).toHaveLength(6);
	});
});

test('Get Config takes a network from the list, and all with nothing chosen', async () => {
	const chainIds = async (network: unknown) =>
		(
			await runAction(bridge.credentials, { operation: 'getConfig', network: network as never })
		).outputs[0]?.map(({ json }) => json.chainID);
	expect(await chainIds({ ...chosen('102'), cachedResultName: 'Base (102)' })).toEqual([102]);
	expect(await chainIds(chosen(''))).toHaveLength(6);
	expect(await chainIds(undefined)).toHaveLength(6);
	// As text or a number, where an expression gives the whole field.
	expect(await chainIds('103')).toEqual([103]);
});
