import fc from 'fast-check';
import { NodeApiError } from 'n8n-workflow';

import {
	BOUNDS,
	readResponse,
	type ServiceResponse,
} from '../../nodes/CrossChainBridge/service/envelope';
import {
	ExcessiveJson,
	MAX_LEVELS,
	parseJsonExactly,
} from '../../nodes/CrossChainBridge/orders/exactJson';
import {
	type Asked,
	describeError,
	isNotFound,
	isRequestError,
	isRateLimited,
	scopeOf,
	type ServiceError,
	toNodeError,
} from '../../nodes/CrossChainBridge/service/errors';
import { searchFor } from '../../nodes/CrossChainBridge/service/keySearch';
import { isPlainObject } from '../../nodes/CrossChainBridge/orders/values';
import { CrossChainBridge } from '../../nodes/CrossChainBridge/CrossChainBridge.node';
import { oneNode } from '../engine/oneNode';
import { CASES, casesRun, finishes, checkFor } from './cases';
import {
	anyBody,
	anyJson,
	hostileConfig,
	hostileOrder,
	hostileError,
	hostileText,
	KEY,
} from './hostileJson';
import {
	expectCleanPrototypes,
	expectNoMarkup,
	expectPlainWords,
	expectSoundJson,
} from './invariants';

const MAX_RESPONSE_BYTES = BOUNDS.config.bytes;
const MAX_PARTS = BOUNDS.config.values;

const { node: NODE } = oneNode(new CrossChainBridge());
const NOW = Date.parse('2026-01-01T00:00:00Z');
const read = (
	body: string,
	statusCode = 200,
	headers: Record<string, unknown> = {},
	{ asked = 'config' as Asked, apiKey = KEY } = {},
): ServiceResponse =>
	readResponse({ statusCode, headers, body }, { now: NOW, asked, containsKey: searchFor(apiKey) });

/** All titles that an error may ever have: our own words, whatever the service says. */
const MESSAGES = new Set([
	'The bridge could not be reached',
	'The bridge did not respond in time',
	'The Base URL redirects to another address. Correct it in the credential.',
	'The Base URL does not lead to the bridge. Correct it in the credential.',
	"The bridge's response was incomplete",
	"The bridge's response could not be read",
	'The bridge does not accept the API key. Correct it in the credential.',
	"The bridge's request limit was reached",
	'The bridge redirected the request to another address',
	'The bridge does not have enough liquidity for this order at the moment',
	'Order not found',
	'The network or token is not supported',
	'There is not enough liquidity for this route',
	'A value was not accepted',
	'The bridge does not accept the hash',
	'Recipient is not supported',
	"'Recipient' was not accepted",
	'The bridge is temporarily unavailable',
	'The bridge did not accept the request',
	'The bridge did not accept the request. Check the API key and the Base URL in the credential.',
	...[403, 407, 451].flatMap((status) => {
		const refused = `The bridge or a firewall refused the request from this n8n (HTTP ${status})`;
		return [refused, `${refused}. Check the API key and the Base URL in the credential.`];
	}),
]);

function expectSoundAnswer(answer: ServiceResponse): void {
	if (answer.ok) {
		if (!isPlainObject(answer.data)) throw new Error('Data that is no object');
		expectSoundJson(answer.data);
		if (JSON.stringify(answer.data).includes(KEY)) throw new Error('The key');
	} else
		for (const asked of ['config', 'quote', 'status'] as const)
			expectSoundError(answer.error, asked);
}

/** The service's names as the editor's. */
const LABELS = { destinationAddress: 'Recipient' };

