import {
	answerOf,
	errorAnswer,
	ERROR_CODES,
	htmlAnswer,
	HTTP_STATUS_OF_CODE,
	jsonAnswer,
	textAnswer,
} from './answers';
import type { Answer, ErrorCode, ErrorShape, Outcome } from './answers';
import { lookupKey } from './hashes';
import { mergedWith, withoutPaths } from './orders';

/** The service's three endpoints. */
export const ENDPOINTS = ['config', 'quote', 'status'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** Which requests a fault meets, and how many of them. */
export interface FaultScope {
	/** Default: all. */
	endpoint?: Endpoint | 'all';
	/** Only status requests for this source hash. */
	sourceHash?: string;
	/** How many of the next requests (default 1), or always: until faults are deleted. */
	times?: number | 'always';
	/** Seconds between the request's arrival and what happens then; deleting the faults ends the delay. */
	delaySeconds?: number;
}

/**
 * What goes wrong. error, drop, html, redirect, text, body, empty, noData and array happen in front of the
 * service, which then never sees the request: no key is checked and nothing is counted. delay, halfBody, drip,
 * fields and errorShape change how the service's own answer arrives.
 */
export type FaultKind =
	| { kind: 'delay'; delaySeconds: number }
	| {
			kind: 'error';
			/** Default: the code's. */
			status?: number;
			/** Default: the status's, otherwise INTERNAL_ERROR. Any text is possible. */
			code?: string;
			message?: string;
			shape?: ErrorShape;
			/** Adds a Retry-After header. */
			retryAfterSeconds?: number;
			/** How Retry-After is written: a number of seconds (default) or an HTTP date. */
			retryAfterForm?: 'seconds' | 'date';
	  }
	| { kind: 'drop'; when?: DropMoment }
	/** Half of the answer's body; then the connection drops, or with `clean` the answer just ends. */
	| { kind: 'halfBody'; clean?: boolean }
	| { kind: 'drip'; bytesPerSecond?: number }
	| { kind: 'html'; status?: number }
	| { kind: 'redirect'; to: string; status?: 301 | 302 | 303 | 307 | 308 }
	/** Lays `answer` over the data of a successful answer and removes the `absent` paths from it. */
	| { kind: 'fields'; answer?: Record<string, unknown>; absent?: string[] }
	/** The service's own errors (401, 404, 429 ...) in another shape. */
	| { kind: 'errorShape'; shape: ErrorShape }
	/** Text of that many bytes with status 200; default a little over 1 MB. */
	| { kind: 'text'; bytes?: number }
	| { kind: 'body'; body: string; status?: number; contentType?: string }
	| { kind: 'empty'; status?: number }
	| { kind: 'noData' }
	| { kind: 'array' };

export const FAULT_KINDS = [
	'delay',
	'error',
	'drop',
	'halfBody',
	'drip',
	'html',
	'redirect',
	'fields',
	'errorShape',
	'text',
	'body',
	'empty',
	'noData',
	'array',
] as const satisfies ReadonlyArray<FaultKind['kind']>;

type DropMoment = 'beforeHeaders' | 'inHeaders' | 'afterHeaders';

export type Fault = FaultScope & FaultKind;

/** A fault that waits for its requests; `left` is how many it will still meet. */
export type WaitingFault = Fault & { id: number; left: number | 'always' };

/** How an answer's bytes travel. */
export type Delivery =
	| { kind: 'whole' }
	| { kind: 'drop'; when: DropMoment }
	| { kind: 'half'; clean: boolean }
	| { kind: 'drip'; bytesPerSecond: number };

/** What a request gets: an answer and how it travels. */
interface PlannedAnswer {
	answer: Answer;
	delivery: Delivery;
}

const WHOLE: Delivery = { kind: 'whole' };
const DEFAULT_TEXT_BYTES = 1_100_000;

/** The code that goes with an HTTP status; the first of the table for 400. */
function codeOfStatus(status: number): ErrorCode {
	return ERROR_CODES.find((code) => HTTP_STATUS_OF_CODE[code] === status) ?? 'INTERNAL_ERROR';
}

function statusOfCode(code: string | undefined): number {
	return (
		ERROR_CODES.filter((known) => known === code).map((known) => HTTP_STATUS_OF_CODE[known])[0] ??
		500
	);
}

function errorOf(fault: Extract<FaultKind, { kind: 'error' }>, nowMs: number): Answer {
	const status = fault.status ?? statusOfCode(fault.code);
	const code = fault.code ?? codeOfStatus(status);
	const headers: Record<string, string> = {};
	if (fault.retryAfterSeconds !== undefined) {
		headers['retry-after'] =
			fault.retryAfterForm === 'date'
				? new Date(nowMs + fault.retryAfterSeconds * 1000).toUTCString()
				: String(fault.retryAfterSeconds);
	}
	return errorAnswer(
		fault.shape ?? 'envelope',
		status,
		code,
		fault.message ?? `Rehearsed ${code}`,
		headers,
	);
}

/** Words of exactly this length in bytes, as an overlong error text has them. */
function longText(bytes: number): string {
	const sentence = 'This is not JSON. ';
	return sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What a request gets under a fault (or none).
 * @param serve - asks the service; not called when the fault answers in its place
 * @param nowMs - Unix milliseconds, for Retry-After dates
 */
export function plannedAnswer(
	fault: FaultKind | undefined,
	serve: () => Outcome,
	nowMs: number,
): PlannedAnswer {
	switch (fault?.kind) {
		case undefined:
		case 'delay':
			return { answer: answerOf(serve()), delivery: WHOLE };
		case 'error':
			return { answer: errorOf(fault, nowMs), delivery: WHOLE };
		case 'drop':
			return {
				answer: jsonAnswer(200, { success: true }),
				delivery: { kind: 'drop', when: fault.when ?? 'beforeHeaders' },
			};
		case 'halfBody':
			return { answer: answerOf(serve()), delivery: { kind: 'half', clean: fault.clean ?? false } };
		case 'drip':
			return {
				answer: answerOf(serve()),
				delivery: { kind: 'drip', bytesPerSecond: fault.bytesPerSecond ?? 1 },
			};
		case 'html':
			return {
				answer: htmlAnswer(
					fault.status ?? 200,
					'<!doctype html><title>Sign in</title><h1>Please sign in</h1>',
				),
				delivery: WHOLE,
			};
		case 'redirect':
			return {
				answer: { status: fault.status ?? 302, headers: { location: fault.to }, body: '' },
				delivery: WHOLE,
			};
		case 'fields': {
			const outcome = serve();
			if (!outcome.ok || !isRecord(outcome.data))
				return { answer: answerOf(outcome), delivery: WHOLE };
			const data = withoutPaths(mergedWith(outcome.data, fault.answer ?? {}), fault.absent ?? []);
			return { answer: answerOf({ ok: true, data }), delivery: WHOLE };
		}
		case 'errorShape':
			return { answer: answerOf(serve(), fault.shape), delivery: WHOLE };
		case 'text':
			return {
				answer: textAnswer(200, longText(fault.bytes ?? DEFAULT_TEXT_BYTES)),
				delivery: WHOLE,
			};
		case 'body': {
			const headers = { 'content-type': fault.contentType ?? 'application/json; charset=utf-8' };
			return {
				answer: { status: fault.status ?? 200, headers, body: fault.body },
				delivery: WHOLE,
			};
		}
		case 'empty':
			return { answer: { status: fault.status ?? 200, headers: {}, body: '' }, delivery: WHOLE };
		case 'noData':
			return { answer: jsonAnswer(200, { success: true }), delivery: WHOLE };
		case 'array':
			return { answer: jsonAnswer(200, [{ success: true, data: {} }]), delivery: WHOLE };
	}
}

/** The faults that wait for requests. A request meets one of them or none: the first that fits. */
export class FaultList {
	#waiting: WaitingFault[] = [];
	#lastId = 0;
	#cleared = new AbortController();

	/** Fires when the faults are deleted: whatever a fault still holds back is let go then. */
	get cleared(): AbortSignal {
		return this.#cleared.signal;
	}

	add(fault: Fault): WaitingFault {
		this.#lastId += 1;
		const waiting: WaitingFault = { ...fault, id: this.#lastId, left: fault.times ?? 1 };
		this.#waiting.push(waiting);
		return waiting;
	}

	all(): readonly WaitingFault[] {
		return this.#waiting;
	}

	/** The fault that a request meets, if any; it then has one request less left. */
	take(endpoint: Endpoint, sourceHash: unknown): Fault | undefined {
		const fault = this.#waiting.find((waiting) => meets(waiting, endpoint, sourceHash));
		if (fault !== undefined && fault.left !== 'always') {
			fault.left -= 1;
			if (fault.left === 0) this.remove(fault.id);
		}
		return fault;
	}

	/** Removes one fault; false if there is none of this id. */
	remove(id: number): boolean {
		const before = this.#waiting.length;
		this.#waiting = this.#waiting.filter((fault) => fault.id !== id);
		return this.#waiting.length < before;
	}

	/** Removes all faults and lets go whatever they hold back. */
	clear(): void {
		this.#waiting = [];
		this.#cleared.abort();
		this.#cleared = new AbortController();
	}
}

function meets(fault: Fault, endpoint: Endpoint, sourceHash: unknown): boolean {
	if (fault.endpoint !== undefined && fault.endpoint !== 'all' && fault.endpoint !== endpoint)
		return false;
	if (fault.sourceHash === undefined) return true;
	return (
		endpoint === 'status' &&
		typeof sourceHash === 'string' &&
		lookupKey(sourceHash) === lookupKey(fault.sourceHash)
	);
}
