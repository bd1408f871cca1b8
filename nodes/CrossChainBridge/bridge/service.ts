import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import { API_PATH, normaliseBaseUrl } from './baseUrl';
import { type Answer, type HttpAnswer, readAnswer } from './envelope';
import type { Refusal } from './refusal';
import { field, isPlainObject } from './values';

export const CREDENTIAL_NAME = 'crossChainBridgeApi';

/** From sending to the last byte of the answer. */
export const REQUEST_TIMEOUT_MS = 30_000;

export type ServiceContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** The three endpoints of the service. Each gives the answer's data or a refusal and never throws. */
export interface BridgeService {
	/** `data` of the configuration, as it came. `chainID` is sent where given; whether the service filters by it is not shown. */
	config(chainID?: string): Promise<Answer>;
	/** `data` of a quote for the given query parameters, as it came. */
	quote(parameters: IDataObject): Promise<Answer>;
	/** `data` of the order that began with this source-chain transaction. */
	status(sourceHash: string): Promise<Answer>;
}

export interface ServiceOptions {
	/** Ends requests under way; for polls, where n8n has no signal of its own. */
	abortSignal?: AbortSignal;
	now?: () => number;
}

/** The service behind the node's credential. The only place from which requests go out. */
export async function connectToService(context: ServiceContext, options: ServiceOptions = {}): Promise<BridgeService> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME);
	const baseUrl = normaliseBaseUrl(credentials.baseUrl);
	const now = options.now ?? Date.now;

	const ask = async (endpoint: string, qs: IDataObject, envelope: 'required' | 'optional' = 'required'): Promise<Answer> => {
		if (!baseUrl.ok) {
			return { ok: false, refusal: { kind: 'unusable', message: baseUrl.message, description: baseUrl.description } };
		}
		if (String(credentials.apiKey ?? '').trim() === '') return { ok: false, refusal: NO_KEY };
		const request: IHttpRequestOptions = {
			method: 'GET',
			url: `${baseUrl.url}${API_PATH}/${endpoint}`,
			qs,
			headers: { accept: 'application/json' },
			// Text, since n8n's own parsing would round whole numbers beyond 2^53.
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// n8n would carry x-api-key to the host that a redirect names.
			disableFollowRedirect: true,
			timeout: REQUEST_TIMEOUT_MS,
		};
		const sent = await send(context, request, options.abortSignal);
		return sent.ok ? readAnswer(sent.answer, { now: now(), envelope }) : sent;
	};

	return {
		config: async (chainID) => await ask('config', chainID === undefined ? {} : { chainID }),
		quote: async (parameters) => await ask('quote', parameters, 'optional'),
		status: async (sourceHash) => await ask('status', { sourceHash }),
	};
}

const NO_KEY: Refusal = {
	kind: 'unusable',
	message: 'The credential has no API key',
	description: 'Open the credential and enter the API key of the bridge service.',
};

type Sent = { ok: true; answer: HttpAnswer } | { ok: false; refusal: Refusal };

async function send(context: ServiceContext, request: IHttpRequestOptions, abortSignal?: AbortSignal): Promise<Sent> {
	// The helper's time-out does not bound an answer that drips; this signal does.
	const deadline = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
	const stop = abortSignal === undefined ? deadline : AbortSignal.any([deadline, abortSignal]);
	try {
		const pending = context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_NAME, {
			...request,
			abortSignal: stop,
		});
		// In an execution n8n puts its own signal in place of ours, so the deadline is raced as well.
		const response: unknown = await Promise.race([pending, whenAborted(stop)]);
		const statusCode = field(response, 'statusCode');
		const headers = field(response, 'headers');
		return {
			ok: true,
			answer: {
				statusCode: typeof statusCode === 'number' ? statusCode : 0,
				headers: isPlainObject(headers) ? headers : {},
				body: field(response, 'body'),
			},
		};
	} catch (error) {
		if (deadline.aborted) return { ok: false, refusal: { kind: 'timedOut', afterMs: REQUEST_TIMEOUT_MS } };
		const networkCode = networkCodeOf(error);
		// axios' own name for its time-out
		if (networkCode === 'ECONNABORTED' || networkCode === 'ETIMEDOUT') {
			return { ok: false, refusal: { kind: 'timedOut', afterMs: REQUEST_TIMEOUT_MS } };
		}
		return { ok: false, refusal: { kind: 'unreachable', networkCode } };
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

/** Only Node's code is taken from a network error: its text may hold what was sent. */
function networkCodeOf(error: unknown): string | null {
	const cause = field(error, 'cause');
	const codes = [field(error, 'httpCode'), field(error, 'code'), field(cause, 'code')];
	return codes.find((code): code is string => typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) ?? null;
}
