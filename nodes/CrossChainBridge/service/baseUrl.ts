/** The path under which the whole interface lives. */
export const API_PATH = '/api/sdk/v2';

/** What a pasted address may end in: slashes, the API path, one endpoint. */
const PASTED_END = /(?:\/+|\/api\/sdk\/v2(?:\/(?:config|quote|status))?\/*(?:[?#].*)?)$/i;

/** Hosts to which http is allowed; no link-local address, which anything on the same wire can take. */
const LOCAL_HOST = String.raw`(?:(?!0x)(?=[^.:\/]*[a-z])[a-z0-9_-]+|127(?:\.\d{1,3}){3}|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|\[::1\]|\[f[cd][0-9a-f]{2}:[0-9a-f:]*\]|[a-z0-9_.-]+\.(?:localhost|local|internal))`;

/** Addresses that requests may go to; none with a user name, query or fragment. */
const ALLOWED = new RegExp(
	String.raw`^(?:https:\/\/(?:[^\/\s?#@:\[\]]+|\[[0-9a-f:.]+\])|http:\/\/${LOCAL_HOST})(?::\d{1,5})?(?:\/[^\s?#@]*)?$`,
	'i',
);

type BaseUrl =
	{ ok: true; url: string } | { ok: false; problem: 'noBaseUrl' | 'notHttps' | 'notAnAddress' };

/** The patterns take quadratic time on long runs of slashes. */
const MAX_BASE_URL_LENGTH = 2_048;

/** The service's address from what the user typed, or why no key goes there. */
export function normalizeBaseUrl(typed: unknown): BaseUrl {
	const text = typeof typed === 'string' ? typed : '';
	if (text.length > MAX_BASE_URL_LENGTH) return { ok: false, problem: 'notAnAddress' };
	const url = text.trim().replace(PASTED_END, '');
	if (url === '') return { ok: false, problem: 'noBaseUrl' };
	if (ALLOWED.test(url) && URL.canParse(url)) return { ok: true, url };
	return { ok: false, problem: /^http:\/\//i.test(url) ? 'notHttps' : 'notAnAddress' };
}
