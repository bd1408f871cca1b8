import { prospects } from '../../../nodes/CrossChainBridge/schedule/curve';
import {
	type Beginning,
	type Learnt,
	learn,
	lifeOf,
	newOrder,
	NOTHING_LEARNT,
	type Observation,
	probablyBeganAt,
	restate,
	type ScheduledOrder,
	type Way,
} from '../../../nodes/CrossChainBridge/schedule/order';

const NOW = 1_000_000;
const S = 1_000;
const orderWith = (options: Beginning = {}): ScheduledOrder =>
	newOrder('a', options, { now: NOW, intervalMs: 5 * S });
const after = (
	order: ScheduledOrder,
	result: Observation,
	sentAt = NOW,
	learnt: Learnt = NOTHING_LEARNT,
) => learn(order, result, { sentAt, now: sentAt + 50 }, learnt);
const open = (createdAtMs: number | null = null): Observation => ({ kind: 'open', createdAtMs });
const finished = (createdAtMs: number | null = null): Observation => ({
	kind: 'finished',
	createdAtMs,
});
const NOT_FOUND: Observation = { kind: 'notFound' };
const REJECTED: Observation = { kind: 'rejected' };
const FAILED: Observation = { kind: 'failed' };
const withUsual = (way: Way, ageMs: number | null, learntAt = 0): Learnt => ({
	...NOTHING_LEARNT,
	usual: { ...NOTHING_LEARNT.usual, [way]: { ageMs, learntAt } },
});

const STARTED_LATER = { way: null, addedAt: NOW + 9, beganAt: NOW + 9 };

describe('a new order', () => {
	test.each<[Beginning, object]>([
		[{}, { way: 'listed', addedAt: NOW, beganAt: null, intervalMs: 5_000 }],
		[{ postedAt: NOW - 9 }, { way: 'posted', addedAt: NOW - 9, beganAt: null }],
		[{ postedAt: NOW + 9 }, { way: 'posted', addedAt: NOW }],
		[{ startedAt: NOW + 9, postedAt: NOW }, STARTED_LATER],
	])('with %j', (options, expected) => {
		expect(orderWith(options)).toMatchObject(expected);
	});

	test('probably began as long before as orders of its way usually do', () => {
		const usual = withUsual('posted', 300);
		expect(probablyBeganAt(orderWith({ postedAt: NOW }), usual)).toBe(NOW - 300);
		expect(probablyBeganAt(orderWith({ postedAt: NOW }), NOTHING_LEARNT)).toBe(NOW);
		// If nothing was learnt of lists, one that is listed has probably finished.
		expect(probablyBeganAt(orderWith(), usual)).toBe(NOW - 20_000);
		expect(probablyBeganAt(orderWith(), withUsual('listed', null))).toBe(NOW - 20_000);
		expect(probablyBeganAt(orderWith({ startedAt: NOW - 7 }), usual)).toBe(NOW - 7);
	});
});

describe('an order of which more is said', () => {
	test('begins then, and what had not been found before no longer counts', () => {
		const order = orderWith();
		after(order, NOT_FOUND, NOW + 1);
		restate(order, { postedAt: NOW + 60 * S }, NOW + 60 * S);
		expect(order).toMatchObject({ way: 'posted', addedAt: NOW + 60 * S, notFoundAt: null });
		restate(order, { startedAt: NOW + 50 * S }, NOW + 60 * S);
		expect(order).toMatchObject({ way: null, beganAt: NOW + 50 * S });
	});

	test('stays as it is if it was found, or if less is said than before', () => {
		const found = orderWith();
		after(found, open(NOW - 8 * S));
		const posted = orderWith({ postedAt: NOW - 9 });
		for (const [order, options] of [
			[found, { postedAt: NOW + 60 * S }],
			[posted, {}],
		] as const) {
			const before = { ...order };
			restate(order, options, NOW + 60 * S);
			expect(order).toEqual(before);
		}
	});
});

