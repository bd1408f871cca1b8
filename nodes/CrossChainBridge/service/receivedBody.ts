import { type CutBody, MAX_RESPONSE_BYTES } from './envelope';

/** What was received of a body, all of it or up to the limit: text, or why it is cut. */
export interface ReceivedBody {
	body: unknown;
	cut: CutBody | null;
}

/** What is used of the stream that n8n's helper gives. */
interface Stream extends AsyncIterable<unknown> {
	destroy(): void;
}

/**
 * Reads a body as it comes, unpacked, and no more of it than MAX_RESPONSE_BYTES: whatever is sent, this much memory is used.
 * Rejects with the signal's reason when it fires. The connection is closed in each case. A body that is no stream (of a
 * helper that has read it) is given back as it is.
 */
export async function receiveBody(body: unknown, stop: AbortSignal): Promise<ReceivedBody> {
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

/** Closes the connection of a response that is no longer needed. */
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
