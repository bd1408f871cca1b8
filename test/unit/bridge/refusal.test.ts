import { type INode, NodeApiError } from 'n8n-workflow';

import { describeRefusal, isNotFound, isRateLimited, needsAPerson, type Refusal, refusalToNodeError, type UnreadableBody, withoutKey } from '../../../nodes/CrossChainBridge/bridge/refusal';

const NODE: INode = { id: '1', name: 'Bridge', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };

const refused = (status: number, code: string | null, words: string | null = null, retryAfterMs: number | null = null): Refusal => ({
	kind: 'refused',
	status,
	code,
	words,
	retryAfterMs,
});

const UNREADABLE: UnreadableBody[] = ['html', 'text', 'brokenJson', 'empty', 'noEnvelope', 'noData', 'tooLarge', 'brokenOff', 'noNetworks'];

const EVERY_REFUSAL: Refusal[] = [
	refused(400, 'INVALID_PARAMETER', 'routeNotFound'),
	refused(400, 'INSUFFICIENT_LIQUIDITY'),
	refused(401, 'UNAUTHORIZED'),
	refused(404, 'NOT_FOUND', 'orderNotFound'),
	refused(429, 'RATE_LIMITED', null, 5000),
	refused(500, 'INTERNAL_ERROR', 'econnreset approvePermission'),
	...[400, 401, 402, 403, 404, 405, 409, 418, 422, 429, 500, 502, 503, 504, 599].map((status) => refused(status, null, 'words')),
	refused(400, 'QUOTE_NOT_FOUND'),
	...UNREADABLE.flatMap((found) => [200, 403, 404, 502].map((status): Refusal => ({ kind: 'unreadable', status, found }))),
	{ kind: 'redirected', status: 302 },
	{ kind: 'unreachable', networkCode: 'ECONNREFUSED' },
	{ kind: 'unreachable', networkCode: 'ENOTFOUND' },
	{ kind: 'unreachable', networkCode: 'CERT_HAS_EXPIRED' },
	{ kind: 'unreachable', networkCode: null },
	{ kind: 'timedOut', afterMs: 30_000 },
	{ kind: 'unusable', message: 'The credential has no API key', description: 'Enter it.' },
];

test.each(EVERY_REFUSAL)('n8n keeps our sentence: %j', (refusal) => {
	const text = describeRefusal(refusal);
	const error = refusalToNodeError(NODE, refusal, { itemIndex: 3 });
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error.message).toBe(text.message);
	expect(error.description).toBe(text.description);
	expect(error.httpCode).toBe(text.httpCode ?? null);
	expect(error.context.itemIndex).toBe(3);
	expect(error.context.code).toBe(text.code);
	// n8n takes a run whose text holds this word for one that was stopped by a person.
	expect(error.message.toLowerCase()).not.toContain('canceled');
	// n8n would not try again to register a workflow whose trigger says this word.
	expect(error.message).not.toContain('Authorization');
	expect(text.description).toMatch(/[.!]$/);
});

