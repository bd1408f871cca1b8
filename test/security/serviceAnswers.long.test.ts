import type { IDataObject } from 'n8n-workflow';

import { connectToService } from '../../nodes/CrossChainBridge/service/service';
import { TestCredentials } from '../engine/credentials';
import { listContext } from '../engine/lists';
import { type ActionOptions, runAction } from '../engine/n8n';
import { answering, type KeyedService, startKeyedService } from './keyedService';
import { httpAnswer } from './rawServer';
import { credentialsFor } from './ways';

/** What a service's answers do to those who share the process, to the workflow and to the budget. In the real n8n-core. */

let service: KeyedService;
let credentials: TestCredentials;
let accounts = 0;
beforeEach(async () => {
	service = await startKeyedService();
	credentials = credentialsFor(service.url, `key-${++accounts}`);
});

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;
const STATUS = { operation: 'getStatus', sourceHash: HASH, simplify: false };
const QUOTE = {
	operation: 'getQuote',
	specifyQuote: 'json',
	quoteJson: '{"a":1}',
	simplify: false,
};
const items = (count: number) => Array.from({ length: count }, () => ({ json: {} }));
const run = async (parameters: IDataObject, options: ActionOptions = {}) =>
	await runAction(credentials, parameters, options);
const order = (fields: object) =>
	answering(200, { success: true, data: { orderId: '0x1', status: 'completed', ...fields } });

/** Waits until all askers have joined, so that one request answers them. */
function delayed(answer: ReturnType<typeof answering>): {
	answer: KeyedService['answer'];
	go: () => void;
} {
	let go = () => {};
	const released = new Promise<void>((resolve) => (go = resolve));
	return {
		answer: async () => {
			await released;
			return answer();
		},
		go: () => go(),
	};
}

test.each<[string, IDataObject]>([
	['Get Status', STATUS],
	['Get Config', { operation: 'getConfig' }],
	['Get Quote', QUOTE],
	['Wait for Completion', { ...STATUS, operation: 'waitForCompletion' }],
])('%s: items that asked for the same have a copy each', async (_name, parameters) => {
	service.answer = answering(200, {
		success: true,
		data: {
			status: 'completed',
			input: { token: 'a' },
			networks: [{ chainID: 1, tokens: { USDC: 'a' } }],
		},
	});
	const { outputs } = await run(parameters, { items: items(2) });
	const [one, two] = (outputs[0] ?? []).map(({ json }) => json);
	const before = JSON.stringify(two);
	changeAll(one);
	expect(JSON.stringify(two)).toBe(before);
	expect(before).toContain('"a"');
});

function changeAll(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	for (const [name, inner] of Object.entries(value)) {
		changeAll(inner);
		if (typeof inner !== 'object') Reflect.set(value, name, 'changed');
	}
}

test('workflows that ask for the configuration at the same moment have a copy each, for one request', async () => {
	const wait = delayed(answering(200, { success: true, data: { networks: [{ name: 'a' }] } }));
	service.answer = wait.answer;
	const services = await Promise.all(
		[1, 2, 3].map(async () => await connectToService(listContext(credentials))),
	);
	const asked = services.map(async (each) => await each.config());
	await service.untilReceived(1);
	wait.go();
	const [one, ...others] = await Promise.all(asked);
	changeAll(one);
	for (const other of others)
		expect(other).toEqual({ ok: true, data: { networks: [{ name: 'a' }] } });
	expect(service.received).toHaveLength(1);
});

test.each<[string, KeyedService['answer']]>([
	['a 403', answering(403, {})],
	['a 401', answering(401, {})],
	['a redirect', answering(302, {}, { location: 'http://127.0.0.1:1/' })],
	[
		'a web page',
		() =>
			httpAnswer('<html></html>', {
				status: '404 Not Found',
				headers: { 'Content-Type': 'text/html' },
			}),
	],
	['JSON without envelope', answering(200, { a: 1 })],
	['JSON that is not known', answering(404, {})],
])(
	'Wait for Completion: one order that is answered with %s does not stop the waiting for the others',
	async (_name, bad) => {
		const good = order({});
		service.answer = (request) =>
			request.url.includes('/status') ? (request.url.includes(HASH) ? bad(request) : good()) : null;
		const { outputs, error } = await run(
			{
				operation: 'waitForCompletion',
				sourceHash: '={{ $json.hash }}',
				simplify: false,
				// The bad one is asked for again until the time is over.
				notFoundMinutes: 0,
				maxMinutes: 0.05,
			},
			{
				items: [HASH, OTHER_HASH].map((hash) => ({ json: { hash } })),
				onError: 'continueRegularOutput',
			},
		);
		expect(error).toBeUndefined();
		expect(outputs.map((ofOutput) => ofOutput.map(({ json }) => json.sourceHash))).toEqual([
			[OTHER_HASH],
			[],
			[HASH],
		]);
	},
);

