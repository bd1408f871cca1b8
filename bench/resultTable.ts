/** The table of results in docs/performance.md: made of what the benchmarks print as JSON, and put between two markers. Pure. */

export const BENCHMARKS = ['watch', 'batch', 'live', 'scale', 'processes'] as const;
export type Benchmark = (typeof BENCHMARKS)[number];

export interface Measured {
	what: string;
	result: string;
}

/** Where and when something was measured; no name of a machine. */
export interface Circumstances {
	machine: string;
	node: string;
	/** null where no n8n runs. */
	n8n: string | null;
	/** YYYY-MM-DD */
	date: string;
}

const BEGIN = '<!-- results of npm run bench: begin -->';
const END = '<!-- results of npm run bench: end -->';
const HEAD = ['| Benchmark | What | Result | n8n | Node.js | Machine | Date |', '|---|---|---|---|---|---|---|'];

/** The document of a benchmark -> what its rows say. @throws when it has another form */
export function measuredBy(benchmark: Benchmark, document: unknown): Measured[] {
	return READERS[benchmark](document);
}

/**
 * The page with the rows of these benchmarks in place of their earlier ones; rows of others, and all the rest of the
 * page, stay.
 * @throws where the page has not just one pair of markers
 */
export function withResults(page: string, results: ReadonlyMap<Benchmark, { measured: readonly Measured[]; circumstances: Circumstances }>): string {
	const [before, rest, ...moreBegins] = page.split(BEGIN);
	const [between, after, ...moreEnds] = rest?.split(END) ?? [];
	if (before === undefined || between === undefined || after === undefined || moreBegins.length + moreEnds.length > 0) {
		throw new Error(`The page must have ${BEGIN} and ${END} once each, in this order.`);
	}
	const earlier = between.split('\n').filter((line) => line.startsWith('| '));
	const rows = BENCHMARKS.flatMap((benchmark) => {
		const fresh = results.get(benchmark);
		if (fresh === undefined) return earlier.filter((line) => line.startsWith(`| ${benchmark} |`));
		const { n8n, node, machine, date } = fresh.circumstances;
		return fresh.measured.map(({ what, result }) => `| ${[benchmark, what, result, n8n ?? '', node, machine, date].join(' | ')} |`);
	});
	return [before, BEGIN, '\n', [...HEAD, ...rows].join('\n'), '\n', END, after].join('');
}

type Shape = Record<string, unknown>;

const READERS: Record<Benchmark, (document: unknown) => Measured[]> = { watch, batch, live, scale, processes };

function watch(document: unknown): Measured[] {
	const rows = list(object(document).rows);
	const find = (policy: string, orders: number, interval: number): Shape => {
		const found = rows.find((row) => row.policy === policy && row.law === 'uniform' && row.arrivals === 'burst' && row.orders === orders && row.interval === interval);
		if (found === undefined) throw new Error(`No row of ${policy} with ${orders} orders`);
		return found;
	};
	const perOrders = [1, 10, 20, 50, 100, 200].map((orders) => {
		const mean = (policy: string, interval: number): string => `${seconds(find(policy, orders, interval).meanSeconds)}`;
		return {
			what: `${orders} orders at once, simulated: mean seconds from the end until it is seen`,
			result: `${mean('shipped', 5)} (Check Every 5), ${mean('shipped', 1)} (1); loop of 5 s ${mean('loop', 5)}, bound ${mean('lower bound', 0)}`,
		};
	});
	const refused = rows.filter(({ policy }) => policy === 'shipped').reduce((sum, row) => sum + number(row.refused), 0);
	return [...perOrders, { what: 'requests refused in all rows of the shipped schedule', result: String(refused) }];
}

function batch(document: unknown): Measured[] {
	const { ratio, ours, theirs, standardLimit } = object(document);
	const [fast, plain] = [object(ours), object(theirs)];
	const { ours: few, theirs: fewPlain } = object(standardLimit);
	return [
		{
			what: '1,000 look-ups, limit of 6,000 a minute: median of 5 runs, Get Status / HTTP Request',
			result: `${seconds(fast.seconds)} s / ${seconds(plain.seconds)} s; median ratio ${number(ratio)}; failed ${number(fast.failed)} / ${number(plain.failed)}`,
		},
		{
			what: '150 look-ups, standard limit: failed, Get Status / HTTP Request',
			result: `${number(object(few).failed)} / ${number(object(fewPlain).failed)}`,
		},
	];
}

function live(document: unknown): Measured[] {
	const row = (what: string, run: Shape): Measured => ({
		what: `${what}: mean seconds from the end to the start of the execution`,
		result: `${seconds(run.meanSeconds)}, 95 % within ${seconds(run.p95Seconds)}; of ${number(run.orders)} lost ${number(run.lost)}, twice ${number(run.twice)}`,
	});
	const announced = object(document);
	return [row('orders that begin while they are watched', announced), row('orders open from the start', object(announced.openFromTheStart))];
}

function scale(document: unknown): Measured[] {
	const rows = list(object(document).rows);
	if (rows.length === 0) throw new Error('The benchmark printed another form.');
	return rows.map((row) => ({
		what: `${number(row.ordersPerDay).toLocaleString('en')} orders a day, simulated, ${row.law === 'uniform' ? 'all end within 15 s' : 'some are slow'}`,
		result: `${number(row.requestsPerDay).toLocaleString('en')} requests a day; mean ${seconds(row.meanSeconds)} s, 95 % within ${seconds(row.p95Seconds)} s`,
	}));
}

/** One row for each load and number of processes, with the ways to divide the limit beside each other. */
function processes(document: unknown): Measured[] {
	const rows = list(object(document).rows);
	if (rows.length === 0) throw new Error('The benchmark printed another form.');
	const ways = new Map<string, string[]>();
	for (const row of rows) {
		const what = `${number(row.processes)} processes with one key, simulated, ${String(row.load)}: served a minute (by process), refused a minute, longest without one`;
		ways.set(what, [...(ways.get(what) ?? []), oneWay(row)]);
	}
	return [...ways].map(([what, results]) => ({ what, result: results.join('; ') }));
}

function oneWay(row: Shape): string {
	if (!Array.isArray(row.servedPerMinute)) throw new Error('The benchmark printed another form.');
	const served = row.servedPerMinute.map(number);
	const sum = served.reduce((total, each) => total + each, 0);
	const way = row.credential === 'share' ? 'a share each' : `the whole limit each, ${row.retryAfter === true ? 'with' : 'without'} Retry-After`;
	const range = `${Math.min(...served).toFixed(1)} to ${Math.max(...served).toFixed(1)}`;
	return `${way} ${sum.toFixed(0)} (${range}), ${number(row.refusedPerMinute)}, ${number(row.longestPauseSeconds)} s`;
}

function object(value: unknown): Shape {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('The benchmark printed another form.');
	return value as Shape;
}

function list(value: unknown): Shape[] {
	if (!Array.isArray(value)) throw new Error('The benchmark printed another form.');
	return value.map(object);
}

function number(value: unknown): number {
	if (typeof value !== 'number') throw new Error('The benchmark printed another form.');
	return value;
}

/** Two digits that mean something: 0.53, 2.6, 14, 136. */
function seconds(value: unknown): string {
	const given = number(value);
	return given >= 10 ? given.toFixed(0) : given >= 1 ? given.toFixed(1) : given.toFixed(2);
}
