import fs from 'node:fs';
import path from 'node:path';

import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { type ItemForm, triggerItem } from '../../../nodes/CrossChainBridge/trigger/item';

/** What a workflow gets for an order. */

const HASH = `0x${'Ab'.repeat(32)}`;
const KEY = HASH.toLowerCase();
const OTHER = `0x${'cd'.repeat(32)}`;
const AT = Date.parse('2026-01-01T00:00:05.250Z');
const SIMPLE = { simplify: true, display: PLAIN_DISPLAY };
const RAW = { simplify: false, display: PLAIN_DISPLAY };

type TriggerItemSource = Parameters<typeof triggerItem>[0];

const SOURCE: TriggerItemSource = {
	sourceHash: HASH,
	order: { status: 'completed' },
	reference: undefined,
	event: 'completed',
	previousStatus: null,
	detectedAt: AT,
};
const itemOf = (more: Partial<TriggerItemSource> = {}, form: ItemForm = SIMPLE) =>
	triggerItem({ ...SOURCE, ...more }, form);

const TEN =
	'event summary status reference sent received recipient finishedAt link sourceHash'.split(' ');

test('a simplified item: ten fields, in the order of use, as the output schema lists them', () => {
	const listed = new Map([[KEY, { link: 'https://a.example/tx/1' }]]);
	const posted = 'https://b.example/tx/2';
	const item = itemOf({ reference: 'Invoice 7', link: posted }, { ...SIMPLE, listed });
	expect(Object.keys(item)).toEqual(TEN);
	expect(item).toMatchObject({
		event: 'completed',
		summary: '✅ Order “Invoice 7”: order 0xAbAb…AbAb was completed',
		status: 'completed',
		reference: 'Invoice 7',
		link: 'https://a.example/tx/1',
		sourceHash: HASH,
	});
	const schema = path.join(__dirname, '../../../nodes/CrossChainBridge/__schema__/v1.0.0.json');
	const { properties } = JSON.parse(fs.readFileSync(schema, 'utf8')) as { properties: object };
	expect(Object.keys(properties)).toEqual(TEN);
});

test('an order that is not in the list has the link of its post', () => {
	const listed = new Map([[OTHER, { link: 'https://a.example/tx/1' }]]);
	const link = 'https://b.example/tx/2';
	expect(itemOf({ link }, { ...SIMPLE, listed })).toMatchObject({ link });
});

test.each<[string | null, object]>([
	[null, { watchedSince: '2025-12-30T00:00:00.000Z' }],
	['watchEnded', { watchedSince: '2025-12-30T00:00:00.000Z' }],
	['completed', {}],
	['delayed', {}],
])('since when an order is watched is told with the event %j as %j', (event, expected) => {
	const watchedSince = Date.parse('2025-12-30T00:00:00Z');
	const item = itemOf({ event, order: { status: 'pending' }, watchedSince }, RAW);
	expect('watchedSince' in item ? { watchedSince: item.watchedSince } : {}).toEqual(expected);
	expect(itemOf({ event, order: null, watchedSince })).not.toHaveProperty('watchedSince');
});

test.each([
	[true, { redelivered: true }],
	[false, {}],
	[undefined, {}],
])('redelivered as %j', (redelivered, expected) => {
	const { redelivered: shown } = itemOf({ redelivered });
	expect(shown === undefined ? {} : { redelivered: shown }).toEqual(expected);
});

test('a test event of an open order has its status, and no event of which there is an ID', () => {
	const item = itemOf({ order: null, event: null });
	expect(Object.keys(item)).toEqual(TEN);
	expect(item).toMatchObject({ event: null, status: 'notFound' });
	const expected = { status: 'notFound', order: null, eventId: null };
	expect(itemOf({ order: null, event: null }, RAW)).toMatchObject(expected);
	expect(itemOf({ order: {}, event: null })).toMatchObject({ status: null });
});

