import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answers';
import type { Delivery } from './faults';

/** Waits for a time in milliseconds, or until the signal fires (not at all if it has fired); never throws. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** The real clock's `Wait`. */
export const waitOnTheClock: Wait = async (milliseconds, signal) => {
	try {
		await sleep(milliseconds, undefined, { signal });
	} catch {
		// The signal fired: the wait is over.
	}
};

/** Writes bytes to the connection itself, past HTTP, and drops it once they are on their way. */
function writeAndDrop(response: ServerResponse, bytes: Buffer): void {
	const { socket } = response;
	if (socket === null) return;
	if (bytes.length === 0) {
		socket.destroy();
		return;
	}
	socket.write(bytes, () => {
		socket.destroy();
	});
}

function headOf(answer: Answer): Buffer {
	const headers = { ...answer.headers, 'content-length': String(Buffer.byteLength(answer.body)) };
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.from(`HTTP/1.1 ${answer.status} Rehearsal\r\n${lines.join('')}\r\n`);
}

/**
 * Sends an answer over a connection that behaves badly. Nothing else may write to the response (it is hijacked).
 * @param letGo - fires when a dripping answer shall flow at once (or its client is gone)
 */
export async function deliverBadly(
	response: ServerResponse,
	answer: Answer,
	delivery: Exclude<Delivery, { kind: 'whole' }>,
	wait: Wait,
	letGo: AbortSignal,
): Promise<void> {
	const head = headOf(answer);
	switch (delivery.kind) {
		case 'drop': {
			const sentBytes = {
				beforeHeaders: 0,
				inHeaders: Math.floor(head.length / 2),
				afterHeaders: head.length,
			};
			writeAndDrop(response, head.subarray(0, sentBytes[delivery.when]));
			return;
		}
		case 'half': {
			const body = Buffer.from(answer.body);
			const half = body.subarray(0, Math.floor(body.length / 2));
			if (delivery.clean) {
				response.writeHead(answer.status, { ...answer.headers, 'content-length': half.length });
				response.end(half);
			} else {
				writeAndDrop(response, Buffer.concat([head, half]));
			}
			return;
		}
		case 'drip': {
			const body = Buffer.from(answer.body);
			response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
			for (let sent = 0; sent < body.length && !response.destroyed; sent += 1) {
				response.write(body.subarray(sent, sent + 1));
				await wait(1000 / delivery.bytesPerSecond, letGo);
			}
			response.end();
			return;
		}
	}
}
