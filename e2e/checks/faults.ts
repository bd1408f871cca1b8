import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import { ordersUrl, postOrder, TRIGGER_TYPE } from '../../realN8n/rehearsal/examples';
import {
	outcomesOf,
	type Notification,
	type Outcomes,
} from '../../realN8n/rehearsal/notifications';
import type {
	JsonObject,
	StoredCredential,
	StoredWorkflow,
	WorkflowDefinition,
} from '../../realN8n/server/types';
import { Doorway } from '../standIns/doorway';
import { RssFeed } from '../standIns/rssFeed';
import { WRONG_MARKED_KEY } from './marks';
import { SharedRestart, type TakePart } from './sharedRestart';
import {
	eventIds,
	EVERY_FIVE_SECONDS,
	PATIENCE_SECONDS,
	UNLIMITED_REQUESTS_PER_MINUTE,
	watchingWorkflow,
	type Stage,
} from './stage';

/** What users have. The durable engine is left to its own grid of minutes in all checks. */
const EVERY_MINUTE = { item: [{ mode: 'everyMinute' }] };

/** Faults from outside: the service away, the key wrong, another trigger in the workflow. Each order is reported, and failed polls do not pile up. */
export async function checkFaults(stage: Stage): Promise<void> {
	const doorway = await Doorway.open(stage.rehearsal.control.sandbox.url);
	try {
		// There a poll that finds no service takes half a minute, so an outage takes its time: see --real-time.
		if (!stage.durable || stage.realTime) await checkOutage(stage, doorway);
		const restart = new SharedRestart(stage.rehearsal, 3);
		await Promise.all([
			restart.party(async (takePart) => await checkStartsWithoutAnswers(stage, doorway, takePart)),
			restart.party(async (takePart) => await checkWrongKey(stage, takePart)),
			// the durable engine keeps a row for each trigger, so there one cannot put back the state of another
			restart.party(async (takePart) =>
				stage.durable ? undefined : await checkForeignTrigger(stage, takePart),
			),
		]);
	} finally {
		await doorway.shut();
	}
}

function pollTimes({ durable }: Stage): JsonObject {
	return durable ? EVERY_MINUTE : EVERY_FIVE_SECONDS;
}

async function publish(stage: Stage, definition: WorkflowDefinition): Promise<StoredWorkflow> {
	const { client } = stage.rehearsal;
	const workflow = await client.createWorkflow(definition);
	await client.publish(workflow.id);
	return workflow;
}

async function credentialThrough(
	stage: Stage,
	name: string,
	changes: JsonObject,
): Promise<StoredCredential> {
	const { rehearsal } = stage;
	return await rehearsal.credential(name, {
		...rehearsal.rightCredential,
		requestsPerMinute: UNLIMITED_REQUESTS_PER_MINUTE,
		...changes,
	});
}

/** Waits until the workflow has brought about what is wanted, failed executions or not. */
async function outcomesUntil(
	{ rehearsal }: Stage,
	what: string,
	{ id }: StoredWorkflow,
	isThere: (outcomes: Outcomes) => boolean,
	seconds: number = PATIENCE_SECONDS,
): Promise<Outcomes> {
	return await until(
		what,
		async () => {
			const outcomes = await outcomesOf(rehearsal.client, id);
			return isThere(outcomes) ? outcomes : null;
		},
		{ seconds },
	);
}

function hasAll(notifications: Notification[], hashes: readonly string[]): boolean {
	const came = new Set(notifications.map(({ sourceHash }) => sourceHash));
	return hashes.every((hash) => came.has(hash));
}

const OUTAGE_POLLS = 10;

/** Whichever poll engine runs: within this time after an outage all that finished during it has started the workflow. */
const NOTICED_WITHIN_SECONDS = 60;

