import { deepCopy, type IDataObject } from 'n8n-workflow';

import { onAbort } from '../budget/abortListeners';
import type { Permit, Priority, RequestBudget } from '../budget/requestBudget';
import { accountOf } from './account';
import { API_PATH } from './baseUrl';
import { ConfigCache, type Networks } from './configCache';
import { connectionOf, isSameAccount, n8nClock } from './connection';
import { type ServiceResponse, readResponse } from './envelope';
import { networksOf } from '../orders/networks';
import { CREDENTIAL_NAME, sendRequest, type ServiceContext } from './request';
import { asksForPause, isRateLimited, retryAfterOf, type ServiceError } from './serviceError';
import type { OnCredential } from './signing';

export { n8nClock } from './connection';
export { CREDENTIAL_NAME, REQUEST_TIMEOUT_MS, type ServiceContext } from './request';

/** How long lists and names are taken from a configuration that was read before. */
const KEEP_CONFIG_MS = 5 * 60_000;

/** More accounts than one n8n works with in five minutes. */
const MAX_CACHED_CONFIGS = 20;

/**
 * The three endpoints of the service. Each gives the response's data or a service error, and throws nothing but a fault of our own. A request waits
 * until the budget of its address and key has room for it. The response of a configuration is shared with whoever asks for it
 * while it is being read, but not the waiting for room: each has his own place in the queue, and his own patience.
 *
 * A connection follows its credential: n8n reads the credential again for each request, and where it leads to another
 * address or key by now, nothing is sent to the old one and the connection moves. Requests that wait for room then go to the
 * new account by themselves; those that come with a permit of the old budget are answered with the error `moved`.
 */
export interface BridgeService {
	/** `data` of the configuration, as it came. `chainID` is sent where given; whether the service filters by it is not shown. */
	config(chainID?: string, permission?: Permission): Promise<ServiceResponse>;
	/**
	 * The configuration's networks as they were up to five minutes ago: kept in this process for each address and key,
	 * so that lists, names and decimals cost one request. Failures are not kept.
	 */
	networks(): Promise<NetworksResponse>;
	/** `data` of a quote for the given query parameters, as it came. */
	quote(parameters: IDataObject): Promise<ServiceResponse>;
	/** `data` of the order that began with this source-chain transaction. */
	status(sourceHash: string, permission?: Permission): Promise<ServiceResponse>;
	/** The budget that all requests to this address with this key share in this n8n process; another one after a move. */
	readonly budget: RequestBudget;
	/** Requests per Minute of the credential, as it was last read. */
	readonly requestsPerMinute: number;
	/** A permit for one request that a user waits for, if the budget has room for it now; else null. */
	tryAcquire(): Permit | null;
}

export type NetworksResponse =
	| { ok: true; networks: Networks }
	| { ok: false; error: ServiceError };

/** Permission to send one request now, for callers that do not wait for room in the budget. */
export interface Permission {
	permit: Permit;
	signal?: AbortSignal;
}

const configCache = new ConfigCache({
	now: n8nClock.now,
	keepMs: KEEP_CONFIG_MS,
	maxEntries: MAX_CACHED_CONFIGS,
	isKept: (response) => response.ok && networksOf(response.data) !== null,
});

/** Why a budget pauses, as the service last said it. */
const pauseReasons = new WeakMap<RequestBudget, ServiceError>();

/** Pauses that the service asks for are waited out for so long in all; beyond that they are an error. */
const WAIT_OUT_MS = 90_000;

/** A credential that is edited again and again is followed so often within one request. */
const MAX_MOVES = 5;

/** The caller has stopped. With axios' code for a request that was aborted by a signal. */
const STOPPED: ServiceError = { kind: 'unreachable', networkCode: 'ERR_CANCELED' };

/** A configuration without a list of networks. */
export const NO_NETWORKS: ServiceError = { kind: 'unreadable', status: 200, found: 'noNetworks' };

