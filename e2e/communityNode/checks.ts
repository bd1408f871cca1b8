import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import axios from 'axios';

import { PACKAGE_NAME } from '../../realN8n/machine/paths';
import { until } from '../../realN8n/machine/until';
import {
	ACTION_TYPE,
	adapted,
	CREDENTIAL_TYPE,
	ordersUrl,
	postOrder,
	readExample,
	STEPS,
	TRIGGER_TYPE,
	withTriggerParameters,
} from '../../realN8n/rehearsal/examples';
import { notificationsOf, type Notification } from '../../realN8n/rehearsal/notifications';
import type { SandboxControl } from '../../realN8n/rehearsal/sandboxControl';
import { N8nClient } from '../../realN8n/server/client';
import { N8nServer, type N8nOptions } from '../../realN8n/server/server';
import { itemsOf, type StoredCredential, type StoredWorkflow } from '../../realN8n/server/types';
import type { CheckList } from '../checks/checkList';
import { CommunityPackages } from './packages';
import type { Registry } from './registry';

interface PublishedVersion {
	version: string;
	/** What is published as this version. */
	folder: string;
}

interface InstallationStage {
	checks: CheckList;
	registry: Registry;
	control: SandboxControl;
	n8n: N8nOptions;
	versions: { first: PublishedVersion; next: PublishedVersion };
	stopAtTheEnd(stop: () => Promise<void>): void;
}

