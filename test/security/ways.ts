import { TestCredentials } from '../engine/credentials';
import { showList } from '../engine/lists';
import { runAction, TestN8n } from '../engine/n8n';
import { testCredential } from './credentialTest';
import type { RawServer } from './rawServer';

/** All ways in which n8n sends requests with the key, and all that n8n then stores, logs or shows of it, as one text. */

export const KEY = 'marked-key-7f3a';

export const SOURCE_HASH = `0x${'5c'.repeat(32)}`;

export interface Way {
	name: string;
	/**
	 * @param attacked resolves when the service has done its worst once: what would wait and try again is then stopped
	 * @returns what somebody who may see executions, the workflow's data or the editor can read afterwards
	 */
	go(baseUrl: string, attacked: Promise<void>): Promise<string>;
}

/** So many requests a minute that no budget is in the way. */
export function credentialsFor(baseUrl: string, apiKey = KEY): TestCredentials {
	return new TestCredentials({ apiKey, baseUrl, requestsPerMinute: 100_000 });
}

/** An error has its message where JSON.stringify does not see it, and what n8n stores of one has more fields. */
export function textOf(value: unknown): string {
	return (
		JSON.stringify(value, (_name, part: unknown) =>
			part instanceof Error ? { ...part, message: part.message, stack: part.stack } : part,
		) ?? ''
	);
}

function action(name: string, parameters: Parameters<typeof runAction>[1]): Way {
	return {
		name,
		go: async (baseUrl, attacked) => {
			const onStarted = (cancel: () => void) => void attacked.then(cancel);
			const { run, error } = await runAction(
				credentialsFor(baseUrl),
				parameters,
				parameters.operation === 'waitForCompletion' ? { onStarted } : {},
			);
			return textOf([run, error]);
		},
	};
}

let workflows = 0;

async function watch(baseUrl: string): Promise<string> {
	const n8n = new TestN8n(credentialsFor(baseUrl), `security ${++workflows}`);
	const shown: unknown[] = [];
	try {
		const registration = await n8n.publish([
			{ parameters: { sourceHashes: SOURCE_HASH, options: { keepChecking: false } } },
		]);
		// By then whatever goes wrong is shown.
		for (let poll = 1; poll <= 5; poll++) await registration.poll();
		await n8n.unpublish();
	} catch (error) {
		shown.push(error);
	}
	return textOf([shown, n8n.failures, n8n.started, [...n8n.database]]);
}

const WAYS: Way[] = [
	action('Get Config', { operation: 'getConfig' }),
	action('Get Quote', {
		operation: 'getQuote',
		specifyQuote: 'json',
		quoteJson: '{"inputNetwork":1}',
	}),
	action('Get Status', { operation: 'getStatus', sourceHash: SOURCE_HASH }),
	action('Wait for Completion', {
		operation: 'waitForCompletion',
		sourceHash: SOURCE_HASH,
	}),
	{
		name: 'a list in the editor',
		go: async (baseUrl) => textOf(await showList(credentialsFor(baseUrl), 'searchNetworks')),
	},
	{ name: 'the trigger', go: watch },
	{
		name: 'the test of the credential',
		go: async (baseUrl) => textOf(await testCredential({ apiKey: KEY, baseUrl })),
	},
];

/** When the service has been asked, and what it was asked on has been closed. */
export async function attackOf(server: RawServer): Promise<void> {
	while (server.opened === 0 || server.open.size > 0)
		await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Each way against each attack, as rows for test.each: their names, then both. */
export function against<Attack>(
	attacks: Array<[string, Attack]>,
): Array<[string, string, Way, Attack]> {
	return attacks.flatMap(([name, attack]) =>
		WAYS.map((way): [string, string, Way, Attack] => [name, way.name, way, attack]),
	);
}
