import type { IAllExecuteFunctions } from 'n8n-workflow';

import { orderItem } from '../../nodes/CrossChainBridge/orders/orderItem';
import { PLAIN_DISPLAY } from '../../nodes/CrossChainBridge/orders/display';
import { needsTheUser } from '../../nodes/CrossChainBridge/service/errors';
import { connectToService } from '../../nodes/CrossChainBridge/service/service';
import { applyCheck } from '../../nodes/CrossChainBridge/state/applyCheck';
import { readStoredWatch, storedWatch } from '../../nodes/CrossChainBridge/state/codec';
import { readStoredCalls, withInbox } from '../../nodes/CrossChainBridge/state/inbox';
import { withoutPosted } from '../../nodes/CrossChainBridge/state/postedOrders';
import { EMPTY_STATE, withRedelivery } from '../../nodes/CrossChainBridge/state/state';
import { triggerItem } from '../../nodes/CrossChainBridge/trigger/item';
import { readList } from '../../nodes/CrossChainBridge/trigger/orderList';
import { answerGet } from '../../nodes/CrossChainBridge/webhook/answers';
import { readCall } from '../../nodes/CrossChainBridge/webhook/request';
import { rejected } from './service/rejected';
import {
	ALL,
	HOUR,
	listed,
	NOT_FOUND,
	NOW,
	post,
	posted,
	posting,
	shown,
	stateOf,
	withListOf,
} from './state/states';

/** Faults that attacks have found in single functions. */

const HEX = 'ab'.repeat(32);
const A = `0x${'a'.repeat(64)}`;
const B = `0x${'b'.repeat(64)}`;
const ZERO = `0x${'0'.repeat(40)}`;
const FORM = { simplify: true, display: PLAIN_DISPLAY };
const DELAYED = { ...ALL, delayedAfterMs: 300_000 };

describe('one order in two spellings', () => {
	test('is one, with one event', () => {
		const both = posting(withListOf(EMPTY_STATE, [`0x${HEX}`]), [HEX, HEX.toUpperCase()]);
		expect([...both.state.orders.keys()]).toEqual([`0x${HEX}`]);
		expect(both.accepted).toBe(0);
	});

	test('comes with what was posted with it', () => {
		const list = withListOf(EMPTY_STATE, [HEX.toUpperCase()]);
		let { state } = posting(list, [post(HEX, { chatId: 7 })]);
		const references: unknown[] = [];
		for (const key of [...state.orders.keys()]) {
			const applied = applyCheck(state, key, shown('completed'), ALL, NOW + 1000);
			state = applied.state;
			if (applied.event !== null) references.push(applied.event.reference);
		}
		expect(references).toEqual([{ chatId: 7 }]);
	});
});

test('an order that the bridge has shown before is not said to be not found', () => {
	const before = listed({ status: 'pending', answered: true });
	const at = NOW + 300_000;
	const { event } = applyCheck(stateOf(before), '0xa', NOT_FOUND, DELAYED, at);
	const item = event === null ? null : triggerItem({ ...event, detectedAt: at }, FORM);
	expect(item?.summary ?? '').not.toMatch(/has not found/);
});

describe('when the clock has gone back an hour', () => {
	test('an order that was posted before that, and finished after it, starts the workflow', () => {
		const now = NOW - HOUR + 12_000;
		const timing = { createdAt: (now - 12_000) / 1000, completedAt: (now - 2_000) / 1000 };
		const rules = { ...ALL, includeFinished: false };
		const { event } = applyCheck(
			stateOf(posted()),
			'0xa',
			shown('completed', { timing }),
			rules,
			now,
		);
		expect(event).toMatchObject({ event: 'completed' });
	});

	test('Delayed comes when its minutes have passed', () => {
		let state = stateOf(posted());
		let delayed = 0;
		for (let minute = 0; minute <= 30; minute++) {
			const at = NOW - HOUR + minute * 60_000;
			const applied = applyCheck(state, '0xa', NOT_FOUND, DELAYED, at);
			state = applied.state;
			if (applied.event !== null) delayed++;
		}
		expect(delayed).toBe(1);
	});

	test('an event of long ago is not redelivered', () => {
		const rules = { ...ALL, redelivers: true };
		const emitted = applyCheck(stateOf(listed()), '0xa', shown('completed'), rules, NOW).state;
		const later = NOW - HOUR + 50 * 60_000;
		const state = withListOf(emitted, ['0xA', '0xB'], later);
		expect(withRedelivery(state, later + 1000).orders.has('0xa')).toBe(false);
	});
});

