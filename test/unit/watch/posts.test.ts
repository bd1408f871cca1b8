import type { WatchRules } from '../../../nodes/CrossChainBridge/watch/rules';
import { MAX_WATCHED } from '../../../nodes/CrossChainBridge/watch/state';
import {
	DAY,
	EVERY,
	FINAL,
	HOUR,
	listing,
	MINUTE,
	naming,
	NOT_FOUND,
	NOW,
	posting,
	rulesWith,
	SECOND,
	shown,
	Watching,
} from './watching';

/** Orders that are sent to the webhook: what becomes of each, and what the caller is told. */

const hashes = (count: number) => Array.from({ length: count }, (_, i) => `0x${i}`);

test.each([
	['r', 'r'],
	[{ chat: 7 }, { chat: 7 }],
	[undefined, null],
])('a new order with the reference %j is watched with %j', (reference, kept) => {
	const watching = new Watching();
	const post = reference === undefined ? '0xA' : { hash: '0xA', reference };
	expect(watching.post(post)).toEqual([{ as: 'accepted', sourceHash: '0xA' }]);
	expect([watching.open, watching.referenceOf('0xA')]).toEqual([['0xA'], kept]);
});

test('one order in several spellings is one, whichever way it came', () => {
	const digits = 'Ab'.repeat(32);
	const watching = listing([`0x${digits}`]);
	const results = watching.post(digits, digits.toUpperCase(), `0X${digits}`);
	expect(results.map((result) => result !== 'full' && result.as)).toEqual([
		'alreadyWatched',
		'alreadyWatched',
		'alreadyWatched',
	]);
	expect(watching.open).toHaveLength(1);
});

describe('a second post of an order', () => {
	test.each<[string, object, unknown, 'kept' | 'replaced']>([
		['without a reference keeps the one before', {}, 'before', 'kept'],
		['with another one replaces it', { reference: 'now' }, 'now', 'replaced'],
		['with null replaces it', { reference: null }, null, 'replaced'],
	])('%s', (_what, again, kept, reference) => {
		const watching = posting([{ hash: '0xA', reference: 'before' }]);
		const result = { as: 'alreadyWatched', sourceHash: '0xa', reference };
		expect(watching.post({ hash: '0xa', ...again })).toEqual([result]);
		expect(watching.referenceOf('0xA')).toBe(kept);
	});

	test('keeps the link and what is expected, unless it says something else', () => {
		const expected = { recipient: '0x1', minimumReceived: null };
		const watching = posting([{ hash: '0xA', link: 'https://a.example/tx', expected }]);
		watching.post('0xA');
		expect(watching.order('0xA')?.posted).toMatchObject({ link: 'https://a.example/tx', expected });
		watching.post({ hash: '0xA', expected: { recipient: null, minimumReceived: '7' } });
		watching.post({ hash: '0xA', expected: { recipient: '0x2', minimumReceived: null } });
		expect(watching.order('0xA')?.posted).toMatchObject({
			expected: { recipient: '0x2', minimumReceived: '7' },
		});
	});

	test('of a listed order says the name of the list where it says none, also if it says an empty one', () => {
		const watching = new Watching().list([['0xA', 'listed']]);
		watching.post('0xA');
		expect(watching.referenceOf('0xA')).toBe('listed');
	});
});

test.each<[string, number | null, number | null]>([
	['none', null, null],
	['a minute ago', NOW - MINUTE, NOW - MINUTE],
	['later than now', NOW + 30 * SECOND, NOW],
	['far too old', NOW - 60 * DAY, NOW - 30 * DAY],
])('a stated beginning, %s, is bounded; a newer one replaces it', (_name, startedAt, kept) => {
	const watching = posting([{ hash: '0xA', startedAt }]);
	expect(watching.order('0xA')?.startedAt).toBe(kept);
	watching.post('0xA');
	expect(watching.order('0xA')?.startedAt).toBe(kept);
	watching.post({ hash: '0xA', startedAt: NOW - 5 * SECOND });
	expect(watching.restart().order('0xA')?.startedAt).toBe(NOW - 5 * SECOND);
});

