import { createHash } from 'node:crypto';

import fc from 'fast-check';

import {
	digestOf,
	type FinishedOrder,
	MAX_REMEMBERED,
	readFinished,
	storedFinished,
	withFinished,
} from '../../../nodes/CrossChainBridge/watch/finished';
import { DAY, NOW } from './watching';

/** The orders that have finished, as many as are remembered, and as n8n keeps them. */

const finished = (changes: Partial<FinishedOrder> = {}): FinishedOrder => ({
	status: 'completed',
	at: NOW,
	emitted: true,
	wasBefore: false,
	listed: false,
	until: NOW + DAY,
	...changes,
});

test('the digest of a key is kept across updates, so that it is made as it always was', () => {
	const key = `0x${'ab'.repeat(32)}`;
	const digest = createHash('sha256').update(key).digest('base64url').slice(0, 12);
	expect(digestOf(key)).toBe(digest);
});

test('one more is the newest, with a time in whole seconds; the others stay as they are', () => {
	const keys = ['0xa', '0xb'];
	const before = new Map(keys.map((key) => [digestOf(key), finished()]));
	const after = withFinished(before, '0xa', finished({ status: 'failed', at: NOW + 1_999 }));
	expect([...after]).toEqual([
		[digestOf('0xb'), finished()],
		[digestOf('0xa'), finished({ status: 'failed', at: NOW + 1_000 })],
	]);
	expect([...before.values()]).toEqual([finished(), finished()]);
});

test('beyond the limit the oldest are forgotten, and no more of them than have to be; those of the list never', () => {
	const many = (count: number, all = false) =>
		new Map(
			Array.from({ length: count }, (_, i) => [`${i}`, finished({ listed: all || i === 0 })]),
		);
	expect(withFinished(many(MAX_REMEMBERED - 1), 'new', finished()).size).toBe(MAX_REMEMBERED);
	const full = withFinished(many(MAX_REMEMBERED), 'new', finished());
	const isKept = ['0', '1', '2', digestOf('new')].map((digest) => full.has(digest));
	expect([full.size, isKept]).toEqual([MAX_REMEMBERED, [true, false, true, true]]);
	const listed = many(MAX_REMEMBERED + 2, true);
	expect(withFinished(listed, 'new', finished({ listed: true })).size).toBe(MAX_REMEMBERED + 3);
});

describe('as n8n keeps them', () => {
	const digest = digestOf('0xa');
	const seconds = NOW / 1_000;

	test('each can be read in the database, takes 90 bytes or less, and is read back as it was', () => {
		const second = fc.integer({ min: 1_750_000_000, max: 2_700_000_000 }).map((at) => at * 1_000);
		const anyFinished = fc.record({
			status: fc.constantFrom('completed' as const, 'refunded' as const, 'failed' as const),
			at: second,
			until: second,
			emitted: fc.boolean(),
			wasBefore: fc.boolean(),
			listed: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(anyFinished), (all) => {
				const orders = new Map(all.map((each, index) => [digestOf(String(index)), each]));
				const text = JSON.stringify(storedFinished(orders));
				expect(text.length).toBeLessThanOrEqual(2 + 90 * all.length);
				expect([...readFinished(JSON.parse(text), 1_000)]).toEqual([...orders]);
			}),
			{ numRuns: 300 },
		);
		const orders = new Map([[digest, finished({ listed: true })]]);
		expect(storedFinished(orders)).toEqual([
			[digest, 'completed', seconds, seconds + 86_400, 'emitted', 'listed'],
		]);
	});

	test.each<[string, unknown]>([
		['an entry that is none', null],
		['text', `${digest} completed`],
		['a digest that is none', [7, 'completed', seconds]],
		['a status that is not final', [digest, 'pending', seconds]],
		['no time', [digest, 'completed', 'noon']],
		['a time that never was', [digest, 'completed', 1e300]],
	])('%s costs that entry alone', (_what, entry) => {
		const stored = [...storedFinished(new Map([['other', finished()]])), entry];
		expect([...readFinished(stored, 10)]).toEqual([['other', finished()]]);
		expect(readFinished(entry, 10).size).toBe(0);
	});

	test('an entry without the time until which it is remembered is remembered for a day', () => {
		const read = readFinished([[digest, 'completed', seconds, 'emitted', 'posted']], 10);
		expect([...read.values()]).toEqual([finished()]);
	});

	test('no more are read than there may be: the newest', () => {
		const digests = ['0xa', '0xb', '0xc'].map(digestOf);
		const stored = storedFinished(new Map(digests.map((each) => [each, finished()])));
		expect([...readFinished(stored, 2).keys()]).toEqual(digests.slice(1));
	});
});
