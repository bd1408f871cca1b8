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

/** A transaction that was sped up has another hash. Only one of the two is ever found. */
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
		expect(watching.list([['0xOld', 'Rent']]).open).toEqual(['0xOld', '0xNew']);
	});

	test('has them as well if it was posted before, by itself', () => {
		const watching = posting([rent, '0xNew']);
		expect(watching.post(replacing)).toMatchObject([{ as: 'alreadyWatched' }]);
		expect(watching.order('0xNew')?.posted).toMatchObject({ reference: 'Rent', expected });
	});

	test('may have others of its own, field by field', () => {
		const own = { recipient: '0x2', minimumReceived: null };
		const watching = posting([rent, { ...replacing, reference: 'New rent', expected: own }]);
		expect(watching.order('0xNew')?.posted).toMatchObject({
			reference: 'New rent',
			expected: { recipient: '0x2', minimumReceived: '5' },
		});
	});

	test('has no link of the other transaction', () => {
		const link = 'https://a.example/tx/0xOld';
		const watching = posting([{ ...rent, link }, replacing]);
		expect(watching.order('0xNew')?.posted?.link).toBeUndefined();
		expect(watching.order('0xOld')?.posted?.link).toBe(link);
	});

	test.each([
		['0xNew', '0xOld'],
		['0xOld', '0xNew'],
	])(
		'is one of two that are watched, so that the event comes whichever is found: %s',
		(found, other) => {
			const watching = posting([rent, replacing], rulesWith(EVERY)).restart();
			expect(watching.check(found, shown('completed'))).toEqual([`completed ${found}`]);
			expect(watching.lastEmission).toMatchObject({ before: { posted: { reference: 'Rent' } } });
			expect(watching.open).toEqual([other]);
			expect(watching.check(other, shown('failed'))).toEqual([`failed ${other}`]);
		},
	);

	test.each([
		['64 digits without 0x', 'AB'.repeat(32)],
		['base64 with its padding', `${'aB+/'.repeat(10)}aBA=`],
	])('and was not known is watched with its reference, as it was entered: %s', (_form, old) => {
		const link = 'https://a.example/tx/0xNew';
		const watching = posting([{ hash: '0xNew', replaces: old, reference: 'Rent', link }]).restart();
		expect(watching.open).toEqual(['0xNew', old]);
		expect(watching.order(old)?.posted).toMatchObject({ reference: 'Rent' });
		expect(watching.order(old)?.posted?.link).toBeUndefined();
		expect(watching.check(old, shown('completed'))).toEqual([`completed ${old}`]);
	});

	test('is named by any spelling of its hash', () => {
		const watching = posting([{ hash: `0x${'ab'.repeat(32)}`, reference: 'Rent' }]);
		watching.post({ hash: '0xNew', replaces: 'AB'.repeat(32) });
		expect(watching.open).toEqual([`0x${'ab'.repeat(32)}`, '0xNew']);
		expect(watching.order('0xNew')?.posted?.reference).toBe('Rent');
	});

	test('keeps the other one from being late as long as the bridge does not find it', () => {
		const watching = posting([rent, replacing], rulesWith(EVERY))
			.restart()
			.wait(5 * MINUTE);
		const checks = ['0xOld', '0xNew', '0xOld', '0xNew'];
		expect(checks.flatMap((hash) => watching.check(hash, NOT_FOUND))).toEqual(['delayed 0xNew']);
		expect(watching.wait(DAY).check('0xOld', NOT_FOUND)).toEqual([]);
		expect(watching.check('0xOld', shown('pending'))).toEqual(['expired 0xOld']);
	});

	test('is late itself if it is replaced by the one that it replaced, but not that one', () => {
		const watching = posting([rent, replacing, { hash: '0xOld', replaces: '0xNew' }]);
		watching.rules = rulesWith(EVERY);
		watching.wait(5 * MINUTE);
		expect(watching.check('0xNew', NOT_FOUND)).toEqual([]);
		expect(watching.check('0xOld', NOT_FOUND)).toEqual(['delayed 0xOld']);
	});

	test('does not make the other one late if that is sent once more', () => {
		const watching = posting([rent, replacing, rent], rulesWith(EVERY)).wait(5 * MINUTE);
		expect(watching.check('0xOld', NOT_FOUND)).toEqual([]);
	});

	test.each(FINAL)('is watched although the other one is %s already', (status) => {
		const watching = posting([rent], rulesWith(FINAL));
		watching.check('0xOld', shown(status));
		expect(watching.restart().post(replacing)).toMatchObject([{ as: 'accepted' }]);
		expect(watching.open).toEqual(['0xNew']);
		expect(watching.check('0xNew', shown('completed'))).toEqual(['completed 0xNew']);
		expect(watching.post(replacing, '0xOld')).toMatchObject([
			{ as: 'alreadyFinished', status: 'completed' },
			{ as: 'alreadyFinished', status },
		]);
	});

	test('is removed by its own hash, and the other one by its own', () => {
		const watching = posting([rent, replacing], rulesWith(EVERY));
		expect(watching.remove('0xNew')).toMatchObject([{ as: 'removed' }]);
		expect(watching.open).toEqual(['0xOld']);
		expect(watching.remove('0xOld')).toMatchObject([{ as: 'removed' }]);
		expect(watching.restart().open).toEqual([]);
	});

	test('leaves nothing to a listed one after a removal, not even that it was replaced', () => {
		const watching = posting([replacing], rulesWith(EVERY)).list(['0xOld']);
		expect(watching.remove('0xOld')).toMatchObject([{ as: 'listed' }]);
		expect(watching.restart().order('0xOld')).toMatchObject({ posted: null, replaced: null });
		expect(watching.wait(5 * MINUTE).check('0xOld', NOT_FOUND)).toEqual(['delayed 0xOld']);
	});

	test('takes a place, and so does the other one if it was not watched', () => {
		const watching = posting(Array.from({ length: MAX_WATCHED - 1 }, (_, n) => `0x${n}`));
		expect(watching.post({ hash: '0xNew', replaces: '0xOld' })).toEqual(['full']);
		expect(watching.post({ hash: '0xNew', replaces: '0x1' })).toMatchObject([{ as: 'accepted' }]);
		expect(watching.post({ hash: '0xNewer', replaces: '0x1' })).toEqual(['full']);
	});
});

