import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { quoteItem } from '../../../nodes/CrossChainBridge/orders/quotes';
import {
	BOUNDS,
	clockAhead,
	type HttpResponse,
	QUOTE_FIELDS,
	readResponse,
} from '../../../nodes/CrossChainBridge/service/envelope';
import type { Asked } from '../../../nodes/CrossChainBridge/service/errors';
import { searchFor } from '../../../nodes/CrossChainBridge/service/keySearch';
import { excessiveGrowth } from '../../growth';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const KEY = 'sk-live-7f3a';
const read = (response: Partial<HttpResponse>, asked: Asked = 'config'): unknown =>
	readResponse(
		{ statusCode: 200, headers: {}, body: '', ...response },
		{ now: NOW, asked, containsKey: searchFor(KEY) },
	);
const unreadable = (found: string, status = 200) => ({
	ok: false,
	error: { kind: 'unreadable', status, found },
});
const DATA = '{"success":true,"data":{"a":1}}';
const QUOTE = '{"quoteId":"q","data":{"fee":"1"}}';

test.each<[body: unknown, data: object]>([
	[DATA, { a: 1 }],
	['\ufeff {"success":true,"data":{}} ', {}],
	['{"data":{"a":1}}', { a: 1 }],
	[QUOTE, { fee: '1' }],
	// One that was parsed on the way is taken as it is.
	[{ success: true, data: { a: 1 } }, { a: 1 }],
	// Whole numbers beyond 2^53 stay exact.
	[
		'{"success":true,"data":{"a":123456789012345678901,"n":[9007199254740993,1],"t":"9","f":0.1}}',
		{ a: '123456789012345678901', n: ['9007199254740993', 1], t: '9', f: 0.1 },
	],
])('the payload of %j is %j', (body, data) => {
	expect(read({ body })).toEqual({ ok: true, data });
});

test.each<[body: unknown, found: string]>([
	['<!doctype html>', 'html'],
	['  <p>', 'html'],
	['Hello', 'text'],
	['Hello {"data":{}}', 'text'],
	['', 'empty'],
	['   ', 'empty'],
	[undefined, 'empty'],
	[null, 'empty'],
	['{"success":true', 'brokenJson'],
	['[1', 'brokenJson'],
	['"text', 'brokenJson'],
	['[1,2]', 'noEnvelope'],
	['"text"', 'noEnvelope'],
	['5', 'noEnvelope'],
	['null', 'noEnvelope'],
	['{"hello":1}', 'noEnvelope'],
	['{"quoteId":"q"}', 'noEnvelope'],
	['{"success":true}', 'noData'],
	['{"success":true,"data":null}', 'noData'],
	['{"success":true,"data":[1]}', 'noData'],
	['{"success":true,"data":"x"}', 'noData'],
	['{"data":"x"}', 'noData'],
	['{"data":null}', 'noData'],
	['['.repeat(101), 'tooLarge'],
])('a body that cannot be used (%s) is reported as %s', (body, found) => {
	expect(read({ body })).toEqual(unreadable(found));
});

test.each<[body: string, expected: object]>([
	[QUOTE, { ok: true, data: { quoteId: 'q', data: { fee: '1' } } }],
	[DATA, { ok: true, data: { a: 1 } }],
	['{"data":{"fee":"1"}}', { ok: true, data: { fee: '1' } }],
	['{"success":true,"quoteId":"q"}', unreadable('noData')],
	['{"quote":{"expiry":1}}', { ok: true, data: { quote: { expiry: 1 } } }],
	['{"requestId":"1","data":{"fee":"1"}}', { ok: true, data: { fee: '1' } }],
	['{"success":true,"data":{}}', unreadable('noData')],
	['{"success":true,"data":{"tokenOut":null}}', unreadable('noData')],
	['{}', unreadable('noEnvelope')],
	['{"hello":1}', unreadable('noEnvelope')],
	['{"quoteId":null,"tokenOut":null,"a":1}', unreadable('noEnvelope')],
	['{"quote":{"a":1}}', unreadable('noEnvelope')],
	['{"quote":"a"}', unreadable('noEnvelope')],
	['{"status":"ok"}', unreadable('noEnvelope')],
])('a quote may come without an envelope, if it says nothing of success: %s', (body, expected) => {
	expect(read({ body }, 'quote')).toEqual(expected);
});

test('what makes a quote without an envelope is what a quote is read from', () => {
	const asked = new Set<string>();
	const quote = new Proxy<Record<string, unknown>>(
		{},
		{
			getOwnPropertyDescriptor: (_target, name) => {
				asked.add(String(name));
				return undefined;
			},
		},
	);
	quoteItem({ quote, asked: {} }, PLAIN_DISPLAY, NOW);
	// A quote may be there, one level deeper.
	asked.delete('quote');
	expect(asked).toEqual(new Set(QUOTE_FIELDS));
});

test.each(['config', 'quote', 'status'] as const)(
	'a %s of so many bytes and values is read, a larger one is not',
	(asked) => {
		const { bytes, values } = BOUNDS[asked];
		const text = (length: number) => `{"data":{"a":"${'x'.repeat(length - 17)}"}}`;
		expect(text(bytes)).toHaveLength(bytes);
		expect(read({ body: text(bytes) }, asked)).toMatchObject({ ok: true });
		expect(read({ body: text(bytes + 1) }, asked)).toEqual(unreadable('tooLarge'));
		const list = (length: number) => `{"data":{"a":[${'1,'.repeat(length - 3)}1]}}`;
		expect(read({ body: list(values) }, asked)).toHaveProperty('ok', true);
		expect(read({ body: list(values + 1) }, asked)).toMatchObject({ ok: false });
	},
);

