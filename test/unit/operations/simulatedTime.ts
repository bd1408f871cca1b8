import { VirtualClock } from '../../virtualClock';
import { n8nClock } from '../../../nodes/CrossChainBridge/service/n8nClock';

/** From now on the nodes go by this clock, which begins with the year 2026, until Jest restores what is mocked. */
export function simulateTime(): VirtualClock {
	const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
	jest.spyOn(n8nClock, 'now').mockImplementation(() => clock.now());
	jest.spyOn(n8nClock, 'sleep').mockImplementation(async (ms) => await clock.sleep(ms));
	jest.spyOn(Date, 'now').mockImplementation(() => clock.now());
	return clock;
}
