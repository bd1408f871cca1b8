import { readCall } from '../../../nodes/CrossChainBridge/webhook/request';

const read = (body: unknown, query: unknown = {}, bytes = 100) =>
	readCall({ body, query, rawBody: Buffer.alloc(bytes) });
const HASH = `0x${'Ab12'.repeat(16)}`;
const LINK = `https://etherscan.io/tx/${HASH}`;
const ONE = `0x${'1'.repeat(64)}`;
const TWO = `0x${'2'.repeat(64)}`;

const SOLANA =
	'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

const BIG = '12345678901234567890';

/** What is sent, the query, and the hashes and references that it names. */
test.each<[string, unknown, unknown, ...Array<[string, unknown?, string?]>]>([
	['JSON', { sourceHash: HASH }, {}, [HASH]],
	['JSON with a reference', { sourceHash: HASH, reference: { a: [1] } }, {}, [HASH, { a: [1] }]],
	['a reference that is null', { sourceHash: HASH, reference: null }, {}, [HASH, null]],
	['white space around the hash', { sourceHash: ` ${HASH}\n` }, {}, [HASH]],
	['hashes of other chains', { sourceHash: SOLANA }, {}, [SOLANA]],
	['query parameters', {}, { sourceHash: HASH, reference: 'q' }, [HASH, 'q']],
	['a body of white space', ' \n', { sourceHash: HASH }, [HASH]],
	['no body at all', undefined, { sourceHash: HASH }, [HASH]],
	['a hash, its reference in the query', { sourceHash: HASH }, { reference: 'q' }, [HASH, 'q']],
	['the body goes before the query', { sourceHash: HASH }, { sourceHash: TWO }, [HASH]],
	['a list', { orders: [{ sourceHash: ONE, reference: 1 }, TWO] }, {}, [ONE, 1], [TWO]],
	['a list of bare hashes', { orders: [ONE, TWO] }, {}, [ONE], [TWO]],
	['a bare list', [ONE, { sourceHash: TWO }], {}, [ONE], [TWO]],
	['an empty list', { orders: [] }, {}],
	['an empty bare list', [], {}],
	['a list as a form field', { orders: `["${ONE}"]` }, {}, [ONE]],
	['a list in the query', {}, { orders: `[{"sourceHash":"${ONE}"}]` }, [ONE]],
	['JSON text', `{"sourceHash":"${ONE}","reference":${BIG}}`, {}, [ONE, BIG]],
	['multipart fields', { data: { sourceHash: HASH, reference: 'm' }, files: {} }, {}, [HASH, 'm']],
	['a form field that is called data', { data: 'text', files: {}, sourceHash: HASH }, {}, [HASH]],
	['a link of a block explorer', { sourceHash: LINK }, {}, [HASH, undefined, LINK]],
	[
		'a link that is too long to be kept',
		{ sourceHash: `https://a.example/${'b/'.repeat(999)}${HASH}` },
		{},
		[HASH],
	],
	['fields that nobody asked for', { sourceHash: HASH, status: 'completed' }, {}, [HASH]],
	['null for the list is none: the hash counts', { orders: null, sourceHash: ONE }, {}, [ONE]],
	['empty text for the list is none', { orders: '', sourceHash: ONE }, {}, [ONE]],
	['nothing for the list is none', { orders: undefined, sourceHash: ONE }, {}, [ONE]],
])('%s', (_name, body, query, ...orders) => {
	expect(read(body, query)).toEqual({
		ok: true,
		orders: orders.map(([sourceHash, reference, link]) => ({
			sourceHash,
			reference,
			link,
			startedAt: null,
		})),
	});
});

const NO_HASH =
	'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.';
const NO_LIST = '"orders" is not a list.';
const NO_JSON = 'The body is not JSON.';
const IN_PARTS = 'Send the orders in several requests.';

const TOO_MANY = `The list has more than 1000 orders. ${IN_PARTS}`;

