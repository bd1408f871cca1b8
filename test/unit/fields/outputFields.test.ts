import type { INode } from 'n8n-workflow';

import { outputFields } from '../../../nodes/CrossChainBridge/fields/outputFields';
import type { OperationInput } from '../../../nodes/CrossChainBridge/fields/parameters';
import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { orderItem } from '../../../nodes/CrossChainBridge/orders/orderItem';
import { nodeWith } from '../node';
import { fieldsWith, problemOf } from './reading';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);

/** A node with these fields, as an agent's tool or not. */
function inputOf(values: Record<string, unknown>, node: Partial<INode> = {}) {
	const hints: string[] = [];
	const input = {
		fields: fieldsWith(values),
		context: { getNode: () => nodeWith(node) },
		hint: (message: string) => void hints.push(message),
	} as unknown as OperationInput;
	return { input, hints };
}

describe('advice on amounts that are not readable', () => {
	const networks = [{ chainID: 1, baseToken: 'smallest units', decimals: 18, tokens: {} }];
	const DISPLAY = { ...PLAIN_DISPLAY, networks };
	const readable = { chainId: 1, token: `0x${'0'.repeat(40)}`, amount: `5${'0'.repeat(18)}` };
	const raw = { chainId: 1, token: '0xab', amount: '5' };
	const { shapeOf } = outputFields('sourceHash', {});

	test.each<[string, object, boolean]>([
		['an amount whose decimals are not known', { status: 'pending', input: raw }, true],
		['one of the smallest unit', { status: 'pending', input: { ...raw, amount: '1' } }, true],
		['one of several', { status: 'completed', input: readable, output: raw }, true],
		['one that is not shown yet', { status: 'pending', input: readable, output: raw }, false],
		['a readable amount of a token named "smallest units"', { input: readable }, false],
		['an order without amounts', {}, false],
	])('%s', (_name, order, isGiven) => {
		const item = orderItem({ sourceHash: '0x1', order: { ...order } }, DISPLAY, NOW);
		for (const simplify of [true, false]) {
			const { input, hints } = inputOf({ simplify });
			shapeOf(input)(item, DISPLAY);
			expect(hints.map((hint) => hint.includes("add the option 'Token Decimals'"))).toEqual(
				isGiven ? [true] : [],
			);
		}
	});

	test('without a configuration the advice is to run the node again', () => {
		const item = orderItem({ sourceHash: '0x1', order: { input: raw } }, PLAIN_DISPLAY, NOW);
		const { input, hints } = inputOf({});
		shapeOf(input)(item, PLAIN_DISPLAY);
		expect(hints).toEqual([expect.stringContaining('Run this node again')]);
	});
});

describe('how much of an item there is', () => {
	const AMOUNTS = { sent: null, received: null };
	const FULL = { a: 1, b: 2, c: 3, ...AMOUNTS };
	const item = { simple: { a: 1, c: 3 }, full: FULL };
	const { shapeOf } = outputFields('c', FULL);
	const shaped = (values: Record<string, unknown>, type = 'bridge') =>
		shapeOf(inputOf(values, { type }).input)(item, PLAIN_DISPLAY);

	test.each<[Record<string, unknown>, object]>([
		[{}, item.simple],
		[{ simplify: true }, item.simple],
		[{ simplify: 'false' }, FULL],
	])('a node with %j', (values, expected) => {
		expect(shaped(values)).toEqual(expected);
	});

	test.each<[Record<string, unknown>, object]>([
		[{}, item.simple],
		[{ simplify: false }, item.simple],
		[{ output: 'simplified' }, item.simple],
		[{ output: 'Raw' }, FULL],
		[
			{ output: 'selectedFields', fields: ['b'] },
			{ b: 2, c: 3 },
		],
		[
			{ output: 'Selected Fields', fields: 'a, B' },
			{ a: 1, b: 2, c: 3 },
		],
		[{ output: 'selectedFields', fields: [] }, { c: 3 }],
	])('an agent’s tool with %j', (values, expected) => {
		expect(shaped(values, 'bridgeTool')).toEqual(expected);
	});

	test('a field that there is not is refused before anything is asked for', () => {
		const values = { output: 'selectedFields', fields: ['b', 'x'] };
		expect(problemOf(() => shapeOf(inputOf(values, { type: 'bridgeTool' }).input))).toEqual({
			message: "'Fields' cannot be 'x'",
			description: 'Choose A, B, Received or Sent.',
		});
	});
});

test('a tool has Output in place of Simplify, with a title for each field but the ID', () => {
	const item = { summary: '', inputTxUrl: null, orderId: null, sourceHash: '' };
	const [simplify, output, fields] = outputFields('sourceHash', item).properties;
	const forTools = (is: boolean) => ({ displayOptions: { show: { '@tool': [is] } } });
	expect(simplify).toMatchObject({ name: 'simplify', ...forTools(false) });
	expect(output).toMatchObject({ name: 'output', default: 'simplified', ...forTools(true) });
	expect(fields).toMatchObject({
		default: ['summary'],
		description: 'The fields that the agent gets. Source Hash is always included.',
		options: [
			{ name: 'Input Tx URL', value: 'inputTxUrl' },
			{ name: 'Order ID', value: 'orderId' },
			{ name: 'Summary', value: 'summary' },
		],
	});
});
