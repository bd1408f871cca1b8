import { createHash } from 'node:crypto';

import {
	digestOf,
	type FinishedOrder,
	MAX_REMEMBERED,
	readFinished,
	storedFinished,
	withFinished,
	withListed,
	withoutForgotten,
} from '../../../nodes/CrossChainBridge/state/finished';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DAY = 24 * 3_600_000;

const finished = (changes: Partial<FinishedOrder> = {}): FinishedOrder => ({
	status: 'completed',
	at: NOW,
	emitted: true,
	listed: false,
	posted: true,
	...changes,
});
const digestOfText = (text: string) =>
	createHash('sha256').update(text).digest('base64url').slice(0, 12);

describe('the digest of a hash', () => {
	const digits = 'ab'.repeat(32);

	test('is kept across updates, so it is made as it always was', () => {
		expect(digestOf('0xA')).toBe(digestOfText('0xa'));
		expect(digestOf(digits)).toBe(digestOfText(`0x${digits}`));
	});

	test.each([
		[digits, `0x${digits}`, true],
		[digits.toUpperCase(), `0X${digits}`, true],
		['10', '0x10', false],
		[`${digits}z`, `${digits}Z`, false],
	])('of %p and of %p is the same: %p', (one, other, isSame) => {
		expect(digestOf(one) === digestOf(other)).toBe(isSame);
	});
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

	test('stays emitted, listed and posted as it was under another spelling', () => {
		const before = new Map([['a', finished({ listed: true })]]);
		const after = withFinished(before, 'a', finished({ emitted: false, posted: false }));
		expect(after.get('a')).toEqual(finished({ listed: true }));
	});

	test('makes the oldest be forgotten that the list does not name, and no more of them than there have to be', () => {
		const many = (count: number, listed = false) =>
			new Map(
				Array.from({ length: count }, (_, i) => [`${i}`, finished({ listed: listed || i === 0 })]),
			);
		expect(withFinished(many(MAX_REMEMBERED - 1), 'new', finished()).size).toBe(MAX_REMEMBERED);
		const full = withFinished(many(MAX_REMEMBERED), 'new', finished());
		expect([full.size, full.has('0'), full.has('1'), full.has('2'), full.has('new')]).toEqual([
			MAX_REMEMBERED,
			true,
			false,
			true,
			true,
		]);
		expect(
			withFinished(many(MAX_REMEMBERED + 2, true), 'new', finished({ listed: true })).size,
		).toBe(MAX_REMEMBERED + 3);
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

describe('as n8n keeps them', () => {
	const digest = digestOf('a');
	const seconds = NOW / 1000;

	test.each<[Partial<FinishedOrder>, string[]]>([
		[{}, ['emitted', 'posted']],
		[{ emitted: false }, ['posted']],
		[{ posted: false, listed: true }, ['emitted', 'listed']],
		[{ status: 'refunded' }, ['emitted', 'posted']],
	])('%j can be read in the database, and back', (changes, marks) => {
		const orders = new Map([[digest, finished(changes)]]);
		const kept = storedFinished(orders);
		expect(kept).toEqual([[digest, finished(changes).status, seconds, ...marks]]);
		expect(readFinished(kept, 10)).toEqual(orders);
	});

	test.each<[string, unknown]>([
		['no list', null],
		['text', `${digest}`],
		['an entry that is none', [null]],
		['a short digest', [['a', 'completed', seconds]]],
		['a status that there is not', [[digest, 'pending', seconds]]],
		['no time', [[digest, 'completed', 'noon']]],
		['a time that never was', [[digest, 'completed', Number.NaN]]],
	])('with %s it is nothing that was kept', (_what, stored) => {
		expect(readFinished(stored, 10)).toBeNull();
	});

	test('no more are read than there may be: the newest', () => {
		const stored = storedFinished(
			new Map(['a', 'b', 'c'].map((hash) => [digestOf(hash), finished()])),
		);
		expect([...(readFinished(stored, 2) ?? []).keys()]).toEqual([digestOf('b'), digestOf('c')]);
	});
});
