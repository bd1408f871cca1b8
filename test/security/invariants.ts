import { KEY } from './hostileJson';

/** What must be true of everything that is read from an answer. */

/** As text it is JSON that says the same when it is read again, and no copy of it changes what an object is. */
export function expectSoundJson(value: unknown): void {
	const text = JSON.stringify(value);
	const again: unknown = JSON.parse(text);
	if (JSON.stringify(again) !== text)
		throw new Error(`Not the same after a round trip: ${text.slice(0, 200)}`);
	expectNoPrototypeField(value);
}

function expectNoPrototypeField(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	if (Object.hasOwn(value, '__proto__')) throw new Error('A field named __proto__ came through');
	const prototype: unknown = Object.getPrototypeOf(value);
	if (!Array.isArray(value) && prototype !== Object.prototype)
		throw new Error('An object has become something else');
	for (const inner of Object.values(value)) expectNoPrototypeField(inner);
}

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype].map(
	(prototype) => ({ prototype, names: Reflect.ownKeys(prototype).length }),
);

export function expectCleanPrototypes(): void {
	for (const { prototype, names } of PROTOTYPES)
		expect(Reflect.ownKeys(prototype)).toHaveLength(names);
	expect(Reflect.ownKeys({})).toEqual([]);
	expect(Reflect.get({}, 'status')).toBeUndefined();
}

const MAX_WORDS = 1_200;

/** Text for users: bounded, of one line, without signs that hide something, and without the key. */
export function expectPlainWords(text: string, longest = MAX_WORDS): void {
	if (text.length > longest) throw new Error(`A text of ${text.length} characters`);
	if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text))
		throw new Error(`Signs that nobody sees: ${JSON.stringify(text)}`);
	if (text.includes(KEY)) throw new Error(`The key: ${text}`);
}

/** Shown as HTML by n8n: no tag and no entity. */
export function expectNoMarkup(html: string): void {
	if (/[<>&]/.test(html)) throw new Error(`Markup: ${html}`);
}
