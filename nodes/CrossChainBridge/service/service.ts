import { createHash } from 'crypto';
import { deepCopy, type IAllExecuteFunctions, type IDataObject, sleep } from 'n8n-workflow';

import { type Clock, unlessAborted } from '../budget/clock';
import { type Permit, type Priority, RequestBudget } from '../budget/requestBudget';
import type { Settlement } from '../budget/requestLog';
import { networksOf } from '../orders/networks';
import { type Account, accountOf } from './account';
import { API_PATH, NO_ADDRESS } from './baseUrl';
import { ConfigCache, type Networks } from './configCache';
import { type Failed, failed, readResponse, type ServiceResponse } from './envelope';
import { CREDENTIAL_NAME, sendRequest } from './request';
import { type Asked, asksForPause, isRateLimited, retryAfterOf, type ServiceError } from './errors';
import type { OnCredential } from './signing';

export { CREDENTIAL_NAME } from './request';

/** It stands still while the computer sleeps. */
export const n8nClock: Required<Clock> = {
	now: () => performance.timeOrigin + performance.now(),
	sleep,
	ofWallTime: (ms) => ms + n8nClock.now() - Date.now(),
};

/** What was sent with a key before this process, or this version of the package, began is not known. */
const BEGUN_AT = n8nClock.now();

/** Pauses are waited out up to this in all. */
const WAIT_OUT_MS = 90_000;

/** How often one request follows an edited credential. */
const MAX_MOVES = 5;

/** Requests wait for the budget, and follow an edited credential; only a fault of our own is thrown. */
export interface BridgeService {
	/** With `chainID` it may contain other networks all the same. */
	config(chainID?: string): Promise<ServiceResponse>;
	/** The whole configuration, to be read only; null where the budget has no room now. */
	configNow(): Promise<ServiceResponse | null>;
	/** As they were up to five minutes ago. */
	networks(): Promise<NetworksResponse>;
	quote(parameters: IDataObject): Promise<ServiceResponse>;
	status(sourceHash: string, permission?: Permission): Promise<ServiceResponse>;
	/** Another one after a move. */
	readonly budget: RequestBudget;
	/** As the credential was last read. */
	readonly requestsPerMinute: number;
}

type NetworksResponse = { ok: true; networks: Networks } | Failed;

/** To send one request now; with a permit of another account's budget the response is the error `moved`. */
interface Permission {
	permit: Permit;
	signal?: AbortSignal;
}

const budgets = new Map<string, RequestBudget>();

const configCache = new ConfigCache(n8nClock.now);

const pauseReasons = new WeakMap<RequestBudget, ServiceError>();

/** The caller has stopped, with axios' code for that. */
const STOPPED: ServiceError = { kind: 'unreachable', networkCode: 'ERR_CANCELED' };

export const NO_NETWORKS: ServiceError = { kind: 'unreadable', status: 200, found: 'noNetworks' };

interface ConnectOptions {
	abortSignal?: AbortSignal;
	priority?: Priority;
	/** How long pauses are waited out. */
	waitOutMs?: number;
}

interface Query {
	endpoint: Asked;
	qs: IDataObject;
	/** All who ask share a response that is on its way, or also one of some minutes ago. */
	shares?: 'current' | 'kept';
}

const WHOLE_CONFIG: Query = { endpoint: 'config', qs: {}, shares: 'current' };

