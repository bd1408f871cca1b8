import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../realN8n/machine/until';
import {
	adapted,
	ordersUrl,
	postOrder,
	readExample,
	STEPS,
	withTriggerParameters,
} from '../realN8n/rehearsal/examples';
import type { Rehearsal } from '../realN8n/rehearsal/rehearsal';
import { itemsOf, type JsonObject, type StoredWorkflow } from '../realN8n/server/types';
import type { OrderRequest } from '../sandbox';
import { mean, quantile, rounded } from './realN8n';
import type { Random } from './simulation/random';

/** Requests from before n8n began are not known, so that the budget is full a minute later. */
const FIRST_MINUTE_MS = 65_000;

/** Waits until n8n has run for a minute, as it has in use. */
export async function untilUnpaced(say: (line: string) => void): Promise<void> {
	say('n8n runs for a minute first: in its first one the budget is paced');
	await delay(FIRST_MINUTE_MS);
}

/** One run of a published trigger in a real n8n: orders finish in the sandbox, executions start. */
export interface WatchedRun {
	name: string;
	/** API key of only this run, so that no run finds the minute of the one before half used. The sandbox must know it. */
	apiKey: string;
	/** Parameters of the trigger, besides the list. */
	parameters?: JsonObject;
	/**
	 * `listed`: all orders are in the trigger's list when it is published, and the service knows each from its beginning.
	 * `posted`: each is posted to the trigger's webhook at its beginning.
	 */
	arrival: 'listed' | 'posted';
	orders: OrderRequest[];
	/** How old listed orders are when the workflow is published, in seconds. Default 0. */
	ageSeconds?: number;
}

export interface RunFigures {
	orders: number;
	/** From the moment an order finishes to the start of its execution; null if nothing started. */
	meanSeconds: number | null;
	/** 95 % within. */
	p95Seconds: number | null;
	/** Without an execution, refused posts among them. */
	lost: number;
	/** Executions beyond the first of each order. */
	twice: number;
	/** Requests that the service refused with 429. */
	refused: number;
}

export const FINAL_STATUSES = ['completed', 'refunded', 'failed'] as const;

/** After the last order has finished nothing should take longer than this. */
const PATIENCE_SECONDS = 120;
/** From its beginning until an order is finished, as the service has it. */
const TYPICAL_SECONDS = { from: 5, to: 15 };

/**
 * Orders that finish 5 to 15 s after their beginning (or as given), one in each of as many equal parts of that time, in a
 * random order: one draw of a few would else say more about the draw than about the trigger.
 * @param beginsAfterSeconds of the order at an index
 */
export function evenlyFinishing(
	count: number,
	random: Random,
	beginsAfterSeconds: (index: number) => number = () => 0,
	{ from, to } = TYPICAL_SECONDS,
): OrderRequest[] {
	const parts = Array.from({ length: count }, (_, part) => ({ part, rank: random() })).sort(
		(a, b) => a.rank - b.rank,
	);
	return parts.map(({ part }, index) => ({
		end: FINAL_STATUSES[Math.floor(FINAL_STATUSES.length * random())],
		beginsAfterSeconds: beginsAfterSeconds(index),
		endsAfterSeconds: from + ((to - from) * (part + random())) / count,
	}));
}

/** Publishes the example with the run's orders, waits until all have come, and unpublishes it. */
export async function measureRun(
	rehearsal: Rehearsal,
	run: WatchedRun,
	say: (line: string) => void,
): Promise<RunFigures> {
	const { client, control } = rehearsal;
	say(`${run.name}: ${run.orders.length} orders`);
	const credential = await rehearsal.credential(`Bench ${run.name}`, {
		...rehearsal.rightCredential,
		apiKey: run.apiKey,
	});
	const refusedBefore = await refusedRequests(rehearsal);
	const publish = async (sourceHashes: string[]): Promise<StoredWorkflow> => {
		const example = adapted(readExample('watch-orders'), control.sandbox.url, credential);
		// Only the full item says when the trigger saw its order.
		const read = { sourceHashes: sourceHashes.join('\n'), simplify: false };
		const parameters = { ...run.parameters, ...read };
		const workflow = await client.createWorkflow(
			withTriggerParameters({ ...example, name: run.name }, parameters),
		);
		await client.publish(workflow.id);
		return workflow;
	};
	const { workflow, watched } =
		run.arrival === 'listed'
			? await listOrders(rehearsal, run, publish)
			: await postOrders(rehearsal, run, await publish([]), say);

	const finishedAt = new Map(
		(await control.orders()).map(({ sourceHash, endsAt }) => [
			sourceHash,
			Date.parse(endsAt ?? ''),
		]),
	);
	const starts = new Starts(rehearsal, workflow.id);
	const last = Math.max(
		Date.now(),
		...watched.map((sourceHash) => finishedAt.get(sourceHash) ?? 0),
	);
	await until('all executions', async () => (await starts.read()).hashes.size >= watched.length, {
		seconds: (last - Date.now()) / 1000 + PATIENCE_SECONDS,
		everyMilliseconds: 5_000,
	}).catch(() => undefined);
	const { all, hashes } = await starts.read();
	await client.unpublish(workflow.id);

	const delays = all.map(
		({ sourceHash, startedAt }) => (startedAt - (finishedAt.get(sourceHash) ?? Number.NaN)) / 1000,
	);
	const ofN8n = all.map(({ startedAt, detectedAt }) => (startedAt - detectedAt) / 1000);
	const figures: RunFigures = {
		orders: run.orders.length,
		meanSeconds: delays.length === 0 ? null : rounded(mean(delays)),
		p95Seconds: delays.length === 0 ? null : rounded(quantile(delays, 0.95)),
		lost: run.orders.length - hashes.size,
		twice: all.length - hashes.size,
		refused: (await refusedRequests(rehearsal)) - refusedBefore,
	};
	say(
		`  mean ${inSeconds(figures.meanSeconds)}, 95 % within ${inSeconds(figures.p95Seconds)}, lost ${figures.lost}, twice ${figures.twice}`,
	);
	if (delays.length > 0)
		say(
			`  of which n8n's own, from the trigger's event to the execution: ${rounded(mean(ofN8n), 3)} s`,
		);
	return figures;
}

