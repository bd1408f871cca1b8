import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import {
	ordersUrl,
	postOrder,
	STEPS,
	TRIGGER_TYPE,
	withTriggerParameters,
} from '../../realN8n/rehearsal/examples';
import { emittedItems, notificationsOf } from '../../realN8n/rehearsal/notifications';
import { N8nError } from '../../realN8n/server/client';
import type { WorkflowDefinition } from '../../realN8n/server/types';
import type { Fault } from '../../sandbox';
import { WRONG_MARKED_KEY } from './marks';
import { assertSimplified } from './schema';
import {
	eventIds,
	notificationsAfterFurtherPolls,
	notificationsFor,
	PATIENCE_SECONDS,
	publishWatch,
	renamed,
	UNLIMITED_REQUESTS_PER_MINUTE,
	watchingWorkflow,
	type Stage,
} from './stage';

/** `count` orders that are open, with one more that stays open for good: its checks show polls. */
async function openOrders(
	{ rehearsal }: Stage,
	count: number,
): Promise<{ hashes: string[]; endless: string }> {
	const all = await rehearsal.control.openOrders(count + 1);
	const endless = all[count];
	assert.ok(endless, 'the sandbox has opened all orders');
	return { hashes: all.slice(0, count), endless };
}

function three(hashes: string[]): [string, string, string] {
	const [first, second, third] = hashes;
	assert.ok(first && second && third);
	return [first, second, third];
}

/** The trigger starts the workflow for each finished order, exactly once, whatever happens to n8n meanwhile. */
export async function checkTrigger(stage: Stage): Promise<void> {
	await checkThreeEnds(stage);
	await checkRestarts(stage);
	await checkDelayed(stage);
	await checkTwoTriggers(stage);
	await checkWithScheduleTrigger(stage);
	await checkRenaming(stage);
}

async function checkThreeEnds(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;
	await checks.check(
		'completed, refunded and failed each start the workflow exactly once',
		async () => {
			const { hashes, endless } = await openOrders(stage, 3);
			const [completed, refunded, failed] = three(hashes);
			const { id } = await publishWatch(stage, 'Three orders', [...hashes, endless]);
			await control.end(completed, 'completed');
			await control.end(refunded, 'refunded');
			await control.end(failed, 'failed');
			await notificationsFor(stage, id, hashes);
			const notifications = await notificationsAfterFurtherPolls(stage, id, endless);
			const expected = [`${completed}:completed`, `${refunded}:refunded`, `${failed}:failed`];
			assert.deepEqual(eventIds(notifications), expected.sort());
			const words: Record<string, RegExp> = {
				completed: / arrived on /,
				refunded: /^↩️ .* was refunded/u,
				failed: /^❌ .* failed/,
			};
			for (const { event, text, executionId } of notifications) {
				assert.match(text, words[event] ?? /^$/);
				const [item] = emittedItems(await client.execution(executionId));
				await assertSimplified(rehearsal, TRIGGER_TYPE, undefined, item);
			}
			await client.unpublish(id);
		},
	);

	await checks.check('after unpublishing, a finished order starts nothing', async () => {
		const { hashes, endless } = await openOrders(stage, 1);
		const watched = await publishWatch(stage, 'Unpublished', [...hashes, endless]);
		await client.unpublish(watched.id);
		const other = await openOrders(stage, 0);
		const { id } = await publishWatch(stage, 'The clock of the check', [other.endless]);
		for (const hash of hashes) await control.end(hash, 'completed');
		// another trigger's polls show that time for several polls has passed
		await notificationsAfterFurtherPolls(stage, id, other.endless);
		assert.deepEqual(await client.executions(watched.id), []);
		await client.unpublish(id);
	});
}

