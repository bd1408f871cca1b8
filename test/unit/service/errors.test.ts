import { NodeApiError } from 'n8n-workflow';

import { nodeWith } from '../node';
import { CREDENTIAL_TEXTS } from '../../../nodes/CrossChainBridge/service/account';
import {
	type Asked,
	describeError,
	isOrderError,
	isRateLimited,
	needsTheUser,
	type ServiceError,
	toNodeError,
	type UnreadableBody,
} from '../../../nodes/CrossChainBridge/service/errors';
import { rejected } from './rejected';

const NODE = nodeWith();

const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>) =>
	Object.keys(record) as K[];

/** As the compiler knows them all. */
const UNREADABLE: Record<UnreadableBody, true> = {
	html: true,
	text: true,
	noEnvelope: true,
	brokenJson: true,
	brokenOff: true,
	empty: true,
	noData: true,
	noNetworks: true,
	tooLarge: true,
};

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
	...keysOf(UNREADABLE).flatMap((found) =>
		[200, 403, 404, 502].map((status): ServiceError => ({ kind: 'unreadable', status, found })),
	),
	{ kind: 'redirected', status: 302 },
	...['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', null].map(
		(networkCode): ServiceError => ({ kind: 'unreachable', networkCode }),
	),
	{ kind: 'timedOut', afterMs: 30_000 },
	{ kind: 'moved' },
	...keysOf(CREDENTIAL_TEXTS).map(
		(problem): ServiceError => ({ kind: 'invalidCredential', problem }),
	),
];

const ASKED: Asked[] = ['config', 'quote', 'status'];

test.each(EVERY_ERROR)('n8n keeps our sentence: %j', (serviceError) => {
	for (const asked of ASKED) {
		const text = describeError(serviceError, asked);
		const error = toNodeError(NODE, serviceError, { asked, itemIndex: 3 });
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
		// n8n rewrites titles that contain Node's codes.
		expect(error.message).not.toMatch(/[A-Z]{4}/);
		expect(text.description).toMatch(/[.!]$/);
		if (asked !== 'status') expect(text.description).not.toMatch(/\border\b/i);
	}
});

test('n8n’s declaration says whom the error concerns', () => {
	for (const error of EVERY_ERROR)
		for (const asked of ASKED) {
			const cause = describeError(error, asked).failure?.cause;
			expect([error, cause?.endsWith('-invalid') === true]).toEqual([
				error,
				needsTheUser(error, asked),
			]);
			expect([error, cause === 'rate-limited']).toEqual([error, isRateLimited(error)]);
			if (asked !== 'config')
				expect([error, cause === undefined]).toEqual([error, isOrderError(error)]);
		}
});

test('the service’s words are kept, as text that can be no markup in the editor, and not at any length', () => {
	const words = `<img src=x onerror="a('b')">\u0000\u2028${'x'.repeat(1000)}`;
	const error = toNodeError(NODE, rejected(400, 'INVALID_PARAMETER', words), { asked: 'status' });
	expect(error.description).toContain(`＜img src=x onerror="a('b')"＞`);
	expect(error.description).not.toMatch(/[<>\u0000\u2028]/);
	expect(error.description?.length).toBeLessThan(600);
});

test('lead and note are further sentences', () => {
	const more = { asked: 'status', lead: 'None came:', note: 'See item 3.' } as const;
	const error = toNodeError(NODE, rejected(418, 'TEAPOT', `R&D <b> "it's"`), more);
	const said = 'None came: Check what was entered. The bridge responded with TEAPOT (HTTP 418): ';
	expect(error.description).toBe(`${said}"R＆D ＜b＞ "it's"". See item 3.`);
	expect(error.context.code).toBe('TEAPOT');
	const moved = toNodeError(NODE, { kind: 'moved' }, { asked: 'status', note: '' });
	expect(moved.description).toBe('It now points to a different account or address. Try again.');
	expect(moved.context).not.toHaveProperty('code');
});

test('labels, network and title shape n8n’s error as well', () => {
	const message = (error: ServiceError, options: Parameters<typeof toNodeError>[2]) =>
		toNodeError(NODE, error, options).message;
	expect(message(rejected(404), { asked: 'config', network: '9' })).toBe(
		'Network 9 is not supported',
	);
	const labels = { inputNetwork: 'From Network' };
	const parameter = rejected(400, 'INVALID_PARAMETER', 'inputNetwork');
	expect(message(parameter, { asked: 'quote', labels })).toBe("'From Network' was not accepted");
	expect(message(parameter, { asked: 'quote', title: 'No' })).toBe('No');
});
