import { type Experience, NO_EXPERIENCE } from '../../../nodes/CrossChainBridge/schedule/plan';
import { withPost } from '../../../nodes/CrossChainBridge/schedule/postAges';
import {
	likeliestSlowShare,
	survival,
} from '../../../nodes/CrossChainBridge/schedule/survivalModel';
import { survivalTable } from '../../../nodes/CrossChainBridge/schedule/survivalTable';
import {
	isPersistentlyLimited,
	notBefore,
} from '../../../nodes/CrossChainBridge/schedule/schedule';
import {
	type AddOptions,
	applyLimited,
	applyResult,
	type CheckResult,
	type Entry,
	isWronglyAssumed,
	newEntry,
	restate,
} from '../../../nodes/CrossChainBridge/schedule/watchedEntry';

const NOW = 1_000_000_000;
const open = (
	createdAtMs: number | null = null,
	expiresAtMs: number | null = null,
): CheckResult => ({ kind: 'open', createdAtMs, expiresAtMs });

const entryOf = (options: AddOptions = {}): Entry =>
	newEntry('a', options, { intervalMs: 5_000, now: NOW });
/** What is learnt from these checks of one order; each is sent so many ms after NOW, and answered 100 ms later. */
function learn(
	entry: Entry,
	checks: Array<[number, CheckResult]>,
	experience: Experience = NO_EXPERIENCE,
): Experience {
	return checks.reduce(
		(before, [after, result]) =>
			applyResult(entry, result, { sentAt: NOW + after, now: NOW + after + 100 }, before),
		experience,
	);
}

describe('a new order', () => {
	test.each<[string, AddOptions, object, number | null]>([
		[
			'of a list begins now, as far as is known',
			{},
			{ startedAt: NOW, beginning: 'unknown', listedAt: NOW },
			null,
		],
		[
			'that was posted begins with its post',
			{ postedAt: NOW - 7 },
			{ startedAt: NOW - 7, beginning: 'posted' },
			NOW - 7,
		],
		[
			'that was posted later than now, by another clock, begins now',
			{ postedAt: NOW + 7 },
			{ startedAt: NOW, beginning: 'posted' },
			NOW,
		],
		[
			'whose beginning is stated begins then',
			{ startedAt: NOW - 9 },
			{ startedAt: NOW - 9, beginning: 'known' },
			null,
		],
		[
			'whose beginning is stated begins then, whenever it was posted',
			{ startedAt: NOW - 9, postedAt: NOW - 7 },
			{ startedAt: NOW - 9, beginning: 'known' },
			null,
		],
		['that began at zero began then', { startedAt: 0 }, { startedAt: 0, beginning: 'known' }, null],
		[
			'with an interval of its own has that',
			{ intervalMs: 60_000 },
			{ startedAt: NOW, beginning: 'unknown', listedAt: NOW, intervalMs: 60_000 },
			null,
		],
	])('%s', (_what, options, order, postedAt) => {
		const unseen = {
			key: 'a',
			listedAt: null,
			listedBegunAt: null,
			lastCheckAt: null,
			notFoundAt: null,
			seenOpenAt: null,
			expiresAt: null,
			intervalMs: 5_000,
			failures: 0,
			limitedInARow: 0,
			limitedAt: null,
			checking: false,
		};
		expect(entryOf(options)).toEqual({
			order: { ...unseen, ...order },
			postedAt,
			foundAt: null,
			check: null,
		});
	});
});

describe('an order of which more is said', () => {
	const LATER = NOW + 3_600_000;
	const notFound: CheckResult = { kind: 'notFound' };
	test.each<[string, AddOptions, CheckResult[], AddOptions, object]>([
		[
			'begins with its post, if nothing was found yet',
			{},
			[notFound],
			{ postedAt: LATER - 5 },
			{ startedAt: LATER - 5, beginning: 'posted' },
		],
		[
			'begins when its poster says, if nothing was found yet',
			{},
			[notFound],
			{ startedAt: LATER - 5 },
			{ startedAt: LATER - 5, beginning: 'known' },
		],
		[
			'keeps its beginning, if nothing new is said',
			{},
			[notFound],
			{},
			{ startedAt: NOW, beginning: 'unknown' },
		],
		[
			'keeps its beginning, if it was found',
			{},
			[open(NOW + 9_000)],
			{ postedAt: LATER },
			{ startedAt: NOW + 9_000, beginning: 'known' },
		],
		[
			'keeps the time of its first post until that is judged',
			{ postedAt: NOW - 5 },
			[],
			{ postedAt: LATER },
			{ startedAt: NOW - 5, beginning: 'posted' },
		],
	])('%s', (_what, options, results, more, order) => {
		const entry = entryOf(options);
		learn(
			entry,
			results.map((result) => [60_000, result]),
		);
		const { lastCheckAt, seenOpenAt } = entry.order;
		restate(entry, more, LATER);
		expect(entry.order).toMatchObject({ lastCheckAt, seenOpenAt, ...order });
		expect(entry.postedAt).toBe(entry.order.beginning === 'posted' ? entry.order.startedAt : null);
	});
});

