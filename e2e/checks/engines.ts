import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import { ordersUrl, postOrder } from '../../realN8n/rehearsal/examples';
import { rowsOf } from '../../realN8n/server/database';
import { DURABLE_ENGINE } from '../../realN8n/server/environment';
import { eventIds, notificationsFor, publishWatch, type Stage } from './stage';

/** The durable engine polls when n8n's own table says so, also right after a start. */
const PATIENCE_SECONDS = 200;

/** n8n is switched to its durable poll engine and back while orders are open. */
export async function checkChangingEngines(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	const { env = {} } = rehearsal.options;
	await checks.check(
		'n8n is switched to its durable poll engine and back while orders are listed and posted: nothing is lost, and nothing comes twice',
		async () => {
			const [listed = [], posted = []] = [await control.openOrders(4), await control.openOrders(4)];
			const workflow = await publishWatch(stage, 'Changing engines', listed, {
				acceptOrders: true,
			});
			const post = async (index: number): Promise<void> => {
				const accepted = async () =>
					(await postOrder(ordersUrl(rehearsal.n8n.url, workflow), posted[index] ?? '')) === 202;
				await until('a post that is accepted', accepted, { seconds: PATIENCE_SECONDS });
			};
			/** One listed and one posted order finish; whatever has come by then. */
			const finish = async (index: number) => {
				for (const hash of [listed[index], posted[index]])
					await control.end(hash ?? '', 'completed');
				return await notificationsFor(
					stage,
					workflow.id,
					[...listed.slice(0, index + 1), ...posted.slice(0, index + 1)],
					PATIENCE_SECONDS,
				);
			};
			await post(0);
			await post(1);
			await finish(0);
			await rehearsal.restartN8n(undefined, { ...env, ...DURABLE_ENGINE });
			await post(2);
			await finish(1);
			// Its own table, with a row for each trigger.
			const [[cursor] = []] = await rowsOf(rehearsal.options, [
				{ sql: 'SELECT * FROM poller_state WHERE workflowId = ?', parameters: [workflow.id] },
			]);
			assert.ok(cursor, 'the durable engine has polled');
			await rehearsal.restartN8n(undefined, env);
			await post(3);
			await finish(2);
			assert.deepEqual(
				eventIds(await finish(3)),
				[...listed, ...posted].map((hash) => `${hash}:completed`).sort(),
			);
			await rehearsal.client.unpublish(workflow.id);
		},
	);
}
