import {
	type IDataObject,
	type IExecuteFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { nodeWith } from '../node';
import { sourceHashOf } from '../../../nodes/CrossChainBridge/fields/orderFields';
import { outputProperties, shapedItem } from '../../../nodes/CrossChainBridge/fields/outputFields';
import {
	linkedItem,
	optionalText,
	textParameter,
	type OperationInput,
} from '../../../nodes/CrossChainBridge/fields/parameters';
import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { trimmedText } from '../../../nodes/CrossChainBridge/orders/values';
import { shownWith } from '../../../nodes/CrossChainBridge/fields/fieldTypes';
import {
	asNodeError,
	errorDetails,
	runItems,
} from '../../../nodes/CrossChainBridge/operations/operation';

/** What all operations share: how fields are read, and what becomes of items. */

const NODE = nodeWith();

/** A node with these fields; of a locator n8n gives the value where it is asked for. */
function inputOf(parameters: Record<string, unknown>, itemIndex = 2): OperationInput {
	type Options = { extractValue?: boolean };
	const getNodeParameter = (name: string, _item: number, otherwise: unknown, options?: Options) => {
		const given = name in parameters ? parameters[name] : otherwise;
		const isLocator = typeof given === 'object' && given !== null && 'value' in given;
		return options?.extractValue === true && isLocator ? given.value : given;
	};
	return {
		itemIndex,
		context: { getNode: () => NODE, getNodeParameter },
		onRawAmount: jest.fn(),
	} as unknown as OperationInput;
}

function errorOf(step: () => unknown): NodeOperationError {
	try {
		step();
	} catch (error) {
		if (error instanceof NodeOperationError) return error;
	}
	throw new Error('It was accepted');
}

test.each<[unknown, string]>([
	[' text\n', 'text'],
	[5, '5'],
	[0, '0'],
	[12345678901234567890n, '12345678901234567890'],
	[null, ''],
	[undefined, ''],
	[true, ''],
	[{}, ''],
])('the text %p is read as %j', (value, text) => {
	expect(trimmedText(value)).toBe(text);
	expect(textParameter(inputOf({ field: value }), 'field')).toBe(text);
	expect(textParameter(inputOf({ field: { mode: 'id', value } }), 'field')).toBe(text);
});

test.each<[unknown, string]>([
	[' 0xab\n', '0xab'],
	['', ''],
	[' ', ''],
	[5, '5'],
	[5n, '5'],
])('the choice %p may be left out, and is %j', (value, text) => {
	expect(optionalText(inputOf({ field: { mode: 'id', value } }), 'Field', 'field')).toBe(text);
});

test.each([undefined, null, true, {}, [], ['0xab']])(
	'the choice %p was not left out: it is missing',
	(value) => {
		expect(
			errorOf(() => optionalText(inputOf({ field: { mode: 'id', value } }), 'Field', 'field')),
		).toMatchObject({ message: "'Field' is empty [item 2]" });
	},
);

test('a field that the workflow does not have at all is empty, and was left out', () => {
	expect(textParameter(inputOf({}), 'field')).toBe('');
	expect(optionalText(inputOf({}), 'Field', 'field')).toBe('');
});

test('a field is shown for its operation, besides any condition that it has already', () => {
	const plain = { displayName: 'Plain', name: 'plain', type: 'string', default: '' } as const;
	const shown = {
		...plain,
		displayOptions: { show: { amountUnit: ['tokenUnits'] }, hide: { simplify: [true] } },
	};
	const fields = shownWith({ operation: ['getQuote'] }, [plain, shown]);
	expect(fields.map(({ displayOptions }) => displayOptions)).toEqual([
		{ show: { operation: ['getQuote'] } },
		{ show: { operation: ['getQuote'], amountUnit: ['tokenUnits'] }, hide: { simplify: [true] } },
	]);
});

describe('how much of an order or quote an item has', () => {
	const AMOUNTS = { sent: null, received: null };
	const SIMPLE = { a: 1, c: 3 };
	const FULL = { a: 1, b: 2, c: 3, ...AMOUNTS };
	const itemWith = (parameters: Record<string, unknown>, type = 'bridge') => {
		const input = inputOf(parameters);
		Object.assign(input.context, { getNode: () => ({ ...NODE, type }) });
		return shapedItem(input, 'c', { simple: SIMPLE, full: FULL }, PLAIN_DISPLAY);
	};

	const TWO_FIELDS = { b: 2, c: 3 };
	test.each<[Record<string, unknown>, object]>([
		[{}, SIMPLE],
		[{ simplify: false }, SIMPLE],
		[{ output: 'simplified' }, SIMPLE],
		[{ output: 'raw' }, FULL],
		[{ output: 'selectedFields', fields: ['b'] }, TWO_FIELDS],
		[
			{ output: 'selectedFields', fields: 'a, b' },
			{ a: 1, ...TWO_FIELDS },
		],
		[{ output: 'selectedFields', fields: [] }, { c: 3 }],
		[{ output: 'selectedFields', fields: null }, { c: 3 }],
	])('an agent’s tool with %j', (parameters, item) => {
		expect(itemWith(parameters, 'bridgeTool')).toEqual(item);
	});

	test('a tool has Output in the place of Simplify, with a title for each field but the ID', () => {
		const item = { summary: '', inputTxUrl: null, orderId: null, sourceHash: '' };
		const [simplify, output, fields] = outputProperties('sourceHash', item);
		const forTools = (is: boolean) => ({ displayOptions: { show: { '@tool': [is] } } });
		expect(simplify).toMatchObject({ name: 'simplify', ...forTools(false) });
		expect(output).toMatchObject({ name: 'output', default: 'simplified', ...forTools(true) });
		expect(fields).toMatchObject({
			description: 'The fields that the agent gets. Source Hash is always included.',
			options: [
				{ name: 'Input Tx URL', value: 'inputTxUrl' },
				{ name: 'Order ID', value: 'orderId' },
				{ name: 'Summary', value: 'summary' },
			],
		});
	});
});

const FIELD = "'Source Transaction Hash'";
const EMPTY = [
	`${FIELD} is empty`,
	/^Enter the hash of the transaction .* for this item\.$/,
] as const;
const THE_HASH = /^Enter the hash of the transaction\.$/;
const WALLET = [`${FIELD} looks like a wallet address`, THE_HASH] as const;
const TWO = [
	`${FIELD} is not one whole hash`,
	/^Enter one hash, without a name, and all of it\. .* for each\.$/,
] as const;
const AGAIN = /^Remove the space, or copy the hash again\.$/;
const SPACE = [`The hash in ${FIELD} contains a space`, AGAIN] as const;
const ADDRESS = `0x${'d'.repeat(40)}`;

test.each<[string, readonly [string, RegExp]]>([
	['', EMPTY],
	[' \n', EMPTY],
	['0x1 0x2', TWO],
	[ADDRESS, WALLET],
	[`https://etherscan.io/address/${ADDRESS}`, WALLET],
	[`${ADDRESS} ${'d'.repeat(24)}`, SPACE],
])('%j is no hash', (sourceHash, [message, sentence]) => {
	const expected = { message: `${message} [item 2]`, description: expect.stringMatching(sentence) };
	expect(errorOf(() => sourceHashOf(inputOf({ sourceHash })))).toMatchObject(expected);
});

const HASH = `0x${'5c'.repeat(32)}`;

test.each(['https://etherscan.io/', `https://etherscan.io/tx/${HASH.slice(0, 12)}…`])(
	'the link %j contains no complete hash',
	(sourceHash) => {
		expect(errorOf(() => sourceHashOf(inputOf({ sourceHash })))).toMatchObject({
			message: "The link in 'Source Transaction Hash' contains no complete hash [item 2]",
			description:
				"Copy the link of the transaction's own page in the block explorer, or enter the hash itself.",
		});
	},
);

test.each(['http', 'https:5c', 'ipfs://5c'])('%j is no link and stays as it is', (sourceHash) => {
	expect(sourceHashOf(inputOf({ sourceHash })).sourceHash).toBe(sourceHash);
});

describe('running items', () => {
	interface Execution {
		items: number;
		continues?: boolean;
		signal?: AbortSignal;
	}

	const contextOf = ({ items, continues = false, signal }: Execution): IExecuteFunctions =>
		({
			getNode: () => NODE,
			getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
			continueOnFail: () => continues,
			getExecutionCancelSignal: () => signal,
		}) as unknown as IExecuteFunctions;
	type Made = Promise<IDataObject[]> | IDataObject[];
	const run = async (execution: Execution, work: (itemIndex: number) => Made) =>
		await runItems(
			{ context: contextOf(execution), service: {} as never, onRawAmount: () => undefined },
			async ({ itemIndex }) => await work(itemIndex),
		);

	test('keeps their order, whichever is ready first; one may give several items or none', async () => {
		const ready: Array<() => void> = [];
		const running = run({ items: 3 }, async (item) => {
			await new Promise<void>((resolve) => ready.push(resolve));
			return Array.from({ length: 2 - item }, (_, place) => ({ item, place }));
		});
		for (const resolve of ready.reverse()) {
			resolve();
			await new Promise(setImmediate);
		}
		expect(await running).toEqual([
			[
				linkedItem({ item: 0, place: 0 }, 0),
				linkedItem({ item: 0, place: 1 }, 0),
				linkedItem({ item: 1, place: 0 }, 1),
			],
		]);
	});

	test('works on 100 at once', async () => {
		const ready: Array<() => void> = [];
		const running = run({ items: 150 }, async () => {
			await new Promise<void>((resolve) => ready.push(resolve));
			return [];
		});
		await new Promise(setImmediate);
		expect(ready).toHaveLength(100);
		while (ready.length > 0) {
			for (const resolve of ready.splice(0)) resolve();
			await new Promise(setImmediate);
		}
		expect(await running).toEqual([[]]);
	});

	test('the first error stops it: no further item is begun', async () => {
		const begun: number[] = [];
		const running = run({ items: 150 }, async (item) => {
			begun.push(item);
			await Promise.resolve();
			throw new Error(`item ${item} failed`);
		});
		await expect(running).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining('item 0 failed'),
			context: { itemIndex: 0 },
		});
		expect(begun).toHaveLength(100);
	});

	test('with Continue On Fail each that fails becomes an item of its error', async () => {
		const outputs = await run({ items: 150, continues: true }, (item) => {
			if (item % 2 === 1) throw new NodeOperationError(NODE, `item ${item} failed`);
			return [{ item }];
		});
		expect(outputs[0]).toHaveLength(150);
		const error = { message: 'item 1 failed', code: null, httpCode: null, description: null };
		const items = [linkedItem({ item: 0 }, 0), linkedItem({ error }, 1)];
		expect(outputs[0]?.slice(0, 2)).toEqual(items);
	});
});

