import { type IPollFunctions, type IWebhookFunctions, NodeOperationError } from 'n8n-workflow';

import { END_STATUSES } from '../bridge/orders';
import { field } from '../bridge/values';
import { type ReadingOptions, readingOptions, readingProblem } from '../operations/readingFields';
import { MOST_SOURCE_HASHES, parseSourceHashes } from './sourceHashes';
import type { WatchRules } from './watchState';

/** What the user filled in, read anew at each poll. */
export interface TriggerSettings {
	sourceHashes: string[];
	/** Whether orders come by the webhook as well. */
	acceptsOrders: boolean;
	/** Whether a posted order that is given up starts the workflow. */
	tellsGivenUp: boolean;
	rules: WatchRules;
	simplify: boolean;
	/** The user's decimals and block explorers. */
	reading: ReadingOptions;
	/** Whether to go on looking between polls. */
	keepChecking: boolean;
	/** Least time between two looks at one order. */
	intervalMs: number;
}

export type SettingsRead = { ok: true; settings: TriggerSettings } | { ok: false; error: NodeOperationError };

export function readSettings(context: IPollFunctions | IWebhookFunctions): SettingsRead {
	const sourceHashes = parseSourceHashes(context.getNodeParameter('sourceHashes', ''));
	if (sourceHashes.length > MOST_SOURCE_HASHES) {
		return {
			ok: false,
			error: new NodeOperationError(
				context.getNode(),
				`The list holds ${sourceHashes.length} source transaction hashes; one trigger watches ${MOST_SOURCE_HASHES} at most`,
				toMend('Spread them over several triggers, or take out orders that have ended.'),
			),
		};
	}
	const options = context.getNodeParameter('options', {});
	const problem = readingProblem(options);
	if (problem !== null) return { ok: false, error: new NodeOperationError(context.getNode(), problem.message, toMend(problem.description)) };
	const chosen: unknown = context.getNodeParameter('events', [...END_STATUSES]);
	return {
		ok: true,
		settings: {
			sourceHashes,
			acceptsOrders: context.getNodeParameter('acceptOrders', false) === true,
			tellsGivenUp: Array.isArray(chosen) && chosen.includes(GIVEN_UP),
			rules: {
				events: END_STATUSES.filter((status) => Array.isArray(chosen) && chosen.includes(status)),
				includeEnded: field(options, 'includeEnded') !== false,
			},
			simplify: context.getNodeParameter('simplify', true) !== false,
			reading: readingOptions(options),
			keepChecking: context.getNodeParameter('keepChecking', true) !== false,
			intervalMs: 1000 * secondsOr(DEFAULT_INTERVAL_SECONDS, context.getNodeParameter('checkEvery', DEFAULT_INTERVAL_SECONDS)),
		},
	};
}

/** What n8n's durable engine reads from `failure`: trying again mends nothing. */
function toMend(description: string) {
	return { description, failure: { cause: 'configuration-invalid' } };
}

/** The event of a posted order that is no longer watched, although it has not ended. */
export const GIVEN_UP = 'givenUp';

/** What the service's polling guidance advises. */
export const DEFAULT_INTERVAL_SECONDS = 5;

function secondsOr(otherwise: number, given: unknown): number {
	const seconds = Number(given);
	return Number.isFinite(seconds) && seconds >= 1 ? seconds : otherwise;
}
