import { Readable } from 'node:stream';

import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { sendRequest } from '../../../nodes/CrossChainBridge/service/request';

type Helper = (this: unknown, name: string, request: IHttpRequestOptions) => Promise<unknown>;

const contextOf = (helper: Helper) =>
	({ helpers: { httpRequestWithAuthentication: helper } }) as unknown as IAllExecuteFunctions;
const OPTIONS = {
	url: 'https://bridge.example.com/api/sdk/v2/status',
	qs: { sourceHash: '0xab' },
	headers: { 'x-api-key': 'account 1' },
	maxBytes: 100,
};
const TIMED_OUT = { ok: false, error: { kind: 'timedOut', afterMs: 30_000 } };
const unreachable = (networkCode: string | null) => ({
	ok: false,
	error: { kind: 'unreachable', networkCode },
});

const send = async (helper: Helper, abortSignal?: AbortSignal) =>
	await sendRequest(contextOf(helper), { ...OPTIONS, abortSignal });
const failing = async (error: unknown) =>
	await send(async () => {
		throw error;
	});
const never = async () => await new Promise<never>(() => undefined);

/** The deadline of a request, which the test lets pass. */
function deadlineOf() {
	const deadline = new AbortController();
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
	return { timeout, signal: deadline.signal, pass: () => deadline.abort(new Error('too late')) };
}

afterEach(() => jest.restoreAllMocks());

test('a request is sent by n8n with the node’s credential, as a stream that is read here', async () => {
	const calls: unknown[] = [];
	const context = contextOf(async function (this: unknown, name, request) {
		const hasSignal = request.abortSignal instanceof AbortSignal;
		calls.push([this, name, { ...request, abortSignal: undefined }, hasSignal]);
		return { statusCode: 200, headers: { a: 'b' }, body: Readable.from([Buffer.from('{"x":1}')]) };
	});
	expect(await sendRequest(context, OPTIONS)).toEqual({
		ok: true,
		response: { statusCode: 200, headers: { a: 'b' }, body: '{"x":1}' },
	});
	const request = {
		method: 'GET',
		url: OPTIONS.url,
		qs: OPTIONS.qs,
		headers: { accept: 'application/json', 'x-api-key': 'account 1' },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: 30_000,
		abortSignal: undefined,
	};
	expect(calls).toEqual([[context, 'crossChainBridgeApi', request, true]]);
});

test.each([undefined, null, 'text', {}, { statusCode: '200', headers: ['a'], body: undefined }])(
	'an answer without status and headers is one without: %j',
	async (response) => {
		expect(await send(async () => response)).toEqual({
			ok: true,
			response: { statusCode: 0, headers: {}, body: undefined },
		});
	},
);

test('a signal that n8n puts in does not take the place of ours', async () => {
	const stop = new AbortController();
	let signal: unknown;
	const sending = send(async (_name, request) => {
		request.abortSignal = new AbortController().signal;
		signal = request.abortSignal;
		return await never();
	}, stop.signal);
	stop.abort();
	await sending;
	expect(signal).toHaveProperty('aborted', true);
});

class ExpressionError extends Error {}
class NodeApiError extends Error {}
class lowerCase extends Error {}
class With$ign extends Error {}
const withCode = (error: Error, code: string) => Object.assign(error, { code });
const cause = { code: 'THIRD' };

test.each<[string, unknown, string | null]>([
	['the code that n8n gives', { httpCode: 'ECONNREFUSED', code: 'OTHER', cause }, 'ECONNREFUSED'],
	['the code of Node', { httpCode: '502', code: 'ENOTFOUND', cause }, 'ENOTFOUND'],
	['the code of the cause', { httpCode: null, code: 5, cause }, 'THIRD'],
	['a code with digits', withCode(new Error('x'), 'E2BIG'), 'E2BIG'],
	['a code of one letter', { code: 'E' }, null],
	['a code in small letters', { code: 'econnrefused' }, null],
	['a code with more before', { code: '-ECONNREFUSED' }, null],
	['a code with more after', { code: 'ECONNREFUSED 10.0.0.1' }, null],
	['an error of n8n’s own', new ExpressionError('x'), 'ExpressionError'],
	['an error of n8n’s own with a code', withCode(new ExpressionError('x'), 'EPIPE'), 'EPIPE'],
	['n8n’s wrapping of others', new NodeApiError('x'), null],
	['any error', new Error('sk-live'), null],
	['an error of an unusual name', new lowerCase('x'), null],
	['an error of a name with signs', new With$ign('x'), null],
	['no error', {}, null],
	['text', 'sk-live', null],
	['nothing', undefined, null],
])('of a network error only its code is taken: %s', async (_name, error, networkCode) => {
	expect(await failing(error)).toEqual(unreachable(networkCode));
});

test('a credential that was edited meanwhile is no question of the network', async () => {
	for (const error of [{ code: 'CREDENTIAL_EDITED' }, { httpCode: 'CREDENTIAL_EDITED' }])
		expect(await failing(error)).toEqual({ ok: false, error: { kind: 'credentialEdited' } });
});

test.each(['ECONNABORTED', 'ETIMEDOUT'])('%s is a time-out', async (code) => {
	expect(await failing({ code })).toEqual(TIMED_OUT);
});

test.each([undefined, new AbortController().signal])(
	'no complete answer within 30 seconds is a time-out, also if n8n does not notice (signal: %p)',
	async (abortSignal) => {
		const deadline = deadlineOf();
		const sending = send(never, abortSignal);
		deadline.pass();
		expect(await sending).toEqual(TIMED_OUT);
		expect(deadline.timeout).toHaveBeenCalledWith(30_000);
	},
);

test('the deadline counts for the body as well', async () => {
	const body = new Readable({ read: deadlineOf().pass });
	expect(await send(async () => ({ statusCode: 200, headers: {}, body }))).toEqual(TIMED_OUT);
	expect(body.destroyed).toBe(true);
});

test.each([true, false])(
	'a caller’s signal ends the request, which is then no time-out (fired before: %s)',
	async (isBefore) => {
		const stop = new AbortController();
		if (isBefore) stop.abort(new Error('stopped'));
		const sending = send(never, stop.signal);
		stop.abort(new Error('stopped'));
		expect(await sending).toEqual(unreachable(null));
	},
);

test('an answer that comes after the end is closed, and a failure after it is of no consequence', async () => {
	const stop = new AbortController();
	const late = new Readable({ read() {} });
	let answer = (_response: unknown): void => undefined;
	let fail = (_error: Error): void => undefined;
	const sending = Promise.all([
		send(async () => await new Promise((resolve) => void (answer = resolve)), stop.signal),
		send(async () => await new Promise((_resolve, reject) => void (fail = reject)), stop.signal),
	]);
	stop.abort(new Error('stopped'));
	await sending;
	const closed = new Promise((resolve) => late.once('close', resolve));
	answer({ statusCode: 200, headers: {}, body: late });
	fail(new Error('broken'));
	await closed;
	expect(late.destroyed).toBe(true);
});
