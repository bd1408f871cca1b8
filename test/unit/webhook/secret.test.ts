import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { whyRefused } from '../../../nodes/CrossChainBridge/webhook/secret';

/** Who may use the webhook: the credential's Webhook Secret, in the header X-Webhook-Secret. */

const SECRET = 'correct horse battery staple';

const callWith = (credential: ICredentialDataDecryptedObject | null, headers: object = {}) =>
	({
		getCredentials: async () =>
			await (credential === null
				? Promise.reject(new Error('Credential with ID "1" does not exist'))
				: Promise.resolve(credential)),
		getHeaderData: () => headers,
	}) as unknown as IWebhookFunctions;
const headerOf = (value: unknown) => ({ 'x-webhook-secret': value });

/** The status with which the call is refused; null if it may go on. For a POST, and for GET and DELETE. */
async function statuses(call: IWebhookFunctions): Promise<Array<number | null>> {
	const answers = await Promise.all([whyRefused(call, false), whyRefused(call, true)]);
	return answers.map((answer) => answer?.httpStatus ?? null);
}

test.each<[string, object, number | null]>([
	['the secret', headerOf(SECRET), null],
	['no header', {}, 401],
	['it as Authorization', { authorization: SECRET }, 401],
	['an empty header', headerOf(''), 403],
	['a part of it', headerOf(SECRET.slice(0, -1)), 403],
	['more than it', headerOf(`${SECRET}!`), 403],
	['another one of the same length', headerOf(SECRET.replace(/.$/, 'f')), 403],
	['it in another case', headerOf(SECRET.toUpperCase()), 403],
	['it in a list', headerOf([SECRET]), 403],
])('a call that sends %s is answered with %j', async (_what, headers, status) => {
	const call = callWith({ webhookSecret: SECRET }, headers);
	expect(await statuses(call)).toEqual([status, status]);
	const refused = await whyRefused(call, false);
	if (refused !== null) {
		expect(JSON.stringify(refused.body)).toContain('X-Webhook-Secret');
		expect(JSON.stringify(refused.body)).not.toContain(SECRET);
	}
});

test.each<[string, ICredentialDataDecryptedObject]>([
	['an empty secret', { webhookSecret: '' }],
	['none', {}],
])(
	'with %s anybody may send orders, and nobody may list or remove them',
	async (_what, credential) => {
		for (const headers of [{}, headerOf(''), headerOf('undefined')])
			expect(await statuses(callWith(credential, headers))).toEqual([null, 403]);
	},
);

test.each(['geheim🔑', 'Schlüssel', ' space before', 'space after ', 'a\nb', '   '])(
	'a secret that no header can carry lets nobody in, and says what to correct: %j',
	async (webhookSecret) => {
		const call = callWith({ webhookSecret }, headerOf(webhookSecret));
		expect(await statuses(call)).toEqual([500, 500]);
		expect((await whyRefused(call, false))?.body).toMatchObject({
			message: expect.stringMatching(/cannot be sent in a header\. Use letters/),
		});
	},
);

test('a credential that n8n cannot read lets nobody in, because it may have a secret', async () => {
	expect(await statuses(callWith(null))).toEqual([503, 503]);
	expect((await whyRefused(callWith(null), false))?.body).toEqual({
		message:
			'n8n could not read the credential of this trigger, so the call was not accepted. Send it again later.',
	});
});

test('a credential store that hangs is waited for briefly', async () => {
	// If performance were simulated, n8nClock would have no time, and wait for nothing.
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance'] });
	try {
		const hanging = { getCredentials: async () => await new Promise(() => undefined) };
		const refused = whyRefused(hanging as unknown as IWebhookFunctions, false);
		await jest.advanceTimersByTimeAsync(5_000);
		expect(await refused).toMatchObject({ httpStatus: 503 });
	} finally {
		jest.useRealTimers();
	}
});
