import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	type IWebhookFunctions,
	sleep,
} from 'n8n-workflow';

import { budgetFor, budgetName } from '../watch/budgets';
import type { Clock, RequestBudget, Ticket } from '../watch/requestBudget';
import type { Priority } from '../watch/requestLedger';
import { SharedRequests } from '../watch/sharedRequests';
import { API_PATH, normaliseBaseUrl } from './baseUrl';
import { type Answer, type HttpAnswer, readAnswer } from './envelope';
import { KeptConfig, type Networks } from './keptConfig';
import { networksOf } from './networks';
import { discardBody, receiveBody } from './receivedBody';
import { isRateLimited, type Refusal, withoutKey } from './refusal';
import { field, isPlainObject } from './values';

export const CREDENTIAL_NAME = 'crossChainBridgeApi';

/** From sending to the last byte of the answer. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** The standard limit of the service; for a credential that states none. */
const STANDARD_REQUESTS_PER_MINUTE = 100;

/** How long lists and names are taken from a configuration that was read before. */
const KEEP_CONFIG_MS = 5 * 60_000;

/** More accounts than one n8n works with in five minutes; a configuration of the largest size is about 0.5 MB. */
const MOST_KEPT_CONFIGS = 20;

export type ServiceContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions | IWebhookFunctions;

/**
 * The three endpoints of the service. Each gives the answer's data or a refusal and never throws. A request waits until
 * the budget of its address and key has room for it, and an identical one in flight is joined.
 */
export interface BridgeService {
	/** `data` of the configuration, as it came. `chainID` is sent where given; whether the service filters by it is not shown. */
	config(chainID?: string, leave?: Leave): Promise<Answer>;
	/**
	 * The configuration's networks as they were at most five minutes ago: kept in this process for each address and key,
	 * so that lists, names and decimals cost one request. Failures are not kept.
	 */
	networks(): Promise<NetworksAnswer>;
	/** `data` of a quote for the given query parameters, as it came. */
	quote(parameters: IDataObject): Promise<Answer>;
	/** `data` of the order that began with this source-chain transaction. */
	status(sourceHash: string, leave?: Leave): Promise<Answer>;
	/** The budget that all requests to this address with this key share in this n8n process. */
	budget: RequestBudget;
	/** Names this node among those that wait for the same budget. */
	lane: string;
}

export type NetworksAnswer = { ok: true; networks: Networks } | { ok: false; refusal: Refusal };

/** Leave to send one request now, for callers that do not wait for room in the budget. */
export interface Leave {
	ticket: Ticket;
	signal?: AbortSignal;
}

/** The clock of everything that waits: one that never goes back, since a budget would wait for a clock set back to catch up. */
export const n8nClock: Clock = { now: () => performance.timeOrigin + performance.now(), sleep };

const sharedRequests = new SharedRequests<Answer>();

const keptConfig = new KeptConfig({ now: n8nClock.now, keepMs: KEEP_CONFIG_MS, most: MOST_KEPT_CONFIGS });

/** A person waits out a refusal by the rate limit so often, and so long at a time; beyond that it is told. */
const WAITED_OUT_TIMES = 5;
const WAITED_OUT_MS = 90_000;

/** axios' code for a request that was ended by a signal. */
const ABORTED = 'ERR_CANCELED';

export interface ConnectOptions {
	/** Ends what waits and what is under way. */
	abortSignal?: AbortSignal;
	/** Whether requests go ahead of the looks of watches (the default), or take turns with them, as a large batch should. */
	priority?: Priority;
	/** How long a pause that the rate limit asks for is waited out, in milliseconds; a longer one is told at once. */
	waitOutMs?: number;
}