/** Throws n8n's error where the credential cannot be read. */
export async function connectToService(
	context: IAllExecuteFunctions,
	{ abortSignal, priority = 'interactive', waitOutMs = WAIT_OUT_MS }: ConnectOptions = {},
): Promise<BridgeService> {
	let connection = connectionOf(accountOf(await context.getCredentials(CREDENTIAL_NAME)));
	const queueKey = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;

	const sendNow = async (
		{ permit, signal }: Permission,
		{ endpoint, qs }: Query,
	): Promise<ServiceResponse> => {
		const from = connection;
		if (abortSignal?.aborted === true) return unsent(permit, STOPPED);
		if (permit.budget !== from.budget) return unsent(permit, { kind: 'moved' });
		let unsendable: ServiceError | null =
			from.problem === null ? null : { kind: 'invalidCredential', problem: from.problem };
		const onCredential: OnCredential = (credentials) => {
			const now = connectionOf(accountOf(credentials));
			const hasMoved = now.budget !== from.budget || now.problem !== from.problem;
			if (hasMoved) unsendable = { kind: 'moved' };
			if (connection === from && (hasMoved || now.requestsPerMinute !== from.requestsPerMinute))
				connection = now;
			if (unsendable !== null) throw new Error('This request cannot be sent with the credential');
		};
		// An unusable credential is sent to nowhere: n8n reads it again, perhaps corrected.
		const url = `${from.problem === null ? from.address : NO_ADDRESS}${API_PATH}/${endpoint}`;
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

	const share = async (permission: Permission): Promise<ServiceResponse> =>
		await configCache.share(connection.name, async () => await sendNow(permission, WHOLE_CONFIG));

	/** Sends when the budget has room; who shares a response has a place of its own in the queue. */
	const askOnce = async (query: Query): Promise<ServiceResponse> => {
		const { shares } = query;
		const find = () =>
			shares === undefined ? undefined : configCache.find(connection.name, shares === 'kept');
		for (;;) {
			const shared = find();
			const known = shared === undefined ? null : await unlessAborted(shared, abortSignal);
			if (known !== null && concernsAll(known)) return known;
			const { budget, requestsPerMinute: limit } = connection;
			const pauseMs = budget.pausedMs();
			if (pauseMs > waitOutMs) return failed(pausedFor(budget, pauseMs));
			const permit = await budget.acquire({ priority, limit, queueKey, signal: abortSignal });
			const permission = { permit, signal: abortSignal };
			if (shares === undefined) return await sendNow(permission, query);
			if (find() === undefined) return await share(permission);
			permit.release();
		}
	};

	/** Asks again while pauses can be waited out, and where the credential has moved. */
	const ask = async (query: Query): Promise<ServiceResponse> => {
		const until = n8nClock.now() + waitOutMs;
		for (let moves = 0; ; ) {
			const response = await askOnce(query).catch((error: unknown): ServiceResponse => {
				if (abortSignal?.aborted === true) return failed(STOPPED);
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

	return {
		async config(chainID) {
			const query: Query =
				chainID === undefined ? WHOLE_CONFIG : { endpoint: 'config', qs: { chainID } };
			// A copy, since a workflow may change its items.
			return deepCopy(await ask(query));
		},
		async configNow() {
			const inFlight = configCache.find(connection.name, false);
			if (inFlight !== undefined) return await inFlight;
			const permit = connection.budget.tryAcquire(connection.requestsPerMinute);
			return permit === null ? null : await share({ permit });
		},
		async networks() {
			const response = await ask({ ...WHOLE_CONFIG, shares: 'kept' });
			if (!response.ok) return response;
			const networks = networksOf(response.data);
			return networks === null ? failed(NO_NETWORKS) : { ok: true, networks };
		},
		quote: async (qs) => await ask({ endpoint: 'quote', qs }),
		async status(sourceHash, permission) {
			const query: Query = { endpoint: 'status', qs: { sourceHash } };
			return permission === undefined ? await ask(query) : await sendNow(permission, query);
		},
		get budget() {
			return connection.budget;
		},
		get requestsPerMinute() {
			return connection.requestsPerMinute;
		},
	};
}

/** The account with the budget of all credentials with its key and address, and their name, which gives no key away. */
function connectionOf(account: Account) {
	// Empty where the credential has none.
	const address = account.address === '' ? '' : new URL(account.address).href;
	const name = createHash('sha256')
		.update(JSON.stringify([address, account.apiKey]))
		.digest('hex');
	const budget = budgets.get(name) ?? new RequestBudget(n8nClock, { begunAt: BEGUN_AT });
	budgets.set(name, budget);
	return { ...account, name, budget };
}

/** Whether a response is good for all who ask. */
function concernsAll(response: ServiceResponse): boolean {
	if (response.ok) return true;
	const { error } = response;
	return !asksForPause(error) && error.kind !== 'moved' && error.kind !== 'unreachable';
}

function pausedFor(budget: RequestBudget, ms: number): ServiceError {
	const reason = pauseReasons.get(budget);
	if (reason?.kind === 'rejected') return { ...reason, retryAfterMs: ms };
	return { kind: 'rejected', status: 429, code: 'RATE_LIMITED', words: null, retryAfterMs: ms };
}

function unsent(permit: Permit, error: ServiceError): ServiceResponse {
	permit.release();
	return failed(error);
}

function settlementOf(response: ServiceResponse): Settlement {
	if (response.ok) return {};
	const { error } = response;
	if (asksForPause(error))
		return { limited: isRateLimited(error), retryAfterMs: retryAfterOf(error) };
	return { unanswered: error.kind === 'unreachable' || error.kind === 'timedOut' };
}
