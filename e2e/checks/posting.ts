import assert from 'node:assert/strict';
import { Readable } from 'node:stream';

import axios, { type AxiosResponse } from 'axios';

import { until } from '../../realN8n/machine/until';
import { ordersUrl, STEPS } from '../../realN8n/rehearsal/examples';
import { notificationsOf } from '../../realN8n/rehearsal/notifications';
import { isBusy, onceNotBusy } from '../../realN8n/server/client';
import { itemsOf, type JsonObject, type StoredWorkflow } from '../../realN8n/server/types';
import {
	eventIds,
	notificationsAfterFurtherPolls,
	notificationsFor,
	PATIENCE_SECONDS,
	publishWatch,
	type Stage,
	UNLIMITED_REQUESTS_PER_MINUTE,
	watchingWorkflow,
} from './stage';

const HEADER = 'X-Webhook-Secret';
const SECRET = 'a long text of your own';

const UNSIGNED = { proxy: false, timeout: 30_000, validateStatus: () => true } as const;

const SIGNED = { ...UNSIGNED, headers: { [HEADER]: SECRET } };

/** Calls of the trigger's webhook over real HTTP, with the secret; a trigger whose credential has none does not read it. */
const http = axios.create(SIGNED);
// While n8n is busy it answers itself, and the trigger has had no call.
http.interceptors.response.use(async (answer) =>
	isBusy(answer) ? await onceNotBusy(async () => await axios.request(answer.config)) : answer,
);

/** The stage with a credential that has a Webhook Secret, so that orders can be listed and removed. */
async function withSecret(stage: Stage, changes: JsonObject = {}): Promise<Stage> {
	const { rehearsal } = stage;
	const credential = await rehearsal.credential('With a webhook secret', {
		...rehearsal.rightCredential,
		requestsPerMinute: UNLIMITED_REQUESTS_PER_MINUTE,
		webhookSecret: SECRET,
		...changes,
	});
	return { ...stage, credential };
}

function addressOf({ rehearsal }: Stage, workflow: StoredWorkflow): string {
	return ordersUrl(rehearsal.n8n.url, workflow);
}

async function post(address: string, body: unknown): Promise<AxiosResponse<JsonObject>> {
	return await http.post<JsonObject>(address, body);
}

/** Orders that add themselves: the trigger's webhook in a real n8n. */
export async function checkPosting(stage: Stage): Promise<void> {
	await checkWaysToPost(stage);
	await checkLimits(stage);
	await checkKills(stage);
	await checkRepublishing(stage);
	await checkTestAddress(stage);
	await checkSecret(stage);
}

/** In either engine; in the durable one a process that has not polled yet asks to send again. */
async function checkSecret(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;
	await checks.check(
		'with a Webhook Secret nobody posts, lists or removes without it (401) or with a wrong one (403)',
		async () => {
			const [sourceHash = ''] = await control.openOrders(1);
			const workflow = await publishWatch(await withSecret(stage), 'Webhook Secret', []);
			const statusOf = async (method: string, headers: Record<string, string>): Promise<number> => {
				const url = addressOf(stage, workflow);
				const data = method === 'GET' ? undefined : { hash: sourceHash };
				const { status } = await onceNotBusy(
					async () => await axios.request({ ...UNSIGNED, method, url, headers, data }),
				);
				return status;
			};
			for (const method of ['POST', 'GET', 'DELETE']) {
				assert.equal(await statusOf(method, {}), 401);
				assert.equal(await statusOf(method, { [HEADER]: `${SECRET}s` }), 403);
			}
			for (const [method, accepted] of [
				['POST', 202],
				['GET', 200],
				['DELETE', 200],
			] as const)
				await until(
					`${method} with the secret`,
					async () => {
						const status = await statusOf(method, { [HEADER]: SECRET });
						assert.ok(status === accepted || status === 503, `HTTP ${status}`);
						return status === accepted;
					},
					{ seconds: PATIENCE_SECONDS },
				);
			await client.unpublish(workflow.id);
		},
	);
}