/** Polls of every fifth second: n8n takes several expressions with a fixed second each. */
const POLL_SECONDS = 5;
const OFTEN = {
	item: Array.from({ length: 60 / POLL_SECONDS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * POLL_SECONDS} * * * * *`,
	})),
};

const PATIENCE_SECONDS = 120;

/** Orders that finish around the first poll after an update: enough for every moment between two checks to be hit. */
const ENDS_AROUND_A_POLL = 40;
const MILLISECONDS_BETWEEN_ENDS = 300;

/** An n8n without the package, its owner, and what is made of it in the course of the checks. */
class Course {
	private constructor(
		readonly stage: InstallationStage,
		public server: N8nServer,
		public client: N8nClient,
		public packages: CommunityPackages,
	) {}

	static async begin(stage: InstallationStage): Promise<Course> {
		const server = await N8nServer.start(stage.n8n);
		stage.stopAtTheEnd(async () => await server.stop());
		const client = new N8nClient(server.url);
		await client.signIn();
		return new Course(stage, server, client, await CommunityPackages.signIn(server.url));
	}

	async restart(): Promise<void> {
		await this.server.stop();
		const server = await N8nServer.start({ ...this.stage.n8n, port: this.server.place.port });
		this.stage.stopAtTheEnd(async () => await server.stop());
		this.server = server;
		this.client = new N8nClient(server.url);
		await this.client.signIn();
		this.packages = await CommunityPackages.signIn(server.url);
	}

	/** The version of the package that lies where n8n loads it from. */
	get versionOnDisk(): string {
		const manifest = join(
			this.stage.n8n.userFolder,
			'.n8n',
			'nodes',
			'node_modules',
			PACKAGE_NAME,
			'package.json',
		);
		return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
	}

	async assertLoaded(isLoaded: boolean): Promise<void> {
		const nodes = (await this.client.loadedTypes('nodes')).map(({ name }) => name);
		const credentials = (await this.client.loadedTypes('credentials')).map(({ name }) => name);
		for (const name of [ACTION_TYPE, `${ACTION_TYPE}Tool`, TRIGGER_TYPE])
			assert.equal(nodes.includes(name), isLoaded, name);
		assert.equal(credentials.includes(CREDENTIAL_TYPE), isLoaded, CREDENTIAL_TYPE);
	}

	/** Runs the example that asks for a quote, submits it, and reads the order's status. */
	async assertActionWorks(workflow: StoredWorkflow): Promise<void> {
		const execution = await this.client.runManually(workflow, STEPS.manualStart);
		assert.equal(execution.status, 'success', execution.error?.message);
		const [submitted] = itemsOf(execution, STEPS.submission);
		const [order] = itemsOf(execution, STEPS.status);
		assert.equal(typeof order?.sourceHash, 'string');
		assert.equal(order?.sourceHash, submitted?.sourceHash);
	}

	/** All that the trigger has emitted, once these are among it and some further polls have passed. */
	async emitted(
		workflowId: string,
		sourceHashes: string[],
		openHash: string,
	): Promise<Notification[]> {
		await until(
			`the events of ${sourceHashes.length} order(s)`,
			async () => {
				const came = new Set(
					(await notificationsOf(this.client, workflowId)).map(({ sourceHash }) => sourceHash),
				);
				return sourceHashes.every((hash) => came.has(hash));
			},
			{ seconds: PATIENCE_SECONDS },
		);
		// by the third further check of an open order, what comes twice would have come
		await this.stage.control.furtherChecksOf(openHash, 3, PATIENCE_SECONDS);
		return await notificationsOf(this.client, workflowId);
	}
}

function assertReportedOnce(notifications: Notification[], sourceHashes: string[]): void {
	const emitted = notifications.map(({ eventId }) => eventId).sort();
	assert.deepEqual(emitted, sourceHashes.map((hash) => `${hash}:completed`).sort());
}

/** n8n does not know the webhook, or the trigger has not begun; whatever else comes is the trigger's answer. */
const NOT_THERE_YET = [404, 503];

/** After a start n8n answers before it has taken up its published workflows. */
async function untilWebhookIsThere(n8nUrl: string, workflow: StoredWorkflow): Promise<void> {
	const address = ordersUrl(n8nUrl, workflow);
	await until(
		'the trigger to answer at its webhook',
		async () => {
			const { status } = await axios.get(address, { proxy: false, validateStatus: () => true });
			return !NOT_THERE_YET.includes(status);
		},
		{ seconds: PATIENCE_SECONDS },
	);
}

/** The way of a package through n8n: not there, installed, used, updated while it works, published again, restarted. */
export async function checkInstallation(stage: InstallationStage): Promise<void> {
	const { checks, registry, control, versions } = stage;
	await registry.publish(versions.first.folder);
	const course = await Course.begin(stage);

	await checks.check(
		`n8n installs version ${versions.first.version} from the registry, and loads nodes and credential`,
		async () => {
			await course.assertLoaded(false);
			// Without a version n8n 2.8 asks the public registry what the newest is, by a request of its own that ends here.
			const installed = await course.packages.install(PACKAGE_NAME, versions.first.version);
			assert.equal(installed.installedVersion, versions.first.version);
			assert.deepEqual(installed.installedNodes.map(({ type }) => type).sort(), [
				ACTION_TYPE,
				TRIGGER_TYPE,
			]);
			assert.equal(course.versionOnDisk, versions.first.version);
			await course.assertLoaded(true);
		},
	);

	const { apiKey, url: baseUrl } = control.sandbox;
	const data = { apiKey, baseUrl, requestsPerMinute: 6000 };
	const credential: StoredCredential = await course.client.createCredential({
		name: 'Bridge',
		type: CREDENTIAL_TYPE,
		data,
	});
	const [before = '', after = '', posted = '', last = '', endless = '', ...around] =
		await control.openOrders(5 + ENDS_AROUND_A_POLL);
	const watching = withTriggerParameters(
		adapted(readExample('watch-orders'), baseUrl, credential),
		{
			sourceHashes: [before, after, last, endless, ...around].join('\n'),
			pollTimes: OFTEN,
		},
	);
	const watch = await course.client.createWorkflow(watching);
	const bridging = adapted(
		readExample('bridge-in-the-sandbox'),
		baseUrl,
		credential,
		ordersUrl(course.server.url, watch),
	);
	const bridge = await course.client.createWorkflow(bridging);
	/** What the bridging example posts is watched as well; its events are not counted here. */
	const counted = new Set([before, after, posted, last, ...around]);
	const ours = (notifications: Notification[]): Notification[] =>
		notifications.filter(({ sourceHash }) => counted.has(sourceHash));

	await checks.check(
		'the installed nodes work: the credential’s test, the actions, an order that starts the workflow',
		async () => {
			assert.equal((await course.client.testCredential(credential, data)).status, 'OK');
			await course.client.publish(watch.id);
			await course.assertActionWorks(bridge);
			await control.end(before, 'completed');
			assertReportedOnce(ours(await course.emitted(watch.id, [before], endless)), [before]);
		},
	);

	await checks.check(
		`n8n sees version ${versions.next.version} in the registry and updates to it`,
		async () => {
			await registry.publish(versions.next.folder);
			const [offered] = await course.packages.installed();
			assert.equal(offered?.updateAvailable, versions.next.version);
			const updated = await course.packages.update(PACKAGE_NAME, versions.next.version);
			assert.equal(updated.installedVersion, versions.next.version);
			assert.equal(course.versionOnDisk, versions.next.version);
			await course.assertLoaded(true);
		},
	);

	await checks.check(
		'right after the update, with nothing restarted, each finished order starts the workflow once',
		async () => {
			// The loop continues for more than two polls, the first of which brings the new version's code into play.
			for (const hash of around) {
				await control.end(hash, 'completed');
				await delay(MILLISECONDS_BETWEEN_ENDS);
			}
			await control.end(after, 'completed');
			const emitted = await course.emitted(watch.id, [after, ...around], endless);
			assertReportedOnce(ours(emitted), [before, after, ...around]);
		},
	);

	await checks.check(
		'with nothing restarted, the webhook takes orders again, and reports them',
		async () => {
			await until(
				'the webhook to take an order',
				async () => (await postOrder(ordersUrl(course.server.url, watch), posted)) === 202,
				{
					seconds: PATIENCE_SECONDS,
				},
			);
			// it continues to do so
			await control.furtherChecksOf(endless, 3, PATIENCE_SECONDS);
			assert.equal(await postOrder(ordersUrl(course.server.url, watch), posted), 202);
			await control.end(posted, 'completed');
			const emitted = await course.emitted(watch.id, [posted], endless);
			assertReportedOnce(ours(emitted), [before, after, posted, ...around]);
		},
	);

	await checks.check(
		'the workflows and the credential work with the new version, published again and after a restart',
		async () => {
			await course.client.publish(watch.id);
			await course.assertActionWorks(bridge);
			await course.restart();
			await untilWebhookIsThere(course.server.url, watch);
			assert.deepEqual(
				(await course.packages.installed()).map(({ installedVersion }) => installedVersion),
				[versions.next.version],
			);
			assert.equal((await course.client.testCredential(credential, data)).status, 'OK');
			await course.assertActionWorks(bridge);
			await control.end(last, 'completed');
			const emitted = await course.emitted(watch.id, [last], endless);
			assertReportedOnce(ours(emitted), [before, after, posted, last, ...around]);
		},
	);
}
