import type { INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	networkField,
	numberField,
	optionsProperty,
	rowsField,
	switchField,
	textField,
} from '../../../nodes/CrossChainBridge/fields/fieldTypes';
import { listed, nearest } from '../../../nodes/CrossChainBridge/fields/reader';
import { fieldsWith, problemOf } from './reading';

/** The pure reader; test/engine/fields.test.ts tries all fields of the nodes with it in the real n8n-core. */

const UNIT = choiceField('Amount Unit', 'unit', 'tokenUnits', 'The unit', [
	['Token Units', 'tokenUnits'],
	['Smallest Unit', 'smallestUnit'],
]);
const EVENTS: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	default: ['completed'],
	required: true,
	options: ['Completed', 'Refunded'].map((name) => ({ name, value: name.toLowerCase() })),
};
const MINUTES = numberField('Minutes', 'minutes', 1, 5, 'How many');
const SWITCH = switchField('Keep', 'keep', true, 'Whether to keep it');
const NAME = textField('Name', 'name', 'Rent', 'A name');
const SENDER = { ...textField('Sender', 'sender', '0xab', 'A wallet'), required: true };
const NETWORK = { ...networkField({ displayName: 'Network', name: 'network' }), required: true };
const ROWS = rowsField('Rows', 'rows', 'Some rows', {
	displayName: 'Row',
	name: 'row',
	values: [NAME, SENDER],
});
const OPTIONS = optionsProperty([ROWS, SWITCH, NAME]);

test('what was left out has the default', () => {
	const fields = fieldsWith({});
	expect([fields.choice(UNIT), fields.choices(EVENTS)]).toEqual(['tokenUnits', ['completed']]);
	expect([fields.number(MINUTES), fields.isOn(SWITCH), fields.text(NAME)]).toEqual([5, true, '']);
	expect(fields.inside(OPTIONS).rows(ROWS)).toEqual([]);
	expect(fields.inside(OPTIONS).has(NAME)).toBe(false);
});

test.each([
	...['smallestUnit', 'Smallest Unit', 'SMALLEST UNIT ', 'smallest_unit', 'smallest-unit'],
	'\u200bsmallestUnit',
])('%j is a choice, by value or by name', (unit) => {
	expect(fieldsWith({ unit }).choice(UNIT)).toBe('smallestUnit');
});

test.each<[unknown, string, string]>([
	['units', "'Amount Unit' cannot be 'units'", 'Choose Token Units or Smallest Unit.'],
	['smallest', "'Amount Unit' cannot be 'smallest'", 'Choose Smallest Unit or Token Units.'],
	[5, "'Amount Unit' cannot be '5'", 'Choose Token Units or Smallest Unit.'],
	[['smallestUnit'], "'Amount Unit' cannot be a list", 'Choose Token Units or Smallest Unit.'],
	[{}, "'Amount Unit' cannot be an object", 'Choose Token Units or Smallest Unit.'],
	['<b>', "'Amount Unit' cannot be 'b'", 'Choose Token Units or Smallest Unit.'],
	[
		null,
		"'Amount Unit' is empty",
		'Choose Token Units or Smallest Unit. If it comes from an expression, check the data that it reads.',
	],
])('%j is none of the choices', (unit, message, description) => {
	expect(problemOf(() => fieldsWith({ unit }).choice(UNIT))).toEqual({ message, description });
});

test.each<[unknown, string[]]>([
	[
		['completed', 'Refunded'],
		['completed', 'refunded'],
	],
	['Refunded', ['refunded']],
	['completed, refunded', ['completed', 'refunded']],
	['["refunded"]', ['refunded']],
	['completed;\n', ['completed']],
])('%j are choices', (events, chosen) => {
	expect(fieldsWith({ events }).choices(EVENTS)).toEqual(chosen);
});

test.each([
	[[]],
	[''],
	[null],
	[['completed', 'done']],
	['completed, done'],
	[{}],
	[[['completed']]],
])('%j are no choices', (events) => {
	expect(problemOf(() => fieldsWith({ events }).choices(EVENTS))?.message).toMatch(/^'Events' /);
});

test.each<[unknown, number]>([
	[5, 5],
	['5', 5],
	['0005', 5],
	['2,5', 2.5],
	['1 000', 1000],
	[1, 1],
])('%j is the number %d', (minutes, number) => {
	expect(fieldsWith({ minutes }).number(MINUTES)).toBe(number);
});

test.each<[unknown, string, RegExp]>([
	[0, "'Minutes' cannot be '0'", /^Enter a number of 1 or more, for example 5\.$/],
	['0.99', "'Minutes' cannot be '0.99'", /^Enter a number of 1 or more,/],
	['9'.repeat(400), "'Minutes' cannot be", /^Enter a number of 1 or more,/],
	['10 min', "'Minutes' cannot be '10 min'", /without a sign or a unit, for example 5\.$/],
	['1,125', "'Minutes' cannot be '1,125'", /^It could mean 1\.125 or 1125\. /],
	['', "'Minutes' is empty", /^Fill in 'Minutes'\. /],
	[true, "'Minutes' cannot be 'true'", /^Enter text; /],
])('%j is no number for the field', (minutes, message, remedy) => {
	const problem = problemOf(() => fieldsWith({ minutes }).number(MINUTES));
	expect(problem?.message).toContain(message);
	expect(problem?.description).toMatch(remedy);
});

