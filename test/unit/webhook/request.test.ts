import fc from 'fast-check';

import { readCall } from '../../../nodes/CrossChainBridge/webhook/request';
import { cases } from '../../randomCases';

const read = (body: unknown, query: unknown = {}, bytes = 100) =>
	readCall({ body, query, rawBody: Buffer.alloc(bytes) });
const HASH = `0x${'Ab12'.repeat(16)}`;
const ONE = `0x${'1'.repeat(64)}`;
const TWO = `0x${'2'.repeat(64)}`;

test.each<[string, unknown, unknown, Array<[string, unknown]>]>([
	['JSON', { sourceHash: HASH }, {}, [[HASH, undefined]]],
	['JSON with a reference', { sourceHash: HASH, reference: { a: [1] } }, {}, [[HASH, { a: [1] }]]],
	['a reference that is null', { sourceHash: HASH, reference: null }, {}, [[HASH, null]]],
	['white space around the hash', { sourceHash: ` ${HASH}\n` }, {}, [[HASH, undefined]]],
	[
		'hashes of other chains',
		{
			sourceHash:
				'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
		},
		{},
		[
			[
				'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
				undefined,
			],
		],
	],
	['query parameters', {}, { sourceHash: HASH, reference: 'q' }, [[HASH, 'q']]],
	['a body of white space', ' \n', { sourceHash: HASH }, [[HASH, undefined]]],
	['no body at all', undefined, { sourceHash: HASH }, [[HASH, undefined]]],
	[
		'hash in the body, reference in the query',
		{ sourceHash: HASH },
		{ reference: 'q' },
		[[HASH, 'q']],
	],
	[
		'the body goes before the query',
		{ sourceHash: HASH },
		{ sourceHash: TWO },
		[[HASH, undefined]],
	],
	[
		'a list',
		{ orders: [{ sourceHash: ONE, reference: 1 }, { sourceHash: TWO }] },
		{},
		[
			[ONE, 1],
			[TWO, undefined],
		],
	],
	[
		'a list of bare hashes',
		{ orders: [ONE, TWO] },
		{},
		[
			[ONE, undefined],
			[TWO, undefined],
		],
	],
	[
		'a bare list',
		[ONE, { sourceHash: TWO }],
		{},
		[
			[ONE, undefined],
			[TWO, undefined],
		],
	],
	['an empty list', { orders: [] }, {}, []],
	['an empty bare list', [], {}, []],
	['a list as a form field', { orders: `["${ONE}"]` }, {}, [[ONE, undefined]]],
	['a list in the query', {}, { orders: `[{"sourceHash":"${ONE}"}]` }, [[ONE, undefined]]],
	[
		'text that is JSON',
		`{"sourceHash":"${ONE}","reference":12345678901234567890}`,
		{},
		[[ONE, '12345678901234567890']],
	],
	[
		'fields of a multipart form',
		{ data: { sourceHash: HASH, reference: 'm' }, files: {} },
		{},
		[[HASH, 'm']],
	],
	[
		'a link of a block explorer',
		{ sourceHash: `https://etherscan.io/tx/${HASH}` },
		{},
		[[HASH, undefined]],
	],
	[
		'fields that nobody asked for',
		{ sourceHash: HASH, status: 'completed', extra: 1 },
		{},
		[[HASH, undefined]],
	],
])('%s', (_name, body, query, orders) => {
	expect(read(body, query)).toEqual({
		ok: true,
		orders: orders.map(([sourceHash, reference]) => ({ sourceHash, reference, startedAt: null })),
	});
});

test.each<[string, unknown, number | null]>([
	['nothing', {}, null],
	['an empty hash', { sourceHash: '' }, null],
	['a hash that is a number', { sourceHash: 5 }, null],
	['a hash of two words', { sourceHash: `${ONE} ${TWO}` }, null],
	['hashes with commas', { sourceHash: `${ONE},${TWO}` }, null],
	['markup', { sourceHash: '<b>' }, null],
	['control characters', { sourceHash: `0x\u0000${ONE}` }, null],
	['a word', { sourceHash: 'constructor' }, null],
	['a short hash', { sourceHash: '0x1234' }, null],
	['a hash with a label', { sourceHash: `Invoice 4711: ${ONE}` }, null],
	['a hash that is too long', { sourceHash: 'a'.repeat(257) }, null],
	['a reference that is too large', { sourceHash: HASH, reference: 'ü'.repeat(1024) }, null],
	['orders that are no list', { orders: 'abc' }, null],
	['orders that are an object', { orders: { sourceHash: HASH } }, null],
	['text that is no JSON', 'sourceHash', null],
	['a list with a word', { orders: [ONE, 'my orders'] }, 2],
	['a beginning that is no time', { sourceHash: HASH, startedAt: 'yesterday' }, null],
	[
		'a list with a beginning that is no time',
		{ orders: [ONE, { sourceHash: TWO, startedAt: {} }] },
		2,
	],
	['a list with a number', { orders: [ONE, 5] }, 2],
	['a list with a list', { orders: [[ONE]] }, 1],
	['a list with null', { orders: [ONE, TWO, null] }, 3],
	['a list with a large reference', [{ sourceHash: ONE, reference: { a: 'x'.repeat(2048) } }], 1],
])('rejected: %s', (_name, body, position) => {
	expect(read(body)).toMatchObject({ ok: false, httpStatus: 400, position });
});

