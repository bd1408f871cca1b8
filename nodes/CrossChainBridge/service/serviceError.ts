import type { CredentialProblem } from './account';

/** Why no data came back. A value, not an exception: the other orders are not affected. */
export type ServiceError =
	/** By its HTTP status or with `success: false`. */
	| {
			kind: 'rejected';
			status: number;
			code: string | null;
			words: string | null;
			retryAfterMs: number | null;
	  }
	/** Something else responded, or half of a response came. */
	| { kind: 'unreadable'; status: number; found: UnreadableBody }
	/** Redirects are not followed, since the key would go along. */
	| { kind: 'redirected'; status: number }
	/** `networkCode` is Node's own, for example ECONNREFUSED, or the name of an error of n8n's. */
	| { kind: 'unreachable'; networkCode: string | null }
	| { kind: 'timedOut'; afterMs: number }
	/** The credential cannot be used; nothing was sent. */
	| { kind: 'invalidCredential'; problem: CredentialProblem }
	/** The credential was edited and leads to another account; nothing was sent. */
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

/** Whom an error concerns: one request, the account (the user has to fix key or address), or nobody, since it passes by itself. */
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
type KnownCode = (typeof KNOWN_CODES)[number];

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

/** Which known code a rejection amounts to: a known code counts more than the HTTP status, and that more than an unknown code. */
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

/** Whom the error concerns; the configuration takes no parameters, so whatever fails there and does not pass needs the user. */
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
			if (error.status >= 500 || HALF.includes(error.found)) return 'transient';
			return FOREIGN.includes(error.found) || asked === 'config' ? 'account' : 'transient';
		case 'rejected':
			switch (meaningOf(error)) {
				case 'UNAUTHORIZED':
					return 'account';
				case 'RATE_LIMITED':
					return 'rateLimited';
				case 'INTERNAL_ERROR':
					return 'transient';
				default:
					return asked === 'config' ? 'account' : 'request';
			}
	}
}

/** Bodies that are no response of the service at all. */
const FOREIGN: readonly UnreadableBody[] = ['html', 'text', 'noEnvelope'];

/** Responses that were cut on the way. */
const HALF: readonly UnreadableBody[] = ['brokenJson', 'brokenOff', 'empty'];

/** Whether the user has to fix key or address. */
export function needsTheUser(error: ServiceError, asked: Asked = 'status'): boolean {
	return scopeOf(error, asked) === 'account';
}

/** Whether the error is this one order's (or quote's), so that others may succeed. */
export function isOrderError(error: ServiceError): boolean {
	return scopeOf(error) === 'request';
}

/** Whether a status request suggests a wrong key or address (401, a redirect, a web page); only the configuration decides. */
export function isAccountSuspect(error: ServiceError): boolean {
	return error.kind !== 'invalidCredential' && scopeOf(error, 'status') === 'account';
}

export function isNotFound(error: ServiceError): boolean {
	return meaningOf(error) === 'NOT_FOUND';
}

export function isRateLimited(error: ServiceError): boolean {
	return meaningOf(error) === 'RATE_LIMITED';
}

/** For how many milliseconds the service asked us to send nothing; null if it did not, or not for how long. */
export function retryAfterOf(error: ServiceError): number | null {
	return error.kind === 'rejected' && asksForPause(error) ? error.retryAfterMs : null;
}

/** Whether the service asked us to pause: with a 429, or with a server error that states for how long. */
export function asksForPause(error: ServiceError): boolean {
	if (isRateLimited(error)) return true;
	return (
		error.kind === 'rejected' &&
		error.retryAfterMs !== null &&
		meaningOf(error) === 'INTERNAL_ERROR'
	);
}
