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
function containsKey(text: string, key: string): boolean {
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
			if (words.includes(written(key)) || containsKey(words, key)) throw new Error(words);
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

test.each<[string, string]>([
	['K1X', String.raw`\\\\K1X`],
	['K1X', '%254b%2531%2558'],
	['K1X', '%4B%31%58'],
	['K1X', '%25254b1X'],
	['K1X', String.raw`\u004b\u0031\u0058`],
	['K1X', String.raw`\\U004B1X`],
	['K1X', String.raw`\x4b\X31X`],
	['K1X', '&#75;&#049&#0000088;'],
	['K1X', '&amp;#75;1&amp;#x58;'],
	['K1X', '&#x4b&#X00031X'],
	['"<&>\'', '&QUOT;&Lt;&amp;amp;&gt;&apos;'],
	['abcde', 'YWJjZGU='],
	['abcde', 'YWJjZGU'],
	['~~~~~~', 'fn5+fn5+'],
	['~~~~~~', 'fn5-fn5-'],
	['~~~~~~', 'fn5%2Bfn5%2b'],
	['??????', 'Pz8/Pz8/'],
	['??????', 'Pz8_Pz8_'],
	['??????', 'Pz8%2FPz8%2f'],
	['??????', String.raw`Pz8\/Pz8\/`],
])('the key %s is found as %s', (key, written) => {
	expect(wordsWithout(key, `Key ${written}, not valid`)).toBe('Key (API key), not valid');
});

test.each<[string, string]>([
	['K1X', 'k1x K1 1X K2X K-1X'],
	['abcd', 'YWJjZA=='],
	['K1X', '%4b%30%58 &#75;&#50;&#88;'],
])('the key %s is not seen in %s', (key, words) => {
	expect(wordsWithout(key, words)).toBe(words);
});

test('what contains no words, or was sent without a key, stays as it is', () => {
	const unreachable: ServiceError = { kind: 'unreachable', networkCode: 'K1X' };
	expect(withoutApiKey(unreachable, 'K1X')).toBe(unreachable);
	const words = rejected('BAD_KEY', 'words');
	expect(withoutApiKey(words, '')).toBe(words);
	expect(withoutApiKey(rejected('BAD_KEY', null), 'K1X')).toEqual(rejected('BAD_KEY', null));
	expect(withoutApiKey(rejected(null, 'K1X'), 'K1X')).toEqual(rejected(null, '(API key)'));
	expect(withoutApiKey(rejected('K1X_IS_BAD', 'x'), 'K1X')).toEqual(rejected(null, 'x'));
});
