import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import {
	LINE_NAMES,
	type N8nRelease,
	releaseForThisNode,
	releaseOf,
} from '../../realN8n/install/releases';
import { exitWhenInterrupted } from '../../realN8n/machine/interruption';
import { CACHE_FOLDER } from '../../realN8n/machine/paths';
import { until } from '../../realN8n/machine/until';
import {
	ACTION_TYPE,
	CREDENTIAL_TYPE,
	readExample,
	STEPS,
	TRIGGER_TYPE,
} from '../../realN8n/rehearsal/examples';
import { notificationsOf } from '../../realN8n/rehearsal/notifications';
import { N8nClient, OWNER } from '../../realN8n/server/client';
import type { StoredWorkflow } from '../../realN8n/server/types';
import { CheckList } from '../checks/checkList';
import { NpmStart } from './npmStart';

const HELP = `npm run e2e -- start [flags]

npm start on what a person has done before: workflows of the same name, a credential taken out, nodes deleted, workflows
archived, a changed password. The last line is "N passed, N failed".

  --n8n <line>  ${LINE_NAMES} (default: the one that fits this Node.js)
  --help        this text
`;

/** An order finishes every half minute; the first within a quarter of one. */
const FIRST_EXECUTION_SECONDS = 60;

const OWN_BRIDGE = 'https://bridge.example.com';
const WATCH = readExample('watch-orders');
const BRIDGE = readExample('bridge-in-the-sandbox');

/** The two workflows that npm start says are its own, by the links that it writes. */
async function ownWorkflows(
	start: NpmStart,
	client: N8nClient,
): Promise<{ watch: StoredWorkflow; bridge: StoredWorkflow }> {
	const [watch, bridge] = [...start.output.matchAll(/\/workflow\/([\w-]+)/g)].map(([, id]) => id);
	assert.ok(watch !== undefined && bridge !== undefined, start.output);
	return { watch: await client.workflow(watch), bridge: await client.workflow(bridge) };
}

/** Both are as they must be to be of use: complete, with a credential, published, posting to the right addresses. */
async function assertInOrder(start: NpmStart, client: N8nClient): Promise<void> {
	const { watch, bridge } = await ownWorkflows(start, client);
	const credentials = new Map((await client.credentials()).map(({ id, type }) => [id, type]));
	for (const { nodes } of [watch, bridge]) {
		const ours = nodes.filter(({ type }) => type === ACTION_TYPE || type === TRIGGER_TYPE);
		assert.ok(ours.length > 0, 'it has nodes of ours');
		for (const node of ours)
			assert.equal(
				credentials.get(node.credentials?.[CREDENTIAL_TYPE]?.id ?? ''),
				CREDENTIAL_TYPE,
				node.name,
			);
	}
	const trigger = watch.nodes.find(({ type }) => type === TRIGGER_TYPE);
	assert.equal(watch.active, true, 'the watching workflow is published');
	const urlOf = (name: string): unknown =>
		bridge.nodes.find((node) => node.name === name)?.parameters.url;
	assert.equal(
		urlOf(STEPS.watching),
		`${start.n8nUrl}/webhook/${String(trigger?.webhookId)}/orders`,
	);
	assert.ok(
		String(urlOf(STEPS.submission)).startsWith(start.sandboxUrl),
		String(urlOf(STEPS.submission)),
	);
}

async function signedIn(start: NpmStart): Promise<N8nClient> {
	const client = new N8nClient(start.n8nUrl);
	await client.signIn();
	return client;
}

