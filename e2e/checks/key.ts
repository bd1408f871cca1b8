import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import { allTables } from '../../realN8n/server/database';
import { runN8nCommand } from '../../realN8n/server/server';
import { findsIn, MARK, MARKED_KEY, type Find } from './marks';
import type { Stage } from './stage';

/**
 * The key in everything that n8n has kept and said. The run's service accepts only one key, which carries a mark, and wrong
 * keys carry it too: so whatever the groups before have done (checks, refused requests, faults, manual runs, tests of the credential,
 * tools of a chat model), it was done with a key that would be found.
 */
export async function checkKey({ rehearsal, checks }: Stage): Promise<void> {
	const { client } = rehearsal;

	assert.equal(rehearsal.control.sandbox.apiKey, MARKED_KEY, 'this run has used the marked key');
	await checks.check('the key is in no table, file, log or answer of n8n, in no form', async () => {
		const { places, finds } = await hunt(rehearsal);
		console.log(`    searched: ${places}`);
		assert.deepEqual(finds, []);
		for (const { id, name } of await client.credentials()) {
			const shown = JSON.stringify(await client.credentialForEditor(id));
			assert.deepEqual(findsIn(`credential ${name}, as the editor reads it`, shown), []);
		}
	});

	await checks.check(
		"it is in no export of n8n's command line, except that of the credentials in clear",
		async () => {
			// no command may run next to an n8n of the same folder
			await rehearsal.restartN8n(async () => {
				const exported = async (...what: string[]): Promise<string> =>
					await runN8nCommand(rehearsal.options, what);
				const workflows = await exported('export:workflow', '--all', '--pretty');
				assert.match(workflows, /crossChainBridge/, 'workflows were exported');
				assert.deepEqual(findsIn('workflows', workflows), []);
				assert.deepEqual(findsIn('credentials', await exported('export:credentials', '--all')), []);
				assert.notDeepEqual(
					findsIn(
						'credentials in clear',
						await exported('export:credentials', '--all', '--decrypted'),
					),
					[],
				);
			});
		},
	);

	await checks.check(
		'a key that somebody writes into a node is found: in tables, in the database file and in answers',
		async () => {
			const workflow = await rehearsal.client.createWorkflow(withKeyInNode());
			const execution = await rehearsal.client.runManually(workflow, 'Start');
			assert.equal(execution.status, 'success', execution.error?.message);
			const places = new Set((await hunt(rehearsal)).finds.map(({ place }) => place));
			const expected = [
				'table workflow_entity',
				'table execution_data',
				'file .n8n/database.sqlite',
				`workflow ${workflow.name}`,
				`execution ${execution.id} of`,
			];
			assert.deepEqual(
				expected.filter((each) => ![...places].some((place) => place.startsWith(each))),
				[],
				'places that were missed',
			);
		},
	);
}

/** Checks everywhere. */
async function hunt(rehearsal: Rehearsal): Promise<{ places: string; finds: Find[] }> {
	const { client, options } = rehearsal;
	const finds: Find[] = [];

	const workflows = await client.workflows();
	let executions = 0;
	for (const { id, name } of workflows) {
		finds.push(...findsIn(`workflow ${name}`, JSON.stringify(await client.workflow(id))));
		for (const { id: executionId } of await client.executions(id)) {
			executions++;
			finds.push(
				...findsIn(
					`execution ${executionId} of ${name}`,
					JSON.stringify(await client.execution(executionId)),
				),
			);
		}
	}
	finds.push(...findsIn('list of credentials', JSON.stringify(await client.credentials())));
	finds.push(...findsIn('output of n8n', rehearsal.n8n.log));

	let rows = 0;
	for (const [table, content] of await allTables(options)) {
		for (const row of content) {
			rows++;
			for (const [column, cell] of Object.entries(row)) {
				finds.push(
					...findsIn(
						`table ${table}, column ${column}`,
						Buffer.isBuffer(cell) ? cell : String(cell),
					),
				);
			}
		}
	}
	const files = filesOf(options.userFolder);
	for (const path of files)
		finds.push(...findsIn(`file ${relative(options.userFolder, path)}`, readFileSync(path)));

	const places = `${rows} rows of the database, ${files.length} files, ${workflows.length} workflows, ${executions} executions, n8n's output`;
	return { places, finds };
}

/** Everything that n8n has written below its folder: the database, logs, binary data. Not the packages it was given. */
function filesOf(userFolder: string): string[] {
	return readdirSync(userFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((path) => !relative(userFolder, path).includes('node_modules'));
}

function withKeyInNode() {
	const node = (name: string, type: string, parameters: Record<string, unknown>) => ({
		id: randomUUID(),
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
	});
	const key = {
		mode: 'raw',
		options: {},
		jsonOutput: JSON.stringify({ key: `here it is: ${MARK}` }),
	};
	return {
		name: 'A key in a node',
		nodes: [node('Start', 'manualTrigger', {}), { ...node('Keep', 'set', key), typeVersion: 3.4 }],
		connections: { Start: { main: [[{ node: 'Keep', type: 'main' as const, index: 0 }]] } },
	};
}
