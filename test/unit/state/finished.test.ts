import { createHash } from 'node:crypto';

import fc from 'fast-check';

import {
	digestOf,
	type FinishedOrder,
	MAX_REMEMBERED,
	readFinished,
	storedFinished,
	withFinished,
	withListed,
} from '../../../nodes/CrossChainBridge/state/finished';
import { EMPTY_STATE } from '../../../nodes/CrossChainBridge/state/state';
import { finished, HOUR, NOW, readBack } from './states';

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
		const before = new Map(['a', 'b'].map((digest) => [digest, finished()]));
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
		const many = (count: number, all = false) =>
			new Map(
				Array.from({ length: count }, (_, i) => [`${i}`, finished({ listed: all || i === 0 })]),
			);
		expect(withFinished(many(MAX_REMEMBERED - 1), 'new', finished()).size).toBe(MAX_REMEMBERED);
		const full = withFinished(many(MAX_REMEMBERED), 'new', finished());
		expect([full.size, ...['0', '1', '2', 'new'].map((digest) => full.has(digest))]).toEqual([
			MAX_REMEMBERED,
			true,
			false,
			true,
			true,
		]);
		const listed = many(MAX_REMEMBERED + 2, true);
		expect(withFinished(listed, 'new', finished({ listed: true })).size).toBe(MAX_REMEMBERED + 3);
	});
});

test('what the list names is marked so; what nothing keeps any more is forgotten', () => {
	const orders = new Map([
		['listed', finished({ listed: true, posted: false })],
		['posted', finished()],
		['both', finished({ listed: true })],
	]);
	expect([...withListed(orders, new Set(['posted']), NOW)]).toEqual([
		['posted', finished({ listed: true })],
		['both', finished()],
	]);
	const expected = [...[...orders].slice(0, 2), ['both', finished()]];
	expect([...withListed(orders, new Set(['listed']), NOW)]).toEqual(expected);
	expect(orders.get('both')).toEqual(finished({ listed: true }));
	expect(withListed(orders, new Set(['listed', 'both']), NOW)).toBe(orders);
});

test('posted orders are forgotten a day after they finished, those of the list never', () => {
	const orders = new Map([
		['old', finished({ at: NOW - 24 * HOUR - 1_000 })],
		['young', finished({ at: NOW - 24 * HOUR - 999 })],
		['listed', finished({ at: 0, listed: true })],
	]);
	const names = new Set(['listed']);
	expect([...withListed(orders, names, NOW).keys()]).toEqual(['young', 'listed']);
	const kept = new Map([...orders].slice(1));
	expect(withListed(kept, names, NOW)).toBe(kept);
});

describe('as n8n keeps them', () => {
	const digest = digestOf('a');
	const seconds = NOW / 1000;

	test.each<[Partial<FinishedOrder>, string[]]>([
		[{}, ['emitted', 'posted']],
		[{ emitted: false }, ['posted']],
		[{ posted: false, listed: true }, ['emitted', 'listed']],
		[{ status: 'refunded' }, ['emitted', 'posted']],
	])('%j can be read in the database', (changes, marks) => {
		const orders = new Map([[digest, finished(changes)]]);
		expect(storedFinished(orders)).toEqual([[digest, finished(changes).status, seconds, ...marks]]);
	});

	test('each takes 70 bytes or less, and is read back as it was', () => {
		const anyFinished = fc.record({
			status: fc.constantFrom('completed' as const, 'refunded' as const, 'failed' as const),
			at: fc.integer({ min: 1_750_000_000, max: 2_700_000_000 }).map((at) => at * 1000),
			emitted: fc.boolean(),
			listed: fc.boolean(),
			posted: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(anyFinished), (all) => {
				const orders = new Map(all.map((each, index) => [digestOf(String(index)), each]));
				const state = { ...EMPTY_STATE, revision: 1, finished: orders };
				expect(readBack(state)).toEqual(state);
				const { length } = JSON.stringify(storedFinished(orders));
				expect(length).toBeLessThanOrEqual(2 + 70 * all.length);
			}),
			{ numRuns: 500 },
		);
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
		const digests = ['a', 'b', 'c'].map(digestOf);
		const stored = storedFinished(new Map(digests.map((each) => [each, finished()])));
		expect([...(readFinished(stored, 2)?.keys() ?? [])]).toEqual(digests.slice(1));
	});
});