describe('the beginning of an order that is found', () => {
	const beganAfter = (options: Beginning, ...results: Array<[Observation, number]>) => {
		const order = orderWith(options);
		for (const [result, at] of results) after(order, result, NOW + at);
		return (order.beganAt ?? Number.NaN) - NOW;
	};

	test('is what the service states, believed up to a minute back', () => {
		expect(beganAfter({}, [open(NOW - 8_000), 0])).toBe(-8_000);
		expect(beganAfter({}, [open(NOW - 9e9), 0])).toBe(50 - 60_000);
		expect(beganAfter({}, [open(NOW + 9e9), 0])).toBe(50);
		expect(beganAfter({}, [NOT_FOUND, 1_000], [open(NOW + 2_000), 6_000])).toBe(2_000);
		// The bridge may show it late.
		expect(beganAfter({}, [NOT_FOUND, 1_000], [open(NOW - 8_000), 6_000])).toBe(-8_000);
	});

	test('is what was known before where the service states nothing, and after the last check that did not find it', () => {
		expect(beganAfter({ startedAt: NOW - 99_000 }, [open(), 0])).toBe(-99_000);
		expect(beganAfter({ postedAt: NOW - 3_000 }, [open(), 0])).toBe(-3_000);
		expect(beganAfter({}, [open(), 0])).toBe(0);
		expect(beganAfter({}, [NOT_FOUND, 20_000], [open(), 30_000])).toBe(20_000);
		expect(beganAfter({}, [open(NOW - 8_000), 0], [open(), 5_000])).toBe(-8_000);
	});
});

/** The curve by its name, and the ages in seconds. */
const life = (order: ScheduledOrder, secondsLater: number, learnt = NOTHING_LEARNT) => {
	const { curve, since, age } = lifeOf(order, learnt, NOW + secondsLater * S);
	const name = (['unchecked', 'notFound', 'found'] as const).find((each) => learnt[each] === curve);
	return [name, since, age];
};
/** The same curves, but told apart. */
const APART: Learnt = { ...NOTHING_LEARNT, unchecked: { ...NOTHING_LEARNT.unchecked } };

describe('an order is expected to finish', () => {
	test('from when it probably began, as long as no check has shown anything of it', () => {
		expect(life(orderWith({ postedAt: NOW - 3 * S }), 4, APART)).toEqual(['unchecked', 0, 7]);
		expect(life(orderWith(), 4, APART)).toEqual(['unchecked', 0, 24]);
		expect(life(orderWith({ startedAt: NOW + 60 * S }), 4, APART)).toEqual(['unchecked', 0, 0]);
	});

	test('from when it was last seen open, if it was', () => {
		const order = orderWith({ postedAt: NOW - 3 * S });
		after(order, open(NOW - 2 * S), NOW + 5 * S);
		expect(life(order, 9, APART)).toEqual(['found', 7, 11]);
		// The check went before the clock said that it began.
		after(order, open(NOW + 8 * S), NOW + 6 * S);
		order.beganAt = NOW + 8 * S;
		expect(life(order, 9, APART)).toEqual(['found', 0, 1]);
	});

	test('to be found, by the time since it was sent, if it was not', () => {
		const posted = orderWith({ postedAt: NOW - 3 * S });
		after(posted, NOT_FOUND, NOW + 5 * S);
		expect(life(posted, 9)).toEqual(['notFound', 8, 12]);
		// The orders of a list were sent before it was made.
		const listed = orderWith();
		after(listed, REJECTED, NOW + 5 * S);
		expect(life(listed, 9)).toEqual(['notFound', 65, 69]);
		after(posted, open(NOW - 3 * S), NOW + 10 * S);
		expect(life(posted, 11, APART)).toEqual(['found', 13, 14]);
	});

	test('to be found, if others of its list are not and it has not been checked', () => {
		const learnt = withUsual('listed', null, NOW + 2 * S);
		expect(life(orderWith(), 9, learnt)).toEqual(['notFound', 62, 69]);
		// Those were of a list before.
		expect(life(orderWith(), 9, withUsual('listed', null, NOW - 99 * S))).toEqual([
			'notFound',
			60,
			69,
		]);
		expect(life(orderWith({ postedAt: NOW }), 9, { ...APART, usual: learnt.usual })).toEqual([
			'unchecked',
			0,
			9,
		]);
		const found = orderWith();
		after(found, open(NOW), NOW + S);
		expect(life(found, 9, { ...APART, usual: learnt.usual })).toEqual(['found', 1, 9]);
	});
});