test.each<[unknown, number, string]>([
	[
		{},
		1,
		'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.',
	],
	[
		{ sourceHash: '' },
		1,
		'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.',
	],
	[{ sourceHash: 5 }, 1, 'The source hash is missing, or is not text.'],
	[
		{ orders: [ONE, {}] },
		1,
		'Order 2 of the list: the source hash is missing, or is not text. No order of the list was accepted.',
	],
	[
		{ sourceHash: HASH },
		256 * 1024 + 1,
		'The body is larger than 256 KB. Send the orders in several requests.',
	],
])('%j of %i bytes gets its sentence', (body, bytes, message) => {
	expect(read(body, {}, bytes)).toMatchObject({ ok: false, message });
});

test('a reference of 2 KB is taken, and a body of 256 KB', () => {
	expect(read({ sourceHash: HASH, reference: 'x'.repeat(2046) }, {}, 256 * 1024)).toMatchObject({
		ok: true,
	});
	expect(read({ sourceHash: HASH }, {}, 256 * 1024 + 1)).toMatchObject({
		ok: false,
		httpStatus: 413,
	});
});

test.each<[string, unknown, number | null]>([
	['ISO text', '2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:00Z')],
	['Unix seconds', 1_767_225_600, 1_767_225_600_000],
	['Unix seconds as text', '1767225600', 1_767_225_600_000],
	['milliseconds', 1_767_225_600_123, 1_767_225_600_123],
	['null', null, null],
	['nothing, as a form sends it', '', null],
])('startedAt as %s', (_name, startedAt, expected) => {
	expect(read({ sourceHash: HASH, startedAt })).toMatchObject({
		ok: true,
		orders: [{ startedAt: expected }],
	});
	expect(read({ orders: [{ sourceHash: HASH, startedAt }] })).toMatchObject({
		ok: true,
		orders: [{ startedAt: expected }],
	});
});

describe('a multipart form, of which n8n keeps no text', () => {
	const readForm = (data: unknown, files: unknown = {}) =>
		readCall({ body: { data, files }, query: {}, rawBody: undefined });
	const ofSize = (count: number) =>
		JSON.stringify(
			Array.from({ length: count }, () => ({ sourceHash: HASH, reference: 'r'.repeat(2_000) })),
		);

	test.each<[string, unknown]>([
		['a long text', { sourceHash: HASH, note: 'x'.repeat(256 * 1024) }],
		[
			'many fields',
			Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`field${i}`, ''])),
		],
		['a long list', { orders: ofSize(140) }],
	])('is measured by its fields: %s', (_name, data) => {
		expect(readForm(data)).toMatchObject({ ok: false, httpStatus: 413 });
	});

	test('may have as much as any other body', () => {
		expect(readForm({ orders: ofSize(120), n: '' })).toMatchObject({ ok: true });
	});

	test('may have attachments, however n8n presents them', () => {
		const file: Record<string, unknown> = { filepath: '/x', data: 'y'.repeat(300_000) };
		file.self = file;
		expect(readForm({ sourceHash: HASH }, { file })).toMatchObject({ ok: true });
	});
});