test.each(['tooLarge', 'brokenOff'] as const)(
	'a body that is cut (%s) is not read, but the status counts',
	(cut) => {
		expect(read({ body: DATA, cut })).toEqual(unreadable(cut));
		const headers = { 'retry-after': ['3', '9'] };
		expect(read({ body: null, cut, statusCode: 503, headers })).toEqual({
			ok: false,
			error: {
				kind: 'rejected',
				status: 503,
				code: null,
				words: null,
				meaning: 'INTERNAL_ERROR',
				retryAfterMs: 3000,
			},
		});
		expect(read({ body: DATA })).toMatchObject({ ok: true });
	},
);

test.each<[body: unknown, code: string | null, words: string | null]>([
	[{ success: false, error: { code: 'NOT_FOUND', message: 'no order' } }, 'NOT_FOUND', 'no order'],
	[{ error: { code: 'NOT_FOUND', message: 'no order' } }, 'NOT_FOUND', 'no order'],
	[{ code: 'NOT_FOUND', message: 'no order' }, 'NOT_FOUND', 'no order'],
	[{ error: 'NOT_FOUND', message: 'no order' }, 'NOT_FOUND', 'no order'],
	[
		{ error: { code: 'FIRST', message: 'one' }, code: 'LAST', errorCode: 'LAST', message: 'two' },
		'FIRST',
		'one',
	],
	[
		{ error: { type: 'LAST' }, code: 'SECOND', message: 'two', error_description: 'three' },
		'SECOND',
		'two',
	],
	[
		{ error: 'AS_TEXT', errorCode: 'LAST', error_description: 'three', detail: 'four' },
		'AS_TEXT',
		'three',
	],
	[{ error: { type: 'LAST' }, errorCode: 'THIRD', detail: 'four' }, 'THIRD', 'four'],
	[{ error: { type: 'LAST', message: '' }, message: null }, 'LAST', null],
	[{ error: 'AS_TEXT' }, 'AS_TEXT', null],
	[{ error: 'AS_TEXT', message: 'AS_TEXT', detail: 'four' }, 'AS_TEXT', 'four'],
	[{ message: 'no order' }, null, 'no order'],
	[{ success: false, error: 'no order' }, null, 'no order'],
	['no order', null, 'no order'],
	[{}, null, null],
	[[], null, null],
	[{ code: 404, error: { code: 'not_found' } }, 'NOT_FOUND', null],
	[{ error: 'Insufficient-Liquidity' }, 'INSUFFICIENT_LIQUIDITY', null],
	[{ error: 'rate limited', message: 'one' }, 'RATE_LIMITED', 'one'],
	[{ code: 'orderNotFound' }, 'ORDER_NOT_FOUND', null],
	[{ code: 'bridge_paused' }, 'BRIDGE_PAUSED', null],
	[{ code: 'paused' }, null, 'paused'],
	[{ code: 'bridge is paused' }, null, 'bridge is paused'],
	[{ error: 'teapot', message: 'one' }, null, 'one'],
	[{ errors: [{ code: 'rate_limited', message: 'one' }] }, 'RATE_LIMITED', 'one'],
	// As backends say what is wrong with a parameter.
	[
		{ statusCode: 400, message: ['a must be b', 'c must be d'], error: 'Bad Request' },
		null,
		'a must be b; c must be d',
	],
	[{ message: ['Order not found'], error: 'Bad Request' }, null, 'Order not found'],
	[{ message: { message: 'one' } }, null, 'one'],
	[{ msg: 'one' }, null, 'one'],
	[{ title: 'one', status: 400 }, null, 'one'],
	[{ status: 'error', reason: 'no route' }, null, 'no route'],
	[{ errors: ['one', 'two'] }, null, 'one; two'],
	[{ error: { issues: [{ path: ['p'], message: 'Required' }] } }, null, 'p: Required'],
	[{ errors: [{ message: 'one' }, { detail: 'two' }, {}, 5] }, null, 'one; two'],
	[{ errors: [{ path: 'a', msg: 'Invalid value' }] }, null, 'a: Invalid value'],
	[{ errors: [{ path: ['a'], message: 'a is required' }] }, null, 'a is required'],
	...['param', 'field', 'property'].map((name): [unknown, null, string] => [
		{ errors: [{ [name]: 'a', message: 'Invalid value' }] },
		null,
		'a: Invalid value',
	]),
	[{ errors: { a: [5], b: 'is bad' } }, null, 'b: is bad'],
	[{ detail: [{ loc: ['query', 'a'], msg: 'Field required' }] }, null, 'a: Field required'],
	[
		{ title: 'Check it', errors: { p1: ['is required', 'is short'], p2: 'p2 is bad' } },
		null,
		'p1: is required; p1: is short; p2 is bad',
	],
	[{ message: 'Validation failed', errors: [{ path: 'p', msg: 'is bad' }] }, null, 'p: is bad'],
	[{ success: false, data: { message: 'one' } }, null, 'one'],
	[{ success: false, data: { code: 'NO_ROUTE', message: 'one' } }, 'NO_ROUTE', 'one'],
	[{ success: false, data: 'one' }, null, 'one'],
	[{ errors: Array.from({ length: 50 }, () => 'one') }, null, 'one; one; one; one; one'],
	// A page in place of one error is cut.
	[{ errors: [{ path: 'p', msg: 'a'.repeat(1_001) }] }, null, `p: ${'a'.repeat(1_000)}`],
	// What the HTTP status says already is no message, unless nothing else is there.
	[{ status: 400, error: 'Bad Request' }, null, 'Bad Request'],
	[{ error: 'Bad Request', title: 'one' }, null, 'one'],
	[{ message: 'Unprocessable Entity', detail: 'one' }, null, 'one'],
	[{ code: 'ABC' }, 'ABC', null],
	[{ code: '' }, null, null],
	[{ code: 'paused', errorCode: 'BRIDGE_PAUSED' }, 'BRIDGE_PAUSED', 'paused'],
	[{ code: 'AB' }, null, 'AB'],
	[{ code: 'A'.repeat(64) }, 'A'.repeat(64), null],
	[{ code: 'A'.repeat(65) }, null, 'A'.repeat(65)],
	[{ code: 'E_404' }, 'E_404', null],
	[{ code: '404_E' }, null, '404_E'],
	[{ code: 'the NOT_FOUND' }, null, 'the NOT_FOUND'],
	[{ code: 'NOT_FOUND!' }, null, 'NOT_FOUND!'],
])('of %j the code is %j and the words are %j', (body, code, words) => {
	expect(read({ statusCode: 400, body: JSON.stringify(body) })).toMatchObject({
		ok: false,
		error: { kind: 'rejected', status: 400, code, words, retryAfterMs: null },
	});
});

