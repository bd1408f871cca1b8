import { rehearse, type Rehearsal } from './sandboxed';
import { TestCredentials } from './credentials';
import { runAction } from './n8n';

let bridge: Rehearsal;
beforeAll(async () => {
	bridge = await rehearse({ furtherKeys: { 'key-with-a-small-limit': 0 } });
});
afterAll(async () => await bridge.sandbox.stop());

const UNKNOWN = `0x${'ab'.repeat(32)}`;
const NOT_FOUND = {
	message: 'Order not found',
	code: 'NOT_FOUND',
	httpCode: '404',
	description: expect.stringContaining('NOT_FOUND (HTTP 404)'),
};

const hash = (parameters = {}) => ({
	operation: 'getStatus',
	sourceHash: '={{ $json.hash }}',
	...parameters,
});

test('a simplified order is ten fields; without Simplify it has all others, and the order as it came', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 60 });
	await bridge.finish(sourceHash, 'completed');
	const items = [{ json: { hash: `  ${sourceHash}\n` } }];
	const { outputs, error } = await runAction(bridge.credentials, hash(), { items });
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
		route: expect.stringMatching(/^\w+ → \w+$/),
		finishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
		link: null,
		orderId: expect.stringMatching(/^0x[0-9a-f]+$/),
		sourceHash,
	};
	expect(outputs[0]?.[0]?.json).toEqual(simple);
	const all = await runAction(bridge.credentials, hash({ simplify: false }), { items });
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
	expect(all.outputs[0]?.[0]?.json).toEqual({
		...simple,
		isFinal: true,
		...leg('input'),
		...leg('output'),
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
	const { outputs } = await runAction(bridge.credentials, hash(), {
		items: [{ json: { hash: link } }],
	});
	expect(outputs[0]?.[0]?.json).toMatchObject({ sourceHash, link });
});

test('a hash that was not found and is unlike those of most networks is said to be doubtful', async () => {
	const short = UNKNOWN.slice(0, -1);
	const stopped = await runAction(bridge.credentials, hash(), {
		items: [{ json: { hash: short } }],
	});
	expect(stopped.error?.description).toContain(
		'It has 63 digits; hashes of most networks have 64.',
	);
	await bridge.fault({ kind: 'error', endpoint: 'status', code: 'NOT_FOUND' });
	const shown = await runAction(bridge.credentials, hash({ options: { notFound: 'item' } }), {
		items: [{ json: { hash: short } }],
	});
	expect(shown.outputs[0]?.[0]?.json.summary).toBe(
		'⏳ The bridge has not found order 0xabab…baba yet. Check the hash. It has 63 digits; hashes of most networks have 64.',
	);
});

test('an open order, a word we do not know, and missing or null parts are shown as they are', async () => {
	const hashes = await bridge.begin(
		{ end: 'never' },
		{ end: 'never', answer: { status: 'settling' } },
		{ end: 'never', answer: { input: null, output: null, solver: null, timing: null } },
		{ end: 'never', absent: ['input', 'output', 'solver', 'timing', 'orderId', 'status'] },
	);
	const { outputs } = await runAction(bridge.credentials, hash(), {
		items: hashes.map((h) => ({ json: { hash: h } })),
	});
	expect(outputs[0]?.map(({ json }) => [json.status, json.outcome])).toEqual([
		['pending', null],
		['settling', null],
		['pending', null],
		[null, null],
	]);
	expect(outputs[0]?.[3]?.json).toMatchObject({
		orderId: null,
		sent: null,
		finishedAt: null,
	});
});

test('fields that are not known are in the order as it came', async () => {
	const [sourceHash = ''] = await bridge.begin({
		end: 'never',
		answer: { memo: { 'a-b': [1, '2'] } },
	});
	const { outputs } = await runAction(bridge.credentials, hash({ simplify: false }), {
		items: [{ json: { hash: sourceHash } }],
	});
	expect(outputs[0]?.[0]?.json).toMatchObject({
		isFinal: false,
		order: { memo: { 'a-b': [1, '2'] }, timing: { createdAt: expect.any(Number) } },
	});
});

test('many items keep their order, and one that is not found harms none of the others', async () => {
	const hashes = await bridge.begin(
		...Array.from({ length: 30 }, () => ({ end: 'never' as const })),
	);
	const asked = [...hashes.slice(0, 15), UNKNOWN, ...hashes.slice(15)];
	const { outputs } = await runAction(bridge.credentials, hash(), {
		items: asked.map((h) => ({ json: { hash: h } })),
		onError: 'continueRegularOutput',
	});
	expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
		asked.map((_h, item) => ({ item })),
	);
	expect(outputs[0]?.map(({ json }) => json.sourceHash)).toEqual(
		asked.map((h) => (h === UNKNOWN ? undefined : h)),
	);
	expect(outputs[0]?.[15]?.json).toEqual({ error: NOT_FOUND });
});

