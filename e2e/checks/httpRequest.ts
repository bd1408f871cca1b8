import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { CREDENTIAL_TYPE } from '../../realN8n/rehearsal/examples';
import {
	itemsOf,
	type Execution,
	type NodeDefinition,
	type StoredCredential,
	type WorkflowDefinition,
} from '../../realN8n/server/types';
import { withStranger } from '../standIns/stranger';
import { findsIn, MARKED_KEY } from './marks';
import type { Stage } from './stage';

const START = 'Start';
const REQUEST = 'HTTP Request';
const CONFIG_PATH = '/api/sdk/v2/config';

/** A workflow that requests one address with n8n's own HTTP Request node, to which our credential adds the key. */
function requesting(url: string, { id, name }: StoredCredential): WorkflowDefinition {
	const node = (nodeName: string, type: string, typeVersion: number): NodeDefinition => ({
		id: randomUUID(),
		name: nodeName,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters: {},
	});
	const request: NodeDefinition = {
		...node(REQUEST, 'httpRequest', 4.2),
		credentials: { [CREDENTIAL_TYPE]: { id, name } },
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			options: {},
		},
	};
	return {
		name: `Request ${url}`,
		nodes: [node(START, 'manualTrigger', 1), request],
		connections: { [START]: { main: [[{ node: REQUEST, type: 'main', index: 0 }]] } },
	};
}

/** What n8n's HTTP Request node can do with our credential: anyone who may use a shared credential must not get its key by it. */
export async function checkHttpRequest({ rehearsal, checks, credential }: Stage): Promise<void> {
	const { client, control } = rehearsal;
	const executionOf = async (
		url: string,
		which: StoredCredential = credential,
	): Promise<Execution> =>
		await client.runManually(await client.createWorkflow(requesting(url, which)), START);

	await checks.check(
		"n8n's HTTP Request node reads the service's own endpoint with the credential",
		async () => {
			const execution = await executionOf(`${rehearsal.rightCredential.baseUrl}${CONFIG_PATH}`);
			assert.equal(execution.status, 'success', execution.error?.message);
			assert.equal(itemsOf(execution, REQUEST)[0]?.success, true);
		},
	);

	await checks.check('it sends the key to no other address, and says why', async () => {
		await withStranger(async (stranger) => {
			// the same path, the right address as a part of another one, and the right host with another port
			const { host } = new URL(rehearsal.rightCredential.baseUrl);
			for (const url of [
				`${stranger.url}${CONFIG_PATH}`,
				`${stranger.url}/${host}${CONFIG_PATH}`,
				stranger.url.replace('//', `//${host}@`),
			]) {
				const execution = await executionOf(url);
				assert.deepEqual(
					stranger.requests.flatMap(({ headers }) => findsIn(url, JSON.stringify(headers))),
					[],
				);
				assert.equal(execution.status, 'error', url);
				assert.match(execution.error?.message ?? '', /Base URL/, url);
			}
		});
	});

	await checks.check(
		'it sends the key to nothing besides the interface at its own address',
		async () => {
			await withStranger(async (stranger) => {
				const beneath = await rehearsal.credential('Beneath a path', {
					apiKey: MARKED_KEY,
					baseUrl: `${stranger.url}/bridge`,
				});
				for (const path of [
					CONFIG_PATH,
					'/bridge/else',
					`/bridge/../other${CONFIG_PATH}`,
					`/bridge/api/sdk/v2/../../../other`,
				]) {
					await executionOf(`${stranger.url}${path}`, beneath);
				}
				assert.deepEqual(
					stranger.requests.filter(({ headers }) => headers['x-api-key'] !== undefined),
					[],
				);
				await executionOf(`${stranger.url}/bridge${CONFIG_PATH}`, beneath);
				assert.deepEqual(
					stranger.requests.flatMap(({ headers }) => headers['x-api-key'] ?? []),
					[MARKED_KEY],
				);
			});
		},
	);

	await checks.check('the key does not follow a redirect of the service', async () => {
		await withStranger(async (stranger) => {
			await control.addFault({
				kind: 'redirect',
				endpoint: 'config',
				to: `${stranger.url}${CONFIG_PATH}`,
				times: 'always',
			});
			try {
				await executionOf(`${rehearsal.rightCredential.baseUrl}${CONFIG_PATH}`);
			} finally {
				await control.clearFaults();
			}
			assert.deepEqual(
				stranger.requests.filter(({ headers }) => headers['x-api-key'] !== undefined),
				[],
			);
		});
	});
}