/** With HTTP 200, the status that a failure states in any usual place is the one that it stands for. */
test.each<[failure: object, meaning: string | null]>([
	[{ code: 503 }, 'INTERNAL_ERROR'],
	[{ statusCode: '401' }, 'UNAUTHORIZED'],
	[{ errorCode: ' 500 ' }, 'INTERNAL_ERROR'],
	[{ status: 404 }, 'NOT_FOUND'],
	[{ error: 429 }, 'RATE_LIMITED'],
	[{ error: { code: 502 } }, 'INTERNAL_ERROR'],
	[{ error: { status: 429 } }, 'RATE_LIMITED'],
	[{ errors: [{ statusCode: 503 }] }, 'INTERNAL_ERROR'],
	[{ errors: { code: 401 } }, 'UNAUTHORIZED'],
	[{ data: { code: 503 } }, 'INTERNAL_ERROR'],
	[{ code: 7, error: { status: 401 } }, 'UNAUTHORIZED'],
	...[203, 5_030, 1_503, 50, 600, 'E503', '503a', '5x3', '50x', null].map(
		(code): [object, null] => [{ code }, null],
	),
	[{}, null],
])('a failure with HTTP 200 and %j means %j', (failure, meaning) => {
	const body = JSON.stringify({ success: false, ...failure });
	for (const statusCode of [200, 299])
		expect(read({ statusCode, body })).toMatchObject({
			error: { kind: 'rejected', status: statusCode, meaning },
		});
	// Any other HTTP status counts itself.
	for (const [statusCode, own] of [
		[401, 'UNAUTHORIZED'],
		[402, null],
		[500, 'INTERNAL_ERROR'],
	] as const)
		expect(read({ statusCode, body })).toMatchObject({ error: { meaning: own } });
});

test('the text of a success is no error', () => {
	const body = '{"success":true,"data":"There is no route"}';
	expect(read({ body }, 'quote')).toEqual(unreadable('noData'));
	const failure = body.replace('true', 'false');
	expect(read({ body: failure }, 'quote')).toMatchObject({ error: { words: 'There is no route' } });
});

test('the words of one error are found in any place in one go through the body', () => {
	const made = (size: number) => {
		const levels = Math.min(40, Math.ceil(size / 20));
		const around = (text: string, [before, after]: readonly [string, string]) =>
			before.repeat(levels) + text + after.repeat(levels);
		const nested = ['{"errors":', '}'] as const;
		const listed = ['{"errors":{"error":', '}}'] as const;
		const texts = `[${'"x",'.repeat(Math.ceil(size / 4))}"x"]`;
		return `{"message":[${around(texts, nested)},${around('5', listed)}]}`;
	};
	const read400 = (body: string) => read({ statusCode: 400, body });
	expect(read400(made(100))).toMatchObject({ error: { kind: 'rejected' } });
	expect(excessiveGrowth(made, read400)).toBeNull();
});

test('a long message is not copied for each level around it', () => {
	const levels = 48;
	const body = `${'{"path":"z","errors":['.repeat(levels)}"${'a '.repeat(40_000)}"${']}'.repeat(levels)}`;
	const { error } = read({ statusCode: 400, body }) as { error: { words: string } };
	expect(error.words).toMatch(/^z: (?:a )+/);
	expect(error.words.length).toBeLessThan(1_010);
});

test('no code is taken from a prototype', () => {
	const body = '{"error":{"__proto__":{"code":"X_Y_Z"}}}';
	expect(read({ statusCode: 400, body })).toMatchObject({ error: { code: null, words: null } });
});

