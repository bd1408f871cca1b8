import { n8nClock } from '../../../nodes/CrossChainBridge/service/connection';

afterEach(() => void jest.restoreAllMocks());

it('takes a moment of the wall clock for as far away as it is there', () => {
	const wall = Date.parse('2026-01-01T08:00:00Z');
	// The computer has slept for a night.
	jest.spyOn(Date, 'now').mockReturnValue(wall);
	jest.spyOn(performance, 'now').mockReturnValue(wall - 8 * 3_600_000 - performance.timeOrigin);
	expect([n8nClock.now(), n8nClock.ofWallTime(wall - 1_000)].map(Math.round)).toEqual([
		wall - 8 * 3_600_000,
		wall - 8 * 3_600_000 - 1_000,
	]);
});
