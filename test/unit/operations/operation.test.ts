import {
	type IDataObject,
	type IExecuteFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { nodeWith } from '../node';
import { sourceHashOf } from '../../../nodes/CrossChainBridge/fields/orderFields';
import { itemInput, linkedItem, placeOf } from '../../../nodes/CrossChainBridge/fields/parameters';
import { shownWith } from '../../../nodes/CrossChainBridge/fields/fieldTypes';
import {
	errorDetails,
	keptError,
	runItems,
} from '../../../nodes/CrossChainBridge/operations/operation';

/** What all operations share: how fields are read, and what becomes of items. */

const NODE = nodeWith();

/** The third of eight items of a node with these fields. */
const inputOf = (parameters: Record<string, unknown>) =>
	itemInput(
		{
			getNode: () => NODE,
			getInputData: () => Array.from({ length: 8 }, () => ({ json: {} })),
			getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
				name in parameters ? parameters[name] : otherwise,
		} as unknown as IExecuteFunctions,
		2,
	);

function errorOf(step: () => unknown): NodeOperationError {
	try {
		step();
	} catch (error) {
		if (error instanceof NodeOperationError) return error;
	}
	throw new Error('It was accepted');
}

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

const FIELD = "'Source Transaction Hash'";
const EMPTY = [
	`${FIELD} is empty`,
	/^Enter the hash of the transaction .* data that it reads\.$/,
] as const;
const WALLET = `0x${'d'.repeat(40)}`;
const HASH = `0x${'5c'.repeat(32)}`;

test.each<[string, string | readonly [string, RegExp]]>([
	['', EMPTY],
	[' \n\u200b', EMPTY],
	['0x1 0x2', 'digits after 0x instead of 64'],
	[WALLET, 'looks like a wallet address, not like a transaction hash'],
	[`https://etherscan.io/address/${WALLET}`, 'looks like a wallet address'],
	[`https://etherscan.io/tx/${HASH.slice(0, 12)}…`, 'is shortened'],
])('%j is no hash', (sourceHash, problem) => {
	const [message, sentence] =
		typeof problem === 'string' ? [expect.stringContaining(problem), /\.$/] : problem;
	const refused = errorOf(() => sourceHashOf(inputOf({ sourceHash })));
	expect(refused.message).toMatch(/^'Source Transaction Hash'.* \(item 3 of 8\)$/);
	expect(refused).toMatchObject({
		message: typeof message === 'string' ? `${message} (item 3 of 8)` : message,
		description: expect.stringMatching(sentence),
	});
});

test('a hash may come with its name and its link', () => {
	const sourceHash = `Rent: https://etherscan.io/tx/${HASH}`;
	expect(sourceHashOf(inputOf({ sourceHash }))).toEqual({
		sourceHash: HASH,
		link: `https://etherscan.io/tx/${HASH}`,
		reference: 'Rent',
	});
});

test('an item is named as people count, if there are several', () => {
	const contextOf = (count: number) =>
		({ getInputData: () => Array.from({ length: count }) }) as unknown as IExecuteFunctions;
	const place = (itemIndex: number, count: number) =>
		placeOf({ context: contextOf(count), itemIndex });
	expect([place(0, 1), place(0, 2), place(5, 6)]).toEqual(['', ' (item 1 of 2)', ' (item 6 of 6)']);
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
	type Produced = IDataObject[] | (() => IDataObject[]);
	type Made = Promise<Produced> | Produced;
	const run = async (execution: Execution, work: (itemIndex: number) => Made) =>
		await runItems(
			{ context: contextOf(execution), service: {} as never, hint: () => undefined },
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

	test('what makes an item is called when no other item is waited for', async () => {
		let isEnded = false;
		const running = run({ items: 2 }, async (item) => {
			if (item === 0) return () => [{ isEnded }];
			await new Promise(setImmediate);
			isEnded = true;
			return [];
		});
		expect(await running).toEqual([[linkedItem({ isEnded: true }, 0)]]);
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

	test.each([true, false])(
		'an execution that is stopped begins no further item (Continue On Fail: %s)',
		async (continues) => {
			const stop = new AbortController();
			const begun: number[] = [];
			const running = run({ items: 150, continues, signal: stop.signal }, async (item) => {
				begun.push(item);
				if (begun.length === 100) stop.abort();
				await Promise.resolve();
				return [{ item }];
			});
			expect((await running)[0]).toHaveLength(100);
			expect(begun).toHaveLength(100);
		},
	);

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
	const contextOf = (continues: boolean) =>
		({ getNode: () => NODE, continueOnFail: () => continues }) as unknown as IExecuteFunctions;
	const context = contextOf(true);
	for (const own of [
		new NodeApiError(NODE, {}, { message: 'own' }),
		new NodeOperationError(NODE, 'own'),
	]) {
		expect(keptError(context, own, 3)).toBe(own);
		expect(() => keptError(contextOf(false), own, 3)).toThrow(own);
	}
	const wanted = { message: expect.stringContaining('an expression'), context: { itemIndex: 3 } };
	expect(keptError(context, new Error('an expression'), 3)).toMatchObject(wanted);
	const expected = { message: 'text', context: { itemIndex: 3 } };
	expect(keptError(context, 'text', 3)).toMatchObject(expected);
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
