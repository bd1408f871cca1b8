import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { TestCredentials } from './credentials';
import { type ActionOptions, runAction } from './n8n';
import { ranAction } from './ranAction';
import {
	checksAskedFor,
	openAtFinishingAge,
	openOrders,
	rehearse,
	type Rehearsal,
	untilAsked,
	wallClockAhead,
} from './sandboxed';

let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const UNKNOWN = `0x${'ab'.repeat(32)}`;

const wait = async (
	hashes: unknown[],
	parameters: IDataObject = {},
	options: ActionOptions = {},
	credentials = bridge.credentials,
) =>
	await runAction(
		credentials,
		{
			operation: 'waitForCompletion',
			sourceHash: '={{ $json.hash }}',
			checkEvery: 1,
			simplify: false,
			...parameters,
		},
		{ items: hashes.map((hash) => ({ json: { hash } as IDataObject })), ...options },
	);

const checks = async () => await checksAskedFor(bridge);
const untilChecks = async (count: number) => await untilAsked(bridge, count, checks);
const open = async (count = 1) => await openAtFinishingAge(bridge, count);

test('each item goes to the output of its final status, linked to its input, with what the waiting took', async () => {
	const [a = '', b = '', c = '', d = ''] = await open(4);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'refunded');
	await bridge.finish(c, 'failed');
	const running = wait([a, b, c, d, d]);
	await untilChecks(5);
	await bridge.finish(d, 'completed');
	const { outputs, error } = await running;
	expect(error).toBeUndefined();
	expect(
		outputs.map((items) =>
			items.map(({ json, pairedItem }) => [json.sourceHash, json.outcome, pairedItem]),
		),
	).toEqual([
		[
			[a, 'success', { item: 0 }],
			[d, 'success', { item: 3 }],
			[d, 'success', { item: 4 }],
		],
		[
			[b, 'unsuccessful', { item: 1 }],
			[c, 'unsuccessful', { item: 2 }],
		],
		[],
	]);
	expect(outputs[0]?.[0]?.json).toMatchObject({
		status: 'completed',
		isFinal: true,
		checks: 1,
		waitedSeconds: expect.any(Number),
	});
	expect(outputs[0]?.[1]?.json.checks).toBeGreaterThan(1);
	// The same hash in two items is asked for once at a time.
	const asked = (await checks()).filter(({ sourceHash }) => sourceHash === d);
	expect(asked).toHaveLength(Number(outputs[0]?.[1]?.json.checks));
});

test('a wait that is over says that the order is still open', async () => {
	const { outputs } = await wait(await open(), { maxMinutes: 0.02 });
	expect(outputs.map((items) => items.length)).toEqual([0, 0, 1]);
	const item = { isFinal: false, outcome: null, checks: expect.any(Number) };
	expect(outputs[2]?.[0]?.json).toMatchObject(item);
});

test('a malformed hash, which the service answers with 400, fails at once', async () => {
	const [a = ''] = await open();
	await bridge.finish(a, 'completed');
	const malformed = `0x${'12'.repeat(32)}`;
	await bridge.fault({
		kind: 'error',
		endpoint: 'status',
		sourceHash: malformed,
		code: 'INVALID_PARAMETER',
		times: 'always',
	});
	const stopped = await wait([malformed]);
	expect(stopped.error).toMatchObject({ context: { code: 'INVALID_PARAMETER' }, httpCode: '400' });
	expect(await checks()).toHaveLength(1);
	const { outputs } = await wait([malformed, a], {}, { onError: 'continueRegularOutput' });
	expect(outputs.map((items) => items.map(({ json }) => json.sourceHash))).toEqual([
		[a],
		[],
		[malformed],
	]);
	expect((await checks()).filter(({ sourceHash }) => sourceHash === malformed)).toHaveLength(2);
});