export interface ConnectOptions {
	/** Aborts what waits and what is in flight. */
	abortSignal?: AbortSignal;
	/** Whether requests go ahead of the checks of watches (the default), or share the queue with them, as a large batch should. */
	priority?: Priority;
	/** How long pauses that the service asks for are waited out, in milliseconds; a longer one is an error at once. */
	waitOutMs?: number;
}

interface Query {
	endpoint: 'config' | 'quote' | 'status';
	qs: IDataObject;
}

/** The service behind the node's credential. */
export async function connectToService(
	context: ServiceContext,
	{ abortSignal, priority = 'interactive', waitOutMs = WAIT_OUT_MS }: ConnectOptions = {},
): Promise<BridgeService> {
	let connection = connectionOf(accountOf(await context.getCredentials(CREDENTIAL_NAME)));
	const queueKey = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;

	const sendWith = async (
		{ permit, signal }: Permission,
		{ endpoint, qs }: Query,
	): Promise<ServiceResponse> => {
		const from = connection;
		if (abortSignal?.aborted === true) return unsent(permit, STOPPED);
		if (permit.budget !== undefined && permit.budget !== from.budget)
			return unsent(permit, { kind: 'moved' });
		let unsendable: ServiceError | null =
			from.problem === null ? null : { kind: 'invalidCredential', problem: from.problem };
		const onCredential: OnCredential = (credentials) => {
			const account = accountOf(credentials);
			const hasMoved = !isSameAccount(account, from);
			if (hasMoved) unsendable = { kind: 'moved' };
			if (connection === from && (hasMoved || account.requestsPerMinute !== from.requestsPerMinute))
				connection = connectionOf(account);
			if (unsendable !== null) throw new Error('This request cannot be sent with the credential');
		};
		// Asked also with a credential that cannot be used: n8n reads it again, and it may have been corrected. Nothing can be sent to this address.
		const url = `${from.problem === null ? from.address : 'https-is-required:'}${API_PATH}/${endpoint}`;
		const sent = await sendRequest(context, { url, qs, onCredential, abortSignal: signal });
		if (unsendable !== null) return unsent(permit, unsendable);
		const envelope = endpoint === 'quote' ? 'optional' : 'required';
		const response: ServiceResponse = sent.ok
			? readResponse(sent.response, { now: Date.now(), envelope, apiKey: from.apiKey })
			: sent;
		if (!response.ok && asksForPause(response.error)) pauseReasons.set(from.budget, response.error);
		permit.settle(settlementOf(response));
		return response;
	};

	/** Waits for room in the budget, and sends then; a configuration that somebody else is reading by then is shared. */
	const askOnce = async (query: Query, mayBeKept: boolean): Promise<ServiceResponse> => {
		const isShared = isWholeConfig(query);
		for (;;) {
			const shared = isShared ? configCache.find(connection.name, mayBeKept) : undefined;
			const known = shared === undefined ? null : await unlessAborted(shared, abortSignal);
			if (known !== null && concernsAll(known)) return known;
			const { budget, requestsPerMinute: limit } = connection;
			const pauseMs = budget.pausedMs();
			if (pauseMs > waitOutMs) return { ok: false, error: pausedFor(budget, pauseMs) };
			const permit = await budget.acquire({ priority, limit, queueKey, signal: abortSignal });
			const permission = { permit, signal: abortSignal };
			if (!isShared) return await sendWith(permission, query);
			if (configCache.find(connection.name, mayBeKept) === undefined)
				return await configCache.share(
					connection.name,
					async () => await sendWith(permission, query),
				);
			permit.release();
		}
	};

	/** As `askOnce`, again while the service asks for a pause that is to be waited out, and where the credential has moved. */
	const ask = async (query: Query, mayBeKept = false): Promise<ServiceResponse> => {
		const until = n8nClock.now() + waitOutMs;
		for (let moves = 0; ; ) {
			const response = await askOnce(query, mayBeKept).catch((error: unknown): ServiceResponse => {
				if (abortSignal?.aborted === true && error === abortSignal.reason)
					return { ok: false, error: STOPPED };
				throw error;
			});
			if (response.ok) return response;
			const { error } = response;
			const isAskedAgain =
				error.kind === 'moved'
					? moves++ < MAX_MOVES
					: asksForPause(error) && n8nClock.now() + (retryAfterOf(error) ?? 0) <= until;
			if (!isAskedAgain) return response;
		}
	};

	/** What came becomes items, which a workflow may change: each caller gets a copy of what others may share. */
	const askConfig = async (query: Query, permission?: Permission): Promise<ServiceResponse> => {
		if (permission === undefined) return deepCopy(await ask(query));
		const send = async (): Promise<ServiceResponse> => await sendWith(permission, query);
		if (!isWholeConfig(query)) return await send();
		const inFlight = configCache.find(connection.name, false);
		if (inFlight === undefined) return deepCopy(await configCache.share(connection.name, send));
		permission.permit.release();
		return deepCopy(await inFlight);
	};

	const networks = async (): Promise<NetworksResponse> => {
		const response = await ask({ endpoint: 'config', qs: {} }, true);
		if (!response.ok) return response;
		const found = networksOf(response.data);
		return found === null ? { ok: false, error: NO_NETWORKS } : { ok: true, networks: found };
	};

	return {
		networks,
		config: async (chainID, permission) =>
			await askConfig(
				{ endpoint: 'config', qs: chainID === undefined ? {} : { chainID } },
				permission,
			),
		quote: async (parameters) => await ask({ endpoint: 'quote', qs: parameters }),
		status: async (sourceHash, permission) => {
			const query: Query = { endpoint: 'status', qs: { sourceHash } };
			return permission === undefined ? await ask(query) : await sendWith(permission, query);
		},
		get budget() {
			return connection.budget;
		},
		get requestsPerMinute() {
			return connection.requestsPerMinute;
		},
		tryAcquire: () => connection.budget.tryAcquire(connection.requestsPerMinute),
	};
}

