import fc from 'fast-check';
import type { FinishedOrders } from '../../../nodes/CrossChainBridge/schedule/survivalModel';
import {
	likeliestSlowShare,
	survival,
	SLOW_SHARES,
	withFinished,
	withFinishedUnseen,
} from '../../../nodes/CrossChainBridge/schedule/survivalModel';

const NONE: FinishedOrders = { count: 0, slow: 0 };

describe('the survival model', () => {
	it('is what the interface description says: typically 5 to 15 seconds', () => {
		expect(survival(5, 0.05)).toBeGreaterThan(0.95);
		expect(survival(15, 0.05)).toBeLessThan(0.07);
	});

	it('falls with the age, from one towards nothing', () => {
		expect(survival(0, 0.2)).toBe(1);
		fc.assert(
			fc.property(
				fc.double({ min: 0, max: 1e7, noNaN: true }),
				fc.double({ min: 0, max: 1e7, noNaN: true }),
				fc.constantFrom(...SLOW_SHARES),
				(one, other, share) => {
					const sooner = survival(Math.min(one, other), share);
					const later = survival(Math.max(one, other), share);
					return later <= sooner + 1e-12 && later > 0 && sooner <= 1;
				},
			),
			{ seed: 7 },
		);
	});

	it('expects more orders to finish after 300 s than before', () => {
		const finishedWithin = (from: number, to: number): number =>
			1 - survival(to, 0.05) / survival(from, 0.05);
		expect(finishedWithin(300, 330)).toBeGreaterThan(5 * finishedWithin(270, 300));
	});

	it('assumes few slow orders, and learns otherwise from finished orders and from those that stay open', () => {
		expect(likeliestSlowShare(NONE, [])).toBe(0);
		let seen = NONE;
		for (let index = 0; index < 20; index++) seen = withFinished(seen, 100);
		expect(SLOW_SHARES[likeliestSlowShare(seen, [])]).toBeGreaterThan(0.5);
		expect(SLOW_SHARES[likeliestSlowShare(NONE, Array<number>(20).fill(11))]).toBeGreaterThan(0.5);
		for (let index = 0; index < 200; index++) seen = withFinished(seen, 9);
		expect(likeliestSlowShare(seen, [])).toBe(0);
	});
});

describe('the share still open', () => {
	const slope = (from: number, to: number, openFrom: number, openTo: number): number =>
		Math.log(openTo / openFrom) / Math.log(to / from);

	it.each([
		[-1, 1],
		[0, 1],
		[1, 0.999],
		[2, 0.998],
		[3, 0.9915],
		[4.5, 0.9725],
		[5, 0.96],
		[10, 0.486],
		[15, 0.012],
		[18.5, 0.006],
		[22, 0],
		[23, 0],
		[1e6, 0],
	])('of fast orders at %p s is %p', (age, open) => {
		expect(survival(age, 0)).toBeCloseTo(open, 12);
	});

	it.each([
		[-1, 1],
		[0, 1],
		[2.5, 0.985],
		[10, 0.885],
		[15, 0.8],
		[Math.sqrt(15 * 30), Math.sqrt(0.8 * 0.64)],
		[30, 0.64],
		[45, 0.64 * 1.5 ** slope(30, 60, 0.64, 0.5)],
		[120, 0.38],
		[300, 0.3],
		[Math.sqrt(300 * 330), Math.sqrt(0.3 * 0.18)],
		[330, 0.18],
		[3_600, 0.06],
		[40_000, 0.06 * (40_000 / 3_600) ** slope(3_600, 86_400, 0.06, 0.015)],
		[86_400, 0.015],
		[864_000, 0.015 * 10 ** slope(3_600, 86_400, 0.06, 0.015)],
	])('of slow orders at %p s is %p', (age, open) => {
		expect(survival(age, 1)).toBeCloseTo(open, 12);
	});

	it('of all is that of both kinds', () => {
		expect(survival(10, 0.25)).toBeCloseTo(0.75 * 0.486 + 0.25 * 0.885, 12);
	});
});

describe('what finished orders have shown', () => {
	it('counts one that no check has seen open with the chance that a slow one would still be open', () => {
		expect(withFinishedUnseen(NONE, 9)).toEqual({ count: survival(9, 1), slow: 0 });
		expect(withFinishedUnseen(NONE, 60).count).toBeCloseTo(0.5, 12);
	});

	it('is not forgotten for orders that finished long ago', () => {
		let seen = NONE;
		for (let index = 0; index < 50; index++) seen = withFinished(seen, index % 5 < 3 ? 60 : 9);
		const before = likeliestSlowShare(seen, []);
		for (let index = 0; index < 200; index++) seen = withFinishedUnseen(seen, 86_400);
		expect([SLOW_SHARES[before], likeliestSlowShare(seen, [])]).toEqual([0.6, before]);
	});

	it.each([
		[17.9, 4.9],
		[18, 5.9],
	])('fades with one more, last seen open at %p s', (openAge, slow) => {
		const { count, slow: slowNow } = withFinished({ count: 10, slow: 5 }, openAge);
		expect(count).toBeCloseTo(10.8, 12);
		expect(slowNow).toBeCloseTo(slow, 12);
	});

	it.each<[FinishedOrders, number[]]>([
		[{ count: 0, slow: 0 }, [5, 5]],
		[{ count: 0, slow: 0 }, [12]],
		[{ count: 0, slow: 0 }, [12, 13]],
		[{ count: 0, slow: 0 }, [12, 13, 14]],
		[{ count: 0, slow: 0 }, [300]],
		[{ count: 5, slow: 1 }, []],
		[{ count: 20, slow: 2 }, []],
		[{ count: 30, slow: 4 }, []],
		[{ count: 40, slow: 8 }, []],
		[{ count: 40, slow: 14 }, []],
		[{ count: 40, slow: 24 }, []],
		[{ count: 40, slow: 39 }, []],
		[{ count: 12, slow: 1 }, [14]],
		[{ count: 40, slow: 2 }, [14, 30, 8]],
	])('and %p with open orders of %p s make the likeliest share likely', (finished, openAges) => {
		const before = [0.8, 0.08, 0.04, 0.02, 0.02, 0.02, 0.02];
		const likelihoods = SLOW_SHARES.map((share, index) => {
			const ofFinished = share ** finished.slow * (1 - share) ** (finished.count - finished.slow);
			return (
				(before[index] ?? 0) *
				ofFinished *
				openAges.reduce((product, age) => product * survival(age, share), 1)
			);
		});
		expect(likeliestSlowShare(finished, openAges)).toBe(
			likelihoods.indexOf(Math.max(...likelihoods)),
		);
	});
});