async function checkWaysToPost(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;
	await checks.check(
		'a JSON object, a JSON list under any Content-Type, and a form: each order is watched, and reported with its reference',
		async () => {
			const hashes = await control.openOrders(3);
			const [json = '', form = '', text = ''] = hashes;
			const workflow = await publishWatch(stage, 'Ways to post', []);
			const address = addressOf(stage, workflow);
			const references = {
				[json]: { invoice: 7, paid: null },
				[form]: 'a form',
				[text]: ['text'],
			};
			const answers = [
				await post(address, { hash: json, reference: references[json] }),
				await http.post(address, new URLSearchParams({ hash: form, reference: 'a form' })),
				await http.post(address, JSON.stringify([{ hash: text, reference: ['text'] }]), {
					headers: { 'content-type': 'text/plain' },
				}),
			];
			assert.deepEqual(
				answers.map(({ status, data }: AxiosResponse<JsonObject>) => [
					status,
					data.accepted,
					data.watching,
				]),
				[1, 2, 3].map((watching) => [202, 1, watching]),
			);
			for (const hash of hashes) await control.end(hash, 'completed');
			const notifications = await notificationsFor(stage, workflow.id, hashes);
			assert.deepEqual(
				Object.fromEntries(
					notifications.map(({ sourceHash, reference }) => [sourceHash, reference]),
				),
				references,
			);
			const again = await post(address, { sourceHash: json });
			assert.deepEqual(
				[again.status, (again.data.alreadyFinished as JsonObject[])[0]?.status],
				[202, 'completed'],
			);
			await client.unpublish(workflow.id);
		},
	);

	await checks.check(
		'GET lists, DELETE removes, and what cannot be taken gets its status and a sentence',
		async () => {
			const [kept = '', removed = ''] = await control.openOrders(2);
			const workflow = await publishWatch(await withSecret(stage), 'List and remove', []);
			const address = addressOf(stage, workflow);
			await post(address, [{ sourceHash: kept, reference: 'kept' }, { sourceHash: removed }]);
			const deletion = await http.delete<JsonObject>(address, { data: { sourceHash: removed } });
			assert.deepEqual(
				[deletion.status, deletion.data.removed, deletion.data.watching],
				[200, 1, 1],
			);
			const list = await http.get<{ orders: JsonObject[] }>(address);
			assert.equal(list.status, 200);
			assert.deepEqual(
				list.data.orders.map(({ sourceHash, reference }) => [sourceHash, reference]),
				[[kept, 'kept']],
			);

			const bad = await post(address, [kept, 7]);
			assert.deepEqual([bad.status, bad.data.position], [400, 2]);
			const wallet = await post(address, { sourceHash: `0x${'8617e340b3'.repeat(4)}` });
			assert.equal(wallet.status, 400);
			assert.match(String(wallet.data.message), /looks like a wallet address/);
			const large = await post(address, { sourceHash: kept, padding: 'x'.repeat(300 * 1024) });
			assert.equal(large.status, 413);
			const full = await post(
				address,
				Array.from({ length: 1000 }, (_, index) => `0x1${index.toString(16).padStart(63, '0')}`),
			);
			assert.deepEqual(
				[full.status, full.data.room, full.headers['retry-after']],
				[429, 999, '60'],
			);
			assert.match(String(full.data.message), /nothing was changed/);
			await client.unpublish(workflow.id);
		},
	);
}

async function checkLimits(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;
	await checks.check(
		'a body in chunks, which states no length, is bounded as any other; without a Webhook Secret nobody lists or removes orders; no answer is cached',
		async () => {
			const [sourceHash = ''] = await control.openOrders(1);
			const workflow = await publishWatch(stage, 'Limits', []);
			const address = addressOf(stage, workflow);
			const inChunks = async (reference: string, note: string) =>
				await http.post<JsonObject>(
					address,
					Readable.from(JSON.stringify({ sourceHash, reference, note }).match(/.{1,1000}/gs) ?? []),
					{ headers: { 'content-type': 'application/json' }, maxRedirects: 0 },
				);
			const large = await inChunks('large', 'x'.repeat(1_000_000));
			assert.deepEqual([large.status, String(large.data.message).includes('256 KB')], [413, true]);
			const small = await inChunks('small', 'x');
			assert.deepEqual(
				[small.status, small.data.accepted, small.headers['cache-control']],
				[202, 1, 'no-store'],
			);
			for (const method of ['GET', 'DELETE']) {
				const answer = await http.request<JsonObject>({
					method,
					url: address,
					data: method === 'GET' ? undefined : { sourceHash },
				});
				assert.deepEqual(
					[
						answer.status,
						answer.headers['cache-control'],
						JSON.stringify(answer.data).includes('small'),
					],
					[403, 'no-store', false],
				);
			}
			await control.end(sourceHash, 'completed');
			const notifications = await notificationsFor(stage, workflow.id, [sourceHash]);
			assert.deepEqual(
				notifications.map(({ reference }) => reference),
				['small'],
			);
			await client.unpublish(workflow.id);
		},
	);
}