test('where no item can be worked on, each becomes its error instead of the input', async () => {
	const deleted = new TestCredentials(undefined);
	const items = [{ json: { hash: UNKNOWN } }, { json: { hash: UNKNOWN } }];
	const { outputs, error } = await runAction(deleted, hash(), {
		items,
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	const details = {
		code: null,
		httpCode: null,
		message: expect.stringMatching(/credential/i),
		description: null,
	};
	expect(outputs).toEqual([
		[
			{ json: { error: details }, pairedItem: { item: 0 } },
			{ json: { error: details }, pairedItem: { item: 1 } },
		],
	]);
	expect((await runAction(deleted, hash(), { items })).error?.message).toMatch(/credential/i);
});

test('on the error output the failed item keeps what came in, and the good ones take the first output', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'never' });
	const { outputs } = await runAction(bridge.credentials, hash(), {
		items: [{ json: { hash: UNKNOWN, invoice: 7 } }, { json: { hash: sourceHash } }],
		onError: 'continueErrorOutput',
	});
	expect(outputs[0]?.map(({ json }) => json.sourceHash)).toEqual([sourceHash]);
	expect(outputs[1]?.map(({ json }) => json)).toEqual([
		{ hash: UNKNOWN, invoice: 7, error: NOT_FOUND },
	]);
});

test('not found: stops with the code, or gives an item that says so', async () => {
	const items = [{ json: { hash: UNKNOWN } }];
	const stopped = await runAction(bridge.credentials, hash(), { items });
	expect(stopped.error).toMatchObject({
		message: 'Order not found',
		httpCode: '404',
		context: { itemIndex: 0, code: 'NOT_FOUND' },
	});
	const shown = await runAction(bridge.credentials, hash({ options: { notFound: 'item' } }), {
		items,
	});
	expect(shown.outputs[0]?.[0]?.json).toMatchObject({
		status: 'notFound',
		outcome: null,
		sourceHash: UNKNOWN,
	});
	const raw = await runAction(
		bridge.credentials,
		hash({ simplify: false, options: { notFound: 'item' } }),
		{ items },
	);
	expect(raw.outputs[0]?.[0]?.json).toMatchObject({
		sourceHash: UNKNOWN,
		status: 'notFound',
		isFinal: false,
		outcome: null,
		order: null,
	});
});

test('a 404 without a body is not found, too', async () => {
	const empty = {
		kind: 'body',
		endpoint: 'status',
		body: '',
		status: 404,
		sourceHash: UNKNOWN,
	} as const;
	const items = [{ json: { hash: UNKNOWN } }];
	await bridge.fault(empty);
	expect((await runAction(bridge.credentials, hash(), { items })).error).toMatchObject({
		message: 'Order not found',
		httpCode: '404',
		context: { code: 'NOT_FOUND' },
	});
	await bridge.fault(empty);
	const shown = await runAction(bridge.credentials, hash({ options: { notFound: 'item' } }), {
		items,
	});
	expect(shown.outputs[0]?.[0]?.json).toMatchObject({ status: 'notFound', sourceHash: UNKNOWN });
});

test.each([
	['', "'Source Transaction Hash' is empty [item 1]"],
	['   ', "'Source Transaction Hash' is empty [item 1]"],
	[null, "'Source Transaction Hash' is empty [item 1]"],
	['0xabc 0xdef', "'Source Transaction Hash' contains spaces [item 1]"],
])('a hash field with %j in it fails with the item named', async (value, message) => {
	const [sourceHash = ''] = await bridge.begin({ end: 'never' });
	const { error } = await runAction(bridge.credentials, hash(), {
		items: [{ json: { hash: sourceHash } }, { json: { hash: value } }],
	});
	expect(error).toMatchObject({ message, context: { itemIndex: 1 } });
});

test('the link of a block explorer is as good as the hash in it', async () => {
	const [sourceHash = ''] = await bridge.begin({ end: 'never' });
	const { outputs, error } = await runAction(bridge.credentials, hash(), {
		items: [{ json: { hash: `https://etherscan.io/tx/${sourceHash}` } }],
	});
	expect(error).toBeUndefined();
	expect(outputs[0]?.[0]?.json).toMatchObject({ sourceHash, status: 'pending' });
});

test('hashes of other chains pass as they are', async () => {
	const sourceHash =
		'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
	await bridge.begin({ sourceHash, end: 'never' });
	const { outputs } = await runAction(bridge.credentials, hash(), {
		items: [{ json: { hash: sourceHash } }],
	});
	expect(outputs[0]?.[0]?.json.sourceHash).toBe(sourceHash);
});

test('stopping the execution stops the requests, those that wait for room in the budget as well', async () => {
	await bridge.forgetRequests();
	const limit = 10;
	const small = new TestCredentials({
		apiKey: 'key-with-a-small-limit',
		baseUrl: bridge.sandbox.url,
		requestsPerMinute: limit,
	});
	const hashes = await bridge.begin(
		...Array.from({ length: 40 }, () => ({ end: 'never' as const })),
	);
	await bridge.fault({ kind: 'delay', delaySeconds: 3600, times: 'always' });
	let stop = () => {};
	const running = runAction(small, hash(), {
		items: hashes.map((h) => ({ json: { hash: h } })),
		onStarted: (stopIt) => (stop = stopIt),
	});
	// Some requests hang in the sandbox now, the others wait; the execution is stopped while they do.
	for (let tries = 0; tries < 10_000 && (await bridge.requests()).length === 0; tries++);
	stop();
	await running;
	await bridge.clearFaults();
	const [probe = ''] = await bridge.begin({ end: 'never' });
	await runAction(bridge.credentials, { operation: 'getStatus', sourceHash: probe });
	const asked = await bridge.requests();
	expect(asked.at(-1)?.query.sourceHash).toBe(probe);
	expect(asked.length).toBeLessThanOrEqual(limit + 1);
});
