import { createHash } from 'node:crypto';

import {
	digestOf,
	type FinishedOrder,
	identityOf,
	MOST_REMEMBERED,
	readFinished,
	storedFinished,
	wasEmitted,
	withFinished,
	withListed,
	withoutForgotten,
} from '../../../nodes/CrossChainBridge/state/finished';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DAY = 24 * 3_600_000;
const FIRST = Date.UTC(2025, 0, 1);

const finished = (changes: Partial<FinishedOrder> = {}): FinishedOrder => ({
	status: 'completed',
	at: NOW,
	emitted: true,
	listed: false,
	posted: true,
	identity: null,
	...changes,
});
const digestOfText = (text: string) =>
	createHash('sha256').update(text).digest('base64url').slice(0, 12);

describe('the identity of an order', () => {
	const same = (one: object, other: object) => identityOf({ ...one }) === identityOf({ ...other });

	test('is kept across updates, so it is made as it always was', () => {
		expect(digestOf('0xa')).toBe(digestOfText('0xa'));
		expect(identityOf({ orderId: 'Name', input: { txHash: '0xAB' } })).toBe(
			digestOfText('["order","Name","0xab"]'),
		);
		expect(identityOf({ orderId: 'ab' })).toBe(digestOfText('["order","0xab",null]'));
		expect(identityOf({ input: { txHash: 12 } })).toBe(digestOfText('["order",null,"0x12"]'));
	});

	test.each<[string, object]>([
		['nothing', {}],
		['null', { orderId: null, input: { txHash: null } }],
		['empty text', { orderId: '', input: { txHash: '' } }],
		['an input that is none', { input: 'ab' }],
		['objects', { orderId: {}, input: { txHash: [] } }],
	])('is unknown where the answer states %s', (_what, order) => {
		expect(identityOf({ ...order })).toBeNull();
	});

	test.each<[unknown, unknown, boolean]>([
		['AB', 'ab', true],
		['0xAB', 'ab', true],
		[' ab ', 'ab', true],
		[' 0xAB ', '0xab', true],
		['0XAB', '0xab', true],
		['Zab', 'zab', false],
		['abZ', 'abz', false],
		[' Zab ', 'Zab', true],
		['aZb', 'azb', false],
		[12, '12', true],
		['ab', 'ac', false],
	])('of %p and of %p is the same: %p', (one, other, isSame) => {
		expect(same({ orderId: one }, { orderId: other })).toBe(isSame);
	});

	test('is another where the same word is the transaction', () => {
		expect(same({ orderId: 'ab' }, { input: { txHash: 'ab' } })).toBe(false);
	});
});

test.each<[string, FinishedOrder, string | null, boolean]>([
	['the same', finished({ identity: 'i' }), 'i', true],
	['another', finished({ identity: 'i' }), 'j', false],
	['the same that was not emitted', finished({ identity: 'i', emitted: false }), 'i', false],
	['none', finished(), null, false],
])('whether an order was emitted under another hash: %s', (_what, order, identity, isEmitted) => {
	expect(
		wasEmitted(
			new Map([
				['first', finished({ identity: 'another' })],
				['d', order],
			]),
			identity,
		),
	).toBe(isEmitted);
});

describe('one more that has finished', () => {
	test('is the newest, with a time in whole seconds', () => {
		const before = new Map([
			['a', finished()],
			['b', finished()],
		]);
		const after = withFinished(before, 'a', finished({ status: 'failed', at: NOW + 1_999 }));
		expect([...after]).toEqual([
			['b', finished()],
			['a', finished({ status: 'failed', at: NOW + 1_000 })],
		]);
		expect([...before.keys()]).toEqual(['a', 'b']);
	});

	test.each([
		[FIRST - 1, FIRST],
		[FIRST + 64 ** 5 * 1000, FIRST + (64 ** 5 - 1) * 1000],
	])('at %p ms is remembered as at %p', (at, remembered) => {
		expect(withFinished(new Map(), 'a', finished({ at })).get('a')?.at).toBe(remembered);
	});

	test('makes the oldest be forgotten that the list does not name, and no more of them than there have to be', () => {
		const many = (count: number, listed = false) =>
			new Map(
				Array.from({ length: count }, (_, i) => [`${i}`, finished({ listed: listed || i === 0 })]),
			);
		expect(withFinished(many(MOST_REMEMBERED - 1), 'new', finished()).size).toBe(MOST_REMEMBERED);
		const full = withFinished(many(MOST_REMEMBERED), 'new', finished());
		expect([full.size, full.has('0'), full.has('1'), full.has('2'), full.has('new')]).toEqual([
			MOST_REMEMBERED,
			true,
			false,
			true,
			true,
		]);
		expect(
			withFinished(many(MOST_REMEMBERED + 2, true), 'new', finished({ listed: true })).size,
		).toBe(MOST_REMEMBERED + 3);
	});
});

