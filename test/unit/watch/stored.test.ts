import { types } from 'node:util';

import fc from 'fast-check';

import { digestOf, MAX_REMEMBERED } from '../../../nodes/CrossChainBridge/watch/finished';
import { EMPTY_STATE, type WatchState } from '../../../nodes/CrossChainBridge/watch/state';
import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/watch/stored';
import {
	DAY,
	EVERY,
	HOUR,
	listing,
	MINUTE,
	NOT_FOUND,
	NOW,
	posting,
	readBack,
	rulesWith,
	shown,
	Watching,
} from './watching';

/** The state as n8n keeps it: all of it comes back, and what is broken costs no more than itself. */

const stored = (changes: object = {}) => ({
	version: 6,
	revision: NOW,
	orders: [{ sourceHash: '0xA', since: NOW, listed: true }],
	finished: [],
	recent: [],
	...changes,
});
const ordersOf = (state: WatchState | null) =>
	[...(state?.orders.values() ?? [])].map(({ sourceHash }) => sourceHash);

test('whatever has happened, another process knows the same', () => {
	const hash = fc.constantFrom('0xA', '0xB', '0xC', '0xD');
	const step = fc.oneof(
		fc.record({ list: fc.array(hash), isListByHand: fc.boolean() }),
		fc.record({
			post: hash,
			more: fc.record(
				{
					reference: fc.constantFrom('r', null, 7, { chat: [1, { a: null }] }),
					link: fc.constant('https://a.example/tx'),
					expected: fc.constant({ recipient: '0x1', minimumReceived: '5' }),
					replaces: hash,
					startedAt: fc.constantFrom(NOW - HOUR, null),
				},
				{ requiredKeys: [] },
			),
		}),
		fc.record({
			check: hash,
			result: fc.constantFrom(
				...[NOT_FOUND, shown('pending', { timing: { expiry: NOW / 1_000 } })],
				...[shown('completed'), shown('failed')],
			),
		}),
		fc.record({ remove: hash }),
		fc.record({ problem: fc.constantFrom(null, {}, { otherwise: 'checked' as const }) }),
	);
	fc.assert(
		fc.property(fc.array(fc.tuple(step, fc.nat(3 * HOUR)), { maxLength: 30 }), (steps) => {
			const watching = new Watching(rulesWith(EVERY, { redelivers: true }));
			for (const [each, ms] of steps) {
				watching.wait(Math.floor(ms / 1_000) * 1_000);
				if ('list' in each) watching.list(each.list, { isListByHand: each.isListByHand });
				else if ('post' in each) watching.post({ hash: each.post, ...each.more });
				else if ('check' in each) watching.check(each.check, each.result);
				else if ('remove' in each) watching.remove(each.remove);
				else
					watching.poll(
						each.problem === null
							? { kind: 'checked' }
							: { kind: 'problem', why: 'x', isTransient: false, ...each.problem },
					);
				const { state } = watching;
				expect(readBack(state)).toEqual(state.revision === 0 ? { ...EMPTY_STATE } : state);
			}
		}),
		{ numRuns: 200 },
	);
});

test('an order takes no more than what is known of it', () => {
	expect(storedWatch(listing(['0xA']).state)).toEqual({
		...stored({ uncheckedSince: null, interruption: null, inboxOffset: 0, leaseUntil: 0 }),
	});
});

test.each([3, 4, 6, 99, '5', undefined])(
	'a copy of version %j is read as far as it can be: what started the workflow does not start it again',
	(version) => {
		const watching = listing(['0xA', '0xB']);
		watching.check('0xA', shown('completed'));
		const kept = { ...storedWatch(watching.state), version, newField: { a: 1 } };
		watching.state = readStoredWatch(JSON.parse(JSON.stringify(kept))) ?? EMPTY_STATE;
		expect(watching.list(['0xA', '0xB']).open).toEqual(['0xB']);
	},
);

test('a copy of the version before, with its marks and its finished orders, is read', () => {
	const seconds = NOW / 1_000;
	const before = {
		version: 4,
		revision: NOW,
		recent: [],
		taken: [['writer', 1]],
		polledUntil: 0,
		orders: [
			{ sourceHash: '0xA', since: NOW, answered: true, status: 'pending', delayed: 'emitted' },
			{ sourceHash: '0xB', since: NOW, posted: { at: NOW, reference: 'r' }, unlisted: true },
		],
		finished: [[digestOf('0xc'), 'completed', seconds, 'emitted', 'listed']],
	};
	const watching = new Watching(rulesWith(EVERY));
	watching.state = readStoredWatch(before) ?? EMPTY_STATE;
	watching.list(['0xA', '0xC']).wait(HOUR);
	expect([watching.open, watching.referenceOf('0xB')]).toEqual([['0xA', '0xB'], 'r']);
	expect(watching.check('0xA', NOT_FOUND)).toEqual([]);
	watching.list(['0xA']);
	expect(watching.order('0xB')).toMatchObject({ listed: false });
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['text', 'broken'],
	['a list', [1]],
	['no revision', stored({ revision: undefined })],
	['a revision that is no number', stored({ revision: '5' })],
	['a revision that is no time', stored({ revision: Number.NaN })],
])('%s is no state', (_what, value) => {
	expect(readStoredWatch(value)).toBeNull();
});

