import { NodeApiError, type INode } from 'n8n-workflow';

import { type AskedFor, describeError } from './errorText';
import type { Asked, ServiceError } from './serviceError';

/** What other rooms need of service errors. */
export { describeError } from './errorText';
export {
	type Asked,
	isAccountSuspect,
	isNotFound,
	isOrderError,
	needsTheUser,
	type ServiceError,
} from './serviceError';

export interface NodeErrorOptions extends AskedFor {
	asked: Asked;
	itemIndex?: number;
	/** The message, where the error is the reason of another one. */
	title?: string;
	/** Sentences before and after the description; plain text. */
	lead?: string;
	note?: string;
}

const plainDescriptions = new WeakMap<object, string>();

/** The service error as n8n's own error. */
export function toNodeError(
	node: INode,
	serviceError: ServiceError,
	{ asked, itemIndex, title, lead, note, ...askedFor }: NodeErrorOptions,
): NodeApiError {
	const { message, description, httpCode, code, failure } = describeError(
		serviceError,
		asked,
		askedFor,
	);
	const plain = [lead, description, note]
		.filter((part) => part !== undefined && part !== '')
		.join(' ');
	const options = {
		message: title ?? message,
		description: escapeHtml(plain),
		httpCode,
		itemIndex,
		failure,
	};
	const error = new NodeApiError(node, {}, options);
	if (code !== undefined) error.context.code = code;
	plainDescriptions.set(error, plain);
	return error;
}

/** The description as plain text, for items; on the error itself it is escaped, since the editor shows it as HTML. */
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