test('an order that could not be checked has the reason in its item, and what is doubtful about its hash', () => {
	const whyNotChecked = 'The bridge does not accept the hash';
	const short = { sourceHash: HASH.slice(0, -1), order: null, reference: 'Rent', whyNotChecked };
	const summary =
		'⏳ Order “Rent”: order 0xAbAb…bAbA could not be checked. The bridge does not accept the hash. It has 63 digits; hashes of most networks have 64.';
	expect(itemOf({ ...short, event: null })).toMatchObject({ summary, status: 'notChecked' });
	const expected = { event: 'delayed', summary, status: 'notChecked', outcome: null, order: null };
	expect(itemOf({ ...short, event: 'delayed' }, RAW)).toMatchObject(expected);
});

test.each([HASH, KEY.slice(2)])(
	'an event of %s is recognized by that hash, whatever the response states',
	(sourceHash) => {
		const order = { status: 'completed', input: { txHash: OTHER } };
		const eventId = `${KEY}:completed`;
		expect(itemOf({ order, sourceHash }, RAW)).toMatchObject({ eventId, sourceHash });
	},
);

test.each<[string, Partial<TriggerItemSource>, object]>([
	[
		'never found',
		{},
		{
			summary:
				'⏳ Order “Rent”: the bridge has not found order 0xAbAb…AbAb yet. Check the hash. The trigger has stopped watching it.',
			status: 'notFound',
		},
	],
	[
		'not accepted',
		{ whyNotChecked: 'The bridge does not accept the hash' },
		{
			summary:
				'⏳ Order “Rent”: order 0xAbAb…AbAb could not be checked. The bridge does not accept the hash. The trigger has stopped watching it.',
			status: 'notChecked',
		},
	],
	[
		'open',
		{ order: { status: 'executing' } },
		{
			summary:
				'⏳ Order “Rent”: order 0xAbAb…AbAb is still executing. The trigger has stopped watching it.',
			status: 'executing',
		},
	],
	[
		'found once',
		{ lastStatus: 'pending' },
		{
			summary:
				'⏳ Order “Rent”: the bridge no longer finds order 0xAbAb…AbAb, which was pending. The trigger has stopped watching it.',
			status: 'notFound',
		},
	],
])('a watch that is over, of an order that was %s', (_what, more, item) => {
	const watchedSince = Date.parse('2025-12-30T00:00:00Z');
	const source = { order: null, event: 'watchEnded', reference: 'Rent', watchedSince, ...more };
	expect(itemOf(source, RAW)).toMatchObject({
		event: 'watchEnded',
		watchedSince: '2025-12-30T00:00:00.000Z',
		...item,
	});
});

test('the names are the same with Simplify on and off', () => {
	const names = Object.keys(itemOf({ redelivered: true }, RAW));
	expect(names).toEqual(expect.arrayContaining([...TEN, 'redelivered', 'outcome', 'eventId']));
	expect(names.slice(0, TEN.length)).toEqual(TEN);
});

test('what was expected is compared, and said', () => {
	const expected = { recipient: '0xab', minimumReceived: null };
	const order = { status: 'completed', output: { address: '0xcd', amount: '5' } };
	expect(itemOf({ order, expected, reference: 'Rent' })).toMatchObject({
		asExpected: false,
		summary: '⚠️ Order “Rent”: the 5 smallest units arrived at another wallet (0xcd)',
	});
});

test('an order that is late or failed has the bridge’s page of it in its message', () => {
	const display = { ...PLAIN_DISPLAY, orderPage: 'https://bridge.example/{hash}' };
	const summaryOf = (event: string | null, status: string) =>
		itemOf({ event, order: { status } }, { simplify: true, display }).summary;
	for (const [event, status] of [
		['delayed', 'pending'],
		['expired', 'pending'],
		['failed', 'failed'],
	] as const)
		expect(summaryOf(event, status)).toMatch(/\. https:\/\/bridge\.example\/0xAb/);
	expect(summaryOf('completed', 'completed')).not.toContain('https');
	expect(summaryOf(null, 'pending')).not.toContain('https');
});
