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

const DECIMALS = [
	expect.stringMatching(/^info: .*smallest unit\. .* add the option 'Token Decimals'\.$/),
];

test.each<[string, IDataObject[], unknown[]]>([
	[
		'an amount whose decimals are not known',
		[{ sent: '5 smallest units of token 0xab' }],
		DECIMALS,
	],
	['one of the smallest unit', [{ sent: '1 smallest unit of USDC' }], DECIMALS],
	['one of several', [{ sent: '0.5 ETH' }, { received: '5 smallest units' }], DECIMALS],
	['amounts that are readable', [{ sent: '0.5 ETH', received: null }], []],
	['an item that failed', [{ error: { message: 'x' } }], []],
])('amounts: %s', (_name, items, hints) => {
	for (const operation of ['getStatus', 'waitForCompletion', 'getQuote'])
		expect(messages(operation, ...items)).toEqual(hints);
});

test('no words of the service stand in a hint, and no other operation has any', () => {
	const item = { sent: '5 smallest units of <b>bold</b>', expiry: seconds(-1) };
	expect(messages('getStatus', item).join()).not.toContain('<');
	expect(messages('getConfig', item)).toEqual([]);
});

test('a hint stands above the output, for the items of all outputs', () => {
	const raw = { json: { sent: '5 smallest units' } };
	expect(hintsOf('waitForCompletion', [[], [raw], [raw]], NOW)).toMatchObject([
		{ type: 'info', location: 'outputPane' },
	]);
});