function expectSoundError(error: ServiceError, asked: Asked): void {
	const described = describeError(error, asked, LABELS);
	const { message, ownMessage, description, httpCode, code } = described;
	if (!MESSAGES.has(ownMessage)) throw new Error(`Somebody else's message: ${ownMessage}`);
	if (message !== ownMessage && !/^The bridge says: "\p{L}[^＜＞<>{}]{1,118}"$/u.test(message))
		throw new Error(`A headline: ${message}`);
	expectPlainWords(description);
	if (description.length > 1_200)
		throw new Error(`A description of ${description.length} characters`);
	if (httpCode !== undefined && !/^\d{3}$/.test(httpCode)) throw new Error(`httpCode ${httpCode}`);
	if (code !== undefined && !/^[A-Z][A-Z0-9_]{2,63}$/.test(code)) throw new Error(`code ${code}`);
	const scope = scopeOf(error, asked);
	if (isNotFound(error) && asked !== 'config' && scope !== 'request')
		throw new Error("Not found is nobody's fault");
	if (isRateLimited(error) !== (scope === 'rateLimited')) throw new Error('Is it the rate limit?');
	if (asked === 'config' && isRequestError(error) && scope === 'transient')
		throw new Error('The configuration has an order error');
	if (
		error.kind === 'rejected' &&
		error.retryAfterMs !== null &&
		!(error.retryAfterMs >= 0 && error.retryAfterMs <= 3_600_000)
	) {
		throw new Error(`A wait of ${error.retryAfterMs}`);
	}
	const shown = toNodeError(NODE, error, { asked, labels: LABELS, itemIndex: 0 });
	expectNoMarkup(String(shown.description));
	if (
		!(shown instanceof NodeApiError) ||
		shown.message !== message ||
		shown.description !== description
	)
		throw new Error('n8n has changed the text');
	if (JSON.stringify({ ...shown, message: shown.message }).includes(KEY))
		throw new Error('The key');
}

const anyStatus = fc.oneof(
	fc.constantFrom(
		...[200, 200, 200, 201, 204, 300, 302, 304, 400, 401, 403, 404, 407, 409, 418, 422, 429],
		...[500, 502, 503, 599],
	),
	fc.integer({ min: 100, max: 999 }),
);

const anyHeaders = fc.oneof(
	fc.constant({}),
	fc.record({
		'retry-after': fc.oneof(
			hostileText,
			fc.integer(),
			fc.constantFrom('5', '-5', '1e9', 'foo 5', 'Thu, 01 Jan 2026 00:00:30 GMT', ['1', '2']),
			anyJson.map(({ value }) => value),
		),
	}),
);

afterEach(expectCleanPrototypes);

test('JSON of every shape is read exactly: whole numbers keep their digits, nothing else changes', () => {
	checkFor(15_000, anyJson, ({ text, value }) => {
		const read = parseJsonExactly(text);
		if (JSON.stringify(read) !== JSON.stringify(value))
			throw new Error(`${text} was read as ${JSON.stringify(read)}`);
		expectSoundJson(read);
	});
});

test('any body with any status is data or a service error that can be shown', () => {
	checkFor(
		15_000,
		fc.tuple(anyBody, anyStatus, anyHeaders, fc.constantFrom<Asked>('config', 'quote', 'status')),
		([body, statusCode, headers, asked]) =>
			expectSoundAnswer(read(body, statusCode, headers, { asked })),
	);
});

test('data in an envelope comes out as it went in', () => {
	checkFor(5_000, fc.oneof(hostileOrder, hostileConfig), ({ text, value }) => {
		const body = `{"success":true,"data":${text}}`;
		const answer = read(body, 200, {}, { apiKey: 'sk-live-7f3a' });
		if (!answer.ok || JSON.stringify(answer.data) !== JSON.stringify(value))
			throw new Error(`Read as ${JSON.stringify(answer)}`);
	});
});

test('an error of any shape becomes a sentence of ours, with words that can be no markup', () => {
	checkFor(
		15_000,
		fc.tuple(hostileError, anyStatus, anyHeaders),
		([{ text }, statusCode, headers]) => {
			const answer = read(text, statusCode, headers);
			if (answer.ok && (statusCode < 200 || statusCode >= 300))
				throw new Error('An error was taken for data');
			expectSoundAnswer(answer);
		},
	);
});

