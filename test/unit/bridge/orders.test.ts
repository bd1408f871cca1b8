import fc from 'fast-check';

import { hashKey, isEndStatus, outcomeOf, simplifyOrder } from '../../../nodes/CrossChainBridge/bridge/orders';
import { epochMsOrNull, isoTimeOrNull, secondsOrNull } from '../../../nodes/CrossChainBridge/bridge/values';

test.each<[string | null, boolean, string | null]>([
	['completed', true, 'success'],
	['refunded', true, 'unsuccessful'],
	['failed', true, 'unsuccessful'],
	['pending', false, null],
	['executing', false, null],
	['Completed', false, null],
	['success', false, null],
	['notFound', false, null],
	['', false, null],
	[null, false, null],
])('the status %j: final %s, outcome %s', (status, final, outcome) => {
	expect(isEndStatus(status)).toBe(final);
	expect(outcomeOf(status)).toBe(outcome);
});

test.each<[unknown, string | null]>([
	[1735689600, '2025-01-01T00:00:00.000Z'],
	['1735689600', '2025-01-01T00:00:00.000Z'],
	[1735689600000, '2025-01-01T00:00:00.000Z'],
	['2025-01-01T00:00:00Z', '2025-01-01T00:00:00.000Z'],
	[0, null],
	[-1, null],
	[Number.NaN, null],
	[1e300, null],
	['', null],
	['soon', null],
	[null, null],
	[{}, null],
])('the time %j is %j', (value, iso) => {
	expect(isoTimeOrNull(value)).toBe(iso);
	expect(epochMsOrNull(value)).toBe(iso === null ? null : Date.parse(iso));
});

test.each<[unknown, number | null]>([[9, 9], ['9', 9], [0, 0], [-1, null], ['9s', null], [null, null]])('the duration %j is %j', (value, seconds) => {
	expect(secondsOrNull(value)).toBe(seconds);
});

test('the duration is taken from both times where it is not stated', () => {
	const timing = { createdAt: 1735689600, completedAt: 1735689612 };
	expect(simplifyOrder('h', { timing })).toMatchObject({ durationSeconds: 12 });
	expect(simplifyOrder('h', { timing: { ...timing, duration: 11 } })).toMatchObject({ durationSeconds: 11 });
});

test('both spellings of the chain’s ID are read, and null and absent are the same', () => {
	expect(simplifyOrder('h', { input: { chainID: 7 }, output: { chainId: '8' } })).toMatchObject({ inputChainId: 7, outputChainId: '8' });
	expect(simplifyOrder('h', { output: null })).toEqual(simplifyOrder('h', {}));
});

test('any order of any shape becomes an item of text, numbers, booleans and nulls alone', () => {
	const keys = Object.keys(simplifyOrder('h', {}));
	const leg = fc.oneof(fc.jsonValue(), fc.record({ chainId: fc.jsonValue(), amount: fc.jsonValue(), timestamp: fc.jsonValue() }));
	const order = fc.oneof(
		fc.record({ status: fc.jsonValue(), input: leg, output: leg, solver: fc.jsonValue(), timing: fc.jsonValue() }, { requiredKeys: [] }),
		fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', 'input', 'timing'), fc.jsonValue()),
	);
	fc.assert(
		fc.property(order, (value) => {
			const item = simplifyOrder('h', value as Record<string, unknown>);
			expect(Object.keys(item)).toEqual(keys);
			for (const part of Object.values(item)) expect(part === null || ['string', 'number', 'boolean'].includes(typeof part)).toBe(true);
			expect(item.isFinal).toBe(['completed', 'refunded', 'failed'].includes(String(item.status)));
		}),
		{ numRuns: 2000 },
	);
});

test('0x hashes are one whatever their case; others are not', () => {
	expect(hashKey('0xAB')).toBe(hashKey('0Xab'));
	expect(hashKey('5VERv8')).not.toBe(hashKey('5verv8'));
});