describe('room', () => {
	test('for all new orders of a call there is, or for none; those that are watched need none', () => {
		const watching = posting(hashes(MAX_WATCHED - 1));
		const before = watching.state;
		expect(watching.post('0xnew1', '0xnew2')).toEqual(['full']);
		expect(watching.state).toBe(before);
		expect(watching.post('0xnew1', '0xnew1', '0x0')).toMatchObject([
			{ as: 'accepted' },
			{ as: 'alreadyWatched' },
			{ as: 'alreadyWatched' },
		]);
		watching.check('0x0', shown('completed'));
		expect(watching.post('0xnew2')).toMatchObject([{ as: 'accepted' }]);
	});

	test('is taken by the orders of the list as well; what is watched can be posted where a list has left less than none', () => {
		const watching = listing(hashes(MAX_WATCHED + 3));
		expect(watching.post('0xnew')).toEqual(['full']);
		expect(watching.post('0x5')).toMatchObject([{ as: 'alreadyWatched' }]);
	});
});

describe('a post of an order that has finished', () => {
	const finished = { as: 'alreadyFinished', sourceHash: '0xA', status: 'failed' };
	test.each<[string, WatchRules, WatchRules, 'accepted' | 'alreadyFinished']>([
		['that was reported', rulesWith(), rulesWith(), 'alreadyFinished'],
		['whose event is chosen by now', rulesWith(['completed']), rulesWith(), 'accepted'],
		[
			'whose event is still not chosen',
			rulesWith(['completed']),
			rulesWith(['completed']),
			'alreadyFinished',
		],
	])('%s: %4$s', (_what, then, now, as) => {
		const watching = posting(['0xA'], then);
		watching.wait(999).check('0xA', shown('failed'));
		watching.rules = now;
		const expected = as === 'accepted' ? { as } : { ...finished, finishedSeenAt: NOW };
		expect(watching.restart().wait(MINUTE).post('0xA')).toMatchObject([expected]);
		expect(watching.open).toEqual(as === 'accepted' ? ['0xA'] : []);
	});

	test('is so answered for a day more with each post', () => {
		const watching = posting(['0xA']);
		watching.check('0xA', shown('failed'));
		for (let days = 0; days < 4; days++)
			expect(
				watching
					.wait(DAY - 1)
					.list([])
					.post('0xA'),
			).toMatchObject([finished]);
		expect(
			watching
				.wait(DAY + 1)
				.list([])
				.post('0xA'),
		).toMatchObject([{ as: 'accepted' }]);
	});
});

describe('a removal', () => {
	test('takes what was posted, leaves what the list names, and says so of each', () => {
		const watching = listing(['0xL', '0xB']);
		watching.post('0xD', { hash: '0xB', reference: 'posted' });
		expect(watching.remove('0xd', '0xB', '0xL', '0xUnknown')).toEqual([
			{ as: 'removed', sourceHash: '0xd' },
			{ as: 'listed', sourceHash: '0xB' },
			{ as: 'listed', sourceHash: '0xL' },
			{ as: 'notWatched', sourceHash: '0xUnknown' },
		]);
		expect(watching.open).toEqual(['0xL', '0xB']);
		expect([watching.referenceOf('0xB'), watching.list([]).open]).toEqual([null, []]);
	});

	test('of nothing that was posted changes nothing', () => {
		const watching = listing(['0xL']);
		const before = watching.state;
		watching.remove('0xL', '0xUnknown');
		expect(watching.state).toBe(before);
	});

	test('after its event takes the order for good, also with At Least Once and a restart', () => {
		const watching = posting(['0xA'], rulesWith(EVERY, { redelivers: true }));
		expect(watching.wait(5 * MINUTE).check('0xA', shown('pending'))).toEqual(['delayed 0xA']);
		expect(watching.wait(SECOND).remove('0xA')).toMatchObject([{ as: 'removed' }]);
		expect(watching.wait(SECOND).restart().open).toEqual([]);
	});
});