test('a wrong key stops it with the sentence; under Continue On Fail all are still open', async () => {
	const [a = '', b = ''] = await open(2);
	const wrong = new TestCredentials({ apiKey: 'wrong', baseUrl: bridge.sandbox.url });
	const stopped = await wait([a, b], {}, {}, wrong);
	expect(stopped.error).toMatchObject({
		message: 'The bridge does not accept the API key. Correct it in the credential.',
		httpCode: '401',
	});
	const continued = await wait([a, b], {}, { onError: 'continueRegularOutput' }, wrong);
	expect(continued.outputs.map((items) => items.length)).toEqual([0, 0, 2]);
	expect(continued.outputs[2]?.[1]).toMatchObject({
		pairedItem: { item: 1 },
		json: {
			sourceHash: b,
			outcome: null,
			summary: '⚠️ The bridge does not accept the API key. Correct it in the credential.',
			reference: null,
			error: { code: 'UNAUTHORIZED', httpCode: '401' },
		},
	});
});

test('an item that cannot be checked has a message and its name, with which a next node can send it', async () => {
	const { outputs } = await wait(
		['0x12', ''],
		{ reference: '=<b>Rent</b> {{ $itemIndex }}' },
		{ onError: 'continueRegularOutput' },
	);
	expect(outputs[2]?.map(({ json }) => [json.reference, json.summary])).toEqual([
		['<b>Rent</b> 0', expect.stringMatching(/^⚠️ Order “b Rent b 0”: .* has 2 digits/)],
		['<b>Rent</b> 1', '⚠️ Order “b Rent b 1”: Source Transaction Hash is empty'],
	]);
});

test('an empty hash harms no other item, and goes to the error output where there is one', async () => {
	const [a = ''] = await open();
	await bridge.finish(a, 'completed');
	const { outputs } = await wait(['', a], {}, { onError: 'continueErrorOutput' });
	expect(outputs.map((items) => items.length)).toEqual([1, 0, 0, 1]);
	expect(outputs[3]?.[0]?.json).toMatchObject({
		error: { message: "'Source Transaction Hash' is empty (item 1 of 2)" },
	});
	expect((await wait(['', a])).error).toMatchObject({
		message: "'Source Transaction Hash' is empty (item 1 of 2)",
	});
});

test('a bad row costs that row only, and is still open with what was entered', async () => {
	const [a = ''] = await open();
	await bridge.finish(a, 'completed');
	const items = [
		{ json: { hash: a, least: '0,5 ETH' } },
		{ json: { hash: 'see the mail', least: '0.5 ETH' } },
		{ json: { hash: [UNKNOWN], least: '0.5' } },
	];
	const minimum = { options: { minimumReceived: '={{ $json.least }}' } };
	const { outputs } = await wait([], minimum, { items, onError: 'continueRegularOutput' });
	expect(outputs.map((each) => each.map(({ json }) => json.sourceHash))).toEqual([
		[a],
		[],
		['see the mail', UNKNOWN],
	]);
	const messages = outputs[2]?.map(({ json }) => (json.error as IDataObject).message);
	expect(messages).toEqual([
		expect.stringMatching(/^'Source Transaction Hash'.* \(item 2 of 3\)$/),
		"'Minimum Received' cannot be '0.5' (item 3 of 3)",
	]);
	expect((await checks()).every(({ sourceHash }) => sourceHash === a)).toBe(true);
});

test('the null of a quote without a minimum stops nothing: nothing is expected', async () => {
	const [a = ''] = await open();
	await bridge.finish(a, 'completed');
	const options = { minimumReceived: '={{ $json.least }}', expectedRecipient: '={{ $json.to }}' };
	const items = [{ json: { hash: a, least: null } }];
	const { outputs, error } = await wait([], { options }, { items });
	expect(error).toBeUndefined();
	expect(outputs[0]?.[0]?.json).toMatchObject({ sourceHash: a, status: 'completed' });
	expect(outputs[0]?.[0]?.json).not.toHaveProperty('asExpected');
});

test('an outage is not said to be an unknown hash', async () => {
	await bridge.fault({ kind: 'error', status: 503, endpoint: 'status', times: 'always' });
	const { outputs } = await wait([UNKNOWN], { maxMinutes: 0.05 });
	const { summary, status } = outputs[2]?.[0]?.json ?? {};
	expect(status).not.toBe('notFound');
	expect(summary).not.toMatch(/has not found|Check the hash/);
});

