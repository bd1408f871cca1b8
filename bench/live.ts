import Table from 'cli-table3';

import { adapted, readExample, STEPS, withTriggerParameters } from '../e2e/examples';
import { itemsOf } from '../e2e/n8nTypes';
import type { Rehearsal } from '../e2e/rehearsal';
import { until } from '../e2e/until';
import type { OrderRequest, OrderSummary } from '../sandbox';
import { seededRandom } from './simulation/random';
import { benchInRealN8n, mean, quantile, rounded } from './realN8n';

/**
 * How soon a published trigger starts an execution after an order's end, in a real n8n at default settings, against a
 * sandbox with the standard limit. Two runs of five minutes each.
 */

const MINUTES = 5;
/** After the last end nothing should take longer than this. */
const PATIENCE_SECONDS = 120;

const random = seededRandom(7);

/** Every 20 s one to three orders begin, each to end 5 to 15 s later; in the list from the start, not found until then. */
function announcedOrders(): OrderRequest[] {
	return Array.from({ length: (MINUTES * 60) / 20 }, (_, turn) =>
		Array.from({ length: 1 + Math.floor(3 * random()) }, () => ({
			end: ENDS[Math.floor(3 * random())],
			beginsAfterSeconds: 20 * turn,
			endsAfterSeconds: 5 + 10 * random(),
		})),
	).flat();
}

const OPEN_ORDERS = 20;
/** How long the open orders have been open when the workflow is published. */
const MINUTE = 60;

/**
 * Orders that are open from the start. Each ends at a random moment of its own twentieth of the five minutes: so few ends
 * of one draw would else say more about the draw than about the trigger.
 */
function openOrders(): OrderRequest[] {
	return Array.from({ length: OPEN_ORDERS }, (_, index) => ({
		end: ENDS[Math.floor(3 * random())],
		endsAfterSeconds: MINUTE + (MINUTES * 60 * (index + random())) / OPEN_ORDERS,
	}));
}

const ENDS = ['completed', 'refunded', 'failed'] as const;

interface LiveResult {
	orders: number;
	meanSeconds: number;
	p95Seconds: number;
	lost: number;
	twice: number;
}

interface Start {
	sourceHash: string;
	startedAt: number;
	detectedAt: number;
}

async function startsOf({ client }: Rehearsal, workflowId: string): Promise<Start[]> {
	const summaries = (await client.executions(workflowId)).filter(({ status }) => status === 'success');
	const executions = await Promise.all(summaries.map(async ({ id }) => await client.execution(id)));
	return executions.flatMap((execution) =>
		itemsOf(execution, STEPS.notification).map((item) => ({
			sourceHash: String(item.sourceHash),
			startedAt: Date.parse(execution.startedAt),
			detectedAt: Date.parse(String(item.detectedAt)),
		})),
	);
}

async function measureRun(rehearsal: Rehearsal, name: string, orders: OrderSummary[], say: (line: string) => void): Promise<LiveResult> {
	const { client, control } = rehearsal;
	const credential = await rehearsal.credential('Bridge sandbox', rehearsal.rightCredential);
	const example = adapted(readExample('watch-orders'), control.sandbox.url, credential);
	const hashes = orders.map(({ sourceHash }) => sourceHash).join('\n');
	const workflow = await client.createWorkflow(withTriggerParameters({ ...example, name }, { sourceHashes: hashes }));
	await client.publish(workflow.id);
	const lastEnd = Math.max(...orders.map(({ endsAt }) => Date.parse(endsAt ?? '')));
	say(`${name}: ${orders.length} orders, the last ends in ${Math.round((lastEnd - Date.now()) / 1000)} s`);
	const seconds = (lastEnd - Date.now()) / 1000 + PATIENCE_SECONDS;
	await until(
		'all ends',
		async () => new Set((await startsOf(rehearsal, workflow.id)).map(({ sourceHash }) => sourceHash)).size >= orders.length,
		{ seconds, everyMilliseconds: 5_000 },
	).catch(() => undefined);
	const starts = await startsOf(rehearsal, workflow.id);
	await client.unpublish(workflow.id);

	const endOf = new Map((await control.orders()).map(({ sourceHash, endsAt }) => [sourceHash, Date.parse(endsAt ?? '')]));
	const delays = starts.map(({ sourceHash, startedAt }) => (startedAt - (endOf.get(sourceHash) ?? Number.NaN)) / 1000);
	const ofN8n = starts.map(({ startedAt, detectedAt }) => (startedAt - detectedAt) / 1000);
	const told = new Set(starts.map(({ sourceHash }) => sourceHash));
	say(`  of which n8n's own, from the trigger's start to the execution's: ${rounded(mean(ofN8n), 3)} s`);
	return {
		orders: orders.length,
		meanSeconds: rounded(mean(delays)),
		p95Seconds: rounded(quantile(delays, 0.95)),
		lost: orders.filter(({ sourceHash }) => !told.has(sourceHash)).length,
		twice: starts.length - told.size,
	};
}

async function measure(rehearsal: Rehearsal, say: (line: string) => void) {
	const { control } = rehearsal;
	const open = await control.announce(openOrders());
	const began = Date.now();
	await until('the open orders to be a minute old', () => Date.now() - began >= 1000 * MINUTE, { seconds: MINUTE + 5 });
	const openAtStart = await measureRun(rehearsal, 'Open from the start', open, say);
	const announced = await measureRun(rehearsal, 'Announced, beginning all the time', await control.announce(announcedOrders()), say);

	const table = new Table({ head: ['orders', 'number', 'mean', '95 % within', 'lost', 'twice'], style: { head: [], border: [] } });
	for (const [name, run] of [['announced', announced], ['open from the start', openAtStart]] as const) {
		table.push([name, run.orders, `${run.meanSeconds} s`, `${run.p95Seconds} s`, run.lost, run.twice]);
	}
	say(table.toString());
	const refused = (await control.requests()).filter(({ status }) => status === 429).length;
	say(`Requests that the service refused: ${refused}`);
	const reached = [announced, openAtStart].every(({ meanSeconds, lost, twice }) => meanSeconds <= 5 && lost === 0 && twice === 0);
	say(reached ? 'At most 5 s on average, none lost, none twice.' : 'Not as it should be: 5 s on average at most, none lost, none twice.');
	if (!reached || refused > 0) process.exitCode = 1;
	return { ...announced, openFromTheStart: openAtStart };
}

benchInRealN8n({}, measure).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