async function checkKills(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	await checks.check(
		`n8n is killed right after it has answered with 202, ${stage.kills} times: nothing posted is lost, nothing comes twice`,
		async () => {
			const workflow = await publishWatch(stage, 'Killed after 202', []);
			const hashes = await control.openOrders(stage.kills);
			for (const [index, sourceHash] of hashes.entries()) {
				// the port is another one after each start
				const answer = await post(addressOf(stage, workflow), { sourceHash, reference: index });
				assert.deepEqual([answer.status, answer.data.accepted], [202, 1]);
				await rehearsal.killAndRestartN8n();
				await control.end(sourceHash, 'completed');
				await notificationsFor(stage, workflow.id, hashes.slice(0, index + 1));
			}
			const [open = ''] = await control.openOrders(1);
			await post(addressOf(stage, workflow), { sourceHash: open });
			const notifications = await notificationsAfterFurtherPolls(stage, workflow.id, open);
			assert.deepEqual(eventIds(notifications), hashes.map((hash) => `${hash}:completed`).sort());
			assert.deepEqual(
				new Map(notifications.map(({ sourceHash, reference }) => [sourceHash, reference])),
				new Map(hashes.map((hash, index) => [hash, index])),
			);
			await rehearsal.client.unpublish(workflow.id);
		},
	);
}

async function checkRepublishing(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;
	await checks.check(
		'what was posted stays watched when the workflow is edited and published again, and when n8n restarts',
		async () => {
			const [posted = '', listed = '', later = ''] = await control.openOrders(3);
			const workflow = await publishWatch(stage, 'Edited after a post', []);
			const address = addressOf(stage, workflow);
			await post(address, { sourceHash: posted, reference: 'before' });
			const edited = {
				...workflow,
				nodes: workflow.nodes.map((node) =>
					node.name === STEPS.trigger
						? { ...node, parameters: { ...node.parameters, sourceHashes: listed } }
						: node,
				),
			};
			await client.updateWorkflow(workflow.id, edited);
			await client.publish(workflow.id);
			await post(address, { sourceHash: later, reference: 'after' });
			await client.unpublish(workflow.id);
			await client.publish(workflow.id);
			await control.end(listed, 'failed');
			await notificationsFor(stage, workflow.id, [listed]);
			await rehearsal.restartN8n(async () => await control.end(posted, 'refunded'));
			await control.end(later, 'completed');
			const notifications = await notificationsFor(stage, workflow.id, [posted, listed, later]);
			assert.deepEqual(
				notifications.map(({ eventId, reference }) => [eventId, reference]).sort(),
				[
					[`${posted}:refunded`, 'before'],
					[`${listed}:failed`, null],
					[`${later}:completed`, 'after'],
				].sort(),
			);
			await rehearsal.client.unpublish(workflow.id);
		},
	);
}

