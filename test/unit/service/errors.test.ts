import { NodeApiError } from 'n8n-workflow';

import type { CredentialProblem } from '../../../nodes/CrossChainBridge/service/account';
import {
	type Asked,
	asksForPause,
	describeError,
	isHashRejected,
	isNotFound,
	isRequestError,
	isRateLimited,
	meaningOf,
	isAccountError,
	retryAfterOf,
	type Scope,
	scopeOf,
	type ServiceError,
	toNodeError,
	type UnreadableBody,
} from '../../../nodes/CrossChainBridge/service/errors';
import { nodeWith } from '../node';
import { rejected } from './rejected';

/** What an error means, and whom it concerns. */

const ASKED: Asked[] = ['config', 'quote', 'status'];

const unreadable = (status: number, found: UnreadableBody = 'html'): ServiceError => ({
	kind: 'unreadable',
	status,
	found,
});
const pausing = (status: number, code: string | null, retryAfterMs: number) =>
	rejected(status, code, null, retryAfterMs);

const isCode = 'the same';

test.each<[status: number, code: string | null, shown: string | null, meaning: string | null]>([
	[400, 'INVALID_PARAMETER', isCode, isCode],
	[400, 'INSUFFICIENT_LIQUIDITY', isCode, isCode],
	[400, 'UNAUTHORIZED', isCode, isCode],
	[400, 'NOT_FOUND', isCode, isCode],
	[400, 'RATE_LIMITED', isCode, isCode],
	[400, 'INTERNAL_ERROR', isCode, isCode],
	[200, 'RATE_LIMITED', isCode, isCode],
	[500, 'INVALID_PARAMETER', isCode, isCode],
	[401, 'BAD_KEY', isCode, 'UNAUTHORIZED'],
	[403, 'FORBIDDEN', isCode, 'UNAUTHORIZED'],
	[404, 'GONE', isCode, 'NOT_FOUND'],
	[429, 'TOO_MANY_REQUESTS', isCode, 'RATE_LIMITED'],
	[503, 'MAINTENANCE', isCode, 'INTERNAL_ERROR'],
	[400, 'RATE_LIMIT_EXCEEDED', isCode, 'RATE_LIMITED'],
	[200, 'NOT_ENOUGH_LIQUIDITY', isCode, 'INSUFFICIENT_LIQUIDITY'],
	[409, 'INVALID_API_KEY', isCode, 'UNAUTHORIZED'],
	[403, 'COUNTRY_BLOCKED', isCode, 'refused'],
	[407, 'PROXY', isCode, 'refused'],
	[400, null, null, 'INVALID_PARAMETER'],
	[401, null, 'UNAUTHORIZED', 'UNAUTHORIZED'],
	[402, null, null, null],
	[403, null, null, 'refused'],
	[407, null, null, 'refused'],
	[451, null, null, 'refused'],
	[404, null, 'NOT_FOUND', 'NOT_FOUND'],
	[428, null, null, null],
	[429, null, 'RATE_LIMITED', 'RATE_LIMITED'],
	[499, null, null, null],
	[500, null, 'INTERNAL_ERROR', 'INTERNAL_ERROR'],
	[501, null, null, 'INTERNAL_ERROR'],
	[200, null, null, null],
])('a rejection with %d and the code %j shows %j and means %j', (status, code, shown, meaning) => {
	for (const asked of ASKED) {
		const error = rejected(status, code, null, null, asked);
		const meant = meaning === isCode ? code : meaning;
		expect(error.meaning).toBe(meant);
		expect(describeError(error, asked).code ?? null).toBe(shown === isCode ? code : shown);
		expect([isNotFound(error), isRateLimited(error)]).toEqual([
			meant === 'NOT_FOUND',
			meant === 'RATE_LIMITED',
		]);
	}
});