test.each<[Refusal, string, object]>([
	[refused(400, 'INVALID_PARAMETER', 'bad hash'), 'The bridge service did not accept a parameter', { httpCode: '400', code: 'INVALID_PARAMETER' }],
	[refused(400, 'INSUFFICIENT_LIQUIDITY'), 'There is not enough liquidity for this route', { httpCode: '400' }],
	[refused(401, 'UNAUTHORIZED'), 'The bridge service does not accept the API key', { httpCode: '401', failure: { cause: 'credential-invalid' } }],
	[refused(404, 'NOT_FOUND'), 'The bridge service does not know what was asked for', { httpCode: '404' }],
	[refused(429, 'RATE_LIMITED', null, 5000), 'The bridge service asks to slow down', { httpCode: '429', failure: { cause: 'rate-limited', retryAfterMs: 5000 } }],
	[refused(500, 'INTERNAL_ERROR'), 'The bridge service has trouble answering', { httpCode: '500', failure: { cause: 'temporarily-unavailable' } }],
	[refused(200, 'RATE_LIMITED'), 'The bridge service asks to slow down', { httpCode: '200' }],
	[refused(418, null), 'The bridge service did not accept the request', { httpCode: '418' }],
	// A code that nobody knows takes nothing from what the HTTP status says.
	[refused(429, 'TOO_MANY_REQUESTS'), 'The bridge service asks to slow down', { httpCode: '429', code: 'TOO_MANY_REQUESTS', failure: { cause: 'rate-limited' } }],
	[refused(401, 'INVALID_API_KEY'), 'The bridge service does not accept the API key', { code: 'INVALID_API_KEY', failure: { cause: 'credential-invalid' } }],
	[refused(403, 'FORBIDDEN'), 'The bridge service does not accept the API key', { code: 'FORBIDDEN' }],
	[refused(404, 'ORDER_NOT_FOUND'), 'The bridge service does not know what was asked for', { code: 'ORDER_NOT_FOUND' }],
	[refused(503, 'MAINTENANCE'), 'The bridge service has trouble answering', { code: 'MAINTENANCE', failure: { cause: 'temporarily-unavailable' } }],
	// One that is known counts more than the status.
	[refused(403, 'NOT_FOUND'), 'The bridge service does not know what was asked for', { httpCode: '403' }],
	[refused(500, 'INVALID_PARAMETER'), 'The bridge service did not accept a parameter', { httpCode: '500' }],
	[{ kind: 'unreachable', networkCode: 'CERT_HAS_EXPIRED' }, 'The bridge service could not be reached', { description: expect.stringMatching(/^The certificate of the service has expired\. The API key was not sent\./) }],
	[{ kind: 'unreachable', networkCode: 'ENOTFOUND' }, 'The bridge service could not be reached', { description: expect.stringMatching(/^The name in the Base URL was not found\./) }],
	[{ kind: 'unreadable', status: 200, found: 'brokenOff' }, 'The answer of the bridge service was incomplete', { failure: { cause: 'temporarily-unavailable' } }],
	[{ kind: 'unreachable', networkCode: 'ECONNREFUSED' }, 'The bridge service could not be reached', { failure: { cause: 'temporarily-unavailable' } }],
])('%j says %j', (refusal, message, more) => {
	expect(describeRefusal(refusal)).toMatchObject({ message, ...more });
});

test('the service’s words are kept, as text that can be no markup, and not at any length', () => {
	const { description } = describeRefusal(refused(400, 'INVALID_PARAMETER', `<img src=x onerror="a('b')">\u0000\u2028${'x'.repeat(1000)}`));
	expect(description).toContain('&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;');
	expect(description).not.toMatch(/[<>\u0000\u2028]/);
	expect(description.length).toBeLessThan(600);
});

test.each<[Refusal, boolean]>([
	[refused(401, null), true],
	[refused(403, null), true],
	[{ kind: 'redirected', status: 307 }, true],
	[{ kind: 'unreadable', status: 200, found: 'html' }, true],
	[{ kind: 'unreadable', status: 502, found: 'html' }, false],
	[{ kind: 'unreadable', status: 200, found: 'brokenJson' }, false],
	[{ kind: 'unusable', message: 'a', description: 'b' }, true],
	[refused(429, null), false],
	[refused(500, null), false],
	[refused(404, null), false],
	[{ kind: 'unreachable', networkCode: null }, false],
	[{ kind: 'timedOut', afterMs: 1 }, false],
])('%j needs a person: %s', (refusal, expected) => {
	expect(needsAPerson(refusal)).toBe(expected);
});

test('a status counts where the code is unknown, for the trigger and the budget as well', () => {
	expect(isRateLimited(refused(429, 'TOO_MANY_REQUESTS'))).toBe(true);
	expect(isNotFound(refused(404, 'ORDER_NOT_FOUND'))).toBe(true);
	expect(needsAPerson(refused(403, 'NOT_FOUND'))).toBe(false);
});

test('the key is taken out of what the service says', () => {
	expect(withoutKey(refused(401, 'BAD_KEY_X1', 'key K1X is bad: K1X'), 'K1X')).toEqual(refused(401, 'BAD_KEY_X1', 'key (API key) is bad: (API key)'));
	expect(withoutKey(refused(401, 'BAD_KEY_X1', null), 'KEY_X1')).toEqual(refused(401, null));
});