describe('a transaction that was sent in place of another one', () => {
	const OLD = `0x${'a1'.repeat(32)}`;
	const NEW = `0x${'b2'.repeat(32)}`;
	const EXPECTED = { recipient: `0x${'d'.repeat(40)}`, minimumReceived: '5 ETH' };

	test('has finished already: the old one is not late all the same', () => {
		const watching = posting([OLD, NEW], rulesWith(EVERY));
		watching.wait(10 * SECOND);
		watching.check(NEW, shown('completed'));
		watching.post({ hash: NEW, replaces: OLD });
		watching.wait(10 * MINUTE);
		expect(watching.check(OLD, NOT_FOUND)).toEqual([]);
	});

	test('is what the bridge shows for the old one: it is reported once, also after it is forgotten', () => {
		const watching = posting([OLD], rulesWith(EVERY));
		watching.wait(10 * SECOND);
		watching.post({ hash: NEW, replaces: OLD });
		watching.wait(10 * SECOND);
		expect(watching.check(OLD, naming(NEW, 'completed'))).toEqual([]);
		expect(watching.check(NEW, naming(NEW, 'completed'))).toEqual([`completed ${NEW}`]);
		watching.wait(DAY + HOUR).list([]);
		expect(watching.restart().check(OLD, naming(NEW, 'completed'))).toEqual([]);
	});

	test('what is expected of it, and its name, count for the old one, of which nothing was said', () => {
		const watching = posting([OLD], rulesWith(EVERY));
		watching.post({ hash: NEW, replaces: OLD, reference: 'Rent', expected: EXPECTED });
		expect(watching.order(OLD)?.posted).toMatchObject({ expected: EXPECTED, reference: 'Rent' });
	});

	test('but not instead of what was said of the old one', () => {
		const said = { recipient: `0x${'e'.repeat(40)}`, minimumReceived: '4 ETH' };
		const watching = posting([{ hash: OLD, reference: 'Old', expected: said }], rulesWith(EVERY));
		watching.post({ hash: NEW, replaces: OLD, reference: 'New', expected: EXPECTED });
		expect(watching.order(OLD)?.posted).toMatchObject({ expected: said, reference: 'Old' });
	});

	test('is removed: the old one is an order like any other', () => {
		const watching = posting([OLD], rulesWith(EVERY));
		watching.post({ hash: NEW, replaces: OLD });
		watching.remove(NEW);
		watching.wait(10 * MINUTE);
		expect(watching.check(OLD, NOT_FOUND)).toEqual([`delayed ${OLD}`]);
	});

	test('is removed, but a third one was sent in place of it: the first one is not late', () => {
		const third = `0x${'c3'.repeat(32)}`;
		const watching = listing([OLD], rulesWith(EVERY));
		watching.post({ hash: NEW, replaces: OLD });
		watching.post({ hash: third, replaces: NEW });
		watching.remove(NEW);
		watching.wait(10 * MINUTE);
		expect(watching.check(OLD, NOT_FOUND)).toEqual([]);
	});

	test('and is replaced itself stays so if the first call is repeated', () => {
		const third = `0x${'c3'.repeat(32)}`;
		const watching = posting([OLD], rulesWith(EVERY));
		watching.post({ hash: NEW, replaces: OLD });
		watching.post({ hash: third, replaces: NEW });
		watching.post({ hash: NEW, replaces: OLD });
		watching.wait(10 * MINUTE);
		expect(watching.check(NEW, NOT_FOUND)).toEqual([]);
		expect(watching.check(third, NOT_FOUND)).toEqual([`delayed ${third}`]);
	});

	test.each<[string, boolean]>([
		['and that was posted as well', true],
		['and nobody has posted', false],
	])('gives its name to no old one that the list names, %s', (_what, isPosted) => {
		const watching = new Watching(rulesWith(EVERY)).list([[OLD, 'Rent']]);
		if (isPosted) watching.post({ hash: OLD, expected: EXPECTED });
		watching.post({ hash: NEW, replaces: OLD, reference: 'Speed-up' });
		expect([watching.referenceOf(OLD), watching.referenceOf(NEW)]).toEqual(['Rent', 'Speed-up']);
		watching.post({ hash: NEW, replaces: OLD });
		watching.list([[OLD, 'Office']]);
		expect(watching.referenceOf(OLD)).toBe('Office');
	});

	test('gives its name to an old one that the list has without a name, although it was posted without one', () => {
		const watching = new Watching(rulesWith(EVERY)).list([OLD]);
		watching.post({ hash: OLD });
		watching.post({ hash: NEW, replaces: OLD, reference: 'Rent' });
		expect(watching.referenceOf(OLD)).toBe('Rent');
	});

	test('takes over the name in the list, also before a restarted process has read the list', () => {
		const watching = new Watching(rulesWith(EVERY)).list([[OLD, 'Rent']]).restart();
		watching.post({ hash: NEW, replaces: OLD });
		expect([watching.referenceOf(OLD), watching.referenceOf(NEW)]).toEqual(['Rent', 'Rent']);
	});

	test('had finished before the old one was sent: it is not reported if such orders are left out', () => {
		const watching = posting([OLD], rulesWith(EVERY, { includeFinished: false }));
		watching.post({ hash: NEW, replaces: OLD });
		const timing = { completedAt: NOW / 1000 - 600 };
		expect(watching.check(NEW, shown('completed', { timing }))).toEqual([]);
	});

	test('had finished before the call, but not before the old one was sent: it is reported', () => {
		const watching = posting([OLD], rulesWith(EVERY, { includeFinished: false }));
		watching.check(OLD, NOT_FOUND);
		watching.wait(5 * MINUTE);
		const completedAt = Math.floor((watching.now - 3 * MINUTE) / 1000);
		watching.post({ hash: NEW, replaces: OLD });
		const timing = { completedAt, createdAt: completedAt - 10 };
		expect(watching.check(NEW, shown('completed', { timing }))).toEqual([`completed ${NEW}`]);
	});
});
