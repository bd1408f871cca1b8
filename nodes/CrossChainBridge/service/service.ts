import { deepCopy, type IDataObject } from 'n8n-workflow';

import type { Permit, RequestBudget } from '../budget/requestBudget';
import { SharedRequests } from '../budget/sharedRequests';
import type { Priority } from '../budget/slidingWindowLog';
import { accountOf } from './account';
import { API_PATH } from './baseUrl';
import { ConfigCache, type Networks } from './configCache';
import { connectionOf, isSameAccount, n8nClock } from './connection';
import { type Answer, readAnswer } from './envelope';
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

/** A configuration of 1,000 networks takes about 2 MB. */
const MAX_CACHED_BYTES = 8_000_000;

/**
 * The three endpoints of the service. Each gives the answer's data or a service error, and throws nothing but a fault of our own. A request waits
 * until the budget of its address and key has room for it, and an identical one in flight is joined; each caller gets its
 * own copy of the answer.
 *
 * A connection follows its credential: n8n reads the credential again for each request, and where it leads to another
 * address or key by now, nothing is sent to the old one and the connection moves. Requests that wait for room then go to the
 * new account by themselves; those that come with a permit of the old budget are answered with the error `moved`.
 */
export interface BridgeService {
	/** `data` of the configuration, as it came. `chainID` is sent where given; whether the service filters by it is not shown. */
	config(chainID?: string, permission?: Permission): Promise<Answer>;
	/**
	 * The configuration's networks as they were up to five minutes ago: kept in this process for each address and key,
	 * so that lists, names and decimals cost one request. Failures are not kept.
	 */
	networks(): Promise<NetworksAnswer>;
	/** `data` of a quote for the given query parameters, as it came. */
	quote(parameters: IDataObject): Promise<Answer>;
	/** `data` of the order that began with this source-chain transaction. */
	status(sourceHash: string, permission?: Permission): Promise<Answer>;
	/** The budget that all requests to this address with this key share in this n8n process; another one after a move. */
	readonly budget: RequestBudget;
	/** Names this node among those that wait for the same budget. */
	queueKey: string;
}

export type NetworksAnswer = { ok: true; networks: Networks } | { ok: false; error: ServiceError };

/** Permission to send one request now, for callers that do not wait for room in the budget. */
export interface Permission {
	permit: Permit;
	signal?: AbortSignal;
}

const sharedRequests = new SharedRequests<Answer>();

const configCache = new ConfigCache({
	now: n8nClock.now,
	keepMs: KEEP_CONFIG_MS,
	maxEntries: MAX_CACHED_CONFIGS,
	maxBytes: MAX_CACHED_BYTES,
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
	): Promise<Answer> => {
		const from = connection;
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
		const answer: Answer = sent.ok
			? readAnswer(sent.answer, { now: Date.now(), envelope, apiKey: from.apiKey })
			: sent;
		if (!answer.ok && asksForPause(answer.error)) pauseReasons.set(from.budget, answer.error);
		permit.settle(settlementOf(answer));
		if (answer.ok && endpoint === 'config' && Object.keys(qs).length === 0)
			cacheNetworks(from.name, answer.data);
		return answer;
	};

	/** Waits for room in the budget, and waits out the pauses that the service asks for. */
	const ask = async (query: Query, signal?: AbortSignal): Promise<Answer> => {
		const until = n8nClock.now() + waitOutMs;
		for (;;) {
			const { budget } = connection;
			const pauseMs = budget.pausedMs();
			if (pauseMs > waitOutMs) return { ok: false, error: pausedFor(budget, pauseMs) };
			const permit = await budget.acquire({ priority, queueKey, signal });
			const answer = await sendWith({ permit, signal }, query);
			if (answer.ok || !asksForPause(answer.error)) return answer;
			if (n8nClock.now() + (retryAfterOf(answer.error) ?? 0) > until) return answer;
		}
	};

	const joinOnce = async (query: Query): Promise<Answer> => {
		const name = JSON.stringify([connection.name, query.endpoint, query.qs]);
		const asked = sharedRequests.ask(name, async (signal) => await ask(query, signal), abortSignal);
		return await asked.then(
			// Others may have joined, and what came becomes items, which a workflow may change.
			(answer) => deepCopy(answer),
			// Only our own signal stops us; that of another caller who joined the request does not, and a fault is none of the service's.
			async (error: unknown) =>
				abortSignal?.aborted === true && error === abortSignal.reason
					? { ok: false, error: STOPPED }
					: await Promise.reject<Answer>(error),
		);
	};

	/** Callers that joined a request of a connection that moved ask again, each by its own credential. */
	const join = async (query: Query): Promise<Answer> => {
		for (let moves = 0; ; moves++) {
			const answer = await joinOnce(query);
			if (answer.ok || answer.error.kind !== 'moved' || moves >= MAX_MOVES) return answer;
		}
	};

	const joinOrSend = async (query: Query, permission?: Permission): Promise<Answer> => {
		if (permission === undefined) return await join(query);
		return abortSignal?.aborted === true
			? unsent(permission.permit, STOPPED)
			: await sendWith(permission, query);
	};

	const networks = async (): Promise<NetworksAnswer> => {
		const known = configCache.read(connection.name);
		if (known !== null) return { ok: true, networks: known };
		const answer = await join({ endpoint: 'config', qs: {} });
		if (!answer.ok) return answer;
		const fresh = networksOf(answer.data);
		return fresh === null ? { ok: false, error: NO_NETWORKS } : { ok: true, networks: fresh };
	};

	return {
		networks,
		config: async (chainID, permission) =>
			await joinOrSend(
				{ endpoint: 'config', qs: chainID === undefined ? {} : { chainID } },
				permission,
			),
		quote: async (parameters) => await join({ endpoint: 'quote', qs: parameters }),
		status: async (sourceHash, permission) =>
			await joinOrSend({ endpoint: 'status', qs: { sourceHash } }, permission),
		get budget() {
			return connection.budget;
		},
		queueKey,
	};
}

/** A copy is kept: the answer itself becomes items, which later nodes of a workflow may change. */
function cacheNetworks(account: string, data: IDataObject | Record<string, unknown>): void {
	const networks = networksOf(data);
	if (networks !== null) configCache.keep(account, deepCopy(networks));
}

/** The service asked us earlier to send nothing for longer than a user should wait without an answer. */
function pausedFor(budget: RequestBudget, ms: number): ServiceError {
	const reason = pauseReasons.get(budget);
	if (reason?.kind === 'rejected') return { ...reason, retryAfterMs: ms };
	return { kind: 'rejected', status: 429, code: 'RATE_LIMITED', words: null, retryAfterMs: ms };
}

function unsent(permit: Permit, error: ServiceError): Answer {
	permit.release();
	return { ok: false, error };
}

/** What the answer says about the budget. */
function settlementOf(answer: Answer) {
	if (answer.ok) return {};
	const { error } = answer;
	if (asksForPause(error)) {
		const retryAfterMs = retryAfterOf(error);
		return { limited: isRateLimited(error), ...(retryAfterMs === null ? {} : { retryAfterMs }) };
	}
	return { unanswered: error.kind === 'unreachable' || error.kind === 'timedOut' };
}
