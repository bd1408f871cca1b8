import { type HttpResponse, MAX_RESPONSE_BYTES } from './envelope';

interface Stream extends AsyncIterable<unknown> {
	destroy(): void;
}

/** Reads a stream up to MAX_RESPONSE_BYTES and closes the connection; rejects with the signal's reason. */
export async function receiveBody(
	body: unknown,
	stop: AbortSignal,
): Promise<Pick<HttpResponse, 'body' | 'cut'>> {
	if (!isStream(body)) return { body, cut: null };
	const close = () => body.destroy();
	stop.addEventListener('abort', close, { once: true });
	if (stop.aborted) close();
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	try {
		for await (const chunk of body) {
			const piece = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
			bytes += piece.length;
			if (bytes > MAX_RESPONSE_BYTES) return { body: null, cut: 'tooLarge' };
			chunks.push(piece);
		}
	} catch {
		stop.throwIfAborted();
		return { body: null, cut: 'brokenOff' };
	} finally {
		stop.removeEventListener('abort', close);
		close();
	}
	stop.throwIfAborted();
	return { body: Buffer.concat(chunks).toString(), cut: null };
}

/** Closes the connection of a body that nobody reads. */
export function discardBody(body: unknown): void {
	if (isStream(body)) body.destroy();
}

function isStream(body: unknown): body is Stream {
	return (
		typeof body === 'object' &&
		body !== null &&
		Symbol.asyncIterator in body &&
		'destroy' in body &&
		typeof body.destroy === 'function'
	);
}
