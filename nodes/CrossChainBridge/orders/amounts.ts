import { digitsOrNull, trimmedText } from './values';

/** A token contract states its decimals in one byte. */
const MAX_DECIMALS = 255;

/** Decimals given as a number or as digits; null for anything but a whole number from 0 to 255. */
export function decimalsOrNull(value: unknown): number | null {
	const decimals = Number(digitsOrNull(value) ?? Number.NaN);
	return decimals <= MAX_DECIMALS ? decimals : null;
}

/** The decimals that these values state; null if none does, or two differ. */
export function agreedDecimals(values: readonly unknown[]): number | null {
	const [decimals = null, ...others] = new Set(
		values.map(decimalsOrNull).filter((stated) => stated !== null),
	);
	return others.length > 0 ? null : decimals;
}

/** Whether an amount is stated with decimals, and so not in the smallest unit, even if it cannot be read, such as "1,748.125 USDC". A large number that JavaScript writes as 4.5e+21 is a whole one. */
export function hasFraction(amount: unknown): boolean {
	return /\.\d+(?![\de])/.test(trimmedText(amount));
}

/** "0.5" of a token with 18 decimals is "500000000000000000"; null if digits would be lost. */
export function toSmallestUnit(text: string, decimals: number): string | null {
	const [whole = '', fraction = ''] = text.split('.');
	const digits = withoutTrailingZeros(fraction);
	if (digits.length > decimals) return null;
	return withoutZerosBefore(whole + digits.padEnd(decimals, '0'));
}

/** "500000000000000000" of a token with 18 decimals is "0.5". */
export function toReadable(amount: string, decimals: number): string {
	const digits = amount.padStart(decimals + 1, '0');
	const dot = digits.length - decimals;
	const whole = withoutZerosBefore(digits.slice(0, dot));
	const fraction = withoutTrailingZeros(digits.slice(dot));
	return fraction === '' ? whole : `${whole}.${fraction}`;
}

function withoutZerosBefore(digits: string): string {
	return digits.replace(/^0+(?=\d)/, '') || '0';
}

/** A loop, because a regular expression takes quadratic time. */
function withoutTrailingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}

/** Decimal numbers of this length survive as JavaScript numbers. */
const MAX_EXACT_DIGITS = 15;

/** The amount that an expression gives; null for a number that may have lost digits. */
export function exactAmount(given: unknown): string | null {
	const text = trimmedText(given);
	if (typeof given !== 'number' || Number.isSafeInteger(given) || !Number.isFinite(given))
		return text;
	const digits = text.replace(/^-?[0.]*/, '').replace('.', '');
	return /^-?\d+\.\d+$/.test(text) && digits.length <= MAX_EXACT_DIGITS ? text : null;
}
