import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { ranAction } from './ranAction';
import {
	beginCompleted,
	checksAskedFor,
	openAtFinishingAge,
	rehearse,
	type Rehearsal,
	untilAsked,
	wallClockAhead,
} from './sandboxed';
import { TestCredentials } from './credentials';
import { runAction } from './n8n';

let bridge: Rehearsal;
beforeEach(async () => {
	bridge = await rehearse({ furtherKeys: { 'key-with-a-small-limit': 0 } });
});

const HASH = `0x${'ab'.repeat(32)}`;
const NOT_FOUND = {
	message: 'Order not found',
	code: 'NOT_FOUND',
	httpCode: '404',
	description: expect.stringContaining('NOT_FOUND (HTTP 404)'),
};

const parametersWith = (more: object) => ({
	operation: 'getStatus',
	sourceHash: '={{ $json.hash }}',
	...more,
});
const check = async (hashes: Array<string | null>, parameters: object = {}, options = {}) =>
	await runAction(bridge.credentials, parametersWith(parameters), {
		items: hashes.map((hash) => ({ json: { hash } })),
		...options,
	});
const AS_ITEM = { options: { notFound: 'item' } };

test('a simplified order is ten fields; without Simplify it has all others, and the order as it came', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 60 });
	await bridge.finish(sourceHash, 'completed');
	const given = [`  ${sourceHash}\n`];
	const { outputs, error } = await check(given);
	expect(error).toBeUndefined();
	expect(outputs[0]?.[0]?.pairedItem).toEqual({ item: 0 });
	const simple = {
		summary: expect.stringMatching(
			/^✅ [\d.]+ [A-Z]+ from [A-Z][a-z]+ arrived on [A-Z][a-z]+ as .* after .* s \(0x.{4}….{4}\)$/,
		),
		status: 'completed',
		outcome: 'success',
		sent: expect.stringMatching(/^[\d.]+ [A-Z]+$/),
		received: expect.stringMatching(/^[\d.]+ [A-Z]+$/),
		reference: null,
		recipient: expect.any(String),
		finishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
		link: null,
		sourceHash,
	};
	expect(outputs[0]?.[0]?.json).toEqual(simple);
	const all = await check(given, { simplify: false });
	const leg = (side: string) => ({
		[`${side}ChainId`]: expect.any(Number),
		[`${side}Network`]: expect.any(String),
		[`${side}Token`]: expect.any(String),
		[`${side}TokenSymbol`]: expect.any(String),
		[`${side}Amount`]: expect.stringMatching(/^\d+$/),
		[`${side}AmountReadable`]: expect.stringMatching(/^[\d.]+$/),
		[`${side}DecimalsFrom`]: 'networkConfig',
		[`${side}Address`]: expect.any(String),
		[`${side}TxHash`]: expect.any(String),
		[`${side}TxUrl`]: null,
		[`${side}Time`]: expect.stringMatching(/^\d{4}-.*Z$/),
	});
	const nothing = (side: string) =>
		Object.fromEntries(Object.keys(leg(side)).map((name) => [name, null]));
	expect(all.outputs[0]?.[0]?.json).toEqual({
		...simple,
		isFinal: true,
		orderId: expect.stringMatching(/^0x[0-9a-f]+$/),
		route: expect.stringMatching(/^\w+ → \w+$/),
		...leg('input'),
		...leg('output'),
		...nothing('refund'),
		solverAddress: expect.any(String),
		solverAssignedAt: expect.any(String),
		createdAt: expect.any(String),
		expiresAt: expect.any(String),
		completedAt: expect.any(String),
		durationSeconds: expect.any(Number),
		order: expect.objectContaining({ status: 'completed' }),
	});
});

test('of a block explorer’s link the hash is taken, and the link kept', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'never' });
	const link = `https://etherscan.io/tx/${sourceHash}`;
	const { outputs } = await check([link]);
	expect(outputs[0]?.[0]?.json).toMatchObject({ sourceHash, link, status: 'pending' });
});

