import type { IPollFunctions } from 'n8n-workflow';

import { isOn, readSettings } from '../../../nodes/CrossChainBridge/trigger/settings';

const HASH = `0x${'ab'.repeat(32)}`;

function settingsOf(parameters: Record<string, unknown>) {
	const context = {
		getNode: () => ({ id: '1', name: 'Trigger', type: 'trigger', typeVersion: 1, position: [0, 0], parameters: {} }),
		getNodeParameter: (name: string, otherwise: unknown) => (name in parameters ? parameters[name] : otherwise),
	} as unknown as IPollFunctions;
	return readSettings(context);
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
	expect(isOn(given, byDefault)).toBe(expected);
});

test('what nobody has filled in', () => {
	expect(settingsOf({})).toMatchObject({
		ok: true,
		settings: {
			listed: [],
			acceptsOrders: false,
			listsByWebhook: false,
			emitsWatchExpired: false,
			rules: { events: ['completed', 'refunded', 'failed'], includeFinished: true, redelivers: false },
			simplify: true,
			keepChecking: true,
			intervalMs: 5000,
		},
	});
});

test('switches as text from an expression mean what they say', () => {
	const given = { acceptOrders: 'true', simplify: 'false', keepChecking: 'false', options: { includeFinished: 'false', listByWebhook: 'true' } };
	expect(settingsOf(given)).toMatchObject({
		settings: { acceptsOrders: true, simplify: false, keepChecking: false, listsByWebhook: true, rules: { includeFinished: false } },
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
	expect(settingsOf({ events })).toMatchObject({ settings: { rules: { events: statuses }, emitsWatchExpired } });
});

test.each([['atLeastOnce', true], ['atMostOnce', false], ['else', false]])('the delivery %s', (delivery, redelivers) => {
	expect(settingsOf({ options: { delivery } })).toMatchObject({ settings: { rules: { redelivers } } });
});

test.each<[string, unknown, string, string]>([
	['a line', `${HASH}\nmy orders`, "Line 2, 'my orders', is not a transaction hash", 'one on each line'],
	['several lines', 'one\ntwo\nthree', "Line 1, 'one', is not a transaction hash", '2 more lines need a correction'],
	['a large reference', [{ sourceHash: HASH, reference: 'x'.repeat(3000) }], 'Line 1: the reference is larger than 2 KB', 'Shorten'],
	['too many', Array.from({ length: 1001 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`), 'The list has 1001 source transaction hashes; one trigger watches up to 1000', 'several triggers'],
])('a list with %s fails with a sentence that says what to correct', (_name, sourceHashes, message, remedy) => {
	const read = settingsOf({ sourceHashes });
	expect(read).toMatchObject({ ok: false, error: { message, description: expect.stringContaining(remedy) } });
});
