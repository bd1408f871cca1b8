/**
 * Amounts between the two ways to write them: in the token's smallest unit ("500000000000000000") and in units of the
 * token ("0.5" where it has 18 decimals). Digits stay text: a JavaScript number would round. Pure.
 */

/** Why a text is no amount. */
export type AmountProblem =
	| { kind: 'empty' | 'comma' | 'exponent' | 'sign' | 'notANumber' }
	/** It has more decimals than the token; nothing is rounded. */
	| { kind: 'tooManyDecimals'; given: number };

type SmallestUnit = { ok: true; amount: string } | { ok: false; problem: AmountProblem };

/** What a token contract can state as its decimals: one byte. */
const MAX_DECIMALS = 255;

/** A token's decimals from whatever states them: a whole number from 0 to 255, as number or digits; else null. */
export function decimalsOrNull(value: unknown): number | null {
	const decimals =
		typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value;
	const isPossible =
		typeof decimals === 'number' &&
		Number.isInteger(decimals) &&
		decimals >= 0 &&
		decimals <= MAX_DECIMALS;
	return isPossible ? decimals : null;
}

/** The decimals that these values state; null where none does, or two differ. */
export function agreedDecimals(values: readonly unknown[]): number | null {
	const [decimals = null, ...others] = new Set(
		values.map(decimalsOrNull).filter((stated) => stated !== null),
	);
	return others.length > 0 ? null : decimals;
}

/** An amount in units of the token, written with a dot, in the smallest unit: digits without leading zeros. */
export function toSmallestUnit(text: string, decimals: number): SmallestUnit {
	const problem = formProblem(text);
	if (problem !== null) return { ok: false, problem };
	const [whole = '', fraction = ''] = text.trim().split('.');
	const digits = withoutZerosBehind(fraction);
	if (digits.length > decimals)
		return { ok: false, problem: { kind: 'tooManyDecimals', given: digits.length } };
	return { ok: true, amount: withoutZerosBefore(whole + digits.padEnd(decimals, '0')) };
}

/** What is wrong with how an amount is written, at any decimals; null if nothing is. */
export function formProblem(text: string): AmountProblem | null {
	const given = text.trim();
	if (/^(\d+(\.\d*)?|\.\d+)$/.test(given)) return null;
	if (given === '') return { kind: 'empty' };
	if (/^[+\-\u2212]/.test(given)) return { kind: 'sign' };
	if (/^[\d.]+e[+-]?\d+$/i.test(given)) return { kind: 'exponent' };
	return { kind: /^[\d.,]+$/.test(given) && given.includes(',') ? 'comma' : 'notANumber' };
}

/** An amount in the smallest unit in units of the token: "500000000000000000" with 18 decimals is "0.5"; null where either is none. */
export function toReadable(amount: string, decimals: number): string | null {
	if (!/^\d+$/.test(amount) || decimalsOrNull(decimals) === null) return null;
	const digits = amount.padStart(decimals + 1, '0');
	const whole = withoutZerosBefore(digits.slice(0, digits.length - decimals));
	const fraction = withoutZerosBehind(digits.slice(digits.length - decimals));
	return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Making a number of millions of digits takes seconds, so they stay text. */
function withoutZerosBefore(digits: string): string {
	return digits.replace(/^0+(?=\d)/, '') || '0';
}

/** A regular expression for zeros at the beginning or the end takes the square of their number. */
function withoutZerosBehind(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}

/** A decimal number of up to this many digits survives being a JavaScript number. */
const MAX_EXACT_DIGITS = 15;

/** The text of an amount that came as text or, by an expression, as a number; null for a number that may have lost digits. */
export function amountText(given: unknown): string | null {
	if (typeof given === 'bigint') return String(given);
	if (typeof given !== 'number') return typeof given === 'string' ? given.trim() : '';
	if (Number.isSafeInteger(given) || !Number.isFinite(given)) return String(given);
	const text = String(given);
	const digits = text.replace(/^-?[0.]*/, '').replace('.', '');
	return /^-?\d+\.\d+$/.test(text) && digits.length <= MAX_EXACT_DIGITS ? text : null;
}