test('the name begins the summary, and the bridge’s own page is the link where there is no other', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 60 });
	await bridge.finish(sourceHash, 'completed');
	const options = { orderPage: 'https://bridge.example.com/o/{orderId}' };
	const named = { reference: ' Rent ', simplify: false };
	const item = async (more: object, hash = sourceHash) =>
		(await check([hash], { ...named, ...more })).outputs[0]?.[0]?.json;
	const shown = await item({ options });
	expect(shown?.summary).toMatch(/^✅ Order “Rent”: .* arrived on /);
	expect(shown?.link).toBe(`https://bridge.example.com/o/${String(shown?.orderId)}`);
	const given = `https://etherscan.io/tx/${sourceHash}`;
	expect(await item({ options }, given)).toMatchObject({ link: given });
	const network = String(shown?.outputNetwork).toUpperCase();
	const explorer = { network, address: 'https://explorer.example.com/tx/' };
	const blockExplorers = { explorer: [explorer] };
	const links = { options: { ...options, blockExplorers } };
	expect(await item(links)).toMatchObject({
		link: `https://explorer.example.com/tx/${String(shown?.outputTxHash)}`,
	});
});

test('whether what was expected has arrived is said in words and as a value', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 60 });
	await bridge.finish(sourceHash, 'completed');
	const item = async (expected: object) =>
		(await check([sourceHash], { options: expected })).outputs[0]?.[0]?.json;
	const plain = await item({});
	expect(plain).not.toHaveProperty('asExpected');
	const recipient = String(plain?.recipient).toUpperCase().replace('X', 'x');
	const received = String(plain?.received).replace('.', ',');
	const met = { expectedRecipient: recipient, minimumReceived: received };
	expect(await item(met)).toMatchObject({
		asExpected: true,
		summary: expect.not.stringContaining('⚠️'),
	});
	for (const missed of [
		{ ...met, expectedRecipient: `0x${'52'.repeat(20)}` },
		{ ...met, minimumReceived: '1 000,5 ETH' },
		{ minimumReceived: '99900000000000000000 smallest units' },
	])
		expect(await item(missed)).toMatchObject({
			asExpected: false,
			summary: expect.stringContaining('⚠️'),
		});
	// Not the token that arrived, or one that the network does not list.
	expect(await item({ minimumReceived: '0.0001 USDC' })).toMatchObject({ asExpected: false });
	expect(await item({ minimumReceived: '5 XYZ' })).toMatchObject({ asExpected: null });
});

test('a block explorer of a network that the bridge does not have is said above the output', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'never' });
	const explorer = { network: 'Ethereun', address: 'https://etherscan.io/tx/' };
	const options = { blockExplorers: { explorer: [explorer] } };
	const { outputs, run } = await check([sourceHash, sourceHash], { options });
	expect(outputs[0]).toHaveLength(2);
	expect(run.data.resultData.runData.Bridge?.[0]?.hints).toEqual([
		expect.objectContaining({
			message:
				"'Block Explorers': 'Ethereun' matches no network of this bridge, or more than one, so this block explorer is not used.",
		}),
	]);
});

test('a hash that was not found and is unlike those of most networks is said to be doubtful', async () => {
	const doubt = 'It has 63 digits; hashes of most networks have 64.';
	const short = HASH.slice(0, -1);
	await bridge.fault({ kind: 'error', endpoint: 'status', status: 503, times: 'always' });
	// An outage says nothing of the hash.
	expect((await check([short])).error?.description).not.toContain('63 digits');
	await bridge.clearFaults();
	await bridge.fault({ kind: 'error', endpoint: 'status', code: 'NOT_FOUND', times: 'always' });
	expect((await check([short])).error?.description).toContain(doubt);
	expect((await check([short], AS_ITEM)).outputs[0]?.[0]?.json.summary).toBe(
		`⏳ The bridge has not found order 0xabab…baba yet. Check the hash. ${doubt}`,
	);
});

test('an open order, a word we do not know, and missing or null parts are shown as they are', async () => {
	const hashes = await bridge.begin(
		{ end: 'never' },
		{ end: 'never', answer: { status: 'settling' } },
		{ end: 'never', answer: { input: null, output: null, solver: null, timing: null } },
		{ end: 'never', absent: ['input', 'output', 'solver', 'timing', 'status'] },
	);
	const { outputs } = await check(hashes);
	expect(outputs[0]?.map(({ json }) => [json.status, json.outcome])).toEqual([
		['pending', null],
		['settling', null],
		['pending', null],
		[null, null],
	]);
	expect(outputs[0]?.[3]?.json).toMatchObject({ recipient: null, sent: null, finishedAt: null });
});

