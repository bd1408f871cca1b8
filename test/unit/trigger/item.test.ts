import { PLAIN_READING } from '../../../nodes/CrossChainBridge/orders/orderReading';
import type { PlainObject } from '../../../nodes/CrossChainBridge/orders/values';
import { unseenOrder, type WatchedOrder } from '../../../nodes/CrossChainBridge/state/state';
import {
	triggerItem,
	type TriggerItemSource,
	watchExpiredItem,
} from '../../../nodes/CrossChainBridge/trigger/item';

/** What a workflow gets for an order. */

const HASH = `0x${'Ab'.repeat(32)}`;
const KEY = HASH.toLowerCase();
const OTHER = `0x${'cd'.repeat(32)}`;
const AT = Date.parse('2026-01-01T00:00:05.250Z');
const SIMPLE = { simplify: true, reading: PLAIN_READING };
const RAW = { simplify: false, reading: PLAIN_READING };

const itemOf = (more: Partial<TriggerItemSource> = {}, form = SIMPLE) =>
	triggerItem(
		{
			sourceHash: HASH,
			order: { status: 'completed' },
			reference: undefined,
			event: 'completed',
			previousStatus: null,
			detectedAt: AT,
			...more,
		},
		form,
	);

test('a simplified item: what the user reads first stands first', () => {
	const item = itemOf({ reference: 'Invoice 7', previousStatus: 'executing' });
	expect(Object.keys(item).slice(0, 4)).toEqual(['event', 'summary', 'reference', 'eventId']);
	expect(item).toMatchObject({
		event: 'completed',
		summary: expect.stringContaining(HASH.slice(0, 6)),
		reference: 'Invoice 7',
		eventId: `${KEY}:completed`,
		status: 'completed',
		sourceHash: HASH,
		previousStatus: 'executing',
		detectedAt: '2026-01-01T00:00:05.250Z',
	});
	expect(item).not.toHaveProperty('redelivered');
	expect(item).not.toHaveProperty('order');
});

test('without Simplify it has the order as it came, and no summary', () => {
	const order = { status: 'failed', memo: { a: 1 } };
	expect(itemOf({ order, event: 'failed' }, RAW)).toEqual({
		event: 'failed',
		reference: null,
		eventId: `${KEY}:failed`,
		sourceHash: HASH,
		status: 'failed',
		order,
		previousStatus: null,
		detectedAt: '2026-01-01T00:00:05.250Z',
	});
});

test.each([
	[true, { redelivered: true }],
	[false, {}],
	[undefined, {}],
])('redelivered as %j', (redelivered, expected) => {
	const { redelivered: shown } = itemOf({ redelivered });
	expect(shown === undefined ? {} : { redelivered: shown }).toEqual(expected);
});

test('what a workflow does to the reference in its item changes nothing elsewhere', () => {
	const reference = { chat: { id: 7 } };
	const { reference: copy } = itemOf({ reference });
	expect(copy).toEqual(reference);
	expect((copy as typeof reference).chat).not.toBe(reference.chat);
});

test('an order that the service does not know, and one without a status', () => {
	expect(itemOf({ order: null, event: null })).toMatchObject({
		event: null,
		status: 'notFound',
		eventId: `${KEY}:notFound`,
		summary: expect.stringContaining('not known'),
	});
	expect(itemOf({ order: null, event: null }, RAW)).toMatchObject({
		status: 'notFound',
		order: null,
	});
	expect(itemOf({ order: {}, event: null })).toMatchObject({
		status: null,
		eventId: `${KEY}:unknown`,
	});
});

test('the event is recognised by the hash that was asked for, whatever the service’s answer states', () => {
	const order = { status: 'completed', input: { txHash: OTHER } };
	expect(itemOf({ order })).toMatchObject({ eventId: `${KEY}:completed`, sourceHash: HASH });
	expect(itemOf({ order, sourceHash: KEY.slice(2) })).toMatchObject({
		eventId: `${KEY}:completed`,
	});
});

test.each<[string, PlainObject | null, RegExp]>([
	['that is open', { status: 'pending' }, /is still open \(pending\) after 6 min$/],
	[
		'that was not found',
		null,
		/^The bridge has not found order 0xAbAb…AbAb after 6 min\. Check the hash\.$/,
	],
])('a delayed order %s says since when', (_what, order, summary) => {
	expect(itemOf({ order, event: 'delayed', beganAt: AT - 360_000 })).toMatchObject({
		event: 'delayed',
		eventId: `${KEY}:delayed`,
		summary: expect.stringMatching(summary),
		status: order === null ? 'notFound' : 'pending',
	});
});

describe('a watch that has expired', () => {
	const watched = (more: Partial<WatchedOrder> = {}) =>
		unseenOrder(
			HASH,
			{ listed: false, posted: { at: 5, reference: 'posted' }, ...more },
			Date.parse('2025-12-30T00:00:00Z'),
		);

	test('says which order, what was known of it, and since when it was watched', () => {
		expect(watchExpiredItem(watched({ status: 'executing' }), AT, SIMPLE)).toMatchObject({
			event: 'watchExpired',
			summary: expect.stringMatching(/is not finished, and its watch has expired$/),
			reference: 'posted',
			eventId: `${KEY}:watchExpired`,
			status: 'executing',
			sourceHash: HASH,
			isFinal: false,
			outcome: null,
			previousStatus: 'executing',
			watchedSince: '2025-12-30T00:00:00.000Z',
			detectedAt: '2026-01-01T00:00:05.250Z',
		});
	});

	test.each([true, false])('redelivered as %j', (redelivered) => {
		for (const form of [SIMPLE, RAW])
			expect(watchExpiredItem(watched({ redelivered }), AT, form).redelivered).toBe(
				redelivered ? true : undefined,
			);
	});

	test('without Simplify', () => {
		expect(watchExpiredItem(watched(), AT, RAW)).toEqual({
			event: 'watchExpired',
			reference: 'posted',
			eventId: `${KEY}:watchExpired`,
			sourceHash: HASH,
			status: 'notFound',
			order: null,
			previousStatus: null,
			watchedSince: '2025-12-30T00:00:00.000Z',
			detectedAt: '2026-01-01T00:00:05.250Z',
		});
	});

	test.each<[string, Partial<WatchedOrder>, unknown]>([
		['posted with a reference', { listReference: 'listed' }, 'posted'],
		[
			'posted without one, and listed with one',
			{ posted: { at: 5, reference: null }, listReference: 'listed' },
			'listed',
		],
		['listed only', { posted: null, listed: true, listReference: 'listed' }, 'listed'],
		['without any', { posted: null, listed: true }, null],
	])('its reference: %s', (_what, more, reference) => {
		expect(watchExpiredItem(watched(more), AT, SIMPLE).reference).toBe(reference);
	});
});
