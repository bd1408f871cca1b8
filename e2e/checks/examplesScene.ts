import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Execution, JsonObject, StoredWorkflow, WorkflowDefinition } from '../n8nTypes';
import { PROJECT_FOLDER } from '../paths';
import type { ChatModel } from '../standIns/chatModel';
import type { MailSink, ReceivedMail } from '../standIns/mailSink';
import { until } from '../until';
import { PATIENCE_SECONDS, type Stage } from './stage';

/** The stage, with what the examples talk to besides the bridge service. */
export interface Scene extends Stage {
	mails: MailSink;
	model: ChatModel;
}

export type FilledIn = Record<string, JsonObject>;

const WALLETS = {
	sender: '0x1111111111111111111111111111111111111111',
	recipient: '0x2222222222222222222222222222222222222222',
};
const ROUTE = { fromNetwork: byId('101'), toNetwork: byId('102'), ...WALLETS };
/** Half an ETH (the amount in the examples) from the sandbox's Ethereum to its Base: 1248.125 USDC arrive. */
export const ETH_TO_USDC = { ...ROUTE, toToken: byAddress('0xb8d205cae123a8167397d526d56a965505738f8e') };
/** A hundred ETH: 99.85 ETH arrive. */
export const ETH_TO_ETH = { ...ROUTE, amount: '100' };

/**
 * What a person fills in, by example and step: the fields that the example's sticky note names. Credentials are not
 * among them: an imported workflow finds them by their names. All else is run as it lies in the folder.
 */
export const FILL_IN = {
	'notify-when-an-order-ends': (hashes: string[]): FilledIn => ({
		'When a Bridge Order Ends': { sourceHashes: hashes.join('\n') },
	}),
	'bridge-and-wait': (walletUrl: string, howLong: JsonObject = {}): FilledIn => ({
		'Get Quote': ETH_TO_USDC,
		'Submit the Transaction': { url: walletUrl },
		'Wait for Completion': howLong,
	}),
	'watch-list-in-a-data-table': (): FilledIn => ({}),
	'quote-watch': (mark: string, route: JsonObject, decimals = ''): FilledIn => ({
		'Your Mark': { assignments: { assignments: [text('mark', mark), text('decimals', decimals)] } },
		'Get Quote': route,
	}),
	'agent-where-is-my-order': (): FilledIn => ({}),
} as const;

export type ExampleName = keyof typeof FILL_IN;

/** Words, not a placeholder that was left empty. */
export const SENTENCE = /^[A-Z0-9][^{}]* [^{}]* [^{}]*$/;

/** The names under which the examples look for their credentials. */
export const CREDENTIALS = { bridge: 'Cross-Chain Bridge account', mail: 'SMTP account', model: 'OpenAI account' };

function byId(value: string): JsonObject {
	return { __rl: true, mode: 'id', value };
}

function text(name: string, value: string): JsonObject {
	return { id: name, name, value, type: 'string' };
}

function byAddress(value: string): JsonObject {
	return { __rl: true, mode: 'address', value };
}

/** Imports an example as the editor does: the file as it is, with what a person then fills in. */
export async function imported({ rehearsal }: Scene, name: ExampleName, filledIn: FilledIn): Promise<StoredWorkflow> {
	const file = readFileSync(join(PROJECT_FOLDER, 'examples', `${name}.json`), 'utf8');
	const { name: title, nodes, connections, settings } = JSON.parse(file) as WorkflowDefinition;
	const unknown = Object.keys(filledIn).filter((step) => !nodes.some((node) => node.name === step));
	assert.deepEqual(unknown, [], `steps that ${name} does not have`);
	const filled = nodes.map((node) => ({ ...node, parameters: { ...node.parameters, ...filledIn[node.name] } }));
	return await rehearsal.client.createWorkflow({ name: title, nodes: filled, connections, settings });
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
	await until(`a mail about ${sourceHash}`, () => mails.mailsAbout(sourceHash).length > 0, { seconds: PATIENCE_SECONDS });
	return only(mails.mailsAbout(sourceHash), `mail about ${sourceHash}`);
}