async function checkStarts(
	release: N8nRelease,
	dataFolder: string,
	checks: CheckList,
): Promise<void> {
	/** Runs npm start and checks what it has made; last, the check does what a person may do before the next start. */
	const checkStart = async (
		name: string,
		check: (start: NpmStart) => Promise<void>,
	): Promise<void> =>
		await checks.check(name, async () => {
			const start = await NpmStart.run(release, dataFolder);
			try {
				await check(start);
			} finally {
				await start.stop();
			}
		});

	const imported: string[] = [];
	await checkStart(
		'a new n8n is set up, and the first order that finishes starts the workflow',
		async (start) => {
			const client = await signedIn(start);
			await assertInOrder(start, client);
			const { watch } = await ownWorkflows(start, client);
			await until(
				'an execution',
				async () => (await notificationsOf(client, watch.id)).length > 0,
				{ seconds: FIRST_EXECUTION_SECONDS },
			);
			// for the next start: its own are gone, and others of the same names are there, without a credential
			for (const { id } of Object.values(await ownWorkflows(start, client))) {
				if (id === watch.id) await client.unpublish(id);
				await client.archiveWorkflow(id);
				await client.deleteWorkflow(id);
			}
			for (const example of [WATCH, BRIDGE])
				imported.push((await client.createWorkflow(example)).id);
		},
	);

	await checkStart(
		'its own are made again next to imported ones of the same names, which stay as they are',
		async (start) => {
			const client = await signedIn(start);
			await assertInOrder(start, client);
			const { watch, bridge } = await ownWorkflows(start, client);
			assert.ok(!imported.includes(watch.id) && !imported.includes(bridge.id));
			for (const [index, example] of [WATCH, BRIDGE].entries()) {
				const { nodes, active } = await client.workflow(imported[index] ?? '');
				assert.deepEqual(
					nodes.map(({ parameters }) => parameters),
					example.nodes.map(({ parameters }) => parameters),
				);
				assert.equal(active, false);
			}
			// for the next start: renamed, without its credential, and the credential itself is gone
			const bare = watch.nodes.map((node) => ({ ...node, credentials: undefined }));
			await client.unpublish(watch.id);
			await client.updateWorkflow(watch.id, { ...watch, name: 'Mine now', nodes: bare });
			for (const { id } of await client.credentials()) await client.deleteCredential(id);
			// and the person's own, for a real bridge, has that name
			await client.createCredential({
				name: 'Bridge sandbox',
				type: CREDENTIAL_TYPE,
				data: { apiKey: 'own', baseUrl: OWN_BRIDGE },
			});
		},
	);

	await checkStart(
		'a workflow that was renamed and left without its credential is the same one, with its name',
		async (start) => {
			const client = await signedIn(start);
			await assertInOrder(start, client);
			const { watch, bridge } = await ownWorkflows(start, client);
			assert.equal(watch.name, 'Mine now');
			assert.equal((await client.workflows()).length, 4);
			const kept = await Promise.all(
				(await client.credentials()).map(async ({ id }) =>
					JSON.stringify(await client.credentialForEditor(id)),
				),
			);
			assert.equal(
				kept.filter((each) => each.includes(OWN_BRIDGE)).length,
				1,
				"the person's own credential is as it was",
			);
			// for the next start: no trigger any more, and the other one archived
			await client.updateWorkflow(watch.id, {
				...watch,
				nodes: watch.nodes.filter(({ type }) => type !== TRIGGER_TYPE),
				connections: {},
			});
			await client.archiveWorkflow(bridge.id);
		},
	);

	await checkStart(
		'a workflow without its trigger, and an archived one, are put right',
		async (start) => {
			const client = await signedIn(start);
			await assertInOrder(start, client);
			const { watch } = await ownWorkflows(start, client);
			// for the next start: another published workflow has the address of the trigger
			await client.unpublish(watch.id);
			const copy = await client.createWorkflow({
				name: 'A copy',
				nodes: watch.nodes,
				connections: watch.connections,
				settings: watch.settings,
			});
			await client.publish(copy.id);
		},
	);

	await checkStart(
		'a copy that has its address stays published, and its own gets another address',
		async (start) => {
			const client = await signedIn(start);
			await assertInOrder(start, client);
			const copy = (await client.workflows()).find(({ name }) => name === 'A copy');
			assert.equal((await client.workflow(copy?.id ?? '')).active, true);
			await client.changePassword(OWNER.password, `Another-${randomUUID()}-1`);
		},
	);

	await checkStart(
		'an n8n whose owner has another password starts all the same, and it is said',
		async (start) => {
			assert.match(start.output, /password/);
			await assert.rejects(signedIn(start));
		},
	);
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: { n8n: { type: 'string' }, help: { type: 'boolean', default: false } },
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const release = flags.n8n === undefined ? releaseForThisNode() : releaseOf(flags.n8n);
	const checks = new CheckList((line) => console.log(line));
	mkdirSync(CACHE_FOLDER, { recursive: true });
	const dataFolder = mkdtempSync(join(CACHE_FOLDER, 'start-'));
	const clean = async (): Promise<void> => rmSync(dataFolder, { recursive: true, force: true });
	exitWhenInterrupted(clean);
	try {
		await checkStarts(release, dataFolder, checks);
	} finally {
		await clean();
	}
	console.log(checks.summary);
	process.exitCode = checks.allPassed ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