test.each<[body: string, kind: string, statuses: number[]]>([
	[DATA, 'rejected', [0, 199, 400]],
	[DATA, 'redirected', [300, 301, 302, 303, 307, 308, 399]],
	['', 'redirected', [399]],
	// Of a cache, which sends nobody elsewhere.
	['', 'unreadable', [304]],
	['', 'rejected', [400, 401, 403, 404, 429, 500, 503]],
	[' ', 'rejected', [402]],
	['', 'unreadable', [199, 299]],
	['busy', 'rejected', [401, 403, 404, 429, 500, 503]],
	['busy', 'unreadable', [402, 499]],
	['{"a"', 'rejected', [401, 404, 429, 500, 503]],
	['<html>', 'unreadable', [400, 402, 405, 499]],
	['<html>', 'rejected', [401, 403, 404, 407, 429, 451, 500, 503]],
	// Words that say what it is, although the interface promises JSON.
	['Too many requests', 'rejected', [400, 409]],
	['Invalid API key', 'rejected', [400, 422]],
	['Insufficient liquidity', 'rejected', [400]],
	['Get your API key at a.example', 'unreadable', [200, 299]],
])('the body %j is %s with each of the statuses %j', (body, kind, statuses) => {
	for (const statusCode of statuses)
		expect(read({ statusCode, body })).toMatchObject({
			ok: false,
			error: { kind, status: statusCode },
		});
	expect(read({ statusCode: 299, body: DATA })).toMatchObject({ ok: true });
});

test.each<[statusCode: number, body: string, words: string | null]>([
	[403, 'error code: 1020', 'error code: 1020'],
	[403, '403 Forbidden', '403 Forbidden'],
	[503, 'upstream connect error', 'upstream connect error'],
	[403, '<title>Just a moment…</title>', null],
	[407, '<p>Authenticate</p>', null],
	[403, `The key ${KEY} is bad`, null],
])('with HTTP %d, plain text (%s) is kept, and no web page', (statusCode, body, words) => {
	for (const asked of ['config', 'quote', 'status'] as const)
		expect(read({ statusCode, body }, asked)).toMatchObject({ error: { kind: 'rejected', words } });
});

const NOT_FOUND = { ok: false, error: { kind: 'rejected', meaning: 'NOT_FOUND' } };

/** Whatever a service says of an order that it does not have. */
test.each<[string, number, string]>([
	['404 as plain text', 404, '404 page not found'],
	['404 as a web page', 404, '<!doctype html>'],
	['404 with nothing', 404, ''],
	['404 with JSON of its own', 404, '{"statusCode":404}'],
	['404 that breaks off', 404, '{"success"'],
	['404 with an order', 404, DATA],
	['no data', 200, '{"success":true,"data":null}'],
	['data that is absent', 200, '{"success":true}'],
	['only null', 200, '{"data":null}'],
	['an empty list', 200, '{"success":true,"data":[]}'],
	['an empty object', 200, '{"success":true,"data":{}}'],
	['No Content', 204, ''],
	['zeros', 200, '{"data":{"orderId":"0x000","status":"","input":{"txHash":"0x0","amount":"0"}}}'],
	['an empty text', 200, '{"success":true,"data":""}'],
	['only null values', 200, '{"success":true,"data":{"orderId":null,"status":null}}'],
	['nothing but empty objects', 200, '{"data":{"status":"","input":{"txHash":null},"log":[]}}'],
	['a status that says so', 200, '{"success":true,"data":{"status":"NOT_FOUND"}}'],
	['in words', 200, '{"success":true,"data":{"status":" not found ","orderId":null}}'],
	['in one word', 200, '{"data":{"status":"notfound","input":{},"substatus":"x"}}'],
	[
		'with words',
		200,
		'{"data":{"status":"NOT_FOUND","message":"The bridge has no such transfer"}}',
	],
	['with an error', 200, '{"success":true,"data":{"status":"NOT_FOUND","error":"None so far"}}'],
	['a status that says not indexed', 200, '{"data":{"status":"NOT_INDEXED_YET"}}'],
	['a list of words', 400, '{"message":["Order not found"],"error":"Bad Request"}'],
	['words in a list of errors', 400, '{"errors":[{"message":"Order not found"}]}'],
	['words in a list of errors with 200', 200, '{"data":null,"errors":[{"message":"not found"}]}'],
	['words in data', 200, '{"success":true,"data":{"errors":[{"message":"Order not found"}]}}'],
	['the code', 400, '{"code":"NOT_FOUND"}'],
	['a code of its own', 422, '{"error":{"code":"ORDER_NOT_FOUND"}}'],
	['words with success: false', 200, '{"success":false,"error":"Order not found"}'],
	['words with no success', 200, '{"message":"Order not found"}'],
	['words without data', 200, '{"success":true,"data":null,"message":"No such order"}'],
	[
		'nothing but null next to no data',
		200,
		'{"success":true,"data":null,"error":null,"errors":[]}',
	],
	...[
		'"message":"OK"',
		'"message":"Success"',
		'"message":"Successfully."',
		'"msg":"okay","code":"0"',
		'"code":"SUCCESS"',
		'"code":"OK"',
		'"code":"200","message":"success"',
		'"code":200',
		'"statusCode":200',
		'"status":"success"',
		'"status":200,"message":"200 OK"',
		'"timestamp":1764420211,"requestId":"9f1c"',
		'"path":"/api/sdk/v2/status","took":3.5,"cached":false',
		'"message":"Status fetched successfully"',
		'"message":"Data fetched successfully"',
		'"message":"Order status retrieved"',
		'"message":"Operation successful"',
		'"message":"Done"',
		'"message":"Awaiting deposit"',
		'"message":"No record yet"',
		'"message":"Request completed without errors"',
		'"message":"Query successful."',
		'"message":"Order status was successfully retrieved"',
		'"message":"Success: waiting for the deposit"',
		'"message":"Found nothing yet"',
		'"code":"00000","message":"ok"',
		'"message":"Request processed","error":false,"errorCode":0',
		'"error":{"code":0,"message":""}',
		'"code":"REQUEST_OK"',
		'"meta":{"requestId":"9f1c"}',
		'"pagination":{"page":1,"total":0}',
		'"links":{"self":"https://a.example/errors"}',
		'"timestamp":"2026-01-01T00:00:00Z"',
		'"status":"NOT_FOUND"',
		'"status":"fetched","statusCode":200',
		'"code":404,"message":"Nothing here"',
	].flatMap((more) =>
		['null', '[]', '{}', '{"items":[],"total":0}'].map((data): [string, number, string] => [
			`what ordinary responses have next to the data ${data}, ${more}`,
			200,
			`{"success":true,"data":${data},${more}}`,
		]),
	),
	['a status and the hash', 200, '{"success":true,"data":{"status":"NOT_FOUND","hash":"0xab"}}'],
	['a status and a state', 200, '{"success":true,"data":{"status":"NOT_FOUND","state":"unknown"}}'],
	['words and the hash', 200, '{"success":true,"data":{"message":"No order yet","hash":"0xab"}}'],
	['an empty status and words', 200, '{"data":{"status":"","message":"Order not found"}}'],
	['an empty ID and words', 200, '{"success":true,"data":{"orderId":"","message":"No order yet"}}'],
	['no success, no data and an ordinary message', 200, '{"data":null,"message":"Done"}'],
	['false as data', 200, '{"success":true,"data":false}'],
	['an ordinary message in data', 200, '{"success":true,"data":{"message":"Awaiting deposit"}}'],
	['that it was not found, in data', 200, '{"success":true,"data":{"found":false}}'],
	['words and a time in data', 200, '{"success":true,"data":{"message":"None so far","time":17}}'],
	['words with 409', 409, '{"message":"Transaction not indexed yet"}'],
	['words as plain text', 409, 'not indexed yet'],
	['words as plain text with 200', 200, 'Order not found'],
	['words as JSON text', 200, '"Order not found"'],
	['words with 500', 500, '{"error":"Order not found"}'],
])('an order is not found: %s', (_what, statusCode, body) => {
	expect(read({ statusCode, body }, 'status')).toMatchObject(NOT_FOUND);
	for (const asked of ['config', 'quote'] as const)
		if (statusCode !== 404 && !body.includes('"code":"NOT_FOUND"'))
			expect(read({ statusCode, body }, asked)).not.toMatchObject(NOT_FOUND);
});

