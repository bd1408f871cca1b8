import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT_FOLDER } from '../../realN8n/machine/paths';
import { until } from '../../realN8n/machine/until';
import type {
	Connections,
	Execution,
	JsonObject,
	NodeDefinition,
	StoredCredential,
	StoredWorkflow,
	WorkflowDefinition,
} from '../../realN8n/server/types';
import type { ChatApps } from '../standIns/chatApps';
import type { ChatModel } from '../standIns/chatModel';
import type { MailSink, ReceivedMail } from '../standIns/mailSink';
import { PATIENCE_SECONDS, type Stage } from './stage';

/** The stage, with what the examples talk to besides the bridge service. */
export interface Scene extends Stage {
	mails: MailSink;
	model: ChatModel;
	apps: ChatApps;
}

export type FilledIn = Record<string, JsonObject>;

const WALLETS = {
	sender: '0x1111111111111111111111111111111111111111',
	recipient: '0x2222222222222222222222222222222222222222',
};
const NATIVE = byAddress('NATIVE');
const ROUTE = {
	fromNetwork: byId('101'),
	fromToken: NATIVE,
	toNetwork: byId('102'),
	...WALLETS,
};
/** Half an ETH (the amount in the examples) from the sandbox's Ethereum to its Base: 1248.125 USDC arrive. */
export const ETH_TO_USDC = {
	...ROUTE,
	toToken: byAddress('0xb8d205cae123a8167397d526d56a965505738f8e'),
};
/** A hundred ETH: 99.85 ETH arrive. */
export const ETH_TO_ETH = { ...ROUTE, toToken: NATIVE, amount: '100' };

const CHAT = { chatId: '42' };
const MAIL_ADDRESSES = { fromEmail: 'bridge@example.com', toEmail: 'you@example.com' };

/**
 * What a person fills in, by example and node: the fields that the example's sticky note names. Credentials are chosen
 * besides, in each node that takes one. All else is run as it lies in the folder.
 */
export const FILL_IN = {
	'notify-when-an-order-finishes': (
		hashes: string[],
		trigger: JsonObject = {},
		byChat = false,
	): FilledIn => ({
		'When a Bridge Order Finishes': { sourceHashes: hashes.join('\n'), ...trigger },
		...(byChat
			? { 'Send a Telegram Message': CHAT, 'Send a Discord Message': {} }
			: { 'Send an Email': MAIL_ADDRESSES }),
	}),
	'bridge-by-hand': (ordersUrl: string): FilledIn => ({
		'Send to the Trigger': { url: ordersUrl },
	}),
	'what-am-i-watching': (ordersUrl: string): FilledIn => ({
		'Get Open Orders': { url: ordersUrl },
		'Stop Watching': { url: ordersUrl },
	}),
	'rows-of-a-google-sheet': (ordersUrl: string): FilledIn => ({
		// n8n demands them although the node is not run.
		'When a Row Is Added': {
			documentId: byId('1A2b3C4d5E6f7G8h9I0jK1l2M3n4O5p6Q7r8S9t0U1v2'),
			sheetName: byId('0'),
		},
		'Send to the Trigger': { url: ordersUrl },
	}),
	'one-message-a-day': (lines: string[], byChat = false): FilledIn => ({
		'When a Bridge Order Finishes': { sourceHashes: lines.join('\n') },
		...(byChat
			? { "Send the Day's Telegram Message": CHAT }
			: { "Send the Day's Email": MAIL_ADDRESSES }),
	}),
	'bridge-and-wait': (walletUrl: string, howLong: JsonObject = {}): FilledIn => ({
		'Get Quote': ETH_TO_USDC,
		'Submit the Transaction': { url: walletUrl },
		'Wait for Completion': howLong,
	}),
	'watch-list-in-a-data-table': (): FilledIn => ({ 'Email: Order Finished': MAIL_ADDRESSES }),
	'approve-bridge-wait': (walletUrl: string): FilledIn => ({
		'Get Quote': ETH_TO_USDC,
		'Ask for Approval': CHAT,
		'Submit the Transaction': { url: walletUrl },
		'Report the Result': {},
		'Report That Nothing Was Sent': {},
	}),
	'quote-watch': (
		target: string,
		route: JsonObject,
		tokenDecimals?: JsonObject,
		byChat = false,
	): FilledIn => ({
		'Your Target': { assignments: { assignments: [number('target', target)] } },
		'Get Quote': {
			...route,
			options: {
				showBridgeData: false,
				...(tokenDecimals === undefined ? {} : { tokenDecimals: { token: [tokenDecimals] } }),
			},
		},
		...(byChat ? { 'Telegram: A Good Quote': CHAT } : { 'Email: A Good Quote': MAIL_ADDRESSES }),
	}),
	'agent-where-is-my-order': (): FilledIn => ({}),
	'mcp-server': (): FilledIn => ({}),
	'error-workflow': (): FilledIn => ({ 'Send the Error': CHAT }),
} as const;

type ExampleName = keyof typeof FILL_IN;

/** A sign and words, not a placeholder that was left empty. */
export const SENTENCE = /^\p{S}\uFE0F? [^{}]* [^{}]* [^{}]*$/u;

/** The names of the credentials that the checks have created. */
export const CREDENTIALS = {
	bridge: 'Cross-Chain Bridge account',
	mail: 'SMTP account',
	model: 'OpenAI account',
	telegram: 'Telegram account',
	google: 'Google account',
	slack: 'Slack account',
	discord: 'Discord account',
	header: 'Header Auth account',
};