describe('an order that the service does not accept', () => {
	test.each<[string, AddOptions]>([
		['of a list', {}],
		['that was posted', { postedAt: NOW - 100 }],
		['whose beginning is stated', { startedAt: NOW - 100 }],
	])('%s is sought as calmly as one that is not found, and teaches nothing', (_what, options) => {
		const entry = entryOf(options);
		entry.order.failures = 3;
		expect(learn(entry, [[0, { kind: 'rejected' }]])).toBe(NO_EXPERIENCE);
		expect(entry.order).toMatchObject({ beginning: 'unknown', seenOpenAt: null, failures: 0 });
	});

	test('fails, if it was found before', () => {
		const entry = entryOf();
		learn(entry, [
			[0, open()],
			[9_000, { kind: 'rejected' }],
		]);
		expect(entry.order).toMatchObject({ beginning: 'known', failures: 1 });
	});
});

describe('an order that is open', () => {
	test('is known from then on, as old as the service states', () => {
		const entry = entryOf();
		entry.order.failures = 3;
		learn(entry, [[0, open(NOW - 4_000, NOW + 9_000)]]);
		expect(entry.order).toMatchObject({
			startedAt: NOW - 4_000,
			beginning: 'known',
			seenOpenAt: NOW,
			expiresAt: NOW + 9_000,
			failures: 0,
		});
		expect(entry.foundAt).toBe(NOW + 100);
	});

	test.each<[string, AddOptions, Array<[number, CheckResult]>, number]>([
		[
			'as old as the service states, whatever the poster said',
			{ startedAt: NOW - 9_000 },
			[[0, open(NOW - 4_000)]],
			NOW - 4_000,
		],
		[
			'as old as the poster said, where the service states nothing',
			{ startedAt: NOW - 9_000 },
			[[0, open()]],
			NOW - 9_000,
		],
		[
			'as old as its post, where the service states nothing',
			{ postedAt: NOW - 7_000 },
			[[0, open()]],
			NOW - 7_000,
		],
		['as old as its first sight, where nobody said anything', {}, [[5_000, open()]], NOW + 5_100],
		[
			'no older than the last check that did not find it',
			{ postedAt: NOW - 60_000 },
			[
				[0, { kind: 'notFound' }],
				[3_000, open()],
			],
			NOW,
		],
		[
			'as old as its first sight, at later ones too',
			{},
			[
				[0, open()],
				[9_000, open()],
			],
			NOW + 100,
		],
		[
			'as old as the service states later',
			{},
			[
				[0, open()],
				[9_000, open(NOW - 3_000)],
			],
			NOW - 3_000,
		],
		[
			'no younger than its first sight',
			{},
			[
				[0, open()],
				[9_000, open(NOW + 7_000)],
			],
			NOW + 100,
		],
	])('is %s', (_what, options, checks, startedAt) => {
		const entry = entryOf(options);
		learn(entry, checks);
		expect(entry.order.startedAt).toBe(startedAt);
	});
});

describe('a beginning that the service states', () => {
	test.each<[string, AddOptions, Array<[number, CheckResult]>, number | null]>([
		['of a list is one that may be that of others', {}, [[0, open(NOW - 4_000)]], NOW - 4_000],
		[
			'after it was not found, too',
			{},
			[
				[0, { kind: 'notFound' }],
				[2_000, open(NOW + 1_000)],
			],
			NOW + 1_000,
		],
		[
			'no earlier than the last check that did not find it',
			{},
			[
				[0, { kind: 'notFound' }],
				[2_000, open(NOW - 9_000)],
			],
			NOW,
		],
		[
			'unless it is stated only later',
			{},
			[
				[0, open()],
				[9_000, open(NOW - 4_000)],
			],
			null,
		],
		['unless nothing is stated', {}, [[0, open()]], null],
		['unless the order was posted', { postedAt: NOW }, [[0, open(NOW - 4_000)]], null],
		['unless its beginning was stated before', { startedAt: NOW }, [[0, open(NOW - 4_000)]], null],
	])('of an order %s', (_what, options, checks, listedBegunAt) => {
		const entry = entryOf(options);
		learn(entry, checks);
		expect(entry.order.listedBegunAt).toBe(listedBegunAt);
	});
});

