import fc from 'fast-check';
import type { FinishedOrders } from '../../../nodes/CrossChainBridge/watch/survivalModel';
import { likeliestSlowShare, survival, SLOW_SHARES, withFinished } from '../../../nodes/CrossChainBridge/watch/survivalModel';

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
		const finishedWithin = (from: number, to: number): number => 1 - survival(to, 0.05) / survival(from, 0.05);
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
