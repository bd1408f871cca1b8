import { isHashColumn } from '../orders/sourceHash';
import type { PlainObject } from '../orders/values';

/** The fields of an order in a call, each with the names that the nodes have for the same; other names of the hash are read as well. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
	sourceHash: [],
	reference: [],
	recipient: ['expectedRecipient', 'recipientAddress'],
	minimumReceived: ['receivedAtLeast', 'minReceived'],
	startedAt: [],
	replaces: [],
};

export const FIELD_NAMES = Object.keys(FIELDS);

/** The names in an order that are no field. Apps and n8n's forms send some of their own, which are ignored. */
export function unknownNames(order: PlainObject): string[] {
	return Object.keys(order).filter((name) => !FIELD_NAMES.includes(name) && !isHashColumn(name));
}
