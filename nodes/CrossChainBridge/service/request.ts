import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { HttpResponse } from './envelope';
import { discardBody, receiveBody } from './receivedBody';
import type { ServiceError } from './serviceError';
import { ON_CREDENTIAL, type OnCredential } from './signing';
import { field, isPlainObject } from '../orders/values';

export const CREDENTIAL_NAME = 'crossChainBridgeApi';

/** From sending to the last byte of the response. */
export const REQUEST_TIMEOUT_MS = 30_000;

export type ServiceContext =
	| IExecuteFunctions
	| IPollFunctions
	| ILoadOptionsFunctions
	| IWebhookFunctions;

export type Sent = { ok: true; response: HttpResponse } | { ok: false; error: ServiceError };

interface SendOptions {
	url: string;
	qs: IDataObject;
	/** Called with the credential that n8n has read for this request, before it is signed; nothing is sent if it throws. */
	onCredential: OnCredential;
	abortSignal?: AbortSignal;
}

/** One GET request with the node's credential, through n8n's helper: the only place from which requests are sent. Never throws. */
export async function sendRequest(
	context: ServiceContext,
	{ url, qs, onCredential, abortSignal }: SendOptions,
): Promise<Sent> {
	// The helper's own time-out bounds neither a body nor a response that drips.
	const deadline = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
	const stop = abortSignal === undefined ? deadline : AbortSignal.any([deadline, abortSignal]);
	const request: IHttpRequestOptions & { [ON_CREDENTIAL]: OnCredential } = {
		[ON_CREDENTIAL]: onCredential,
		method: 'GET',
		url,
		qs,
		headers: { accept: 'application/json' },
		// Else n8n's helper takes a body of any size into memory, and rounds whole numbers beyond 2^53.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: REQUEST_TIMEOUT_MS,
		get abortSignal() {
			return stop;
		},
		// In an execution n8n would replace our signal, and no deadline would close the connection.
		set abortSignal(_ofExecution) {},
	};
	try {
		const pending: Promise<unknown> = context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_NAME,
			request,
		);
		// Not everything that n8n does before it sends respects the signal.
		const response = await Promise.race([pending, whenAborted(stop)]).catch((error: unknown) => {
			pending.then(
				(late) => discardBody(field(late, 'body')),
				() => undefined,
			);
			throw error;
		});
		const statusCode = field(response, 'statusCode');
		const headers = field(response, 'headers');
		const received = await receiveBody(field(response, 'body'), stop);
		return {
			ok: true,
			response: {
				statusCode: typeof statusCode === 'number' ? statusCode : 0,
				headers: isPlainObject(headers) ? headers : {},
				...received,
			},
		};
	} catch (error) {
		const networkCode = networkCodeOf(error);
		// ECONNABORTED is axios' own name for its time-out.
		const timedOut =
			deadline.aborted || networkCode === 'ECONNABORTED' || networkCode === 'ETIMEDOUT';
		return {
			ok: false,
			error: timedOut
				? { kind: 'timedOut', afterMs: REQUEST_TIMEOUT_MS }
				: { kind: 'unreachable', networkCode },
		};
	}
}

/** Rejects when the signal fires; the signal's own timer needs no clearing. */
async function whenAborted(signal: AbortSignal): Promise<never> {
	return await new Promise<never>((_resolve, reject) => {
		const fail = () => reject(signal.reason);
		if (signal.aborted) fail();
		else signal.addEventListener('abort', fail, { once: true });
	});
}

/** Node's code of a network error, or the name of n8n's own error; its text may contain what was sent. */
function networkCodeOf(error: unknown): string | null {
	const cause = field(error, 'cause');
	const codes = [field(error, 'httpCode'), field(error, 'code'), field(cause, 'code')];
	const code = codes.find(
		(value): value is string => typeof value === 'string' && /^[A-Z][A-Z0-9_]+$/.test(value),
	);
	if (code !== undefined) return code;
	const name = error instanceof Error ? error.constructor.name : '';
	return /^[A-Z]\w+$/.test(name) && name !== 'NodeApiError' && name !== 'Error' ? name : null;
}
