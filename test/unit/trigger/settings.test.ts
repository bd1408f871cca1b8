import type { INodeParameters, IPollFunctions } from 'n8n-workflow';

import { nodeWith } from '../node';
import { readSettings } from '../../../nodes/CrossChainBridge/trigger/settings';

const HASH = `0x${'ab'.repeat(32)}`;
const ALL = ['completed', 'refunded', 'failed'];
const hashes = (count: number) =>
	Array.from({ length: count }, (_, i) => `0x1${i.toString(16).padStart(63, '0')}`);

function contextOf(
	getNodeParameter: (name: string, otherwise: unknown) => unknown,
	webhookId?: string,
	typed: INodeParameters = {},
): IPollFunctions {
	const node = nodeWith({ name: 'Trigger', webhookId, parameters: typed });
	return { getNode: () => node, getNodeParameter } as unknown as IPollFunctions;
}

const contextWith = (parameters: Record<string, unknown>, webhookId = 'its-own') =>
	contextOf((name, otherwise) => (name in parameters ? parameters[name] : otherwise), webhookId);

const settingsOf = (parameters: Record<string, unknown>, webhookId?: string) =>
	readSettings(contextWith(parameters, webhookId));

const byEvents = (events: unknown, chosen: string[]) =>
	[`events ${JSON.stringify(events)}`, { events }, { rules: { events: new Set(chosen) } }] as const;
const byDelivery = (delivery: string, redelivers: boolean) =>
	[`the delivery ${delivery}`, { options: { delivery } }, { rules: { redelivers } }] as const;
const byCheckEvery = (checkEvery: unknown, intervalMs: number) =>
	[`Check Every of ${String(checkEvery)}`, { options: { checkEvery } }, { intervalMs }] as const;
const byDelayedAfter = (delayedAfter: unknown, delayedAfterMs: number) =>
	[
		`Delayed After ${String(delayedAfter)}`,
		{ events: ['delayed'], delayedAfter },
		{ rules: { delayedAfterMs } },
	] as const;

const EVERY = [...ALL, 'delayed', 'expired', 'interrupted', 'watchEnded'];
const DEFAULTS = {
	listed: new Map(),
	acceptsOrders: false,
	simplify: true,
	keepChecking: true,
	intervalMs: 5000,
	rules: { events: new Set(ALL), includeFinished: true, redelivers: false },
};

test.each<readonly [string, Record<string, unknown>, object]>([
	['nothing that anybody has filled in', {}, DEFAULTS],
	[
		'switches as text from an expression, which mean what they say',
		{ options: { keepChecking: 'false', includeFinished: 'false' } },
		{ keepChecking: false, rules: { includeFinished: false } },
	],
	byEvents(['anyFinalStatus'], ALL),
	byEvents(['anyEvent'], EVERY),
	byEvents(['anyEvent', 'failed'], EVERY),
	byEvents(['anyFinalStatus', 'watchEnded'], [...ALL, 'watchEnded']),
	byEvents(['anyFinalStatus', 'failed'], ALL),
	byEvents(['failed', 'completed'], ['completed', 'failed']),
	byEvents(['expired', 'interrupted'], ['expired', 'interrupted']),
	byEvents('completed', ['completed']),
	byDelivery('atLeastOnce', true),
	byDelivery('atMostOnce', false),
	byEvents(['Any Final Status', 'Watching Interrupted'], [...ALL, 'interrupted']),
	byEvents('completed, Refunded', ['completed', 'refunded']),
	byDelivery('At Least Once', true),
	byCheckEvery('2,5', 2_500),
	byCheckEvery(1, 1_000),
	byCheckEvery('10', 10_000),
	byCheckEvery(2.5, 2_500),
	byDelayedAfter('10', 600_000),
	['1,000 orders', { sourceHashes: hashes(1000) }, {}],
])('read: %s', (_what, given, settings) => {
	expect(settingsOf(given)).toMatchObject({ error: null, settings });
});