test.each<[string, number, string]>([
	['another order', 200, '{"success":true,"data":{"status":"pending","note":"order not found"}}'],
	['an order that says it', 200, '{"data":{"orderId":"0x1","status":"NOT_FOUND"}}'],
	['an order with a leg', 200, '{"data":{"status":"NOT_FOUND","input":{"amount":"1"}}}'],
	['a status of the interface', 200, '{"data":{"status":"pending"}}'],
	['another status', 200, '{"data":{"status":"unknown"}}'],
	['the limit, and nothing', 200, '{"success":true,"data":{},"code":"RATE_LIMITED"}'],
	['data of another kind', 200, '{"success":true,"data":"x"}'],
	['a web page', 200, '<p>Order not found</p>'],
	['a wrong key', 401, '{"message":"Order not found"}'],
	['the limit', 429, '{"message":"Order not found"}'],
	['other words', 409, '{"message":"Network not found"}'],
	['an outage', 503, 'Order service not found'],
	['an outage as JSON', 503, '{"message":"No transaction data provider available"}'],
	['an outage with no data', 200, '{"success":true,"message":"Service under maintenance"}'],
	['another name for data', 200, '{"success":true,"result":{"status":"completed"}}'],
	['a status next to success', 200, '{"success":true,"status":"pending"}'],
	['a status next to no data', 200, '{"success":true,"data":null,"status":"completed"}'],
	['an ID next to no data', 200, '{"success":true,"data":null,"orderId":"0x1","message":"OK"}'],
	['a list next to no data', 200, '{"success":true,"data":null,"orders":[{"status":"completed"}]}'],
	...['input', 'output'].map((leg): [string, number, string] => [
		`a leg in another field, ${leg}`,
		200,
		`{"success":true,"data":null,"result":{"${leg}":{"amount":"1"}}}`,
	]),
	...['"state":"completed"', '"status":"FINISHED"', '"txHash":"0xab"', '"hash":"0xab"'].map(
		(part): [string, number, string] => [
			`an order in another field, ${part}`,
			200,
			`{"success":true,"data":null,"order":{"id":"1",${part}}}`,
		],
	),
	['a status next to words', 200, '{"success":true,"data":{"message":"OK"},"status":"processing"}'],
	['an ID deep in another field', 200, '{"success":true,"data":null,"a":{"b":[{"orderId":"1"}]}}'],
])('an order is not said to be not found: %s', (_what, statusCode, body) => {
	expect(read({ statusCode, body }, 'status')).not.toMatchObject(NOT_FOUND);
});

