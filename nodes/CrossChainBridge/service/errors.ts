import { NodeApiError, type INode } from 'n8n-workflow';

import { type AskedFor, describeError } from './errorText';
import type { Asked, ServiceError } from './serviceError';

export { describeError, fieldNamed, NOT_ACCEPTED } from './errorText';
export {
	type Asked,
	isHashRejected,
	isNotFound,
	isOrderError,
	needsTheUser,
	type ServiceError,
} from './serviceError';

export interface NodeErrorOptions extends AskedFor {
	asked: Asked;
	itemIndex?: number;
	/** Instead of the message. */
	title?: string;
	/** Sentences before and after the description. */
	lead?: string;
	note?: string;
}

const plainDescriptions = new WeakMap<object, string>();

/** A service error as n8n's own, with the sentences that fit what was asked for. */
export function toNodeError(
	node: INode,
	serviceError: ServiceError,
	{ asked, itemIndex, title, lead, note, ...askedFor }: NodeErrorOptions,
): NodeApiError {
	const { message, description, code, ...declared } = describeError(serviceError, asked, askedFor);
	const plain = [lead, description, note].filter(Boolean).join(' ');
	const options = { ...declared, message: title ?? message, itemIndex };
	const error = new NodeApiError(node, {}, { ...options, description: escapeHtml(plain) });
	if (code !== undefined) error.context.code = code;
	plainDescriptions.set(error, plain);
	return error;
}

/** The description for items; on the error it is escaped, since the editor shows it as HTML. */
export function plainDescription(error: { description?: string | null }): string | null {
	return plainDescriptions.get(error) ?? error.description ?? null;
}

function escapeHtml(text: string): string {
	return text
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;')
		.replace(/'/g, '&#39;');
}
