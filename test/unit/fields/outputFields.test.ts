import { outputProperties, shapedItem } from '../../../nodes/CrossChainBridge/fields/outputFields';
import type { OperationInput } from '../../../nodes/CrossChainBridge/fields/parameters';
import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { orderItem } from '../../../nodes/CrossChainBridge/orders/orderItem';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);

const DISPLAY = {
	...PLAIN_DISPLAY,
	networks: [{ chainID: 1, baseToken: 'smallest units', decimals: 18, tokens: {} }],
};
const NATIVE = `0x${'0'.repeat(40)}`;
const readable = { chainId: 1, token: NATIVE, amount: `5${'0'.repeat(18)}` };
const raw = { chainId: 1, token: '0xab', amount: '5' };

const ADVICE =
	"The bridge does not state the decimals of a token, so its amount is shown in the smallest unit. To see it in token units, add the option 'Token Decimals'.";

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
		const hints: string[] = [];
		const input = {
			context: { getNode: () => ({ type: 'bridge' }), getNodeParameter: () => simplify },
			onRawAmount: (hint: string) => void hints.push(hint),
		} as unknown as OperationInput;
		shapedItem(input, 'sourceHash', item, DISPLAY);
		expect(hints).toEqual(isGiven ? [ADVICE] : []);
	}
});

test('an agent for which no fields were selected gets the summary, and the ID always', () => {
	const properties = outputProperties('quoteId', { quoteId: '1', summary: 'sent', route: 'A → B' });
	const fields = properties.find(({ name }) => name === 'fields');
	const offered = fields?.options?.map((option) => 'value' in option && option.value);
	expect([offered, fields?.default]).toEqual([['route', 'summary'], ['summary']]);
});