test.each<[string, unknown, unknown, string, number?]>([
	['nothing', {}, {}, NO_HASH],
	['an empty hash', { sourceHash: '' }, {}, NO_HASH],
	['null for a hash', { sourceHash: null }, {}, NO_HASH],
	['a number for a body', 5, {}, NO_HASH],
	['a query that is none', {}, 'sourceHash', NO_HASH],
	['a body that is none, with a query that is none', null, 'sourceHash', NO_HASH],
	['fields that are not beside files', { data: { sourceHash: HASH } }, {}, NO_HASH],
	['files that are none', { data: { sourceHash: HASH }, files: 'none' }, {}, NO_HASH],
	['fields of a prototype', Object.create({ sourceHash: HASH }), {}, NO_HASH],
	['a field of that name', JSON.parse(`{"__proto__": {"sourceHash": "${HASH}"}}`), {}, NO_HASH],
	['orders that are no list', { orders: 'abc' }, {}, NO_LIST],
	['orders that are an object', { orders: { sourceHash: HASH } }, {}, NO_LIST],
	['text that is no JSON', 'sourceHash', {}, NO_JSON],
	['text that is JSON, but a number', '5', { sourceHash: HASH }, NO_JSON],
	['1,001 orders', { orders: new Array<string>(1001).fill(HASH) }, {}, TOO_MANY, 413],
])('rejected: %s', (_what, body, query, message, httpStatus = 400) => {
	expect(read(body, query)).toEqual({ ok: false, httpStatus, body: { message } });
});

test('numbers of JSON keep their digits, which n8n has rounded', () => {
	const sent = `{"sourceHash":"${ONE}","reference":{"chat":12345678901234567890}}`;
	const call = { body: JSON.parse(sent) as unknown, query: {}, rawBody: Buffer.from(sent) };
	const expected = { ok: true, orders: [{ reference: { chat: '12345678901234567890' } }] };
	expect(readCall(call)).toMatchObject(expected);
	const reference = 'Müller 1234567890123456';
	const other = Buffer.from(`{"sourceHash":"${ONE}","reference":"${reference}"}`, 'latin1');
	const decoded = { ...call, body: { sourceHash: ONE, reference }, rawBody: other };
	expect(readCall(decoded)).toMatchObject({ orders: [{ reference }] });
	const form = Buffer.from(`sourceHash=${ONE}&reference=1234567890123456789`);
	expect(
		readCall({ ...call, body: { sourceHash: ONE, reference: 'r' }, rawBody: form }),
	).toMatchObject({ ok: true, orders: [{ reference: 'r' }] });
});

test('a list of 1,000 orders is accepted, and a body of 256 KB, but none of a byte more', () => {
	expect(read({ orders: Array.from({ length: 1000 }, () => HASH) })).toMatchObject({ ok: true });
	expect(read({ sourceHash: HASH, reference: 'x'.repeat(2046) }, {}, 256 * 1024).ok).toBe(true);
	const message = `The body is larger than 256 KB. ${IN_PARTS}`;
	const refused = { ok: false, httpStatus: 413, body: { message } };
	expect(read({ sourceHash: HASH }, {}, 256 * 1024 + 1)).toEqual(refused);
});

test.each<[string, unknown, number | null]>([
	['ISO text', '2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:00Z')],
	['Unix seconds', 1_767_225_600, 1_767_225_600_000],
	['Unix seconds as text', '1767225600', 1_767_225_600_000],
	['milliseconds', 1_767_225_600_123, 1_767_225_600_123],
	['null', null, null],
	['nothing, as a form sends it', '', null],
])('startedAt as %s', (_name, startedAt, expected) => {
	const wanted = { ok: true, orders: [{ startedAt: expected }] };
	expect(read({ sourceHash: HASH, startedAt })).toMatchObject(wanted);
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

	test('may have as much as any other body', () => {
		expect(readForm({ orders: ofSize(120), n: '' })).toMatchObject({ ok: true });
	});

	test('may have attachments, however n8n presents them', () => {
		const file: Record<string, unknown> = { filepath: '/x', data: 'y'.repeat(300_000) };
		file.self = file;
		expect(readForm({ sourceHash: HASH }, { file })).toMatchObject({ ok: true });
	});
});

