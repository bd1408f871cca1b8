import { checkOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import { checkResult } from '../../../nodes/CrossChainBridge/n8n/driver';
import { rejected } from '../service/rejected';

/** Whose fault a check is that has shown nothing, which decides whether Delayed may come for its order. */

const HASH = `0x${'a1'.repeat(32)}`;
const ofError = (error: ServiceError, isSound: boolean) =>
	checkResult(checkOutcome({ ok: false, error }), isSound);

test('an order is shown with the key of the hash that it states itself', () => {
	const order = { status: 'pending', input: { txHash: HASH.slice(2).toUpperCase() } };
	const result = checkResult(checkOutcome({ ok: true, data: order }), false);
	expect(result).toEqual({ kind: 'order', order, shownKey: HASH });
	const unnamed = checkResult(checkOutcome({ ok: true, data: {} }), false);
	expect(unnamed).toEqual({ kind: 'order', order: {}, shownKey: null });
});

test.each([true, false])(
	'not found and a rejected hash are the order’s own (sound: %s)',
	(isSound) => {
		expect(ofError(rejected(404), isSound)).toEqual({ kind: 'notFound' });
		expect(ofError(rejected(400), isSound)).toEqual({
			kind: 'nothingShown',
			isOwn: true,
			isAnswered: true,
			why: 'The bridge does not accept the hash',
		});
	},
);

test.each<[string, ServiceError, isSound: boolean, isOwn: boolean, isAnswered?: boolean]>([
	['HTTP 500, and the bridge works for others', rejected(500), true, true],
	['HTTP 500, and nothing else is known', rejected(500), false, false],
	['no response, and the bridge works for others', { kind: 'timedOut', afterMs: 1 }, true, true],
	['no response, and nothing else is known', { kind: 'timedOut', afterMs: 1 }, false, false],
	[
		'a web page, and the configuration is sound',
		{ kind: 'unreadable', status: 200, found: 'html' },
		true,
		true,
	],
	[
		'a web page, and nothing else is known',
		{ kind: 'unreadable', status: 200, found: 'html' },
		false,
		false,
	],
	[
		'too little liquidity, which is about this order',
		rejected(400, 'INSUFFICIENT_LIQUIDITY'),
		false,
		true,
		true,
	],
	['a conflict, which is about this order', rejected(409, null, 'try later'), false, true, true],
])(
	'%s: the order’s own fault (sound %s): %s',
	(_what, error, isSound, isOwn, isAnswered = false) => {
		const result = ofError(error, isSound);
		expect(result).toEqual({
			kind: 'nothingShown',
			isOwn,
			isAnswered,
			why: expect.stringMatching(/^The bridge/),
		});
	},
);