/** A transaction that was sped up has another hash: one order, with one name and one event of each kind. */
describe('an order that replaces another one', () => {
	const expected = { recipient: '0x1', minimumReceived: '5' };
	const rent = { hash: '0xOld', reference: 'Rent', expected };
	const replacing = { hash: '0xNew', replaces: '0xOld' };

	test('has its reference and what was expected, over a restart', () => {
		const watching = posting([rent]);
		expect(watching.post(replacing)).toMatchObject([{ as: 'accepted' }]);
		watching.restart().check('0xNew', shown('completed'));
		expect(watching.lastEmission).toMatchObject({
			before: { sourceHash: '0xNew', posted: { reference: 'Rent', expected } },
		});
	});

	test('has the name that the list gives the other one', () => {
		const watching = new Watching().list([['0xOld', 'Rent']]);
		watching.post(replacing);
		expect(watching.referenceOf('0xNew')).toBe('Rent');
	});

	test('has them as well if it was posted before, by itself', () => {
		const watching = posting([rent, '0xNew']);
		expect(watching.post(replacing)).toMatchObject([{ as: 'alreadyWatched' }]);
		expect(watching.order('0xNew')?.posted).toMatchObject({ reference: 'Rent', expected });
	});

	test('may have others of its own', () => {
		const own = { recipient: '0x2', minimumReceived: null };
		const watching = posting([rent, { ...replacing, reference: 'New rent', expected: own }]);
		expect(watching.order('0xNew')?.posted).toMatchObject({
			reference: 'New rent',
			expected: { recipient: '0x2', minimumReceived: '5' },
		});
	});

	test('has what was expected of each, field by field, if both were posted before', () => {
		const old = { hash: '0xOld', expected: { recipient: null, minimumReceived: '5 ETH' } };
		const own = { hash: '0xNew', expected: { recipient: '0x1', minimumReceived: null } };
		const watching = posting([old, own, replacing]);
		expect(watching.order('0xNew')?.posted?.expected).toEqual({
			recipient: '0x1',
			minimumReceived: '5 ETH',
		});
	});

	test('has no link of a transaction by which it is not shown', () => {
		const link = 'https://a.example/tx/0xNew';
		const watching = posting(['0xOld']);
		watching.check('0xOld', shown('pending'));
		watching.post({ ...replacing, link });
		expect(watching.order('0xOld')?.posted?.link).toBeUndefined();
		const unseen = posting(['0xOld', replacing]);
		unseen.post({ hash: '0xOld', link });
		expect(unseen.order('0xNew')?.posted?.link).toBeUndefined();
	});

	test('leaves no expiry of its own to a listed one when it is removed', () => {
		const watching = new Watching(rulesWith(EVERY)).list(['0xOld']);
		watching.post(replacing);
		watching.check('0xNew', shown('pending', { timing: { expiry: (NOW + HOUR) / 1_000 } }));
		watching.remove('0xNew');
		expect(watching.order('0xOld')).toMatchObject({ status: null, expiresAt: null });
	});

	test('does not have the link of the other transaction', () => {
		const watching = posting([{ ...rent, link: 'https://a.example/tx/0xOld' }, replacing]);
		expect(watching.order('0xNew')?.posted?.link).toBeUndefined();
	});

	test.each([
		['0xNew', '0xOld'],
		['0xOld', '0xNew'],
	])('whichever is found ends both: %s', (found, other) => {
		const watching = posting([rent, replacing]);
		expect(watching.check(found, shown('completed'))).toEqual([`completed ${found}`]);
		expect(watching.restart().open).toEqual([]);
		expect(watching.check(other, shown('completed'))).toEqual([]);
		expect(watching.post(other)).toMatchObject([{ as: 'alreadyFinished' }]);
	});

	test.each([
		['64 digits without 0x', 'AB'.repeat(32)],
		['base64 with its padding', `${'aB+/'.repeat(10)}aBA=`],
	])('and was not known is asked about as it was entered: %s', (_form, old) => {
		const watching = posting([{ hash: '0xNew', replaces: old }]).restart();
		expect(watching.order('0xNew')?.others).toMatchObject([{ sourceHash: old, listed: false }]);
		expect(watching.check(old, shown('completed'))).toEqual([`completed ${old}`]);
	});

	test('is the same order whichever way its hash is written', () => {
		const watching = posting([{ hash: `0x${'ab'.repeat(32)}`, reference: 'Rent' }]);
		watching.post({ hash: '0xNew', replaces: 'AB'.repeat(32) });
		expect(watching.open).toEqual(['0xNew']);
		expect(watching.order('0xNew')?.posted?.reference).toBe('Rent');
	});

	test('is delayed once for both, under the newest hash', () => {
		const watching = posting([rent, replacing], rulesWith(EVERY)).wait(5 * MINUTE);
		const checks = ['0xOld', '0xNew', '0xOld', '0xNew'];
		expect(checks.flatMap((hash) => watching.check(hash, NOT_FOUND))).toEqual(['delayed 0xNew']);
		expect(watching.check('0xOld', shown('completed'))).toEqual(['completed 0xOld']);
	});

	test('is not delayed again if the other one was', () => {
		const watching = posting([rent], rulesWith([...FINAL, 'delayed'])).wait(5 * MINUTE);
		expect(watching.check('0xOld', NOT_FOUND)).toEqual(['delayed 0xOld']);
		watching.post(replacing);
		expect(watching.wait(HOUR).check('0xNew', NOT_FOUND)).toEqual([]);
	});

	test('is not watched if the other one was completed, whichever event is chosen', () => {
		for (const events of [FINAL, ['failed'] as const]) {
			const watching = posting([rent], rulesWith(events));
			watching.check('0xOld', shown('completed'));
			expect(watching.post(replacing)).toMatchObject([
				{ as: 'alreadyFinished', status: 'completed' },
			]);
		}
	});

	describe.each(['refunded', 'failed'] as const)('and the other one was %s', (status) => {
		test.each([FINAL, ['completed'] as const])(
			'is an order of its own, because it may be another attempt (events: %s)',
			(...events) => {
				const watching = posting([rent], rulesWith(events));
				watching.check('0xOld', shown(status));
				expect(watching.restart().post(replacing)).toMatchObject([{ as: 'accepted' }]);
				expect(watching.post(replacing)).toMatchObject([{ as: 'alreadyWatched' }]);
				expect(watching.open).toEqual(['0xNew']);
				expect(watching.check('0xNew', shown('completed'))).toEqual(['completed 0xNew']);
				expect(watching.post(replacing, '0xOld')).toMatchObject([
					{ as: 'alreadyFinished', status: 'completed' },
					{ as: 'alreadyFinished', status },
				]);
			},
		);

		test.each([
			['was found before', true],
			['is found only then', false],
		])(
			'only after that post, stays watched, with its name, and the other one %s',
			(_when, isOpen) => {
				const watching = posting([rent], rulesWith(EVERY));
				if (isOpen) watching.check('0xOld', shown('pending'));
				watching.post({ hash: '0xNew', replaces: '0xOld' }, { hash: '0xNewer', replaces: '0xNew' });
				expect(watching.restart().check('0xOld', shown(status))).toEqual([`${status} 0xOld`]);
				expect(watching.restart().open.sort()).toEqual(['0xNew', '0xNewer']);
				expect(watching.check('0xNew', shown('completed'))).toEqual(['completed 0xNew']);
				expect(watching.lastEmission).toMatchObject({ before: { posted: { reference: 'Rent' } } });
				expect(watching.post('0xOld')).toMatchObject([{ as: 'alreadyFinished', status }]);
			},
		);

		test('by a response that names the new one, has finished with it', () => {
			const watching = posting([rent, replacing], rulesWith(EVERY));
			expect(watching.check('0xOld', naming('0xNew', status))).toEqual([`${status} 0xOld`]);
			expect(watching.open).toEqual([]);
		});

		test('is the one that was found: the old transaction is never found, and ends with it', () => {
			const watching = posting([rent, replacing], rulesWith(EVERY));
			for (const result of [shown(undefined), NOT_FOUND]) watching.check('0xOld', result);
			watching.check('0xNew', shown(undefined));
			expect(watching.check('0xNew', shown(status))).toEqual([`${status} 0xNew`]);
			expect(watching.restart().open).toEqual([]);
		});
	});

	test('is remembered if the other one has finished, so that what replaces it is not watched either', () => {
		const watching = posting([rent, replacing], rulesWith(EVERY));
		watching.check('0xNew', shown('completed'));
		const chain = [
			{ hash: '0xNewer', replaces: '0xNew' },
			{ hash: '0xNewest', replaces: '0xNewer' },
		];
		const finished = { as: 'alreadyFinished', status: 'completed' };
		expect(watching.post(...chain)).toMatchObject([finished, finished]);
		expect(watching.restart().post(...chain)).toMatchObject([finished, finished]);
		expect(watching.list(['0xNewest']).open).toEqual([]);
	});

	test('is shown by the hash by which it was found, also if that one is replaced later', () => {
		const watching = posting([rent, replacing], rulesWith(EVERY));
		watching.check('0xOld', shown('executing'));
		expect(watching.open).toEqual(['0xOld']);
		watching.post({ hash: '0xNewer', replaces: '0xOld' });
		expect(watching.restart().open).toEqual(['0xOld']);
		expect(watching.check('0xNewer', NOT_FOUND)).toEqual([]);
		expect(watching.check('0xNewer', naming('0xOld', 'completed'))).toEqual([]);
		expect(watching.check('0xOld', shown('completed'))).toEqual(['completed 0xOld']);
		expect(watching.list(['0xNew', '0xNewer']).open).toEqual([]);
	});

	test.each([
		['0xNew', '0xOld'],
		['0xOld', '0xNew'],
	])(
		'is two orders if the bridge finds both, first %s, so that neither ends the other one',
		(first, second) => {
			const watching = posting([rent, replacing], rulesWith(EVERY));
			watching.check(first, shown('pending'));
			// The bridge no longer finds it.
			watching.check(first, NOT_FOUND);
			expect(watching.check(second, shown('completed'))).toEqual([`completed ${second}`]);
			expect(watching.lastEmission).toMatchObject({
				before: { posted: { reference: 'Rent', expected } },
			});
			expect(watching.restart().open).toEqual([first]);
			expect(watching.check(first, shown('failed'))).toEqual([`failed ${first}`]);
			expect(watching.restart().open).toEqual([]);
		},
	);

	test('is two orders if the bridge finds both: what was said only of the one that was found first is said of the other one as well', () => {
		const watching = posting([rent], rulesWith(EVERY)).wait(5 * MINUTE);
		expect(watching.check('0xOld', shown('pending'))).toEqual(['delayed 0xOld']);
		watching.wait(DAY).check('0xOld', shown('pending'));
		watching.post(replacing);
		expect(watching.restart().check('0xNew', shown('pending'))).toEqual([]);
		expect(watching.wait(5 * MINUTE).check('0xNew', shown('pending'))).toEqual(['delayed 0xNew']);
		expect(watching.wait(DAY).check('0xNew', shown('pending'))).toEqual(['expired 0xNew']);
		expect(watching.check('0xOld', shown('pending'))).toEqual([]);
		expect(watching.events).toEqual([
			...['delayed 0xOld', 'expired 0xOld'],
			...['delayed 0xNew', 'expired 0xNew'],
		]);
	});

	test.each([
		['0xNew', '0xOld'],
		['0xOld', '0xNew'],
	])(
		'is two orders if the bridge finds both, first %s: what was said of both before is not said again',
		(first, second) => {
			const watching = posting([rent, replacing], rulesWith(EVERY)).wait(5 * MINUTE);
			expect(watching.check('0xNew', NOT_FOUND)).toEqual(['delayed 0xNew']);
			watching.restart().check(first, shown('pending'));
			expect(watching.check(second, shown('pending'))).toEqual([]);
			watching.wait(DAY);
			expect(watching.check(second, shown('pending'))).toEqual([`expired ${second}`]);
			expect(watching.check(first, shown('pending'))).toEqual([`expired ${first}`]);
		},
	);

	test('is two orders if the bridge finds both: only the one whose event may be a repetition says so', () => {
		const rules = rulesWith(EVERY, { redelivers: true });
		const watching = posting([rent, replacing], rules);
		watching.check('0xOld', shown('executing'));
		watching.check('0xOld', shown('completed'));
		watching.restart();
		expect(watching.check('0xNew', shown('failed'))).toEqual(['failed 0xNew']);
		expect(watching.check('0xOld', shown('completed'))).toEqual(['completed 0xOld again']);
	});

	test('stays one order if the bridge has found one of them and shows the other one without a status', () => {
		const watching = posting(['0xOld', replacing], rulesWith(EVERY));
		watching.check('0xNew', shown('executing'));
		for (const status of [undefined, 7]) watching.check('0xOld', shown(status));
		expect(watching.open).toEqual(['0xNew']);
		expect(watching.wait(5 * MINUTE).check('0xOld', NOT_FOUND)).toEqual([]);
		expect(watching.check('0xNew', shown('executing'))).toEqual(['delayed 0xNew']);
	});

	test('is two orders in the node’s list as well if the bridge finds both', () => {
		const watching = posting([rent, replacing], rulesWith(EVERY)).list(['0xOld', '0xNew']);
		watching.check('0xOld', shown('pending'));
		watching.check('0xNew', shown('executing'));
		expect(watching.list(['0xOld', '0xNew']).restart().open).toEqual(['0xOld', '0xNew']);
		expect(watching.check('0xNew', shown('completed'))).toEqual(['completed 0xNew']);
		expect(watching.check('0xOld', shown('refunded'))).toEqual(['refunded 0xOld']);
	});

	test('is checked again if it has finished without an event that is chosen by now, also after such a post', () => {
		const watching = posting([rent, '0xNew'], rulesWith(['completed']));
		watching.check('0xOld', shown('completed'));
		watching.check('0xNew', shown('failed'));
		watching.rules = rulesWith(FINAL);
		expect(watching.post(replacing)).toMatchObject([{ as: 'alreadyFinished' }]);
		expect(watching.list(['0xNew']).open).toEqual(['0xNew']);
	});

	test('is an order of its own if the bridge has found both: nobody can make an order disappear with another one', () => {
		const watching = posting([rent, '0xNew'], rulesWith(EVERY));
		watching.check('0xOld', shown('executing'));
		watching.check('0xNew', shown('executing'));
		watching.post(replacing);
		expect(watching.check('0xOld', shown('completed'))).toEqual(['completed 0xOld']);
		expect(watching.check('0xNew', shown('failed'))).toEqual(['failed 0xNew']);
	});

	test.each(['0xOld', '0xNew'])('is removed by either hash: %s', (hash) => {
		const watching = posting([rent, replacing], rulesWith(EVERY));
		expect(watching.remove(hash)).toMatchObject([{ as: 'removed' }]);
		expect(watching.remove('0xOld', '0xNew')).toMatchObject([
			{ as: 'notWatched' },
			{ as: 'notWatched' },
		]);
		expect(watching.restart().open).toEqual([]);
	});

	test.each([
		['0xOld', '0xNew'],
		['0xNew', '0xOld'],
	])('and is removed, stays an order of the list that names it: %s', (listed, other) => {
		const watching = posting([rent, replacing], rulesWith(EVERY)).list([listed]);
		expect(watching.remove(other)).toMatchObject([{ as: 'listed' }]);
		expect(watching.restart().open).toEqual([listed]);
		expect(watching.order(listed)).toMatchObject({ posted: null, others: [] });
		watching.wait(5 * MINUTE);
		expect(watching.check(listed, NOT_FOUND)).toEqual([`delayed ${listed}`]);
		expect(watching.list([]).open).toEqual([]);
	});

	test('and is removed, is an order of the list with its own Delayed, although that has come for the other one since it was found', () => {
		const watching = posting([rent], rulesWith(EVERY)).wait(5 * MINUTE);
		watching.check('0xOld', shown('pending'));
		watching.wait(HOUR).list(['0xNew']).post(replacing);
		watching.remove('0xNew');
		expect(watching.check('0xNew', NOT_FOUND)).toEqual([]);
		expect(watching.wait(5 * MINUTE).check('0xNew', NOT_FOUND)).toEqual(['delayed 0xNew']);
	});

	test('and is removed, is two orders of the list if that names both', () => {
		const watching = posting([rent, replacing], rulesWith(EVERY)).list(['0xOld', '0xNew']);
		expect(watching.open).toEqual(['0xNew']);
		watching.remove('0xNew');
		expect(watching.check('0xOld', shown('completed'))).toEqual(['completed 0xOld']);
		expect(watching.check('0xNew', shown('failed'))).toEqual(['failed 0xNew']);
	});

	test('stays watched by both hashes if a list that names one of them leaves it out', () => {
		const watching = posting([rent, replacing]).list(['0xOld']).list([]).restart();
		expect(watching.open).toEqual(['0xNew']);
		expect(watching.check('0xOld', shown('completed'))).toEqual(['completed 0xOld']);
	});

	test('takes a place for each hash, and no more than there are', () => {
		const watching = posting(Array.from({ length: MAX_WATCHED - 1 }, (_, n) => `0x${n}`));
		expect(watching.post({ hash: '0xNew', replaces: '0xOld' })).toEqual(['full']);
		expect(watching.post({ hash: '0xNew', replaces: '0x1' })).toMatchObject([{ as: 'accepted' }]);
		expect(watching.post({ hash: '0xNewer', replaces: '0x1' })).toEqual(['full']);
	});

	test.each([
		['a final status', shown('completed'), 'completed 0xNew'],
		['Delayed', NOT_FOUND, 'delayed 0xNew'],
	])('has %s again if n8n did not start the workflow', (_what, result, event) => {
		const watching = posting([rent, replacing], rulesWith(EVERY)).wait(5 * MINUTE);
		expect(watching.check('0xNew', result)).toEqual([event]);
		watching.undoLast().post({ hash: '0xNewer', replaces: '0xOld' });
		expect(watching.check('0xNew', shown('completed'))).toEqual(['completed 0xNew']);
		expect(watching.restart().open).toEqual([]);
	});

	test('has its final status again if that may have been lost when n8n stopped', () => {
		const rules = rulesWith(EVERY, { redelivers: true });
		const watching = posting([rent, replacing], rules);
		watching.check('0xOld', shown('completed'));
		expect(watching.restart().open).toEqual(['0xOld']);
		expect(watching.check('0xOld', shown('completed'))).toEqual(['completed 0xOld again']);
		expect(watching.post('0xNew')).toMatchObject([{ as: 'alreadyFinished' }]);
	});

	test('is the only one that is ever reported, also if the other one is named only after it was found', () => {
		const watching = posting([replacing]);
		expect(watching.check('0xNew', shown('completed'))).toEqual(['completed 0xNew']);
		expect(watching.post('0xOld')).toMatchObject([{ as: 'alreadyFinished', status: 'completed' }]);
		expect(watching.list(['0xOld']).restart().open).toEqual([]);
	});

	test.each<[string, Array<[hash: string, replaces: string]>, string]>([
		['itself', [['0xOld', '0xOld']], '0xOld'],
		[
			'one that replaces it',
			[
				['0xNew', '0xOld'],
				['0xOld', '0xNew'],
			],
			'0xNew',
		],
		[
			'one that replaces another that replaces it',
			[
				['0xNew', '0xOld'],
				['0xNewer', '0xNew'],
				['0xOld', '0xNewer'],
			],
			'0xNewer',
		],
		[
			'one that another one replaces already',
			[
				['0xNew', '0xOld'],
				['0xNewer', '0xOld'],
			],
			'0xNewer',
		],
	])('%s, is still one order with one event of each kind', (_what, ring, newest) => {
		const watching = posting([rent], rulesWith(EVERY));
		for (const [hash, replaces] of ring) watching.post({ hash, replaces });
		watching.restart().wait(5 * MINUTE);
		const all = [...new Set(['0xOld', ...ring.map(([hash]) => hash)])];
		expect(all.flatMap((hash) => watching.check(hash, NOT_FOUND))).toEqual([`delayed ${newest}`]);
		watching.wait(DAY);
		expect(all.flatMap((hash) => watching.check(hash, NOT_FOUND))).toEqual([`expired ${newest}`]);
		expect(all.flatMap((hash) => watching.check(hash, shown('completed')))).toHaveLength(1);
		expect(watching.open).toEqual([]);
	});
});
