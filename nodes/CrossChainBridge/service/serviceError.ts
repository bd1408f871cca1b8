import type { CredentialProblem } from './account';

/** Why no data came back. A value, not an exception: the other orders are not affected. */
export type ServiceError =
	/** The service said no, with a status code of its own or with `success: false`. */
	| {
			kind: 'rejected';
			status: number;
			code: string | null;
			words: string | null;
			retryAfterMs: number | null;
	  }
	/** Something answered that is not the service, or half of a response came. */
	| { kind: 'unreadable'; status: number; found: UnreadableBody }
	/** The service redirected us; redirects are not followed, since the key would go along. */
	| { kind: 'redirected'; status: number }
	/** No response: connection, name resolution, certificate. `networkCode` is Node's own, for example ECONNREFUSED, or the name of an error of n8n's. */
	| { kind: 'unreachable'; networkCode: string | null }
	| { kind: 'timedOut'; afterMs: number }
	/** The credential cannot be used; nothing was sent. */
	| { kind: 'invalidCredential'; problem: CredentialProblem }
	/** The credential was edited and leads to another account; nothing was sent, and the next request goes there. */
	| { kind: 'moved' };

export type UnreadableBody =
	| 'html'
	| 'text'
	| 'brokenJson'
	| 'empty'
	| 'noEnvelope'
	| 'noData'
	| 'tooLarge'
	| 'brokenOff'
	| 'noNetworks';

/** What was asked for: the texts speak of it, and only the configuration judges key and address. */
export type Asked = 'config' | 'quote' | 'status';

/**
 * Whom an error concerns:
 * - 'request': the service answered this one request with no; others may succeed.
 * - 'account': key or address is wrong; the user has to fix it.
 * - 'transient': it passes by itself.
 * - 'rateLimited': the request limit is reached; it passes, and the service may have said when.
 */
export type Scope = 'request' | 'account' | 'transient' | 'rateLimited';

/** The codes of the service's interface. */
const KNOWN_CODES = [
	'INVALID_PARAMETER',
	'INSUFFICIENT_LIQUIDITY',
	'UNAUTHORIZED',
	'NOT_FOUND',
	'RATE_LIMITED',
	'INTERNAL_ERROR',
] as const;
export type KnownCode = (typeof KNOWN_CODES)[number];

/** The code to show: the service's own, or the one its interface gives to that HTTP status. */
export function codeOf(error: ServiceError): string | null {
	if (error.kind !== 'rejected') return null;
	if (error.code !== null) return error.code;
	const byStatus: Record<number, KnownCode> = {
		401: 'UNAUTHORIZED',
		404: 'NOT_FOUND',
		429: 'RATE_LIMITED',
		500: 'INTERNAL_ERROR',
	};
	return byStatus[error.status] ?? null;
}

/** Which of the known codes a rejection amounts to: a known code counts more than the HTTP status, and the status more than an unknown code. */
export function meaningOf(error: ServiceError): KnownCode | null {
	if (error.kind !== 'rejected') return null;
	const { code, status } = error;
	const known = KNOWN_CODES.find((each) => each === code);
	if (known !== undefined) return known;
	if (status === 401 || status === 403) return 'UNAUTHORIZED';
	if (status === 404) return 'NOT_FOUND';
	if (status === 429) return 'RATE_LIMITED';
	return status >= 500 ? 'INTERNAL_ERROR' : null;
}

/**
 * Whom the error concerns. Pure. The configuration takes no parameters that could be wrong, so whatever it is answered
 * with and does not pass by itself needs the user; a quote or a status may simply have been answered with no.
 */
export function scopeOf(error: ServiceError, asked: Asked = 'status'): Scope {
	switch (error.kind) {
		case 'invalidCredential':
		case 'redirected':
			return 'account';
		case 'timedOut':
		case 'unreachable':
		case 'moved':
			return 'transient';
		case 'unreadable':
			return scopeOfUnreadable(error, asked);
		case 'rejected':
			return scopeOfRejected(error, asked);
	}
}

/** Bodies that are no response of the service at all. */
const FOREIGN: readonly UnreadableBody[] = ['html', 'text', 'noEnvelope'];

/** Answers that were cut on the way. */
const HALF: readonly UnreadableBody[] = ['brokenJson', 'brokenOff', 'empty'];

function scopeOfUnreadable(
	{ status, found }: Extract<ServiceError, { kind: 'unreadable' }>,
	asked: Asked,
): Scope {
	// A server with a problem answers with pages of its own; that passes by itself.
	if (status >= 500 || HALF.includes(found)) return 'transient';
	return FOREIGN.includes(found) || asked === 'config' ? 'account' : 'transient';
}

function scopeOfRejected(error: ServiceError, asked: Asked): Scope {
	const meaning = meaningOf(error);
	if (meaning === 'UNAUTHORIZED') return 'account';
	if (meaning === 'RATE_LIMITED') return 'rateLimited';
	if (meaning === 'INTERNAL_ERROR') return 'transient';
	return asked === 'config' ? 'account' : 'request';
}

/** Whether the user has to fix key or address before it can succeed. All else passes by itself, or concerns one request. */
export function needsTheUser(error: ServiceError, asked: Asked = 'status'): boolean {
	return scopeOf(error, asked) === 'account';
}

/** Whether the service said no to this one order (or quote), so that others may succeed. */
export function isOrderError(error: ServiceError): boolean {
	return scopeOf(error) === 'request';
}

/**
 * Whether a status request's response suggests a wrong key or address (401, 403, a redirect, a web page, no envelope). It
 * may still be this order's own: only the configuration decides.
 */
export function isAccountSuspect(error: ServiceError): boolean {
	return error.kind !== 'invalidCredential' && scopeOf(error, 'status') === 'account';
}

/** Whether the service does not know what was asked for. */
export function isNotFound(error: ServiceError): boolean {
	return meaningOf(error) === 'NOT_FOUND';
}

export function isRateLimited(error: ServiceError): boolean {
	return meaningOf(error) === 'RATE_LIMITED';
}

/** For how many milliseconds the service asked us to send nothing: with a 429, or with a 503 that states a time. Null: it did not, or not for how long. */
export function retryAfterOf(error: ServiceError): number | null {
	return error.kind === 'rejected' && asksForPause(error) ? error.retryAfterMs : null;
}

/** Whether the service asked us to pause. A server error does only if it states for how long. */
export function asksForPause(error: ServiceError): boolean {
	if (isRateLimited(error)) return true;
	return (
		error.kind === 'rejected' &&
		error.retryAfterMs !== null &&
		meaningOf(error) === 'INTERNAL_ERROR'
	);
}
