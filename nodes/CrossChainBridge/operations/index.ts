import type { INodeProperties } from 'n8n-workflow';

import { getConfig } from './getConfig';
import { getQuote } from './getQuote';
import { getStatus } from './getStatus';
import type { Operation } from './operation';
import { waitForCompletion } from './waitForCompletion';

/** All operations of the action node, in the order the editor lists them. */
export const operations: Operation[] = [getConfig, getQuote, getStatus, waitForCompletion];

/** The field that chooses one; built again for each description, since n8n adds an entry of its own to the list. */
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