const whole = { sourceHash: '0xB', since: NOW, listed: true };

test.each<[string, unknown]>([
	['null', null],
	['text', '0xA'],
	['an order without a hash', { since: NOW }],
	['an order without a time', { sourceHash: '0xA' }],
	['a time that is none', { sourceHash: '0xA', since: 1e300 }],
])('of the orders, %s costs itself alone', (_what, broken) => {
	expect(ordersOf(readStoredWatch(stored({ orders: [broken, whole] })))).toEqual(['0xB']);
});

test.each<[string, object]>([
	['orders', { orders: { 0: whole } }],
	['finished orders', { finished: 'broken' }],
	['recent events', { recent: [null, { at: NOW }, { order: whole }, 7] }],
	['the interruption', { interruption: [1], uncheckedSince: 'noon' }],
	['the inbox and the lease', { inboxOffset: {}, leaseUntil: '5' }],
])('%s that cannot be read cost themselves alone', (_what, changes) => {
	const read = readStoredWatch(stored(changes));
	expect(read).toEqual({
		...EMPTY_STATE,
		revision: NOW,
		orders: 'orders' in changes ? new Map() : readStoredWatch(stored())?.orders,
	});
});

test('fields of another type are taken for absent; an order that nothing would ever remove is one of the list', () => {
	const odd = {
		startedAt: '1',
		status: 7,
		hasResponse: 1,
		delayed: 'yes',
		expired: 5,
		replaced: true,
		key: '0xb',
		redelivered: {},
		expiresAt: null,
		posted: [1],
		unlistedAt: 'x',
		overdueSince: 'x',
	};
	const read = readStoredWatch(stored({ orders: [{ sourceHash: '0xA', since: NOW, ...odd }] }));
	expect(read?.orders).toEqual(readStoredWatch(stored())?.orders);
});

test('a reference is plain data that shares nothing with what n8n keeps', () => {
	const chat = { id: 7 };
	const observed = (value: object) => new Proxy(value, {});
	const posted = observed({ at: 1, reference: observed({ chat: observed(chat) }) });
	const read = readStoredWatch(stored({ orders: [{ sourceHash: '0xa', since: 1, posted }] }));
	const reference = read?.orders.get('0xa')?.posted?.reference;
	chat.id = 8;
	expect([reference, types.isProxy(reference)]).toEqual([{ chat: { id: 7 } }, false]);
});

test.each([
	[500, true],
	[501, false],
])('a link of %d characters is kept with its order: %s', (length, isKept) => {
	const link = 'https://a.example/tx/'.padEnd(length, '0');
	const orders = [{ sourceHash: '0xA', since: NOW, posted: { at: NOW, link } }];
	const posted = readStoredWatch(stored({ orders }))?.orders.get('0xa')?.posted;
	expect(posted).toEqual({ at: NOW, reference: null, ...(isKept ? { link } : {}) });
});

test('of a stored state that is far too large no more is read than a trigger can have', () => {
	const orders = Array.from({ length: 20_000 }, (_, i) => ({ ...whole, sourceHash: `0x${i}` }));
	const finished = orders.map((_, i) => [`digest ${i}`, 'completed', NOW / 1_000]);
	const read = readStoredWatch(stored({ orders, finished }));
	expect(read?.orders.size).toBeLessThanOrEqual(10_000);
	expect(read?.finished.size).toBeLessThanOrEqual(6_000);
});

/** n8n writes all that a trigger remembers with each change, and n8n 2.8 copies it into each execution. */
test('at its limits, with short references, the state takes less than 700 KB', () => {
	const hashes = Array.from({ length: 1_000 }, (_, i) => `0x1${String(i).padStart(63, '0')}`);
	const watching = posting(
		hashes.map((hash) => ({ hash, reference: 'Invoice 4711', startedAt: NOW - MINUTE })),
		rulesWith(EVERY),
	);
	const timing = { expiry: Math.floor(NOW / 1_000) + 600 };
	for (const hash of hashes) watching.check(hash, shown('executing', { timing }));
	const finished = new Map(
		Array.from({ length: MAX_REMEMBERED }, (_, i) => [
			digestOf(`0x${i}`),
			{
				...({ status: 'completed', at: NOW, emitted: true } as const),
				wasBefore: false,
				listed: false,
				until: NOW + DAY,
			},
		]),
	);
	const bytes = Buffer.byteLength(JSON.stringify(storedWatch({ ...watching.state, finished })));
	expect(watching.open).toHaveLength(1_000);
	expect(bytes).toBeLessThan(700_000);
});