const LINE_1 = "Line 1 of 'Source Transaction Hashes'";
const ONE = `${LINE_1}: 'one' is not a transaction hash`;
test.each<[string, Record<string, unknown>, string, RegExp]>([
	[
		'a line',
		{ sourceHashes: `${HASH}\nmy orders` },
		"Line 2 of 'Source Transaction Hashes': 'my orders' is not a transaction hash",
		/^Enter the complete hash/,
	],
	[
		'a list that an expression does not give',
		{ sourceHashes: null },
		"'Source Transaction Hashes' is empty",
		/If it comes from an expression, check the data that it reads\.$/,
	],
	[
		'a list that is absent',
		{ sourceHashes: undefined },
		"'Source Transaction Hashes' is empty",
		/If it comes from an expression/,
	],
	[
		'more orders than one trigger watches',
		{ sourceHashes: hashes(1001) },
		'The list has 1001 source transaction hashes; one trigger watches up to 1000',
		/^Remove orders that have finished, or use several triggers\.$/,
	],
	[
		'a time that an expression does not give',
		{ events: ['delayed'], delayedAfter: null },
		"'Delayed After (Minutes)' is empty",
		/If it comes from an expression/,
	],
	[
		'a time with a unit',
		{ events: ['delayed'], delayedAfter: '10 min' },
		"'Delayed After (Minutes)' cannot be '10 min'",
		/without a sign or a unit, for example 5\.$/,
	],
	[
		'a time of nothing',
		{ options: { checkEvery: 0 } },
		"'Check Every (Seconds)' cannot be '0'",
		/of 1 or more/,
	],
	[
		'no event',
		{ events: [] },
		"'Events' is empty",
		/^Choose Any Event, Any Final Status, Completed, /,
	],
	['an event that is none', { events: 'finished' }, "'Events' cannot be 'finished'", /^Choose /],
	['one of several', { events: ['completed', 'done'] }, "'Events' cannot be 'done'", /^Choose /],
	['a switch that is none', { simplify: 'yes' }, "'Simplify' cannot be 'yes'", /true or false/],
	[
		'a way of delivery that is none',
		{ options: { delivery: 'exactlyOnce' } },
		"'Delivery' cannot be 'exactlyOnce'",
		/^Choose At Least Once or At Most Once\.$/,
	],
	['two lines', { sourceHashes: 'one\ntwo' }, ONE, / One more line needs a correction\.$/],
	['three lines', { sourceHashes: 'one\ntwo\nthree' }, ONE, / 2 more lines need a correction\.$/],
	[
		'a large reference',
		{ sourceHashes: [{ sourceHash: HASH, reference: 'x'.repeat(3000) }] },
		`Row 1 (${'x'.repeat(40)}…) of 'Source Transaction Hashes': the reference is larger than 2 KB`,
		/Shorten/,
	],
])('refused with a sentence that says what to correct: %s', (_what, given, message, remedy) => {
	const description: unknown = expect.stringMatching(remedy);
	expect(settingsOf(given)).toMatchObject({ error: { message, description } });
});

test('the orders of the list come in its order, with their names and links', () => {
	const link = `https://etherscan.io/tx/${HASH}`;
	const other = `0x${'cd'.repeat(32)}`;
	expect(settingsOf({ sourceHashes: `${other}\nRent: ${link}` })).toMatchObject({
		error: null,
		settings: {
			isListWhole: true,
			listed: new Map([
				[other, expect.objectContaining({ sourceHash: other, reference: null, link: null })],
				[HASH, expect.objectContaining({ sourceHash: HASH, reference: 'Rent', link })],
			]),
		},
	});
});

test.each<[INodeParameters, boolean]>([
	[{ sourceHashes: HASH }, true],
	[{ sourceHashes: '' }, true],
	[{}, true],
	[{ sourceHashes: `=Rent: ${HASH}` }, true],
	[{ sourceHashes: `Rent {{ 1 }}: ${HASH}` }, true],
	[{ sourceHashes: `Rent = {{ 1 }}: ${HASH}` }, true],
	[{ sourceHashes: '={{ $vars.orders }}' }, false],
	[{ sourceHashes: `=${HASH}\n{{ $vars.orders }}` }, false],
])(
	'a list that a person types is told apart from one that an expression gives: %j',
	(parameters, isListByHand) => {
		const context = contextOf((_name, otherwise) => otherwise, 'its-own', parameters);
		const given = (name: string, otherwise: unknown) =>
			name === 'sourceHashes' ? HASH : otherwise;
		expect(readSettings({ ...context, getNodeParameter: given } as IPollFunctions)).toMatchObject({
			settings: { isListByHand },
		});
	},
);

const WHOLE = {
	sourceHashes: `Rent: ${HASH}`,
	acceptOrders: true,
	events: ['failed', 'delayed'],
	delayedAfter: 10,
	simplify: false,
	options: { checkEvery: 7, keepChecking: false, includeFinished: false, delivery: 'atLeastOnce' },
};
const WRONG: Array<[string, Record<string, unknown>]> = [
	['events', { events: 'finished' }],
	['delayedAfter', { delayedAfter: 'soon' }],
	['simplify', { simplify: 'yes' }],
	['acceptOrders', { acceptOrders: null }],
	['checkEvery', { options: { checkEvery: 'x' } }],
	['keepChecking', { options: { keepChecking: 1 } }],
	['includeFinished', { options: { includeFinished: '' } }],
	['delivery', { options: { delivery: {} } }],
];
/** What starts the workflow counts as far as it can be read: otherwise a workflow for completed orders would start for others. */
const AFTER_RESTART: Record<string, object> = {
	events: { events: new Set(EVERY) },
	includeFinished: { includeFinished: true },
	delivery: { redelivers: false },
};
test.each(WRONG)(
	'if a field cannot be read after a restart, the others have their defaults, except what starts the workflow and how often, and nothing more is watched than the saved orders, until it is corrected: %s',
	(name, wrong) => {
		const options = { ...WHOLE.options, ...Object(wrong.options) };
		const given = { ...WHOLE, ...wrong, options };
		const first = readSettings(contextWith(given));
		const rules = {
			events: new Set(['failed', 'delayed']),
			includeFinished: false,
			redelivers: true,
			delayedAfterMs: 300_000,
			...AFTER_RESTART[name],
		};
		const settings = { ...DEFAULTS, wholeList: null, rules };
		expect(first).toMatchObject({ error: expect.any(Error), settings });
		expect(first.settings.rules).toEqual(rules);
		expect(readSettings(contextWith(given), first.settings)).toEqual(first);
		const corrected = readSettings(contextWith(WHOLE), first.settings);
		expect(corrected).toEqual(readSettings(contextWith(WHOLE)));
		expect([...corrected.settings.listed.keys()]).toEqual([HASH]);
	},
);