test.each<[string, IDataObject, unknown]>([
	['an order', STATUS, { error: 'x' }],
	['an order whose error is null', STATUS, { error: null }],
	['a quote', QUOTE, { error: 'x' }],
])(
	'%s with a field "error" does not make Retry On Fail run the node again, and keeps it',
	async (_name, parameters, fields) => {
		service.answer = answering(200, {
			success: true,
			data: { status: 'pending', ...(fields as object) },
		});
		const { outputs, error } = await run(parameters, { retryOnFail: true });
		expect(error).toBeUndefined();
		// That for the names is another one.
		const asked = service.received.map((request) => request.split(' ')[0]);
		expect(asked).toEqual([...new Set(asked)]);
		expect(JSON.stringify(outputs[0]?.[0]?.json)).toMatch(/"error":(?:"x"|null)/);
	},
);

test("the service's words are the same in the editor, which shows HTML, and in items: no markup in either", async () => {
	service.answer = answering(400, {
		success: false,
		error: { code: 'INVALID_PARAMETER', message: `the order's <hash> isn't "valid" & more` },
	});
	const words = `the order's ＜hash＞ isn't "valid" ＆ more`;
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		for (const operation of ['getStatus', 'waitForCompletion']) {
			const { outputs } = await run({ operation, sourceHash: HASH }, { onError });
			const [item] = outputs.flat();
			expect(item?.json.error).toMatchObject({
				description: expect.stringContaining(words),
			});
		}
	}
	const { error } = await run({ operation: 'getStatus', sourceHash: HASH });
	expect(error?.description).toContain(words);
});

const LIMITED = "The bridge's request limit was reached";
const DOWN = 'The bridge is temporarily unavailable';

test.each<[number, string, IDataObject]>([
	[429, LIMITED, STATUS],
	[503, DOWN, QUOTE],
])(
	'a %s with Retry-After: nothing is sent until then, by nobody with this key',
	async (status, message, parameters) => {
		service.answer = answering(status, {}, { 'retry-after': '600' });
		const { error } = await run(parameters);
		expect(error).toMatchObject({
			message,
			httpCode: String(status),
			description: expect.stringContaining('in 600 seconds'),
		});
		const again = await run({ operation: 'getConfig' });
		expect(again.error).toMatchObject({ message, httpCode: String(status) });
		const { budget } = await connectToService(listContext(credentials));
		expect(budget.tryCheck(100)).toBeNull();
		expect(budget.pausedMs()).toBeGreaterThan(500_000);
		expect(service.received).toHaveLength(1);
	},
);

test('a 503 with Retry-After for one order is that order’s own: the others are checked', async () => {
	const down = answering(503, {}, { 'retry-after': '3600' });
	service.answer = (request) => (request.url.includes(HASH) ? down() : null);
	expect((await run(STATUS)).error).toMatchObject({ message: DOWN, httpCode: '503' });
	const { outputs, error } = await run({ ...STATUS, sourceHash: OTHER_HASH });
	expect([error, outputs[0]?.length]).toEqual([undefined, 1]);
	const { budget } = await connectToService(listContext(credentials));
	expect(budget.pausedMs()).toBe(0);
});

test('a 503 without Retry-After pauses nobody, and a short Retry-After is waited out', async () => {
	service.answer = answering(503, {});
	await run({ operation: 'getStatus', sourceHash: HASH });
	service.answer = () =>
		service.received.length === 1 ? answering(503, {}, { 'retry-after': '1' })() : null;
	service.received.splice(0);
	expect((await run(STATUS)).error).toBeUndefined();
	expect(service.received.filter((request) => request.includes('/status'))).toHaveLength(2);
});

test.each<[unknown, boolean]>([
	[true, true],
	[false, false],
	['true', true],
	['false', false],
	[' False ', false],
	['TRUE', true],
	[undefined, true],
	[null, true],
	['', true],
])('Simplify given as %j means %s', async (simplify, isSimple) => {
	service.answer = order({});
	const json = { hash: HASH, ...(simplify === undefined ? {} : { simplify }) };
	for (const [operation, asItCame] of [
		['getStatus', 'order'],
		['waitForCompletion', 'order'],
		['getQuote', 'quote'],
	] as const) {
		const { outputs } = await run(
			{ ...QUOTE, operation, sourceHash: HASH, simplify: '={{ $json.simplify }}' },
			{ items: [{ json: json as IDataObject }] },
		);
		expect(asItCame in (outputs[0]?.[0]?.json ?? {})).toBe(!isSimple);
	}
});

test('the configurations of hostile services do not pile up in memory: twenty are kept, for minutes', async () => {
	service.answer = answering(200, { success: true, data: { networks: [] } });
	const read = async (account: number): Promise<void> => {
		const of = new TestCredentials({ ...credentials.data, apiKey: `hostile-${account}` });
		await (await connectToService(listContext(of))).networks();
	};
	for (let account = 0; account <= 20; account++) await read(account);
	expect(service.received).toHaveLength(21);
	await read(1);
	expect(service.received).toHaveLength(21);
	await read(0);
	expect(service.received).toHaveLength(22);
});