async function checkTestAddress(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;
	await checks.check(
		'a call to the test address shows the order as the workflow would get it',
		async () => {
			const [hash = ''] = await control.openOrders(1);
			await control.end(hash, 'completed');
			const workflow = await publishWatch(stage, 'Test address', []);
			await client.unpublish(workflow.id);
			await client.listenForTest(await client.workflow(workflow.id), STEPS.trigger);
			const answer = await post(ordersUrl(rehearsal.n8n.url, workflow, 'webhook-test'), {
				sourceHash: hash,
				reference: 'a try',
			});
			assert.deepEqual(
				[answer.status, answer.data],
				[202, { message: 'The orders are shown in the editor.' }],
			);
			const execution = await until(
				'the test execution',
				async () => (await client.executions(workflow.id))[0] ?? null,
				{ seconds: 30 },
			);
			const [item] = itemsOf(await client.executionEnd(execution.id, 30), STEPS.trigger);
			assert.deepEqual(
				[item?.event, item?.sourceHash, item?.reference],
				['completed', hash, 'a try'],
			);
		},
	);

	await checks.check(
		'a trigger without a webhook ID has no address, and publishing says what to do; n8n 2.40 gives it one itself',
		async () => {
			const { nodes, ...rest } = watchingWorkflow(stage, 'No webhook ID', []);
			const { id } = await client.createWorkflow({
				...rest,
				nodes: nodes.map(({ webhookId: _, ...node }) => node),
			});
			const workflow = await client.workflow(id);
			const trigger = workflow.nodes.find(({ name }) => name === STEPS.trigger);
			if (trigger?.webhookId === undefined)
				await assert.rejects(client.publish(id), /open the workflow in the editor/);
			else await client.publish(id);
			const guessed = `${rehearsal.n8n.url}/webhook/${id}/${encodeURIComponent(STEPS.trigger.toLowerCase())}/orders`;
			const [sourceHash = ''] = await control.openOrders(1);
			assert.equal((await post(guessed, { sourceHash })).status, 404);
		},
	);

	await checks.check('without the switch there is no address', async () => {
		const [hash = ''] = await control.openOrders(1);
		const workflow = await publishWatch(stage, 'No webhook', [hash], { acceptOrders: false });
		assert.equal((await post(addressOf(stage, workflow), { sourceHash: hash })).status, 404);
		await client.unpublish(workflow.id);
	});
}

const POSTS = 500;
const POSTING_SECONDS = 10;
const CONNECTIONS = 20;
const FINISHING_MEANWHILE = 50;
/** Six times the standard limit, so that 550 orders are seen within minutes; each check costs n8n processor time (in n8n 2.40 some 50 ms). */
const CHECKS_PER_MINUTE = 600;
const LOAD_PATIENCE_SECONDS = 300;

/** Many posts at once. The figures are printed; what counts is that none is lost and none comes twice. */
export async function checkLoad(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control, client } = rehearsal;
	const title = `${POSTS} posts in ${POSTING_SECONDS} s from ${CONNECTIONS} connections while ${FINISHING_MEANWHILE} orders finish: all answered, none lost, none twice`;
	await checks.check(title, async () => {
		const finishing = await control.announce(
			Array.from({ length: FINISHING_MEANWHILE }, (_, index) => ({
				end: 'completed' as const,
				endsAfterSeconds: 5 + (POSTING_SECONDS * index) / FINISHING_MEANWHILE,
			})),
		);
		const posted = await control.openOrders(POSTS);
		const watched = finishing.map(({ sourceHash }) => sourceHash);
		const limited = await withSecret(stage, { requestsPerMinute: CHECKS_PER_MINUTE });
		const workflow = await publishWatch(limited, 'Many posts', watched, {
			options: { checkEvery: 1 },
		});
		const address = addressOf(stage, workflow);
		const health = watchHealth(`${rehearsal.n8n.url}/healthz`);
		const { statuses, milliseconds } = await postAll(address, posted);
		assert.deepEqual([...new Set(statuses)], [202]);
		console.log(`    answers: ${spread(milliseconds)}`);
		console.log(`    n8n's health page meanwhile: ${spread(await health.end())}`);

		// While n8n is too busy for its ticks, the trigger takes no calls.
		const watchedOrders = async (): Promise<JsonObject[] | undefined> =>
			(await http.get<{ orders?: JsonObject[] }>(address)).data.orders;
		const list = await until('the list', watchedOrders, { seconds: LOAD_PATIENCE_SECONDS });
		const open = new Set(list.map(({ sourceHash }) => sourceHash));
		assert.deepEqual(
			posted.filter((hash) => !open.has(hash)),
			[],
			'all that were accepted are watched',
		);
		await Promise.all(posted.map(async (hash) => await control.end(hash, 'completed')));
		const all = [...watched, ...posted];
		await until(
			`${all.length} executions`,
			async () =>
				(await client.executions(workflow.id)).filter(({ status }) => status === 'success')
					.length >= all.length,
			{ seconds: LOAD_PATIENCE_SECONDS, everyMilliseconds: 2000 },
		);
		const notifications = await notificationsOf(client, workflow.id);
		assert.deepEqual(eventIds(notifications), all.map((hash) => `${hash}:completed`).sort());
		const references = new Map(
			notifications.map(({ sourceHash, reference }) => [sourceHash, reference]),
		);
		for (const [index, hash] of posted.entries()) assert.equal(references.get(hash), index);
		const noneIsWatched = async () => (await watchedOrders())?.length === 0;
		await until('no watched orders', noneIsWatched, { seconds: LOAD_PATIENCE_SECONDS });
		await client.unpublish(workflow.id);
	});
}

