import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../../realN8n/machine/until';
import {
	adapted,
	ordersUrl,
	postOrder,
	readExample,
	withTriggerParameters,
} from '../../realN8n/rehearsal/examples';
import { emittedItems } from '../../realN8n/rehearsal/notifications';
import {
	itemsOf,
	type Execution,
	type ExecutionSummary,
	type StoredWorkflow,
} from '../../realN8n/server/types';
import type { OrderSummary } from '../../sandbox';
import { publishWaiting, WAIT_STEP, Worker, type QueueStage } from './stage';

const ENDING_ORDERS = 200;
const ENDING_MINUTES = 5;
const WAITED_ITEMS = 500;
const ITEMS_A_RUN = 50;

/** The service's limit for each key. */
export const SERVICE_LIMIT = 100;

/** Keys of their own: what one check sends must not use up another's requests. */
export const KEYS = { trigger: 'trigger-key', wait: 'wait-key', kill: 'kill-key' } as const;

const PATIENCE_SECONDS = 120;
const WAIT_PATIENCE_SECONDS = 25 * 60;
const MAX_WAIT_MINUTES = 40;

/** What n8n needs to notice that a worker is gone: a lock of a minute and a check every half minute; its recovery comes every minute. */
const CRASH_PATIENCE_SECONDS = 300;

