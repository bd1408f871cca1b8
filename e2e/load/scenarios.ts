import { setTimeout as delay } from 'node:timers/promises';

import type { N8nRelease } from '../../realN8n/install/releases';
import { freePorts } from '../../realN8n/machine/ports';
import { until } from '../../realN8n/machine/until';
import { adapted, readExample, withTriggerParameters } from '../../realN8n/rehearsal/examples';
import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import { withTemporaryRehearsal } from '../../realN8n/rehearsal/temporary';
import { rowsOf, type Row } from '../../realN8n/server/database';
import type { StoredCredential, StoredWorkflow } from '../../realN8n/server/types';
import type { LoggedRequest } from '../../sandbox';
import { Probe, probeEnvironment } from './probeReading';

/** What one n8n showed while it ran for some minutes. */
export interface LoadFigures {
	scenario: string;
	workflows: number;
	orders: number;
	/** Resident memory: the median of the last minute. */
	rssMegabytes: number;
	/** The same after everything free was freed, at the end. */
	rssAfterCollectionMegabytes: number;
	/** JavaScript objects in use after everything free was freed, at the end. */
	heapMegabytes: number;
	/** Share of one core, in percent, over the whole time. */
	processorPercent: number;
	/** How long publishing all workflows took. */
	publishingSeconds: number;
	/** Polls of our trigger that n8n's scheduler ran, and the longest of them; those of publishing are not among them. */
	polls: number;
	longestPollMs: number;
	/** How late the event loop came to its work. */
	loopP99Ms: number;
	loopLongestMs: number;
	/** Static data of all workflows in the database. */
	stateBytes: number;
	requests: number;
	/** The most requests in any 60 seconds, as the service counts them. */
	busiestMinute: number;
	/** Requests that the service answered with 429. */
	refused: number;
}

export interface Scenario {
	name: string;
	/** Whether n8n loads our package at all. */
	withPackage: boolean;
	workflows: number;
	ordersInEach: number;
}

export const ORDERS = 1000;
const WORKFLOWS = 10;

export const SCENARIOS: readonly Scenario[] = [
	{ name: 'without the package', withPackage: false, workflows: 0, ordersInEach: 0 },
	{ name: 'one workflow', withPackage: true, workflows: 1, ordersInEach: ORDERS },
	{
		name: 'ten workflows, one key',
		withPackage: true,
		workflows: WORKFLOWS,
		ordersInEach: ORDERS / WORKFLOWS,
	},
];

const SETTLING_SECONDS = 15;
const SAMPLE_EVERY_MS = 5_000;
const MEGABYTE = 1024 * 1024;

/** Runs one scenario in an n8n of its own and measures it for so many minutes; all its orders stay open. */
export async function measureScenario(
	release: N8nRelease,
	scenario: Scenario,
	minutes: number,
	say: (line: string) => void,
): Promise<LoadFigures> {
	const [port = 0] = await freePorts(1);
	const env = {
		...probeEnvironment(port),
		...(scenario.withPackage ? {} : { N8N_COMMUNITY_PACKAGES_ENABLED: 'false' }),
	};
	return await withTemporaryRehearsal({ release, env, say }, async (rehearsal) => {
		const probe = new Probe(port);
		await delay(1000 * SETTLING_SECONDS);
		const publishingSeconds = await publishAll(rehearsal, scenario);
		say(
			`  ${scenario.name}: published in ${publishingSeconds.toFixed(1)} s; measuring for ${minutes} minutes`,
		);
		const begin = { reading: await probe.reset(), at: Date.now() };
		const rss = await sampleMemory(probe, begin.at + 60_000 * minutes);
		const end = await probe.read();
		const seconds = (Date.now() - begin.at) / 1000;
		const collected = await probe.readAfterCollection();
		const requests = await rehearsal.control.requests();
		const state = await firstRow(
			rehearsal,
			'SELECT COALESCE(SUM(LENGTH(staticData)), 0) AS bytes FROM workflow_entity',
		);
		return {
			scenario: scenario.name,
			workflows: scenario.workflows,
			orders: scenario.workflows * scenario.ordersInEach,
			rssMegabytes: median(rss) / MEGABYTE,
			rssAfterCollectionMegabytes: collected.rssBytes / MEGABYTE,
			heapMegabytes: collected.heapBytes / MEGABYTE,
			processorPercent: (end.processorMs - begin.reading.processorMs) / seconds / 10,
			publishingSeconds,
			polls: end.pollMs.length,
			longestPollMs: Math.max(0, ...end.pollMs),
			loopP99Ms: end.loopHeldUpMs.p99,
			loopLongestMs: end.loopHeldUpMs.longest,
			stateBytes: Number(state?.bytes ?? Number.NaN),
			requests: requests.length,
			busiestMinute: mostInAMinute(requests),
			refused: requests.filter(({ status }) => status === 429).length,
		};
	});
}