const NO_TIME = 'the field startedAt is not a time; send ISO text or Unix seconds';
const LARGE = 'the reference is larger than 2 KB';
const TOO_DEEP = 'the reference is nested deeper than 100 levels';
const DEEP = JSON.parse(`${'['.repeat(101)}${']'.repeat(101)}`) as unknown;

test.each<[string, unknown, string]>([
	['a beginning that is no time', { sourceHash: ONE, startedAt: 'soon' }, NO_TIME],
	['a beginning that is an object', { sourceHash: ONE, startedAt: {} }, NO_TIME],
	['a time before 1970', { sourceHash: ONE, startedAt: -1 }, NO_TIME],
	['a reference of 2,049 bytes', { sourceHash: ONE, reference: 'x'.repeat(2047) }, LARGE],
	['a reference of two bytes a sign', { sourceHash: ONE, reference: 'ü'.repeat(1024) }, LARGE],
	['a large object', { sourceHash: ONE, reference: { a: 'x'.repeat(2048) } }, LARGE],
	['too many levels', { sourceHash: ONE, reference: DEEP }, TOO_DEEP],
])('an order is rejected with its sentence: %s', (_what, order, message) => {
	const bad = { ok: false, httpStatus: 400 };
	expect(read(order)).toEqual({
		...bad,
		body: { message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` },
	});
	expect(read([ONE, order, TWO])).toEqual({
		...bad,
		body: {
			position: 2,
			message: `Order 2 of the list: ${message}. No order of the list was accepted.`,
		},
	});
});

/** How a hash is read is in test/unit/orders/sourceHash. */
test.each<[string, unknown, string]>([
	['a number', { sourceHash: 5 }, "'5' is not a transaction hash. Enter the complete hash"],
	['two hashes', { sourceHash: `${ONE} ${TWO}` }, `'${ONE}' and '${TWO}' could both be the hash`],
	['markup', { sourceHash: '<b>' }, "'<b>' is not a transaction hash"],
	['null as text', { sourceHash: 'null' }, "'null' is not a transaction hash"],
	['a short hash', { sourceHash: '0x1234' }, "'0x1234' has 4 digits after 0x instead of 64"],
	['a wallet', { sourceHash: `0x${'d'.repeat(40)}` }, `'0x${'d'.repeat(40)}' looks like a wallet`],
	['a space inside', { sourceHash: `${ONE.slice(0, 9)} ${ONE.slice(9)}` }, 'The hash in '],
])('a hash is rejected with its value: %s', (_what, order, message) => {
	expect(read(order)).toMatchObject({
		...{ ok: false, httpStatus: 400, body: { message: expect.stringContaining(message) } },
	});
	expect(read([ONE, order])).toMatchObject({
		body: { position: 2, message: expect.stringContaining(`Order 2 of the list: ${message}`) },
	});
});

test.each<[string, string, string]>([
	['a name before it', `Rent: ${ONE}`, 'Rent'],
	['a link with a name', `Rent: https://etherscan.io/tx/${ONE}`, 'Rent'],
])('a hash with %s has that as its reference, unless one is sent', (_what, sourceHash, name) => {
	expect(read({ sourceHash })).toMatchObject({ orders: [{ sourceHash: ONE, reference: name }] });
	expect(read({ sourceHash, reference: 'mine' })).toMatchObject({
		orders: [{ reference: 'mine' }],
	});
});

test('an order of a list may have another name for its hash', () => {
	expect(read([{ txHash: ONE }, { hash: TWO }])).toMatchObject({
		orders: [{ sourceHash: ONE }, { sourceHash: TWO }],
	});
});

test.each<[string, unknown, string]>([
	['a word', 'my orders', "'my orders' is not a transaction hash"],
	['a number', 5, 'it is 5'],
	['a list', [ONE], 'it is a list'],
	['null', null, 'it is null'],
	['an object without a hash', { id: 1 }, 'there is no field sourceHash, only id'],
])('a list is rejected whose last order is %s', (_what, order, message) => {
	expect(read({ orders: [ONE, TWO, order] })).toMatchObject({
		ok: false,
		httpStatus: 400,
		body: { position: 3, message: expect.stringContaining(message) },
	});
});