/** n8n's own default is 180 minutes. */
export const RECOVERY_ENV = { N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1' };

/** How n8n notes an execution whose worker is gone. */
const LOST = ['error', 'crashed'];

const UNFINISHED = ['new', 'running', 'waiting'];

async function publishWatch(
	{ rehearsal }: QueueStage,
	name: string,
	key: string,
	orders: readonly OrderSummary[],
): Promise<StoredWorkflow> {
	const { client, control } = rehearsal;
	const credential = await rehearsal.credential(`Bridge ${key}`, {
		...rehearsal.rightCredential,
		apiKey: key,
	});
	const example = adapted(readExample('watch-orders'), control.sandbox.url, credential);
	const sourceHashes = orders.map(({ sourceHash }) => sourceHash).join('\n');
	const workflow = await client.createWorkflow(
		withTriggerParameters({ ...example, name }, { sourceHashes }),
	);
	await client.publish(workflow.id);
	return workflow;
}

async function finishedExecutions(
	{ rehearsal }: QueueStage,
	workflowId: string,
): Promise<ExecutionSummary[]> {
	return (await rehearsal.client.executions(workflowId)).filter(
		({ status }) => !UNFINISHED.includes(status),
	);
}

/** Seconds from the end of each order to the start of its execution. */
function delaysOf(executions: readonly Execution[], orders: readonly OrderSummary[]): number[] {
	const endOf = new Map(
		orders.map(({ sourceHash, endsAt }) => [sourceHash, Date.parse(endsAt ?? '')]),
	);
	return executions.flatMap((execution) =>
		emittedItems(execution).map(
			({ sourceHash }) =>
				(Date.parse(execution.startedAt) - (endOf.get(String(sourceHash)) ?? Number.NaN)) / 1000,
		),
	);
}

async function readAll(
	{ rehearsal }: QueueStage,
	summaries: readonly ExecutionSummary[],
): Promise<Execution[]> {
	const executions: Execution[] = [];
	for (const { id } of summaries) executions.push(await rehearsal.client.execution(id));
	return executions;
}

/** The main process watches, the workers run what starts: each order starts one execution. */
export async function checkTriggerAndWorkers(stage: QueueStage): Promise<void> {
	const { checks, rehearsal, workers, services, say } = stage;
	const { control } = rehearsal;
	const ends = ['completed', 'refunded', 'failed'] as const;
	const orders = await control.announce(
		Array.from({ length: ENDING_ORDERS }, (_, index) => ({
			end: ends[index % ends.length],
			beginsAfterSeconds: 0,
			// Not in the order of the list, which would be that of the checks.
			endsAfterSeconds:
				10 + (ENDING_MINUTES * 60 - 20) * (((index * 73) % ENDING_ORDERS) / ENDING_ORDERS),
		})),
	);
	const workflow = await publishWatch(stage, 'Two hundred orders', KEYS.trigger, orders);
	await checks.check(
		`the trigger in the main process: ${ENDING_ORDERS} orders that finish within ${ENDING_MINUTES} minutes start one execution each`,
		async () => {
			const done = await until(
				`${ENDING_ORDERS} executions`,
				async () => {
					const finished = await finishedExecutions(stage, workflow.id);
					return finished.length >= ENDING_ORDERS ? finished : null;
				},
				{ seconds: ENDING_MINUTES * 60 + PATIENCE_SECONDS, everyMilliseconds: 5_000 },
			);
			const executions = await readAll(stage, done);
			const emitted = executions.flatMap((execution) =>
				emittedItems(execution).map(
					({ sourceHash, event }) => `${String(sourceHash)}:${String(event)}`,
				),
			);
			assert.deepEqual(
				emitted.sort(),
				orders.map(({ sourceHash, end }) => `${sourceHash}:${end}`).sort(),
			);
			assert.ok(executions.every(({ status, mode }) => status === 'success' && mode === 'trigger'));
			say(`    from the end to the start on a worker: ${spread(delaysOf(executions, orders))}`);
		},
	);
	await checks.check(
		'both workers ran executions of the trigger, the main process none',
		async () => {
			const ids = new Set((await rehearsal.client.executions(workflow.id)).map(({ id }) => id));
			const shares = workers.map(({ begun }) => begun.filter((id) => ids.has(id)).length);
			say(`    executions by worker: ${shares.join(', ')}`);
			assert.ok(shares.every((share) => share > 0));
			assert.equal(
				shares.reduce((sum, share) => sum + share, 0),
				ids.size,
			);
		},
	);
	const [row] = await services.query(
		`SELECT COUNT(*)::int AS executions, AVG(LENGTH(d.data))::int AS characters, AVG(pg_column_size(d.data))::int AS data,
			AVG(pg_column_size(d."workflowData"))::int AS workflow
		FROM execution_data d JOIN execution_entity e ON e.id = d."executionId" WHERE e."workflowId" = $1`,
		[workflow.id],
	);
	say(
		`    in PostgreSQL, mean of ${String(row?.executions)} executions: ${String(row?.data)} bytes of items (${String(row?.characters)} before compression), ${String(row?.workflow)} of workflow`,
	);
	await rehearsal.client.unpublish(workflow.id);
}

/** While items are waited for, orders are posted to a trigger of the same key: how far apart, how many, and how soon each must be seen. */
const POSTED_EVERY_SECONDS = 30;
const POSTED_ORDERS = 10;
const MAX_POSTED_SECONDS = 60;

/** Both workers wait, and a trigger in the main process watches, with one key, each in the belief that it has the service to itself. */
export async function checkWaiting(stage: QueueStage, requestsPerMinute: number): Promise<void> {
	const { checks, rehearsal, workers, say } = stage;
	const { control, client } = rehearsal;
	const data = { ...rehearsal.rightCredential, apiKey: KEYS.wait, requestsPerMinute };
	const credential = await rehearsal.credential('Bridge for waiting', data);
	const waiting = await publishWaiting(stage, 'Wait', credential, MAX_WAIT_MINUTES);
	const watch = await publishWatch(stage, 'Posted meanwhile', KEYS.wait, []);
	let posting: Promise<OrderSummary[]> | undefined;
	const name = `Wait for Completion: ${WAITED_ITEMS} items over both workers with one key, ${requestsPerMinute} requests a minute in each`;
	await checks.check(`${name}: all finish`, async () => {
		const orders = await control.announce(
			Array.from({ length: WAITED_ITEMS }, () => ({ end: 'completed' as const })),
		);
		const hashes = orders.map(({ sourceHash }) => sourceHash);
		const begin = Date.now();
		posting = postSteadily(stage, watch);
		posting.catch(() => undefined);
		for (let at = 0; at < hashes.length; at += ITEMS_A_RUN)
			await waiting.start(hashes.slice(at, at + ITEMS_A_RUN));
		const runs = WAITED_ITEMS / ITEMS_A_RUN;
		const done = await until(
			`${runs} executions that wait`,
			async () => {
				const finished = await finishedExecutions(stage, waiting.workflow.id);
				return finished.length >= runs ? finished : null;
			},
			{ seconds: WAIT_PATIENCE_SECONDS, everyMilliseconds: 5_000 },
		);
		const executions = await readAll(stage, done);
		const seconds =
			(Math.max(...executions.map(({ stoppedAt }) => Date.parse(String(stoppedAt)))) - begin) /
			1000;
		const mine = new Set(hashes);
		const checks = (await control.requests()).filter(({ query }) =>
			mine.has(String(query.sourceHash)),
		);
		const refused = checks.filter(({ status }) => status === 429).length;
		const ids = new Set(executions.map(({ id }) => id));
		const byWorker = workers.map(
			({ begun }) => begun.filter((id) => ids.has(id)).length * ITEMS_A_RUN,
		);
		say(
			`    ${seconds.toFixed(0)} s, ${checks.length} requests, ${refused} of them answered with 429; items by worker: ${byWorker.join(', ')}`,
		);
		for (const { name: worker, begun } of workers) {
			const ends = executions
				.filter(({ id }) => begun.includes(id))
				.map(({ stoppedAt }) => Date.parse(String(stoppedAt)) - begin);
			say(
				`    ${worker}: executions ended after ${ends
					.sort((a, b) => a - b)
					.map((ms) => Math.round(ms / 1000))
					.join(', ')} s`,
			);
		}
		assert.deepEqual(
			executions.map(({ status, error }) => [status, error]),
			executions.map(() => ['success', null]),
		);
		const completed = executions.flatMap((execution) => itemsOf(execution, WAIT_STEP, 0));
		assert.equal(completed.length, WAITED_ITEMS, 'items that came out as completed');
		assert.ok(
			byWorker.every((items) => items > 0),
			'both workers took part',
		);
		if (requestsPerMinute * workers.length <= SERVICE_LIMIT)
			assert.equal(refused, 0, 'each keeps to its share');
	});
	await checks.check(
		`a trigger in the main process with the same key: ${POSTED_ORDERS} orders posted meanwhile are seen within ${MAX_POSTED_SECONDS} seconds`,
		async () => {
			const orders = (await posting) ?? [];
			const done = await until(
				`${POSTED_ORDERS} executions`,
				async () => {
					const finished = await finishedExecutions(stage, watch.id);
					return finished.length >= POSTED_ORDERS ? finished : null;
				},
				{ seconds: PATIENCE_SECONDS, everyMilliseconds: 1_000 },
			);
			const delays = delaysOf(await readAll(stage, done), orders);
			say(`    from the end to the start on a worker: ${spread(delays)}`);
			assert.equal(delays.length, POSTED_ORDERS);
			assert.ok(Math.max(...delays) <= MAX_POSTED_SECONDS);
		},
	);
	await client.unpublish(watch.id);
	await client.unpublish(waiting.workflow.id);
}

async function postSteadily(
	{ rehearsal }: QueueStage,
	watch: StoredWorkflow,
): Promise<OrderSummary[]> {
	const { control, n8n } = rehearsal;
	const orders: OrderSummary[] = [];
	for (let count = 0; count < POSTED_ORDERS; count++) {
		await delay(1000 * POSTED_EVERY_SECONDS);
		const [order] = await control.announce([{ end: 'completed' }]);
		assert.ok(order !== undefined);
		assert.equal(await postOrder(ordersUrl(n8n.url, watch), order.sourceHash), 202);
		orders.push(order);
	}
	return orders;
}

const KILLED_ORDERS = 40;
const KILLED_SECONDS = 60;

/**
 * A worker is killed while it runs executions. What n8n does, and what is checked: what the worker was running is not run
 * again. Another worker finds the lock of its job stale, and the main process that had queued it notes it as failed; if
 * that process has restarted meanwhile, n8n's recovery marks it as crashed. What was queued the others run.
 */
export async function checkKilledWorker(stage: QueueStage): Promise<void> {
	const { checks, rehearsal, workers, say } = stage;
	const { control, client } = rehearsal;
	const credential = await rehearsal.credential('Bridge for the kill', {
		...rehearsal.rightCredential,
		apiKey: KEYS.kill,
	});
	const waiting = await publishWaiting(
		stage,
		'Wait while a worker is killed',
		credential,
		MAX_WAIT_MINUTES,
	);
	const orders = await control.announce(
		Array.from({ length: KILLED_ORDERS }, (_, index) => ({
			end: 'completed' as const,
			endsAfterSeconds: 20 + (KILLED_SECONDS * index) / KILLED_ORDERS,
		})),
	);
	const watch = await publishWatch(stage, 'Orders while a worker is killed', KEYS.trigger, orders);
	const [killed, survivor] = workers;
	assert.ok(killed !== undefined && survivor !== undefined);

	const open = await control.openOrders(2 * MAX_TRIES);
	const running = await untilBothRun(stage, waiting, open);
	const waitingIds = (await client.executions(waiting.workflow.id)).map(({ id }) => id);
	await until(
		'the first events',
		async () => (await finishedExecutions(stage, watch.id)).length >= 5,
		{ seconds: PATIENCE_SECONDS },
	);
	say(`    kill -9 of ${killed.name}, which runs execution ${running.onKilled}`);
	killed.server.kill();
	await killed.server.ended();
	const lost = killed.begun.filter((id) => !killed.finished.includes(id));

	await checks.check(
		'a killed worker: what it ran is noted as failed, and not run again',
		async () => {
			const killedAt = Date.now();
			const lostRun = await until(
				`execution ${running.onKilled} to be marked`,
				async () => {
					const all = await client.executions(waiting.workflow.id);
					return all.find(({ id, status }) => id === running.onKilled && LOST.includes(status));
				},
				{ seconds: CRASH_PATIENCE_SECONDS, everyMilliseconds: 2_000 },
			);
			const { error } = await client.execution(lostRun.id);
			say(
				`    noted as ${lostRun.status} after ${Math.round((Date.now() - killedAt) / 1000)} s: ${String(error?.message)}`,
			);
			assert.ok(!survivor.begun.includes(running.onKilled), 'no other worker runs it again');
			assert.equal(
				(await client.executions(waiting.workflow.id)).length,
				waitingIds.length,
				'and nobody starts it again',
			);
		},
	);
	await checks.check('a killed worker: the executions of the other one continue', async () => {
		const checksBefore = await control.checksOf(running.hashOnSurvivor);
		await until(
			'a further check',
			async () => (await control.checksOf(running.hashOnSurvivor)) > checksBefore,
			{ seconds: PATIENCE_SECONDS },
		);
		await control.end(running.hashOnSurvivor, 'completed');
		const execution = await client.executionEnd(running.onSurvivor, PATIENCE_SECONDS);
		assert.equal(execution.status, 'success');
	});
	await checks.check(
		`a killed worker: ${KILLED_ORDERS} orders that finish meanwhile start one execution each; only what the worker was running is lost`,
		async () => {
			const finished = await until(
				`${KILLED_ORDERS} executions`,
				async () => {
					const all = await finishedExecutions(stage, watch.id);
					return all.length >= KILLED_ORDERS ? all : null;
				},
				{ seconds: CRASH_PATIENCE_SECONDS, everyMilliseconds: 2_000 },
			);
			assert.equal(finished.length, KILLED_ORDERS);
			const unsuccessful = finished.filter(({ status }) => status !== 'success');
			say(
				`    ${finished.length - unsuccessful.length} successful, ${unsuccessful.length} lost; ${lost.length} were running on the killed worker`,
			);
			assert.deepEqual(
				unsuccessful.filter(({ id, status }) => !(LOST.includes(status) && lost.includes(id))),
				[],
			);
			const emitted = (await readAll(stage, finished)).flatMap((execution) =>
				emittedItems(execution).map(
					({ sourceHash, event }) => `${String(sourceHash)}:${String(event)}`,
				),
			);
			assert.equal(new Set(emitted).size, emitted.length, 'none twice');
			assert.equal(emitted.length, KILLED_ORDERS - unsuccessful.length);
		},
	);
	await checks.check('a worker that is started in its place takes up work', async () => {
		const fresh = await Worker.start(stage, 'worker-3');
		workers.push(fresh);
		const [hash = ''] = await control.openOrders(1);
		await until(
			'the new worker to run something',
			async () => {
				await waiting.start([hash]);
				return fresh.begun.length > 0;
			},
			{ seconds: PATIENCE_SECONDS, everyMilliseconds: 1000 },
		);
		await control.end(hash, 'completed');
	});
	await client.unpublish(watch.id);
	await client.unpublish(waiting.workflow.id);
}

const MAX_TRIES = 10;

/** Starts executions of one open order each until both workers run one. */
async function untilBothRun(
	{ workers: [killed, survivor], rehearsal }: QueueStage,
	waiting: { workflow: StoredWorkflow; start(hashes: readonly string[]): Promise<void> },
	open: readonly string[],
): Promise<{ onKilled: string; onSurvivor: string; hashOnSurvivor: string }> {
	assert.ok(killed !== undefined && survivor !== undefined);
	const known = new Set<string>();
	const started: Array<{ id: string; hash: string }> = [];
	for (const hash of open) {
		await waiting.start([hash]);
		const id = await until(
			'the execution to begin',
			async () => {
				const ids = (await rehearsal.client.executions(waiting.workflow.id))
					.map((each) => each.id)
					.filter((each) => !known.has(each));
				return ids.find((each) => killed.begun.includes(each) || survivor.begun.includes(each));
			},
			{ seconds: PATIENCE_SECONDS },
		);
		known.add(id);
		started.push({ id, hash });
		const onKilled = started.find((each) => killed.begun.includes(each.id));
		const onSurvivor = started.find((each) => survivor.begun.includes(each.id));
		if (onKilled && onSurvivor)
			return { onKilled: onKilled.id, onSurvivor: onSurvivor.id, hashOnSurvivor: onSurvivor.hash };
	}
	throw new Error(`${open.length} executions, and not one on each worker`);
}

function spread(seconds: readonly number[]): string {
	const sorted = [...seconds].sort((a, b) => a - b);
	const at = (share: number) =>
		(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN).toFixed(1);
	const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
	return `mean ${mean.toFixed(1)} s, 95 % within ${at(0.95)} s, longest ${at(1)} s`;
}
