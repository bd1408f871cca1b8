import { createHash, timingSafeEqual } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { within } from '../budget/clock';
import { field } from '../orders/values';
import { webhookSecretOf } from '../service/account';
import { n8nClock } from '../service/n8nClock';
import { CREDENTIAL_NAME } from '../service/request';
import { saying, type WebhookAnswer } from './answers';

const HEADER = 'X-Webhook-Secret';

/** How long a call waits for n8n's credential store, in milliseconds. */
const CREDENTIAL_WAIT_MS = 5_000;

/**
 * Why a call may not use the webhook; null if it may. If the credential has a Webhook Secret, every call has to send it. Without one, anybody
 * who knows the URL may send orders, but nobody may list or remove them, because the URL does not prove who calls.
 */
export async function whyRefused(
	context: IWebhookFunctions,
	needsSecret: boolean,
): Promise<WebhookAnswer | null> {
	const credentials = await within(
		n8nClock,
		n8nClock.now() + CREDENTIAL_WAIT_MS,
		context.getCredentials(CREDENTIAL_NAME).catch(() => undefined),
	);
	if (credentials === undefined)
		return saying(
			503,
			'n8n could not read the credential of this trigger, so the call was not accepted. Send it again later.',
		);
	const read = webhookSecretOf(credentials);
	if (!read.ok) return saying(500, `${read.message}. ${read.description}`);
	const { secret } = read;
	if (secret === null)
		return needsSecret
			? saying(
					403,
					`To list or remove orders, set a Webhook Secret in the credential of this trigger, and send it in the header ${HEADER}.`,
				)
			: null;
	const sent: unknown = field(context.getHeaderData(), HEADER.toLowerCase());
	if (sent === undefined)
		return saying(
			401,
			`Send the Webhook Secret of this trigger's credential in the header ${HEADER}.`,
		);
	return typeof sent === 'string' && isSame(sent, secret)
		? null
		: saying(
				403,
				`The header ${HEADER} has a value other than the Webhook Secret in the credential.`,
			);
}

/** Compares in a time that does not depend on how much of it is right. */
function isSame(sent: string, secret: string): boolean {
	const digestOf = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digestOf(sent), digestOf(secret));
}