test('many items keep their order, and one that is not found harms none of the others', async () => {
	const hashes = await openAtFinishingAge(bridge, 30);
	const asked = [...hashes.slice(0, 15), HASH, ...hashes.slice(15)];
	const { outputs } = await check(asked, {}, { onError: 'continueRegularOutput' });
	expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
		asked.map((_h, item) => ({ item })),
	);
	expect(outputs[0]?.map(({ json }) => json.sourceHash)).toEqual(
		asked.map((h) => (h === HASH ? undefined : h)),
	);
	expect(outputs[0]?.[15]?.json).toEqual({ error: NOT_FOUND });
});

test('where no item can be worked on, each becomes its error instead of the input', async () => {
	bridge.credentials.data = undefined;
	const both = [HASH, HASH];
	const { outputs, error } = await check(both, {}, { onError: 'continueRegularOutput' });
	expect(error).toBeUndefined();
	const message = expect.stringMatching(/credential/i);
	const json = { error: { code: null, httpCode: null, message, description: null } };
	expect(outputs).toEqual([[0, 1].map((item) => ({ json, pairedItem: { item } }))]);
	expect((await check(both)).error?.message).toMatch(/credential/i);
});

test('on the error output the failed item keeps what came in, and the good ones take the first output', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'never' });
	const items = [{ json: { hash: HASH, invoice: 7 } }, { json: { hash: sourceHash } }];
	const { outputs } = await check([], {}, { items, onError: 'continueErrorOutput' });
	expect(outputs[0]?.map(({ json }) => json.sourceHash)).toEqual([sourceHash]);
	expect(outputs[1]?.map(({ json }) => json)).toEqual([
		{ hash: HASH, invoice: 7, error: NOT_FOUND },
	]);
});

test.each<[string, Fault | null]>([
	['as the interface has it', null],
	['without a body', { kind: 'body', endpoint: 'status', body: '', status: 404, times: 'always' }],
])('not found, %s: stops with the code, or gives an item that says so', async (_how, fault) => {
	if (fault !== null) await bridge.fault(fault);
	expect((await check([HASH])).error).toMatchObject({
		message: 'Order not found',
		httpCode: '404',
		context: { itemIndex: 0, code: 'NOT_FOUND' },
	});
	const item = { sourceHash: HASH, status: 'notFound', outcome: null };
	expect((await check([HASH], AS_ITEM)).outputs).toMatchObject([[{ json: item }]]);
	expect((await check([HASH], { ...AS_ITEM, simplify: false })).outputs).toMatchObject([
		[{ json: { ...item, isFinal: false, order: null } }],
	]);
});

test('a hash field that an expression leaves empty fails with the item named', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'never' });
	const message = "'Source Transaction Hash' is empty (item 2 of 2)";
	const { error } = await check([sourceHash, null]);
	expect(error).toMatchObject({ message, context: { itemIndex: 1 } });
});

test('stopping the execution stops the requests, those that wait for room in the budget as well', async () => {
	const limit = 10;
	const small = new TestCredentials({
		apiKey: 'key-with-a-small-limit',
		baseUrl: bridge.sandbox.url,
		requestsPerMinute: limit,
	});
	const hashes = await openAtFinishingAge(bridge, 40);
	await bridge.fault({ kind: 'delay', delaySeconds: 3600, times: 'always' });
	let stop = () => {};
	const running = runAction(small, parametersWith({}), {
		items: hashes.map((h) => ({ json: { hash: h } })),
		onStarted: (stopIt) => (stop = stopIt),
	});
	// Some requests hang in the sandbox now, the others wait; the execution is stopped while they do.
	await untilAsked(bridge, 1);
	stop();
	await running;
	await bridge.clearFaults();
	const [probe = ''] = await bridge.begin({ end: 'never' });
	await runAction(bridge.credentials, { operation: 'getStatus', sourceHash: probe });
	const asked = await checksAskedFor(bridge);
	expect(asked.at(-1)?.sourceHash).toBe(probe);
	expect(asked.length).toBeLessThanOrEqual(limit + 1);
});