/** Nothing listens at the service's address for as long as ten polls take: once a minute that is ten minutes. */
async function checkOutage(stage: Stage, doorway: Doorway): Promise<void> {
	const { rehearsal, checks, realTime } = stage;
	const { client, control } = rehearsal;
	const title = realTime
		? 'the service is away for 10 minutes, with polls once a minute'
		: 'the service is away for 10 polls, which are 5 s apart here and a minute as a rule';
	await checks.check(
		`${title}: all events arrive, one failed execution shows it, and the workflow stays active`,
		async () => {
			const credential = await credentialThrough(stage, 'Away for a while', {
				baseUrl: doorway.url,
			});
			const hashes = await control.openOrders(6);
			const [open = '', ticking = ''] = await control.openOrders(2);
			const times = { pollTimes: realTime ? EVERY_MINUTE : pollTimes(stage) };
			const watch = await publish(
				stage,
				watchingWorkflow({ ...stage, credential }, 'Outage', [...hashes, open], times),
			);
			// One check a poll, and past the doorway: its checks show that polls have gone by.
			const clock = await publish(
				stage,
				watchingWorkflow(stage, 'Clock of the outage', [ticking], {
					...times,
					options: { keepChecking: false },
				}),
			);
			await control.furtherChecksOf(open, 1, PATIENCE_SECONDS);

			await doorway.shut();
			const shutAt = Date.now();
			const checksBefore = await control.checksOf(ticking);
			for (const hash of hashes.slice(0, 3)) await control.end(hash, 'completed');
			await until(
				'ten polls',
				async () => (await control.checksOf(ticking)) >= checksBefore + OUTAGE_POLLS,
				{ seconds: 660 },
			);
			const { failed } = await outcomesUntil(
				stage,
				'the execution that shows it',
				watch,
				(outcomes) => outcomes.failed.length > 0,
			);
			assert.match(failed[0]?.error?.description ?? '', /5 polls in a row/);
			for (const hash of hashes.slice(3)) await control.end(hash, 'refunded');
			await doorway.open();
			const openedAt = Date.now();

			await outcomesUntil(stage, 'all events', watch, ({ notifications }) =>
				hasAll(notifications, hashes),
			);
			const noticedAfter = Date.now() - openedAt;
			console.log(
				`    away for ${((openedAt - shutAt) / 1000).toFixed(0)} s; all 6 events had come ${(noticedAfter / 1000).toFixed(0)} s after that`,
			);
			assert.ok(noticedAfter <= NOTICED_WITHIN_SECONDS * 1000);
			await control.furtherChecksOf(open, 3, PATIENCE_SECONDS);
			const last = await outcomesOf(client, watch.id);
			const expected = hashes.map(
				(hash, index) => `${hash}:${index < 3 ? 'completed' : 'refunded'}`,
			);
			assert.deepEqual(eventIds(last.notifications), expected.sort());
			assert.equal(last.failed.length, 1, 'failed executions of the whole outage');
			assert.equal((await client.workflow(watch.id)).active, true);
			for (const { id } of [watch, clock]) await client.unpublish(id);
		},
	);
}

/** n8n takes its workflows up when the service does not answer, or answers that there are too many requests. */
async function checkStartsWithoutAnswers(
	stage: Stage,
	doorway: Doorway,
	restart: TakePart,
): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	await checks.check(
		'n8n starts while the service is away, or answers 429: both workflows are active, and their events come later',
		async () => {
			// an address of its own, so that the requests of nothing else have to wait
			const busyDoorway = await Doorway.open(control.sandbox.url);
			try {
				const [away = '', limited = ''] = await control.openOrders(2);
				const times = { pollTimes: pollTimes(stage) };
				const watched = async (
					name: string,
					{ url }: Doorway,
					hash: string,
				): Promise<StoredWorkflow> => {
					const credential = await credentialThrough(stage, name, { baseUrl: url });
					return await publish(
						stage,
						watchingWorkflow({ ...stage, credential }, name, [hash], times),
					);
				};
				const whereAway = await watched('Away at the start', doorway, away);
				const whereLimited = await watched('Too many requests at the start', busyDoorway, limited);
				await control.furtherChecksOf(away, 1, PATIENCE_SECONDS);
				await restart(async () => {
					await doorway.shut();
					await control.addFault({
						kind: 'error',
						endpoint: 'status',
						sourceHash: limited,
						status: 429,
						code: 'RATE_LIMITED',
						times: 'always',
					});
					await control.end(away, 'completed');
					await control.end(limited, 'failed');
				});
				await control.furtherChecksOf(limited, 1, PATIENCE_SECONDS);
				for (const { id } of [whereAway, whereLimited])
					assert.equal((await rehearsal.client.workflow(id)).active, true);
				await doorway.open();
				await control.clearFaults();
				for (const [workflow, hash, end] of [
					[whereAway, away, 'completed'],
					[whereLimited, limited, 'failed'],
				] as const) {
					const { notifications, failed } = await outcomesUntil(
						stage,
						`the event of ${hash}`,
						workflow,
						(outcomes) => outcomes.notifications.length > 0,
					);
					assert.deepEqual(eventIds(notifications), [`${hash}:${end}`]);
					// five polls without an answer may have gone by on a slow machine, 35 have not
					assert.ok(failed.length <= 1, `${failed.length} failed executions`);
					await rehearsal.client.unpublish(workflow.id);
				}
			} finally {
				await busyDoorway.shut();
			}
		},
	);
}

