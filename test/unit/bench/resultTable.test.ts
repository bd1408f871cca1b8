import { measuredBy, withResults, type Circumstances } from '../../../bench/resultTable';

const page = `# How fast

text before

<!-- results of npm run bench: begin -->
| Benchmark | What | Result | n8n | Node.js | Machine | Date |
|---|---|---|---|---|---|---|
| batch | old batch | 1 | 2.8.4 | 20.1.0 | 1 core | 2026-01-01 |
| live | old live | 2 | 2.8.4 | 20.1.0 | 1 core | 2026-01-01 |
<!-- results of npm run bench: end -->

text after
`;

const circumstances: Circumstances = { machine: '2 cores, 24 GB', node: '20.20.2', n8n: '2.8.4', date: '2026-11-21' };

describe('the table of results', () => {
	it('takes the new rows of one benchmark in place of its old ones, and keeps all the rest', () => {
		const measured = [
			{ what: 'new a', result: '3' },
			{ what: 'new b', result: '4' },
		];
		const written = withResults(page, new Map([['batch', { measured, circumstances }]]));
		expect(written).toBe(
			page.replace(
				'| batch | old batch | 1 | 2.8.4 | 20.1.0 | 1 core | 2026-01-01 |',
				'| batch | new a | 3 | 2.8.4 | 20.20.2 | 2 cores, 24 GB | 2026-11-21 |\n| batch | new b | 4 | 2.8.4 | 20.20.2 | 2 cores, 24 GB | 2026-11-21 |',
			),
		);
		expect(withResults(written, new Map([['batch', { measured, circumstances }]]))).toBe(written);
	});

	it('puts a benchmark that was not there before into its place', () => {
		const measured = [{ what: 'simulated', result: '5' }];
		const written = withResults(page, new Map([['watch', { measured, circumstances: { ...circumstances, n8n: null } }]]));
		expect(written.indexOf('| watch | simulated | 5 |  | 20.20.2 |')).toBeGreaterThan(0);
		expect(written.indexOf('| watch |')).toBeLessThan(written.indexOf('| batch |'));
		expect(written).toContain('old live');
	});

	it.each(['no markers', page + page, page.replace('bench: end', 'bench: stop')])('refuses a page whose markers are not there once each', (broken) => {
		expect(() => withResults(broken, new Map())).toThrow('once each');
	});

	it('reads what the batch benchmark prints', () => {
		const document = { ratio: 0.526, ours: { seconds: 1.82, failed: 0 }, theirs: { seconds: 3.46, failed: 0 }, standardLimit: { ours: { seconds: 61, failed: 0 }, theirs: { seconds: 0.7, failed: 50 } } };
		expect(measuredBy('batch', document).map(({ result }) => result)).toEqual(['1.8 s / 3.5 s; median ratio 0.526; failed 0 / 0', '0 / 50']);
	});

	it('reads what the live benchmark prints', () => {
		const run = { orders: 25, meanSeconds: 3.2, p95Seconds: 5.24, lost: 0, twice: 1 };
		const results = measuredBy('live', { ...run, openFromTheStart: { ...run, meanSeconds: 14.3 } }).map(({ result }) => result);
		expect(results).toEqual(['3.2, 95 % within 5.2; of 25 lost 0, twice 1', '14, 95 % within 5.2; of 25 lost 0, twice 1']);
	});

	it('reads what the comparison of days prints', () => {
		const row = { ordersPerDay: 1000, law: 'uniform', requestsPerDay: 2512, meanSeconds: 2.55, p95Seconds: 4.8 };
		expect(measuredBy('scale', { rows: [row] })).toEqual([
			{ what: '1,000 orders a day, simulated, all end within 15 s', result: '2,512 requests a day; mean 2.5 s, 95 % within 4.8 s' },
		]);
	});

	it('reads what the comparison of processes prints', () => {
		const row = { load: 'all have more', processes: 2, retryAfter: false, credential: 'share', servedPerMinute: [48.5, 49], refusedPerMinute: 0, longestPauseSeconds: 60 };
		const whole = { ...row, credential: 'whole limit', retryAfter: true, refusedPerMinute: 0.5 };
		const oneBusy = { ...row, load: 'one has more' };
		const measures = 'served a minute (by process), refused a minute, longest without one';
		expect(measuredBy('processes', { rows: [row, whole, oneBusy] })).toEqual([
			{
				what: `2 processes with one key, simulated, all have more: ${measures}`,
				result: 'a share each 98 (48.5 to 49.0), 0, 60 s; the whole limit each, with Retry-After 98 (48.5 to 49.0), 0.5, 60 s',
			},
			{ what: `2 processes with one key, simulated, one has more: ${measures}`, result: 'a share each 98 (48.5 to 49.0), 0, 60 s' },
		]);
	});

	it.each(['watch', 'batch', 'live', 'scale', 'processes'] as const)('refuses another form of %s', (benchmark) => {
		expect(() => measuredBy(benchmark, { rows: [{}] })).toThrow();
		expect(() => measuredBy(benchmark, [])).toThrow();
	});
});
