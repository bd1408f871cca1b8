import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';

export const rejected = (
	status: number,
	code: string | null = null,
	words: string | null = null,
	retryAfterMs: number | null = null,
): ServiceError => ({ kind: 'rejected', status, code, words, retryAfterMs });