/** While the key is wrong the configuration is asked for once a poll, and refused. */
async function untilRefusedAgain({ rehearsal: { control } }: Stage, count: number): Promise<void> {
	const refused = async (): Promise<number> =>
		(await control.requests()).filter(({ status }) => status === 401).length;
	const before = await refused();
	await until(
		`${count} requests with the wrong key`,
		async () => (await refused()) >= before + count,
		{ seconds: PATIENCE_SECONDS },
	);
}

const POLLS_WITH_A_WRONG_KEY = 4;

/** Whichever poll engine runs. */
const CORRECTED_WITHIN_SECONDS = 120;

async function checkWrongKey(stage: Stage, restart: TakePart): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	const rotated = async (apiKey: string): Promise<StoredCredential> =>
		await credentialThrough(stage, 'Rotated', { apiKey });
	const right = rehearsal.rightCredential.apiKey;
	const watch = async (hash: string): Promise<StoredWorkflow> => {
		const definition = watchingWorkflow(
			{ ...stage, credential: await rotated(right) },
			'Wrong key',
			[hash],
			{ pollTimes: pollTimes(stage) },
		);
		const workflow = await publish(stage, definition);
		await control.furtherChecksOf(hash, 1, PATIENCE_SECONDS);
		return workflow;
	};

	if (stage.durable) {
		await checks.check(
			`a key that becomes wrong: one failed execution; a corrected key works by itself within ${CORRECTED_WITHIN_SECONDS} s`,
			async () => {
				const [hash = ''] = await control.openOrders(1);
				const workflow = await watch(hash);
				await rotated(WRONG_MARKED_KEY);
				const { failed } = await outcomesUntil(
					stage,
					'a failed execution',
					workflow,
					(outcomes) => outcomes.failed.length > 0,
				);
				assert.match(failed[0]?.error?.message ?? '', /API key/);
				await untilRefusedAgain(stage, 2);
				await control.end(hash, 'completed');
				await rotated(right);
				const correctedAt = Date.now();
				const last = await outcomesUntil(
					stage,
					'the event',
					workflow,
					({ notifications }) => notifications.length > 0,
				);
				const seconds = (Date.now() - correctedAt) / 1000;
				console.log(`    ${seconds.toFixed(0)} s after the key was corrected the event had come`);
				assert.deepEqual(
					[eventIds(last.notifications), last.failed.length],
					[[`${hash}:completed`], 1],
				);
				assert.ok(seconds <= CORRECTED_WITHIN_SECONDS);
				await rehearsal.client.unpublish(workflow.id);
			},
		);
		return;
	}

	await checks.check(
		'a key that becomes wrong, also at the start of n8n: one failed execution each, and a corrected key works by itself',
		async () => {
			const [hash = ''] = await control.openOrders(1);
			const workflow = await watch(hash);
			await rotated(WRONG_MARKED_KEY);
			const first = await outcomesUntil(
				stage,
				'a failed execution',
				workflow,
				({ failed }) => failed.length > 0,
			);
			assert.match(first.failed[0]?.error?.message ?? '', /API key/);
			await untilRefusedAgain(stage, POLLS_WITH_A_WRONG_KEY);
			assert.equal(
				(await outcomesOf(rehearsal.client, workflow.id)).failed.length,
				1,
				'failed executions while n8n ran on',
			);

			await restart();
			await outcomesUntil(
				stage,
				'a failed execution after the start',
				workflow,
				({ failed }) => failed.length > 1,
			);
			await untilRefusedAgain(stage, POLLS_WITH_A_WRONG_KEY);
			assert.equal(
				(await outcomesOf(rehearsal.client, workflow.id)).failed.length,
				2,
				'failed executions in all',
			);
			assert.equal((await rehearsal.client.workflow(workflow.id)).active, true);

			await control.end(hash, 'completed');
			await rotated(right);
			const correctedAt = Date.now();
			const last = await outcomesUntil(
				stage,
				'the event',
				workflow,
				({ notifications }) => notifications.length > 0,
			);
			console.log(
				`    ${((Date.now() - correctedAt) / 1000).toFixed(0)} s after the key was corrected the event had come`,
			);
			assert.deepEqual(
				[eventIds(last.notifications), last.failed.length],
				[[`${hash}:completed`], 2],
			);
			await rehearsal.client.unpublish(workflow.id);
		},
	);
}

