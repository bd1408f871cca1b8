const hex = (key: string): string => Buffer.from(key).toString('hex');
const html = (text: string): string =>
	text
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;')
		.replace(/'/g, '&#39;');
const bySigns = (key: string, written: (code: number) => string): string =>
	[...key].map((sign) => written(sign.charCodeAt(0))).join('');
const digits = (code: number, length: number): string => code.toString(16).padStart(length, '0');
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const between = (text: string, sign: string): string => [...text].join(sign);

/** Ways in which a service may write the key that it was sent, by what they are called. */
export const WRITTEN: Readonly<Record<string, (key: string) => string>> = {
	'as it is': (key) => key,
	'in capitals': (key) => key.toUpperCase(),
	'in small letters': (key) => key.toLowerCase(),
	'inside a word': (key) => `abc${key}def`,
	'with spaces inside': (key) => between(key, ' '),
	'with line breaks inside': (key) => between(key, '\n'),
	'with no-break spaces inside': (key) => between(key, '\u00a0'),
	'with zero-width spaces inside': (key) => between(key, '\u200b'),
	'with soft hyphens inside': (key) => between(key, '\u00ad'),
	'with variation selectors inside': (key) => between(key, '\ufe0f'),
	'with direction marks inside': (key) => between(key, '\u202e'),
	'with invisible letters inside': (key) => between(key, '\u3164'),
	'with invisible tags inside': (key) => between(key, '\u{e0020}'),
	'with null characters inside': (key) => between(key, '\u0000'),
	'in hexadecimal': hex,
	'in hexadecimal capitals': (key) => hex(key).toUpperCase(),
	'in hexadecimal behind 0x': (key) => `0x${hex(key)}`,
	'in hexadecimal with colons': (key) => (hex(key).match(/../g) ?? []).join(':'),
	'in hexadecimal with spaces': (key) => (hex(key).match(/../g) ?? []).join(' '),
	'in hexadecimal, each byte behind 0x': (key) =>
		(hex(key).match(/../g) ?? []).map((byte) => `0x${byte}`).join(', '),
	'in Base64': (key) => Buffer.from(key).toString('base64'),
	'in Base64 for URLs': (key) => Buffer.from(key).toString('base64url'),
	'in Base64 behind one sign': (key) => Buffer.from(`:${key}`).toString('base64'),
	'in Base64 behind two signs': (key) => Buffer.from(`a:${key}`).toString('base64'),
	'in Base64 behind a name': (key) => Buffer.from(`user:${key}`).toString('base64'),
	'in Base64 for URLs between others': (key) => Buffer.from(`id=1;${key};x`).toString('base64url'),
	'in Base64 with line breaks': (key) => between(Buffer.from(key).toString('base64'), '\r\n'),
	'in Base64 as a part of a URL': (key) => encodeURIComponent(Buffer.from(key).toString('base64')),
	'as a part of a URL': encodeURIComponent,
	'every sign as in a URL': (key) => bySigns(key, (code) => `%${digits(code, 2)}`),
	'every sign as in a URL, in capitals': (key) =>
		bySigns(key, (code) => `%${digits(code, 2).toUpperCase()}`),
	'twice as in a URL': (key) => encodeURIComponent(encodeURIComponent(key)),
	'every sign twice as in a URL': (key) => bySigns(key, (code) => `%25${digits(code, 2)}`),
	'as in a URL, with a zero-width space': (key) =>
		between(
			bySigns(key, (code) => `%${digits(code, 2)}`),
			'%E2%80%8B',
		),
	'in JSON inside JSON': (key) => inJson(inJson(key)),
	'in JSON by numbers': (key) => bySigns(key, (code) => String.raw`\u${digits(code, 4)}`),
	'in JSON by numbers, twice': (key) => bySigns(key, (code) => String.raw`\\u${digits(code, 4)}`),
	'in JSON with a line break inside': (key) => inJson(between(key, '\n')),
	'in JavaScript by numbers': (key) => bySigns(key, (code) => String.raw`\x${digits(code, 2)}`),
	'in JavaScript by numbers in braces': (key) =>
		bySigns(key, (code) => String.raw`\u{${digits(code, 6)}}`),
	'behind backslashes': (key) =>
		bySigns(
			key,
			(code) => (/[\W_]/.test(String.fromCharCode(code)) ? '\\' : '') + String.fromCharCode(code),
		),
	'in HTML': html,
	'in HTML, twice': (key) => html(html(key)),
	'in HTML by numbers': (key) => bySigns(key, (code) => `&#${code};`),
	'in HTML by long numbers': (key) => bySigns(key, (code) => `&#${String(code).padStart(7, '0')};`),
	'in HTML by hexadecimal numbers': (key) => bySigns(key, (code) => `&#X${digits(code, 2)};`),
	'in HTML by names': (key) =>
		key.replace(/_/g, '&lowbar;').replace(/-/g, '&#45;').replace(/\./g, '&period;'),
};