function isWholeConfig({ endpoint, qs }: Query): boolean {
	return endpoint === 'config' && Object.keys(qs).length === 0;
}

/** Whether a response says the same to all who ask, and not only to the one who sent the request: no pause, no abort, no move. */
function concernsAll(response: ServiceResponse): boolean {
	if (response.ok) return true;
	const { error } = response;
	return !asksForPause(error) && error.kind !== 'moved' && error.kind !== 'unreachable';
}

/** The shared response, or a rejection with the reason of the caller's own signal. */
async function unlessAborted(
	response: Promise<ServiceResponse>,
	signal?: AbortSignal,
): Promise<ServiceResponse> {
	return await new Promise<ServiceResponse>((resolve, reject) => {
		const listensNoMore = onAbort(signal, () => reject(signal?.reason));
		response.then(resolve, reject).finally(listensNoMore);
	});
}

/** The service asked us earlier to send nothing for longer than a user should wait without a response. */
function pausedFor(budget: RequestBudget, ms: number): ServiceError {
	const reason = pauseReasons.get(budget);
	if (reason?.kind === 'rejected') return { ...reason, retryAfterMs: ms };
	return { kind: 'rejected', status: 429, code: 'RATE_LIMITED', words: null, retryAfterMs: ms };
}

function unsent(permit: Permit, error: ServiceError): ServiceResponse {
	permit.release();
	return { ok: false, error };
}

/** What the response says about the budget. */
function settlementOf(response: ServiceResponse) {
	if (response.ok) return {};
	const { error } = response;
	if (asksForPause(error)) {
		const retryAfterMs = retryAfterOf(error);
		return { limited: isRateLimited(error), ...(retryAfterMs === null ? {} : { retryAfterMs }) };
	}
	return { unanswered: error.kind === 'unreachable' || error.kind === 'timedOut' };
}
