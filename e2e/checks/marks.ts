/**
 * A text that must not appear anywhere, and how it is looked for: as it is and in the forms that programs give to texts.
 * Pure.
 */

/** What makes each key of a run findable; letters, digits and hyphens are the same in URLs, JSON and HTML. */
export const MARK = 'Qz7bridge-mark4Xk';

/** A key with everything in it that some form writes in another way, and that a header can carry. */
export const MARKED_KEY = `${MARK}/+"\\&<%end`;

/** A key that the service refuses, findable as well. */
export const WRONG_MARKED_KEY = `wrong-${MARK}`;

/** A form in which the mark may be written: its name, and the bytes to look for. */
interface Form {
	name: string;
	bytes: Buffer;
}

/**
 * Base64 of a text that stands somewhere inside a longer one: three forms, one for each position in a group of three bytes,
 * without the first and last characters, in which neighbors have a part.
 */
function base64Forms(text: string, encoding: 'base64' | 'base64url'): Form[] {
	return [0, 1, 2].map((shift) => {
		const encoded = Buffer.from(' '.repeat(shift) + text)
			.toString(encoding)
			.replace(/=+$/, '');
		const end = (shift + Buffer.byteLength(text)) % 3 === 0 ? encoded.length : encoded.length - 1;
		const start = Math.ceil((shift * 8) / 6);
		return { name: encoding, bytes: Buffer.from(encoded.slice(start, end)) };
	});
}

/** Each %XX, \\uXXXX or &#N; of every character, as some programs write even letters. */
function spelledOut(text: string): Form[] {
	const characters = [...text].map((character) => character.charCodeAt(0));
	const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
	return [
		{
			name: 'URL escapes',
			bytes: Buffer.from(characters.map((code) => `%${hex(code, 2)}`).join('')),
		},
		{
			name: 'JSON escapes',
			bytes: Buffer.from(characters.map((code) => `\\u${hex(code, 4)}`).join('')),
		},
		{ name: 'HTML escapes', bytes: Buffer.from(characters.map((code) => `&#${code};`).join('')) },
	];
}

/** The forms of a text that are looked for. */
function formsOf(text: string): Form[] {
	const plain = Buffer.from(text);
	return [
		{ name: 'as it is', bytes: plain },
		...base64Forms(text, 'base64'),
		...base64Forms(text, 'base64url'),
		...spelledOut(text),
		{ name: 'hex', bytes: Buffer.from(plain.toString('hex')) },
		{ name: 'hex in capitals', bytes: Buffer.from(plain.toString('hex').toUpperCase()) },
		{ name: 'UTF-16', bytes: Buffer.from(text, 'utf16le') },
	];
}

/** One place where a form of the mark stands. */
export interface Find {
	place: string;
	form: string;
	/** The text around it, on one line. */
	around: string;
}

const AROUND_BYTES = 60;

/** Every form of the mark in the content (the first place of each). */
export function findsIn(place: string, content: string | Buffer, mark: string = MARK): Find[] {
	const bytes = typeof content === 'string' ? Buffer.from(content) : content;
	return formsOf(mark).flatMap((form) => {
		const at = bytes.indexOf(form.bytes);
		if (at < 0) return [];
		const around = bytes
			.subarray(Math.max(0, at - AROUND_BYTES), at + form.bytes.length + AROUND_BYTES)
			.toString('latin1');
		return [{ place, form: form.name, around: around.replace(/[^\x20-\x7e]/g, '.') }];
	});
}
