import assert from 'node:assert/strict';

import axios from 'axios';

import { until } from '../../realN8n/machine/until';
import { ordersUrl } from '../../realN8n/rehearsal/examples';
import { DURABLE_ENGINE } from '../../realN8n/server/environment';
import { eventIds, notificationsFor, publishWatch, type Stage } from './stage';

/** The durable engine polls when n8n's own table says so, also right after a start. */
const PATIENCE_SECONDS = 200;

/** n8n is switched to its durable poll engine and back while orders are open. */
export async function checkChangingEngines(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;
	const { env = {} } = rehearsal.options;
	await checks.check('n8n is switched to its durable poll engine and back while orders are listed and posted: nothing is lost, and only events of the time between may come twice', async () => {
		const [listed = [], posted = []] = [await control.openOrders(4), await control.openOrders(4)];
		const workflow = await publishWatch(stage, 'Changing engines', listed, { acceptOrders: true });
		const post = async (index: number): Promise<void> => {
			const accepted = async () => (await axios.post(ordersUrl(rehearsal.n8n.url, workflow), { sourceHash: posted[index] }, { proxy: false, validateStatus: () => true })).status === 202;
			await until('a post that is accepted', accepted, { seconds: PATIENCE_SECONDS });
		};
		/** One listed and one posted order finish; whatever has come by then. */
		const finish = async (index: number) => {
			for (const hash of [listed[index], posted[index]]) await control.end(hash ?? '', 'completed');
			return await notificationsFor(stage, workflow.id, [...listed.slice(0, index + 1), ...posted.slice(0, index + 1)], PATIENCE_SECONDS);
		};
		await post(0);
		await post(1);
		await finish(0);
		await rehearsal.restartN8n(undefined, { ...env, ...DURABLE_ENGINE });
		await post(2);
		const durably = await finish(1);
		assert.deepEqual(eventIds(durably), [listed[0], listed[1], posted[0], posted[1]].map((hash) => `${hash}:completed`).sort(), 'in the durable engine');
		await rehearsal.restartN8n(undefined, env);
		await post(3);
		await finish(2);
		const last = await finish(3);
		const twice = eventIds(last).filter((eventId, index, all) => all.indexOf(eventId) !== index);
		console.log(`    ${twice.length} events came twice`);
		const between = [listed[1], posted[1]].map((hash) => `${hash}:completed`);
		assert.deepEqual(twice.filter((eventId) => !between.includes(eventId)), []);
		await client.unpublish(workflow.id);
	});
}
