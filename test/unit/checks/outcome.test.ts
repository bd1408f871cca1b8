import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import { rejected } from '../service/rejected';
import {
	type CheckOutcome,
	checkOutcome,
	observationOf,
	whyNotChecked,
} from '../../../nodes/CrossChainBridge/checks/outcome';

const ofError = (error: ServiceError) => checkOutcome({ ok: false, error });

test('an answer shows its order', () => {
	const order = { status: 'pending' };
	expect(checkOutcome({ ok: true, data: order })).toEqual({ kind: 'order', order });
});

const SUSPECT = { kind: 'orderError', isSuspect: true, isHashRejected: false };
const REJECTED = { kind: 'orderError', isSuspect: false, isHashRejected: true };

test.each<[string, ServiceError, object]>([
	['a wrong key', rejected(401, 'UNAUTHORIZED'), SUSPECT],
	['a web page', { kind: 'unreadable', status: 200, found: 'html' }, SUSPECT],
	['a redirect', { kind: 'redirected', status: 302 }, SUSPECT],
	['an unusable credential', { kind: 'invalidCredential', problem: 'noKey' }, SUSPECT],
	['a rejected hash', rejected(200, 'INVALID_PARAMETER'), REJECTED],
	['HTTP 400 without a word', rejected(400), REJECTED],
	['HTTP 400 with a word of its own', rejected(400, 'BAD_REQUEST'), REJECTED],
	[
		'another error',
		rejected(400, 'INSUFFICIENT_LIQUIDITY'),
		{ ...REJECTED, isHashRejected: false },
	],
	['no answer in time', { kind: 'timedOut', afterMs: 30_000 }, { kind: 'transient' }],
	['a service that is away', rejected(503), { kind: 'transient' }],
	['the rate limit', rejected(429), { kind: 'transient' }],
])('%s', (_what, error, outcome) => {
	expect(ofError(error)).toEqual({ ...outcome, error });
});

test('an order that is not found is no error', () => {
	expect(ofError(rejected(404, 'NOT_FOUND'))).toEqual({ kind: 'notFound' });
});

const order = (status?: string): CheckOutcome => ({
	kind: 'order',
	order: { status, timing: { createdAt: 1_735_689_600 } },
});
const orderError = (status: number, isSuspect: boolean): CheckOutcome => ({
	kind: 'orderError',
	error: rejected(status),
	isSuspect,
	isHashRejected: false,
});

const SILENT: CheckOutcome = { kind: 'transient', error: { kind: 'timedOut', afterMs: 1 } };

test.each<[string, CheckOutcome, object]>([
	['an open order', order('pending'), { kind: 'open', createdAtMs: 1_735_689_600_000 }],
	['nothing stated', { kind: 'order', order: {} }, { kind: 'open', createdAtMs: null }],
	['a finished order', order('failed'), { kind: 'finished', createdAtMs: 1_735_689_600_000 }],
	['one that is not found', { kind: 'notFound' }, { kind: 'notFound' }],
	['the rate limit', { kind: 'transient', error: rejected(429) }, { kind: 'failed' }],
	['no answer', SILENT, { kind: 'failed' }],
	['one that is not accepted', orderError(429, false), { kind: 'rejected' }],
	['one that may be no word on the order', orderError(403, true), { kind: 'failed' }],
])('for the schedule: %s', (_what, outcome, observed) => {
	expect(observationOf(outcome)).toEqual(observed);
});

const BAD_HASH = ofError(rejected(400, 'INVALID_PARAMETER'));

test.each<[string, CheckOutcome, string | null]>([
	['an order', order('pending'), null],
	['one that is not found', { kind: 'notFound' }, null],
	['one that is not accepted', BAD_HASH, 'The bridge does not accept the hash'],
	['one word for all orders', orderError(401, true), 'The bridge did not accept the request'],
	['no response', SILENT, 'The bridge did not respond in time'],
])('why it shows nothing: %s', (_what, outcome, why) => {
	expect(whyNotChecked(outcome)).toBe(why);
});
