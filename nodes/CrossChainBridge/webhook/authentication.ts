import { createHash, timingSafeEqual } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { field, textOrNull } from '../orders/values';
import { saying, type WebhookAnswer } from './answers';
import { HEADER_AUTH } from './description';

/** Whether the user has chosen no authentication. */
export function isOpenToAll(context: IWebhookFunctions): boolean {
	return context.getNodeParameter('authentication', 'none') === 'none';
}

/** Null for a caller that sends the header of the credential. */
export async function rejectionOf(context: IWebhookFunctions): Promise<WebhookAnswer | null> {
	const credential = await headerAuthOf(context);
	if (credential === null)
		return saying(500, 'The Header Auth credential of this trigger is missing or empty.');
	const sent: unknown = field(context.getHeaderData(), credential.name);
	if (sent === undefined)
		return saying(401, 'Send the header of the Header Auth credential that this trigger uses.');
	return typeof sent === 'string' && isSame(sent, credential.value)
		? null
		: saying(403, 'The header of the Header Auth credential has another value.');
}

/** Null where the credential is missing or empty: then nobody may call. */
async function headerAuthOf(
	context: IWebhookFunctions,
): Promise<{ name: string; value: string } | null> {
	const credential: unknown = await context.getCredentials(HEADER_AUTH).catch(() => null);
	const name = textOrNull(field(credential, 'name'))?.trim().toLowerCase() ?? '';
	// HTTP drops white space around a header's value.
	const value = textOrNull(field(credential, 'value'))?.trim() ?? '';
	return name === '' || value === '' ? null : { name, value };
}

/** Compares in a time that does not depend on where the two differ. */
function isSame(one: string, other: string): boolean {
	const digestOf = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digestOf(one), digestOf(other));
}
