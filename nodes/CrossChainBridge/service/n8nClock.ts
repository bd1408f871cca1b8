import { sleep } from 'n8n-workflow';

import type { Clock } from '../budget/clock';

/** In milliseconds; unlike Date.now() it never goes back, and it pauses while the computer sleeps. */
export const n8nClock: Required<Clock> = {
	now: () => performance.timeOrigin + performance.now(),
	sleep,
	ofWallTime: (ms) => ms + n8nClock.now() - Date.now(),
};
