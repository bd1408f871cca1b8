import { getConfig } from './getConfig';
import { getQuote } from './getQuote';
import { getStatus } from './getStatus';
import type { Operation } from './operation';
import { waitForCompletion } from './waitForCompletion';

/** All operations of the action node, in the order the editor lists them. */
export const operations: Operation[] = [getConfig, getQuote, getStatus, waitForCompletion];
