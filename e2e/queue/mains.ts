import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../../realN8n/machine/until';
import { adapted, readExample, withTriggerParameters } from '../../realN8n/rehearsal/examples';
import { emittedItems, sourceHashIn } from '../../realN8n/rehearsal/notifications';
import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import { N8nServer, type N8nOptions } from '../../realN8n/server/server';
import type { CheckList } from '../checks/checkList';
import type { QueueServices } from './services';

/** Two main processes on one database. */

const PATIENCE_SECONDS = 300;
const ORDERS = 120;
const ENDING_SECONDS = 480;

/** Each longer than n8n's lease on a poll, which n8n then runs again next to the next one, in whichever main. */
const SUSPENDED_MS = [64_000, 64_000, 90_000];

/** After that n8n has run the poll again, and the next one next to it. */
const AFTERWARDS_MS = 50_000;

/** Polls that begin within so short a time cannot know of each other: what each commits first is not there yet. */
const SAME_MOMENT_MS = 1_000;

/** A start that takes n8n longer may be committed after a later one, and the state that goes with it as well; n8n keeps whole seconds. */
const SLOW_COMMIT_MS = 2_000;

/** How often n8n's table of tasks is read. */
const READ_EVERY_MS = 500;

/** n8n abandons a poll after 45 seconds. */
const MAX_POLL_MS = 50_000;