test('if the expression of all options fails after a restart, the events count all the same', () => {
	const fails = (name: string): unknown => {
		if (name === 'options') throw new Error('no such variable');
		return (WHOLE as Record<string, unknown>)[name];
	};
	const { settings } = readSettings(contextOf(fails, 'its-own'));
	expect(settings.rules).toMatchObject({
		events: new Set(['failed', 'delayed']),
		redelivers: false,
	});
});

test.each(WRONG)(
	'if a field cannot be read, all have their last values, and the list is read: %s',
	(_name, wrong) => {
		const { settings } = readSettings(contextWith(WHOLE));
		const changed = { acceptOrders: false, events: ['completed', 'delayed'], delayedAfter: 20 };
		const sourceHashes = hashes(1);
		const given = { ...WHOLE, ...changed, options: { checkEvery: 9 }, sourceHashes, ...wrong };
		const later = readSettings(contextWith(given), settings);
		const { listed, wholeList } = settingsOf({ sourceHashes }).settings;
		expect(later).toEqual({
			error: expect.any(Error),
			settings: { ...settings, listed, wholeList },
		});
	},
);

test('of several fields that cannot be read, the first is what the user has to correct, before the list', () => {
	const wrong = { delayedAfter: 'soon', simplify: 'yes', options: { delivery: {} } };
	expect(settingsOf({ sourceHashes: 'one', events: ['delayed'], ...wrong })).toMatchObject({
		error: { message: "'Delayed After (Minutes)' cannot be 'soon'" },
	});
});

test('the options are asked for once a poll, because n8n evaluates the expressions in all of them each time', () => {
	const asked: string[] = [];
	const given: Record<string, unknown> = WHOLE;
	readSettings(contextOf((name) => (asked.push(name), given[name]), 'its-own'));
	expect(asked.filter((name) => name === 'options')).toHaveLength(1);
});

test('a row that cannot be read costs only that row, and what was listed before stays', () => {
	const others = hashes(3);
	const before = readSettings(contextWith({ sourceHashes: `Rent: ${HASH}` })).settings;
	const given = {
		sourceHashes: [others[0], { sourceHash: 'a wallet', reference: 'Bad' }, others[1]],
	};
	const message = expect.stringMatching(/^Row 2 \(Bad\) of /) as unknown;
	expect(readSettings(contextWith(given), before)).toMatchObject({
		error: { message },
		settings: {
			isListWhole: false,
			wholeList: before.listed,
			listed: new Map([HASH, others[0], others[1]].map((hash) => [hash, expect.anything()])),
		},
	});
});

const ENDLESS: unknown[] = [];
ENDLESS.push(ENDLESS);

test.each([
	['nothing', null],
	['a number', 7],
	['a switch', false],
	['a page', '<html>502</html>'],
	['a list that contains itself', ENDLESS],
	['an object without a hash', { rows: 3 }],
	['an empty object', {}],
	['too many orders', hashes(1001)],
])('a list that gives %s leaves what was listed before', (_what, sourceHashes) => {
	const before = readSettings(contextWith({ sourceHashes: HASH })).settings;
	const read = readSettings(contextWith({ sourceHashes }), before);
	expect(read).toMatchObject({
		error: expect.any(Error),
		settings: { wholeList: before.listed },
	});
	expect([...read.settings.listed.keys()]).toEqual([HASH]);
});

test('an expression that cannot be evaluated is what the user has to correct', () => {
	const error = new Error('$env is not available');
	const context = contextOf(() => {
		throw error;
	});
	const message = `The expression in 'Events' fails with: ${error.message}`;
	const description = 'Correct the expression, or check the data that it reads.';
	expect(readSettings(context)).toMatchObject({
		error: { message, description },
		settings: { ...DEFAULTS, rules: { ...DEFAULTS.rules, events: new Set(EVERY) } },
	});
});

test.each(['', ':id', 'orders/:id', '*', '(.*)', 'a/b', 'a?b'])(
	'the webhook ID "%s" is no address of its own: no orders are accepted by it',
	(webhookId) => {
		const read = settingsOf({ acceptOrders: true }, webhookId);
		expect(read).toMatchObject({
			error: { message: expect.stringContaining('has no webhook URL of its own') },
		});
		expect(settingsOf({ acceptOrders: false, sourceHashes: HASH }, webhookId).error).toBe(null);
	},
);

test.each(['8f0d6c52-8f04-4f3c-9c2c-0d5d3b7e7b11', 'orders_of-us-1'])(
	'the webhook ID "%s" is an address',
	(webhookId) => {
		expect(settingsOf({ acceptOrders: true }, webhookId).error).toBe(null);
	},
);
