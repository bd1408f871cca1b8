import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { byAddress, GET_QUOTE, USDC } from './quoteFields';
import { ranAction } from './ranAction';
import { beginCompleted, checksAskedFor, n8nWith, rehearse, type Rehearsal } from './sandboxed';

/** Whose fault an error is, as the operations tell it: the key's and the address's, the order's, or nobody's. */

let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;
const GET_STATUS = { operation: 'getStatus', sourceHash: HASH };
const WAIT = { operation: 'waitForCompletion', sourceHash: HASH, checkEvery: 1 };

const run = async (parameters: IDataObject) => await ranAction(bridge, parameters);
const always = async (fault: Fault) => await bridge.fault({ ...fault, times: 'always' });
const checks = async () => await checksAskedFor(bridge);

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
			{ parameters: { sourceHashes, options: { keepChecking: false } } },
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
		[
			'Get Config of one network by ID',
			{ operation: 'getConfig', network: { __rl: true, mode: 'id', value: '101' } },
		],
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

test('Get Status does not blame the key for one order that only it may not see', async () => {
	const statuses = [401, 403];
	const hashes = [HASH, OTHER_HASH];
	for (const [index, sourceHash] of hashes.entries()) {
		const status = statuses[index];
		await always({ kind: 'error', endpoint: 'status', sourceHash, status, code: 'FORBIDDEN' });
	}
	const ran = hashes.map(async (sourceHash) => (await run({ ...GET_STATUS, sourceHash })).error);
	expect(await Promise.all(ran)).toEqual(
		statuses.map((status) =>
			expect.objectContaining({
				httpCode: String(status),
				message: expect.stringContaining('The bridge did not accept the request'),
			}),
		),
	);
});

test('Wait for Completion does not blame the key for an order that only it may not see: the order is still open', async () => {
	for (const [sourceHash, status] of [
		[HASH, 401],
		[OTHER_HASH, 403],
	] as const)
		await always({ kind: 'error', endpoint: 'status', sourceHash, status, code: 'FORBIDDEN' });
	const ran = [HASH, OTHER_HASH].map(
		async (sourceHash) => await run({ ...WAIT, sourceHash, maxMinutes: 0.05 }),
	);
	for (const { outputs, error } of await Promise.all(ran)) {
		expect(error).toBeUndefined();
		expect(outputs[2]?.[0]?.json.summary).toMatch(/could not be checked/i);
		expect(JSON.stringify(outputs)).not.toContain('API key');
	}
});
