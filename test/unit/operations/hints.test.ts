import type { IDataObject } from 'n8n-workflow';

import { shapedItem } from '../../../nodes/CrossChainBridge/fields/outputFields';
import type { OperationInput } from '../../../nodes/CrossChainBridge/fields/parameters';
import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { orderItem } from '../../../nodes/CrossChainBridge/orders/orderItem';
import { hintsOf } from '../../../nodes/CrossChainBridge/operations/hints';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);
const iso = (after: number) => new Date(NOW + after * 1000).toISOString();

const EXPIRED = '. Get a new one before you submit its transaction.';
const SOON = ' UTC. Submit its transaction before that, or get a new one.';

const HAS_EXPIRED = `warning: A quote has expired${EXPIRED}`;
const IN_FIVE = `info: A quote expires at 12:05:00${SOON}`;
const quotes = (...after: number[]) => after.map((each) => ({ expiresAt: iso(each) }));

test.each<[string, IDataObject[], string | null]>([
	['an expired quote', quotes(0), HAS_EXPIRED],
	['one of some', [...quotes(-1, 9), {}], HAS_EXPIRED],
	['expired quotes', quotes(-1, 0), HAS_EXPIRED],
	['one', quotes(300), IN_FIVE],
	['two', quotes(300, 60), `info: A quote expires at 12:01:00${SOON}`],
	['one good for ten minutes', quotes(600), `info: A quote expires at 12:10:00${SOON}`],
	['a quote that is good for longer', quotes(601), null],
	['a quote that is good for a day', quotes(86_400), null],
	['a quote that states no expiry', [{ expiresAt: null }, {}], null],
	['no quote', [], null],
])('Get Quote: %s', (_name, items, hint) => {
	const hints = hintsOf('getQuote', [items.map((json) => ({ json }))], null, NOW);
	expect(hints.map(({ type, message }) => `${type}: ${message}`)).toEqual(
		hint === null ? [] : [hint],
	);
});

const DISPLAY = {
	...PLAIN_DISPLAY,
	networks: [{ chainID: 1, baseToken: 'smallest units', decimals: 18, tokens: {} }],
};
const NATIVE = `0x${'0'.repeat(40)}`;
const readable = { chainId: 1, token: NATIVE, amount: `5${'0'.repeat(18)}` };
const raw = { chainId: 1, token: '0xab', amount: '5' };

const ADVICE = {
	type: 'info',
	location: 'outputPane',
	message:
		"The bridge does not state the decimals of a token, so its amount is shown in the smallest unit. To see it in token units, add the option 'Token Decimals'.",
};

test.each<[string, object, boolean]>([
	['an amount whose decimals are not known', { status: 'pending', input: raw }, true],
	['one of the smallest unit', { status: 'pending', input: { ...raw, amount: '1' } }, true],
	['one of several', { status: 'completed', input: readable, output: raw }, true],
	['one that is not shown yet', { status: 'pending', input: readable, output: raw }, false],
	['a readable amount of a token named "smallest units"', { input: readable }, false],
	['an order without amounts', {}, false],
])('advice on Token Decimals for %s: %#', (_name, order, isGiven) => {
	const item = orderItem({ sourceHash: '0x1', order: { ...order } }, DISPLAY, NOW);
	for (const simplify of [true, false]) {
		let rawAmountHint: string | null = null;
		const input = {
			context: { getNode: () => ({ type: 'bridge' }), getNodeParameter: () => simplify },
			onRawAmount: (hint: string) => (rawAmountHint = hint),
		} as unknown as OperationInput;
		const outputs = [[], [{ json: shapedItem(input, 'sourceHash', item, DISPLAY) }]];
		for (const operation of ['getStatus', 'waitForCompletion', 'getQuote'])
			expect(hintsOf(operation, outputs, rawAmountHint, NOW)).toEqual(isGiven ? [ADVICE] : []);
	}
});

test('only quotes expire, and a quote that expires comes before decimals', () => {
	const outputs = [[{ json: { expiresAt: iso(-1) } }]];
	expect(hintsOf('getStatus', outputs, null, NOW)).toEqual([]);
	expect(hintsOf('getQuote', outputs, 'decimals', NOW)).toMatchObject([{ type: 'warning' }]);
});
