import { mostInAMinute } from '../../../e2e/load/scenarios';
import type { LoggedRequest } from '../../../sandbox';

const at = (seconds: number): LoggedRequest => ({
	at: new Date(Date.parse('2026-01-01T00:00:00Z') + 1000 * seconds).toISOString(),
	method: 'GET',
	path: '/api/sdk/v2/status',
	query: {},
	status: 200,
	hasKey: true,
});

describe('the most requests in any 60 seconds', () => {
	it.each([
		{ seconds: [], most: 0 },
		{ seconds: [5], most: 1 },
		{ seconds: [0, 59.9], most: 2 },
		{ seconds: [0, 60], most: 1 },
		{ seconds: [0, 1, 2, 61, 61.5, 62.5], most: 3 },
		{ seconds: [70, 0, 65, 61, 10], most: 3 },
	])('is $most for $seconds', ({ seconds, most }) => {
		expect(mostInAMinute(seconds.map(at))).toBe(most);
	});
});
