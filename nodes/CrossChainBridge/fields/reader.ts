import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { exactAmount } from '../orders/amounts';
import { parsedOrNull } from '../orders/exactJson';
import { lettersAndDigits } from '../orders/fieldNames';
import { shownText } from '../orders/plainText';
import {
	field as valueOf,
	isEmpty,
	isPlainObject,
	trimmedText,
	visibleText,
} from '../orders/values';
import { readNumber } from './numbers';

/** Makes the error of a field that cannot be read: what is wrong, and what would fit. */
type Refuse = (message: string, remedy: string) => Error;

/** What stands in this field; `otherwise` if it was left out. */
type Given = (field: INodeProperties, otherwise: unknown) => unknown;

/**
 * Reads fields by their own descriptions: label, choices, minimum, default, and whether a value is required.
 * A default stands for what was left out. What cannot be read for certain is refused, with what would fit.
 */
export class FieldReader {
	/** `isAdded`: the fields are options or rows that somebody has added, so that none may stay empty. */
	constructor(
		private readonly given: Given,
		readonly refuse: Refuse,
		private readonly isAdded = false,
	) {}

	/** The value as it stands in the field. */
	value(field: INodeProperties): unknown {
		return this.given(field, field.default);
	}

	/** Whether an option was added or a row has the field, however it is filled in. */
	has(field: INodeProperties): boolean {
		return this.given(field, LEFT_OUT) !== LEFT_OUT;
	}

	/** Text without white space around it and signs that nobody sees; empty only if the field is not required. */
	text(field: INodeProperties): string {
		return this.textOf(field, this.value(field));
	}

	/** Text that passes this check. */
	checked(field: INodeProperties, isRight: (text: string) => boolean, remedy: string): string {
		const text = this.text(field);
		if (isRight(text)) return text;
		throw this.wrong(field, text, remedy);
	}

	/** One of the field's choices, by its value or its name. */
	choice(field: INodeProperties): string {
		return this.choiceOf(field, this.value(field));
	}

	/** Some of the field's choices: a list, or text with commas between them. */
	choices(field: INodeProperties): string[] {
		const given = this.value(field);
		const read = typeof given === 'string' ? (parsedOrNull(given) ?? given) : given;
		const chosen = typeof read === 'string' ? read.split(/[,;\n]/).filter(visibleText) : read;
		if (!Array.isArray(chosen)) return [this.choiceOf(field, chosen)];
		if (chosen.length === 0 && field.required === true)
			throw this.empty(field, `Choose ${listed(choicesOf(field).map(({ name }) => name))}`);
		return chosen.map((each) => this.choiceOf(field, each));
	}

	/** Whether a switch is on; an expression may say so in text. */
	isOn(field: INodeProperties): boolean {
		const given = this.value(field);
		const text = typeof given === 'boolean' ? String(given) : spoken(given);
		if (text === 'true' || text === 'false') return text === 'true';
		throw this.wrong(field, given, 'Choose on or off; an expression must return true or false.');
	}

	/** A number that is not below the field's minimum. */
	number(field: INodeProperties): number {
		const given = this.value(field);
		const least = field.typeOptions?.minValue ?? 0;
		const number = typeof given === 'number' ? given : Number(this.digits(field));
		if (Number.isFinite(number) && number >= least) return number;
		throw this.wrong(
			field,
			given,
			`Enter a number of ${least} or more, for example ${example(field)}.`,
		);
	}

	/** The digits of a number from zero, with a dot before the decimals. */
	digits(field: INodeProperties): string {
		const given = this.value(field);
		const text = this.textOf({ ...field, required: true }, given);
		const read = readNumber(text);
		if (read.ok) return read.text;
		const remedy = `Enter a number without a sign or a unit, for example ${example(field)}.`;
		throw this.wrong(field, given, read.ambiguity ?? remedy);
	}

	/** Throws if the value is a number that may have lost digits, as one from an expression can. */
	throwIfInexact(field: INodeProperties): void {
		if (exactAmount(this.value(field)) !== null) return;
		throw this.refuse(
			`'${field.displayName}' may have lost digits`,
			'It arrived as a number that JavaScript cannot store exactly. Pass it as text. If an expression computes it, round it there, for example with .toFixed(6).',
		);
	}

	/** A network or a token, as it was chosen or entered; empty only if the field is not required. */
	located(field: INodeProperties) {
		const given = this.value(field);
		const isWhole = isPlainObject(given) && Object.hasOwn(given, 'value');
		const mode = valueOf(given, 'mode');
		return {
			/** Null if an expression gives the whole field. */
			mode: typeof mode === 'string' ? mode : null,
			text: this.textOf(field, isWhole ? given.value : given),
			/** What the editor shows of an entry that was picked from the list; empty otherwise. */
			shown: trimmedText(valueOf(given, 'cachedResultName')),
		};
	}