/** An error with HTTP 200, in whatever place, is neither data nor the lack of an order, and blames no address. */
test.each<[asked: Asked, body: string, meaning: string | null]>([
	['status', '{"success":"false","error":{"code":"UNAUTHORIZED"}}', 'UNAUTHORIZED'],
	['status', '{"success":0,"data":{"status":"completed"}}', null],
	['status', '{"success":"False","data":{"status":"completed"}}', null],
	['status', '{"success":true,"data":null,"error":{"code":"RATE_LIMITED"}}', 'RATE_LIMITED'],
	['status', '{"success":true,"code":"INTERNAL_ERROR"}', 'INTERNAL_ERROR'],
	['status', '{"success":true,"data":{"error":{"code":"NOT_FOUND"}}}', 'NOT_FOUND'],
	['status', '{"success":true,"data":{"message":"Order not found"}}', 'NOT_FOUND'],
	['status', '{"error":{"code":"UNAUTHORIZED","message":"Invalid API key"}}', 'UNAUTHORIZED'],
	['config', '{"error":{"code":"UNAUTHORIZED"}}', 'UNAUTHORIZED'],
	['config', '{"success":true,"data":null,"code":"INTERNAL_ERROR"}', 'INTERNAL_ERROR'],
	['quote', '{"error":{"code":"INSUFFICIENT_LIQUIDITY"}}', 'INSUFFICIENT_LIQUIDITY'],
	['quote', '{"code":"RATE_LIMITED","message":"Slow down"}', 'RATE_LIMITED'],
	['quote', '{"success":true,"data":{"error":{"code":"NO_ROUTE"}}}', null],
	['quote', '{"success":true,"data":{"error":{"code":"NO_ROUTE"},"tokenOut":null}}', null],
	['quote', '{"success":true,"data":{"code":"NO_ROUTE"}}', null],
	['quote', '{"success":true,"data":{"errorCode":"NO_ROUTE","reason":"No route"}}', null],
	['status', '{"success":true,"data":{"message":"Upstream RPC timeout","orderId":null}}', null],
	['quote', '{"error":"There is no route"}', null],
	['quote', '{"message":"There is no route"}', null],
	['quote', '{"errors":[{"message":"Insufficient liquidity"}]}', 'INSUFFICIENT_LIQUIDITY'],
	['quote', '{"errors":[{"message":"No route"}],"data":null}', null],
	['quote', '{"status":"error","reason":"no route"}', null],
	['quote', '{"success":true,"data":null,"message":"There is no route"}', null],
	['quote', '{"success":true,"data":{"errors":[{"msg":"There is no route"}]}}', null],
	['status', '{"success":false,"data":{"message":"Too many requests"}}', 'RATE_LIMITED'],
	['config', '{"error":"Invalid API key"}', 'UNAUTHORIZED'],
	// Words that we do not understand are the bridge's about this order.
	['status', '{"success":true,"message":"Service under maintenance"}', null],
	['status', '{"success":true,"data":null,"message":"Upstream RPC timeout"}', null],
	['status', '{"success":true,"data":null,"message":"OK","detail":"Upstream RPC timeout"}', null],
	['status', '{"success":true,"data":null,"code":"SUCCESS","message":"Upstream timeout"}', null],
	['status', '{"success":true,"data":{},"message":"Order is being processed"}', null],
	['status', '{"success":true,"data":null,"error":{"message":"Order was refunded"}}', null],
	['status', '{"data":null,"errors":[{"message":"Cannot query database"}]}', null],
	...[
		...['UPSTREAM_TIMEOUT', 'BRIDGE_PAUSED', 'X_Y_Z'].map((code) => `"code":"${code}"`),
		...['Not in service', 'Order was refunded'].map((error) => `"error":"${error}"`),
		...['error', 'SERVICE_UNAVAILABLE', 'failure', 'processing', 'FINISHED'].map(
			(status) => `"status":"${status}"`,
		),
		...['"status":503', '"statusCode":500', '"code":502', '"code":"503"'],
		'"message":"Status fetched","detail":"Upstream RPC timeout"',
		// An error of which nothing is said.
		...['"error":true', '"error":{"id":7}', '"errors":[{"id":7}]', '"errors":[7]'],
		...[
			...['The request timed out', 'Time-out', 'Service unavailable', 'The node is down'],
			...['Cannot reach the indexer', "Couldn't load the order", 'Unable to load the order'],
			...['Failed to load the order', 'Internal error', 'Busy', 'System overloaded'],
			...['Something went wrong', 'The bridge is paused', 'Connection lost', 'Access denied'],
			...['The backend did not respond', 'Service is not available', 'Order was refunded'],
			...['Indexer is syncing', 'RPC unreachable', 'Service degraded', 'Not ready'],
			...['Please try again later', 'Temporarily disabled', 'No healthy nodes', 'Not allowed'],
			...['Subscription required', 'Quota used up', 'Order completed', 'Refund sent'],
			...['Order cancelled', 'Bridging in progress', 'Completed', 'Order successful'],
			...['Order status: done', 'Awaiting deposit confirmation', 'Request is being processed'],
			...['Status could not be fetched', 'Request successful, indexer offline', 'Refund done'],
			...['订单已完成', 'OK, возврат отправлен'],
		].map((words) => `"message":"${words}"`),
	].map((more): [Asked, string, null] => ['status', `{"success":true,"data":null,${more}}`, null]),
	// Without success, what has no list and no object in it is no quote and no configuration.
	['quote', '{"data":{"code":"INSUFFICIENT_LIQUIDITY","requestId":"9"}}', 'INSUFFICIENT_LIQUIDITY'],
	[
		'quote',
		'{"data":{"message":"Insufficient liquidity","statusCode":400}}',
		'INSUFFICIENT_LIQUIDITY',
	],
	['quote', '{"data":{"status":"","message":"There is no route"}}', null],
	['config', '{"data":{"error":"Unauthorized","requestId":"1"}}', 'UNAUTHORIZED'],
	['status', '{"success":true,"data":null,"message":"completed"}', null],
	['status', '{"success":true,"data":null,"code":"completed"}', null],
	['status', '{"success":true,"data":{"message":"Upstream RPC timeout"}}', null],
	['status', '{"success":true,"data":{"message":"Upstream RPC timeout","time":17}}', null],
])('a %s that is an error with HTTP 200 is one: %s', (asked, body, meaning) => {
	expect(read({ body }, asked)).toMatchObject({ ok: false, error: { kind: 'rejected', meaning } });
});

