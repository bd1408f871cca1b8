import type { ServiceError } from './serviceError';

/** What stands in the place of the key. */
const REDACTED = '(API key)';

/** The error without the key that was sent, which the service may have repeated in its words, plain or encoded. */
export function withoutApiKey(error: ServiceError, apiKey: string): ServiceError {
	if (error.kind !== 'rejected' || apiKey === '') return error;
	const { code, words } = error;
	const key = keyPattern(apiKey);
	return { ...error, code: code !== null && code.search(key) >= 0 ? null : code, words: words?.replace(key, REDACTED) ?? null };
}

/**
 * Finds the key as it is and as URLs, JSON, HTML and Base64 write it. Encodings whose digits may be of either case are
 * found in both; the key's own letters are compared exactly. Takes linear time.
 */
export function keyPattern(apiKey: string): RegExp {
	const written = [...apiKey].map(writtenForms).join('');
	return new RegExp([written, ...base64Forms(apiKey)].join('|'), 'g');
}

/** One visible ASCII sign as it is, escaped with backslashes, as %2f, \u002f, &#47;, &#x2f; or by its name in HTML. */
function writtenForms(sign: string): string {
	const code = sign.charCodeAt(0);
	const hex = anyCase(code.toString(16).padStart(2, '0'));
	const forms = [
		String.raw`\\{0,4}${literal(sign)}`,
		`%(?:25){0,2}${hex}`,
		String.raw`\\{1,4}[uU]00${hex}`,
		String.raw`\\{1,4}[xX]${hex}`,
		`&(?:amp;)?#0{0,6}${code};?`,
		`&(?:amp;)?#[xX]0{0,6}${hex};?`,
		...(HTML_NAMES[sign] ?? []).map((name) => `&(?:amp;)?${anyCase(name)};`),
	];
	return `(?:${forms.join('|')})`;
}

const HTML_NAMES: Readonly<Record<string, string[]>> = {
	'&': ['amp'],
	'<': ['lt'],
	'>': ['gt'],
	'"': ['quot'],
	"'": ['apos'],
};

/** Shorter ones could stand in any text. */
const SHORTEST_BASE64 = 6;

/**
 * The part of the key's Base64 that does not depend on what stands before and after it (as in `user:key`), for each of the
 * three positions at which the key may begin.
 */
function base64Forms(apiKey: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(apiKey)]);
		const encoded = bytes.toString('base64').replace(/=+$/, '');
		const own = encoded.slice(Math.ceil((8 * before) / 6), Math.floor((8 * bytes.length) / 6));
		// The signs at the edges contain some bits of the key as well.
		return own.length < SHORTEST_BASE64 ? [] : [`${before === 0 ? '' : EDGE}${[...own].map(base64Sign).join('')}${EDGE}={0,2}`];
	});
}

const EDGE = '[A-Za-z0-9+/_-]?';

/** The two signs that the variant for URLs writes otherwise, and what URLs make of the common ones. */
function base64Sign(sign: string): string {
	if (sign === '+') return '(?:[+-]|%2[bB])';
	if (sign === '/') return String.raw`(?:\\?\/|_|%2[fF])`;
	return sign;
}

function anyCase(text: string): string {
	return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function literal(sign: string): string {
	return sign.replace(/[^\w]/, String.raw`\$&`);
}