/** The service behind the node's credential: the only place from which requests go out. */
export async function connectToService(
	context: ServiceContext,
	{ abortSignal, priority = 'person', waitOutMs = WAITED_OUT_MS }: ConnectOptions = {},
): Promise<BridgeService> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME);
	const apiKey = String(credentials.apiKey ?? '').trim();
	const baseUrl = normaliseBaseUrl(credentials.baseUrl);
	const address = baseUrl.ok ? baseUrl.url : '';
	const stated = Number(credentials.requestsPerMinute);
	const requestsPerMinute = Number.isFinite(stated) && stated >= 1 ? stated : STANDARD_REQUESTS_PER_MINUTE;
	const budget = budgetFor({ baseUrl: address, apiKey, requestsPerMinute, clock: n8nClock });
	const account = budgetName(address, apiKey);
	const unusable: Refusal | null = baseUrl.ok ? (apiKey === '' ? NO_KEY : null) : { kind: 'unusable', ...baseUrl };
	const lane = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;

	const sendWith = async (ticket: Ticket, query: Query, signal?: AbortSignal): Promise<Answer> => {
		if (unusable !== null) {
			ticket.giveBack();
			return { ok: false, refusal: unusable };
		}
		const sent = await send(context, `${address}${API_PATH}/${query.endpoint}`, query.qs, signal);
		const envelope = query.endpoint === 'quote' ? 'optional' : 'required';
		const read = sent.ok ? readAnswer(sent.answer, { now: Date.now(), envelope }) : sent;
		const answer: Answer = read.ok ? read : { ok: false, refusal: withoutKey(read.refusal, apiKey) };
		ticket.settle(settlementOf(answer));
		if (isWholeConfig(query)) keepNetworks(account, answer);
		return answer;
	};

	/** Waits for room in the budget, and waits out what the rate limit refuses all the same. */
	const ask = async (query: Query, signal?: AbortSignal): Promise<Answer> => {
		for (let refusedTimes = 0; ; refusedTimes++) {
			const pauseMs = budget.pausedMs();
			if (pauseMs > waitOutMs) return { ok: false, refusal: pausedFor(pauseMs) };
			const answer = await sendWith(await budget.take({ priority, lane, signal }), query, signal);
			if (answer.ok || !isRateLimited(answer.refusal) || refusedTimes >= WAITED_OUT_TIMES) return answer;
			const wait = answer.refusal.kind === 'refused' ? answer.refusal.retryAfterMs : null;
			if (wait !== null && wait > waitOutMs) return answer;
		}
	};

	const join = async (query: Query): Promise<Answer> => {
		const name = JSON.stringify([account, query.endpoint, query.qs]);
		try {
			return await sharedRequests.ask(name, async (signal) => await ask(query, signal), abortSignal);
		} catch {
			// Only our own signal ends a request in this way; that of another who joined it does not.
			return { ok: false, refusal: { kind: 'unreachable', networkCode: ABORTED } };
		}
	};

	const askOrSend = async (query: Query, leave?: Leave): Promise<Answer> =>
		leave === undefined ? await join(query) : await sendWith(leave.ticket, query, leave.signal);

	const networks = async (): Promise<NetworksAnswer> => {
		const known = keptConfig.read(account);
		if (known !== null) return { ok: true, networks: known };
		const answer = await join(WHOLE_CONFIG);
		if (!answer.ok) return answer;
		const fresh = keptConfig.read(account);
		return fresh === null ? { ok: false, refusal: NO_NETWORKS } : { ok: true, networks: fresh };
	};

	return {
		networks,
		config: async (chainID, leave) => await askOrSend({ endpoint: 'config', qs: chainID === undefined ? {} : { chainID } }, leave),
		quote: async (parameters) => await join({ endpoint: 'quote', qs: parameters }),
		status: async (sourceHash, leave) => await askOrSend({ endpoint: 'status', qs: { sourceHash } }, leave),
		budget,
		lane,
	};
}

interface Query {
	endpoint: 'config' | 'quote' | 'status';
	qs: IDataObject;
}

const WHOLE_CONFIG: Query = { endpoint: 'config', qs: {} };

function isWholeConfig({ endpoint, qs }: Query): boolean {
	return endpoint === 'config' && Object.keys(qs).length === 0;
}

/** A copy is kept: the answer itself becomes items, which later steps of a workflow may change. */
function keepNetworks(account: string, answer: Answer): void {
	const networks = answer.ok ? networksOf(answer.data) : null;
	if (networks !== null) keptConfig.keep(account, structuredClone(networks));
}