async function checkRestarts(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	await checks.check(
		'orders that finish before, during and after a restart of n8n each start the workflow once',
		async () => {
			const { hashes, endless } = await openOrders(stage, 3);
			const [before, during, after] = three(hashes);
			const { id } = await publishWatch(stage, 'Restart', [...hashes, endless]);
			await control.end(before, 'completed');
			await notificationsFor(stage, id, [before]);
			await rehearsal.restartN8n(async () => await control.end(during, 'refunded'));
			await notificationsFor(stage, id, [before, during]);
			await control.end(after, 'failed');
			await notificationsFor(stage, id, hashes);
			const notifications = await notificationsAfterFurtherPolls(stage, id, endless);
			const expected = [`${before}:completed`, `${during}:refunded`, `${after}:failed`].sort();
			assert.deepEqual(eventIds(notifications), expected);

			await rehearsal.restartN8n();
			const later = await notificationsAfterFurtherPolls(stage, id, endless);
			assert.deepEqual(eventIds(later), expected, 'the next restart repeats nothing');
			await rehearsal.client.unpublish(id);
		},
	);
}

async function checkDelayed(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	await checks.check(
		'an order that takes too long starts the workflow once as delayed, also across a restart, and once when it finishes',
		async () => {
			const { hashes, endless } = await openOrders(stage, 1);
			const [late = ''] = hashes;
			const createdAt = Math.floor(Date.now() / 1000) - 600;
			await control.addFault({
				kind: 'fields',
				endpoint: 'status',
				sourceHash: late,
				answer: { timing: { createdAt } },
				times: 'always',
			});
			const events = ['anyFinalStatus', 'delayed'];
			const { id } = await publishWatch(stage, 'Delayed', [`Rent: ${late}`, endless], { events });
			const [delayed] = await notificationsFor(stage, id, [late]);
			assert.match(
				String(delayed?.text),
				/^⏳ Order “Rent”: the transfer of .* is still .* after 10 min/u,
			);
			await rehearsal.restartN8n();
			const later = await notificationsAfterFurtherPolls(stage, id, endless);
			assert.deepEqual(eventIds(later), [`${late}:delayed`], 'said once');
			await control.end(late, 'completed');
			await until(
				'the event of its final status',
				async () => (await notificationsOf(rehearsal.client, id)).length > 1 || null,
				{ seconds: PATIENCE_SECONDS },
			);
			const all = await notificationsAfterFurtherPolls(stage, id, endless);
			assert.deepEqual(eventIds(all), [`${late}:completed`, `${late}:delayed`]);
			await control.clearFaults();
			await rehearsal.client.unpublish(id);
		},
	);
}

/** Two triggers of ours lead to one notification node; the second watches `second`. */
function twoTriggers(stage: Stage, first: string[], second: string[]): WorkflowDefinition {
	const workflow = watchingWorkflow(stage, 'Two triggers', first);
	const trigger = workflow.nodes.find(({ type }) => type === TRIGGER_TYPE);
	assert.ok(trigger);
	const other = {
		...trigger,
		id: '0b0a1c52-2f0e-4f8e-8a58-6f0b7a4b9d99',
		name: 'The Other Trigger',
		webhookId: '7d0c2a34-55e1-4b0e-9a53-4be2f2a0c6d1',
		position: [0, 200] as [number, number],
		parameters: { ...trigger.parameters, sourceHashes: second.join('\n') },
	};
	const toNotification = {
		main: [[{ node: STEPS.notification, type: 'main' as const, index: 0 }]],
	};
	return {
		...workflow,
		nodes: [...workflow.nodes, other],
		connections: { ...workflow.connections, [other.name]: toNotification },
	};
}

