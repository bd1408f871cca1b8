import { type INode, NodeApiError } from 'n8n-workflow';

import {
	type Asked,
	describeError,
	plainDescription,
	type ServiceError,
	toNodeError,
} from '../../../nodes/CrossChainBridge/service/errors';
import {
	type Scope,
	scopeOf,
	type UnreadableBody,
} from '../../../nodes/CrossChainBridge/service/serviceError';

const NODE: INode = {
	id: '1',
	name: 'Bridge',
	type: 'x',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const rejected = (
	status: number,
	code: string | null,
	words: string | null = null,
	retryAfterMs: number | null = null,
): ServiceError => ({
	kind: 'rejected',
	status,
	code,
	words,
	retryAfterMs,
});

const UNREADABLE: UnreadableBody[] = [
	'html',
	'text',
	'brokenJson',
	'empty',
	'noEnvelope',
	'noData',
	'tooLarge',
	'brokenOff',
	'noNetworks',
];

const EVERY_ERROR: ServiceError[] = [
	rejected(400, 'INVALID_PARAMETER', 'routeNotFound'),
	rejected(400, 'INSUFFICIENT_LIQUIDITY'),
	rejected(401, 'UNAUTHORIZED'),
	rejected(404, 'NOT_FOUND', 'orderNotFound'),
	rejected(429, 'RATE_LIMITED', null, 5000),
	rejected(500, 'INTERNAL_ERROR', 'econnreset approvePermission'),
	...[400, 401, 402, 403, 404, 405, 409, 418, 422, 429, 500, 502, 503, 504, 599].map((status) =>
		rejected(status, null, 'words'),
	),
	rejected(400, 'QUOTE_NOT_FOUND'),
	...UNREADABLE.flatMap((found) =>
		[200, 403, 404, 502].map((status): ServiceError => ({ kind: 'unreadable', status, found })),
	),
	{ kind: 'redirected', status: 302 },
	{ kind: 'unreachable', networkCode: 'ECONNREFUSED' },
	{ kind: 'unreachable', networkCode: 'ENOTFOUND' },
	{ kind: 'unreachable', networkCode: 'CERT_HAS_EXPIRED' },
	{ kind: 'unreachable', networkCode: null },
	{ kind: 'timedOut', afterMs: 30_000 },
	{ kind: 'moved' },
	...(
		['noKey', 'keyNotSendable', 'noBaseUrl', 'baseUrlTooLong', 'notHttps', 'notAnAddress'] as const
	).map((problem): ServiceError => ({ kind: 'invalidCredential', problem })),
];

const ASKED: Asked[] = ['config', 'quote', 'status'];

test.each(EVERY_ERROR)('n8n keeps our sentence: %j', (serviceError) => {
	for (const asked of ASKED) {
		const text = describeError(serviceError, asked);
		const error = toNodeError(NODE, serviceError, { asked, itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(text.message);
		expect(plainDescription(error)).toBe(text.description);
		expect(error.httpCode).toBe(text.httpCode ?? null);
		expect(error.context.itemIndex).toBe(3);
		expect(error.context.code).toBe(text.code);
		// n8n takes a run whose text contains this word for one that the user stopped.
		expect(error.message.toLowerCase()).not.toContain('canceled');
		// n8n would not try again to register a workflow whose trigger says this word.
		expect(error.message).not.toContain('Authorization');
		// n8n rewrites titles that contain Node's codes.
		expect(error.message).not.toMatch(/[A-Z]{4}/);
		expect(text.description).toMatch(/[.!]$/);
		if (asked !== 'status') expect(text.description).not.toMatch(/\border\b/i);
	}
});

const LABELS = {
	inputNetwork: 'From Network',
};

test('the service’s words are kept, as text that can be no markup in the editor, and not at any length', () => {
	const error = toNodeError(
		NODE,
		rejected(
			400,
			'INVALID_PARAMETER',
			`<img src=x onerror="a('b')">\u0000\u2028${'x'.repeat(1000)}`,
		),
		{ asked: 'status' },
	);
	expect(error.description).toContain('&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;');
	expect(error.description).not.toMatch(/[<>\u0000\u2028]/);
	expect(plainDescription(error)).toContain(`<img src=x onerror="a('b')">`);
	expect(plainDescription(error)?.length).toBeLessThan(600);
});

test('n8n’s declaration follows the scope', () => {
	for (const error of EVERY_ERROR) {
		for (const asked of ASKED) {
			const cause = describeError(error, asked).failure?.cause;
			const causes: Record<Scope, Array<string | undefined>> = {
				request: [undefined],
				transient: ['temporarily-unavailable'],
				rateLimited: ['rate-limited'],
				account: ['credential-invalid', 'configuration-invalid'],
			};
			expect(causes[scopeOf(error, asked)]).toContain(cause);
		}
	}
});

test('a note is a further sentence, and the description is escaped whole for the editor', () => {
	const error = toNodeError(NODE, rejected(418, 'TEAPOT', `R&D <b> "it's"`), {
		asked: 'status',
		note: 'See item 3 & 4.',
	});
	const description = `Check what was entered. The bridge responded with TEAPOT (HTTP 418): "R&D <b> "it's"". See item 3 & 4.`;
	expect(plainDescription(error)).toBe(description);
	expect(error.description).toBe(
		'Check what was entered. The bridge responded with TEAPOT (HTTP 418): &quot;R&amp;D &lt;b&gt; &quot;it&#39;s&quot;&quot;. See item 3 &amp; 4.',
	);
	expect(error.context.code).toBe('TEAPOT');
	expect(
		plainDescription(toNodeError(NODE, { kind: 'moved' }, { asked: 'status', note: '' })),
	).toBe('It now points to a different account or address. Try again.');
	expect(toNodeError(NODE, { kind: 'moved' }, { asked: 'status' }).context).not.toHaveProperty(
		'code',
	);
});

test('labels and network shape n8n’s error as well', () => {
	expect(toNodeError(NODE, rejected(404, null), { asked: 'config', network: '9' }).message).toBe(
		'Network 9 is not supported',
	);
	expect(
		toNodeError(NODE, rejected(400, 'INVALID_PARAMETER', 'inputNetwork'), {
			asked: 'quote',
			labels: LABELS,
		}).message,
	).toBe("'From Network' was not accepted");
});

test('the description of any other error is its own', () => {
	expect(plainDescription({ description: 'as it is' })).toBe('as it is');
	expect([plainDescription({}), plainDescription({ description: null })]).toEqual([null, null]);
});