/** What callers have to send who may use an MCP server, or a trigger's webhook. */
export const HEADER = { name: 'X-Webhook-Secret', value: 'a stand-in of a secret' };

function byId(value: string): JsonObject {
	return { __rl: true, mode: 'id', value };
}

function number(name: string, value: string): JsonObject {
	return { id: name, name, value, type: 'number' };
}

function byAddress(value: string): JsonObject {
	return { __rl: true, mode: 'address', value };
}

/** Imports an example as the editor does, which gives a trigger an address of its own, with what a person then fills in. */
export async function imported(
	{ rehearsal }: Scene,
	name: ExampleName,
	filledIn: FilledIn,
): Promise<StoredWorkflow> {
	const file = readFileSync(join(PROJECT_FOLDER, 'examples', `${name}.json`), 'utf8');
	const { name: title, nodes, connections, settings } = JSON.parse(file) as WorkflowDefinition;
	const unknown = Object.keys(filledIn).filter((step) => !nodes.some((node) => node.name === step));
	assert.deepEqual(unknown, [], `steps that ${name} does not have`);
	const credentials = await rehearsal.client.credentials();
	const filled = nodes
		.filter(({ name: node, type }) => filledIn[node] !== undefined || !APPS.includes(type))
		.map((node) => ({
			...node,
			...(HAS_ADDRESS.test(node.type) ? { webhookId: randomUUID() } : {}),
			parameters: { ...node.parameters, ...filledIn[node.name] },
		}))
		.map((node) => ({ ...node, ...credentialsFor(node, credentials) }));
	return await rehearsal.client.createWorkflow({
		name: title,
		nodes: filled,
		connections: withoutNodes(connections, nodes, filled),
		settings,
	});
}

/** Nodes to which the editor gives an address of their own. */
const HAS_ADDRESS = /(crossChainBridge|form|chat|mcp)Trigger$/;

/** A person deletes the nodes of those that are not used. */
const APPS = [
	'n8n-nodes-base.telegram',
	'n8n-nodes-base.slack',
	'n8n-nodes-base.discord',
	'n8n-nodes-base.emailSend',
];

const CREDENTIAL_OF: Array<[nodeType: RegExp, name: string]> = [
	[/crossChainBridge/, CREDENTIALS.bridge],
	[/emailSend$/, CREDENTIALS.mail],
	[/lmChatOpenAi$/, CREDENTIALS.model],
	[/telegram$/, CREDENTIALS.telegram],
	[/googleSheetsTrigger$/, CREDENTIALS.google],
	[/slack$/, CREDENTIALS.slack],
	[/discord$/, CREDENTIALS.discord],
];

/** Where a node sends a header, or demands one. */
const HEADER_AUTH = /^(headerAuth|httpHeaderAuth)$/;

/** What a person chooses in a node's lists of credentials. */
export function credentialsFor(
	{ type, parameters }: NodeDefinition,
	stored: StoredCredential[],
): Pick<NodeDefinition, 'credentials'> {
	const { authentication, genericAuthType = authentication } = parameters;
	const wanted = [
		...CREDENTIAL_OF.filter(([nodeType]) => nodeType.test(type)).map(([, name]) => name),
		...(HEADER_AUTH.test(String(genericAuthType)) ? [CREDENTIALS.header] : []),
	];
	const chosen = stored.filter(({ name }) => wanted.includes(name));
	return chosen.length === 0
		? {}
		: {
				credentials: Object.fromEntries(chosen.map(({ type: of, id, name }) => [of, { id, name }])),
			};
}

/** The workflow with other parameters in one of its nodes, saved. */
export async function refilled(
	{ rehearsal: { client } }: Scene,
	workflow: StoredWorkflow,
	name: string,
	parameters: JsonObject,
): Promise<StoredWorkflow> {
	const nodes = workflow.nodes.map((node) =>
		node.name === name ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
	);
	return await client.updateWorkflow(workflow.id, { ...workflow, nodes });
}

function withoutNodes(
	connections: Connections,
	all: NodeDefinition[],
	kept: NodeDefinition[],
): Connections {
	const deleted = all
		.filter(({ name }) => !kept.some((node) => node.name === name))
		.map(({ name }) => name);
	if (deleted.length === 0) return connections;
	const lines = Object.entries(connections)
		.filter(([from]) => !deleted.includes(from))
		.map(([from, { main }]) => [
			from,
			{ main: main.map((output) => output.filter(({ node }) => !deleted.includes(node))) },
		]);
	return Object.fromEntries(lines) as Connections;
}

export function only<T>(items: T[], what: string): T {
	const [item] = items;
	assert.ok(item !== undefined && items.length === 1, `one ${what}, not ${items.length}`);
	return item;
}

export function assertSuccess(execution: Execution): void {
	assert.equal(execution.status, 'success', execution.error?.message);
}

export async function mailAbout({ mails }: Scene, sourceHash: string): Promise<ReceivedMail> {
	await until(`a mail about ${sourceHash}`, () => mails.mailsAbout(sourceHash).length > 0, {
		seconds: PATIENCE_SECONDS,
	});
	return only(mails.mailsAbout(sourceHash), `mail about ${sourceHash}`);
}