test.each<[string, string, string]>([
	[
		'a text of 5 MB',
		JSON.stringify({ success: true, data: { a: 'x'.repeat(MAX_RESPONSE_BYTES) } }),
		'tooLarge',
	],
	[
		'10,000 levels',
		`{"success":true,"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
		'tooLarge',
	],
	[
		'10,000 levels of objects',
		`{"success":true,"data":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
		'tooLarge',
	],
	['2 million levels', '['.repeat(2_000_000) + ']'.repeat(2_000_000), 'tooLarge'],
	['2 million levels that are never closed', '['.repeat(2_000_000), 'tooLarge'],
	['a web page of commas', `<html>${','.repeat(1_000_000)}`, 'html'],
	['a text of commas', `Hello${','.repeat(1_000_000)}`, 'text'],
	['50 levels that are never closed', '['.repeat(50), 'brokenJson'],
	[
		'a million networks',
		`{"success":true,"data":{"networks":[${'{},'.repeat(1_000_000)}{}]}}`,
		'tooLarge',
	],
	['a text that is never closed', `"${'\\"'.repeat(2_000_000)}`, 'brokenJson'],
	['texts that are never closed', `["${'\\",'.repeat(1_500_000)}`, 'brokenJson'],
	['backslashes', `"${'\\'.repeat(4_000_001)}"`, 'brokenJson'],
	['digits', '9'.repeat(4_000_000), 'noEnvelope'],
	['a million numbers', `[${'1e999,'.repeat(800_000)}1]`, 'tooLarge'],
	['as many numbers as may be', `[${'1e999,'.repeat(MAX_PARTS - 1)}1]`, 'noEnvelope'],
	['brackets and commas in a text', JSON.stringify('[{,'.repeat(1_000_000)), 'noEnvelope'],
])('%s: read to the end, and reported', (_name, body, found) => {
	expect(finishes(() => read(body))).toEqual({
		ok: false,
		error: { kind: 'unreadable', status: 200, found },
	});
});

test('what is just modest enough is read', () => {
	const levels = `${'['.repeat(MAX_LEVELS)}1${']'.repeat(MAX_LEVELS)}`;
	expect(JSON.stringify(parseJsonExactly(levels))).toBe(levels);
	expect(() => parseJsonExactly(`[${levels}]`)).toThrow(ExcessiveJson);
	const parts = `[${Array.from({ length: MAX_PARTS / 2 }, () => '{}').join(',')}]`;
	expect(parseJsonExactly(parts)).toHaveLength(MAX_PARTS / 2);
	expect(() => parseJsonExactly(`[${parts}]`)).toThrow(ExcessiveJson);
});

test('5 MB of words in an error are shown as a few', () => {
	for (const words of ['<b>', '&', ' ', '\n', '\u202e', 'ﷺ', '💣'].map((sign) =>
		sign.repeat(1_500_000),
	)) {
		const body = JSON.stringify({ error: { code: 'A_'.repeat(1_000), message: words } });
		expectSoundAnswer(finishes(() => read(body, 400)));
	}
});

test.each([401, 429, 503])('the status %i is reported even if its body is too long', (status) => {
	const answer = read('x'.repeat(MAX_RESPONSE_BYTES + 1), status);
	expect(answer).toMatchObject({ error: { kind: 'rejected' } });
});

test.each(['-5', 'foo 5', 'in 5 minutes', '5,5', '2 days', 'May'])(
	'Retry-After %j is no time',
	(header) => {
		const answer = read('', 429, { 'retry-after': header });
		expect(answer).toMatchObject({ error: { retryAfterMs: null } });
	},
);

test(`${CASES.answers} random cases or more were run in this file`, () => {
	expect(casesRun()).toBeGreaterThanOrEqual(CASES.answers);
	expect(Object.values(CASES).reduce((sum, cases) => sum + cases)).toBeGreaterThanOrEqual(20_000);
});