describe('an order that is taken to have begun with others of its list', () => {
	const assumed = (age = 2_000): Entry => {
		const entry = entryOf();
		Object.assign(entry.order, { beginning: 'assumed', startedAt: NOW - age });
		return entry;
	};

	test.each<[string, CheckResult, boolean | null]>([
		['stated as it was assumed', open(NOW - 2_000), false],
		['stated up to 15 s earlier', open(NOW - 17_000), false],
		['stated still earlier', open(NOW - 17_001), true],
		['stated later', open(NOW + 13_001), true],
		[
			'finished, and stated as it was assumed',
			{ kind: 'finished', createdAtMs: NOW - 2_000 },
			false,
		],
		['finished, and stated earlier', { kind: 'finished', createdAtMs: NOW - 60_000 }, true],
		['not stated', open(), null],
		['finished, and not stated', { kind: 'finished' }, null],
		['rejected', { kind: 'rejected' }, null],
		['without an answer', { kind: 'failed' }, null],
	])('%s', (_what, result, isWrong) => {
		expect(isWronglyAssumed(assumed(), result, NOW)).toBe(isWrong);
		expect(isWronglyAssumed(entryOf(), result, NOW)).toBeNull();
	});

	test.each([
		[4_999, false],
		[5_000, true],
	])('not found %p ms after that', (age, isWrong) => {
		expect(isWronglyAssumed(assumed(age), { kind: 'notFound' }, NOW)).toBe(isWrong);
	});

	test.each<[string, CheckResult, object]>([
		[
			'as old as the service states',
			open(NOW - 4_000),
			{ beginning: 'known', startedAt: NOW - 4_000, listedBegunAt: NOW - 4_000 },
		],
		[
			'as old as was assumed, where it states nothing',
			open(),
			{ beginning: 'known', startedAt: NOW - 2_000, listedBegunAt: null },
		],
		[
			'just begun, where it is not found soon after',
			{ kind: 'notFound' },
			{ beginning: 'known', seenOpenAt: NOW },
		],
	])('is %s', (_what, result, order) => {
		const entry = assumed();
		learn(entry, [[0, result]]);
		expect(entry.order).toMatchObject(order);
	});

	test.each<[string, CheckResult, { count: number; finished: number }]>([
		[
			'nothing, if that was right',
			{ kind: 'finished', createdAtMs: NOW - 2_000 },
			{ count: 0, finished: 0 },
		],
		[
			'that the list is old, if it had finished',
			{ kind: 'finished', createdAtMs: NOW - 60_000 },
			{ count: 1, finished: 1 },
		],
		['that the list is older, if it was open', open(NOW - 60_000), { count: 1, finished: 0 }],
	])('teaches of lists %s', (_what, result, listed) => {
		expect(learn(assumed(), [[0, result]]).listed).toEqual(listed);
	});

	test.each<[CheckResult, number]>([
		[{ kind: 'finished' }, 0],
		[{ kind: 'finished', createdAtMs: NOW - 2_000 }, 1],
	])('teaches how long orders take if its beginning is stated: %j', (result, count) => {
		expect(learn(assumed(), [[1_000, result]]).finished.count).toBeCloseTo(count, 1);
	});

	test.each<[AddOptions, object]>([
		[
			{ startedAt: NOW - 600_000 },
			{ startedAt: NOW - 600_000, beginning: 'known', listedAt: null },
		],
		[{ postedAt: NOW + 500 }, { startedAt: NOW + 500, beginning: 'posted', listedAt: null }],
		[{}, { startedAt: NOW - 2_000, beginning: 'assumed', listedAt: NOW }],
	])('began when its poster says: %j', (options, order) => {
		const entry = assumed();
		restate(entry, options, NOW + 1_000);
		expect(entry.order).toMatchObject(order);
	});
});

