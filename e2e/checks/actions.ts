import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CACHE_FOLDER } from '../../realN8n/machine/paths';
import {
	ACTION_TYPE,
	adapted,
	CREDENTIAL_TYPE,
	ordersUrl,
	readExample,
	STEPS,
} from '../../realN8n/rehearsal/examples';
import { runN8nCommand } from '../../realN8n/server/server';
import {
	itemsOf,
	type Execution,
	type JsonObject,
	type WorkflowDefinition,
} from '../../realN8n/server/types';
import { assertSimplified } from './schema';
import { notificationsFor, publishWatch, type Stage } from './stage';

/** Every step of the example bridge-in-the-sandbox has given what it should. */
async function assertBridged(
	{ rehearsal }: Stage,
	execution: Pick<Execution, 'runs'>,
): Promise<void> {
	const items = (step: string): JsonObject[] => itemsOf(execution, step);
	const networks = items(STEPS.config);
	assert.ok(networks.length >= 2, 'Get Config gives one item for each network');
	for (const { chainID, name, tokenList } of networks) {
		assert.equal(typeof chainID, 'number');
		assert.match(String(tokenList), /^\w+ \(native\), USDC\b/, `${String(name)} has a tokenList`);
	}

	const [quote, ...moreQuotes] = items(STEPS.quote);
	assert.equal(moreQuotes.length, 0, 'Get Quote runs once');
	assert.equal(quote?.sent, '0.5 ETH');
	assert.match(
		String(quote?.summary),
		/^0\.5 ETH on Ethereum gives about 0\.49925 ETH on Base; valid for /,
	);

	const [submitted] = items(STEPS.submission);
	const [order] = items(STEPS.status);
	assert.equal(order?.sourceHash, submitted?.sourceHash);
	assert.equal(order?.outcome, null);
	assert.equal(order?.sent, '0.5 ETH');
	const known = await rehearsal.control.orders();
	assert.ok(
		known.some(({ sourceHash }) => sourceHash === order?.sourceHash),
		'the sandbox knows the order',
	);
}

/** The workflow without one of its last steps. */
function without(workflow: WorkflowDefinition, step: string): WorkflowDefinition {
	const connections = Object.entries(workflow.connections).map(([from, { main }]) => [
		from,
		{ main: main.map((output) => output.filter(({ node }) => node !== step)) },
	]);
	return {
		...workflow,
		nodes: workflow.nodes.filter(({ name }) => name !== step),
		connections: Object.fromEntries(connections),
	};
}

/** What `n8n execute --rawOutput` writes, between lines of the log. */
function runsIn(output: string): Pick<Execution, 'runs'> {
	const json = output.slice(output.indexOf('\n{') + 1, output.lastIndexOf('}') + 1);
	const { data } = JSON.parse(json) as { data: { resultData: { runData: Execution['runs'] } } };
	return { runs: data.resultData.runData };
}

/** The action node, in a workflow that a person runs and in one that n8n's command line runs. */
export async function checkActions(stage: Stage): Promise<void> {
	const { rehearsal, checks, credential } = stage;
	const { client, control } = rehearsal;
	// A trigger of the durable engine that has not polled yet asks to send again, which the example does not do.
	const whole = readExample('bridge-in-the-sandbox');
	const example = stage.durable ? without(whole, STEPS.watching) : whole;

	const watch = await publishWatch(stage, 'Watches what the example posts', []);
	const bridging = adapted(
		example,
		control.sandbox.url,
		credential,
		ordersUrl(rehearsal.n8n.url, watch),
	);

	await checks.check(
		'Get Config, Get Quote, submit, Get Status: a person runs the example',
		async () => {
			const workflow = await client.createWorkflow(bridging);
			const execution = await client.runManually(workflow, STEPS.manualStart);
			assert.equal(execution.status, 'success', execution.error?.message);
			await assertBridged(stage, execution);
			for (const [step, operation] of [
				[STEPS.config, 'getConfig'],
				[STEPS.quote, 'getQuote'],
				[STEPS.status, 'getStatus'],
			] as const)
				await assertSimplified(rehearsal, ACTION_TYPE, operation, itemsOf(execution, step)[0]);

			if (stage.durable) return;
			// What the example posts to the other workflow comes back there with its reference.
			const sourceHash = String(itemsOf(execution, STEPS.submission)[0]?.sourceHash);
			const [notification] = await notificationsFor(stage, watch.id, [sourceHash]);
			assert.match(
				String(notification?.text),
				/^✅ Order “Invoice 4711”: the 0\.5 ETH from Ethereum arrived on Base as 0\.49925 ETH after \d+ s$/,
			);
		},
	);

	await checks.check(
		'an order that nobody knows ends the execution with a sentence, without the key',
		async () => {
			const [, ...steps] = example.nodes;
			const nodes = steps
				.filter(({ name }) => name === STEPS.manualStart || name === STEPS.status)
				.map((node) =>
					node.name === STEPS.status
						? { ...node, parameters: { ...node.parameters, sourceHash: `0x${'ab'.repeat(32)}` } }
						: node,
				);
			const connections = {
				[STEPS.manualStart]: { main: [[{ node: STEPS.status, type: 'main' as const, index: 0 }]] },
			};
			const definition = { ...example, name: 'An unknown order', nodes, connections };
			const workflow = await client.createWorkflow(
				adapted(definition, control.sandbox.url, credential),
			);
			const execution = await client.runManually(workflow, STEPS.manualStart);
			assert.equal(execution.status, 'error');
			assert.match(execution.error?.message ?? '', /^Order not found$/);
			assert.ok(
				!JSON.stringify(execution).includes(control.sandbox.apiKey),
				'the execution does not contain the key',
			);
		},
	);

	await checks.check(
		"the examples and a credential are imported by n8n's command line, which runs the action",
		async () => {
			mkdirSync(CACHE_FOLDER, { recursive: true });
			const folder = mkdtempSync(join(CACHE_FOLDER, 'command-line-'));
			try {
				// what a command prints is read, so n8n's debug log must not come in between
				const env = { ...rehearsal.options.env, N8N_LOG_LEVEL: 'info' };
				const options = { ...rehearsal.options, port: undefined, userFolder: folder, env };
				const imported = {
					id: 'importedCredential',
					name: 'Bridge sandbox',
					type: CREDENTIAL_TYPE,
				};
				const credentials = join(folder, 'credentials.json');
				writeFileSync(
					credentials,
					JSON.stringify([{ ...imported, data: rehearsal.rightCredential }]),
				);
				const action = join(folder, 'action.json');
				const definition = {
					id: 'importedAction',
					active: false,
					...adapted(bridging, control.sandbox.url, imported),
				};
				writeFileSync(action, JSON.stringify([definition]));

				await runN8nCommand(options, ['import:credentials', `--input=${credentials}`]);
				await runN8nCommand(options, ['import:workflow', `--input=${action}`]);
				const output = await runN8nCommand(options, [
					'execute',
					'--id=importedAction',
					'--rawOutput',
				]);
				await assertBridged(stage, runsIn(output));

				// The command line makes no ID in n8n 2.41, and the examples bring none.
				const watching = join(folder, 'watching.json');
				const example = { id: 'importedTrigger', active: false, ...readExample('watch-orders') };
				writeFileSync(watching, JSON.stringify([example]));
				await runN8nCommand(options, ['import:workflow', `--input=${watching}`]);
				const list = await runN8nCommand(options, ['list:workflow']);
				assert.ok(
					list.includes(readExample('watch-orders').name),
					'the watching example is in the list',
				);
			} finally {
				rmSync(folder, { recursive: true, force: true });
			}
		},
	);
}