describe('what the list names', () => {
	const orders = new Map([
		['listed', finished({ listed: true, posted: false })],
		['posted', finished()],
		['both', finished({ listed: true })],
	]);

	test('is marked so; what nothing keeps any more is forgotten', () => {
		const after = withListed(orders, (digest) => digest === 'posted');
		expect([...after]).toEqual([
			['posted', finished({ listed: true })],
			['both', finished()],
		]);
		expect(orders.get('both')).toEqual(finished({ listed: true }));
	});

	test('is the same map where nothing changes', () => {
		expect(withListed(orders, (digest) => digest !== 'posted')).toBe(orders);
		expect(withListed(orders, () => true)).not.toBe(orders);
	});

	test('leaves the others of the map as they are', () => {
		expect(withListed(orders, (digest) => digest === 'listed').get('posted')).toBe(
			orders.get('posted'),
		);
	});
});

test('posted orders are forgotten a day after they finished, those of the list never', () => {
	const orders = new Map([
		['old', finished({ at: NOW - DAY - 1_000 })],
		['young', finished({ at: NOW - DAY - 999 })],
		['listed', finished({ at: 0, listed: true })],
	]);
	expect([...withoutForgotten(orders, NOW).keys()]).toEqual(['young', 'listed']);
	const kept = new Map([...orders].slice(1));
	expect(withoutForgotten(kept, NOW)).toBe(kept);
});

describe('as text', () => {
	const digest = digestOf('a');
	const other = digestOf('b');

	test('each takes its digest, its identity, one sign and five for its time', () => {
		expect(storedFinished(new Map())).toBe('');
		const orders = new Map([
			[digest, finished({ emitted: false, posted: false, at: FIRST })],
			[other, finished({ status: 'failed', listed: true, identity: digest, at: FIRST + 65_000 })],
		]);
		expect(storedFinished(orders)).toBe(`${digest}AAAAAA,${other}${digest}XAAABB`);
		expect(readFinished(storedFinished(orders))).toEqual(orders);
	});

	test.each<[string, Partial<FinishedOrder>]>([
		['A', { emitted: false, posted: false }],
		['B', { emitted: false }],
		['C', { emitted: false, posted: false, listed: true }],
		['E', { posted: false }],
		['I', { status: 'refunded', emitted: false, posted: false }],
		['Q', { status: 'failed', emitted: false, posted: false }],
	])('the sign %s', (sign, changes) => {
		const orders = new Map([[digest, finished({ ...changes, at: FIRST })]]);
		expect(storedFinished(orders)).toBe(`${digest}${sign}AAAAA`);
		expect(readFinished(storedFinished(orders))).toEqual(orders);
	});

	test.each<[string, unknown]>([
		['no text', null],
		['a list', []],
		['an empty entry', `${digest}AAAAAA,`],
		['a short one', `${digest}AAAAA`],
		['a long one', `${digest}AAAAAAA`],
		['something before it', ` ${digest}AAAAAA`],
		['something behind it', `${digest}AAAAAA `],
		['a status that there is not', `${digest}YAAAAA`],
		['another sign', `${digest}?AAAAA`],
	])('with %s it is nothing that was kept', (_what, stored) => {
		expect(readFinished(stored)).toBeNull();
	});

	test('nothing is no orders', () => {
		expect(readFinished('')).toEqual(new Map());
	});
});