describe('an order that is not found', () => {
	test.each<[string, AddOptions, number, object]>([
		[
			'has just begun, as its poster said',
			{ startedAt: NOW },
			4_999,
			{ beginning: 'known', seenOpenAt: NOW + 4_999 },
		],
		[
			'has just begun, as its post shows',
			{ postedAt: NOW },
			4_999,
			{ beginning: 'known', seenOpenAt: NOW + 4_999 },
		],
		[
			'should have been found by now',
			{ startedAt: NOW },
			5_000,
			{ beginning: 'unknown', seenOpenAt: null },
		],
		['is one of a list', {}, 0, { beginning: 'unknown', seenOpenAt: null }],
	])('%s', (_what, options, sentAfter, order) => {
		const entry = entryOf(options);
		entry.order.failures = 3;
		learn(entry, [[sentAfter, { kind: 'notFound' }]]);
		expect(entry.order).toMatchObject({ ...order, failures: 0 });
		expect(entry.order.notFoundAt).toBe(NOW + sentAfter);
	});

	test('after it was found before has slipped the service once, and is as old as it was', () => {
		const entry = entryOf();
		learn(entry, [
			[0, open(NOW - 4_000)],
			[9_000, { kind: 'notFound' }],
			[20_000, { kind: 'notFound' }],
		]);
		expect(entry.order).toMatchObject({
			startedAt: NOW - 4_000,
			beginning: 'known',
			seenOpenAt: NOW,
			failures: 2,
		});
		expect(entry.order.notFoundAt).toBeNull();
	});
});

describe('a check that got a 429', () => {
	/** `.`: a 429; `o`: another order is answered; `a`, `f`: this one is answered, or fails. Each is sent a second after the last. */
	const after = (events: string) => {
		const entry = newEntry('order', {}, { intervalMs: 3_600_000, now: NOW });
		const { order } = entry;
		let answeredAt = Number.NEGATIVE_INFINITY;
		for (const [index, event] of [...events].entries()) {
			const sentAt = NOW + 1_000 * index;
			if (event === 'o' || event === 'a') answeredAt = sentAt;
			if (event === '.')
				applyLimited(order, { sentAt, checkedBefore: order.lastCheckAt, answeredAt });
			else if (event !== 'o')
				applyResult(
					entry,
					event === 'a' ? { kind: 'notFound' } : { kind: 'failed' },
					{ sentAt, now: sentAt },
					NO_EXPERIENCE,
				);
		}
		return order;
	};

	test.each<[string, number, number | null]>([
		['.', 1, 0],
		['...', 1, 2],
		['.o', 1, 0],
		['.o.', 2, 2],
		['.o.o.', 3, 4],
		['.o.o.o', 3, 4],
		['.o.o.o..', 4, 7],
		['.f.', 1, 2],
		['.o.o.a', 0, null],
		['.o.o.a.', 1, 6],
	])(
		'counts once until something is answered, up to its own next answer: %s',
		(events, inARow, second) => {
			const { limitedInARow, limitedAt } = after(events);
			expect([limitedInARow, limitedAt]).toEqual([
				inARow,
				second === null ? null : NOW + 1_000 * second,
			]);
		},
	);

	test.each<[string, number]>([
		['.o.o.o.', Number.NEGATIVE_INFINITY],
		['.o.o.o.o.', 4_000],
		['.o.o.o.o.o.', 8_000],
		['.o.o.o.o.o.o.', 16_000],
		['.o.o.o.o.o.o.o.', 30_000],
		['.o.o.o.o.o.o.o.o.o.', 30_000],
	])(
		'is for this order from the fifth of them on, and makes it wait for longer each time, whatever its interval: %s',
		(events, waitsMs) => {
			const order = after(events);
			expect(isPersistentlyLimited(order)).toBe(waitsMs > 0);
			expect(notBefore(order)).toBe(
				waitsMs > 0 ? NOW + 1_000 * (events.length - 1) + waitsMs : waitsMs,
			);
		},
	);

	test('leaves the time of the check before', () => {
		const { order } = newEntry('order', {}, { intervalMs: 5_000, now: NOW });
		order.lastCheckAt = NOW + 9;
		applyLimited(order, { sentAt: NOW + 9, checkedBefore: NOW - 7, answeredAt: NOW });
		expect(order.lastCheckAt).toBe(NOW - 7);
	});

	test('keeps neither the interval nor the gap after failures from being kept, once checks fail', () => {
		const { order } = newEntry('order', {}, { intervalMs: 5_000, now: NOW });
		Object.assign(order, {
			limitedInARow: 5,
			limitedAt: NOW,
			lastCheckAt: NOW + 60_000,
			failures: 4,
		});
		expect(notBefore(order)).toBe(NOW + 68_000);
		expect(notBefore({ ...order, failures: 1 })).toBe(NOW + 65_000);
	});
});

