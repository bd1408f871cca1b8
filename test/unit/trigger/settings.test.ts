import type { IPollFunctions } from 'n8n-workflow';

import { booleanOf } from '../../../nodes/CrossChainBridge/orders/values';
import { readSettings } from '../../../nodes/CrossChainBridge/trigger/settings';

const HASH = `0x${'ab'.repeat(32)}`;

function contextOf(
	getNodeParameter: (name: string, otherwise: unknown) => unknown,
): IPollFunctions {
	const node = {
		id: '1',
		name: 'Trigger',
		type: 'trigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		webhookId: 'its own',
	};
	return { getNode: () => node, getNodeParameter } as unknown as IPollFunctions;
}

function settingsOf(parameters: Record<string, unknown>, redelivers = true) {
	return readSettings(
		contextOf((name, otherwise) => (name in parameters ? parameters[name] : otherwise)),
		redelivers,
	);
}

test.each<[unknown, boolean, boolean]>([
	[true, false, true],
	[false, true, false],
	['true', false, true],
	['false', true, false],
	[' False ', true, false],
	['TRUE', false, true],
	['no', true, true],
	['', false, false],
	[undefined, true, true],
	[null, true, true],
	[0, true, true],
	[1, false, false],
])('a switch given as %j, by default %j, is %j', (given, byDefault, expected) => {
	expect(booleanOf(given, byDefault)).toBe(expected);
});

test('what nobody has filled in', () => {
	expect(settingsOf({})).toMatchObject({
		ok: true,
		settings: {
			listed: [],
			acceptsOrders: false,
			listsByWebhook: false,
			emitsWatchExpired: false,
			rules: {
				events: ['completed', 'refunded', 'failed'],
				includeFinished: true,
				redelivers: false,
			},
			simplify: true,
			keepChecking: true,
			intervalMs: 5000,
		},
	});
});

test('switches as text from an expression mean what they say', () => {
	const given = {
		acceptOrders: 'true',
		simplify: 'false',
		keepChecking: 'false',
		options: { includeFinished: 'false', listByWebhook: 'true' },
	};
	expect(settingsOf(given)).toMatchObject({
		settings: {
			acceptsOrders: true,
			simplify: false,
			keepChecking: false,
			listsByWebhook: true,
			rules: { includeFinished: false },
		},
	});
});

test.each<[unknown, string[], boolean]>([
	[['anyFinalStatus'], ['completed', 'refunded', 'failed'], false],
	[['anyFinalStatus', 'watchExpired'], ['completed', 'refunded', 'failed'], true],
	[['anyFinalStatus', 'failed'], ['completed', 'refunded', 'failed'], false],
	[['failed', 'completed'], ['completed', 'failed'], false],
	[['watchExpired'], [], true],
	[[], [], false],
	['completed', [], false],
])('the events %j', (events, statuses, emitsWatchExpired) => {
	expect(settingsOf({ events })).toMatchObject({
		settings: { rules: { events: statuses }, emitsWatchExpired },
	});
});

test.each([
	['atLeastOnce', true],
	['atMostOnce', false],
	['else', false],
])('the delivery %s', (delivery, redelivers) => {
	expect(settingsOf({ options: { delivery } })).toMatchObject({
		settings: { rules: { redelivers } },
	});
});

test.each<[string, unknown, string, string]>([
	[
		'a line',
		`${HASH}\nmy orders`,
		"Line 2 of 'Source Transaction Hashes', 'my orders', is not a transaction hash",
		'one on each line',
	],
	[
		'several lines',
		'one\ntwo\nthree',
		"Line 1 of 'Source Transaction Hashes', 'one', is not a transaction hash",
		'2 more lines need a correction',
	],
	[
		'a large reference',
		[{ sourceHash: HASH, reference: 'x'.repeat(3000) }],
		"Line 1 of 'Source Transaction Hashes': the reference is larger than 2 KB",
		'Shorten',
	],
	[
		'too many',
		Array.from({ length: 1001 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`),
		'The list has 1001 source transaction hashes; one trigger watches up to 1000',
		'several triggers',
	],
])(
	'a list with %s fails with a sentence that says what to correct',
	(_name, sourceHashes, message, remedy) => {
		const read = settingsOf({ sourceHashes });
		expect(read).toMatchObject({
			ok: false,
			error: { message, description: expect.stringContaining(remedy) },
		});
	},
);

test.each<[unknown, number]>([
	['', 5000],
	[null, 5000],
	[0, 5000],
	[0.9, 5000],
	[-3, 5000],
	['soon', 5000],
	[Number.POSITIVE_INFINITY, 5000],
	[1, 1000],
	['10', 10_000],
	[2.5, 2500],
])('Check Every given as %j means %i ms', (checkEvery, intervalMs) => {
	expect(settingsOf({ checkEvery })).toMatchObject({ settings: { intervalMs } });
});

test('the durable engine commits state and execution together, so nothing has to come again there', () => {
	const options = { delivery: 'atLeastOnce' };
	expect(settingsOf({ options })).toMatchObject({ settings: { rules: { redelivers: true } } });
	expect(settingsOf({ options }, false)).toMatchObject({
		settings: { rules: { redelivers: false } },
	});
});

test('1,000 orders may be listed', () => {
	const hashes = Array.from({ length: 1000 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);
	expect(settingsOf({ sourceHashes: hashes })).toMatchObject({ ok: true });
});

test.each<[string, string, string]>([
	['one', 'one', 'A label may stand before it: "Invoice 4711: 0x…".'],
	['two', 'one\ntwo', 'One more line needs a correction.'],
	['three', 'one\ntwo\nthree', '2 more lines need a correction.'],
])('of %s faulty lines the first is named, the others are counted', (_count, sourceHashes, end) => {
	const read = settingsOf({ sourceHashes });
	expect(read.ok ? null : String(Reflect.get(read.error, 'description')).endsWith(end)).toBe(true);
});

test('an expression that cannot be evaluated is what the user has to correct', () => {
	const error = new Error('$env is not available');
	const read = readSettings(
		contextOf(() => {
			throw error;
		}),
	);
	expect(read).toEqual({ ok: false, error });
});

test('a row of the options that cannot be used is refused', () => {
	const read = settingsOf({
		options: { tokenDecimals: { token: [{ address: 'USDC', decimals: 6 }] } },
	});
	expect(read).toMatchObject({
		ok: false,
		error: {
			message: "Row 1 of 'Token Decimals' has no token address",
			description: expect.stringContaining('A symbol is not an address'),
		},
	});
});

test('decimals and explorers of the options are read', () => {
	const options = {
		tokenDecimals: { token: [{ address: '0x1', decimals: 6 }] },
		blockExplorers: { explorer: [{ network: 1, address: 'https://etherscan.io/tx/' }] },
	};
	expect(settingsOf({ options })).toMatchObject({
		settings: {
			display: {
				tokenDecimals: new Map([['0x1', 6]]),
				explorers: new Map([['1', 'https://etherscan.io/tx/']]),
			},
		},
	});
});
