import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import { STEPS } from '../../realN8n/rehearsal/examples';
import { notificationsOf } from '../../realN8n/rehearsal/notifications';
import { eventIds, notificationsFor, renamed, type Stage, watchingWorkflow } from './stage';

const ORDERS = 40;
const ENDS = ['completed', 'refunded', 'failed'] as const;
/** The orders finish one after another over this time, while the workflow is changed again and again. */
const ENDING_SECONDS = 40;
const ROUNDS = 6;
/** The durable engine polls once a minute, and publishing in the middle of a poll drops what it had not emitted yet: twice that, and more. */
const PATIENCE_SECONDS = 200;

/** The workflow is unpublished, published again and edited, and its trigger renamed, while its orders finish: each starts it once. */
export async function checkChanging(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { client, control } = rehearsal;
	await checks.check(
		'unpublishing, publishing again, editing and renaming the trigger while 40 orders finish: none lost, none twice',
		async () => {
			const orders = await control.announce(
				Array.from({ length: ORDERS }, (_, index) => ({
					end: ENDS[index % ENDS.length],
					endsAfterSeconds: 5 + (ENDING_SECONDS * index) / ORDERS,
				})),
			);
			const hashes = orders.map(({ sourceHash }) => sourceHash);
			// the tick of the default engine and the minute of the poll times are both at work, as users have them
			const everyMinute = {
				pollTimes: { item: [{ mode: 'everyMinute' }] },
				options: { checkEvery: 1 },
			};
			const workflow = await client.createWorkflow(
				watchingWorkflow(stage, 'Changing', hashes, everyMinute),
			);
			await client.publish(workflow.id);
			for (let round = 1; round <= ROUNDS; round++) {
				const emitted = (await notificationsOf(client, workflow.id)).length;
				const enough = Math.min(ORDERS, emitted + Math.ceil(ORDERS / (2 * ROUNDS)));
				// the change comes in the middle of the events, whenever that is on this machine
				await until(
					'some more events',
					async () => (await notificationsOf(client, workflow.id)).length >= enough,
					{ seconds: PATIENCE_SECONDS },
				);
				if (round % 2 === 0) await client.unpublish(workflow.id);
				// the list in another order, the first hash written twice and in capital letters
				const turned = [
					...hashes.slice(round),
					...hashes.slice(0, round),
					`0x${hashes[0]?.slice(2).toUpperCase()}`,
				];
				const edited = watchingWorkflow(stage, 'Changing', turned, everyMinute);
				// another name in every other round, and the old one back in the next
				await client.updateWorkflow(
					workflow.id,
					round % 2 === 0 ? edited : renamed(edited, STEPS.trigger, `Renamed ${round}`),
				);
				await client.publish(workflow.id);
			}
			await notificationsFor(stage, workflow.id, hashes, 150);
			// published once more: whatever is not known as emitted would be emitted now
			await client.unpublish(workflow.id);
			await client.publish(workflow.id);
			const last = (await control.openOrders(1))[0];
			assert.ok(last);
			await client.updateWorkflow(
				workflow.id,
				watchingWorkflow(stage, 'Changing', [...hashes, last], everyMinute),
			);
			await client.publish(workflow.id);
			await control.end(last, 'completed');
			const notifications = await notificationsFor(stage, workflow.id, [...hashes, last], 150);
			const expected = orders.map(({ sourceHash, end }) => `${sourceHash}:${end}`);
			assert.deepEqual(
				eventIds(notifications).map((eventId) => eventId.toLowerCase()),
				[...expected, `${last}:completed`].map((eventId) => eventId.toLowerCase()).sort(),
			);
			await client.unpublish(workflow.id);
		},
	);
}
