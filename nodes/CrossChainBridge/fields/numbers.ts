import { readMinimum } from '../orders/expectation';
import { singleSpaced, visibleText } from '../orders/values';

/** A number in plain digits with a dot before its decimals; otherwise what to do about a text that can mean two numbers. */
type NumberRead = { ok: true; text: string } | { ok: false; ambiguity: string | null };

const PLAIN = /^(\d*)(?:\.(\d*)|,(\d+))?$/;

/** A single comma before three digits stands for decimals in one country and for thousands in another. */
const AMBIGUOUS = /^([1-9]\d{0,2}),(\d{3})$/;

/** "1 246.87", "1’246,87", "1.246.870", "1,246.87", and in India "12,34,567.8". */
const GROUPED = [
	/^([1-9]\d{0,2}(?:[^\S\r\n]\d{3})+)(?:[.,](\d+))?$/,
	/^([1-9]\d{0,2}(?:['’]\d{3})+)(?:[.,](\d+))?$/,
	/^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d+))?$/,
	/^([1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3})(?:\.(\d+))?$/,
];

/** A number from zero in any form that people or programs write and that can mean one number only. */
export function readNumber(given: string): NumberRead {
	const text = visibleText(given);
	const [, whole, thousand] = AMBIGUOUS.exec(text) ?? [];
	if (whole !== undefined)
		return {
			ok: false,
			ambiguity: `It could mean ${whole}.${thousand} or ${whole}${thousand}. Enter it with a dot before the decimals and nothing between the thousands.`,
		};
	const forms = [PLAIN, ...GROUPED];
	const match = forms.map((form) => form.exec(text)).find((found) => found !== null);
	const digits = match?.[1]?.replace(/\D/g, '') ?? '';
	const decimals = match?.[2] ?? match?.[3] ?? '';
	if (digits + decimals === '') return { ok: false, ambiguity: null };
	return { ok: true, text: (digits || '0') + (decimals === '' ? '' : `.${decimals}`) };
}

/** What people enter as the least that should arrive, in the form that `readMinimum` reads; otherwise what to enter instead. */
export function enteredMinimum(
	given: string,
): { ok: true; minimum: string } | { ok: false; remedy: string } {
	// A sign that ends a sentence is no part of the unit.
	const text = singleSpaced(given).replace(/[.,;]$/, '');
	const [, amount = text, unit = ''] =
		/^(.*?) (smallest units?(?: of .*)?|of token .*)$/i.exec(text) ??
		/^(.*) (?=\S*[\p{L}₮])(\S+)$/u.exec(text) ??
		// "5e17" and "0x5" are numbers.
		/^([\d.,'’]+)(?!e[+-]?\d|x[\da-f]*$)(\p{L}\S*)$/iu.exec(text) ??
		[];
	const read = readNumber(amount);
	const minimum = read.ok ? `${read.text} ${unit}`.trim() : '';
	if (readMinimum(minimum) !== null) return { ok: true, minimum };
	const remedy =
		'Enter an amount above zero with its token, for example 0.4967 ETH, or with its unit, for example 496700 smallest units.';
	return { ok: false, remedy: (read.ok ? null : read.ambiguity) ?? remedy };
}