/** Of an order, the words for it count as well, whatever the HTTP status. */
test.each([
	'Order not found',
	'order_not_found',
	'Not found',
	'not found yet',
	'Error: not found',
	'Transaction not indexed yet',
	'not indexed yet',
	'The transaction has not been indexed yet. Try again later.',
	'The order is not yet known',
	"This order doesn't exist",
	'Transaction with hash 0xab was not found on the source chain',
	'Could not find the order',
	"We couldn't find any transaction",
	'No order for this hash',
	'No such transaction',
	'Unknown source hash',
	'no bridge order',
	'No data',
	'Nothing found',
	'Resource not found',
])('of an order "%s" means that it is not found', (words) => {
	for (const status of [200, 400, 409, 410, 422, 425])
		expect(rejected(status, null, words).meaning).toBe('NOT_FOUND');
	expect(rejected(401, null, words).meaning).toBe('UNAUTHORIZED');
	expect(rejected(429, null, words).meaning).toBe('RATE_LIMITED');
	for (const code of ['UNAUTHORIZED', 'RATE_LIMITED'])
		expect(rejected(400, code, words).meaning).toBe(code);
	expect(meaningOf({ status: 409, code: null, words }, 'quote')).toBeNull();
});

/** While the server has an error, it is certain only if the words say no more than that, and that it is an order. */
test.each([
	'Order not found',
	'order_not_found',
	'The transaction has not been indexed yet. Try again later.',
	"This order doesn't exist",
	"We couldn't find any transaction",
	'Transaction with hash 0xab was not found on the source chain',
	'No such transaction',
	'Unknown source hash',
	...[
		'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
		'CDVTiGSH6WfnRmwxTkk8c8FVqgfHvH1xBwkk2S4dC7sP',
		'k9n8LqI7mZ1wXyY+3/uV0aBcDeFgHiJkLmNoPqRsTuU=',
		'k9n8LqI7mZ1wXyY-3_uV0aBcDeFgHiJkLmNoPqRsTuU',
		'9A7B'.repeat(16),
		`0x${'9a7B'.repeat(16)}`,
	].flatMap((hash) => [
		`Order not found: ${hash}`,
		`Order with source hash ${hash} not found`,
		`No order found for '${hash}'.`,
	]),
	'Bridge order not found for the given hash',
	'No order was found for the provided source hash',
])('of an order "%s" means that it is not found with HTTP 500, too', (words) => {
	for (const status of [500, 503]) expect(rejected(status, null, words).meaning).toBe('NOT_FOUND');
	expect(rejected(503, 'NOT_FOUND').meaning).toBe('NOT_FOUND');
	expect(rejected(400, 'INTERNAL_ERROR', words).meaning).toBe('NOT_FOUND');
});

test.each([
	'Order service not found',
	'No transaction data provider available',
	'No orders can be read at the moment',
	'Cannot find order database',
	'record not found in cache, upstream failed',
	'Order not found in database',
	'Failed to fetch order: order not found',
	'deposit could not be found by node, node not synced',
	'Unknown transaction error',
	'Order not found: connection to the replica was lost',
	`Order not found: ${'9A7B'.repeat(16)} timed out`,
	'Order not found: TRANSACTION_DATA_PROVIDER_2_IS_NOT_AVAILABLE',
	'Resource not found',
	'Not found',
	'No data',
])('with HTTP 500 "%s" is an error of the server, not of the order', (words) => {
	for (const status of [500, 503]) {
		const error = rejected(status, null, words);
		expect([error.meaning, isRequestError(error)]).toEqual(['INTERNAL_ERROR', false]);
	}
	expect(rejected(200, 'INTERNAL_ERROR', words).meaning).toBe('INTERNAL_ERROR');
});

test.each([
	[403, 'Requests with this API key are geofenced', 'refused'],
	[400, '401 Unauthorized', 'UNAUTHORIZED'],
])('HTTP %d with the words "%s" means %s', (status, words, meaning) => {
	for (const asked of ASKED)
		expect(rejected(status, null, words, null, asked).meaning).toBe(meaning);
});

/** Next to INVALID_PARAMETER or, of the configuration, next to "not found". */
test.each([
	...['Invalid API key', 'Missing API key', 'Unknown api_key', 'Expired apiKey', 'No API key'],
	...['Revoked API key', 'Wrong API key', 'Missing x-api-key', 'Missing the x-api-key header'],
	...['Invalid or missing API key', 'This requires an API key', 'Please provide a valid API key'],
	...['Please provide your API key', 'API key not found', 'API key not valid', 'API key required'],
	...['API key is invalid', 'The API key was revoked', 'The API key has expired'],
	...['Your API key has been disabled', 'The API key you provided is wrong', 'apikey missing'],
	...['The x-api-key header is invalid', 'API key header or parameter is missing'],
	...['API key is unknown', 'API key not recognized', 'API key not active', 'API key not provided'],
])('"%s" means that the key is wrong', (words) => {
	for (const asked of ASKED)
		expect(rejected(400, 'INVALID_PARAMETER', words, null, asked).meaning).toBe('UNAUTHORIZED');
	for (const [status, code] of [
		[404, null],
		[404, 'NOT_FOUND'],
		[404, 'GONE'],
		[200, 'NOT_FOUND'],
	] as const) {
		expect(rejected(status, code, words, null, 'config').meaning).toBe('UNAUTHORIZED');
		// Of a quote, what is not found may be a token.
		expect(rejected(status, code, words, null, 'quote').meaning).toBe('NOT_FOUND');
	}
});