/** Posts the hashes one by one, evenly over the time, from several connections at once. */
async function postAll(
	address: string,
	hashes: string[],
): Promise<{ statuses: number[]; milliseconds: number[] }> {
	const statuses: number[] = [];
	const milliseconds: number[] = [];
	const begin = performance.now();
	const queue = [...hashes.entries()];
	const connection = async (): Promise<void> => {
		for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
			const [index, sourceHash] = next;
			const dueAt = begin + (1000 * POSTING_SECONDS * index) / hashes.length;
			await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
			const sentAt = performance.now();
			const { status } = await axios.post(address, { sourceHash, reference: index }, SIGNED);
			milliseconds.push(performance.now() - sentAt);
			statuses.push(status);
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, connection));
	return { statuses, milliseconds };
}

const HEALTH_EVERY_MILLISECONDS = 100;

/** Asks n8n's health page again and again, one call at a time: how long it takes shows whether n8n's event loop is held up. */
function watchHealth(url: string): { end: () => Promise<number[]> } {
	const milliseconds: number[] = [];
	let isWanted = true;
	const asking = (async () => {
		while (isWanted) {
			const sentAt = performance.now();
			await http.get(url);
			milliseconds.push(performance.now() - sentAt);
			await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MILLISECONDS));
		}
	})();
	return {
		end: async () => {
			isWanted = false;
			await asking;
			return milliseconds;
		},
	};
}

function spread(milliseconds: number[]): string {
	return `median ${percentile(milliseconds, 50)} ms, 99 % within ${percentile(milliseconds, 99)} ms, slowest ${percentile(milliseconds, 100)} ms`;
}

function percentile(values: number[], percent: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return Math.round(
		sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0,
	);
}

/** The durable engine: a call is put where its polls find it; a process that has not polled yet asks to send it again. */
export async function checkPostingDurably(stage: Stage): Promise<void> {
	const { rehearsal, checks } = stage;
	const { control } = rehearsal;
	const accepted = async (workflow: StoredWorkflow, body: object): Promise<JsonObject> =>
		await until(
			'a call that is accepted',
			async () => {
				const { status, data, headers } = await post(addressOf(stage, workflow), body);
				if (status === 503) assert.equal(headers['retry-after'], '5');
				else assert.equal(status, 202, JSON.stringify(data));
				return status === 202 ? data : null;
			},
			{ seconds: PATIENCE_SECONDS },
		);
	await checkSecret(stage);
	await checks.check(
		`in the durable engine orders are posted, listed and removed, and n8n is killed right after 202, ${stage.kills} times: nothing is lost, nothing comes twice`,
		async () => {
			const workflow = await publishWatch(await withSecret(stage), 'Durable', []);
			const hashes = await control.openOrders(stage.kills);
			for (const [index, sourceHash] of hashes.entries()) {
				const data = await accepted(workflow, { sourceHash, reference: index });
				assert.equal(data.accepted, 1);
				await rehearsal.killAndRestartN8n();
				await control.end(sourceHash, 'completed');
				await notificationsFor(stage, workflow.id, hashes.slice(0, index + 1));
			}
			const [removed = '', open = ''] = await control.openOrders(2);
			await accepted(workflow, [{ sourceHash: removed }, { sourceHash: open, reference: 'open' }]);
			const address = addressOf(stage, workflow);
			const deletion = await http.delete<JsonObject>(address, { data: { sourceHash: removed } });
			assert.deepEqual([deletion.status, deletion.data.removed], [200, 1]);
			const list = await http.get<{ orders: JsonObject[] }>(address);
			assert.deepEqual(
				list.data.orders.map(({ sourceHash, reference }) => [sourceHash, reference]),
				[[open, 'open']],
			);
			await control.end(removed, 'failed');
			const notifications = await notificationsAfterFurtherPolls(stage, workflow.id, open);
			assert.deepEqual(eventIds(notifications), hashes.map((hash) => `${hash}:completed`).sort());
			assert.deepEqual(
				new Map(notifications.map(({ sourceHash, reference }) => [sourceHash, reference])),
				new Map(hashes.map((hash, index) => [hash, index])),
			);
			await rehearsal.client.unpublish(workflow.id);
		},
	);
}
