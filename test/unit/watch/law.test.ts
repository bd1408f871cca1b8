import fc from 'fast-check';
import {
	beginsPerSecond,
	likeliestSlowShare,
	NO_EXPERIENCE,
	shareOpen,
	SLOW_SHARES,
	withBegin,
	withEnd,
} from '../../../nodes/CrossChainBridge/watch/law';

describe('the law of when orders end', () => {
	it('is what the interface description says: typically 5 to 15 seconds', () => {
		expect(shareOpen(5, 0.05)).toBeGreaterThan(0.95);
		expect(shareOpen(15, 0.05)).toBeLessThan(0.07);
	});

	it('falls with the age, from one towards nothing', () => {
		expect(shareOpen(0, 0.2)).toBe(1);
		fc.assert(
			fc.property(
				fc.double({ min: 0, max: 1e7, noNaN: true }),
				fc.double({ min: 0, max: 1e7, noNaN: true }),
				fc.constantFrom(...SLOW_SHARES),
				(one, other, share) => {
					const sooner = shareOpen(Math.min(one, other), share);
					const later = shareOpen(Math.max(one, other), share);
					return later <= sooner + 1e-12 && later > 0 && sooner <= 1;
				},
			),
			{ seed: 7 },
		);
	});

	it('expects more ends again after 300 s than before', () => {
		const endedWithin = (from: number, to: number): number => 1 - shareOpen(to, 0.05) / shareOpen(from, 0.05);
		expect(endedWithin(300, 330)).toBeGreaterThan(5 * endedWithin(270, 300));
	});

	it('assumes few slow orders, and learns otherwise from ends and from orders that stay open', () => {
		expect(likeliestSlowShare(NO_EXPERIENCE, [])).toBe(0);
		let slowEnds = NO_EXPERIENCE;
		for (let index = 0; index < 20; index++) slowEnds = withEnd(slowEnds, 100);
		expect(SLOW_SHARES[likeliestSlowShare(slowEnds, [])]).toBeGreaterThan(0.5);
		expect(SLOW_SHARES[likeliestSlowShare(NO_EXPERIENCE, Array<number>(20).fill(11))]).toBeGreaterThan(0.5);
		for (let index = 0; index < 200; index++) slowEnds = withEnd(slowEnds, 9);
		expect(likeliestSlowShare(slowEnds, [])).toBe(0);
	});

	it('takes a burst for one event and a steady stream for a rate', () => {
		let burst = NO_EXPERIENCE;
		for (let index = 0; index < 100; index++) burst = withBegin(burst, 1_000, 1_000);
		expect(beginsPerSecond(burst, 2_000)).toBe(0);
		let stream = NO_EXPERIENCE;
		for (let at = 0; at < 60_000; at += 2_000) stream = withBegin(stream, at, at);
		expect(beginsPerSecond(stream, 60_000)).toBeGreaterThan(0.3);
		expect(beginsPerSecond(stream, 60_000)).toBeLessThan(1);
		expect(beginsPerSecond(stream, 200_000)).toBe(0);
	});
});
