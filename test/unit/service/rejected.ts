import {
	type Asked,
	meaningOf,
	type ServiceError,
} from '../../../nodes/CrossChainBridge/service/errors';

/** A rejection as the service's response is read. */
export function rejected(
	status: number,
	code: string | null = null,
	words: string | null = null,
	retryAfterMs: number | null = null,
	asked: Asked = 'status',
): ServiceError & { kind: 'rejected' } {
	const stated = { status, code, words };
	return { kind: 'rejected', ...stated, meaning: meaningOf(stated, asked), retryAfterMs };
}