test('a check that failed counts as a failure, and teaches nothing', () => {
	const kind = 'failed';
	const entry = entryOf({ postedAt: NOW });
	const experience = { ...NO_EXPERIENCE };
	expect(
		learn(
			entry,
			[
				[0, { kind }],
				[1_000, { kind }],
			],
			experience,
		),
	).toBe(experience);
	expect([entry.order.failures, entry.order.beginning, entry.postedAt]).toEqual([2, 'posted', NOW]);
	const listed = entryOf();
	expect(learn(listed, [[0, { kind }]], experience)).toBe(experience);
});

describe('of the orders of a list is learnt', () => {
	test.each<
		[string, AddOptions, Array<[number, CheckResult]>, { count: number; finished: number }]
	>([
		['that one had finished', {}, [[0, { kind: 'finished' }]], { count: 1, finished: 1 }],
		['that one was open', {}, [[0, open()]], { count: 1, finished: 0 }],
		['that one was not found', {}, [[0, { kind: 'notFound' }]], { count: 1, finished: 0 }],
		[
			'nothing from a later check',
			{},
			[
				[0, { kind: 'notFound' }],
				[9_000, { kind: 'finished' }],
			],
			{ count: 1, finished: 0 },
		],
		[
			'nothing from one that was seen open',
			{},
			[
				[0, open()],
				[9_000, { kind: 'finished' }],
			],
			{ count: 1, finished: 0 },
		],
		[
			'what the first answer shows after failures',
			{},
			[
				[0, { kind: 'failed' }],
				[9_000, { kind: 'finished' }],
			],
			{ count: 1, finished: 1 },
		],
		[
			'nothing from one whose beginning is stated',
			{ startedAt: NOW },
			[[0, { kind: 'finished' }]],
			{ count: 0, finished: 0 },
		],
		[
			'nothing from one that was posted',
			{ postedAt: NOW },
			[[0, { kind: 'finished' }]],
			{ count: 0, finished: 0 },
		],
	])('%s', (_what, options, checks, listed) => {
		expect(learn(entryOf(options), checks).listed).toEqual(listed);
	});

	test('most from the latest', () => {
		const { listed } = learn(entryOf(), [[0, { kind: 'finished' }]], {
			...NO_EXPERIENCE,
			listed: { count: 5, finished: 3 },
		});
		expect(listed.count).toBeCloseTo(5.5, 12);
		expect(listed.finished).toBeCloseTo(3.7, 12);
	});
});

describe('of posts is learnt', () => {
	const table = survivalTable(0);

	test.each<[string, CheckResult, Parameters<typeof withPost>[1]]>([
		[
			'how late one was, as the service states of an open order',
			open(NOW - 10_000),
			{ kind: 'stated', age: 7 },
		],
		[
			'how late one was, as the service states of a finished order',
			{ kind: 'finished', createdAtMs: NOW - 10_000 },
			{ kind: 'stated', age: 7 },
		],
		['that its order has hardly begun', { kind: 'notFound' }, { kind: 'notFound' }],
		['that its order was open', open(), { kind: 'open', sincePost: 5 }],
		['that its order had finished', { kind: 'finished' }, { kind: 'finished', sincePost: 5 }],
		[
			'that its order had finished at no stated time',
			{ kind: 'finished', createdAtMs: null },
			{ kind: 'finished', sincePost: 5 },
		],
	])('%s', (_what, result, sight) => {
		const entry = entryOf({ postedAt: NOW - 3_000 });
		const experience = { ...NO_EXPERIENCE, posts: [3, 1, 0, 0, 0, 0, 2] };
		expect(learn(entry, [[2_000, result]], experience).posts).toEqual(
			withPost(experience.posts, sight, table),
		);
		expect(entry.postedAt).toBeNull();
	});

	test('only from the first answer', () => {
		const entry = entryOf({ postedAt: NOW });
		const first = learn(entry, [
			[0, { kind: 'failed' }],
			[100, open()],
		]);
		expect(first.posts).not.toEqual([]);
		expect(learn(entry, [[9_000, { kind: 'finished' }]], first).posts).toBe(first.posts);
	});

	test('nothing from others', () => {
		expect(learn(entryOf({ startedAt: NOW }), [[0, open(NOW - 5_000)]]).posts).toBe(
			NO_EXPERIENCE.posts,
		);
	});

	test('more where orders have turned out to be slow', () => {
		const slow = { ...NO_EXPERIENCE, finished: { count: 40, slow: 39 } };
		const { posts } = learn(entryOf({ postedAt: NOW }), [[9_000, open()]], slow);
		expect(posts).toEqual(withPost([], { kind: 'open', sincePost: 9 }, survivalTable(6)));
	});
});

