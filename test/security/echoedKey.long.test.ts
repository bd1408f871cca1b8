import type { IDataObject } from 'n8n-workflow';

import { readResponse } from '../../nodes/CrossChainBridge/service/envelope';
import { searchFor } from '../../nodes/CrossChainBridge/service/keySearch';
import { connectToService } from '../../nodes/CrossChainBridge/service/service';
import { listContext, showList } from '../engine/lists';
import { runAction, TestN8n } from '../engine/n8n';
import { excessiveGrowth } from '../growth';
import { WRITTEN } from '../written';
import { type KeyedService, startKeyedService } from './keyedService';
import { httpAnswer } from './rawServer';
import { credentialsFor, textOf } from './ways';

/** A service that repeats the key in what it answers: it becomes no item, message, list or state, in whatever form. In the real n8n-core. */

const KEY = 'sk_live-51H8/x+y=Z9&w';

let service: KeyedService;
beforeAll(async () => void (service = await startKeyedService()));

const credentials = (apiKey = KEY) => credentialsFor(service.url, apiKey);
const HASH = `0x${'ab'.repeat(32)}`;
/** By the search itself, whose forms test/unit/service/keySearch has. */
const containsKey = searchFor(KEY) ?? (() => true);

function answersWith(status: number, body: string): void {
	service.answer = () => httpAnswer(body, { status: `${status} Said` });
}

const FIELDS_OF_A_LEG = ['network', 'token', 'symbol', 'txHash', 'amount'];
const legOf = (words: string): object =>
	Object.fromEntries(FIELDS_OF_A_LEG.map((name) => [name, words]));

/** An answer to all three endpoints, with the words wherever a node takes words from. */
const data = (words: string, status: string): object => ({
	orderId: words,
	status,
	statusText: words,
	input: legOf(words),
	output: { ...legOf(words), recipient: words },
	networks: [
		{
			chainID: 1,
			name: words,
			baseToken: words,
			decimals: 18,
			gateway: words,
			tokens: { NATIVE: words, USDC: words, [words]: '0x1' },
		},
	],
	[words]: 'a name',
	nested: [[{ words }]],
});

async function watched(simplify: boolean): Promise<string> {
	const n8n = new TestN8n(credentials(), `echo ${simplify}`);
	const shown: unknown[] = [];
	try {
		const events = ['completed', 'refunded', 'failed', 'delayed'];
		const parameters = { sourceHashes: HASH, options: { keepChecking: false }, simplify, events };
		const registration = await n8n.publish([{ parameters }]);
		await registration.poll();
		await registration.poll();
		await n8n.unpublish();
	} catch (error) {
		// n8n refuses to publish where the service is not usable, and says why.
		shown.push(error);
	}
	return textOf([shown, n8n.failures, n8n.started, [...n8n.database]]);
}

const acted = async (parameters: IDataObject): Promise<string> => {
	const { run, error, outputs } = await runAction(credentials(), parameters, {
		onError: 'continueRegularOutput',
	});
	return textOf([run, error, outputs]);
};

/** All that becomes of the answers to all that can be asked, simplified or as they came. */
async function allShown(): Promise<string> {
	const shown: string[] = [];
	for (const simplify of [true, false]) {
		for (const parameters of [
			{ operation: 'getStatus', sourceHash: HASH },
			{ operation: 'getQuote', specifyQuote: 'json', quoteJson: '{"inputNetwork":1}' },
			{ operation: 'waitForCompletion', sourceHash: HASH, checkEvery: 1 },
		])
			shown.push(await acted({ ...parameters, simplify }));
		shown.push(await watched(simplify));
	}
	shown.push(
		await acted({ operation: 'getConfig' }),
		textOf(await showList(credentials(), 'searchNetworks')),
	);
	return shown.join('\n');
}

test.each(Object.entries(WRITTEN))(
	'the key %s, in all that an order, a quote and a configuration state',
	async (_name, written) => {
		const words = written(KEY);
		const state = (status: string): void =>
			answersWith(200, JSON.stringify({ success: true, data: data(words, status) }));
		state(words);
		const shownWhileOpen =
			(await acted({ operation: 'getStatus', sourceHash: HASH })) + (await watched(true));
		state('completed');
		const shown = shownWhileOpen + (await allShown());
		expect(shown).toContain('completed');
		expect(containsKey(shown)).toBe(false);
	},
);