async function checkTwoTriggers(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	await checks.check(
		'of two triggers one is edited, published again, and n8n restarted: nothing is repeated',
		async () => {
			const one = await openOrders(stage, 2);
			const two = await openOrders(stage, 2);
			const [inFirst, laterInFirst] = one.hashes;
			const [inSecond, added] = two.hashes;
			assert.ok(inFirst && laterInFirst && inSecond && added);
			const first = [...one.hashes, one.endless];
			const { id } = await rehearsal.client.createWorkflow(
				twoTriggers(stage, first, [inSecond, two.endless]),
			);
			await rehearsal.client.publish(id);
			await control.end(inFirst, 'completed');
			await control.end(inSecond, 'refunded');
			await notificationsFor(stage, id, [inFirst, inSecond]);

			const edited = twoTriggers(stage, first, [inSecond, added, two.endless]);
			await rehearsal.client.updateWorkflow(id, edited);
			await rehearsal.client.publish(id);
			// in this order: the trigger that was not edited has an event first, then the edited one saves what it knows
			await control.end(laterInFirst, 'completed');
			await notificationsFor(stage, id, [inFirst, inSecond, laterInFirst]);
			await control.end(added, 'failed');
			await notificationsFor(stage, id, [inFirst, inSecond, laterInFirst, added]);
			await rehearsal.restartN8n();
			await notificationsAfterFurtherPolls(stage, id, one.endless);
			const notifications = await notificationsAfterFurtherPolls(stage, id, two.endless);
			const expected = [
				`${inFirst}:completed`,
				`${laterInFirst}:completed`,
				`${inSecond}:refunded`,
				`${added}:failed`,
			];
			assert.deepEqual(eventIds(notifications), expected.sort());
			await rehearsal.client.unpublish(id);
		},
	);
}

/** The workflow of `watchingWorkflow` with a Schedule Trigger of n8n's own, which starts every few seconds and leads nowhere. */
function withScheduleTrigger(workflow: WorkflowDefinition): WorkflowDefinition {
	const schedule = {
		id: '2c1f6f0e-6a0a-4d6e-9a26-0c9d6c6f1b57',
		name: 'Every Three Seconds',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		position: [0, 200] as [number, number],
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 3 }] } },
	};
	return { ...workflow, nodes: [...workflow.nodes, schedule] };
}

/**
 * If only our trigger was edited, n8n 2.41 registers only that one again. The Schedule Trigger keeps the older copy of the workflow's data,
 * which n8n saves whole each time that it starts.
 */
async function checkWithScheduleTrigger(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	await checks.check(
		'next to a Schedule Trigger, the trigger is edited alone, published again, and n8n restarted: nothing is lost or repeated',
		async () => {
			const { hashes, endless } = await openOrders(stage, 3);
			const [first, second, third] = three(hashes);
			const [sent = ''] = await control.openOrders(1);
			const accepting = { acceptOrders: true };
			const before = watchingWorkflow(stage, 'With a schedule', [first, endless], accepting);
			const watching = [first, second, third, endless].join('\n');
			const after = withTriggerParameters(before, { sourceHashes: watching });
			const { id } = await rehearsal.client.createWorkflow(withScheduleTrigger(before));
			await rehearsal.client.publish(id);
			await control.end(first, 'completed');
			await notificationsFor(stage, id, [first]);

			await rehearsal.client.updateWorkflow(id, withScheduleTrigger(after));
			await rehearsal.client.publish(id);
			await control.end(second, 'refunded');
			await notificationsFor(stage, id, [first, second]);
			const url = ordersUrl(rehearsal.n8n.url, before);
			assert.equal(await postOrder(url, sent, 'Rent'), 202);
			await furtherStarts(stage, id, 2);
			await rehearsal.restartN8n();
			await control.end(third, 'failed');
			await control.end(sent, 'completed');
			await notificationsFor(stage, id, [first, second, third, sent]);
			const notifications = await notificationsAfterFurtherPolls(stage, id, endless);
			const expected = [`${first}:completed`, `${second}:refunded`, `${third}:failed`];
			assert.deepEqual(eventIds(notifications), [...expected, `${sent}:completed`].sort());
			await rehearsal.client.unpublish(id);
		},
	);
}

/** Waits until the workflow was started so many times more, by whichever trigger. */
async function furtherStarts({ rehearsal }: Stage, id: string, count: number): Promise<void> {
	const before = (await rehearsal.client.executions(id)).length;
	await until(
		`${count} further starts`,
		async () => (await rehearsal.client.executions(id)).length >= before + count || null,
		{ seconds: PATIENCE_SECONDS },
	);
}