test.each([
	'slippage is invalid for this API key',
	'Invalid address. An API key may have several',
	'This address was not created with this API key',
	'Get your API key at a.example',
	'API key 7: the amount is invalid',
])('"%s" says nothing against the key', (words) => {
	for (const asked of ['config', 'quote'] as const) {
		expect(rejected(400, 'INVALID_PARAMETER', words, null, asked).meaning).toBe(
			'INVALID_PARAMETER',
		);
		expect(rejected(404, null, words, null, asked).meaning).toBe('NOT_FOUND');
	}
});

test.each(['ORDER_NOT_FOUND', 'TX_NOT_INDEXED', 'NOT_INDEXED', 'UNKNOWN_ORDER', 'NO_SUCH_ORDER'])(
	'the code %s means that an order is not found',
	(code) => {
		expect(rejected(400, code).meaning).toBe('NOT_FOUND');
		expect(meaningOf({ status: 400, code, words: null }, 'quote')).toBeNull();
	},
);

test.each([
	'Token not found',
	'Unknown network',
	'Route not found',
	'User does not exist',
	'The order was not accepted',
	'The order was not accepted because the token is not known',
	'sourceHash is not valid',
	'The hash is too short',
	'Unknown hash format',
	'No transaction hash provided',
	'No sourceHash parameter',
	'The hash is not in a known format',
	'Unknown transaction type',
	'Order service not found',
	'No transaction data provider available',
	'Cannot find order database',
	'No hash was given',
	'Endpoint not found',
	`${'x '.repeat(300)}order not found`,
])('"%s" does not mean that an order is not found', (words) => {
	expect(rejected(409, null, words).meaning).toBeNull();
});

test('404 means that an order is not found, whatever the body says', () => {
	for (const code of ['INVALID_PARAMETER', 'INTERNAL_ERROR', 'X_Y_Z'])
		expect(rejected(404, code, 'Cannot GET /api').meaning).toBe('NOT_FOUND');
	expect(rejected(404, 'INVALID_PARAMETER', null, null, 'quote').meaning).toBe('INVALID_PARAMETER');
});

test.each<[ServiceError, boolean]>([
	[rejected(400), true],
	[rejected(422), true],
	[rejected(400, 'BAD_REQUEST'), true],
	[rejected(400, 'INVALID_HASH'), true],
	[rejected(422, 'VALIDATION_ERROR'), true],
	[rejected(400, 'INVALID_SOURCE_HASH', 'Look at what you have sent'), true],
	[rejected(200, 'INVALID_PARAMETER'), true],
	[rejected(400, 'INVALID_PARAMETER', 'The order is locked'), true],
	// A transaction that is under way has no wrong hash.
	[rejected(400, 'INVALID_PARAMETER', 'Transaction not yet confirmed'), false],
	[rejected(400, 'INVALID_PARAMETER', 'sourceHash is too recent'), false],
	[rejected(200, 'INVALID_PARAMETER', 'The order is being processed'), false],
	[rejected(400, 'INVALID_PARAMETER', 'Invalid sourceHash: transaction not yet confirmed'), false],
	[rejected(400, 'INVALID_PARAMETER', 'Missing order: transaction is being processed'), false],
	[rejected(400, 'INVALID_PARAMETER', 'Invalid response for this hash, try again later'), false],
	[rejected(400, 'INVALID_PARAMETER', 'Could not process the provided hash, retry'), false],
	[rejected(400, 'INVALID_PARAMETER', 'Try again later'), false],
	...[
		'Invalid sourceHash or order has not been created. Try again later',
		'Invalid hash or transaction not processed',
		'Invalid transaction hash, or the order was not created',
		'Invalid sourceHash: transaction has not been received',
		'Transaction hash is missing in our records. Please try again in a moment',
		'Invalid tx hash. The transaction may take a moment to appear',
		'Invalid hash: the transaction is being indexed',
		'Invalid hash: still waiting for the deposit',
		'Invalid hash: awaiting the deposit',
		'Invalid hash: deposit not detected',
	].flatMap((words): Array<[ServiceError, boolean]> => [
		[rejected(400, 'INVALID_PARAMETER', words), false],
		[rejected(400, null, words), false],
	]),
	[rejected(409), false],
	[rejected(409, null, 'Invalid hash'), false],
	[rejected(400, 'BAD_REQUEST', 'The order is locked'), false],
	[rejected(400, 'BRIDGE_PAUSED'), false],
	[rejected(400, 'MAINTENANCE'), false],
	[rejected(400, 'INSUFFICIENT_LIQUIDITY'), false],
	[rejected(422, 'ORDER_NOT_FOUND'), false],
	[rejected(500), false],
	[unreadable(400), false],
])('%j rejects the hash: %s', (error, isRejected) => {
	expect(isHashRejected(error)).toBe(isRejected);
});

