import type { INodeProperties } from 'n8n-workflow';

import { getConfig } from './getConfig';
import { getQuote } from './getQuote';
import { getStatus } from './getStatus';
import type { Operation } from './operation';
import { waitForCompletion } from './waitForCompletion';

/** The operations in the editor's order. */
export const operations: Operation[] = [getConfig, getQuote, getStatus, waitForCompletion];

/** The field Operation; a new one for each description, since n8n adds an entry to its list. */
export function operationField(): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getStatus',
		options: operations.map((operation) => operation.option),
	};
}