	/** The fields of a collection. n8n drops an expression for the whole of it, and what it does not have. */
	inside(collection: INodeProperties): FieldReader {
		return new FieldReader(givenIn(this.value(collection)), this.refuse, true);
	}

	/** The rows of an option; none if it was not added. n8n drops what is no list of rows, so that there are none. */
	rows(field: INodeProperties): FieldReader[] {
		if (!this.has(field)) return [];
		const [group] = (field.options ?? []) as INodePropertyCollection[];
		const rows = valueOf(this.value(field), group?.name ?? '');
		if (!Array.isArray(rows) || rows.length === 0)
			throw this.refuse(
				`'${field.displayName}' has no rows`,
				'Add a row, or remove the option. An expression can return the fields of a row, not the rows.',
			);
		return rows.map((row: unknown, index) => {
			const refuse: Refuse = (message, remedy) =>
				this.refuse(`Row ${index + 1} of '${field.displayName}': ${message}`, remedy);
			return new FieldReader(givenIn(row), refuse, true);
		});
	}

	/** The error of a field without a value. */
	empty({ displayName }: INodeProperties, remedy = `Fill in '${displayName}'`): Error {
		return this.refuse(`'${displayName}' is empty`, `${remedy}. ${CHECK_EXPRESSION}`);
	}

	/** The error of a field that has a value of the wrong form. */
	wrong(field: INodeProperties, given: unknown, remedy: string): Error {
		if (isEmpty(given)) return this.empty(field, remedy.replace(/\.$/, ''));
		return this.refuse(`'${field.displayName}' cannot be ${quoted(given)}`, remedy);
	}

	private textOf(field: INodeProperties, given: unknown): string {
		const isText = ['string', 'number', 'bigint'].includes(typeof given);
		if (!isText && !isEmpty(given))
			throw this.wrong(field, given, 'Enter text; a list or an object cannot be used here.');
		const text = visibleText(trimmedText(given));
		if (text === '' && (field.required === true || this.isAdded || !isText))
			throw this.empty(field);
		return text;
	}

	private choiceOf(field: INodeProperties, given: unknown): string {
		const choices = choicesOf(field);
		const chosen = choices.find(({ name, value }) =>
			[name, value].some((each) => spoken(each) === spoken(given)),
		);
		if (chosen !== undefined) return String(chosen.value);
		const names = choices.map(({ name }) => name);
		throw this.wrong(field, given, `Choose ${listed(nearest(names, trimmedText(given)))}.`);
	}
}

const LEFT_OUT = Symbol('left out');

function givenIn(values: unknown): Given {
	return ({ name }, otherwise) =>
		isPlainObject(values) && Object.hasOwn(values, name) ? values[name] : otherwise;
}

const CHECK_EXPRESSION = 'If it comes from an expression, check the data that it reads.';

function quoted(given: unknown): string {
	if (Array.isArray(given)) return 'a list';
	return isPlainObject(given) ? 'an object' : `'${shownText(given)}'`;
}

/** A choice as people and programs may spell it: "Token Units", "tokenUnits" and "token_units" are one. */
const spoken = (given: unknown): string => lettersAndDigits(trimmedText(given));

const choicesOf = ({ options }: INodeProperties) => (options ?? []) as INodePropertyOptions[];

const example = ({ placeholder, default: value }: INodeProperties): string =>
	placeholder?.replace(/^e\.g\. /, '') ?? String(value);

const MAX_LISTED = 6;

/** "A, B or C"; of many the first ones: "A, B and 3 more", or "A, B or one of 3 others". */
export function listed(names: readonly string[], word: 'and' | 'or' = 'or'): string {
	const more = names.length - MAX_LISTED;
	const others = word === 'or' ? `one of ${more} others` : `${more} more`;
	// Instead of one more, its name.
	const parts = more > 1 ? [...names.slice(0, MAX_LISTED), others] : names;
	return parts.length < 2
		? parts.join('')
		: `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

/** The names with those first that begin most like the text. */
export function nearest(names: readonly string[], text: string): string[] {
	const wanted = text.toLowerCase();
	const likeness = (name: string): number => {
		let same = 0;
		while (same < wanted.length && name.toLowerCase()[same] === wanted[same]) same++;
		return same;
	};
	return [...names].sort((a, b) => likeness(b) - likeness(a));
}
