import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	ACTION_TYPE,
	adapted,
	CREDENTIAL_TYPE,
	ordersUrl,
	readExample,
	TRIGGER_TYPE,
	withTriggerParameters,
	type ExampleName,
} from '../realN8n/rehearsal/examples';
import type { Rehearsal } from '../realN8n/rehearsal/rehearsal';
import { N8nError, type N8nClient } from '../realN8n/server/client';
import type {
	NodeDefinition,
	StoredCredential,
	StoredWorkflow,
	WorkflowDefinition,
} from '../realN8n/server/types';

/**
 * The two workflows of `npm start` and their credential. They are known by the ids that n8n gave them, kept in a file next to
 * n8n's data: names say nothing, because a person imports the same examples, renames, copies and deletes.
 */

const IDS_FILE = 'npm-start.json';
const CREDENTIAL_NAME = 'Bridge sandbox';
const GONE = [403, 404];

type Ids = Partial<Record<ExampleName | 'credential', string>>;

export interface OwnWorkflows {
	watch: StoredWorkflow;
	bridge: StoredWorkflow;
}

/**
 * Finds both, makes what is missing, and puts right what no longer fits: credentials, addresses, archived workflows. What a
 * person has changed stays, unless the watching workflow cannot be published with it: then it gets the example's nodes again.
 * @param sourceHashes what the watching workflow is to watch
 * @param say receives lines about what was put right
 */
export async function prepareOwnWorkflows(
	rehearsal: Rehearsal,
	sourceHashes: string[],
	say: (line: string) => void,
): Promise<OwnWorkflows> {
	const { client, control, n8n } = rehearsal;
	const ids = new IdsFile(join(n8n.options.userFolder, IDS_FILE));
	const credential = await ownCredential(rehearsal, ids);
	const delivered = (name: ExampleName, whereToPost?: string): WorkflowDefinition =>
		adapted(readExample(name), control.sandbox.url, credential, whereToPost);

	const watching = { sourceHashes: sourceHashes.join('\n') };
	const example = delivered('watch-orders');
	const left = await foundOrMade(client, ids, 'watch-orders', example);
	const publish = async (content: WorkflowDefinition): Promise<void> => {
		await client.updateWorkflow(left.id, withTriggerParameters(content, watching));
		await client.publish(left.id);
	};
	const asLeft = refitted(left, example, credential);
	try {
		await publish(asLeft);
	} catch (reason) {
		// a copy of it may have been published meanwhile, with the same address for orders
		await publish(withNewAddress(asLeft)).catch(async () => {
			say(
				`"${left.name}" cannot be published as it was left, and has the nodes of the example again. The reason: ${textOf(reason)}`,
			);
			await publish({ ...example, name: left.name });
		});
	}
	const watch = await client.workflow(left.id);

	const bridgeExample = delivered('bridge-in-the-sandbox', ordersUrl(n8n.url, watch));
	const bridgeLeft = await foundOrMade(client, ids, 'bridge-in-the-sandbox', bridgeExample);
	const bridge = await client.updateWorkflow(
		bridgeLeft.id,
		refitted(bridgeLeft, bridgeExample, credential),
	);
	return { watch, bridge };
}

/** The ids of what earlier starts have made. A file that cannot be read counts as none: then all is made again. */
class IdsFile {
	private ids: Ids;

	constructor(private readonly path: string) {
		this.ids = readIds(path);
	}

	get(name: keyof Ids): string | undefined {
		return this.ids[name];
	}

	set(name: keyof Ids, id: string): void {
		this.ids = { ...this.ids, [name]: id };
		writeFileSync(this.path, JSON.stringify(this.ids));
	}
}

function readIds(path: string): Ids {
	if (!existsSync(path)) return {};
	try {
		return JSON.parse(readFileSync(path, 'utf8')) as Ids;
	} catch {
		return {};
	}
}

async function ownCredential(
	{ client, rightCredential }: Rehearsal,
	ids: IdsFile,
): Promise<StoredCredential> {
	const definition = { name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE, data: rightCredential };
	const known = (await client.credentials()).find(
		({ id, type }) => id === ids.get('credential') && type === CREDENTIAL_TYPE,
	);
	if (known) return await client.updateCredential(known.id, definition);
	const made = await client.createCredential(definition);
	ids.set('credential', made.id);
	return made;
}

/** The workflow as it was left, taken back from the archive if need be; made from the example where it is gone. */
async function foundOrMade(
	client: N8nClient,
	ids: IdsFile,
	name: ExampleName,
	example: WorkflowDefinition,
): Promise<StoredWorkflow> {
	const found = await workflowOrNull(client, ids.get(name));
	if (found?.isArchived === true) {
		await client.unarchiveWorkflow(found.id);
		return await client.workflow(found.id);
	}
	if (found) return found;
	const made = await client.createWorkflow(example);
	ids.set(name, made.id);
	return made;
}

async function workflowOrNull(
	client: N8nClient,
	id: string | undefined,
): Promise<StoredWorkflow | null> {
	if (id === undefined) return null;
	try {
		return await client.workflow(id);
	} catch (error) {
		if (error instanceof N8nError && GONE.includes(error.status)) return null;
		throw error;
	}
}

/** As a person left it, with this start's credential and addresses. Nodes of the example are known by their ids. */
function refitted(
	left: StoredWorkflow,
	example: WorkflowDefinition,
	{ id, name }: StoredCredential,
): WorkflowDefinition {
	const urls = new Map(
		example.nodes.flatMap((node) =>
			typeof node.parameters.url === 'string' ? [[node.id, node.parameters.url]] : [],
		),
	);
	const nodes = left.nodes.map((node): NodeDefinition => {
		const url = urls.get(node.id);
		return {
			...node,
			parameters: url === undefined ? node.parameters : { ...node.parameters, url },
			...(node.type === ACTION_TYPE || node.type === TRIGGER_TYPE
				? { credentials: { [CREDENTIAL_TYPE]: { id, name } } }
				: {}),
			...(node.type === TRIGGER_TYPE ? { webhookId: node.webhookId ?? randomUUID() } : {}),
		};
	});
	return { ...left, nodes };
}

function withNewAddress(workflow: WorkflowDefinition): WorkflowDefinition {
	return {
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.type === TRIGGER_TYPE ? { ...node, webhookId: randomUUID() } : node,
		),
	};
}

function textOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
