import {
	type HttpResponse,
	MAX_RESPONSE_BYTES,
	readResponse,
	retryAfterMs,
} from '../../../nodes/CrossChainBridge/service/envelope';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const read = (answer: Partial<HttpResponse>, envelope: 'required' | 'optional' = 'required') =>
	readResponse(
		{ statusCode: 200, headers: {}, body: '', ...answer },
		{ now: NOW, envelope, apiKey: 'sk-live-7f3a' },
	);

test('the payload of a success', () => {
	expect(read({ body: '{"success":true,"data":{"status":"pending"}}' })).toEqual({
		ok: true,
		data: { status: 'pending' },
	});
	expect(read({ body: '\ufeff {"success":true,"data":{}} ' })).toEqual({ ok: true, data: {} });
	expect(read({ body: '{"data":{"status":"pending"}}' })).toEqual({
		ok: true,
		data: { status: 'pending' },
	});
});

test('whole numbers beyond 2^53 stay exact', () => {
	expect(
		read({
			body: '{"success":true,"data":{"amount":123456789012345678901,"n":[9007199254740993,1],"t":"9007199254740993","f":0.1}}',
		}),
	).toEqual({
		ok: true,
		data: {
			amount: '123456789012345678901',
			n: ['9007199254740993', 1],
			t: '9007199254740993',
			f: 0.1,
		},
	});
});

test.each<[string, string]>([
	['<!doctype html>', 'html'],
	['Hello', 'text'],
	['', 'empty'],
	['   ', 'empty'],
	['{"success":true', 'brokenJson'],
	['[1,2]', 'noEnvelope'],
	['"text"', 'noEnvelope'],
	['5', 'noEnvelope'],
	['null', 'noEnvelope'],
	['{"hello":1}', 'noEnvelope'],
	['{"success":true}', 'noData'],
	['{"success":true,"data":null}', 'noData'],
	['{"success":true,"data":[1]}', 'noData'],
	['{"success":true,"data":"x"}', 'noData'],
	['{"data":"x"}', 'noData'],
	['Hello {"data":{}}', 'text'],
	['  <p>', 'html'],
	['[1', 'brokenJson'],
	['"text', 'brokenJson'],
	['['.repeat(101), 'tooLarge'],
])('a body that cannot be used (%s) is reported as %s', (body, found) => {
	expect(read({ body })).toEqual({ ok: false, error: { kind: 'unreadable', status: 200, found } });
});

test('a body of 5 MB is read, a longer one is not', () => {
	const text = (length: number) => `"${'x'.repeat(length - 2)}"`;
	expect(read({ body: text(MAX_RESPONSE_BYTES) })).toMatchObject({
		error: { found: 'noEnvelope' },
	});
	expect(read({ body: text(MAX_RESPONSE_BYTES + 1) })).toMatchObject({
		error: { found: 'tooLarge' },
	});
});

test.each([
	['{"success":false,"error":{"code":"NOT_FOUND","message":"no order"}}'],
	['{"error":{"code":"NOT_FOUND","message":"no order"}}'],
	['{"code":"NOT_FOUND","message":"no order"}'],
	['{"error":"NOT_FOUND","message":"no order"}'],
])('code and words are found in %s', (body) => {
	expect(read({ statusCode: 404, body })).toEqual({
		ok: false,
		error: {
			kind: 'rejected',
			status: 404,
			code: 'NOT_FOUND',
			words: 'no order',
			retryAfterMs: null,
		},
	});
});

test.each([
	['{"message":"no order"}', 'no order'],
	['{"success":false,"error":"no order"}', 'no order'],
	['"no order"', 'no order'],
	['{}', null],
	['[]', null],
	['{"error":{"__proto__":{"code":"X_Y_Z"}}}', null],
])('words without a code in %s', (body, words) => {
	expect(read({ statusCode: 400, body })).toMatchObject({
		error: { kind: 'rejected', status: 400, code: null, words },
	});
});

test('success: false with status 200 is a service error too', () => {
	expect(read({ body: '{"success":false,"data":{"status":"completed"}}' })).toMatchObject({
		ok: false,
		error: { kind: 'rejected', status: 200 },
	});
});

test.each([401, 429, 500, 503])('the status %i needs no body', (statusCode) => {
	for (const body of ['', 'busy', '<html>', '{"a"']) {
		expect(read({ statusCode, body })).toMatchObject({
			error: { kind: 'rejected', status: statusCode },
		});
	}
});

test('a web page that forbids or knows nothing is a wrong address', () => {
	for (const statusCode of [403, 404]) {
		expect(read({ statusCode, body: '<html>' })).toMatchObject({
			error: { kind: 'unreadable', found: 'html' },
		});
	}
});

test.each([301, 302, 303, 307, 308])('%i is a redirect, whatever its body', (statusCode) => {
	expect(read({ statusCode, body: '{"success":true,"data":{}}' })).toEqual({
		ok: false,
		error: { kind: 'redirected', status: statusCode },
	});
});

