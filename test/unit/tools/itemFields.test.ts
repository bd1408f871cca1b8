import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { orderItem } from '../../../nodes/CrossChainBridge/orders/orderItem';
import { quoteItem } from '../../../nodes/CrossChainBridge/orders/quotes';
import { itemFields, type ItemKind, undocumented } from '../../../tools/itemFields';

const expected = { recipient: '', minimumReceived: null };

test.each<[ItemKind, object]>([
	['Get Quote', quoteItem({ quote: {}, asked: {} }, PLAIN_DISPLAY, 0).full],
	['Get Status', orderItem({ sourceHash: '', order: null, expected }, PLAIN_DISPLAY, 0).full],
])('all fields of %s are listed, each with its type', (kind, full) => {
	const fields = itemFields(kind);
	expect(fields.map(({ name }) => name)).toEqual(Object.keys(full));
	for (const { name, type } of fields)
		expect([name, type]).toEqual([
			name,
			expect.stringMatching(/^(text|number|boolean|list|object)$/),
		]);
});

test('the simplified quote has ten fields', () => {
	expect(itemFields('Get Quote').filter(({ isSimple }) => isSimple)).toHaveLength(10);
});

test('Wait for Completion adds how often and how long', () => {
	const added = itemFields('Wait for Completion').slice(itemFields('Get Status').length);
	expect(added.map(({ name, type }) => [name, type])).toEqual([
		['checks', 'number'],
		['waitedSeconds', 'number'],
	]);
});

test('a field without a row in a table is found', () => {
	const rows = itemFields('Get Quote').map(({ name }) => `| \`${name}\` | meaning |`);
	expect(undocumented('Get Quote', rows.join('\n'))).toEqual([]);
	expect(undocumented('Get Quote', rows.slice(1).join('\n'))).toEqual(['summary']);
	expect(undocumented('Get Quote', '')).toHaveLength(rows.length);
});
