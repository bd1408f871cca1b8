/** The six codes of the service's error table, with the HTTP status of each. */
export const HTTP_STATUS_OF_CODE = {
	INVALID_PARAMETER: 400,
	INSUFFICIENT_LIQUIDITY: 400,
	UNAUTHORIZED: 401,
	NOT_FOUND: 404,
	RATE_LIMITED: 429,
	INTERNAL_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof HTTP_STATUS_OF_CODE;

export const ERROR_CODES = Object.keys(HTTP_STATUS_OF_CODE) as ErrorCode[];

/**
 * The forms that an error's body may have. The interface shows no error body, so the sandbox can play several:
 * - envelope: {"success":false,"error":{"code","message"}}, the sandbox's default
 * - nested: {"error":{"code","message"}}
 * - flat: {"code","message"}
 * - word: {"error":"CODE","message"}
 * - message: {"message"}
 * - status200: {"success":false,"error":"message"} with HTTP status 200
 * - text: the message as plain text
 * - html: the message in a web page, as a proxy writes it
 * - empty: no body at all
 */
export const ERROR_SHAPES = [
	'envelope',
	'nested',
	'flat',
	'word',
	'message',
	'status200',
	'text',
	'html',
	'empty',
] as const;

export type ErrorShape = (typeof ERROR_SHAPES)[number];

/** One HTTP answer, whole: the body is the text to send. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** What the service decided, before it is written down as an HTTP answer. */
export type Outcome =
	| { ok: true; data: unknown }
	| { ok: false; code: ErrorCode; message: string; headers?: Record<string, string> };

/** Thrown wherever the service refuses a request; becomes the error answer of its code. */
export class ServiceError extends Error {
	constructor(
		readonly code: ErrorCode,
		message: string,
	) {
		super(message);
		this.name = 'ServiceError';
	}
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/** An answer whose body is the given value as JSON. */
export function jsonAnswer(
	status: number,
	value: unknown,
	headers: Record<string, string> = {},
): Answer {
	return {
		status,
		headers: { 'content-type': JSON_TYPE, ...headers },
		body: JSON.stringify(value),
	};
}

/** An answer of plain text. */
export function textAnswer(
	status: number,
	body: string,
	headers: Record<string, string> = {},
): Answer {
	return { status, headers: { 'content-type': TEXT_TYPE, ...headers }, body };
}

/** An answer that is a web page. */
export function htmlAnswer(
	status: number,
	body: string,
	headers: Record<string, string> = {},
): Answer {
	return { status, headers: { 'content-type': HTML_TYPE, ...headers }, body };
}

/** An error answer in one of the shapes; `status200` has HTTP status 200 whatever `status` says. */
export function errorAnswer(
	shape: ErrorShape,
	status: number,
	code: string,
	message: string,
	headers: Record<string, string> = {},
): Answer {
	switch (shape) {
		case 'envelope':
			return jsonAnswer(status, { success: false, error: { code, message } }, headers);
		case 'nested':
			return jsonAnswer(status, { error: { code, message } }, headers);
		case 'flat':
			return jsonAnswer(status, { code, message }, headers);
		case 'word':
			return jsonAnswer(status, { error: code, message }, headers);
		case 'message':
			return jsonAnswer(status, { message }, headers);
		case 'status200':
			return jsonAnswer(200, { success: false, error: message }, headers);
		case 'text':
			return textAnswer(status, message, headers);
		case 'html':
			return htmlAnswer(
				status,
				`<!doctype html><title>${status}</title><h1>${status}</h1><p>${message}</p>`,
				headers,
			);
		case 'empty':
			return { status, headers, body: '' };
	}
}

/** Writes an outcome down: the success envelope, or the error of its code in the given shape. */
export function answerOf(outcome: Outcome, shape: ErrorShape = 'envelope'): Answer {
	if (outcome.ok) return jsonAnswer(200, { success: true, data: outcome.data });
	return errorAnswer(
		shape,
		HTTP_STATUS_OF_CODE[outcome.code],
		outcome.code,
		outcome.message,
		outcome.headers,
	);
}
