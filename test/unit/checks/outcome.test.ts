import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import { checkOutcome, observationOf } from '../../../nodes/CrossChainBridge/checks/outcome';

const rejected = (status: number, code: string | null = null): ServiceError => ({
	kind: 'rejected',
	status,
	code,
	words: null,
	retryAfterMs: null,
});
const ofError = (error: ServiceError) => checkOutcome({ ok: false, error });

test('an answer shows its order', () => {
	const order = { status: 'pending' };
	expect(checkOutcome({ ok: true, data: order })).toEqual({ kind: 'order', order });
});

test.each<[string, ServiceError, object]>([
	['a wrong key', rejected(401, 'UNAUTHORIZED'), { kind: 'orderError', isSuspect: true }],
	[
		'a web page',
		{ kind: 'unreadable', status: 200, found: 'html' },
		{ kind: 'orderError', isSuspect: true },
	],
	['a redirect', { kind: 'redirected', status: 302 }, { kind: 'orderError', isSuspect: true }],
	[
		'a credential that cannot be used',
		{ kind: 'invalidCredential', problem: 'noKey' },
		{ kind: 'orderError', isSuspect: true },
	],
	[
		'an order that is not accepted',
		rejected(400, 'BAD_REQUEST'),
		{ kind: 'orderError', isSuspect: false },
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

describe('for the schedule', () => {
	test.each<[string, Parameters<typeof observationOf>[0], object]>([
		[
			'an open order',
			{ kind: 'order', order: { status: 'pending', timing: { createdAt: 5, expiry: 7 } } },
			{ kind: 'open', createdAtMs: 5_000 },
		],
		[
			'an open order of which nothing is stated',
			{ kind: 'order', order: {} },
			{ kind: 'open', createdAtMs: null },
		],
		[
			'a finished order',
			{ kind: 'order', order: { status: 'failed', timing: { createdAt: 5, expiry: 7 } } },
			{ kind: 'finished', createdAtMs: 5_000 },
		],
		['one that is not found', { kind: 'notFound' }, { kind: 'notFound' }],
		['the rate limit', { kind: 'transient', error: rejected(429) }, { kind: 'failed' }],
		[
			'no answer',
			{ kind: 'transient', error: { kind: 'timedOut', afterMs: 1 } },
			{ kind: 'failed' },
		],
		[
			'one that is not accepted',
			{ kind: 'orderError', error: rejected(429), isSuspect: false },
			{ kind: 'rejected' },
		],
		[
			'one that may be no word on the order',
			{ kind: 'orderError', error: rejected(403), isSuspect: true },
			{ kind: 'failed' },
		],
		['a check that was not sent', null, { kind: 'failed' }],
	])('%s', (_what, outcome, result) => {
		expect(observationOf(outcome)).toEqual(result);
	});
});