test.each(Object.entries(WRITTEN))(
	'the key %s, in the words of an error',
	async (_name, written) => {
		const words = `The key ${written(KEY)} is not valid`;
		answersWith(
			400,
			JSON.stringify({ success: false, error: { code: 'INVALID_PARAMETER', message: words } }),
		);
		const shown = await allShown();
		expect(shown).toContain('INVALID_PARAMETER');
		expect(containsKey(shown)).toBe(false);
	},
);

test.each<[string, (words: string) => unknown]>([
	['as the whole body', (words) => words],
	['as the error', (words) => ({ success: false, error: words })],
	['as the message', (words) => ({ message: words })],
	['as the description of an error', (words) => ({ error_description: words })],
	['as the detail', (words) => ({ detail: words })],
	['as the code', () => ({ error: { code: KEY } })],
	['as a name of the error', (words) => ({ error: { [words]: words, message: 'invalid' } })],
])('the key in an error, %s', async (_name, body) => {
	answersWith(422, JSON.stringify(body(`Key ${KEY} is bad`)));
	const shown = await allShown();
	expect(containsKey(shown)).toBe(false);
});

test('a key in the form of an error code is no code', async () => {
	const key = 'KEY_OF_ACME_2024';
	answersWith(400, JSON.stringify({ success: false, error: { code: key } }));
	const connected = await connectToService(listContext(credentials(key)));
	const shown = textOf([await connected.status(HASH), await connected.quote({ a: 1 })]);
	expect(shown).toContain('400');
	expect(shown).not.toContain(key);
});

test.each<[string, object]>([
	['8400012345', { amount: '8400012345', chainId: 8_400_012_345 }],
	['complete', { status: 'completed' }],
	['status', { status: 'pending', input: { amount: '5' } }],
	['success', { status: 'failed', timing: { completedAt: 1_735_689_612 } }],
])(
	'the key %s, which is a number or an everyday word, blanks nothing of the interface',
	async (key, order) => {
		answersWith(200, JSON.stringify({ success: true, data: order }));
		const connected = await connectToService(listContext(credentials(key)));
		expect(await connected.status(HASH)).toEqual({ ok: true, data: order });
	},
);

test('what does not contain the key stays as it came, next to what does', async () => {
	answersWith(
		200,
		JSON.stringify({
			success: true,
			data: { status: 'completed', orderId: KEY, list: ['a', KEY, 'b'], [KEY]: 1, amount: '100' },
		}),
	);
	const connected = await connectToService(listContext(credentials()));
	expect(await connected.status(HASH)).toEqual({
		ok: true,
		data: { status: 'completed', orderId: null, list: ['a', null, 'b'], amount: '100' },
	});
});

test.each(['a', 'key', '12345'])(
	'the key %s is too short to be searched for, and blanks no answer',
	async (key) => {
		answersWith(200, JSON.stringify({ success: true, data: { status: 'a key 12345' } }));
		const connected = await connectToService(listContext(credentials(key)));
		expect(await connected.status(HASH)).toEqual({ ok: true, data: { status: 'a key 12345' } });
	},
);

test.each<[string, string, string]>([
	['a key of backslashes', '\\'.repeat(12), '\\\\'],
	['a key that repeats itself', `${'ab'.repeat(500)}c`, 'ab'],
	['escapes of escapes', KEY, '%25'],
	['letters that become many', KEY, 'ﷺ'],
])('an answer, %s: the time grows no faster than its length', (_name, apiKey, part) => {
	const made = (size: number): string =>
		`{"message":"${part.repeat(Math.ceil(size / part.length))}"}`;
	const containsKey = searchFor(apiKey);
	const read = (body: string): unknown =>
		readResponse({ statusCode: 400, headers: {}, body }, { now: 0, asked: 'config', containsKey });
	expect(excessiveGrowth(made, read)).toBeNull();
});