test('a quote without an envelope is taken whole', () => {
	const body = '{"quoteId":"q","data":{"fee":"1"}}';
	expect(read({ body }, 'optional')).toEqual({
		ok: true,
		data: { quoteId: 'q', data: { fee: '1' } },
	});
	expect(read({ body: '{"success":true,"data":{"fee":"1"}}' }, 'optional')).toEqual({
		ok: true,
		data: { fee: '1' },
	});
	expect(read({ body: '{"data":{"fee":"1"}}' }, 'optional')).toEqual({
		ok: true,
		data: { fee: '1' },
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
	[['7'], null],
	[undefined, null],
	[null, null],
])('Retry-After %j is %j ms', (header, expected) => {
	expect(retryAfterMs(header, NOW)).toBe(expected);
});

test('Retry-After is read from the headers', () => {
	expect(read({ statusCode: 429, headers: { 'retry-after': '2' } })).toMatchObject({
		error: { retryAfterMs: 2000 },
	});
});

const DATA = '{"success":true,"data":{"a":1}}';

test('a body that was parsed on the way is taken as it is, and none is an empty one', () => {
	expect(read({ body: { success: true, data: { a: 1 } } })).toEqual({ ok: true, data: { a: 1 } });
	for (const body of [undefined, null])
		expect(read({ body })).toEqual({
			ok: false,
			error: { kind: 'unreadable', status: 200, found: 'empty' },
		});
});

test.each<[number, string]>([
	[0, 'rejected'],
	[199, 'rejected'],
	[299, 'ok'],
	[300, 'redirected'],
	[399, 'redirected'],
	[400, 'rejected'],
])('with the status %d, data are %s', (statusCode, kind) => {
	const answer = read({ statusCode, body: DATA });
	expect(answer.ok ? 'ok' : answer.error.kind).toBe(kind);
});

test.each<[number, string, string]>([
	[401, '<html>', 'rejected'],
	[400, '', 'rejected'],
	[402, ' ', 'rejected'],
	[402, 'no', 'unreadable'],
	[403, 'no', 'rejected'],
	[403, '', 'rejected'],
	[403, '<html>', 'unreadable'],
	[404, 'no', 'unreadable'],
	[404, '', 'rejected'],
	[399, '', 'redirected'],
	[299, '', 'unreadable'],
	[199, '', 'unreadable'],
	[429, '<html>', 'rejected'],
	[499, 'no', 'unreadable'],
	[500, '<html>', 'rejected'],
])('the status %d with the body %j is %s', (statusCode, body, kind) => {
	expect(read({ statusCode, body })).toMatchObject({ ok: false, error: { kind } });
});

test.each(['tooLarge', 'brokenOff'] as const)(
	'a body that is cut (%s) is not read, but the status counts',
	(cut) => {
		expect(read({ body: DATA, cut })).toEqual({
			ok: false,
			error: { kind: 'unreadable', status: 200, found: cut },
		});
		expect(
			read({ body: null, cut, statusCode: 503, headers: { 'retry-after': ['3', '9'] } }),
		).toEqual({
			ok: false,
			error: { kind: 'rejected', status: 503, code: null, words: null, retryAfterMs: 3000 },
		});
		expect(read({ body: DATA, cut: null })).toMatchObject({ ok: true });
	},
);

test('without an envelope only a quote is taken, and only one that says nothing of success', () => {
	const body = '{"quoteId":"q","data":{"fee":"1"}}';
	expect(read({ body })).toEqual({ ok: true, data: { fee: '1' } });
	expect(read({ body: '{"quoteId":"q"}' })).toMatchObject({ error: { found: 'noEnvelope' } });
	expect(read({ body: '{"success":true,"quoteId":"q"}' }, 'optional')).toMatchObject({
		error: { found: 'noData' },
	});
	expect(read({ body: '{}' }, 'optional')).toMatchObject({ error: { found: 'noEnvelope' } });
});

test.each<[object | string, string | null, string | null]>([
	[
		{
			error: { code: 'FIRST', message: 'one' },
			code: 'SECOND',
			errorCode: 'THIRD',
			message: 'two',
		},
		'FIRST',
		'one',
	],
	[
		{ error: { type: 'LAST' }, code: 'SECOND', message: 'two', error_description: 'three' },
		'SECOND',
		'two',
	],
	[
		{ error: 'AS_TEXT', errorCode: 'THIRD', error_description: 'three', detail: 'four' },
		'AS_TEXT',
		'three',
	],
	[{ error: { type: 'LAST' }, errorCode: 'THIRD', detail: 'four' }, 'THIRD', 'four'],
	[{ error: { type: 'LAST', message: '' }, message: null }, 'LAST', null],
	[{ error: 'AS_TEXT' }, 'AS_TEXT', null],
	[{ error: 'AS_TEXT', message: 'AS_TEXT', detail: 'four' }, 'AS_TEXT', 'four'],
	[{ error: 'some words' }, null, 'some words'],
	['some words', null, 'some words'],
	[{ code: 404, error: { code: 'not_found' } }, null, null],
	[{ code: 'ABC' }, 'ABC', null],
	[{ code: 'AB' }, null, null],
	[{ code: 'A'.repeat(64) }, 'A'.repeat(64), null],
	[{ code: 'A'.repeat(65) }, null, null],
	[{ code: 'E_404' }, 'E_404', null],
	[{ code: '404_E' }, null, null],
	[{ code: 'the NOT_FOUND' }, null, null],
	[{ code: 'NOT_FOUND!' }, null, null],
])('of %j the code is %j and the words are %j', (body, code, words) => {
	expect(read({ statusCode: 400, body: JSON.stringify(body) })).toMatchObject({
		error: { code, words },
	});
});
