import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../../realN8n/machine/until';
import { adapted, readExample, withTriggerParameters } from '../../realN8n/rehearsal/examples';
import { sourceHashIn } from '../../realN8n/rehearsal/notifications';
import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import { N8nServer, type N8nOptions } from '../../realN8n/server/server';
import type { CheckList } from '../checks/checkList';
import type { QueueServices } from './services';

/** Two main processes on one database. */

const PATIENCE_SECONDS = 300;
const ORDERS = 60;
const ENDING_SECONDS = 300;

/** Longer than n8n's lease on a poll: the other main takes it over. */
const SUSPENDED_MS = 90_000;

/** n8n's durable poll engine: polls are jobs in the database, and only whoever takes one runs it. */
export const DURABLE_ENV = {
	EXECUTIONS_MODE: 'regular',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

/** n8n's own message for a feature that needs a licence. */
const NO_LICENCE = /Your license does not allow for feat:multipleMainInstances/;

/** Several mains of which one leads need a licence: n8n says so and does not start. */
export async function checkMultiMainNeedsLicence(
	checks: CheckList,
	options: N8nOptions,
	queueEnv: Record<string, string>,
): Promise<void> {
	await checks.check(
		'n8n refuses a multi-main setup without a licence, in its own words',
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
			await assert.rejects(started, NO_LICENCE);
		},
	);
}

/**
 * Two mains that know nothing of each other, with the durable engine on one database. n8n offers no such setup by
 * name; what is checked is what the trigger does in it.
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
				{ sourceHashes, acceptOrders: false },
			),
		);
		await client.publish(workflow.id);
		// An execution counts as soon as n8n has made it, also one that the killed process could not finish.
		const starts = async (): Promise<Array<{ sourceHash: string; createdAt: string }>> => {
			const rows = await services.query(
				`SELECT d.data, e."createdAt" FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
				WHERE e."workflowId" = $1 AND e.mode = 'trigger' ORDER BY e.id`,
				[workflow.id],
			);
			return rows.map(({ data, createdAt }) => ({
				sourceHash: sourceHashIn(String(data)) ?? 'no order',
				createdAt: String(createdAt),
			}));
		};
		const emitted = async (): Promise<string[]> =>
			(await starts()).map(({ sourceHash }) => sourceHash);
		await checks.check(
			`two mains with the durable engine, one suspended for ${SUSPENDED_MS / 1000} s, the other one killed: ${ORDERS} orders start one execution each`,
			async () => {
				await until('a tenth of the events', async () => (await emitted()).length >= ORDERS / 10, {
					seconds: PATIENCE_SECONDS,
				});
				say(`    the first main is suspended at ${new Date().toISOString()}`);
				rehearsal.n8n.suspend();
				await delay(SUSPENDED_MS);
				const meanwhile = (await emitted()).length;
				rehearsal.n8n.resume();
				say(`    resumed; ${meanwhile} events so far`);
				await until(
					'two thirds of the events',
					async () => (await emitted()).length >= (2 * ORDERS) / 3,
					{ seconds: PATIENCE_SECONDS },
				);
				say(`    kill -9 of the second main at ${new Date().toISOString()}`);
				second.kill();
				await second.ended();
				await until('all events', async () => new Set(await emitted()).size >= ORDERS, {
					seconds: PATIENCE_SECONDS,
					everyMilliseconds: 2_000,
				});
				// An order that stays open shows the polls after that, in which a repetition would have come.
				await control.furtherChecksOf(open, 10, PATIENCE_SECONDS);
				const all = await starts();
				for (const { sourceHash, createdAt } of all.filter(
					(one) => all.filter((other) => other.sourceHash === one.sourceHash).length > 1,
				)) {
					say(`    emitted more than once: ${sourceHash}, execution made at ${createdAt}`);
				}
				assert.deepEqual(
					all.map(({ sourceHash }) => sourceHash).sort(),
					orders.map(({ sourceHash }) => sourceHash).sort(),
				);
			},
		);
		await client.unpublish(workflow.id);
	} finally {
		await second.stop();
	}
}
