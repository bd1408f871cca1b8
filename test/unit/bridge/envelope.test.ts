import { type HttpAnswer, LARGEST_BODY, readAnswer, retryAfterMs } from '../../../nodes/CrossChainBridge/bridge/envelope';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const read = (answer: Partial<HttpAnswer>, envelope: 'required' | 'optional' = 'required') =>
	readAnswer({ statusCode: 200, headers: {}, body: '', ...answer }, { now: NOW, envelope });

test('the payload of a success', () => {
	expect(read({ body: '{"success":true,"data":{"status":"pending"}}' })).toEqual({ ok: true, data: { status: 'pending' } });
	expect(read({ body: '\ufeff {"success":true,"data":{}} ' })).toEqual({ ok: true, data: {} });
	expect(read({ body: '{"data":{"status":"pending"}}' })).toEqual({ ok: true, data: { status: 'pending' } });
});

test('whole numbers beyond 2^53 stay exact', () => {
	expect(read({ body: '{"success":true,"data":{"amount":123456789012345678901,"n":[9007199254740993,1],"t":"9007199254740993","f":0.1}}' })).toEqual({
		ok: true,
		data: { amount: '123456789012345678901', n: ['9007199254740993', 1], t: '9007199254740993', f: 0.1 },
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
	[`"${'x'.repeat(LARGEST_BODY)}"`, 'tooLarge'],
])('a body that cannot be used (%.30s) is reported as %s', (body, found) => {
	expect(read({ body })).toEqual({ ok: false, error: { kind: 'unreadable', status: 200, found } });
});

test.each([
	['{"success":false,"error":{"code":"NOT_FOUND","message":"no order"}}'],
	['{"error":{"code":"NOT_FOUND","message":"no order"}}'],
	['{"code":"NOT_FOUND","message":"no order"}'],
	['{"error":"NOT_FOUND","message":"no order"}'],
])('code and words are found in %s', (body) => {
	expect(read({ statusCode: 404, body })).toEqual({
		ok: false,
		error: { kind: 'rejected', status: 404, code: 'NOT_FOUND', words: 'no order', retryAfterMs: null },
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
	expect(read({ statusCode: 400, body })).toMatchObject({ error: { kind: 'rejected', status: 400, code: null, words } });
});

test('success: false with status 200 is a service error too', () => {
	expect(read({ body: '{"success":false,"data":{"status":"completed"}}' })).toMatchObject({ ok: false, error: { kind: 'rejected', status: 200 } });
});

test.each([401, 429, 500, 503])('the status %i needs no body', (statusCode) => {
	for (const body of ['', 'busy', '<html>', '{"a"']) {
		expect(read({ statusCode, body })).toMatchObject({ error: { kind: 'rejected', status: statusCode } });
	}
});

test('a web page that forbids or knows nothing is a wrong address', () => {
	for (const statusCode of [403, 404]) {
		expect(read({ statusCode, body: '<html>' })).toMatchObject({ error: { kind: 'unreadable', found: 'html' } });
	}
});

test.each([301, 302, 303, 307, 308])('%i is a redirect, whatever its body', (statusCode) => {
	expect(read({ statusCode, body: '{"success":true,"data":{}}' })).toEqual({ ok: false, error: { kind: 'redirected', status: statusCode } });
});

test('a quote without an envelope is taken whole', () => {
	const body = '{"quoteId":"q","data":{"fee":"1"}}';
	expect(read({ body }, 'optional')).toEqual({ ok: true, data: { quoteId: 'q', data: { fee: '1' } } });
	expect(read({ body: '{"success":true,"data":{"fee":"1"}}' }, 'optional')).toEqual({ ok: true, data: { fee: '1' } });
	expect(read({ body: '{"data":{"fee":"1"}}' }, 'optional')).toEqual({ ok: true, data: { fee: '1' } });
});

test.each<[unknown, number | null]>([
	['7', 7000],
	[7, 7000],
	['0', 0],
	['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
	['Wed, 31 Dec 2025 23:59:00 GMT', 0],
	['999999999', 3_600_000],
	['soon', null],
	['', null],
	[undefined, null],
	[null, null],
])('Retry-After %j is %j ms', (header, expected) => {
	expect(retryAfterMs(header, NOW)).toBe(expected);
});

test('Retry-After is read from the headers', () => {
	expect(read({ statusCode: 429, headers: { 'retry-after': '2' } })).toMatchObject({ error: { retryAfterMs: 2000 } });
});
