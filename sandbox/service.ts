import { ServiceError } from './answers';
import type { Outcome } from './answers';
import type { Endpoint } from './faults';
import { isTransactionHash } from './hashes';
import { configuredNetworks } from './networks';
import type { OrderBook } from './orderBook';
import { statusData } from './orders';
import { makeQuote, readChainId, readQuoteParameters } from './quotes';
import type { Query } from './quotes';
import type { SlidingWindow } from './rateLimit';

/** What the service knows and how it is set. */
export interface ServiceSettings {
	/** Requests per minute by API key; 0 = no limit. */
	limits: ReadonlyMap<string, number>;
	/** Whether a chainID selects one network; the interface shows an example in which it does not. */
	filterConfig: boolean;
	/** Whether a 429 says when to come back; the interface shows no such header. */
	retryAfter: boolean;
	liquidityUsd: number;
	now: () => number;
	orders: OrderBook;
	window: SlidingWindow;
}

function config(settings: ServiceSettings, query: Query): unknown {
	const chainID = readChainId(query);
	const networks = configuredNetworks(settings.filterConfig ? chainID : undefined);
	if (networks.length === 0)
		throw new ServiceError('NOT_FOUND', `Network ${chainID} is not supported`);
	return { networks };
}

function quote(settings: ServiceSettings, query: Query): unknown {
	return makeQuote(readQuoteParameters(query), settings.now(), settings.liquidityUsd);
}

function status(settings: ServiceSettings, query: Query): unknown {
	const { sourceHash } = query;
	if (sourceHash === undefined)
		throw new ServiceError('INVALID_PARAMETER', 'Query parameter sourceHash is missing');
	if (typeof sourceHash !== 'string' || !isTransactionHash(sourceHash)) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			'Query parameter sourceHash is not a transaction hash',
		);
	}
	const order = settings.orders.get(sourceHash);
	const data = order === undefined ? undefined : statusData(order, settings.now());
	if (data === undefined)
		throw new ServiceError('NOT_FOUND', `No order for source transaction ${sourceHash}`);
	return data;
}

const ENDPOINT_HANDLERS: Record<Endpoint, (settings: ServiceSettings, query: Query) => unknown> = {
	config,
	quote,
	status,
};

/**
 * The service's decision on one request: first the key (401), then the limit of that key (429), then the
 * endpoint itself. A request without a valid key is not counted.
 * @param key - the value of x-api-key, undefined if it is missing
 */
export function serve(
	settings: ServiceSettings,
	endpoint: Endpoint,
	key: string | undefined,
	query: Query,
): Outcome {
	const limit = key === undefined ? undefined : settings.limits.get(key);
	if (key === undefined || limit === undefined) {
		return { ok: false, code: 'UNAUTHORIZED', message: 'Invalid or missing API key' };
	}
	const admission = settings.window.admit(key, limit, settings.now());
	if (!admission.admitted) {
		return {
			ok: false,
			code: 'RATE_LIMITED',
			message: `More than ${limit} requests per minute`,
			headers: settings.retryAfter ? { 'retry-after': String(admission.retryAfterSeconds) } : {},
		};
	}
	try {
		return { ok: true, data: ENDPOINT_HANDLERS[endpoint](settings, query) };
	} catch (error) {
		if (error instanceof ServiceError)
			return { ok: false, code: error.code, message: error.message };
		return {
			ok: false,
			code: 'INTERNAL_ERROR',
			message: 'Something went wrong inside the sandbox',
		};
	}
}