test('with At Least Once an order that was removed by webhook after its Delayed does not come back with a restart', () => {
	const rules = { ...DELAYED, redelivers: true };
	const delayed = applyCheck(
		stateOf(posted()),
		'0xa',
		shown('pending'),
		rules,
		NOW + 300_000,
	).state;
	const { state, removed } = withoutPosted(delayed, ['0xA'], rules, NOW + 301_000);
	expect(removed).toBe(1);
	expect(withRedelivery(state, NOW + 310_000).orders.size).toBe(0);
});

test('a stored time that is none makes no call to the webhook fail', () => {
	const stored = storedWatch(stateOf(posted({ since: 1e300 })));
	const state = readStoredWatch(JSON.parse(JSON.stringify(stored)));
	expect(() => answerGet(state ?? EMPTY_STATE, ALL)).not.toThrow();
});

test('nor does a stored call with such a time stop the revisions', () => {
	const call = { writer: 'w', at: 1e300, removes: false, orders: [post('0xA')] };
	const state = withInbox(EMPTY_STATE, readStoredCalls([call]), ALL, NOW);
	expect(withListOf(state, ['0xB'], NOW + 1).revision).toBe(NOW + 1);
});

test.each([
	{ sourceHash: A, orders: [] },
	{ sourceHash: A, orders: [B] },
])('an order beside a list is not passed over: %j', (body) => {
	const read = readCall({ query: {}, body, rawBody: null });
	expect(read.ok ? read.orders.map(({ sourceHash }) => sourceHash) : A).toContain(A);
});

test('a time without a zone does not depend on where n8n runs', () => {
	const startedAt = '2026-01-01T10:00:00';
	const read = readCall({ query: {}, body: { sourceHash: A, startedAt }, rawBody: null });
	const utc = Date.parse(`${startedAt}Z`);
	expect(read).toMatchObject(read.ok ? { orders: [{ startedAt: utc }] } : { httpStatus: 400 });
});

test('what was sent is not said to have arrived where the amount received is not known', () => {
	const order = {
		status: 'completed',
		input: { chainId: 1, token: ZERO, amount: '500000000000000000', decimals: 18 },
		output: { chainId: 2, token: B.slice(0, 42), amount: null },
	};
	const { simple } = orderItem({ sourceHash: A, order }, PLAIN_DISPLAY, 0);
	expect(simple.summary).not.toMatch(/0\.5 .*arrived/);
});

test('a duration of 0 without a time of completion is none', () => {
	const order = {
		status: 'refunded',
		timing: { createdAt: 1_700_000_000, completedAt: 0, duration: 0 },
	};
	const { simple } = orderItem({ sourceHash: A, order }, PLAIN_DISPLAY, NOW);
	expect(simple.summary).not.toMatch(/after less than 1 s/);
});

test.each([
	['https://Bridge.example.com', 'a key', true],
	['https://bridge.example.com:443', 'a key', true],
	['https://bridge.example.com', 'another key', false],
	['https://bridge.example.org', 'a key', false],
])('one key at one address has one budget: %s with %s (%s)', async (baseUrl, apiKey, isSame) => {
	const budgetOf = async (credential: object) => {
		const context = {
			getCredentials: async () => credential,
			getWorkflow: () => ({}),
			getNode: () => ({ id: 'a' }),
		} as unknown as IAllExecuteFunctions;
		return (await connectToService(context)).budget;
	};
	const one = { baseUrl: 'https://bridge.example.com', apiKey: 'a key' };
	const other = { baseUrl, apiKey, requestsPerMinute: 5 };
	expect((await budgetOf(other)) === (await budgetOf(one))).toBe(isSame);
});

test('a configuration that requires a network is no wrong key or address', () => {
	const error = rejected(400, 'INVALID_PARAMETER', 'chainID is required', null, 'config');
	expect(needsTheUser(error, 'config')).toBe(false);
});

test('an empty label beside another one is none', () => {
	const rows = ['', 'Rent'].map((reference) => ({ sourceHash: A, reference }));
	expect([...readList(rows).orders.values()]).toMatchObject([{ sourceHash: A, reference: 'Rent' }]);
});
