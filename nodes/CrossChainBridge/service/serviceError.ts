import type { CredentialProblem } from './account';

/** By its HTTP status or with `success: false`. */
export interface Rejected {
	kind: 'rejected';
	status: number;
	code: string | null;
	words: string | null;
	retryAfterMs: number | null;
}

/** Why no data came back; a value, since other orders are not affected. */
export type ServiceError =
	| Rejected
	| { kind: 'unreadable'; status: number; found: UnreadableBody }
	| { kind: 'redirected'; status: number }
	/** With Node's code, or the name of an error of n8n's. */
	| { kind: 'unreachable'; networkCode: string | null }
	| { kind: 'timedOut'; afterMs: number }
	/** Nothing was sent. */
	| { kind: 'invalidCredential'; problem: CredentialProblem }
	/** The credential was edited and leads to another account: nothing was sent. */
	| { kind: 'moved' };

/** What came instead of data: not of the service at all, cut on the way, or of no use. */
export const UNREADABLE = {
	html: 'foreign',
	text: 'foreign',
	noEnvelope: 'foreign',
	brokenJson: 'half',
	brokenOff: 'half',
	empty: 'half',
	noData: 'useless',
	noNetworks: 'useless',
	tooLarge: 'useless',
} as const;

export type UnreadableBody = keyof typeof UNREADABLE;

export type Asked = 'config' | 'quote' | 'status';

/** Whom an error concerns; 'account': the user has to fix key or address. */
export type Scope = 'request' | 'account' | 'transient' | 'rateLimited';

const KNOWN_CODES = [
	'INVALID_PARAMETER',
	'INSUFFICIENT_LIQUIDITY',
	'UNAUTHORIZED',
	'NOT_FOUND',
	'RATE_LIMITED',
	'INTERNAL_ERROR',
] as const;
type KnownCode = (typeof KNOWN_CODES)[number];

/** The service's own code, or the one its interface gives to the HTTP status. */
export function codeOf(error: ServiceError): string | null {
	if (error.kind !== 'rejected') return null;
	const hasCode = [401, 404, 429, 500].includes(error.status);
	return error.code ?? (hasCode ? meaningOf(error) : null);
}

/** A known code counts more than the HTTP status, and that more than an unknown code. */
export function meaningOf(error: ServiceError): KnownCode | null {
	if (error.kind !== 'rejected') return null;
	const { code, status } = error;
	const known = KNOWN_CODES.find((each) => each === code);
	if (known !== undefined) return known;
	if (status === 400 && code === null) return 'INVALID_PARAMETER';
	if (status === 401 || status === 403) return 'UNAUTHORIZED';
	if (status === 404) return 'NOT_FOUND';
	if (status === 429) return 'RATE_LIMITED';
	return status >= 500 ? 'INTERNAL_ERROR' : null;
}

/** The configuration needs no parameter: what fails there for another reason, and does not pass by itself, needs the user. */
export function scopeOf(error: ServiceError, asked: Asked = 'status'): Scope {
	switch (error.kind) {
		case 'invalidCredential':
		case 'redirected':
			return 'account';
		case 'timedOut':
		case 'unreachable':
		case 'moved':
			return 'transient';
		case 'unreadable': {
			const what = UNREADABLE[error.found];
			if (error.status >= 500 || what === 'half') return 'transient';
			return what === 'foreign' || asked === 'config' ? 'account' : 'transient';
		}
		case 'rejected':
			switch (meaningOf(error)) {
				case 'RATE_LIMITED':
					return 'rateLimited';
				case 'INTERNAL_ERROR':
					return 'transient';
				case 'UNAUTHORIZED':
					return 'account';
				case 'INVALID_PARAMETER':
					return 'request';
				default:
					return asked === 'config' ? 'account' : 'request';
			}
	}
}

/** Whether the user has to fix key or address, as far as this response says. */
export function needsTheUser(error: ServiceError, asked: Asked = 'status'): boolean {
	return scopeOf(error, asked) === 'account';
}

/** Whether others may succeed. */
export function isOrderError(error: ServiceError): boolean {
	return scopeOf(error) === 'request';
}

/** Whether the hash is at fault: the service's word for that, or HTTP 400 without a known word. */
export function isHashRejected(error: ServiceError): boolean {
	const meaning = meaningOf(error);
	const isPlain400 = error.kind === 'rejected' && error.status === 400 && meaning === null;
	return isPlain400 || meaning === 'INVALID_PARAMETER';
}

/** Whether the service says that it does not know what was asked for. */
export function isNotFound(error: ServiceError): boolean {
	return meaningOf(error) === 'NOT_FOUND';
}

/** Whether the service says that requests come too fast. */
export function isRateLimited(error: ServiceError): boolean {
	return meaningOf(error) === 'RATE_LIMITED';
}

/** The pause that the service asked for; null if none, or not for how long. */
export function retryAfterOf(error: ServiceError): number | null {
	return error.kind === 'rejected' && asksForPause(error) ? error.retryAfterMs : null;
}

/** Whether it is a 429, or a server error that states a time. */
export function asksForPause(error: ServiceError): boolean {
	if (error.kind !== 'rejected') return false;
	const isDown = meaningOf(error) === 'INTERNAL_ERROR';
	return isRateLimited(error) || (isDown && error.retryAfterMs !== null);
}