/** For people; a dash where nothing was measured. */
export function inSeconds(value: number | null): string {
	return value === null ? '-' : `${value} s`;
}

interface Watched {
	workflow: StoredWorkflow;
	/** Source hashes that the trigger has taken. */
	watched: string[];
}

async function listOrders(
	{ control }: Rehearsal,
	{ orders, ageSeconds = 0 }: WatchedRun,
	publish: (sourceHashes: string[]) => Promise<StoredWorkflow>,
): Promise<Watched> {
	const watched = (await control.announce(orders)).map(({ sourceHash }) => sourceHash);
	await delay(1000 * ageSeconds);
	return { workflow: await publish(watched), watched };
}

/** Each order begins when its time has come, and is posted in that moment; those of one time are posted side by side. */
async function postOrders(
	{ control, n8n }: Rehearsal,
	{ orders }: WatchedRun,
	workflow: StoredWorkflow,
	say: (line: string) => void,
): Promise<Watched> {
	const address = ordersUrl(n8n.url, workflow);
	const began = Date.now();
	const answers: Array<Promise<string | null>> = [];
	for (const seconds of [
		...new Set(orders.map(({ beginsAfterSeconds = 0 }) => beginsAfterSeconds)),
	].sort((a, b) => a - b)) {
		await delay(Math.max(0, began + 1000 * seconds - Date.now()));
		const group = orders.filter(({ beginsAfterSeconds = 0 }) => beginsAfterSeconds === seconds);
		const announced = await control.announce(
			group.map((order) => ({ ...order, beginsAfterSeconds: 0 })),
		);
		answers.push(
			...announced.map(async ({ sourceHash }) =>
				(await postOrder(address, sourceHash)) === 202 ? sourceHash : null,
			),
		);
	}
	const watched = (await Promise.all(answers)).filter((sourceHash) => sourceHash !== null);
	if (watched.length < orders.length)
		say(`  ${orders.length - watched.length} posts were not accepted`);
	return { workflow, watched };
}

async function refusedRequests({ control }: Rehearsal): Promise<number> {
	return (await control.requests()).filter(({ status }) => status === 429).length;
}

interface Start {
	sourceHash: string;
	/** When n8n started the execution, in milliseconds since 1970. */
	startedAt: number;
	/** When the trigger saw it, likewise. */
	detectedAt: number;
}

/** The executions of a workflow, each read once. */
class Starts {
	private readonly known = new Map<string, Start[]>();

	constructor(
		private readonly rehearsal: Rehearsal,
		private readonly workflowId: string,
	) {}

	async read(): Promise<{ all: Start[]; hashes: Set<string> }> {
		const { client } = this.rehearsal;
		const summaries = await client.executions(this.workflowId);
		for (const { id } of summaries.filter(
			(each) => each.status === 'success' && !this.known.has(each.id),
		)) {
			const execution = await client.execution(id);
			const starts = itemsOf(execution, STEPS.trigger).map((item) => ({
				sourceHash: String(item.sourceHash),
				startedAt: Date.parse(execution.startedAt),
				detectedAt: Date.parse(String(item.detectedAt)),
			}));
			this.known.set(id, starts);
		}
		const all = [...this.known.values()].flat();
		return { all, hashes: new Set(all.map(({ sourceHash }) => sourceHash)) };
	}
}