test.each<[asked: Asked, body: string]>([
	['status', '{"success":true,"data":{"status":"failed","error":{"code":"SLIPPAGE_TOO_HIGH"}}}'],
	['status', '{"success":true,"data":{"orderId":"0x1","message":"The order is in a queue"}}'],
	['status', '{"success":true,"data":{"input":{},"message":"The order is in a queue"}}'],
	['status', '{"success":"true","data":{"status":"completed"}}'],
	['status', '{"success":true,"data":{"state":"COMPLETED","message":"Order completed"}}'],
	['status', '{"success":true,"data":{"txHash":"0xab","message":"Order completed"}}'],
	['status', '{"success":true,"data":{"hash":"0xab","message":"Order completed"}}'],
	['quote', '{"success":true,"data":{"fee":"1","message":"Welcome"}}'],
	['quote', '{"data":{"tokenOut":{"amount":"5"},"message":"Welcome"}}'],
	['config', '{"data":{"networks":[],"message":"Welcome"}}'],
	['status', '{"success":null,"data":{"status":"completed"}}'],
	['status', '{"success":true,"data":{"status":"not_a_word"}}'],
	['config', '{"success":true,"data":{"networks":[],"message":"Welcome"}}'],
	['config', '{"success":true,"data":{"networks":[{"chainID":1}],"status":"not found"}}'],
	['quote', '{"tokenOut":{"amount":"5"},"message":"The price impact is high","error":null}'],
])('a %s with words or a code next to what was asked for is none: %s', (asked, body) => {
	expect(read({ body }, asked)).toMatchObject({ ok: true });
});

test.each([
	{ success: true, orderId: '0x1', status: 'completed', input: { txHash: '0xab' } },
	{ orderId: '0x1', status: 'pending', input: { txHash: '0xab' } },
	{ success: true, data: null, orderId: '0x1', status: 'completed', input: { chainId: 1 } },
])('an order that does not lie in data is read if it is certainly one: %j', (order) => {
	const body = JSON.stringify(order);
	expect(read({ body }, 'status')).toEqual({ ok: true, data: order });
	for (const asked of ['config', 'quote'] as const)
		expect(read({ body }, asked)).toMatchObject({ ok: false });
	for (const name of ['orderId', 'status', 'input'])
		for (const other of [{ [name]: undefined }, { [name]: '' }])
			expect(read({ body: JSON.stringify({ ...order, ...other }) }, 'status')).toMatchObject({
				error: { kind: 'unreadable' },
			});
	expect(read({ body: JSON.stringify({ ...order, input: 'x' }) }, 'status')).toMatchObject({
		error: { kind: 'unreadable' },
	});
	const data = { orderId: '0x2', status: 'pending', input: { txHash: '0xcd' } };
	expect(read({ body: JSON.stringify({ ...order, data }) }, 'status')).toEqual({ ok: true, data });
	const isFailure = JSON.stringify({ ...order, success: false });
	expect(read({ body: isFailure }, 'status')).toMatchObject({ error: { kind: 'rejected' } });
});

test.each([
	'{"order":{"status":"completed"}}',
	'{"order":{"status":" COMPLETED "}}',
	'{"result":{"order":{"status":"pending"}}}',
	'{"orders":[{"status":"failed"}],"total":1}',
	'{"orders":["0x1",{"status":"failed"}]}',
	'{"message":"OK","order":{"status":"refunded"}}',
	'{"status":"success","order":{"status":"executing"}}',
	'{"input":{"txHash":""},"order":{"status":"completed"}}',
])('a status that lies deeper is neither read nor said to be none: %s', (data) => {
	const body = `{"success":true,"data":${data}}`;
	expect(read({ body }, 'status')).toEqual(unreadable('noData'));
	// Networks and steps of a quote may have one.
	for (const asked of ['config', 'quote'] as const)
		expect(read({ body }, asked)).toMatchObject({ ok: true });
});

