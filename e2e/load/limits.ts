import assert from 'node:assert/strict';

import type { CheckList } from '../checks/checkList';
import type { ChurnSample, DayFigures } from './day';
import type { ExecutionSize, LoadFigures } from './scenarios';

/**
 * What may not be exceeded. The figures that were measured when these limits were set are in docs/performance.md; the limits
 * leave room for another machine and for chance, not for a leak.
 */

const SERVICE_LIMIT = 100;

/** 1,000 orders in memory, their tables, and the code of the package. */
const MOST_HEAP_MEGABYTES = 30;
/**
 * Resident memory moves by tens of megabytes from run to run of the same n8n, includes garbage that nobody has collected yet, and in n8n
 * 2.40 the isolates of its expression engine, which an n8n without published workflows has not started.
 */
const MOST_RSS_MEGABYTES = 250;
const MOST_PROCESSOR_PERCENT = 15;
const MOST_POLL_MS = 5_000;
const MOST_LOOP_P99_MS = 100;
const MOST_STATE_BYTES = 300_000;

export async function checkLoad(checks: CheckList, figures: readonly LoadFigures[]): Promise<void> {
	const [bare, ...loaded] = figures;
	if (bare === undefined) return;
	for (const one of loaded) {
		const { scenario } = one;
		const within = async (what: string, value: number, most: number) =>
			await checks.check(`${scenario}: ${what} ${value.toFixed(1)}, limit ${most}`, async () => {
				assert.ok(value <= most, `${value} is more than ${most}`);
			});
		await checks.check(
			`${scenario}: ${one.requests} requests, up to ${one.busiestMinute} in any 60 s, none refused`,
			async () => {
				assert.equal(one.refused, 0);
				assert.ok(one.busiestMinute <= SERVICE_LIMIT);
				// Without checks all the rest would be cheap.
				assert.ok(one.busiestMinute >= SERVICE_LIMIT / 2, 'the orders are checked');
			},
		);
		await checks.check(`${scenario}: ${one.polls} scheduled polls ran`, async () =>
			assert.ok(one.polls >= one.workflows),
		);
		await within(
			'more heap than n8n without the package, MB:',
			one.heapMegabytes - bare.heapMegabytes,
			MOST_HEAP_MEGABYTES,
		);
		await within(
			'more resident memory than n8n without the package, MB:',
			one.rssMegabytes - bare.rssMegabytes,
			MOST_RSS_MEGABYTES,
		);
		await within(
			'more processor time than n8n without the package, % of a core:',
			one.processorPercent - bare.processorPercent,
			MOST_PROCESSOR_PERCENT,
		);
		await within('longest scheduled poll, ms:', one.longestPollMs, MOST_POLL_MS);
		await within('event loop late, 99 %, ms:', one.loopP99Ms, MOST_LOOP_P99_MS);
		await within('state, bytes:', one.stateBytes, MOST_STATE_BYTES);
	}
}

/** An item of an order and of what the next node makes of it. */
const MOST_ITEMS_BYTES = 8_000;
/** For each order of the list: its hash in the list, and what the state says of it, once or in both copies. */
const MOST_BYTES_AN_ORDER = 600;
const MOST_WORKFLOW_BYTES = 12_000;

export async function checkSizes(
	checks: CheckList,
	sizes: readonly ExecutionSize[],
): Promise<void> {
	for (const { listed, itemsBytes, workflowBytes } of sizes) {
		await checks.check(
			`an execution with a list of ${listed}: ${itemsBytes} bytes of items, ${workflowBytes} of workflow`,
			async () => {
				assert.ok(itemsBytes <= MOST_ITEMS_BYTES);
				assert.ok(workflowBytes <= MOST_WORKFLOW_BYTES + MOST_BYTES_AN_ORDER * listed);
			},
		);
	}
}

/** From the twelfth hour on all that is bounded has reached its bound. */
const MOST_GROWTH = 1.1;
/** Chance decides how many orders are open at a moment, and how many of a minute's requests are remembered. */
const CHANCE = SERVICE_LIMIT;

export async function checkDay(checks: CheckList, { samples, churned }: DayFigures): Promise<void> {
	const at = (hour: number) => {
		const sample = samples.find((each) => each.hour === hour);
		assert.ok(sample, `There is no sample of hour ${hour}`);
		return sample;
	};
	const [first, middle, last] = [at(1), at(12), at(24)];
	await checks.check(
		`the day: every finished order is emitted once (${last.emitted} of ${last.finished})`,
		async () => {
			assert.equal(last.emitted, last.finished);
			assert.equal(last.twice, 0);
			assert.ok(last.emitted > first.emitted);
		},
	);
	await checks.check('the day: no request is refused', async () => assert.equal(last.refused, 0));
	await checks.check('the day: the heap does not grow from hour 12 to hour 24', async () => {
		assert.ok(
			last.heapBytes <= MOST_GROWTH * middle.heapBytes,
			`${middle.heapBytes} bytes, then ${last.heapBytes}`,
		);
	});
	await checks.check('the day: the state does not grow from hour 12 to hour 24', async () => {
		assert.ok(
			last.stateBytes <= MOST_GROWTH * middle.stateBytes,
			`${middle.stateBytes} bytes, then ${last.stateBytes}`,
		);
	});
	await checks.check(
		'the day: no collection in the memory of the process grows from hour 12 to hour 24',
		async () => {
			assert.deepEqual(grownBetween(middle.collections, last.collections), []);
		},
	);
	await checkChurn(checks, churned);
}

/** Bounds that the documents state, by the place of the collection. */
const BOUNDS: Readonly<Record<string, number>> = {
	'trigger/session.sessions': 1000,
	'watch/budgets.budgets': 50,
	'bridge/service.configCache.entries': 20,
};

async function checkChurn(checks: CheckList, [half, whole]: readonly ChurnSample[]): Promise<void> {
	assert.ok(half !== undefined && whole !== undefined);
	await checks.check(
		`${whole.workflows} workflows come and go: nothing in memory is more than after ${half.workflows}`,
		async () => {
			assert.deepEqual(grownBetween(half.collections, whole.collections), []);
			assert.ok(
				whole.heapBytes <= MOST_GROWTH * half.heapBytes,
				`${half.heapBytes} bytes, then ${whole.heapBytes}`,
			);
		},
	);
	for (const [name, most] of Object.entries(BOUNDS)) {
		await checks.check(
			`${whole.workflows} workflows come and go: ${name} has ${whole.collections[name]} entries, limit ${most}`,
			async () => {
				// A name that is nowhere any more would make the check an empty one.
				const size = whole.collections[name];
				assert.ok(
					size !== undefined,
					`There is no ${name}: ${Object.keys(whole.collections).join(', ')}`,
				);
				assert.ok(size <= most);
			},
		);
	}
}

function grownBetween(before: Record<string, number>, after: Record<string, number>) {
	return Object.entries(after)
		.map(([name, size]) => ({ name, before: before[name] ?? 0, size }))
		.filter((each) => each.size > MOST_GROWTH * each.before + CHANCE);
}
