import type { IDataObject } from 'n8n-workflow';

import { TestCredentials } from './credentials';
import { type ActionOptions, runAction } from './n8n';
import { rehearse, type Rehearsal } from './sandboxed';

let bridge: Rehearsal;
beforeEach(async () => {
	bridge = await rehearse();
});
afterEach(async () => await bridge.sandbox.stop());

const UNKNOWN = `0x${'ab'.repeat(32)}`;

const wait = async (hashes: unknown[], parameters: IDataObject = {}, options: ActionOptions = {}, credentials = bridge.credentials) =>
	await runAction(
		credentials,
		{ operation: 'waitForCompletion', sourceHash: '={{ $json.hash }}', checkEvery: 1, ...parameters },
		{ items: hashes.map((hash) => ({ json: { hash } as IDataObject })), ...options },
	);

/** The requests for orders; the one for names is none of them. */
const looks = async () => (await bridge.requests()).filter(({ path }) => path.endsWith('/status'));

/** Orders of an age at which ends are likely are looked at every second. */
const likely = () => ({ answer: { timing: { createdAt: Math.floor(Date.now() / 1000) - 8 } } });

test('each item takes the output of its end, linked to its input, with what the waiting took', async () => {
	const hashes = await bridge.begin(...Array.from({ length: 4 }, () => ({ end: 'never' as const, ...likely() })));
	const [a = '', b = '', c = '', d = ''] = hashes;
	await bridge.end(a, 'completed');
	await bridge.end(b, 'refunded');
	await bridge.end(c, 'failed');
	const running = wait([a, b, c, d, d]);
	for (let tries = 0; tries < 20_000 && (await looks()).length < 5; tries++);
	await bridge.end(d, 'completed');
	const { outputs, error } = await running;
	expect(error).toBeUndefined();
	expect(outputs.map((items) => items.map(({ json, pairedItem }) => [json.sourceHash, json.outcome, pairedItem]))).toEqual([
		[[a, 'success', { item: 0 }], [d, 'success', { item: 3 }], [d, 'success', { item: 4 }]],
		[[b, 'unsuccessful', { item: 1 }], [c, 'unsuccessful', { item: 2 }]],
		[],
	]);
	expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'completed', isFinal: true, looks: 1, waitedSeconds: expect.any(Number) });
	expect(outputs[0]?.[1]?.json.looks).toBeGreaterThan(1);
	// The same hash in two items is asked for once at a time.
	const asked = (await looks()).filter(({ query }) => query.sourceHash === d);
	expect(asked).toHaveLength(Number(outputs[0]?.[1]?.json.looks));
});

test('a wait that ends says that the order is still open', async () => {
	const [a = ''] = await bridge.begin({ end: 'never', ...likely() });
	const { outputs } = await wait([a], { mostLooks: 2 });
	expect(outputs.map((items) => items.length)).toEqual([0, 0, 1]);
	expect(outputs[2]?.[0]?.json).toMatchObject({ isFinal: false, outcome: null, looks: 2 });
});

test('the time limit ends the waiting too', async () => {
	const [a = ''] = await bridge.begin({ end: 'never', ...likely() });
	const { outputs } = await wait([a], { giveUpAfter: 'minutes', minutes: 0.02 });
	expect(outputs[2]?.[0]?.json).toMatchObject({ isFinal: false, looks: expect.any(Number) });
});

test('an order that is not found at first is waited out', async () => {
	const running = wait([UNKNOWN], { mostLooks: 1 });
	for (let tries = 0; tries < 20_000 && (await looks()).length < 1; tries++);
	await bridge.begin({ sourceHash: UNKNOWN, end: 'never' });
	await bridge.end(UNKNOWN, 'completed');
	const { outputs } = await running;
	expect(outputs[0]?.[0]?.json).toMatchObject({ sourceHash: UNKNOWN, status: 'completed' });
});