describe('an order that is not found', () => {
	test('and is to begin later is not expected before', () => {
		const order = orderWith({ startedAt: NOW + 60 * S });
		after(order, NOT_FOUND, NOW + 50 * S);
		const { curve, ...ages } = lifeOf(order, NOTHING_LEARNT, NOW + 59 * S);
		expect([ages, prospects(curve, ages).chance]).toEqual([{ since: 0, age: 0 }, 0]);
	});

	test('after it had been found counts as failed', () => {
		for (const gone of [NOT_FOUND, REJECTED]) {
			const order = orderWith();
			after(order, open(NOW - 5_000));
			after(order, gone, NOW + 5_000);
			expect(order).toMatchObject({ failures: 1, notFoundAt: null, beganAt: NOW - 5_000 });
		}
	});

	test('because the service does not accept it counts as not found', () => {
		const order = orderWith();
		after(order, REJECTED);
		expect(order).toMatchObject({ failures: 0, notFoundAt: NOW });
	});
});

test('three failures in a row make an order like one that was not found at five minutes, whatever its age, until it is answered', () => {
	const order = orderWith({ postedAt: NOW });
	order.checkedAt = NOW + 10 * S;
	for (let count = 0; count < 2; count++) after(order, FAILED);
	expect([order.failures, ...life(order, 12, APART)]).toEqual([2, 'unchecked', 0, 12]);
	after(order, FAILED);
	expect([order.failures, ...life(order, 12)]).toEqual([3, 'notFound', 300, 302]);
	after(order, open(NOW), NOW + 12 * S);
	expect([order.failures, ...life(order, 13, APART)]).toEqual([0, 'found', 12, 13]);
	for (let count = 0; count < 3; count++) after(order, FAILED);
	expect(life(order, 14)).toEqual(['notFound', 300, 304]);
});

describe('the usual age', () => {
	const usualAfter = (learnt: Learnt, result: Observation, options: Beginning = {}) =>
		after(orderWith(options), result, NOW, learnt).usual;

	test.each<[string, Observation, number]>([
		['what the service states', open(NOW - 10_500), 10_000],
		['up to a minute', open(NOW - 9e9), 60_000],
		['nothing for one that begins later', open(NOW + 5_000), 0],
		['20 s for one that finished', finished(), 20_000],
	])('begins with that of the first answer: %s', (_what, result, age) => {
		expect(usualAfter(withUsual('listed', null), result).listed.ageMs).toBe(age);
		// The assumption of the beginning has no weight.
		expect(usualAfter(NOTHING_LEARNT, result).listed).toEqual({ ageMs: age, learntAt: NOW + 50 });
	});

	test('follows older orders faster than younger ones', () => {
		const ten = withUsual('listed', 10_000);
		expect(usualAfter(ten, open(NOW - 20_500)).listed.ageMs).toBe(15_000);
		expect(usualAfter(ten, open(NOW)).listed.ageMs).toBe(9_000);
		const posted = withUsual('posted', 10_000);
		expect(usualAfter(posted, NOT_FOUND, { postedAt: NOW }).posted.ageMs).toBe(9_000);
	});

	test('of listed orders is not known where one is not found, until one is found at once', () => {
		const order = orderWith();
		const first = after(orderWith(), open(NOW - 10_500));
		const later = after(order, NOT_FOUND, NOW + 5_000, first);
		expect(later.usual.listed).toEqual({ ageMs: null, learntAt: NOW + 5_050 });
		// It shows nothing more, found or not.
		expect(after(order, NOT_FOUND, NOW + 10_000, later).usual).toBe(later.usual);
		expect(after(order, open(NOW - 500), NOW + 15_000, later).usual).toBe(later.usual);
		expect(after(orderWith(), open(NOW - 500), NOW + 5_000, later).usual.listed.ageMs).toBe(0);
	});

	test('is learnt from first answers only, and each way has its own', () => {
		const order = orderWith();
		const learnt = after(order, open(NOW - 10_500));
		const { usual } = learnt;
		expect(after(order, open(NOW - 30_500), NOW + 5_000, learnt).usual).toBe(usual);
		const notFound = orderWith({ postedAt: NOW });
		after(notFound, NOT_FOUND);
		expect(after(notFound, open(NOW - 30_500), NOW + 5_000, learnt).usual).toBe(usual);
		for (const result of [FAILED, REJECTED]) expect(usualAfter(learnt, result)).toBe(usual);
		expect(usualAfter(learnt, open(NOW), { startedAt: NOW })).toBe(usual);
		const posted = usualAfter(learnt, open(NOW - 4_500), { postedAt: NOW });
		expect([posted.posted.ageMs, posted.listed.ageMs]).toEqual([4_000, 10_000]);
	});
});