/** Said of an order that is under way, even next to words on its hash: otherwise it would be sent twice. */
test.each([
	...[
		'not yet',
		'pending',
		'it is processing',
		'still processing',
		'being indexed',
		'it is indexed',
	],
	...['awaiting it', 'waiting for it', 'in progress', 'already used', 'in the queue', 'queued'],
	...['unconfirmed', 'confirmed later', 'confirming', 'one confirmation', 'two confirmations'],
	...['not mined', 'not final', 'not finalized', 'too recent', 'too new', 'too young', 'too early'],
	...['too soon', 'temporary', 'temporarily so', 'maintenance', 'unavailable', 'not available'],
	...[
		'busy',
		'timeout',
		'time out',
		'order not created',
		'tx not detected',
		'deposit not processed',
	],
	...[
		'transaction not received',
		'order not recorded',
		'order is not created',
		'tx was not detected',
	],
	...['deposit has not been received', 'deposits in our record', 'none in the records'],
	...['none in our database', 'none in the system', 'it may take time', 'it can take a minute'],
	...['it might take a minute', 'slow to appear'],
])('"Invalid hash: %s" does not reject the hash', (words) => {
	for (const code of ['INVALID_PARAMETER', null])
		expect(isHashRejected(rejected(400, code, `Invalid hash: ${words}`))).toBe(false);
	// A quote is not under way.
	const ofQuote = rejected(400, 'INVALID_PARAMETER', `Invalid amount: ${words}`, null, 'quote');
	expect(ofQuote.meaning).toBe('INVALID_PARAMETER');
});

/** A hash that is called wrong is so, in whatever polite words. */
test.each([
	'Invalid sourceHash. Please check it and try again later',
	'Invalid sourceHash, please confirm the value',
	'Unable to process request: invalid sourceHash',
	'Error processing request: sourceHash is required',
	'The request could not be processed: malformed transaction hash',
	'Missing required parameter: sourceHash. Please retry in a moment',
	'Invalid value for the parameter "sourceHash". Please retry',
	'The sourceHash parameter is missing, please retry',
	'sourceHash is not a valid transaction hash. Please confirm it and retry',
	'source_hash must be a hexadecimal string. Please confirm the value',
	'Invalid parameter. Try again later',
	'Invalid sourceHash or parameter. Try again later',
	'sourceHash appears to be malformed. Please take a moment to check it',
	...[
		'Invalid hash',
		'Invalid txhash',
		'Invalid source hash',
		'Invalid hashes',
		'Invalid param',
		'Invalid params',
		'Invalid parameters',
		'Invalid query',
		'The hash is not valid',
		'The hash is not a valid one',
		'A hash is missing',
		'The hash is empty',
		'No hash provided',
		'The hash is not a hex string',
		'The hash needs hexadecimal digits',
		'Hash: one digit too many',
		'Hash: 66 chars, please',
		'Hash: one character too much',
		'Hash: 32 bytes, please',
		'Hash: one byte too many',
		'Hash of wrong length',
		'Hash too short',
		'Hash too long',
		'Hash not provided',
		'No source hash was provided',
	].flatMap((words) => [words, `${words}. Please retry`]),
])('"%s" rejects the hash', (words) => {
	const errors = [rejected(400, 'INVALID_PARAMETER', words), rejected(422, null, words)];
	expect(errors.map(isHashRejected)).toEqual([true, true]);
});

