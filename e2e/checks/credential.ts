import assert from 'node:assert/strict';

import { freePorts } from '../../realN8n/machine/ports';
import type { JsonObject, CredentialTestResult } from '../../realN8n/server/types';
import { withStranger } from '../standIns/stranger';
import { checkHttpRequest } from './httpRequest';
import { MARK, WRONG_MARKED_KEY } from './marks';
import type { Stage } from './stage';

/** The button "Test" of the credential, as the editor presses it. */
export async function checkCredential(stage: Stage): Promise<void> {
	const { rehearsal, checks, credential } = stage;
	const { control, rightCredential: right } = rehearsal;
	const test = async (changes: JsonObject): Promise<CredentialTestResult> =>
		await rehearsal.client.testCredential(credential, { ...right, ...changes });

	const isRed = async (changes: JsonObject): Promise<void> => {
		const { status, message } = await test(changes);
		assert.equal(status, 'Error', `the test is red, with the words "${message}"`);
		assert.ok(message.length > 0, 'there are words');
		assert.ok(!message.includes(MARK), 'the words do not contain the key');
	};

	await checks.check('the credential test is green with the right key', async () => {
		assert.equal((await test({})).status, 'OK');
	});

	await checks.check(
		'the credential test is green with a pasted path and a slash in the Base URL',
		async () => {
			assert.equal((await test({ baseUrl: ` ${right.baseUrl}/api/sdk/v2/ ` })).status, 'OK');
		},
	);

	await checks.check(
		'the credential test is red with a wrong key',
		async () => await isRed({ apiKey: WRONG_MARKED_KEY }),
	);

	await checks.check('the credential test is red where a web site answers', async () => {
		await isRed({ baseUrl: `${right.baseUrl}/page` });
	});

	await checks.check('the credential test is red where nothing listens', async () => {
		const [closedPort] = await freePorts(1);
		await isRed({ baseUrl: `http://127.0.0.1:${closedPort}` });
	});

	await checks.check(
		'the credential test is red for plain http outside private networks',
		async () => {
			await isRed({ baseUrl: 'http://bridge.example.invalid' });
			const refused = await test({ baseUrl: 'http://bridge.example.invalid' });
			const notFound = await test({ baseUrl: 'https://bridge.example.invalid' });
			assert.notEqual(
				refused.message,
				notFound.message,
				'http is refused before the host is looked up',
			);
		},
	);

	await checks.check(
		'the credential test is red at a redirect, and the key goes nowhere else',
		async () => {
			await withStranger(async (stranger) => {
				await control.addFault({
					kind: 'redirect',
					endpoint: 'config',
					to: `${stranger.url}/`,
					times: 'always',
				});
				try {
					await isRed({});
				} finally {
					await control.clearFaults();
				}
				assert.equal(
					stranger.requests.length,
					0,
					'requests at the address that the redirect named',
				);
			});
		},
	);

	await checkHttpRequest(stage);
}
