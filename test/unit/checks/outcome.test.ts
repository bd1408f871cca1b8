import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import { rejected } from '../service/rejected';
import {
	type CheckOutcome,
	checkOutcome,
	observationOf,
	whyNotChecked,
} from '../../../nodes/CrossChainBridge/checks/outcome';

const ofError = (error: ServiceError) => checkOutcome({ ok: false, error });

const HASH = `0x${'a1'.repeat(32)}`;

test('a response shows its order, and the hash that the order itself states', () => {
	for (const [txHash, shownKey] of [
		[HASH.toUpperCase().replace('0X', '0x'), HASH],
		[HASH.slice(2), HASH],
		['0xab', null],
		[undefined, null],
	]) {
		const order = { status: 'pending', input: { txHash } };
		expect(checkOutcome({ ok: true, data: order })).toEqual({ kind: 'order', order, shownKey });
	}
});

const LIQUIDITY = rejected(400, 'INSUFFICIENT_LIQUIDITY');
const NOT_FOUND = { kind: 'notFound' };

/** What the interface does not show is no verdict. */
test.each<[string, ServiceError, object]>([
	['a wrong key', rejected(401, 'UNAUTHORIZED'), { kind: 'suspect' }],
	['a web page', { kind: 'unreadable', status: 200, found: 'html' }, { kind: 'suspect' }],
	['a redirect', { kind: 'redirected', status: 302 }, { kind: 'suspect' }],
	[
		'an unusable credential',
		{ kind: 'invalidCredential', problem: { kind: 'noKey' } },
		{ kind: 'suspect' },
	],
	[
		'a rejected hash',
		rejected(200, 'INVALID_PARAMETER'),
		{ kind: 'orderError', isHashRejected: true },
	],
	['HTTP 400 without a word', rejected(400), { kind: 'orderError', isHashRejected: true }],
	['HTTP 422', rejected(422), { kind: 'orderError', isHashRejected: true }],
	['too little liquidity', LIQUIDITY, { kind: 'orderError', isHashRejected: false }],
	['a conflict', rejected(409, null, 'try later'), { kind: 'orderError', isHashRejected: false }],
	['no response in time', { kind: 'timedOut', afterMs: 30_000 }, { kind: 'transient' }],
	['an edited credential', { kind: 'credentialEdited' }, { kind: 'transient' }],
	[
		'half a response',
		{ kind: 'unreadable', status: 200, found: 'brokenOff' },
		{ kind: 'transient' },
	],
	['a service that is away', rejected(503), { kind: 'transient' }],
	['one that says for how long', rejected(503, null, null, 7000), { kind: 'transient' }],
	[
		'the rate limit, which is for the budget',
		rejected(429, null, null, 7000),
		{ kind: 'transient' },
	],
])('%s', (_what, error, outcome) => {
	expect(ofError(error)).toEqual({ ...outcome, error });
});

test.each([
	rejected(404, 'NOT_FOUND'),
	rejected(404),
	rejected(409, null, 'Transaction not indexed yet'),
	rejected(200, null, 'Order not found'),
	rejected(400, 'ORDER_NOT_FOUND'),
])('an order that is not found is no error: %j', (error) => {
	expect(ofError(error)).toEqual(NOT_FOUND);
});

const order = (status?: string): CheckOutcome => ({
	kind: 'order',
	order: { status, timing: { createdAt: 1_735_689_600 } },
	shownKey: null,
});
const BAD_HASH = ofError(rejected(400, 'INVALID_PARAMETER'));
const CREATED = { createdAtMs: 1_735_689_600_000 };

test.each<[string, CheckOutcome, object]>([
	['an open order', order('pending'), { kind: 'open', ...CREATED }],
	['a status in capitals', order('PENDING'), { kind: 'open', ...CREATED }],
	[
		'nothing stated',
		{ kind: 'order', order: {}, shownKey: null },
		{ kind: 'open', createdAtMs: null },
	],
	['a finished order', order('failed'), { kind: 'finished', ...CREATED }],
	['one that finished in capitals', order(' COMPLETED'), { kind: 'finished', ...CREATED }],
	['one that is not found', { kind: 'notFound' }, NOT_FOUND],
	['a rejected hash', BAD_HASH, { kind: 'rejected' }],
	['too little liquidity', ofError(LIQUIDITY), { kind: 'failed' }],
	['the rate limit', ofError(rejected(429)), { kind: 'failed' }],
	['no response', ofError({ kind: 'timedOut', afterMs: 1 }), { kind: 'failed' }],
	['what may be no word on the order', ofError(rejected(403)), { kind: 'failed' }],
])('for the schedule: %s', (_what, outcome, observed) => {
	expect(observationOf(outcome)).toEqual(observed);
});

test.each<[string, CheckOutcome, string | null]>([
	['an order', order('pending'), null],
	['one that is not found', { kind: 'notFound' }, null],
	['one that is not accepted', BAD_HASH, 'The bridge does not accept the hash'],
	[
		'the bridge’s own words about it, in which no app finds markup or a link',
		ofError(rejected(400, null, 'sourceHash is <b>too short</b>, see https://a.example.')),
		'The bridge does not accept the hash, and says “sourceHash is b too short b see https a example”',
	],
	[
		'words of the bridge that we do not understand',
		ofError(rejected(200, null, 'Service under maintenance')),
		'The bridge did not accept the request, and says “Service under maintenance”',
	],
	[
		'words that say no more than the status',
		ofError(rejected(400, null, 'Bad Request')),
		'The bridge does not accept the hash',
	],
	[
		'words that may be a firewall’s',
		ofError(rejected(403, null, 'error code: 1020')),
		'The bridge or a firewall refused the request from this n8n (HTTP 403)',
	],
	['what may concern all', ofError(rejected(401)), 'The bridge did not accept the request'],
	[
		'a web page',
		ofError({ kind: 'unreadable', status: 200, found: 'html' }),
		"The bridge's response could not be read",
	],
	['no response', ofError({ kind: 'timedOut', afterMs: 1 }), 'The bridge did not respond in time'],
])(
	'why it shows nothing, in our own words, before those of the bridge about this order: %s',
	(_what, outcome, why) => {
		expect(whyNotChecked(outcome)).toBe(why);
	},
);
