import fc from 'fast-check';

import { withoutApiKey } from '../../../nodes/CrossChainBridge/bridge/redaction';
import type { ServiceError } from '../../../nodes/CrossChainBridge/bridge/serviceError';

const rejected = (code: string | null, words: string | null): ServiceError => ({ kind: 'rejected', status: 401, code, words, retryAfterMs: null });

function wordsWithout(key: string, words: string): string | null {
	const error = withoutApiKey(rejected(null, words), key);
	return error.kind === 'rejected' ? error.words : null;
}

const html = (key: string): string => key.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;');

/** Every way in which a service may write what it was sent. */
const WRITTEN: Record<string, (key: string) => string> = {
	'as it is': (key) => key,
	'as a part of a URL': encodeURIComponent,
	'as a part of a URL, in small letters': (key) => encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
	'every sign as in a URL': (key) => [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join(''),
	'twice as in a URL': (key) => encodeURIComponent(encodeURIComponent(key)),
	'in JSON': (key) => JSON.stringify(key).slice(1, -1),
	'in JSON inside JSON': (key) => JSON.stringify(JSON.stringify(key)).slice(3, -3),
	'in JSON with escaped slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', String.raw`\/`),
	'in JSON by numbers': (key) => [...key].map((sign) => String.raw`\u${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`).join(''),
	'in HTML': html,
	'in HTML, twice': (key) => html(html(key)),
	'in HTML by numbers': (key) => [...key].map((sign) => `&#${sign.charCodeAt(0)};`).join(''),
	'in HTML by hexadecimal numbers': (key) => [...key].map((sign) => `&#X${sign.charCodeAt(0).toString(16)};`).join(''),
	'in Base64': (key) => Buffer.from(key).toString('base64'),
	'in Base64 for URLs': (key) => Buffer.from(key).toString('base64url'),
	'in Base64 behind a name': (key) => Buffer.from(`user:${key}`).toString('base64'),
	'in Base64 between others': (key) => Buffer.from(`id=1;${key};x`).toString('base64'),
};

/** What is left of the key where nothing was found. */
function holdsKey(text: string, key: string): boolean {
	const decoded = [text, ...[...text.matchAll(/[\w+/=-]{8,}/g)].flatMap(([part]) => [Buffer.from(part, 'base64').toString(), Buffer.from(part, 'base64url').toString()])];
	return decoded.some((each) => each.includes(key));
}

const KEYS = ['sk_live-51H8/x+y=Z"&<\'>', 'abcdefgh12345678', 'K1X-abc', '\\b\\n"quoted"', '%2F%41key', '$&.*+?^${}()|[]'];

test.each(Object.entries(WRITTEN))('the key is found %s', (_name, written) => {
	for (const key of KEYS) {
		const words = wordsWithout(key, `Key ${written(key)} is not valid`);
		expect(words).toMatch(/^Key .*\(API key\).* is not valid$/);
		expect(words).not.toContain(written(key));
	}
});

test('keys of any visible signs, wherever they stand', () => {
	const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength: 8, maxLength: 60 });
	fc.assert(
		fc.property(visible, fc.string(), fc.string(), fc.constantFrom(...Object.values(WRITTEN)), (key, before, after, written) => {
			const words = wordsWithout(key, `${before} ${written(key)} ${after}`) ?? '';
			if (words.includes(written(key)) || holdsKey(words, key)) throw new Error(words);
		}),
		{ numRuns: 500 },
	);
});

test('all other words stay as they are', () => {
	const words = 'Network 999 is not supported: https://bridge.example.com/api?x=%2F &amp; "quoted" \\u0041';
	expect(wordsWithout('sk_live_51H8', words)).toBe(words);
});

test('a code that contains the key is not shown', () => {
	expect(withoutApiKey(rejected('BAD_KEY_X1', 'key K1X is bad: K1X'), 'K1X')).toEqual(rejected('BAD_KEY_X1', 'key (API key) is bad: (API key)'));
	expect(withoutApiKey(rejected('BAD_KEY_X1', null), 'KEY_X1')).toEqual(rejected(null, null));
});

test.each(['%', '&', String.raw`\\`, 'a', '&#0', 'QUFB'])('5 MB of %j are done in time', (sign) => {
	const words = sign.repeat(5_000_000 / sign.length);
	expect(wordsWithout('AAAAAAAAAAAAAAAAb', words)).toBe(words);
});
