import { visibleText } from '../orders/values';

/** A number in plain digits with a dot before its decimals; otherwise the numbers that the text may stand for, if any. */
type NumberRead = { ok: true; text: string } | { ok: false; readings: string[] };

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
		return { ok: false, readings: [`${whole}.${thousand}`, `${whole}${thousand}`] };
	const forms = [PLAIN, ...GROUPED];
	const match = forms.map((form) => form.exec(text)).find((found) => found !== null);
	const digits = match?.[1]?.replace(/\D/g, '') ?? '';
	const decimals = match?.[2] ?? match?.[3] ?? '';
	if (digits + decimals === '') return { ok: false, readings: [] };
	return { ok: true, text: (digits || '0') + (decimals === '' ? '' : `.${decimals}`) };
}