/** n8n's durable poll engine: polls are jobs in the database, and only the process that takes one runs it. */
export const DURABLE_ENV = {
	EXECUTIONS_MODE: 'regular',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

/** n8n's own message for a feature that needs a license. */
const NO_LICENSE = /Your license does not allow for feat:multipleMainInstances/;

/** Several mains of which one leads need a license: n8n says so and does not start. */
export async function checkMultiMainNeedsLicense(
	checks: CheckList,
	options: N8nOptions,
	queueEnv: Record<string, string>,
): Promise<void> {
	await checks.check(
		'n8n refuses a multi-main setup without a license, in its own words',
		async () => {
			const env = { ...queueEnv, N8N_MULTI_MAIN_SETUP_ENABLED: 'true' };
			const starting = N8nServer.start({
				...options,
				userFolder: join(options.userFolder, 'multi-main'),
				port: undefined,
				env,
			});
			const started = starting.then(async (server) => {
				await server.stop();
				throw new Error('It started.');
			});
			await assert.rejects(started, NO_LICENSE);
		},
	);
}

interface Start {
	id: string;
	sourceHash: string;
	createdAt: Date;
}

/** How long n8n took from the event to its execution. */
async function commitMs({ client }: Rehearsal, { id, createdAt }: Start): Promise<number> {
	const [item] = emittedItems(await client.execution(id));
	return createdAt.getTime() - Date.parse(String(item?.detectedAt));
}

/**
 * Two mains that know nothing of each other, with the durable engine on one database. n8n offers no such setup by
 * name. The check is about what the trigger does in it.
 */
export async function checkTwoDurableMains(
	services: QueueServices,
	checks: CheckList,
	rehearsal: Rehearsal,
	say: (line: string) => void,
): Promise<void> {
	const { client, control } = rehearsal;
	const second = await N8nServer.start({
		...rehearsal.options,
		userFolder: join(rehearsal.options.userFolder, 'second-main'),
		port: undefined,
	});
	try {
		const orders = await control.announce(
			Array.from({ length: ORDERS }, (_, index) => ({
				end: 'completed' as const,
				endsAfterSeconds: 20 + (ENDING_SECONDS * index) / ORDERS,
			})),
		);
		const [open = ''] = await control.openOrders(1);
		const credential = await rehearsal.credential('Bridge sandbox', rehearsal.rightCredential);
		const example = adapted(readExample('watch-orders'), control.sandbox.url, credential);
		const sourceHashes = [open, ...orders.map(({ sourceHash }) => sourceHash)].join('\n');
		const workflow = await client.createWorkflow(
			withTriggerParameters(
				{ ...example, name: 'Two mains' },
				{ sourceHashes, acceptOrders: false, simplify: false },
			),
		);
		await client.publish(workflow.id);
		// An execution counts as soon as n8n has made it, also one that the killed process could not finish.
		const starts = async (): Promise<Start[]> => {
			const rows = await services.query(
				`SELECT e.id, d.data, e."createdAt" FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
				WHERE e."workflowId" = $1 AND e.mode = 'trigger' ORDER BY e.id`,
				[workflow.id],
			);
			return rows.map(({ id, data, createdAt }) => ({
				id: String(id),
				sourceHash: sourceHashIn(String(data)) ?? 'no order',
				createdAt: createdAt as Date,
			}));
		};
		const emitted = async (): Promise<string[]> =>
			(await starts()).map(({ sourceHash }) => sourceHash);
		const polls = new BegunPolls(services);
		await checks.check(
			`two mains with the durable engine, one suspended for ${SUSPENDED_MS.map((ms) => ms / 1000).join(', ')} s when a poll begins, the other one killed: ${ORDERS} orders start one execution each`,
			async () => {
				const suspensions: Array<{ from: number; to: number }> = [];
				for (const ms of SUSPENDED_MS) {
					await polls.next();
					// Not while it commits that it is at work: what is under way to the database comes too late by all that.
					await delay(5_000);
					say(`    the first main is suspended at ${new Date().toISOString()}`);
					const from = Date.now();
					rehearsal.n8n.suspend();
					await polls.readFor(ms);
					suspensions.push({ from, to: Date.now() });
					rehearsal.n8n.resume();
					say(`    resumed; ${(await emitted()).length} events so far`);
					await polls.readFor(AFTERWARDS_MS);
				}
				say(`    kill -9 of the second main at ${new Date().toISOString()}`);
				second.kill();
				await second.ended();
				try {
					await until('all events', async () => new Set(await emitted()).size >= ORDERS, {
						seconds: PATIENCE_SECONDS,
						everyMilliseconds: 2_000,
					});
				} catch (error) {
					const came = new Set(await emitted());
					const missing = orders.filter(({ sourceHash }) => !came.has(sourceHash));
					await polls.read();
					say(`    not started: ${missing.map(({ sourceHash }) => sourceHash).join(', ')}`);
					say(`    the first main is ${rehearsal.n8n.isRunning ? 'running' : 'gone'}`);
					say(`    polls began at ${polls.before(new Date()).join(', ')}; tasks of n8n:`);
					for (const task of await polls.tasks()) say(`    ${JSON.stringify(task)}`);
					say(rehearsal.n8n.log.split('\n').slice(-40).join('\n'));
					throw error;
				}
				// An order that stays open shows the polls after that, in which a repetition would have come.
				await control.furtherChecksOf(open, 10, PATIENCE_SECONDS);
				await polls.read();
				const all = await starts();
				const unexplained: string[] = [];
				for (const { sourceHash } of orders) {
					const ofOrder = all.filter((start) => start.sourceHash === sourceHash);
					const [first, ...again] = ofOrder;
					if (first === undefined || again.length === 0) continue;
					const took: number[] = [];
					for (const start of ofOrder) took.push(await commitMs(rehearsal, start));
					// n8n commits the execution and the state together, and with it waits who comes meanwhile.
					const isCutInTwo = suspensions.some(
						({ from, to }) =>
							Math.abs(from - first.createdAt.getTime()) < SLOW_COMMIT_MS &&
							again.every(({ createdAt }) => createdAt.getTime() >= to),
					);
					const isExplained =
						(took[0] ?? 0) > SLOW_COMMIT_MS ||
						isCutInTwo ||
						again.every(({ createdAt }) => polls.hadTwoAtOnce(createdAt));
					say(
						`    ${sourceHash} started at ${ofOrder.map(({ createdAt }) => createdAt.toISOString()).join(', ')}; n8n took ${took.join(', ')} ms to make these executions; polls began at ${polls.before(first.createdAt).join(', ')}, and before the next at ${again.map(({ createdAt }) => polls.before(createdAt).join(', ')).join('; ')}`,
					);
					if (!isExplained) unexplained.push(sourceHash);
				}
				assert.deepEqual(unexplained, []);
				assert.deepEqual(
					[...new Set(all.map(({ sourceHash }) => sourceHash))].sort(),
					orders.map(({ sourceHash }) => sourceHash).sort(),
				);
			},
		);
		await client.unpublish(workflow.id);
	} finally {
		await second.stop();
	}
}

/** When polls began, as n8n's table of tasks says; a poll that is run again overwrites when it began before. */
class BegunPolls {
	private readonly begun = new Map<string, number>();

	constructor(private readonly services: QueueServices) {}

	/** Reads again and again for so long, because n8n overwrites when a poll began as soon as it runs it once more. */
	async readFor(ms: number): Promise<void> {
		for (const end = Date.now() + ms; Date.now() < end; await delay(READ_EVERY_MS))
			await this.read();
	}

	async read(): Promise<void> {
		const rows = await this.services.query(
			`SELECT id, "leaseEpoch", "startedAt" FROM scheduled_task
			WHERE "taskType" = 'workflow:poll-trigger' AND "startedAt" IS NOT NULL`,
		);
		for (const { id, leaseEpoch, startedAt } of rows)
			this.begun.set(`${String(id)} ${String(leaseEpoch)}`, (startedAt as Date).getTime());
	}

	/** The newest of n8n's table of tasks. */
	async tasks(): Promise<unknown[]> {
		return await this.services.query('SELECT * FROM scheduled_task ORDER BY id DESC LIMIT 5');
	}

	/** Waits until one more has begun. */
	async next(): Promise<void> {
		await this.read();
		const before = this.begun.size;
		await until(
			'a poll to begin',
			async () => {
				await this.read();
				return this.begun.size > before;
			},
			{ seconds: PATIENCE_SECONDS, everyMilliseconds: 200 },
		);
	}

	/** When those began that may have been at work then. */
	before(moment: Date): string[] {
		return this.atWork(moment).map((at) => new Date(at).toISOString());
	}

	hadTwoAtOnce(moment: Date): boolean {
		const began = this.atWork(moment);
		return began.some((at, index) => at - (began[index - 1] ?? 0) < SAME_MOMENT_MS);
	}

	private atWork(moment: Date): number[] {
		// n8n keeps whole seconds.
		const end = moment.getTime() + 1_000;
		return [...this.begun.values()]
			.filter((at) => at <= end && at > end - MAX_POLL_MS)
			.sort((a, b) => a - b);
	}
}
