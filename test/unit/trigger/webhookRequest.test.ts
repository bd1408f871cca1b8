import fc from 'fast-check';

import { readCall } from '../../../nodes/CrossChainBridge/trigger/webhook/request';

const read = (body: unknown, query: unknown = {}, bytes = 100) => readCall({ body, query, bytes });
const HASH = '0xAb12';

test.each<[string, unknown, unknown, Array<[string, unknown]>]>([
	['JSON', { sourceHash: HASH }, {}, [[HASH, undefined]]],
	['JSON with a reference', { sourceHash: HASH, reference: { a: [1] } }, {}, [[HASH, { a: [1] }]]],
	['a reference that is null', { sourceHash: HASH, reference: null }, {}, [[HASH, null]]],
	['white space around the hash', { sourceHash: ` ${HASH}\n` }, {}, [[HASH, undefined]]],
	['hashes of other chains', { sourceHash: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW' }, {}, [['5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW', undefined]]],
	['query parameters', {}, { sourceHash: HASH, reference: 'q' }, [[HASH, 'q']]],
	['no body at all', undefined, { sourceHash: HASH }, [[HASH, undefined]]],
	['hash in the body, reference in the query', { sourceHash: HASH }, { reference: 'q' }, [[HASH, 'q']]],
	['the body goes before the query', { sourceHash: HASH }, { sourceHash: '0x2' }, [[HASH, undefined]]],
	['a list', { orders: [{ sourceHash: '0x1', reference: 1 }, { sourceHash: '0x2' }] }, {}, [['0x1', 1], ['0x2', undefined]]],
	['a list of bare hashes', { orders: ['0x1', '0x2'] }, {}, [['0x1', undefined], ['0x2', undefined]]],
	['a list alone', ['0x1', { sourceHash: '0x2' }], {}, [['0x1', undefined], ['0x2', undefined]]],
	['an empty list', { orders: [] }, {}, []],
	['an empty list alone', [], {}, []],
	['a list as a form field', { orders: '["0x1"]' }, {}, [['0x1', undefined]]],
	['a list in the query', {}, { orders: '[{"sourceHash":"0x1"}]' }, [['0x1', undefined]]],
	['text that is JSON', '{"sourceHash":"0x1","reference":12345678901234567890}', {}, [['0x1', '12345678901234567890']]],
	['fields of a multipart form', { data: { sourceHash: HASH, reference: 'm' }, files: {} }, {}, [[HASH, 'm']]],
	['fields that nobody asked for', { sourceHash: HASH, status: 'completed', extra: 1 }, {}, [[HASH, undefined]]],
])('%s', (_name, body, query, orders) => {
	expect(read(body, query)).toEqual({ ok: true, orders: orders.map(([sourceHash, reference]) => ({ sourceHash, reference })) });
});

test.each<[string, unknown, number | null]>([
	['nothing', {}, null],
	['an empty hash', { sourceHash: '' }, null],
	['a hash that is a number', { sourceHash: 5 }, null],
	['a hash of two words', { sourceHash: '0x1 0x2' }, null],
	['hashes with commas', { sourceHash: '0x1,0x2' }, null],
	['markup', { sourceHash: '<b>' }, null],
	['control characters', { sourceHash: '0x\u00001' }, null],
	['a hash that is too long', { sourceHash: 'a'.repeat(257) }, null],
	['a reference that is too large', { sourceHash: HASH, reference: 'ü'.repeat(1024) }, null],
	['orders that are no list', { orders: 'abc' }, null],
	['orders that are an object', { orders: { sourceHash: HASH } }, null],
	['text that is no JSON', 'sourceHash', null],
	['a list with a number', { orders: ['0x1', 5] }, 2],
	['a list with a list', { orders: [['0x1']] }, 1],
	['a list with null', { orders: ['0x1', '0x2', null] }, 3],
	['a list with a large reference', [{ sourceHash: '0x1', reference: { a: 'x'.repeat(2048) } }], 1],
])('refused: %s', (_name, body, position) => {
	expect(read(body)).toMatchObject({ ok: false, httpStatus: 400, position });
});

test('a reference of 2 KB is taken, and a body of 256 KB', () => {
	expect(read({ sourceHash: HASH, reference: 'x'.repeat(2046) }, {}, 256 * 1024)).toMatchObject({ ok: true });
	expect(read({ sourceHash: HASH }, {}, 256 * 1024 + 1)).toMatchObject({ ok: false, httpStatus: 413 });
});

test('names of an object’s own are no fields', () => {
	expect(read(JSON.parse('{"__proto__": {"sourceHash": "0x1"}}'))).toMatchObject({ ok: false });
	expect(read(Object.create({ sourceHash: HASH }))).toMatchObject({ ok: false });
	expect(read({ sourceHash: 'constructor' })).toMatchObject({ ok: true });
});

test('whatever is sent: orders that can be kept, or a sentence', () => {
	fc.assert(
		fc.property(fc.anything({ withObjectString: true }), fc.oneof(fc.anything(), fc.object()), (body, query) => {
			const call = read(body, query);
			if (call.ok) {
				for (const { sourceHash } of call.orders) expect(sourceHash).toMatch(/^\S{1,256}$/);
			} else expect(call.message).toMatch(/^[A-Z"].*\.$/s);
		}),
		{ numRuns: 20_000 },
	);
});

test('whatever a list holds: all of it, or the place of the first fault', () => {
	const entry = fc.oneof(
		fc.record({ sourceHash: fc.oneof(fc.stringMatching(/^0x[0-9a-f]{4}$/), fc.anything()), reference: fc.jsonValue() }),
		fc.jsonValue(),
	);
	fc.assert(
		fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (orders) => {
			const call = read({ orders });
			if (call.ok) expect(call.orders).toHaveLength(orders.length);
			else {
				const position = call.position ?? 0;
				expect(read({ orders: orders.slice(0, position - 1) }).ok || position === 1).toBe(true);
				expect(read({ orders: orders.slice(position - 1, position) })).toMatchObject({ ok: false, position: 1 });
			}
		}),
		{ numRuns: 5000 },
	);
});