const GET_STATUS = { operation: 'getStatus', sourceHash: HASH };
const WAIT = { operation: 'waitForCompletion', sourceHash: HASH, checkEvery: 1 };
const OTHER = `0x${'cd'.repeat(32)}`;

test('a duration in milliseconds is read by the times next to it', async () => {
	const completedAt = Date.now() - 8_000;
	const timing = { createdAt: completedAt - 12_000, completedAt, duration: 12_000 };
	await beginCompleted(bridge, [HASH], { timing });
	expect((await ranAction(bridge, GET_STATUS)).item?.summary).toContain(' after 12 s ');
});

describe.each<[string, IDataObject]>([
	['Get Status', GET_STATUS],
	['Wait for Completion', { ...WAIT, notFoundMinutes: 0 }],
])('%s', (_operation, parameters) => {
	const inside = (sign: string) => `${HASH.slice(0, 9)}${sign}${HASH.slice(9)}${sign}`;
	test.each([
		...[`"${HASH}"`, `'${HASH}'`, `\`${HASH}\``, `${HASH}.`, `${HASH},`, `(${HASH})`],
		...[
			`<https://etherscan.io/tx/${HASH}>`,
			`eip155:1:${HASH}`,
			inside('\u00ad'),
			inside('\u200b'),
		],
	])('reads the hash in %s', async (sourceHash) => {
		await beginCompleted(bridge, [HASH]);
		const { item } = await ranAction(bridge, { ...parameters, sourceHash });
		expect(item).toMatchObject({ sourceHash: HASH, status: 'completed' });
	});

	test('shows the name before all else, and hands it on', async () => {
		await beginCompleted(bridge, [HASH]);
		const { item } = await ranAction(bridge, { ...parameters, reference: 'Rent' });
		expect(item).toMatchObject({
			reference: 'Rent',
			summary: expect.stringMatching(/^✅ Order “Rent”: the /),
		});
	});

	test('names the API key in the headline if it is wrong', async () => {
		bridge.credentials.data = { ...bridge.credentials.data, apiKey: 'wrong' };
		const { error } = await ranAction(bridge, parameters);
		expect(error?.message).toMatch(/API key/);
	});

	test.each(['0x9d23…9999', `${HASH},${OTHER}`, 'null', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'])(
		'does not ask for %s, which is not one hash',
		async (sourceHash) => {
			const { error } = await ranAction(bridge, { ...parameters, sourceHash });
			expect(error?.message).toContain('Source Transaction Hash');
			expect(await checksAskedFor(bridge)).toEqual([]);
		},
	);
});

test('an agent gets a field whose name comes as text', async () => {
	await beginCompleted(bridge, [HASH]);
	const chosen = { ...GET_STATUS, output: 'selectedFields', fields: 'summary' };
	const { item } = await ranAction(bridge, chosen, { asTool: true });
	expect(item).toEqual({ sourceHash: HASH, summary: expect.any(String) });
});

test('of networks with one name, the ID is said as well', async () => {
	const networks = [
		{ chainID: 101, name: 'Ethereum' },
		{ chainID: 102, name: 'Base' },
		{ chainID: 111, name: 'Ethereum' },
	];
	await bridge.fault({ kind: 'fields', endpoint: 'config', answer: { networks }, times: 'always' });
	await beginCompleted(bridge, [HASH], { input: { chainId: 101 }, output: { chainId: 102 } });
	const { item } = await ranAction(bridge, { ...GET_STATUS, simplify: false });
	expect(item?.route).toBe('Ethereum (101) → Base');
	expect(item?.summary).toContain('Ethereum (101)');
});

test.each<[string, number]>([
	['an hour ahead of', 3_600_000],
	['an hour late against', -3_600_000],
])('ages go by the clock of the bridge if that of n8n is %s it', async (_how, ahead) => {
	const now = Math.floor(new Date().getTime() / 1000);
	const timing = { createdAt: now - 360, expiry: now + 1_800 };
	const [sourceHash = ''] = await bridge.begin({ end: 'never', answer: { timing } });
	wallClockAhead(ahead);
	const { outputs } = await check([sourceHash]);
	const summary = String(outputs[0]?.[0]?.json.summary);
	expect(summary).toMatch(/after 6 min\b/);
	expect(summary).toMatch(/It expires at /);
});