test('a list of 1,000 orders is accepted, one more is not', () => {
	const list = (count: number) => ({
		orders: Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`),
	});
	expect(read(list(1000))).toMatchObject({ ok: true });
	expect(read(list(1001))).toMatchObject({
		ok: false,
		httpStatus: 413,
		message: expect.stringContaining('1000'),
	});
});

test('names of an object’s own are no fields', () => {
	expect(
		read(JSON.parse('{"__proto__": {"sourceHash": "0x1111111111111111111111111111111111111111"}}')),
	).toMatchObject({ ok: false });
	expect(read(Object.create({ sourceHash: HASH }))).toMatchObject({ ok: false });
	expect(read({ sourceHash: 'constructor' })).toMatchObject({ ok: false });
});

test('whatever is sent: orders that can be kept, or a sentence', () => {
	fc.assert(
		fc.property(
			fc.anything({ withObjectString: true }),
			fc.oneof(fc.anything(), fc.object()),
			(body, query) => {
				const call = read(body, query);
				if (call.ok) {
					for (const { sourceHash } of call.orders) expect(sourceHash).toMatch(/^\S{1,256}$/);
				} else expect(call.message).toMatch(/^[A-Z"].*\.$/s);
			},
		),
		{ numRuns: cases(20_000) },
	);
});

test('whatever a list contains: all of it, or the place of the first error', () => {
	const entry = fc.oneof(
		fc.record({
			sourceHash: fc.oneof(fc.stringMatching(/^0x[0-9a-f]{64}$/), fc.anything()),
			reference: fc.jsonValue(),
		}),
		fc.jsonValue(),
	);
	fc.assert(
		fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (orders) => {
			const call = read({ orders });
			if (call.ok) expect(call.orders).toHaveLength(orders.length);
			else {
				const position = call.position ?? 0;
				expect(read({ orders: orders.slice(0, position - 1) }).ok || position === 1).toBe(true);
				expect(read({ orders: orders.slice(position - 1, position) })).toMatchObject({
					ok: false,
					position: 1,
				});
			}
		}),
		{ numRuns: cases(5000) },
	);
});

describe('each error of an order has its sentence', () => {
	test.each<[string, object, string]>([
		['no text', { sourceHash: 5 }, 'the source hash is missing, or is not text'],
		['no hash', { sourceHash: 'my order' }, 'the source hash is not a transaction hash'],
		[
			'a wallet’s address',
			{ sourceHash: `0x${'d'.repeat(40)}` },
			'the source hash looks like a wallet address; send the hash of the transaction',
		],
		[
			'a hash with a space inside',
			{ sourceHash: `${ONE.slice(0, 30)} ${ONE.slice(30)}` },
			'the source hash contains a space',
		],
		[
			'a time that is none',
			{ sourceHash: ONE, startedAt: 'soon' },
			'startedAt is not a time; send ISO text or Unix seconds',
		],
		[
			'a time before 1970',
			{ sourceHash: ONE, startedAt: -1 },
			'startedAt is not a time; send ISO text or Unix seconds',
		],
		[
			'a reference of 2,049 bytes',
			{ sourceHash: ONE, reference: 'x'.repeat(2047) },
			'the reference is larger than 2 KB',
		],
		[
			'a reference of too many levels',
			{ sourceHash: ONE, reference: JSON.parse(`${'['.repeat(101)}${']'.repeat(101)}`) as unknown },
			'the reference is nested deeper than 100 levels',
		],
	])('%s', (_what, order, message) => {
		expect(read(order)).toMatchObject({
			ok: false,
			httpStatus: 400,
			position: null,
			message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
		});
		expect(read([ONE, order])).toMatchObject({
			ok: false,
			position: 2,
			message: `Order 2 of the list: ${message}. No order of the list was accepted.`,
		});
	});

	test('a long link is one hash all the same', () => {
		expect(
			read({ sourceHash: `https://explorer.example/${'path/'.repeat(500)}${HASH}` }),
		).toMatchObject({ ok: true, orders: [{ sourceHash: HASH }] });
	});
});

test.each<[string, unknown, unknown, string]>([
	['text that is no JSON', 'sourceHash', {}, 'The body is not JSON.'],
	['text that is JSON, but a number', '5', { sourceHash: HASH }, 'The body is not JSON.'],
	['orders that are no list', { orders: 'abc' }, {}, '"orders" is not a list.'],
	['orders that are an object', { orders: {} }, {}, '"orders" is not a list.'],
	[
		'null for a hash',
		{ sourceHash: null },
		{},
		'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.',
	],
	[
		'a number for a body',
		5,
		{},
		'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.',
	],
	[
		'a query that is none',
		{},
		'sourceHash',
		'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.',
	],
	[
		'a body that is none, with a query that is none',
		null,
		'sourceHash',
		'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.',
	],
])('%s: the sentence says what is expected', (_what, body, query, message) => {
	expect(read(body, query)).toEqual({ ok: false, httpStatus: 400, message, position: null });
});

test.each<[string, unknown]>([
	['null', null],
	['empty text', ''],
	['nothing', undefined],
])('%s for the list is no list: the single hash counts', (_what, orders) => {
	expect(read({ orders, sourceHash: HASH })).toMatchObject({
		ok: true,
		orders: [{ sourceHash: HASH }],
	});
});

test('a form’s fields are those beside its files only', () => {
	expect(read({ data: { sourceHash: HASH } })).toMatchObject({ ok: false });
	expect(read({ data: 'text', files: {}, sourceHash: HASH })).toMatchObject({ ok: true });
	expect(read({ data: { sourceHash: HASH }, files: 'none' })).toMatchObject({ ok: false });
});

test('a list that is too long says how many orders it may have', () => {
	expect(read({ orders: Array.from({ length: 1001 }, () => HASH) })).toMatchObject({
		message: 'The list has more than 1000 orders. Send the orders in several requests.',
		position: null,
	});
});