/** n8n's own RSS Feed Trigger next to ours: what n8n does to our state when it saves for that one. */
async function checkForeignTrigger(stage: Stage, restart: TakePart): Promise<void> {
	const { rehearsal, checks, durable } = stage;
	const { control } = rehearsal;
	// n8n 2.40 keeps a copy of the static data for each trigger, and saves that of the one which has an event.
	const putsBackOld = rehearsal.options.release.hasDurableEngine && !durable;
	const title = putsBackOld
		? 'a foreign polling trigger saves its old copy: after a restart an event comes again with the same eventId, and a posted order is gone'
		: 'a foreign polling trigger in the same workflow: nothing is lost, nothing comes twice, also after a restart';
	await checks.check(title, async () => {
		const feed = await RssFeed.start();
		feed.add('Old news', Date.now() - 60_000);
		try {
			const [before = '', after = '', posted = ''] = await control.openOrders(3);
			const workflow = await publish(
				stage,
				withFeed(
					watchingWorkflow(stage, 'Next to a feed', [before, after], {
						pollTimes: pollTimes(stage),
					}),
					feed,
					stage,
				),
			);
			// from here on n8n 2.40 keeps two copies: only the trigger that was edited is registered again
			const edited = withFeed(
				watchingWorkflow(stage, 'Next to a feed', [after, before], { pollTimes: pollTimes(stage) }),
				feed,
				stage,
			);
			await rehearsal.client.updateWorkflow(workflow.id, withAddressOf(workflow, edited));
			await rehearsal.client.publish(workflow.id);
			await control.end(before, 'completed');
			await outcomesUntil(stage, 'the first event', workflow, ({ notifications }) =>
				hasAll(notifications, [before]),
			);
			if (!durable) {
				assert.equal(await postOrder(ordersUrl(rehearsal.n8n.url, workflow), posted), 202);
			}
			// One that still runs could be cut off by the restart.
			const executions = async (): Promise<number> =>
				(await rehearsal.client.executions(workflow.id)).filter(
					({ status }) => status === 'success',
				).length;
			const executionsBefore = await executions();
			feed.add('News');
			await until('an execution of the feed', async () => (await executions()) > executionsBefore, {
				seconds: PATIENCE_SECONDS,
			});

			await restart(async () => {
				await control.end(after, 'refunded');
				await control.end(posted, 'failed');
			});
			const expected = [
				`${before}:completed`,
				`${after}:refunded`,
				...(durable ? [] : putsBackOld ? [`${before}:completed`] : [`${posted}:failed`]),
			];
			const emitted = [before, after, ...(durable || putsBackOld ? [] : [posted])];
			// The event that comes again is of an order that has come before: the number says that it is there.
			await outcomesUntil(
				stage,
				'the other events',
				workflow,
				({ notifications }) =>
					hasAll(notifications, emitted) && notifications.length >= expected.length,
			);
			const [open = ''] = await control.openOrders(1);
			const longer = withFeed(
				watchingWorkflow(stage, 'Next to a feed', [before, after, open], {
					pollTimes: pollTimes(stage),
				}),
				feed,
				stage,
			);
			await rehearsal.client.updateWorkflow(workflow.id, longer);
			await rehearsal.client.publish(workflow.id);
			await control.furtherChecksOf(open, 3, PATIENCE_SECONDS);
			const { notifications, failed } = await outcomesOf(rehearsal.client, workflow.id);
			assert.deepEqual(eventIds(notifications), expected.sort());
			assert.deepEqual(failed, []);
			await rehearsal.client.unpublish(workflow.id);
		} finally {
			await feed.stop();
		}
	});
}

/** The workflow with n8n's RSS Feed Trigger next to our trigger. */
function withFeed(workflow: WorkflowDefinition, feed: RssFeed, stage: Stage): WorkflowDefinition {
	const trigger = {
		id: '3f0f8f0e-6a55-4d53-9d1c-0c9a52c3b1aa',
		name: 'RSS Feed Trigger',
		type: 'n8n-nodes-base.rssFeedReadTrigger',
		typeVersion: 1,
		position: [0, 300] as [number, number],
		parameters: { feedUrl: feed.url, pollTimes: pollTimes(stage) },
	};
	return { ...workflow, nodes: [...workflow.nodes, trigger] };
}

/** The workflow with the webhook address that the stored one has. */
function withAddressOf(stored: StoredWorkflow, workflow: WorkflowDefinition): WorkflowDefinition {
	const webhookId = stored.nodes.find(({ type }) => type === TRIGGER_TYPE)?.webhookId;
	return {
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.type === TRIGGER_TYPE ? { ...node, webhookId } : node,
		),
	};
}
