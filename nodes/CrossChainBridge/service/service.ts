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

const KEEP_CONFIG_MS = 5 * 60_000;
const MAX_CACHED_CONFIGS = 20;

/** Pauses that the service asks for are waited out up to this in all; a longer one is an error. */
const WAIT_OUT_MS = 90_000;

/** How often one request follows a credential that is edited again and again. */
const MAX_MOVES = 5;

/**
 * The three endpoints of the service, each with its data as it came or a service error; only a fault of our own is thrown. A
 * request waits until the budget of its address and key has room. A connection follows its credential, which n8n reads again
 * for each request: after an edit nothing is sent to the old address, and waiting requests go to the new account.
 */
export interface BridgeService {
	/** `chainID` is sent where given; whether the service filters by it is not shown. */
	config(chainID?: string, permission?: Permission): Promise<ServiceResponse>;
	/** The configuration's networks as they were up to five minutes ago; shared in this process, so to be read only. */
	networks(): Promise<NetworksResponse>;
	quote(parameters: IDataObject): Promise<ServiceResponse>;
	status(sourceHash: string, permission?: Permission): Promise<ServiceResponse>;
	/** The budget that all requests to this address with this key share in this n8n process; another one after a move. */
	readonly budget: RequestBudget;
	/** Requests per Minute of the credential, as it was last read. */
	readonly requestsPerMinute: number;
	/** A permit for one request that a user waits for, if the budget has room for it now. */
	tryAcquire(): Permit | null;
}

type NetworksResponse = { ok: true; networks: Networks } | { ok: false; error: ServiceError };

/** Permission to send one request now; after a move its permit is of the old budget, and the response is the error `moved`. */
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

/** The caller has stopped; axios' code for an aborted request. */
const STOPPED: ServiceError = { kind: 'unreachable', networkCode: 'ERR_CANCELED' };

/** A configuration without a list of networks. */
export const NO_NETWORKS: ServiceError = { kind: 'unreadable', status: 200, found: 'noNetworks' };

interface ConnectOptions {
	/** Aborts what waits and what is in flight. */
	abortSignal?: AbortSignal;
	/** Interactive requests (the default) go ahead of the checks of watches; a batch shares the queue with them. */
	priority?: Priority;
	/** How long pauses that the service asks for are waited out, in milliseconds. */
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
		// Sent also with an unusable credential, to nowhere: n8n reads it again, and it may have been corrected.
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

	/** Waits for room in the budget, then sends; each has a place in the queue, but a configuration being read is shared. */
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

	/** Asks again while pauses can be waited out, and where the credential has moved. */
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

	/** A copy for each caller, since it becomes items, which a workflow may change. */
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

/** Whether a response is good for all who ask: no pause, abort or move of the one who sent the request. */
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

/** The error of a request that is not sent, since the service asked earlier for a longer pause. */
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
