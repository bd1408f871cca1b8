import type { IDataObject } from 'n8n-workflow';

import { hintsOf } from '../../../nodes/CrossChainBridge/operations/hints';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);
const seconds = (after: number) => NOW / 1000 + after;
const iso = (after: number) => new Date(NOW + after * 1000).toISOString();

const messages = (operation: string, ...items: IDataObject[]) =>
	hintsOf(operation, [items.map((json) => ({ json }))], NOW).map(
		({ type, message }) => `${type}: ${message}`,
	);

test.each<[string, IDataObject[], string[]]>([
	[
		'an expired quote',
		[{ expiry: seconds(0) }],
		['warning: This quote has expired. Get a new one before you submit its transaction.'],
	],
	[
		'some expired quotes',
		[{ expiry: seconds(-1) }, { expiry: seconds(9) }, {}],
		['warning: 1 of these 3 quotes has expired. Get a new one before you submit its transaction.'],
	],
	[
		'a quote that expires soon',
		[{ expiry: String(seconds(300)) }],
		[
			'info: This quote expires at 12:05:00 UTC. Submit its transaction before that, or get a new one.',
		],
	],
	[
		'a simplified quote that expires soon',
		[{ expiresAt: iso(300) }],
		[
			'info: This quote expires at 12:05:00 UTC. Submit its transaction before that, or get a new one.',
		],
	],
	[
		'a quote in the older shape',
		[{ quote: { expiry: seconds(300) } }],
		[
			'info: This quote expires at 12:05:00 UTC. Submit its transaction before that, or get a new one.',
		],
	],
	[
		'quotes that expire soon',
		[{ expiry: seconds(300) }, { expiry: seconds(60) }],
		[
			'info: The first of these quotes expires at 12:01:00 UTC. Submit its transaction before that, or get a new one.',
		],
	],
	['a quote that is good for a day', [{ expiry: seconds(86_400) }], []],
	['a quote that states no expiry', [{}], []],
	['an expiry that is none', [{ expiry: 'soon' }, { expiry: null }, { expiry: 0 }], []],
	[
		'several expired quotes',
		[{ expiry: seconds(-1) }, { expiry: seconds(0) }],
		['warning: 2 of these 2 quotes have expired. Get a new one before you submit its transaction.'],
	],
	[
		'a quote that is good for ten minutes',
		[{ expiry: seconds(600) }],
		[
			'info: This quote expires at 12:10:00 UTC. Submit its transaction before that, or get a new one.',
		],
	],
	['a quote that is good for longer', [{ expiry: seconds(601) }], []],
	['no quote', [], []],
])('Get Quote: %s', (_name, items, hints) => {
	expect(messages('getQuote', ...items)).toEqual(hints);
});

const ONE_OPEN = [
	expect.stringMatching(/^warning: An order has been open for more than 5 minutes\. .*refunded/),
];

test.each<[string, IDataObject[], unknown[]]>([
	['an order open for long', [{ status: 'pending', createdAt: iso(-301) }], ONE_OPEN],
	['an unknown status word', [{ status: 'resting', createdAt: iso(-301) }], ONE_OPEN],
	[
		'an order as the service gives it',
		[{ status: 'executing', timing: { createdAt: seconds(-301) } }],
		ONE_OPEN,
	],
	[
		'an order inside of an item',
		[{ status: 'pending', order: { status: 'pending', timing: { createdAt: seconds(-301) } } }],
		ONE_OPEN,
	],
	[
		'two of three',
		[
			{ status: 'pending', createdAt: iso(-400) },
			{ status: 'completed', createdAt: iso(-400) },
			{ status: 'pending', createdAt: iso(-400) },
		],
		[expect.stringContaining('2 orders have been open for more than 5 minutes.')],
	],
	[
		'an order that is called open, and has finished inside of its item',
		[{ status: 'pending', order: { status: 'completed', timing: { createdAt: seconds(-4000) } } }],
		[],
	],
	['an order that states no beginning', [{ status: 'pending' }], []],
	['a young order', [{ status: 'pending', createdAt: iso(-300) }], []],
	['a finished order', [{ status: 'refunded', createdAt: iso(-4000) }], []],
	['an order that is not found', [{ status: 'notFound', createdAt: null, order: null }], []],
	['an item that failed', [{ error: { message: 'x' } }], []],
])('orders: %s', (_name, items, hints) => {
	expect(messages('getStatus', ...items)).toEqual(hints);
	expect(messages('waitForCompletion', ...items)).toEqual(hints);
});

test('no words of the service stand in a hint, and no other operation has any', () => {
	const item = { status: '<b>bold</b>', expiry: seconds(-1), createdAt: iso(-4000) };
	expect(messages('getStatus', item).join()).not.toContain('<');
	expect(messages('getConfig', item)).toEqual([]);
});

test('a hint stands above the output, for the items of all outputs', () => {
	const open = { json: { status: 'pending', createdAt: iso(-400) } };
	expect(hintsOf('waitForCompletion', [[], [open], [open]], NOW)).toEqual([
		{
			type: 'warning',
			location: 'outputPane',
			message:
				'2 orders have been open for more than 5 minutes. An order that stays pending for so long may be refunded. Check again later, or use the Cross-Chain Bridge Trigger to be notified.',
		},
	]);
});
