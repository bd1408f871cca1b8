import type { IDataObject } from 'n8n-workflow';

import { readResponse } from '../../nodes/CrossChainBridge/service/envelope';
import { withoutKey } from '../../nodes/CrossChainBridge/service/keySearch';
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
		const parameters = { sourceHashes: HASH, keepChecking: false, simplify, events };
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
		expect(withoutKey(shown, KEY)).toBe(shown);
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
		expect(withoutKey(shown, KEY)).toBe(shown);
	},
);

test.each<[string, (words: string) => unknown]>([
	['as the whole body', (words) => words],
	['as the error', (words) => ({ success: false, error: words })],
	['as the message', (words) => ({ message: words })],
	['as the description of an error', (words) => ({ error_description: words })],
	['as the detail', (words) => ({ detail: words })],
	['as the code', () => ({ error: { code: KEY } })],
	['as a name of the error', (words) => ({ error: { [words]: words, message: 'no' } })],
])('the key in an error, %s', async (_name, body) => {
	answersWith(422, JSON.stringify(body(`Key ${KEY} is bad`)));
	const shown = await allShown();
	expect(withoutKey(shown, KEY)).toBe(shown);
});

test.each<[string, string, unknown]>([
	['as a number', '8400012345', 8_400_012_345],
	['as a part of a number', '8400012345', 9_840_001_234_511],
	['as digits behind a point', '8400012345', 0.8400012345],
	['as a number with an exponent', '8400012345', 8.400012345e30],
	['as a number beyond 2^53', '84000123458400012345', 'LARGE'],
	['as a word that looks like an error code', 'KEY_OF_ACME_2024', 'KEY_OF_ACME_2024'],
])('a key of digits or capitals, %s', async (_name, key, value) => {
	const json = JSON.stringify({
		success: true,
		data: { status: 'completed', amount: value, error: { code: value } },
	}).replaceAll('"LARGE"', '84000123458400012345');
	for (const status of [200, 400]) {
		answersWith(
			status,
			status === 200
				? json
				: json.replace('"success":true,"data":{', '"success":false,').replace(/\}\}$/, '}'),
		);
		const connected = await connectToService(listContext(credentials(key)));
		const shown = textOf([await connected.status(HASH), await connected.quote({ a: 1 })]);
		expect(shown).toContain(status === 200 ? 'completed' : '400');
		expect(shown.replace(/\D/g, '')).not.toContain('8400012345');
		expect(shown).not.toContain(key);
	}
});

test('what does not contain the key stays as it came, beside what does', async () => {
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
	['names of HTML', KEY, '&amp;'],
])('an answer, %s: the time grows no faster than its length', (_name, apiKey, part) => {
	const made = (size: number): string =>
		`{"message":"${part.repeat(Math.ceil(size / part.length))}"}`;
	const read = (body: string): unknown =>
		readResponse({ statusCode: 400, headers: {}, body }, { now: 0, envelope: 'required', apiKey });
	expect(excessiveGrowth(made, read)).toBeNull();
});
