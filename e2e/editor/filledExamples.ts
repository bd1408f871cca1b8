import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EXAMPLES_FOLDER, TRIGGER_TYPE } from '../../realN8n/rehearsal/examples';
import type { JsonObject, WorkflowDefinition } from '../../realN8n/server/types';
import {
	CREDENTIALS,
	credentialsFor,
	ETH_TO_ETH,
	FILL_IN,
	type FilledIn,
} from '../checks/examplesScene';
import { ensureCredential, type EditorStage } from './stage';

const HASH = `0x${'5c504ed432cb5113'.repeat(4)}`;
const A_WALLET = 'https://wallet.example.com/transactions';
const AN_ADDRESS = 'https://n8n.example.com/webhook/3f6c/orders';
const NOTIFY = FILL_IN['notify-when-an-order-finishes'];
const ROUTE = { ...ETH_TO_ETH, amount: '0.5' };

/** What a person fills in, for pictures without a red mark; an example that is not here needs credentials only. */
const FILLED_IN: Record<string, FilledIn> = {
	'notify-when-an-order-finishes': {
		...NOTIFY([HASH], {}, true),
		...NOTIFY([HASH]),
		'Send a Slack Message': { channelId: { __rl: true, mode: 'id', value: 'C0123456789' } },
	},
	'bridge-by-hand': FILL_IN['bridge-by-hand'](AN_ADDRESS),
	'what-am-i-watching': FILL_IN['what-am-i-watching'](AN_ADDRESS),
	'rows-of-a-google-sheet': {
		...FILL_IN['rows-of-a-google-sheet'](AN_ADDRESS),
		'When a Row Is Added': {
			documentId: { __rl: true, mode: 'id', value: '1a2b3c' },
			sheetName: { __rl: true, mode: 'id', value: 'gid=0' },
		},
	},
	'one-message-a-day': {
		'Get Open Orders': { url: AN_ADDRESS },
		...FILL_IN['one-message-a-day']([HASH], true),
		...FILL_IN['one-message-a-day']([HASH]),
	},
	'approve-bridge-wait': { ...FILL_IN['approve-bridge-wait'](A_WALLET), 'Get Quote': ROUTE },
	'bridge-and-wait': { ...FILL_IN['bridge-and-wait'](A_WALLET), 'Get Quote': ROUTE },
	'watch-list-in-a-data-table': FILL_IN['watch-list-in-a-data-table'](),
	'quote-watch': {
		...FILL_IN['quote-watch']('0.49', ROUTE, undefined, true),
		...FILL_IN['quote-watch']('0.49', ROUTE),
	},
	'error-workflow': FILL_IN['error-workflow'](),
};

/** Credentials of n8n's own nodes, in which nothing has to work. */
const OTHER_CREDENTIALS: Array<{ name: string; type: string; data: JsonObject }> = [
	{
		name: CREDENTIALS.mail,
		type: 'smtp',
		data: {
			user: '',
			password: '',
			host: '127.0.0.1',
			port: 9,
			secure: false,
			disableStartTls: true,
		},
	},
	{
		name: CREDENTIALS.model,
		type: 'openAiApi',
		data: { apiKey: 'none', url: 'http://127.0.0.1:9/v1' },
	},
	{
		name: CREDENTIALS.telegram,
		type: 'telegramApi',
		data: { accessToken: '1:none', baseUrl: 'http://127.0.0.1:9' },
	},
	{
		name: CREDENTIALS.header,
		type: 'httpHeaderAuth',
		data: { name: 'X-Webhook-Secret', value: '-' },
	},
	{
		name: CREDENTIALS.google,
		type: 'googleSheetsTriggerOAuth2Api',
		data: { clientId: 'none', clientSecret: 'none' },
	},
	{ name: CREDENTIALS.slack, type: 'slackApi', data: { accessToken: 'none' } },
	{
		name: CREDENTIALS.discord,
		type: 'discordWebhookApi',
		data: { webhookUri: 'http://127.0.0.1:9/discord' },
	},
];

/** Creates the credentials that the examples need and that are not there. */
export async function ensureExampleCredentials(stage: EditorStage): Promise<void> {
	const { client } = stage.rehearsal;
	await ensureCredential(stage);
	const names = (await client.credentials()).map(({ name }) => name);
	for (const credential of OTHER_CREDENTIALS) {
		if (!names.includes(credential.name)) await client.createCredential(credential);
	}
}

export function exampleFile(name: string): string {
	return join(EXAMPLES_FOLDER, `${name}.json`);
}

/** An example of the folder as the editor imports it. */
export function importedExample(name: string): WorkflowDefinition {
	const example = JSON.parse(readFileSync(exampleFile(name), 'utf8')) as WorkflowDefinition;
	return { name: example.name, nodes: example.nodes, connections: example.connections };
}

/** An example of the folder with what a person fills in and chooses: fields, and in each node the credential for it. */
export async function exampleWorkflow(
	{ rehearsal }: EditorStage,
	name: string,
	filledIn: FilledIn = FILLED_IN[name] ?? {},
): Promise<WorkflowDefinition> {
	const example = importedExample(name);
	const stored = await rehearsal.client.credentials();
	const nodes = example.nodes
		.map((node) => ({
			...node,
			...(node.type === TRIGGER_TYPE ? { webhookId: randomUUID() } : {}),
			parameters: { ...node.parameters, ...filledIn[node.name] },
		}))
		.map((node) => ({ ...node, ...credentialsFor(node, stored) }));
	return { name: example.name, nodes, connections: example.connections };
}