test('errors of n8n’s own stay as they are, others get their item', () => {
	const context = { getNode: () => NODE } as unknown as IExecuteFunctions;
	for (const own of [
		new NodeApiError(NODE, {}, { message: 'own' }),
		new NodeOperationError(NODE, 'own'),
	])
		expect(asNodeError(context, own, 3)).toBe(own);
	const wanted = { message: expect.stringContaining('an expression'), context: { itemIndex: 3 } };
	expect(asNodeError(context, new Error('an expression'), 3)).toMatchObject(wanted);
	const expected = { message: 'text', context: { itemIndex: 3 } };
	expect(asNodeError(context, 'text', 3)).toMatchObject(expected);
});

test('what a later node can read of an error', () => {
	const words = { message: 'Not accepted', description: 'Open it.', httpCode: '401' };
	const api = new NodeApiError(NODE, {}, words);
	expect(errorDetails(api)).toEqual({ ...words, code: null });
	api.context.code = 'UNAUTHORIZED';
	expect(errorDetails(api).code).toBe('UNAUTHORIZED');
	api.context.code = 5;
	expect(errorDetails(api).code).toBeNull();
	expect(
		errorDetails(new NodeOperationError(NODE, 'Wrong', { description: 'Correct it.' })),
	).toEqual({ message: 'Wrong', code: null, httpCode: null, description: 'Correct it.' });
});