/** An answer of the configuration that holds no list of networks. */
export const NO_NETWORKS: Refusal = { kind: 'unreadable', status: 200, found: 'noNetworks' };

const NO_KEY: Refusal = {
	kind: 'unusable',
	message: 'The credential has no API key',
	description: 'Open the credential and enter the API key of the bridge service.',
};

/** The service asked us, in an earlier answer, to send nothing for longer than anybody should wait in silence. */
function pausedFor(ms: number): Refusal {
	return { kind: 'refused', status: 429, code: 'RATE_LIMITED', words: null, retryAfterMs: ms };
}

/** What the answer says about the budget. */
function settlementOf(answer: Answer) {
	if (answer.ok) return {};
	const { refusal } = answer;
	if (refusal.kind === 'refused' && isRateLimited(refusal)) {
		return { limited: true, ...(refusal.retryAfterMs === null ? {} : { retryAfterMs: refusal.retryAfterMs }) };
	}
	return { unanswered: refusal.kind === 'unreachable' || refusal.kind === 'timedOut' };
}

type Sent = { ok: true; answer: HttpAnswer } | { ok: false; refusal: Refusal };

async function send(context: ServiceContext, url: string, qs: IDataObject, abortSignal?: AbortSignal): Promise<Sent> {
	// The helper's time-out does not bound an answer that drips, nor a body at all; this signal does.
	const deadline = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
	const stop = abortSignal === undefined ? deadline : AbortSignal.any([deadline, abortSignal]);
	const request: IHttpRequestOptions = {
		method: 'GET',
		url,
		qs,
		headers: { accept: 'application/json' },
		// Read here: n8n's helper would take a body of any size and any duration into memory, and round whole numbers beyond 2^53.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// n8n would carry x-api-key to the host that a redirect names.
		disableFollowRedirect: true,
		timeout: REQUEST_TIMEOUT_MS,
		get abortSignal() {
			return stop;
		},
		// In an execution n8n would put its own signal in place of ours, which holds it already, and no deadline would close the connection.
		set abortSignal(_ofExecution) {},
	};
	try {
		const pending: Promise<unknown> = context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_NAME, request);
		// Raced as well, since not all that n8n does before it sends looks at the signal.
		const response = await Promise.race([pending, whenAborted(stop)]).catch((error: unknown) => {
			pending.then((late) => discardBody(field(late, 'body')), () => undefined);
			throw error;
		});
		const statusCode = field(response, 'statusCode');
		const headers = field(response, 'headers');
		const received = await receiveBody(field(response, 'body'), stop);
		return {
			ok: true,
			answer: {
				statusCode: typeof statusCode === 'number' ? statusCode : 0,
				headers: isPlainObject(headers) ? headers : {},
				...received,
			},
		};
	} catch (error) {
		const networkCode = networkCodeOf(error);
		// ECONNABORTED is axios' own name for its time-out.
		const timedOut = deadline.aborted || networkCode === 'ECONNABORTED' || networkCode === 'ETIMEDOUT';
		return {
			ok: false,
			refusal: timedOut ? { kind: 'timedOut', afterMs: REQUEST_TIMEOUT_MS } : { kind: 'unreachable', networkCode },
		};
	}
}

/** Rejects when the signal fires; the signal's own timer needs no clearing. */
async function whenAborted(signal: AbortSignal): Promise<never> {
	return await new Promise<never>((_resolve, reject) => {
		const onAbort = () => reject(signal.reason);
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
	});
}

/** Only Node's code is taken from a network error, or the name of an error of n8n's own: its text may hold what was sent. */
function networkCodeOf(error: unknown): string | null {
	const cause = field(error, 'cause');
	const codes = [field(error, 'httpCode'), field(error, 'code'), field(cause, 'code')];
	const code = codes.find((value): value is string => typeof value === 'string' && /^[A-Z][A-Z0-9_]+$/.test(value));
	if (code !== undefined) return code;
	const name = error instanceof Error ? error.constructor.name : '';
	return /^[A-Z]\w+$/.test(name) && name !== 'NodeApiError' && name !== 'Error' ? name : null;
}
