import { parseArgs } from 'node:util';

import Table from 'cli-table3';

import { releaseForThisNode, releaseOf } from '../../realN8n/install/releases';
import { CheckList } from '../checks/checkList';
import { runDay, type DayFigures } from './day';
import { checkDay, checkLoad, checkSizes } from './limits';
import {
	measureExecutionSizes,
	measureScenario,
	SCENARIOS,
	type ExecutionSize,
	type LoadFigures,
} from './scenarios';

const PARTS = ['real', 'size', 'day'] as const;
type Part = (typeof PARTS)[number];

const MOST_MINUTES = 60;

const HELP = `npm run test:load -- [flags]

What 1,000 watched orders cost a real n8n: memory, processor time, state, requests; and 24 simulated hours of the trigger.
The last line is "N passed, N failed".

  --n8n <line>     2.8, 2.40 or 2.41 (default: the one that fits this Node.js)
  --minutes <n>    how long each n8n is measured, 2 to ${MOST_MINUTES} (default 4)
  --only <parts>   some of the parts, with commas between: ${PARTS.join(', ')}
  --json           the figures as one JSON document on the line before the last
  --help           this text
`;

interface Figures {
	n8n: string;
	node: string;
	minutes: number;
	real: LoadFigures[];
	sizes: ExecutionSize[];
	day: DayFigures | null;
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			n8n: { type: 'string' },
			minutes: { type: 'string', default: '4' },
			only: { type: 'string', default: PARTS.join(',') },
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const release = flags.n8n === undefined ? releaseForThisNode() : releaseOf(flags.n8n);
	const minutes = Number(flags.minutes);
	if (!(minutes >= 2 && minutes <= MOST_MINUTES))
		throw new Error(`--minutes must be 2 to ${MOST_MINUTES}.`);
	const parts = flags.only.split(',');
	const unknown = parts.filter((part) => !PARTS.some((known) => known === part));
	if (unknown.length > 0) throw new Error(`There is no part "${unknown.join(', ')}". Try --help.`);

	const say = (line: string) => console.log(line);
	const checks = new CheckList(say);
	const wants = (part: Part) => parts.includes(part);
	const figures: Figures = {
		n8n: release.version,
		node: process.version,
		minutes,
		real: [],
		sizes: [],
		day: null,
	};
	// The day first: it needs no n8n, and what is wrong with the memory of the process is wrong in a real one as well.
	if (wants('day')) {
		say('24 simulated hours');
		figures.day = await runDay(say);
		say(dayTable(figures.day));
		await checkDay(checks, figures.day);
	}
	if (wants('real')) {
		say(`n8n ${release.version}, ${SCENARIOS.length} times ${minutes} minutes`);
		for (const scenario of SCENARIOS)
			figures.real.push(await measureScenario(release, scenario, minutes, say));
		say(loadTable(figures.real));
		await checkLoad(checks, figures.real);
	}
	if (wants('size')) {
		figures.sizes = await measureExecutionSizes(release, say);
		say(sizesTable(figures.sizes));
		await checkSizes(checks, figures.sizes);
	}
	if (flags.json) say(JSON.stringify(figures));
	say(checks.summary);
	process.exitCode = checks.allPassed ? 0 : 1;
}

function sizesTable(sizes: readonly ExecutionSize[]): string {
	const table = new Table({
		head: ['list', 'executions', 'bytes of items', 'bytes of workflow', 'state among them'],
		style: { head: [], border: [], compact: true },
	});
	for (const { listed, executions, itemsBytes, workflowBytes, stateBytes } of sizes)
		table.push([listed, executions, itemsBytes, workflowBytes, stateBytes]);
	return table.toString();
}

function loadTable(figures: readonly LoadFigures[]): string {
	const table = new Table({
		head: ['', ...figures.map(({ scenario }) => scenario)],
		colAligns: ['left', ...figures.map(() => 'right' as const)],
		style: { head: [], border: [], compact: true },
	});
	const rows: Array<[string, (one: LoadFigures) => string]> = [
		['watched orders', ({ orders }) => String(orders)],
		['publishing, s', ({ publishingSeconds }) => publishingSeconds.toFixed(1)],
		[
			'resident memory, median of the last minute, MB',
			({ rssMegabytes }) => rssMegabytes.toFixed(0),
		],
		[
			'after collection, MB',
			({ rssAfterCollectionMegabytes }) => rssAfterCollectionMegabytes.toFixed(0),
		],
		['heap after collection, MB', ({ heapMegabytes }) => heapMegabytes.toFixed(1)],
		['processor time, % of a core', ({ processorPercent }) => processorPercent.toFixed(1)],
		['scheduled polls', ({ polls }) => String(polls)],
		['longest of them, ms', ({ longestPollMs }) => longestPollMs.toFixed(0)],
		['event loop late, 99 %, ms', ({ loopP99Ms }) => loopP99Ms.toFixed(1)],
		['event loop late, longest, ms', ({ loopLongestMs }) => loopLongestMs.toFixed(0)],
		['state in the database, bytes', ({ stateBytes }) => String(stateBytes)],
		['requests', ({ requests }) => String(requests)],
		['most in any 60 s', ({ busiestMinute }) => String(busiestMinute)],
		['refused with 429', ({ refused }) => String(refused)],
	];
	for (const [name, value] of rows) table.push([name, ...figures.map(value)]);
	return table.toString();
}

function dayTable({ samples, tookSeconds }: DayFigures): string {
	const table = new Table({
		head: [
			'after hours',
			'heap, MB',
			'state, bytes',
			'in all collections',
			'emitted',
			'requests',
			'refused',
		],
		colAligns: Array.from({ length: 7 }, () => 'right' as const),
		style: { head: [], border: [], compact: true },
	});
	for (const { hour, heapBytes, stateBytes, collections, emitted, requests, refused } of samples) {
		const entries = Object.values(collections).reduce((sum, size) => sum + size, 0);
		table.push([
			hour,
			(heapBytes / 1024 / 1024).toFixed(2),
			stateBytes,
			entries,
			emitted,
			requests,
			refused,
		]);
	}
	const last = samples.at(-1);
	const names = Object.keys(last?.collections ?? {}).sort();
	const collections = new Table({
		head: ['entries in', ...samples.map(({ hour }) => `hour ${hour}`)],
		style: { head: [], border: [], compact: true },
	});
	for (const name of names)
		collections.push([name, ...samples.map((sample) => String(sample.collections[name] ?? 0))]);
	return `${table.toString()}\n${collections.toString()}\n24 hours took ${tookSeconds.toFixed(0)} s.`;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
