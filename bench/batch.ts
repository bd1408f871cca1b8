import Table from 'cli-table3';

import { LINE_NAMES } from '../realN8n/install/releases';
import { ACTION_TYPE, CREDENTIAL_TYPE } from '../realN8n/rehearsal/examples';
import type { Rehearsal } from '../realN8n/rehearsal/rehearsal';
import type {
	Execution,
	NodeDefinition,
	StoredCredential,
	WorkflowDefinition,
} from '../realN8n/server/types';
import { itemsOf } from '../realN8n/server/types';
import { benchInRealN8n, quantile, rounded } from './realN8n';

/** The status of many orders in one node: our Get Status against n8n's own HTTP Request node, in one real n8n. */

const HELP = `npm run bench:batch -- [flags]

The status of 1,000 orders in a real n8n: Get Status against n8n's HTTP Request node.

  --json        standard output is one JSON document; progress goes to standard error
  --n8n <line>  ${LINE_NAMES} (default: the one that fits this Node.js)
  --help        this text
`;

const HASHES = 1000;
const PAIRS = 5;
const LARGE_LIMIT = 6000;
const STANDARD_HASHES = 150;
const LATENCY_SECONDS = 0.05;

const START = 'When Clicking Execute';
const NODE = 'Read the Status';

interface BatchRun {
	seconds: number;
	failed: number;
}

type Who = 'ours' | 'theirs';

function nodeOf(who: Who, url: string, credential: StoredCredential): NodeDefinition {
	const common = {
		id: 'node',
		name: NODE,
		position: [300, 0] as [number, number],
		onError: 'continueRegularOutput',
	};
	const credentials = { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } };
	if (who === 'ours') {
		return {
			...common,
			type: ACTION_TYPE,
			typeVersion: 1,
			credentials,
			parameters: { operation: 'getStatus', sourceHash: '={{ $json.hash }}', simplify: false },
		};
	}
	return {
		...common,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials,
		parameters: {
			url: `${url}/api/sdk/v2/status`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'sourceHash', value: '={{ $json.hash }}' }] },
			options: {},
		},
	};
}

/** One manual execution over all hashes, which are pinned to the start. */
async function runBatch(
	rehearsal: Rehearsal,
	who: Who,
	hashes: string[],
	credential: StoredCredential,
): Promise<BatchRun> {
	const { client, control } = rehearsal;
	const start: NodeDefinition = {
		id: 'start',
		name: START,
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const definition: WorkflowDefinition & { pinData: object } = {
		name: `Batch, ${who}`,
		nodes: [start, nodeOf(who, control.sandbox.url, credential)],
		connections: { [START]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		pinData: { [START]: hashes.map((hash) => ({ json: { hash } })) },
	};
	const workflow = await client.createWorkflow(definition);
	const execution = await client.runManually(workflow, START, 300);
	const items = itemsOf(execution, NODE);
	if (items.length !== hashes.length)
		throw new Error(
			`${who}: ${items.length} items came out of ${hashes.length}; ${execution.error?.message ?? ''}`,
		);
	return {
		seconds: executionSeconds(execution),
		failed: items.filter((item) => 'error' in item).length,
	};
}

function executionSeconds(execution: Execution): number {
	const [run] = execution.runs[NODE] ?? [];
	const ms: unknown = run !== undefined && 'executionTime' in run ? run.executionTime : undefined;
	if (typeof ms !== 'number') throw new Error('The execution does not say how long the node took');
	return ms / 1000;
}

async function openHashes({ control }: Rehearsal, count: number): Promise<string[]> {
	const orders = await control.announce(
		Array.from({ length: count }, () => ({ end: 'never' as const })),
	);
	return orders.map(({ sourceHash }) => sourceHash);
}

const keyOf = (pair: number) => `batch-key-${pair}`;

async function measure(rehearsal: Rehearsal, say: (line: string) => void) {
	const { control } = rehearsal;
	await control.addFault({
		kind: 'delay',
		delaySeconds: LATENCY_SECONDS,
		endpoint: 'status',
		times: 'always',
	});
	const hashes = await openHashes(rehearsal, HASHES);
	const runs: Record<Who, BatchRun[]> = { ours: [], theirs: [] };
	for (let pair = 0; pair < PAIRS; pair++) {
		// A key each, so that no pair finds the minute of the one before half used.
		const data = {
			...rehearsal.rightCredential,
			apiKey: keyOf(pair),
			requestsPerMinute: LARGE_LIMIT,
		};
		const credential = await rehearsal.credential(`Batch ${pair}`, data);
		for (const who of pair % 2 === 0
			? (['ours', 'theirs'] as const)
			: (['theirs', 'ours'] as const)) {
			const run = await runBatch(rehearsal, who, hashes, credential);
			say(`pair ${pair + 1}, ${who}: ${rounded(run.seconds)} s, ${run.failed} failed`);
			runs[who].push(run);
		}
	}
	const ratios = runs.ours.map(
		({ seconds }, pair) => seconds / (runs.theirs[pair]?.seconds ?? Number.NaN),
	);
	const summary = (who: Who): BatchRun => ({
		seconds: rounded(
			quantile(
				runs[who].map(({ seconds }) => seconds),
				0.5,
			),
		),
		failed: runs[who].reduce((sum, { failed }) => sum + failed, 0),
	});

	const few = await openHashes(rehearsal, STANDARD_HASHES);
	const standardLimit: Record<Who, BatchRun> = {
		ours: { seconds: 0, failed: 0 },
		theirs: { seconds: 0, failed: 0 },
	};
	for (const who of ['theirs', 'ours'] as const) {
		const credential = await rehearsal.credential(`Standard ${who}`, {
			...rehearsal.rightCredential,
			apiKey: `standard-${who}`,
		});
		const run = await runBatch(rehearsal, who, few, credential);
		standardLimit[who] = { seconds: rounded(run.seconds), failed: run.failed };
		say(
			`standard limit, ${who}: ${rounded(run.seconds)} s, ${run.failed} of ${STANDARD_HASHES} failed`,
		);
	}

	const result = {
		ratio: rounded(quantile(ratios, 0.5), 3),
		ours: summary('ours'),
		theirs: summary('theirs'),
		standardLimit,
	};
	const table = new Table({
		head: ['', 'Get Status', 'HTTP Request'],
		style: { head: [], border: [] },
	});
	table.push([
		`${HASHES} hashes, ${LARGE_LIMIT} a minute: median seconds`,
		result.ours.seconds,
		result.theirs.seconds,
	]);
	table.push(['failed', result.ours.failed, result.theirs.failed]);
	table.push([
		`${STANDARD_HASHES} hashes, 100 a minute: failed`,
		standardLimit.ours.failed,
		standardLimit.theirs.failed,
	]);
	say(table.toString());
	say(`Median ratio of the time, ours to theirs: ${result.ratio}`);
	if (result.ratio > 1 || result.ours.failed > 0 || standardLimit.ours.failed > 0)
		process.exitCode = 1;
	return result;
}

const furtherKeys = Object.fromEntries([
	...Array.from({ length: PAIRS }, (_, pair) => [keyOf(pair), LARGE_LIMIT] as const),
	['standard-ours', 100] as const,
	['standard-theirs', 100] as const,
]);

benchInRealN8n({ help: HELP, sandbox: { furtherKeys } }, measure).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
