import { deepCopy, type IAllExecuteFunctions, type IDataObject } from 'n8n-workflow';

import { unlessAborted } from '../budget/clock';
import type { Permit, Priority } from '../budget/requestBudget';
import { networksOf } from '../orders/networks';
import { accountOf } from './account';
import { API_PATH } from './baseUrl';
import { budgetOf, concernsAll, longPause, settlementOf } from './accountBudgets';
import { ConfigCache, KEEP_MS, type Networks } from './configCache';
import {
	BOUNDS,
	clockAhead,
	type Failed,
	failed,
	readResponse,
	type ServiceResponse,
} from './envelope';
import { type Asked, asksForPause, retryAfterOf, type ServiceError } from './errors';
import { searchFor } from './keySearch';
import { CREDENTIAL_NAME, sendRequest } from './request';
import { n8nClock } from './n8nClock';
import { placeholderFor } from './apiKey';

export type NetworksResponse = { ok: true; networks: Networks } | Failed;

interface Permission {
	permit: Permit;
	signal?: AbortSignal;
}

interface ConnectOptions {
	abortSignal?: AbortSignal;
	priority?: Priority;
	/** For how long pauses are waited out in all, in milliseconds. */
	waitOutMs?: number;
}

const WAIT_OUT_MS = 90_000;

/** For how long n8n may take to give a credential, in milliseconds. */
const CREDENTIAL_WAIT_MS = 20_000;

interface Query {
	asked: Asked;
	qs: IDataObject;
	signal?: AbortSignal;
}

const WHOLE_CONFIG: Query = { asked: 'config', qs: {} };

export const NO_NETWORKS: ServiceError = { kind: 'unreadable', status: 200, found: 'noNetworks' };

/** The caller has stopped, with axios' code for that. */
const STOPPED = failed({ kind: 'unreachable', networkCode: 'ERR_CANCELED' });

const configCache = new ConfigCache(n8nClock.now);

/** Throws n8n's error if the credential cannot be read; if that takes too long, the service has a problem. */
export async function connectToService(
	context: IAllExecuteFunctions,
	{ abortSignal, priority = 'interactive', waitOutMs = WAIT_OUT_MS }: ConnectOptions = {},
) {
	const credentials = await unlessAborted(
		context.getCredentials(CREDENTIAL_NAME),
		AbortSignal.timeout(CREDENTIAL_WAIT_MS),
		null,
	);
	const account = accountOf(credentials);
	const { address, name, requestsPerMinute: limit } = account;
	const problem: ServiceError | null =
		credentials === null
			? { kind: 'credentialNotRead' }
			: account.problem && { kind: 'invalidCredential', problem: account.problem };
	const budget = budgetOf(name);
	const queueKey = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
	const containsKey = searchFor(account.apiKey);

	const sendNow = async (permit: Permit, { asked, qs, signal }: Query) => {
		const notSent = (failure: Failed): Failed => {
			permit.release();
			return failure;
		};
		if (problem !== null) return notSent(failed(problem));
		if (signal?.aborted === true) return notSent(STOPPED);
		const url = `${address}${API_PATH}/${asked}`;
		const { bytes: maxBytes } = BOUNDS[asked];
		const request = { url, qs, headers: placeholderFor(account), maxBytes, abortSignal: signal };
		const sent = await sendRequest(context, request);
		if (!sent.ok && sent.error.kind === 'credentialEdited') return notSent(sent);
		const response = sent.ok
			? {
					...readResponse(sent.response, { asked, now: Date.now(), containsKey }),
					...clockAhead(sent.response, Date.now()),
				}
			: sent;
		permit.settle(settlementOf(budget, response, asked));
		return response;
	};

	/** Sends as soon as the budget has room. */
	const sendInTurn = async (query: Query, turn: Priority) => {
		const { signal } = query;
		const acquired = budget.acquire({ priority: turn, limit, queueKey, signal });
		const permit = await unlessAborted(acquired, signal, null);
		return permit === null ? STOPPED : await sendNow(permit, query);
	};

	/** The problem, or the response of the last attempt: it tries again after each pause that the service asks for, as long as they are short enough together. */
	const patiently = async (
		asked: Asked,
		attempt: () => Promise<ServiceResponse>,
	): Promise<ServiceResponse> => {
		if (problem !== null) return failed(problem);
		const until = n8nClock.now() + waitOutMs;
		for (;;) {
			if (abortSignal?.aborted === true) return STOPPED;
			const pause = longPause(budget, waitOutMs);
			if (pause !== null) return failed(pause);
			const response = await attempt();
			if (response.ok || !asksForPause(response.error)) return response;
			const waitMs = retryAfterOf(response.error) ?? 0;
			if (n8nClock.now() + waitMs > until) return response;
			// The budget itself waits out what concerns all.
			if (!concernsAll(response.error, asked))
				await unlessAborted(n8nClock.sleep(waitMs), abortSignal, null);
		}
	};

	const ask = async (asked: Asked, qs: IDataObject) => {
		const query = { asked, qs, signal: abortSignal };
		return await patiently(asked, async () => await sendInTurn(query, priority));
	};

	/** One request for all who ask at the same time: neither a batch nor a stop of one of them delays the others. */
	const configuration = async (maxAgeMs: number): Promise<ServiceResponse> =>
		await patiently('config', async () => {
			const shared = async () => await sendInTurn(WHOLE_CONFIG, 'interactive');
			const response = configCache.find(name, maxAgeMs) ?? configCache.keep(name, shared());
			return await unlessAborted(response, abortSignal, STOPPED);
		});

	return {
		/** Why nothing can be sent, whatever is asked for; null if it can. */
		problem,
		budget,
		requestsPerMinute: limit,
		/** Why nothing is sent for longer than so many milliseconds; null if something may be. */
		longPause: (ms: number) => longPause(budget, ms),
		/** With `chainID` it may contain other networks all the same. */
		async config(chainID?: string): Promise<ServiceResponse> {
			const response = chainID === undefined ? configuration(0) : ask('config', { chainID });
			// A copy, because a workflow may change its items.
			return deepCopy(await response);
		},
		/** The whole configuration, to be read only: one that is being read already, or a new one; null if the budget has no room for it now. */
		async configNow(): Promise<ServiceResponse | null> {
			const known = configCache.find(name, 0);
			if (known !== null) return await known;
			const permit = budget.tryAcquire(limit);
			return permit && (await configCache.keep(name, sendNow(permit, WHOLE_CONFIG)));
		},
		/** As they were up to five minutes ago, to be read only. */
		async networks(): Promise<NetworksResponse> {
			const response = await configuration(KEEP_MS);
			if (!response.ok) return response;
			const networks = networksOf(response.data);
			return networks === null ? failed(NO_NETWORKS) : { ok: true, networks };
		},
		quote: async (qs: IDataObject) => await ask('quote', qs),
		/** With a permit it is sent now, and once. */
		async status(sourceHash: string, permission?: Permission): Promise<ServiceResponse> {
			const qs = { sourceHash };
			if (permission === undefined) return await ask('status', qs);
			const { permit, signal = abortSignal } = permission;
			return await sendNow(permit, { asked: 'status', qs, signal });
		},
	};
}

/** The service, as the credential leads to it. Requests wait for the budget, except those with a permit; nothing is thrown but a fault of our own. */
export type BridgeService = Awaited<ReturnType<typeof connectToService>>;
