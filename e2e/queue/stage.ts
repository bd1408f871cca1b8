import { join } from 'node:path';

import { randomUUID } from 'node:crypto';

import axios from 'axios';

import { ACTION_TYPE, CREDENTIAL_TYPE } from '../../realN8n/rehearsal/examples';
import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import { N8nServer } from '../../realN8n/server/server';
import type { NodeDefinition, StoredCredential, StoredWorkflow } from '../../realN8n/server/types';
import type { CheckList } from '../checks/checkList';
import type { QueueServices } from './services';

/** A main process (the rehearsal's), its workers, and what they share. */
export interface QueueStage {
	rehearsal: Rehearsal;
	services: QueueServices;
	checks: CheckList;
	workers: Worker[];
	say: (line: string) => void;
}

/** A worker process of the queue, whose log says what it runs. */
export class Worker {
	private constructor(
		readonly name: string,
		readonly server: N8nServer,
	) {}

	static async start(
		{ rehearsal, services }: Pick<QueueStage, 'rehearsal' | 'services'>,
		name: string,
	): Promise<Worker> {
		const { release, packageFolder, userFolder } = rehearsal.options;
		const server = await N8nServer.start({
			release,
			packageFolder,
			userFolder: join(userFolder, name),
			env: services.env,
			role: 'worker',
		});
		return new Worker(name, server);
	}

	/** Execution IDs in the order in which this worker has begun them. */
	get begun(): string[] {
		return [...this.server.log.matchAll(/Worker started execution (\d+) \(job/g)].map(([, id]) =>
			String(id),
		);
	}

	get finished(): string[] {
		return [...this.server.log.matchAll(/Worker finished execution (\d+) \(job/g)].map(([, id]) =>
			String(id),
		);
	}
}

export const WAIT_STEP = 'Wait for Completion';
const START = 'Hashes';
const SPLIT = 'One Item Each';

interface WaitingWorkflow {
	workflow: StoredWorkflow;
	/** Starts an execution that waits for these orders; it is queued when this resolves. */
	start(sourceHashes: readonly string[]): Promise<void>;
}

/** Publishes a workflow with a webhook that takes hashes and waits for their orders. */
export async function publishWaiting(
	{ rehearsal }: Pick<QueueStage, 'rehearsal'>,
	name: string,
	credential: StoredCredential,
	mostMinutes: number,
): Promise<WaitingWorkflow> {
	const { client, n8n } = rehearsal;
	const path = randomUUID();
	const nodes: NodeDefinition[] = [
		{
			id: 'start',
			name: START,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0],
			webhookId: path,
			parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
		},
		{
			id: 'split',
			name: SPLIT,
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [200, 0],
			parameters: { fieldToSplitOut: 'body.hashes', options: { destinationFieldName: 'hash' } },
		},
		{
			id: 'wait',
			name: WAIT_STEP,
			type: ACTION_TYPE,
			typeVersion: 1,
			position: [400, 0],
			credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
			parameters: {
				operation: 'waitForCompletion',
				sourceHash: '={{ $json.hash }}',
				giveUpAfter: 'minutes',
				maxMinutes: mostMinutes,
				simplify: false,
			},
		},
	];
	const next = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	const workflow = await client.createWorkflow({
		name,
		nodes,
		connections: { [START]: next(SPLIT), [SPLIT]: next(WAIT_STEP) },
	});
	await client.publish(workflow.id);
	const address = `${n8n.url}/webhook/${path}`;
	return {
		workflow,
		start: async (sourceHashes) =>
			void (await axios.post(address, { hashes: sourceHashes }, { proxy: false, timeout: 30_000 })),
	};
}