test('one that stays unknown goes to Still Open when the grace is over', async () => {
	const { outputs, error } = await wait([UNKNOWN], { options: { notFoundMinutes: 0 } });
	expect(error).toBeUndefined();
	expect(outputs[2]?.[0]?.json).toMatchObject({ status: 'notFound', isFinal: false, outcome: null });
});

test('a wrong key ends it with the sentence; under Continue On Fail all are still open', async () => {
	const [a = '', b = ''] = await bridge.begin({ end: 'never' }, { end: 'never' });
	const wrong = new TestCredentials({ apiKey: 'wrong', baseUrl: bridge.sandbox.url });
	const stopped = await wait([a, b], {}, {}, wrong);
	expect(stopped.error).toMatchObject({ message: 'The bridge service does not accept the API key', httpCode: '401' });
	const continued = await wait([a, b], {}, { onError: 'continueRegularOutput' }, wrong);
	expect(continued.outputs.map((items) => items.length)).toEqual([0, 0, 2]);
	expect(continued.outputs[2]?.[1]).toMatchObject({
		pairedItem: { item: 1 },
		json: { sourceHash: b, outcome: null, isFinal: false, error: { code: 'UNAUTHORIZED', httpCode: '401' } },
	});
});

test('an empty hash harms no other item, and goes to the error output where there is one', async () => {
	const [a = ''] = await bridge.begin({ end: 'never' });
	await bridge.end(a, 'completed');
	const { outputs } = await wait(['', a], {}, { onError: 'continueErrorOutput' });
	expect(outputs.map((items) => items.length)).toEqual([1, 0, 0, 1]);
	expect(outputs[3]?.[0]?.json).toMatchObject({ error: { message: 'The Source Transaction Hash is empty [item 0]' } });
	expect((await wait(['', a])).error).toMatchObject({ message: 'The Source Transaction Hash is empty [item 0]' });
});

test('a look that goes wrong is made again', async () => {
	const [a = ''] = await bridge.begin({ end: 'never' });
	await bridge.end(a, 'completed');
	await bridge.fault({ kind: 'drop' });
	await bridge.fault({ kind: 'html', status: 502 });
	const { outputs } = await wait([a]);
	expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'completed', looks: 1 });
});

test('stopping the execution sends no further request', async () => {
	const hashes = await bridge.begin(...Array.from({ length: 5 }, () => ({ end: 'never' as const, ...likely() })));
	let stop = () => {};
	const running = wait(hashes, { giveUpAfter: 'never' }, { onStarted: (stopIt) => (stop = stopIt) });
	for (let tries = 0; tries < 20_000 && (await looks()).length < 5; tries++);
	stop();
	await running;
	const before = (await looks()).length;
	// Another wait of its own lives through the seconds in which the stopped one would have looked again.
	const [probe = ''] = await bridge.begin({ end: 'never', ...likely() });
	await wait([probe], { mostLooks: 3 });
	const later = (await looks()).slice(before);
	expect(later.map(({ query }) => query.sourceHash)).toEqual([probe, probe, probe]);
});

test('Simplify off holds the order as it came', async () => {
	const [a = ''] = await bridge.begin({ end: 'never', answer: { memo: 1 } });
	await bridge.end(a, 'completed');
	const { outputs } = await wait([a], { simplify: false });
	expect(outputs[0]?.[0]?.json).toMatchObject({ sourceHash: a, status: 'completed', outcome: 'success', order: { memo: 1, timing: expect.any(Object) } });
});

test('as the tool of an agent everything goes to the first output, with its outcome', async () => {
	const [a = '', b = '', c = ''] = await bridge.begin(...Array.from({ length: 3 }, () => ({ end: 'never' as const, ...likely() })));
	await bridge.end(a, 'completed');
	await bridge.end(b, 'refunded');
	const { outputs } = await wait([a, b, c], { mostLooks: 1 }, { asTool: true });
	expect(outputs.map((items) => items.map(({ json }) => [json.sourceHash, json.outcome]))).toEqual([
		[[a, 'success'], [b, 'unsuccessful'], [c, null]],
	]);
});
