import type { IPollFunctions } from 'n8n-workflow';

import { nodeWith } from '../node';
import { readSettings } from '../../../nodes/CrossChainBridge/trigger/settings';

const HASH = `0x${'ab'.repeat(32)}`;
const ALL = ['completed', 'refunded', 'failed'];
const hashes = (count: number) =>
	Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);

function contextOf(
	getNodeParameter: (name: string, otherwise: unknown) => unknown,
): IPollFunctions {
	const node = nodeWith({ name: 'Trigger', webhookId: 'its own' });
	return { getNode: () => node, getNodeParameter } as unknown as IPollFunctions;
}

const settingsOf = (parameters: Record<string, unknown>, redelivers = true) =>
	readSettings(
		contextOf((name, otherwise) => (name in parameters ? parameters[name] : otherwise)),
		redelivers,
	);

const byEvents = (events: unknown, statuses: string[], emitsWatchExpired = false) =>
	[
		`events ${JSON.stringify(events)}`,
		{ events },
		{ rules: { events: statuses, emitsWatchExpired } },
	] as const;
const byDelivery = (delivery: string, redelivers: boolean) =>
	[`the delivery ${delivery}`, { options: { delivery } }, { rules: { redelivers } }] as const;
const byCheckEvery = (checkEvery: unknown, intervalMs: number) =>
	[`Check Every of ${String(checkEvery)}`, { checkEvery }, { intervalMs }] as const;
const byDelayedAfter = (delayedAfter: unknown, delayedAfterMs: number) =>
	[
		`Delayed After ${String(delayedAfter)}`,
		{ events: ['delayed'], delayedAfter },
		{ rules: { delayedAfterMs } },
	] as const;

const NOT_TWICE = { redelivers: false, delayedAfterMs: undefined, emitsWatchExpired: false };
const DEFAULT_RULES = { events: ALL, includeFinished: true, ...NOT_TWICE };
const EMPTY = {
	...{ listed: new Map(), acceptsOrders: false, listsByWebhook: false },
	...{ simplify: true, keepChecking: true, intervalMs: 5000 },
};

test.each<readonly [string, Record<string, unknown>, object]>([
	['nothing that anybody has filled in', {}, { ...EMPTY, rules: DEFAULT_RULES }],
	[
		'switches as text from an expression, which mean what they say',
		{ keepChecking: 'false', options: { includeFinished: 'false' } },
		{ keepChecking: false, rules: { includeFinished: false } },
	],
	byEvents(['anyFinalStatus'], ALL),
	byEvents(['anyFinalStatus', 'watchExpired'], ALL, true),
	byEvents(['anyFinalStatus', 'failed'], ALL),
	byEvents(['failed', 'completed'], ['completed', 'failed']),
	byEvents(['watchExpired'], [], true),
	byEvents('completed', ['completed']),
	byDelivery('atLeastOnce', true),
	byDelivery('atMostOnce', false),
	byDelivery('else', false),
	byCheckEvery(null, 5_000),
	...['', 0, 0.9, -3, 'soon', Number.POSITIVE_INFINITY].flatMap((given) => [
		byCheckEvery(given, 5_000),
		byDelayedAfter(given, 300_000),
	]),
	byCheckEvery(1, 1_000),
	byCheckEvery('10', 10_000),
	byCheckEvery(2.5, 2_500),
	byDelayedAfter('10', 600_000),
	['1,000 orders', { sourceHashes: hashes(1000) }, {}],
])('read: %s', (_what, given, settings) => {
	expect(settingsOf(given)).toMatchObject({ ok: true, settings });
});

const LINE_1 = "Line 1 of 'Source Transaction Hashes'";
const ONE = `${LINE_1}, 'one', is not a transaction hash`;
test.each<[string, Record<string, unknown>, string, RegExp]>([
	[
		'a line',
		{ sourceHashes: `${HASH}\nmy orders` },
		"Line 2 of 'Source Transaction Hashes', 'my orders', is not a transaction hash",
		/one on each line\. A label may stand before it: "Invoice 4711: 0x…"\.$/,
	],
	[
		'a list that an expression does not give',
		{ sourceHashes: null },
		"'Source Transaction Hashes' has no value: its expression gives nothing",
		/Correct the expression/,
	],
	[
		'a time that an expression does not give',
		{ events: ['delayed'], delayedAfter: null },
		"'Delayed After' has no value: its expression gives nothing",
		/Correct the expression/,
	],
	['no event', { events: [] }, "No event is chosen in 'Events'", /at least one/],
	['an event that is none', { events: 'finished' }, "No event is chosen in 'Events'", /at least/],
	['two lines', { sourceHashes: 'one\ntwo' }, ONE, / One more line needs a correction\.$/],
	['three lines', { sourceHashes: 'one\ntwo\nthree' }, ONE, / 2 more lines need a correction\.$/],
	[
		'a large reference',
		{ sourceHashes: [{ sourceHash: HASH, reference: 'x'.repeat(3000) }] },
		`${LINE_1}: the reference is larger than 2 KB`,
		/Shorten/,
	],
])('refused with a sentence that says what to correct: %s', (_what, given, message, remedy) => {
	const description: unknown = expect.stringMatching(remedy);
	expect(settingsOf(given)).toMatchObject({ ok: false, error: { message, description } });
});

test('the durable engine commits state and execution together, so nothing has to come again there', () => {
	expect(settingsOf({ options: { delivery: 'atLeastOnce' } }, false)).toMatchObject({
		settings: { rules: { redelivers: false } },
	});
});

test('an expression that cannot be evaluated is what the user has to correct', () => {
	const error = new Error('$env is not available');
	const context = contextOf(() => {
		throw error;
	});
	expect(readSettings(context)).toEqual({ ok: false, error });
});
