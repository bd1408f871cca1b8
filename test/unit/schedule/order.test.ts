import {
	type AddOptions,
	type Observation,
	isHealthy,
	learn,
	newOrder,
	NOTHING_LEARNT,
	type ScheduledOrder,
	probablyBeganAt,
	type UsualAges,
} from '../../../nodes/CrossChainBridge/schedule/order';

const NOW = 1_000_000;
const orderWith = (options: AddOptions = {}): ScheduledOrder =>
	newOrder('a', options, { now: NOW, intervalMs: 5_000 });
const after = (
	order: ScheduledOrder,
	result: Observation,
	sentAt = NOW,
	usual: UsualAges = NOTHING_LEARNT,
) => learn(order, result, { sentAt, now: sentAt + 50 }, usual);
const open = (createdAtMs: number | null = null): Observation => ({ kind: 'open', createdAtMs });
const NOT_FOUND: Observation = { kind: 'notFound' };
const FAILED: Observation = { kind: 'failed' };

const STARTED_LATER = { way: null, addedAt: NOW + 9, beganAt: NOW + 9 };

describe('a new order', () => {
	test.each<[AddOptions, object]>([
		[{}, { way: 'listed', addedAt: NOW, beganAt: null, intervalMs: 5_000 }],
		[{ postedAt: NOW - 9 }, { way: 'posted', addedAt: NOW - 9, beganAt: null }],
		[{ postedAt: NOW + 9 }, { way: 'posted', addedAt: NOW }],
		[{ startedAt: NOW + 9, postedAt: NOW }, STARTED_LATER],
	])('with %j', (options, expected) => {
		expect(orderWith(options)).toMatchObject(expected);
	});

	test('probably began as long before as orders of its way usually do', () => {
		const usual = { ...NOTHING_LEARNT, posted: { ageMs: 300, learntAt: NOW } };
		expect(probablyBeganAt(orderWith({ postedAt: NOW }), usual)).toBe(NOW - 300);
		expect(probablyBeganAt(orderWith({ postedAt: NOW }), NOTHING_LEARNT)).toBe(NOW);
		// If nothing was learnt of lists, one that is listed has probably finished.
		expect(probablyBeganAt(orderWith(), usual)).toBe(NOW - 20_000);
		expect(probablyBeganAt(orderWith({ startedAt: NOW - 7 }), usual)).toBe(NOW - 7);
	});
});

describe('the beginning of an order that is found', () => {
	const beganAfter = (options: AddOptions, ...results: Array<[Observation, number]>) => {
		const order = orderWith(options);
		for (const [result, at] of results) after(order, result, NOW + at);
		return (order.beganAt ?? Number.NaN) - NOW;
	};

	test('is what the service states, believed up to a minute back', () => {
		expect(beganAfter({}, [open(NOW - 8_000), 0])).toBe(-8_000);
		expect(beganAfter({}, [open(NOW - 9e9), 0])).toBe(50 - 60_000);
		expect(beganAfter({}, [open(NOW + 9e9), 0])).toBe(50);
	});

	test('lies after the last check that did not find it', () => {
		expect(beganAfter({}, [NOT_FOUND, 1_000], [open(NOW - 8_000), 6_000])).toBe(1_000);
		expect(beganAfter({}, [NOT_FOUND, 1_000], [open(NOW + 2_000), 6_000])).toBe(2_000);
	});

	test('is what was known before where the service states nothing', () => {
		expect(beganAfter({ startedAt: NOW - 99_000 }, [open(), 0])).toBe(-99_000);
		expect(beganAfter({ postedAt: NOW - 3_000 }, [open(), 0])).toBe(-3_000);
		expect(beganAfter({}, [open(), 0])).toBe(0);
		expect(beganAfter({}, [NOT_FOUND, 20_000], [open(), 30_000])).toBe(20_000);
		expect(beganAfter({}, [open(NOW - 8_000), 0], [open(), 5_000])).toBe(-8_000);
	});
});