/** An order that is under way must not be said to have a wrong hash: it would be sent twice. */
test.each([
	'Bad Request',
	'400 Bad Request',
	'Bad Request Exception',
	'Unprocessable Entity',
	'unprocessable content',
	'Invalid hash',
	'sourceHash is not valid',
	'sourceHash must be a hexadecimal string',
	'source_hash is required',
	'The hash has no digits.',
	'The hash is too short',
	'Unknown hash format',
	'No transaction hash provided',
	'txHash: expected 66 characters',
	'Missing parameter',
	'Invalid query parameters',
	'Invalid input',
	'Invalid',
	'Malformed request',
	'The value is malformed.',
	'Validation failed',
	'Wrong format',
	'"sourceHash" is not allowed to be empty',
	'[0xab] is not a valid transaction',
])('with HTTP 400 or 422, "%s" rejects the hash', (words) => {
	for (const status of [400, 422]) {
		const error = rejected(status, null, words);
		expect([isHashRejected(error), isRequestError(error)]).toEqual([true, true]);
	}
});

test.each([
	'The service is under maintenance',
	'Maintenance is required, please retry with the same hash later',
	'This order is locked',
	'Bridge paused',
	'Something went wrong',
	'Oops',
	'Chain is halted',
	'Unexpected state of the order',
	'The solver sent an invalid response',
	'Invalid response from upstream',
	'The RPC node returned malformed data',
	'The transaction hash is not confirmed yet',
	'The transaction with this hash is still pending',
	'could not fetch transaction by hash from RPC',
	'sourceHash is too recent',
	'Transaction hash has failed status: reverted',
	'Transaction with this hash is unconfirmed',
	'Invalid response for this transaction hash',
	'The hash belongs to another bridge',
	'Request Timeout',
	'Service Unavailable',
	'Internal Server Error',
	'Bad Gateway',
	'Forbidden',
	'Conflict',
	'Invalid session',
])('with HTTP 400 or 422, "%s" is an error of that order that is asked again', (words) => {
	for (const status of [400, 422]) {
		const error = rejected(status, null, words);
		expect([error.meaning, isHashRejected(error), isRequestError(error)]).toEqual([
			null,
			false,
			true,
		]);
	}
	// Any parameter of a quote may be at fault.
	expect(rejected(400, null, words, null, 'quote').meaning).toBe('INVALID_PARAMETER');
});

/** Where neither the code nor the HTTP status says it. */
test.each<[meaning: string, words: string[]]>([
	[
		'RATE_LIMITED',
		[
			'Too many requests, please slow down',
			'Too Many Requests',
			'Rate limit exceeded',
			'rate-limited',
			'You have reached your request limit',
			'API key has exceeded its rate limit',
			'Request was throttled. Expected available in 5 seconds.',
			'Quota exceeded',
			'Please slow down',
			'Slow down',
			'"Slow down"',
			'ratelimit exceeded',
			'Too many calls',
		],
	],
	[
		'INSUFFICIENT_LIQUIDITY',
		[
			'Insufficient liquidity',
			'insufficient_liquidity',
			'Not enough liquidity for this route',
			'insufficientLiquidity',
			'There is no liquidity',
			'Not enough pool liquidity',
			'Liquidity too low',
			'Liquidity of this pool is not enough',
			'Liquidity is insufficient',
			'The liquidity of this pool is too low',
		],
	],
	[
		'UNAUTHORIZED',
		[
			'API key is invalid',
			'Invalid apiKey',
			'x-api-key header is required',
			'API key not found',
			'Unauthorized',
			'Authentication failed',
			'"Unauthorised"',
			'401 Unauthorized',
			'Missing apikey',
			'A header is missing authentication token',
		],
	],
	['noEndpoint', ['Missing Authentication Token', '"Missing Authentication Token"']],
])('words that mean %s', (meaning, words) => {
	for (const each of words)
		for (const asked of ASKED) {
			for (const status of [200, 400, 403, 409, 422])
				expect([each, status, rejected(status, null, each, null, asked).meaning]).toEqual([
					each,
					status,
					meaning,
				]);
			expect(rejected(401, null, each, null, asked).meaning).toBe('UNAUTHORIZED');
			expect(rejected(400, 'INTERNAL_ERROR', each, null, asked).meaning).toBe('INTERNAL_ERROR');
		}
});