/** @returns how many seconds n8n took to publish them all, one after another */
async function publishAll(
	rehearsal: Rehearsal,
	{ workflows, ordersInEach }: Scenario,
): Promise<number> {
	const credential = await rehearsal.credential('Bridge sandbox', rehearsal.rightCredential);
	const begin = Date.now();
	for (let number = 1; number <= workflows; number++) {
		const hashes = await rehearsal.control.openOrders(ordersInEach);
		await publishList(rehearsal, credential, `Watch ${number}`, hashes);
	}
	return (Date.now() - begin) / 1000;
}

async function publishList(
	{ client, control }: Rehearsal,
	credential: StoredCredential,
	name: string,
	hashes: readonly string[],
): Promise<StoredWorkflow> {
	const example = adapted(readExample('watch-orders'), control.sandbox.url, credential);
	const workflow = await client.createWorkflow(
		withTriggerParameters({ ...example, name }, { sourceHashes: hashes.join('\n') }),
	);
	await client.publish(workflow.id);
	return workflow;
}

/** Waits until then, and gives the resident memory as it was during the last minute. */
async function sampleMemory(probe: Probe, until: number): Promise<number[]> {
	const samples: number[] = [];
	while (Date.now() < until) {
		await delay(Math.max(0, Math.min(SAMPLE_EVERY_MS, until - Date.now())));
		if (Date.now() >= until - 60_000) samples.push((await probe.read()).rssBytes);
	}
	return samples;
}

/** What one execution of a trigger and one node leaves in the database, in bytes; means over the executions. */
export interface ExecutionSize {
	/** Orders on the trigger's list. */
	listed: number;
	executions: number;
	/** The items of all nodes, as n8n stores them. */
	itemsBytes: number;
	/** The copy of the workflow that n8n stores with each execution, the list and the state among it. */
	workflowBytes: number;
	/** The trigger's state in this copy. */
	stateBytes: number;
}

const LISTS = [20, 1000];
const ENDING_ORDERS = 20;
const ENDS_PATIENCE_SECONDS = 300;

/** Some orders of a list finish: how many bytes each of the executions is in the database, with a short list and with the longest. */
export async function measureExecutionSizes(
	release: N8nRelease,
	say: (line: string) => void,
): Promise<ExecutionSize[]> {
	// Publishing checks all orders at once. In n8n 2.40 each request would make an isolate of its own, a minute's work for 1,000.
	const env = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
	return await withTemporaryRehearsal(
		{ release, sandbox: { requestsPerMinute: 0 }, env, say },
		async (rehearsal) => {
			const credential = await rehearsal.credential('Bridge sandbox', {
				...rehearsal.rightCredential,
				requestsPerMinute: 1200,
			});
			const sizes: ExecutionSize[] = [];
			for (const listed of LISTS) {
				const hashes = await rehearsal.control.openOrders(listed);
				const workflow = await publishList(rehearsal, credential, `List of ${listed}`, hashes);
				await Promise.all(
					hashes
						.slice(0, ENDING_ORDERS)
						.map(async (hash) => await rehearsal.control.end(hash, 'completed')),
				);
				await until(
					`${ENDING_ORDERS} executions`,
					async () =>
						(await rehearsal.client.executions(workflow.id)).filter(
							({ status }) => status === 'success',
						).length >= ENDING_ORDERS,
					{ seconds: ENDS_PATIENCE_SECONDS, everyMilliseconds: 1000 },
				);
				await rehearsal.client.unpublish(workflow.id);
				const row = await firstRow(
					rehearsal,
					`SELECT COUNT(*) AS executions, AVG(LENGTH(d.data)) AS items, AVG(LENGTH(d.workflowData)) AS workflow,
					AVG(LENGTH(json_extract(d.workflowData, '$.staticData'))) AS state
				FROM execution_data d JOIN execution_entity e ON e.id = d.executionId WHERE e.workflowId = '${workflow.id}'`,
				);
				const bytes = (name: string) => Math.round(Number(row?.[name]));
				sizes.push({
					listed,
					executions: bytes('executions'),
					itemsBytes: bytes('items'),
					workflowBytes: bytes('workflow'),
					stateBytes: bytes('state'),
				});
			}
			return sizes;
		},
	);
}

const WINDOW_MS = 60_000;

/** The most requests that arrived in any 60 seconds. */
export function mostInAMinute(requests: readonly LoggedRequest[]): number {
	const times = requests.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
	let first = 0;
	let most = 0;
	for (const [index, time] of times.entries()) {
		while ((times[first] ?? time) <= time - WINDOW_MS) first++;
		most = Math.max(most, index - first + 1);
	}
	return most;
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The first row that a query finds in n8n's database. */
async function firstRow({ options }: Rehearsal, sql: string): Promise<Row | undefined> {
	const [rows = []] = await rowsOf(options, [{ sql, parameters: [] }]);
	return rows[0];
}
