import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { ErrorShape, Fault, Wait, WaitingFault } from '../../sandbox';
import { API, EVM_HASH, expectError, OTHER_HASH, rehearse, rehearseTogether } from './rehearsal';
import type { Rehearsal } from './rehearsal';

const together = rehearseTogether();

async function statusesOf({ ask }: Rehearsal, count: number): Promise<number[]> {
	const statuses: number[] = [];
	for (let asked = 0; asked < count; asked += 1) statuses.push((await ask('config')).status);
	return statuses;
}

/** A wait that is over only when it is released; knows what it was asked for. */
class PausedWait {
	readonly milliseconds: number[] = [];
	#begin: () => void = () => undefined;

	/** Resolves when something waits. */
	readonly begun = new Promise<void>((resolve) => (this.#begin = resolve));

	readonly wait: Wait = async (milliseconds, signal) => {
		this.milliseconds.push(milliseconds);
		if (signal.aborted) return;
		const letGo = once(signal, 'abort');
		this.#begin();
		await letGo;
	};
}

describe('which requests a fault meets', () => {
	test.each<[string, Fault[], number[]]>([
		['the next one by default, then all is well again', [{ kind: 'error' }], [500, 200]],
		['the next N', [{ kind: 'error', times: 2 }], [500, 500, 200]],
		[
			'the first that fits',
			[{ kind: 'error' }, { kind: 'error', status: 429 }, { kind: 'empty', status: 202 }],
			[500, 429, 202, 200],
		],
	])('%s', async (_which, faults, statuses) => {
		const rehearsal = await rehearse();
		for (const fault of faults) await rehearsal.addFault(fault);
		expect(await statusesOf(rehearsal, statuses.length)).toEqual(statuses);
	});

	test('always, until it is deleted; all endpoints, before the key and the limit', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 1 });
		await rehearsal.addFault({ kind: 'error', status: 503, endpoint: 'all', times: 'always' });
		for (const endpoint of ['config', 'quote', 'status'])
			expect((await rehearsal.as().ask(endpoint)).status).toBe(503);
		expect(await statusesOf(rehearsal, 2)).toEqual([503, 503]);
		expect((await rehearsal.client.delete('/sandbox/faults')).status).toBe(204);
		expect(await statusesOf(rehearsal, 2)).toEqual([200, 429]);
	});

	test('one endpoint, or one source hash in any case: others are well, and do not use it up', async () => {
		const { announce, addFault, ask } = await rehearse();
		await announce({ sourceHash: EVM_HASH }, { sourceHash: OTHER_HASH });
		const status = async (sourceHash: string) => (await ask('status', { sourceHash })).status;
		await addFault({ kind: 'error', status: 503, endpoint: 'status' });
		expect((await ask('config')).status).toBe(200);
		expect((await ask('quote')).status).toBe(400);
		expect([await status(EVM_HASH), await status(EVM_HASH)]).toEqual([503, 200]);
		await addFault({ kind: 'error', status: 500, sourceHash: EVM_HASH.toUpperCase() });
		expect((await ask('config', { sourceHash: EVM_HASH })).status).toBe(200);
		expect([await status(OTHER_HASH), await status(EVM_HASH)]).toEqual([200, 500]);
	});

	test('the list shows what is left; one can be deleted by its id', async () => {
		const { client, addFault, ask } = await rehearse();
		await addFault({ kind: 'error', status: 500, times: 3 });
		await addFault({ kind: 'html', times: 'always' });
		await ask('config');
		const first = { id: 1, kind: 'error', status: 500, times: 3, left: 2 };
		const second = { id: 2, kind: 'html', times: 'always', left: 'always' };
		const list = async () =>
			(await client.get<{ faults: WaitingFault[] }>('/sandbox/faults')).data.faults;
		expect(await list()).toEqual([first, second]);
		expect((await client.delete('/sandbox/faults/1')).status).toBe(204);
		expect((await client.delete('/sandbox/faults/1')).status).toBe(404);
		expect(await list()).toEqual([second]);
	});

	test.each([
		['no kind', {}, 'kind'],
		['an unknown kind', { kind: 'flood' }, 'halfBody'],
		['an unknown field', { kind: 'error', stauts: 500 }, 'stauts'],
		['a field of another kind', { kind: 'html', to: 'http://127.0.0.1' }, 'to'],
		['a redirect to nowhere', { kind: 'redirect' }, 'to'],
	])('%s is rejected with a sentence', async (_what, body, named) => {
		const { client } = together();
		expectError(await client.post('/sandbox/faults', body), 'INVALID_PARAMETER', named);
		expect((await client.get<unknown>('/sandbox/faults')).data).toEqual({ faults: [] });
	});
});

