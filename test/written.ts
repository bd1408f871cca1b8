const hex = (key: string): string => Buffer.from(key).toString('hex');
const bySigns = (key: string, written: (code: number) => string): string =>
	[...key].map((sign) => written(sign.charCodeAt(0))).join('');
const digits = (code: number, length: number): string => code.toString(16).padStart(length, '0');
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const between = (text: string, sign: string): string => [...text].join(sign);
/** Letters and digits that NFKC takes for the plain ones. */
const moved = (key: string, from: RegExp, to: number): string =>
	key.replace(from, (sign) => String.fromCodePoint(sign.charCodeAt(0) + to));

/** Ways in which a service may write the key that it was sent, by what they are called: those that SECURITY.md names. */
export const WRITTEN: Readonly<Record<string, (key: string) => string>> = {
	'as it is': (key) => key,
	'in capitals': (key) => key.toUpperCase(),
	'in small letters': (key) => key.toLowerCase(),
	'inside a word': (key) => `abc${key}def`,
	'in full width': (key) => moved(key, /[!-~]/g, 0xfee0),
	'in mathematical letters': (key) => moved(key, /[a-z]/g, 0x1d41a - 'a'.charCodeAt(0)),
	'with zero-width spaces inside': (key) => between(key, '\u200b'),
	'with soft hyphens inside': (key) => between(key, '\u00ad'),
	'with variation selectors inside': (key) => between(key, '\ufe0f'),
	'with direction marks inside': (key) => between(key, '\u202e'),
	'with invisible letters inside': (key) => between(key, '\u3164'),
	'in hexadecimal': hex,
	'in hexadecimal capitals': (key) => hex(key).toUpperCase(),
	'in hexadecimal after 0x': (key) => `0x${hex(key)}`,
	'in Base64': (key) => Buffer.from(key).toString('base64'),
	'in Base64 for URLs': (key) => Buffer.from(key).toString('base64url'),
	'in Base64 after one sign': (key) => Buffer.from(`:${key}`).toString('base64'),
	'in Base64 after two signs': (key) => Buffer.from(`a:${key}`).toString('base64'),
	'in Base64 after a name': (key) => Buffer.from(`user:${key}`).toString('base64'),
	'in Base64 for URLs between others': (key) => Buffer.from(`id=1;${key};x`).toString('base64url'),
	'as a part of a URL': encodeURIComponent,
	'every sign as in a URL': (key) => bySigns(key, (code) => `%${digits(code, 2)}`),
	'every sign as in a URL, in capitals': (key) =>
		bySigns(key, (code) => `%${digits(code, 2).toUpperCase()}`),
	'in JSON inside JSON': (key) => inJson(inJson(key)),
	'in JSON by numbers': (key) => bySigns(key, (code) => String.raw`\u${digits(code, 4)}`),
	'in JSON by numbers, twice': (key) => bySigns(key, (code) => String.raw`\\u${digits(code, 4)}`),
	'after backslashes': (key) =>
		bySigns(
			key,
			(code) => (/[\W_]/.test(String.fromCharCode(code)) ? '\\' : '') + String.fromCharCode(code),
		),
};