describe('a check teaches', () => {
	type Curves = 'unchecked' | 'notFound' | 'found';
	/** Which curves the last check changed. */
	const taught = (options: Beginning, ...results: Array<[Observation, number]>) => {
		const order = orderWith(options);
		const last = results.pop() ?? [FAILED, 0];
		for (const [result, at] of results) after(order, result, NOW + at * S);
		const learnt = after(order, last[0], NOW + last[1] * S);
		return (['unchecked', 'notFound', 'found'] as Curves[]).filter(
			(each) => learnt[each] !== NOTHING_LEARNT[each],
		);
	};

	test('when orders finish, if it shows one that has', () => {
		expect(taught({ postedAt: NOW }, [finished(NOW), 9])).toEqual(['unchecked', 'found']);
		expect(taught({ postedAt: NOW }, [open(NOW), 5], [finished(NOW), 9])).toEqual([
			'unchecked',
			'found',
		]);
		// Others may stay open for ever.
		expect(taught({ postedAt: NOW }, [open(NOW), 9])).toEqual([]);
	});

	test('when orders are found, if one was not found before', () => {
		expect(taught({ postedAt: NOW }, [NOT_FOUND, 2], [NOT_FOUND, 9])).toEqual(['notFound']);
		expect(taught({ postedAt: NOW }, [NOT_FOUND, 2], [open(NOW), 9])).toEqual(['notFound']);
		expect(taught({ postedAt: NOW }, [NOT_FOUND, 2])).toEqual([]);
		expect(taught({ postedAt: NOW }, [open(NOW), 2], [NOT_FOUND, 9])).toEqual([]);
	});

	test.each([
		['is rejected', REJECTED],
		['fails', FAILED],
	])('nothing of when, if it %s', (_which, result) => {
		expect(taught({ postedAt: NOW }, [result, 9])).toEqual([]);
		expect(taught({ postedAt: NOW }, [NOT_FOUND, 2], [result, 9])).toEqual([]);
		expect(taught({ postedAt: NOW }, [open(NOW), 2], [result, 9])).toEqual([]);
	});

	test('an age between the last check that saw it open and this one', () => {
		let learnt = NOTHING_LEARNT;
		for (let count = 0; count < 100; count++) {
			const order = orderWith({ postedAt: NOW });
			learnt = after(order, open(NOW), NOW + 30 * S, learnt);
			learnt = after(order, finished(NOW), NOW + 60 * S, learnt);
		}
		for (const curve of [learnt.found, learnt.unchecked]) {
			expect(prospects(curve, { since: 0, age: 30 }).chance).toBeLessThan(0.1);
			// If nothing is known of when, they finish evenly in between: on average they are open for half of that time, at twice the rate.
			expect(prospects(curve, { since: 30, age: 60 }).chance).toBeGreaterThan(0.75);
		}
	});

	test('that orders are found late, or never', () => {
		let [late, never] = [NOTHING_LEARNT, NOTHING_LEARNT];
		for (let count = 0; count < 100; count++) {
			const [first, second] = [orderWith({ postedAt: NOW }), orderWith({ postedAt: NOW })];
			for (const at of [2, 64]) late = after(first, NOT_FOUND, NOW + at * S, late);
			late = after(first, open(NOW), NOW + 128 * S, late);
			for (const at of [2, 64, 128]) never = after(second, NOT_FOUND, NOW + at * S, never);
		}
		const chances = ({ notFound }: Learnt) =>
			[4, 64].map((since) => prospects(notFound, { since, age: 2 * since }).chance);
		const [before, between] = chances(late);
		expect(before).toBeLessThan(0.05);
		expect(between).toBeGreaterThan(0.7);
		for (const chance of chances(never)) expect(chance).toBeLessThan(0.05);
	});
});