test.each([
	'Transfers may slow down today',
	'This wallet is unauthorized',
	'The key of the cache is too old',
	'The token is not authorized',
	'The amount limit is exceeded',
	'The liquidity provider has a problem',
	'The network has slowed down',
])('"%s" means none of them', (words) => {
	for (const asked of ASKED) expect(rejected(409, null, words, null, asked).meaning).toBeNull();
});

/** A firewall, a proxy or the bridge itself: only words or a code of its own say that it is the key. */
test.each<[code: string | null, words: string | null, meaning: string]>([
	[null, null, 'refused'],
	[null, 'error code: 1020', 'refused'],
	[null, '403 Forbidden', 'refused'],
	[null, 'Access denied', 'refused'],
	[null, 'Host not in allowlist', 'refused'],
	[null, 'Your IP address is not allowed for this API key', 'refused'],
	['ACCESS_DENIED', 'Your country is blocked', 'refused'],
	['FORBIDDEN', null, 'UNAUTHORIZED'],
	['FORBIDDEN', 'This order is not yours', 'UNAUTHORIZED'],
	['BAD_KEY', null, 'UNAUTHORIZED'],
	[null, 'Invalid API key', 'UNAUTHORIZED'],
	[null, 'Invalid key', 'UNAUTHORIZED'],
	['UNAUTHORIZED', 'blocked', 'UNAUTHORIZED'],
])('a 403 with the code %j and the words %j means %s', (code, words, meaning) => {
	for (const asked of ASKED) {
		const error = rejected(403, code, words, null, asked);
		expect(error.meaning).toBe(meaning);
		expect(isAccountError(error, asked)).toBe(true);
	}
});

test.each<[ServiceError, boolean, number | null]>([
	[rejected(429), true, null],
	[pausing(429, null, 5000), true, 5000],
	[pausing(400, 'RATE_LIMITED', 0), true, 0],
	[rejected(503), false, null],
	[pausing(503, null, 7000), true, 7000],
	[pausing(400, 'INTERNAL_ERROR', 7000), true, 7000],
	[pausing(404, null, 7000), false, null],
	[pausing(401, null, 7000), false, null],
	[pausing(503, 'ORDER_NOT_FOUND', 7000), false, null],
	[unreadable(503), false, null],
	[{ kind: 'timedOut', afterMs: 1 }, false, null],
])('%j asks for a pause: %s, of %j ms', (error, asks, ms) => {
	expect([asksForPause(error), retryAfterOf(error)]).toEqual([asks, ms]);
});

const NO_KEY: ServiceError = { kind: 'invalidCredential', problem: { kind: 'noKey' } };
const unreadables = (status: number, ...found: UnreadableBody[]) =>
	found.map((each) => unreadable(status, each));
const PASSING: ServiceError[] = [
	...[rejected(500), pausing(503, 'MAINTENANCE', 5000), unreadable(502), unreadable(500)],
	...unreadables(200, 'brokenJson', 'brokenOff', 'empty'),
	{ kind: 'unreachable', networkCode: null },
	{ kind: 'unreachable', networkCode: 'CERT_HAS_EXPIRED' },
	{ kind: 'timedOut', afterMs: 1 },
	{ kind: 'credentialEdited' },
	{ kind: 'credentialNotRead' },
];
const WRONG: ServiceError[] = [
	...[401, 403, 407, 451].map((status) => rejected(status)),
	...[rejected(403, 'FORBIDDEN'), rejected(403, null, 'Missing Authentication Token')],
	...[unreadable(200), unreadable(499)],
	...[unreadable(403, 'text'), unreadable(200, 'noEnvelope')],
	...[{ kind: 'redirected', status: 307 } as const, NO_KEY],
];
const UNFIT = [402, 404, 405, 408, 410, 418]
	.map((status) => rejected(status))
	.concat(
		rejected(400, 'BRIDGE_PAUSED'),
		rejected(400, 'INSUFFICIENT_LIQUIDITY'),
		rejected(200),
		rejected(409, 'ORDER_NOT_FOUND'),
	);
