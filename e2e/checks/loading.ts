import assert from 'node:assert/strict';

import axios from 'axios';

import { ACTION_TYPE, CREDENTIAL_TYPE, TRIGGER_TYPE } from '../../realN8n/rehearsal/examples';
import type { Stage } from './stage';

/** n8n finds everything in the packed package. */
export async function checkLoading({ rehearsal, checks }: Stage): Promise<void> {
	await checks.check('n8n loads both nodes, also as an AI tool, and the credential', async () => {
		const nodes = (await rehearsal.client.loadedTypes('nodes')).map(({ name }) => name);
		const credentials = (await rehearsal.client.loadedTypes('credentials')).map(({ name }) => name);
		const expected = [ACTION_TYPE, `${ACTION_TYPE}Tool`, TRIGGER_TYPE];
		assert.deepEqual(
			expected.filter((name) => !nodes.includes(name)),
			[],
			'nodes that n8n has not loaded',
		);
		assert.ok(credentials.includes(CREDENTIAL_TYPE), 'n8n has not loaded the credential');
	});

	await checks.check('n8n serves the icons of the nodes and the credential', async () => {
		const nodes = await rehearsal.client.loadedTypes('nodes');
		const credentials = await rehearsal.client.loadedTypes('credentials');
		const ours = [
			...nodes.filter(({ name }) => name === ACTION_TYPE || name === TRIGGER_TYPE),
			...credentials.filter(({ name }) => name === CREDENTIAL_TYPE),
		];
		const paths = ours.flatMap(({ iconUrl }) =>
			typeof iconUrl === 'object' && iconUrl !== null ? Object.values(iconUrl) : [iconUrl],
		);
		assert.equal(paths.length, 6, 'each of the three has a light and a dark icon');
		for (const path of paths) {
			const { status, data } = await axios.get<string>(`${rehearsal.n8n.url}/${String(path)}`, {
				proxy: false,
				validateStatus: () => true,
			});
			assert.equal(status, 200, `${String(path)} is served`);
			assert.match(data, /<svg/);
		}
	});
}