describe('errors', () => {
	test('have the status of their code or the code of their status, or both as they are stated', async () => {
		const { addFault, ask } = await rehearse();
		await addFault({ kind: 'error', status: 429 });
		await addFault({ kind: 'error', code: 'TEAPOT', status: 418 });
		expectError(await ask('config'), 'RATE_LIMITED');
		expectError(await ask('config'), 'TEAPOT', '', 418);
	});

	const message = 'No such order';
	test.each<[ErrorShape, number, unknown]>([
		['envelope', 404, { success: false, error: { code: 'NOT_FOUND', message } }],
		['nested', 404, { error: { code: 'NOT_FOUND', message } }],
		['flat', 404, { code: 'NOT_FOUND', message }],
		['word', 404, { error: 'NOT_FOUND', message }],
		['message', 404, { message }],
		['status200', 200, { success: false, error: message }],
		['text', 404, message],
		['html', 404, expect.stringContaining(`<p>${message}</p>`)],
		['empty', 404, ''],
	])('body shape %s', async (shape, status, data) => {
		await together().addFault({ kind: 'error', code: 'NOT_FOUND', message, shape });
		const answer = await together().ask('config');
		expect({ status: answer.status, data: answer.data }).toEqual({ status, data });
	});

	test("errorShape: the service's own errors in another shape, good answers as ever", async () => {
		const { addFault, ask, as } = await rehearse();
		await addFault({ kind: 'errorShape', shape: 'flat', times: 'always' });
		const flat = (code: string) => ({ code, message: expect.any(String) as string });
		const unknown = await ask('status', { sourceHash: EVM_HASH });
		expect([unknown.status, unknown.data]).toEqual([404, flat('NOT_FOUND')]);
		const stranger = await as().ask('config');
		expect([stranger.status, stranger.data]).toEqual([401, flat('UNAUTHORIZED')]);
		expect((await ask('config')).data).toMatchObject({ success: true });
	});
});

test('fields: an unknown status word, null and absent parts in the answer, once; an error stays as it is', async () => {
	const { announce, addFault, ask, order } = await rehearse();
	await announce({ sourceHash: EVM_HASH });
	const before = await order();
	const answer = { status: 'settling', input: null };
	await addFault({ kind: 'fields', answer, absent: ['timing.expiry'] });
	const shown = await order();
	expect(shown).toMatchObject(answer);
	expect(shown.timing).not.toHaveProperty('expiry');
	expect(await order()).toEqual(before);
	await addFault({ kind: 'fields', answer });
	expectError(await ask('status', { sourceHash: OTHER_HASH }), 'NOT_FOUND');
});

test('drip: the first byte arrives and the next does not; deleting the faults lets the rest flow', async () => {
	const paused = new PausedWait();
	const { sandbox, addFault, client } = await rehearse({ wait: paused.wait });
	await addFault({ kind: 'drip', bytesPerSecond: 4 });
	const request = httpGet(`${sandbox.url}${API}/config`, {
		headers: { 'x-api-key': sandbox.apiKey },
	});
	const [response] = (await once(request, 'response')) as [IncomingMessage];
	const [firstBytes] = (await once(response, 'data')) as [Buffer];
	expect([firstBytes.toString(), paused.milliseconds]).toEqual(['{', [250]]);
	const received = once(response, 'end');
	let rest = '';
	response.on('data', (bytes: Buffer) => (rest += bytes.toString()));
	await client.delete('/sandbox/faults');
	await received;
	expect(JSON.parse(`{${rest}`)).toMatchObject({ success: true });
});

describe('delay', () => {
	test('the answer comes after the delay, as it was at the arrival; others are not delayed', async () => {
		const paused = new PausedWait();
		const { announce, addFault, order, clock, client } = await rehearse({ wait: paused.wait });
		await announce({ sourceHash: EVM_HASH, endsAfterSeconds: 5 });
		await addFault({ kind: 'delay', delaySeconds: 20 });
		const delayed = order();
		await paused.begun;
		expect(paused.milliseconds).toEqual([20_000]);
		clock.advance(20);
		expect(await order()).toMatchObject({ status: 'completed' });
		await client.delete('/sandbox/faults');
		expect(await delayed).toMatchObject({ status: 'pending' });
	});
});