test.each<[unknown, boolean]>([
	[true, true],
	['true', true],
	[' TRUE\n', true],
	['False', false],
	[false, false],
])('the switch %j is %j', (keep, isOn) => {
	expect(fieldsWith({ keep }).isOn(SWITCH)).toBe(isOn);
});

test.each(['yes', 'on', '', null, 1, 0, ['true'], {}])(
	'the switch %j is neither on nor off, and never taken for one of them',
	(keep) => {
		const problem = problemOf(() => fieldsWith({ keep }).isOn(SWITCH));
		expect(problem?.message).toMatch(/^'Keep' /);
		expect(problem?.description).toMatch(
			/^Choose on or off; an expression must return true or false\./,
		);
	},
);

test('a list of nothing says what can be chosen', () => {
	expect(problemOf(() => fieldsWith({ events: [] }).choices(EVENTS))).toEqual({
		message: "'Events' is empty",
		description:
			'Choose Completed or Refunded. If it comes from an expression, check the data that it reads.',
	});
});

test.each<[unknown, string]>([
	[' 0xab\n', '0xab'],
	['0x\u200bab\u00ad', '0xab'],
	[5, '5'],
	[5n, '5'],
])('the text %p is %j', (sender, text) => {
	expect(fieldsWith({ sender }).text(SENDER)).toBe(text);
});

test('only a required field may not be empty text, and none may be nothing', () => {
	for (const name of [null, undefined, [], {}, false])
		expect(problemOf(() => fieldsWith({ name }).text(NAME))?.message).toMatch(/^'Name' /);
	expect(fieldsWith({ name: ' \u200b' }).text(NAME)).toBe('');
	expect(problemOf(() => fieldsWith({ sender: ' \u200b' }).text(SENDER))).toMatchObject({
		message: "'Sender' is empty",
	});
});

test('a locator has its mode, its value and what the editor shows of it; an expression gives the value', () => {
	const network = { __rl: true, mode: 'list', value: 101, cachedResultName: 'Ethereum (101)' };
	const read = (given: unknown) => fieldsWith({ network: given }).located(NETWORK);
	expect(read(network)).toEqual({ mode: 'list', text: '101', shown: 'Ethereum (101)' });
	expect(read(' Base ')).toEqual({ mode: null, text: 'Base', shown: '' });
	expect(read(102)).toEqual({ mode: null, text: '102', shown: '' });
	for (const value of ['', null, undefined, [], {}])
		expect(problemOf(() => read({ mode: 'id', value }))?.message).toMatch(/^'Network' /);
	expect(problemOf(() => read({ mode: 'id' }))?.message).toMatch(/^'Network' /);
});

describe('options', () => {
	const options = (given: unknown) => fieldsWith({ options: given }).inside(OPTIONS);

	test('one that was added needs a value, as a row does', () => {
		expect(options({ name: 'Rent' }).text(NAME)).toBe('Rent');
		expect(options({ keep: 'false' }).isOn(SWITCH)).toBe(false);
		for (const name of ['', null, undefined]) {
			expect(options({ name }).has(NAME)).toBe(true);
			expect(problemOf(() => options({ name }).text(NAME))?.message).toBe("'Name' is empty");
		}
	});

	test('rows are read one by one, and named in what is wrong', () => {
		const read = (...row: unknown[]) => options({ rows: { row } }).rows(ROWS);
		const [first, second] = read({ name: 'a', sender: 'b' }, { name: '' });
		expect([first?.text(NAME), first?.text(SENDER)]).toEqual(['a', 'b']);
		expect(problemOf(() => second?.text(NAME))?.message).toBe("Row 2 of 'Rows': 'Name' is empty");
		expect(problemOf(() => read('text')[0]?.text(SENDER))?.message).toBe(
			"Row 1 of 'Rows': 'Sender' is empty",
		);
	});

	test.each([{}, { row: [] }, { row: {} }, 'text', null, [], { other: [{}] }])(
		'%j has no rows, which is said: n8n leaves nothing of an expression for them',
		(rows) => {
			expect(problemOf(() => options({ rows }).rows(ROWS))).toEqual({
				message: "'Rows' has no rows",
				description:
					'Add a row, or remove the option. An expression can return the fields of a row, not the rows.',
			});
		},
	);
});

test('names in a sentence: all, or the first ones, those like the text before others', () => {
	expect(['a', 'a,b', 'a,b,c'].map((names) => listed(names.split(',')))).toEqual([
		...['a', 'a or b', 'a, b or c'],
	]);
	expect(listed(['a', 'b'], 'and')).toBe('a and b');
	expect(listed([...'abcdefgh'])).toBe('a, b, c, d, e, f or one of 2 others');
	expect(listed([...'abcdefgh'], 'and')).toBe('a, b, c, d, e, f and 2 more');
	expect(listed([...'abcdefg'])).toBe('a, b, c, d, e, f or g');
	expect(nearest(['Base', 'Ethereum', 'Etherlink', 'Bnb'], 'ethereun')).toEqual([
		...['Ethereum', 'Etherlink', 'Base', 'Bnb'],
	]);
	expect(nearest([], 'x')).toEqual([]);
});