test('one item whose Simplify cannot be evaluated takes no other with it', async () => {
	const [a = '', b = ''] = await open(2);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'completed');
	const simplify = `={{ $json.hash === '${a}' ? true : $('Nowhere').item.json.x }}`;
	const { outputs } = await wait([a, b], { simplify }, { onError: 'continueRegularOutput' });
	expect(outputs[0]?.map(({ json }) => json.sourceHash)).toContain(a);
});

test('stopping the execution sends no further request', async () => {
	const hashes = await open(5);
	let stop = () => {};
	const onStarted = (stopIt: () => void) => (stop = stopIt);
	const running = wait(hashes, {}, { onStarted });
	await untilChecks(5);
	stop();
	await running;
	// Another wait lasts through the seconds in which the stopped one would have checked again.
	const [probe = ''] = await open();
	await wait([probe], { maxMinutes: 0.05 });
	// The responses that were under way when it was stopped have come by the first check of the other one.
	const all = await checks();
	const later = all.slice(all.findIndex(({ sourceHash }) => sourceHash === probe));
	expect(later.length).toBeGreaterThan(1);
	expect(new Set(later.map(({ sourceHash }) => sourceHash))).toEqual(new Set([probe]));
});

test('as the tool of an agent everything goes to the first output, with its outcome', async () => {
	const [a = '', b = '', c = ''] = await open(3);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'refunded');
	// Long enough for one check of each order, also on a machine that has other work.
	const { outputs } = await wait([a, b, c], { maxMinutes: 0.1 }, { asTool: true });
	expect(outputs.map((items) => items.map(({ json }) => [json.sourceHash, json.outcome]))).toEqual([
		[
			[a, 'success'],
			[b, 'unsuccessful'],
			[c, null],
		],
	]);
});