describe('an order that is not found', () => {
	test.each<[string, number, AddOptions]>([
		['a posted one', 15, { postedAt: NOW }],
		['one of which the beginning is stated', 15, { startedAt: NOW }],
		['a listed one', 5, {}],
	])(
		'has only just begun for some seconds, then it is unknown, until it is found: %s for %s',
		(_which, seconds, options) => {
			const order = orderWith(options);
			const last = NOW + seconds * 1_000 - 1;
			after(order, NOT_FOUND, last);
			expect(order).toMatchObject({ isNotShown: false, beganAt: last, seenOpenAt: last });
			after(order, NOT_FOUND, last + 1);
			expect([order.isNotShown, isHealthy(order)]).toEqual([true, false]);
			after(order, open(), NOW + 30_000);
			expect([order.isNotShown, isHealthy(order)]).toEqual([false, true]);
		},
	);

	test('and is to begin later is not unknown before', () => {
		const order = orderWith({ startedAt: NOW + 60_000 });
		after(order, NOT_FOUND, NOW + 50_000);
		expect(order.isNotShown).toBe(false);
	});

	test('after it had been found counts as failed', () => {
		const order = orderWith();
		after(order, open(NOW - 5_000));
		after(order, NOT_FOUND, NOW + 5_000);
		expect(order).toMatchObject({ failures: 1, isNotShown: false, beganAt: NOW - 5_000 });
	});

	test('because the service does not accept it is unknown at once', () => {
		const order = orderWith();
		after(order, { kind: 'rejected' });
		expect(order.isNotShown).toBe(true);
	});
});

test('three failures in a row make an order a failing one, until it is answered', () => {
	const order = orderWith();
	for (let count = 0; count < 2; count++) after(order, FAILED);
	expect(isHealthy(order)).toBe(true);
	after(order, FAILED);
	expect(isHealthy(order)).toBe(false);
	after(order, open());
	expect(isHealthy(order)).toBe(true);
});

describe('the usual age', () => {
	const learnt = (ageMs: number | null, result: Observation, options: AddOptions = {}) =>
		after(orderWith(options), result, NOW, {
			...NOTHING_LEARNT,
			listed: { ageMs, learntAt: 0 },
		}).listed.ageMs;

	test.each<[string, Observation, number]>([
		['what the service states', open(NOW - 10_500), 10_000],
		['up to a minute', open(NOW - 9e9), 60_000],
		['nothing for one that begins later', open(NOW + 5_000), 0],
		['20 s for one that finished', { kind: 'finished', createdAtMs: null }, 20_000],
	])('begins with that of the first answer: %s', (_what, result, age) => {
		expect(learnt(null, result)).toBe(age);
	});

	test('follows older orders faster than younger ones', () => {
		expect(learnt(10_000, open(NOW - 20_500))).toBe(15_000);
		expect(learnt(10_000, open(NOW))).toBe(9_000);
		const posted = { ...NOTHING_LEARNT, posted: { ageMs: 10_000, learntAt: 0 } };
		expect(after(orderWith({ postedAt: NOW }), NOT_FOUND, NOW, posted).posted.ageMs).toBe(9_000);
	});

	test('of listed orders is not known where one is not found late enough, until one is found', () => {
		const order = orderWith();
		const usual = after(orderWith(), open(NOW - 10_500));
		expect(after(order, NOT_FOUND, NOW + 4_999, usual)).toBe(usual);
		const later = after(order, NOT_FOUND, NOW + 5_000, usual);
		expect(later.listed).toEqual({ ageMs: null, learntAt: NOW + 5_050 });
		// It is unknown now, and shows nothing more.
		expect(after(order, NOT_FOUND, NOW + 10_000, later)).toBe(later);
		const second = orderWith();
		after(second, NOT_FOUND);
		expect(after(second, open(NOW - 500), NOW + 5_000, later).listed.ageMs).toBe(0);
	});

	test('is learnt from first answers only, and each way has its own', () => {
		const order = orderWith();
		const usual = after(order, open(NOW - 10_500));
		expect(after(order, open(NOW - 30_500), NOW + 5_000, usual)).toBe(usual);
		const notFound = orderWith({ postedAt: NOW });
		after(notFound, NOT_FOUND);
		expect(after(notFound, open(NOW - 30_500), NOW + 5_000, usual)).toBe(usual);
		for (const result of [FAILED, { kind: 'rejected' } as const])
			expect(after(orderWith(), result, NOW, usual)).toBe(usual);
		expect(after(orderWith({ startedAt: NOW }), open(NOW), NOW, usual)).toBe(usual);
		const posted = after(orderWith({ postedAt: NOW }), open(NOW - 4_500), NOW, usual);
		expect([posted.posted.ageMs, posted.listed.ageMs]).toEqual([2_000, 10_000]);
	});
});
