import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { runAction } from '../engine/n8n';
import { anyBody, hostileConfig, hostileOrder, hostileError, KEY } from './hostileJson';
import {
	expectCleanPrototypes,
	expectNoMarkup,
	expectPlainWords,
	expectSoundJson,
} from './invariants';
import { httpAnswer, type RawServer, startRawServer } from './rawServer';
import { credentialsFor } from './ways';

/** The whole way: hostile bodies over a connection, through the real n8n-core, to the items and errors that n8n stores. */

let server: RawServer;
let answerTo: (request: string) => Buffer;
beforeAll(async () => {
	server = await startRawServer((socket, request) => void socket.end(answerTo(request ?? '')));
});
afterEach(expectCleanPrototypes);

let accounts = 0;

/** An account each, because the configuration of an account is remembered. */
async function run(parameters: IDataObject, items?: Array<{ json: IDataObject }>) {
	const apiKey = `${KEY}-${++accounts}`;
	const { error, outputs } = await runAction(
		credentialsFor(`http://127.0.0.1:${server.port}`, apiKey),
		parameters,
		items === undefined ? {} : { items },
	);
	if (error !== undefined) {
		expect(JSON.stringify(error)).not.toContain(apiKey);
		expectPlainWords(String(error.message).replaceAll(KEY, ''), 200);
		expectNoMarkup(String(error.description));
		expectPlainWords(String(error.description).replaceAll(KEY, ''));
	}
	for (const { json } of outputs.flat()) expectSoundJson(json);
	return { error, outputs };
}

const SOURCE_HASH = `0x${'5c'.repeat(32)}`;

const OPERATIONS: IDataObject[] = [
	{ operation: 'getStatus', sourceHash: SOURCE_HASH },
	{ operation: 'getStatus', sourceHash: SOURCE_HASH, simplify: false },
	{ operation: 'getConfig', network: { __rl: true, mode: 'id', value: '' } },
	{ operation: 'getConfig', network: { __rl: true, mode: 'id', value: '1' } },
	{ operation: 'getQuote', specifyQuote: 'json', quoteJson: '{"inputNetwork":1}' },
];

test('bodies and statuses of every kind become items or errors that can be stored and shown', async () => {
	const body = fc.oneof(
		anyBody,
		hostileError.map(({ text }) => text),
		fc.oneof(hostileOrder, hostileConfig).map(({ text }) => `{"success":true,"data":${text}}`),
	);
	const status = fc.constantFrom(
		'200 OK',
		'200 OK',
		'200 OK',
		'400 Bad Request',
		'401 Unauthorized',
		'403 Forbidden',
		'404 Not Found',
		'500 Internal Server Error',
		'302 Found',
	);
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...OPERATIONS),
			body,
			status,
			async (parameters, text, line) => {
				// That one would be waited out.
				const answer = httpAnswer(text.replaceAll('RATE_LIMITED', 'LIMITED'), { status: line });
				answerTo = () => answer;
				await run(parameters);
			},
		),
		{ numRuns: 1_000 },
	);
});

/** Long enough for one check of each order, also on a machine that has other work. */
const BRIEFLY = { maxMinutes: 0.25, checkEvery: 60 };

test('Wait for Completion gives an order to Completed only if the word is completed', async () => {
	const orders = fc.array(hostileOrder, { minLength: 80, maxLength: 80 });
	const sourceHashOf = (index: number): string => `0x${String(index + 10).repeat(32)}`;
	await fc.assert(
		fc.asyncProperty(orders, fc.boolean(), async (hostile, simplify) => {
			const texts = hostile.map(({ text }) => text);
			answerTo = (request) => {
				const index = texts.findIndex((_text, each) => request.includes(sourceHashOf(each)));
				return httpAnswer(`{"success":true,"data":${texts[index] ?? '{}'}}`);
			};
			const { outputs, error } = await run(
				{ operation: 'waitForCompletion', sourceHash: '={{ $json.hash }}', ...BRIEFLY, simplify },
				texts.map((_text, index) => ({ json: { hash: sourceHashOf(index) } })),
			);
			expect(error).toBeUndefined();
			const final: unknown[] = ['completed', 'refunded', 'failed'];
			const places = texts.map((text) => {
				const parsed = JSON.parse(text) as { status?: unknown };
				const place = Object.hasOwn(parsed, 'status') ? final.indexOf(parsed.status) : -1;
				return place < 0 ? 2 : Math.min(place, 1);
			});
			const got = outputs.map((items) => items.map(({ pairedItem }) => pairedItem));
			expect(got).toEqual(
				[0, 1, 2].map((output) =>
					places.flatMap((place, item) => (place === output ? [{ item }] : [])),
				),
			);
		}),
		// A smaller case says no more, and each takes as long.
		{ numRuns: 5, endOnFailure: true },
	);
});
