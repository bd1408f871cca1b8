import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import axios from 'axios';

import { PACKAGE_NAME, PROJECT_FOLDER } from '../machine/paths';
import { onceNotBusy } from '../server/client';
import type {
	JsonObject,
	NodeDefinition,
	StoredCredential,
	WorkflowDefinition,
} from '../server/types';

export const CREDENTIAL_TYPE = 'crossChainBridgeApi';
export const ACTION_TYPE = `${PACKAGE_NAME}.crossChainBridge`;
export const TRIGGER_TYPE = `${PACKAGE_NAME}.crossChainBridgeTrigger`;

/** Names of steps in the examples whose items are read. */
export const STEPS = {
	trigger: 'When a Bridge Order Finishes',
	notification: 'Compose Notification',
	manualStart: 'When Clicking Execute',
	config: 'Get Config',
	quote: 'Get Quote',
	submission: 'Submit to the Sandbox',
	watching: 'Watch the Order',
	status: 'Get Status',
} as const;

export type ExampleName = 'watch-orders' | 'bridge-in-the-sandbox';

// The address of `npm run sandbox` without flags, so that an example also works when it is imported by hand.
const DEFAULT_SANDBOX_URL = 'http://127.0.0.1:4010';

/** What the examples have where a person puts the address of a trigger's webhook. */
const ORDERS_URL_TO_FILL_IN = 'http://127.0.0.1:5678/webhook/paste-the-production-url-here';

/** A workflow of the examples folder. */
export function readExample(name: ExampleName): WorkflowDefinition {
	return JSON.parse(readFileSync(examplePath(name), 'utf8')) as WorkflowDefinition;
}

export const EXAMPLES_FOLDER = join(PROJECT_FOLDER, 'examples');

function examplePath(name: ExampleName): string {
	return join(EXAMPLES_FOLDER, `${name}.json`);
}

/**
 * The workflow as a person would fill it in: the sandbox's address, the credential chosen in our nodes, and where it posts
 * orders, the address of the trigger that watches them. Triggers of ours get an address of their own, as in the editor.
 */
export function adapted(
	workflow: WorkflowDefinition,
	sandboxUrl: string,
	credential: StoredCredential,
	ordersUrl: string = ORDERS_URL_TO_FILL_IN,
): WorkflowDefinition {
	const nodes = workflow.nodes.map((node) => withWebhookId(withCredential(node, credential)));
	const text = JSON.stringify(nodes)
		.replaceAll(DEFAULT_SANDBOX_URL, sandboxUrl)
		.replaceAll(ORDERS_URL_TO_FILL_IN, ordersUrl);
	return { ...workflow, nodes: JSON.parse(text) as NodeDefinition[] };
}

function withCredential(node: NodeDefinition, { id, name }: StoredCredential): NodeDefinition {
	if (node.type !== ACTION_TYPE && node.type !== TRIGGER_TYPE) return node;
	return { ...node, credentials: { [CREDENTIAL_TYPE]: { id, name } } };
}

function withWebhookId(node: NodeDefinition): NodeDefinition {
	return node.type === TRIGGER_TYPE ? { ...node, webhookId: randomUUID() } : node;
}

/** Where a workflow's trigger takes orders: the Production URL that the editor shows, or the Test URL. */
export function ordersUrl(
	n8nUrl: string,
	workflow: WorkflowDefinition,
	kind: 'webhook' | 'webhook-test' = 'webhook',
): string {
	return `${n8nUrl}/${kind}/${String(triggerOf(workflow).webhookId)}/orders`;
}

/** Posts one order to such an address, as a workflow or a script would; the HTTP status of n8n's answer. */
export async function postOrder(
	url: string,
	sourceHash: string,
	reference?: string,
): Promise<number> {
	const { status } = await onceNotBusy(
		async () =>
			await axios.post(
				url,
				{ sourceHash, reference },
				{ proxy: false, timeout: 30_000, validateStatus: () => true },
			),
	);
	return status;
}

/** The workflow with other parameters in its (first) trigger of ours; those not named stay. */
export function withTriggerParameters(
	workflow: WorkflowDefinition,
	parameters: JsonObject,
): WorkflowDefinition {
	const trigger = triggerOf(workflow);
	const changed = { ...trigger, parameters: { ...trigger.parameters, ...parameters } };
	return { ...workflow, nodes: workflow.nodes.map((node) => (node === trigger ? changed : node)) };
}

function triggerOf(workflow: WorkflowDefinition): NodeDefinition {
	const trigger = workflow.nodes.find(({ type }) => type === TRIGGER_TYPE);
	if (!trigger) throw new Error(`The workflow "${workflow.name}" has no ${TRIGGER_TYPE}.`);
	return trigger;
}