test.each([
	...['output', 'refund', 'solver', 'timing'].map(
		(part) => `{"orderId":"0x1","${part}":{"status":"completed"}}`,
	),
	'{"input":{"txHash":"0xab"},"steps":[{"status":"pending"}]}',
	'{"status":"processing","steps":[{"status":"pending"}]}',
	'{"orderId":"0x1","steps":[{"status":"another"},{"name":"pending"}]}',
])('an order is read that has a status only in a part, or states how it is: %s', (data) => {
	expect(read({ body: `{"success":true,"data":${data}}` }, 'status')).toEqual({
		ok: true,
		data: JSON.parse(data) as unknown,
	});
});

test('what contains the key is left out, also of plain text', () => {
	const words = `Order not found with ${KEY}`;
	expect(read({ statusCode: 409, body: words }, 'status')).toMatchObject({
		error: { words: null },
	});
	const body = JSON.stringify({ success: true, data: { a: words, [KEY]: 1, b: 'x' } });
	expect(read({ body }, 'status')).toEqual({ ok: true, data: { a: null, b: 'x' } });
});

test('the key is left out if JSON writes its letters by numbers, as compatibility letters too', () => {
	const status = KEY.replace('l', String.raw`\uff4c`);
	expect(read({ body: `{"data":{"orderId":"1","status":"${status}"}}` }, 'status')).toEqual({
		ok: true,
		data: { orderId: '1', status: null },
	});
	const every = KEY.replace(
		/./g,
		(sign) => String.raw`\u` + `ff${(sign.charCodeAt(0) - 0x20).toString(16).padStart(2, '0')}`,
	);
	expect(read({ body: `{"data":{"${every}":1,"a":"x ${every}"}}` }, 'config')).toEqual({
		ok: true,
		data: { a: null },
	});
	expect(read({ statusCode: 400, body: `{"message":"No ${status}"}` }, 'status')).toMatchObject({
		error: { words: null },
	});
});

test.each<[unknown, number | null]>([
	['7', 7000],
	[7, 7000],
	[' 7 ', 7000],
	['0', 0],
	['1.25', 1250],
	['3600', 3_600_000],
	['3601', 3_600_000],
	['999999999', 3_600_000],
	// Since 1970, in seconds or milliseconds.
	[String(NOW / 1000 + 30), 30_000],
	[String(NOW + 30_000), 30_000],
	[NOW / 1000 - 30, 0],
	['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
	['thu, 01 jan 2026 00:00:30 gmt', 30_000],
	['Wed, 31 Dec 2025 23:59:00 GMT', 0],
	['Mon, 05 Jan 2026 00:00:00 GMT', 3_600_000],
	['at Thu, 01 Jan 2026 00:00:30 GMT', null],
	['Thu, 01 Jan 2026 00:00:30 GMT+1', null],
	['Thu, 99 Xyz 2026 00:00:30 GMT', null],
	['Thu, soon', null],
	['May 1 2027', null],
	['on 2026-01-01', null],
	['1.', null],
	['-5', null],
	['x7', null],
	['7s', null],
	['soon', null],
	['', null],
	[['7'], 7000],
	[undefined, null],
	[null, null],
])('Retry-After %j is %j ms', (header, expected) => {
	const headers = { 'retry-after': header };
	const response = read({ statusCode: 429, headers, body: '' });
	expect(response).toMatchObject({ error: { retryAfterMs: expected } });
});

test('a time to try again goes by the clock of the server that states it', () => {
	const headers = {
		date: 'Thu, 01 Jan 2026 02:00:00 GMT',
		'retry-after': 'Thu, 01 Jan 2026 02:00:30 GMT',
	};
	for (const date of [headers.date, [headers.date]])
		expect(read({ statusCode: 429, headers: { ...headers, date } })).toMatchObject({
			error: { retryAfterMs: 30_000 },
		});
});

/** n8n's clock may be wrong; a request takes some seconds, and a header may be nonsense. */
test.each<[unknown, number | null]>([
	['Wed, 31 Dec 2025 23:54:00 GMT', 360_000],
	['Thu, 01 Jan 2026 00:06:00 GMT', -360_000],
	[['Wed, 31 Dec 2025 23:54:00 GMT'], 360_000],
	['Wed, 31 Dec 2025 12:00:00 GMT', 43_200_000],
	['Wed, 31 Dec 2025 11:59:59 GMT', null],
	['Wed, 31 Dec 2025 23:59:30 GMT', null],
	['Thu, 01 Jan 2026 00:00:00 GMT', null],
	['2025-12-31T23:54:00Z', null],
	['soon', null],
	[undefined, null],
])('by the header Date %j the clock of n8n is %j ms ahead', (date, ahead) => {
	const response = { statusCode: 200, headers: { date }, body: '' };
	expect(clockAhead(response, NOW)).toEqual(ahead === null ? {} : { clockAheadMs: ahead });
});

test.each<[unknown, boolean]>([
	['360', true],
	[' 7 ', true],
	[['360'], true],
	['0', false],
	['', false],
	['soon', false],
	[undefined, false],
])('the Date of a response with the header Age %j was kept by a cache: %j', (age, isKept) => {
	const headers = { date: 'Wed, 31 Dec 2025 23:54:00 GMT', age };
	const ahead = clockAhead({ statusCode: 200, headers, body: '' }, NOW);
	expect(ahead).toEqual(isKept ? {} : { clockAheadMs: 360_000 });
});