async function checkRenaming(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	await checks.check('renaming the trigger repeats nothing, also after a restart', async () => {
		const { hashes, endless } = await openOrders(stage, 2);
		const [before, after] = hashes;
		assert.ok(before && after);
		const workflow = await publishWatch(stage, 'Renamed', [...hashes, endless]);
		const { id } = workflow;
		await control.end(before, 'completed');
		await notificationsFor(stage, id, [before]);

		// no event between the renaming and the restart, which would save the state under the new name
		const second = renamed(workflow, STEPS.trigger, 'Another Name');
		await rehearsal.client.updateWorkflow(id, second);
		await rehearsal.client.publish(id);
		await notificationsAfterFurtherPolls(stage, id, endless);
		await rehearsal.restartN8n();
		const notifications = await notificationsAfterFurtherPolls(stage, id, endless);
		assert.deepEqual(eventIds(notifications), [`${before}:completed`]);

		// unpublished and restarted, so that nothing in memory knows the old name any more
		await rehearsal.client.unpublish(id);
		await rehearsal.restartN8n();
		await rehearsal.client.updateWorkflow(id, renamed(second, 'Another Name', 'A Third Name'));
		await rehearsal.client.publish(id);
		await control.end(after, 'refunded');
		await notificationsFor(stage, id, hashes);
		const later = await notificationsAfterFurtherPolls(stage, id, endless);
		assert.deepEqual(eventIds(later), [`${before}:completed`, `${after}:refunded`].sort());
		await rehearsal.client.unpublish(id);
	});
}

/** What keeps a workflow from being published, and what does not. */
export async function checkPublishing(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;

	await checks.check(
		'with a wrong key a workflow cannot be published: a sentence about the API key says why',
		async () => {
			const { hashes } = await openOrders(stage, 1);
			const wrong = await rehearsal.credential('A wrong key', {
				...rehearsal.rightCredential,
				apiKey: WRONG_MARKED_KEY,
			});
			const definition = watchingWorkflow({ ...stage, credential: wrong }, 'Wrong key', hashes);
			const { id } = await client.createWorkflow(definition);
			await assert.rejects(client.publish(id), (error: unknown) => {
				assert.ok(error instanceof N8nError, String(error));
				assert.match(error.message, /API key/);
				return true;
			});

			await rehearsal.credential('A wrong key', {
				...rehearsal.rightCredential,
				requestsPerMinute: UNLIMITED_REQUESTS_PER_MINUTE,
			});
			await client.publish(id);
			await client.unpublish(id);
		},
	);

	const passing: Array<{ name: string; fault: Omit<Extract<Fault, { kind: 'error' }>, 'kind'> }> = [
		{ name: '429', fault: { status: 429, code: 'RATE_LIMITED' } },
		{ name: '503', fault: { status: 503 } },
	];
	for (const { name, fault } of passing) {
		await checks.check(
			`${name} at publishing does not stop it, and the order is reported later`,
			async () => {
				const { hashes, endless } = await openOrders(stage, 1);
				const watched = [...hashes, endless];
				for (const sourceHash of watched) {
					await control.addFault({
						kind: 'error',
						endpoint: 'status',
						times: 'always',
						sourceHash,
						...fault,
					});
				}
				const { id } = await publishWatch(stage, `Published at ${name}`, watched);
				await control.furtherChecksOf(endless, 1, PATIENCE_SECONDS);
				await control.clearFaults();
				for (const sourceHash of hashes) await control.end(sourceHash, 'completed');
				await notificationsFor(stage, id, hashes);
				const notifications = await notificationsAfterFurtherPolls(stage, id, endless);
				assert.deepEqual(
					eventIds(notifications),
					hashes.map((hash) => `${hash}:completed`),
				);
				await client.unpublish(id);
			},
		);
	}
}