const LIMITS = [rejected(429), rejected(200, 'RATE_LIMITED')];
const USELESS = unreadables(200, 'noData', 'noNetworks', 'tooLarge');
const BAD_VALUES = [rejected(400), rejected(200, 'INVALID_PARAMETER')];

test.each<[string, ofConfig: Scope, ofOthers: Scope, ServiceError[]]>([
	['what passes by itself', 'transient', 'transient', PASSING],
	['the limit', 'rateLimited', 'rateLimited', LIMITS],
	['a wrong key or address', 'account', 'account', WRONG],
	['what is no response to the configuration', 'account', 'request', UNFIT],
	['data that cannot be read', 'account', 'transient', USELESS],
	['a value that is not accepted', 'request', 'request', BAD_VALUES],
])('whom it concerns: %s', (_name, ofConfig, ofOthers, errors) => {
	for (const error of errors) {
		for (const asked of ASKED) {
			const scope = asked === 'config' ? ofConfig : ofOthers;
			expect([error, asked, scopeOf(error, asked)]).toEqual([error, asked, scope]);
			expect(isAccountError(error, asked)).toBe(scope === 'account');
		}
		expect(isAccountError(error)).toBe(ofOthers === 'account');
		expect(isRequestError(error)).toBe(ofOthers === 'request');
		expect(isRateLimited(error)).toBe(ofOthers === 'rateLimited');
	}
});

const PROBLEMS: CredentialProblem[] = [
	...(['noKey', 'keyNotSendable', 'noBaseUrl', 'notHttps', 'notAnAddress'] as const).map(
		(kind) => ({ kind }),
	),
	{ kind: 'limitNotReadable', given: 'many' },
];
const EVERY_ERROR: ServiceError[] = [
	...PASSING,
	...WRONG,
	...UNFIT,
	...LIMITS,
	...USELESS,
	...BAD_VALUES,
	rejected(400, 'INVALID_PARAMETER', 'routeNotFound'),
	rejected(400, 'INVALID_PARAMETER', 'The permission was canceled'),
	rejected(401, null, 'The Authorization header is wrong'),
	rejected(500, 'INTERNAL_ERROR', 'econnreset approvePermission'),
	...[400, 409, 418, 422].map((status) => rejected(status, null, 'It preexists, see EPERM')),
	...PROBLEMS.map((problem): ServiceError => ({ kind: 'invalidCredential', problem })),
];

test.each(EVERY_ERROR)('n8n keeps our sentence: %j', (serviceError) => {
	for (const asked of ASKED) {
		const text = describeError(serviceError, asked);
		const error = toNodeError(nodeWith(), serviceError, { asked, itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(text.message);
		expect(error.description).toBe(text.description);
		expect(error.httpCode).toBe(text.httpCode ?? null);
		expect(error.context.itemIndex).toBe(3);
		expect(error.context.code).toBe(text.code);
		// n8n takes a run whose text contains this word for one that the user stopped.
		expect(error.message.toLowerCase()).not.toContain('canceled');
		// n8n would not try again to register a workflow whose trigger says this word.
		expect(error.message).not.toContain('Authorization');
		expect(text.message + text.ownMessage + text.description).not.toMatch(/[{}]|undefined|null/);
		expect(text.description).toMatch(/[.!]$/);
		if (asked === 'quote') expect(text.description).not.toMatch(/\border\b/i);
	}
});

test('lead and note are further sentences, and a title goes before the message', () => {
	const more = { asked: 'status', lead: 'None came:', note: 'See item 3.', title: 'No' } as const;
	const error = toNodeError(nodeWith(), rejected(418, 'TEAPOT', `R&D <b> "it's"`), more);
	expect(error.message).toBe('No');
	expect(error.description).toBe(
		`None came: Try again in a moment. The order may be under way: do not send it again. The bridge responded with TEAPOT (HTTP 418): "R＆D ＜b＞ "it's"". See item 3.`,
	);
	expect(error.context.code).toBe('TEAPOT');
	const edited = toNodeError(
		nodeWith(),
		{ kind: 'credentialEdited' },
		{ asked: 'status', note: '' },
	);
	expect(edited.description).toBe('The request was not sent. Run the node again.');
	expect(edited.context).not.toHaveProperty('code');
});
