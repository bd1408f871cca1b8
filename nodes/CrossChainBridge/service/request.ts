import type { IAllExecuteFunctions, IDataObject } from 'n8n-workflow';

import { onAbort, unlessAborted } from '../budget/clock';
import { withOwnSignal } from '../n8n/internals';
import { field, isPlainObject } from '../orders/values';
import { type Failed, failed, type HttpResponse } from './envelope';
import { CREDENTIAL_EDITED } from './apiKey';

export const CREDENTIAL_NAME = 'crossChainBridgeApi';

/** To the last byte of the response. */
const REQUEST_TIMEOUT_MS = 30_000;

interface SendOptions {
	url: string;
	qs: IDataObject;
	headers: IDataObject;
	/** Of the response, unpacked. */
	maxBytes: number;
	abortSignal?: AbortSignal;
}

/**
 * Sends a request by n8n's helper with the node's credential; never throws. The key is not here: the helper adds it by the credential's
 * `authenticate` (credentials/CrossChainBridgeApi.credentials.ts), which adds it only to what goes to its own Base URL (`addKey` in service/apiKey.ts).
 */
export async function sendRequest(
	context: IAllExecuteFunctions,
	{ url, qs, headers, maxBytes, abortSignal }: SendOptions,
): Promise<{ ok: true; response: HttpResponse } | Failed> {
	// The helper's time-out does not bound a response that comes in drips.
	const deadline = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
	const stop = abortSignal === undefined ? deadline : AbortSignal.any([deadline, abortSignal]);
	const request = {
		method: 'GET' as const,
		url,
		qs,
		headers: { accept: 'application/json', ...headers },
		// Otherwise n8n's helper takes a body of any size, and rounds numbers beyond 2^53.
		encoding: 'stream' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: REQUEST_TIMEOUT_MS,
	};
	const receive = async (): Promise<HttpResponse> => {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_NAME,
			withOwnSignal(request, stop),
		);
		const statusCode = field(response, 'statusCode');
		const received = field(response, 'headers');
		return {
			statusCode: typeof statusCode === 'number' ? statusCode : 0,
			headers: isPlainObject(received) ? received : {},
			...(await receiveBody(field(response, 'body'), stop, maxBytes)),
		};
	};
	let networkCode: string | null = null;
	try {
		// Not all that n8n does before it sends respects the signal.
		const response = await unlessAborted(receive(), stop, null);
		if (response !== null) return { ok: true, response };
	} catch (error) {
		networkCode = networkCodeOf(error);
	}
	if (networkCode === CREDENTIAL_EDITED) return failed({ kind: 'credentialEdited' });
	// ECONNABORTED is axios' own name for its time-out.
	return deadline.aborted || networkCode === 'ECONNABORTED' || networkCode === 'ETIMEDOUT'
		? failed({ kind: 'timedOut', afterMs: REQUEST_TIMEOUT_MS })
		: failed({ kind: 'unreachable', networkCode });
}

/** A code or name only, because an error's text may contain what was sent. */
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

/** What a stream contains, up to a size; the connection is closed, also that of a late response. */
async function receiveBody(
	body: unknown,
	stop: AbortSignal,
	maxBytes: number,
): Promise<Pick<HttpResponse, 'body' | 'cut'>> {
	if (!isStream(body)) return { body };
	const close = () => void body.destroy();
	const stopListening = onAbort(stop, close);
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > maxBytes) return { body: null, cut: 'tooLarge' };
			chunks.push(chunk);
		}
	} catch {
		return { body: null, cut: 'brokenOff' };
	} finally {
		stopListening();
		close();
	}
	return { body: Buffer.concat(chunks).toString() };
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> & { destroy(): void } {
	return (
		typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body
	);
}
