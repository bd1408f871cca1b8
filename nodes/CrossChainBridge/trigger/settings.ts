import { type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { END_STATUSES } from '../bridge/orders';
import { MOST_SOURCE_HASHES, parseSourceHashes } from './sourceHashes';
import type { WatchRules } from './watchState';

/** What the user filled in, read anew at each poll. */
export interface TriggerSettings {
	sourceHashes: string[];
	rules: WatchRules;
	simplify: boolean;
	/** Whether to go on looking between polls. */
	keepChecking: boolean;
	/** Least time between two looks at one order. */
	intervalMs: number;
}

export type SettingsRead = { ok: true; settings: TriggerSettings } | { ok: false; error: NodeOperationError };

export function readSettings(context: IPollFunctions): SettingsRead {
	const sourceHashes = parseSourceHashes(context.getNodeParameter('sourceHashes', ''));
	if (sourceHashes.length > MOST_SOURCE_HASHES) {
		const options = {
			description: 'Spread them over several triggers, or take out orders that have ended.',
			failure: { cause: 'configuration-invalid' },
		};
		return {
			ok: false,
			error: new NodeOperationError(
				context.getNode(),
				`The list holds ${sourceHashes.length} source transaction hashes; one trigger watches ${MOST_SOURCE_HASHES} at most`,
				options,
			),
		};
	}
	const chosen: unknown = context.getNodeParameter('events', [...END_STATUSES]);
	return {
		ok: true,
		settings: {
			sourceHashes,
			rules: {
				events: END_STATUSES.filter((status) => Array.isArray(chosen) && chosen.includes(status)),
				includeEnded: context.getNodeParameter('options.includeEnded', true) !== false,
			},
			simplify: context.getNodeParameter('simplify', true) !== false,
			keepChecking: context.getNodeParameter('keepChecking', true) !== false,
			intervalMs: 1000 * secondsOr(DEFAULT_INTERVAL_SECONDS, context.getNodeParameter('checkEvery', DEFAULT_INTERVAL_SECONDS)),
		},
	};
}

/** What the service's polling guidance advises. */
export const DEFAULT_INTERVAL_SECONDS = 5;

function secondsOr(otherwise: number, given: unknown): number {
	const seconds = Number(given);
	return Number.isFinite(seconds) && seconds >= 1 ? seconds : otherwise;
}