describe('of finished orders is learnt', () => {
	const FAST = { count: 1, slow: 0 };
	const SLOW = { count: 1, slow: 1 };
	const NOTHING = { count: 0, slow: 0 };
	/** First checked at this age, and finished: fast as far as a slow one would still be open. */
	const finishedAt = (age: number) => ({ count: survival(age, 1), slow: 0 });

	test.each<[string, AddOptions, Array<[number, CheckResult]>, object]>([
		[
			'that one was slow, which was seen open at 18 s',
			{ startedAt: NOW },
			[
				[18_000, open()],
				[60_000, { kind: 'finished' }],
			],
			SLOW,
		],
		[
			'that one was fast, which was last seen open before',
			{ startedAt: NOW },
			[
				[17_000, open()],
				[60_000, { kind: 'finished' }],
			],
			FAST,
		],
		[
			'that one was fast, which had finished by 18 s',
			{ startedAt: NOW },
			[[18_000, { kind: 'finished' }]],
			finishedAt(18),
		],
		[
			'that one was more or less fast, where it was first checked later',
			{ startedAt: NOW },
			[[300_000, { kind: 'finished' }]],
			finishedAt(300),
		],
		[
			'less, where it was created earlier than the poster said',
			{ startedAt: NOW },
			[[18_000, { kind: 'finished', createdAtMs: NOW - 100_000 }]],
			finishedAt(118),
		],
		[
			'that one was fast, which was created later than the poster said',
			{ startedAt: NOW - 50_000 },
			[[18_000, { kind: 'finished', createdAtMs: NOW }]],
			finishedAt(18),
		],
		[
			'that one was fast, which finished soon after its post',
			{ postedAt: NOW },
			[[9_000, { kind: 'finished' }]],
			finishedAt(9),
		],
		['nothing from one of a list', {}, [[0, { kind: 'finished' }]], NOTHING],
		[
			'that one of a list was fast, where the service states its creation',
			{},
			[[0, { kind: 'finished', createdAtMs: NOW - 16_000 }]],
			finishedAt(16),
		],
		[
			'nothing from one that was never found open',
			{},
			[
				[0, { kind: 'notFound' }],
				[9_000, { kind: 'finished' }],
			],
			NOTHING,
		],
		[
			'that one of a list was slow, which was seen open for long',
			{},
			[
				[0, open(NOW)],
				[20_000, open(NOW)],
				[30_000, { kind: 'finished' }],
			],
			SLOW,
		],
		[
			'that one was fast, although its first check did not find it',
			{ startedAt: NOW },
			[
				[1_000, { kind: 'notFound' }],
				[60_000, { kind: 'finished' }],
			],
			FAST,
		],
	])('%s', (_what, options, checks, finished) => {
		expect(learn(entryOf(options), checks).finished).toEqual(finished);
	});

	test('that all were fast, where those of a list which are still open are young', () => {
		// 200 that began within the last minute and finish 5 to 15 s after it: only the young ones are seen open.
		const first = (age: number): CheckResult =>
			age < 5 + 10 * ((2.06 * age) % 1)
				? open(NOW - 1_000 * age)
				: { kind: 'finished', createdAtMs: NOW - 1_000 * age };
		const ages = Array.from({ length: 200 }, (_, index) => 0.3 * index);
		const { finished } = ages.reduce(
			(before, age) => learn(entryOf(), [[0, first(age)]], before),
			NO_EXPERIENCE,
		);
		const openAges = ages.filter((age) => first(age).kind === 'open');
		expect(openAges.length).toBeGreaterThan(12);
		expect(likeliestSlowShare(finished, openAges)).toBe(0);
		expect(likeliestSlowShare(NO_EXPERIENCE.finished, openAges)).toBeGreaterThan(0);
	});
});
