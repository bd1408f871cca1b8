import fs from 'node:fs';
import path from 'node:path';

import { CrossChainBridgeApi } from '../../../credentials/CrossChainBridgeApi.credentials';
import { CrossChainBridge } from '../../../nodes/CrossChainBridge/CrossChainBridge.node';
import { CrossChainBridgeTrigger } from '../../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';

/** What n8n shows of the credential; what it does with a request is in test/security. */

const PROJECT = path.join(__dirname, '../../..');

test('both nodes take this credential', () => {
	const { name } = new CrossChainBridgeApi();
	for (const { description } of [new CrossChainBridge(), new CrossChainBridgeTrigger()])
		expect(description.credentials).toMatchObject([{ name, required: true }]);
});

test('what is secret in the credential is entered like a password, and nothing else', () => {
	const { properties } = new CrossChainBridgeApi();
	const hidden = properties.filter(({ typeOptions }) => typeOptions?.password === true);
	expect(hidden.map(({ name }) => name)).toEqual(['apiKey', 'webhookSecret']);
	// A key or an address that is there from the beginning would be somebody else's.
	expect(
		properties.map(({ name, required = false, default: value }) => [name, required, value]),
	).toEqual([
		['apiKey', true, ''],
		['baseUrl', true, ''],
		['requestsPerMinute', false, 100],
		['webhookSecret', false, ''],
	]);
});

test('each field has its row in the document, and says in full sentences what to enter', () => {
	const { displayName, properties } = new CrossChainBridgeApi();
	const document = fs.readFileSync(path.join(PROJECT, 'docs/credential.md'), 'utf8');
	expect(document).toContain(`**${displayName}**`);
	const rows = [...document.matchAll(/^\| ([A-Z][^|]*) \| ([^|]*)\|/gm)].map(([, name]) => name);
	const names = properties.map((property) => property.displayName);
	expect(rows.slice(rows.indexOf('Field') + 1).slice(0, names.length)).toEqual(names);
	for (const { description } of properties) expect(description).toMatch(/^[A-Z].*\.$/);
	const [apiKey, baseUrl, requestsPerMinute, webhookSecret] = properties;
	expect(apiKey).toMatchObject({
		type: 'string',
		description: expect.stringContaining('nowhere else'),
	});
	expect(baseUrl).toMatchObject({ type: 'string', placeholder: 'e.g. https://bridge.example.com' });
	expect(requestsPerMinute).toMatchObject({ type: 'number', typeOptions: { minValue: 1 } });
	expect(webhookSecret).toMatchObject({ type: 'string' });
});

test('its icons and the page that explains it are in the project', () => {
	const { icon, documentationUrl } = new CrossChainBridgeApi();
	expect(icon.light).not.toBe(icon.dark);
	for (const file of [icon.light, icon.dark]) {
		expect(file).toMatch(/^file:.*\.svg$/);
		expect(fs.existsSync(path.join(PROJECT, 'credentials', file.slice('file:'.length)))).toBe(true);
	}
	const [, page = ''] = /^https:\/\/.*\/blob\/HEAD\/(.*)$/.exec(documentationUrl) ?? [];
	expect(fs.readFileSync(path.join(PROJECT, page), 'utf8')).toMatch(/^# The credential\n/);
});