describe('where no item can be worked on, nothing is completed', () => {
	const deleted = new TestCredentials(undefined);

	test.each<[string, IDataObject, () => TestCredentials]>([
		['a credential that was deleted', {}, () => deleted],
		[
			'a limit that cannot be evaluated',
			{ checkEvery: '={{ $("Settings").item.json.seconds }}' },
			() => bridge.credentials,
		],
	])('%s', async (_what, parameters, credentials) => {
		const waitWith = async (options: ActionOptions) =>
			await wait([UNKNOWN], parameters, options, credentials());
		expect((await waitWith({})).error?.message).toBeTruthy();
		const message = expect.stringMatching(/\w/);
		const { outputs, error } = await waitWith({ onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		const item = { sourceHash: UNKNOWN, status: null, outcome: null };
		expect(outputs).toMatchObject([
			[],
			[],
			[{ pairedItem: { item: 0 }, json: { ...item, error: { message, code: null } } }],
		]);
		const { summary } = outputs[2]?.[0]?.json ?? {};
		expect(summary).toMatch(/^⚠️ \w/);
		const tool = await waitWith({ onError: 'continueRegularOutput', asTool: true });
		expect(tool.outputs).toMatchObject([[{ json: { outcome: null } }]]);
		const toErrors = await waitWith({ onError: 'continueErrorOutput' });
		const failed = [{ json: { hash: UNKNOWN, error: { message } } }];
		expect(toErrors.outputs).toMatchObject([[], [], [], failed]);
	});

	test('a source hash that cannot be read either is empty', async () => {
		const { outputs } = await wait([' '], {}, { onError: 'continueRegularOutput' }, deleted);
		expect(outputs[2]?.[0]?.json).toMatchObject({
			sourceHash: '',
			outcome: null,
			error: expect.anything(),
		});
	});
});

const WAIT = { operation: 'waitForCompletion', sourceHash: UNKNOWN, checkEvery: 1 };
const GET_STATUS = { operation: 'getStatus', sourceHash: UNKNOWN };

describe('Always Output Data, with which n8n puts an empty item on the output Completed', () => {
	const SWITCHED_ON = { alwaysOutputData: true };
	beforeEach(async () => void (await bridge.begin({ sourceHash: UNKNOWN, end: 'refunded' })));

	test('Wait for Completion stops before any request', async () => {
		await bridge.finish(UNKNOWN, 'refunded');
		const { outputs, error } = await ranAction(bridge, WAIT, SWITCHED_ON);
		expect(outputs[0] ?? []).toEqual([]);
		expect(error).toMatchObject({
			message: expect.stringContaining("Turn off 'Always Output Data'"),
			description: expect.stringContaining('an empty item to the Completed output'),
		});
		expect(await bridge.requests()).toEqual([]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'also if it continues on errors (%s)',
		async (onError) => {
			await bridge.finish(UNKNOWN, 'refunded');
			const { outputs, error } = await ranAction(bridge, WAIT, { ...SWITCHED_ON, onError });
			expect(JSON.stringify([outputs, error])).toContain("Turn off 'Always Output Data'");
			expect(await bridge.requests()).toEqual([]);
		},
	);

	test('it harms no tool, and no other operation', async () => {
		await bridge.finish(UNKNOWN, 'refunded');
		const refunded = { status: 'refunded' };
		expect((await ranAction(bridge, WAIT, { ...SWITCHED_ON, asTool: true })).item).toMatchObject(
			refunded,
		);
		expect((await ranAction(bridge, GET_STATUS, SWITCHED_ON)).item).toMatchObject(refunded);
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
		await bridge.fault({ ...fault, times: 'always' });
		const running = ranAction(bridge, { ...WAIT, ...limit, sourceHash });
		await untilAsked(bridge, 2, checks);
		wallClockAhead(15 * 60_000);
		const { outputs } = await running;
		expect(outputs[2]?.[0]?.json.summary).toMatch(words);
	});
});

test.each<[string, Fault | null, RegExp]>([
	['while it is seen', null, /after 6 min\b/],
	[
		'when it was seen last',
		{ kind: 'error', endpoint: 'status', status: 503 },
		/[^\d]\d+ s ago|less than 1 s ago/,
	],
])(
	'ages go by the clock of the bridge if that of n8n is an hour ahead: %s',
	async (_what, fault, words) => {
		const createdAt = Math.floor(new Date().getTime() / 1000) - 360;
		const [sourceHash = ''] = await bridge.begin({
			end: 'never',
			answer: { timing: { createdAt } },
		});
		wallClockAhead(3_600_000);
		const running = ranAction(bridge, { ...WAIT, maxMinutes: 0.05, sourceHash });
		await untilAsked(bridge, 1, checks);
		if (fault !== null) await bridge.fault({ ...fault, times: 'always' });
		const { outputs } = await running;
		expect(outputs[2]?.[0]?.json.summary).toMatch(words);
	},
);

test('an order in two spellings is asked for in one, with 0x, and each row has its result', async () => {
	const [right = '', other = ''] = await open(2);
	await bridge.finish(right, 'completed');
	await bridge.finish(other, 'refunded');
	const bare = right.slice(2).toUpperCase();
	await bridge.fault({
		kind: 'error',
		endpoint: 'status',
		sourceHash: bare,
		code: 'NOT_FOUND',
		times: 'always',
	});
	for (const hashes of [
		[right, other, bare],
		[bare, other, `Rent: ${right}`],
		[bare, other, `https://etherscan.io/tx/${right}`],
	]) {
		const { outputs, error } = await wait(hashes);
		expect(error).toBeUndefined();
		const sourceHash = (item: number) => (hashes[item] === bare ? bare : right);
		expect(outputs).toMatchObject([
			[0, 2].map((item) => ({
				json: { sourceHash: sourceHash(item), status: 'completed' },
				pairedItem: { item },
			})),
			[{ json: { sourceHash: other, status: 'refunded' }, pairedItem: { item: 1 } }],
			[],
		]);
	}
	const asked = (await checks()).map(({ sourceHash }) => sourceHash);
	expect(new Set(asked)).toEqual(new Set([right, other]));
});
