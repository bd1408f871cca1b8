import { API, clientOf, errorBody, EVM_HASH, rehearse, stopAll } from './rehearsal';
import type { Rehearsal } from './rehearsal';

afterEach(stopAll);

/** Statuses of so many config requests, one after another. */
async function askConfig({ client }: Rehearsal, times: number): Promise<number[]> {
	const statuses: number[] = [];
	for (let asked = 0; asked < times; asked += 1)
		statuses.push((await client.get(`${API}/config`)).status);
	return statuses;
}

function countOf(statuses: number[], status: number): number {
	return statuses.filter((one) => one === status).length;
}

describe('rule 3: the limit', () => {
	test('the standard tier: 100 requests in a minute pass, the next is 429 RATE_LIMITED', async () => {
		const rehearsal = await rehearse();
		expect(countOf(await askConfig(rehearsal, 100), 200)).toBe(100);
		const response = await rehearsal.client.get<unknown>(`${API}/config`);
		expect(response.status).toBe(429);
		expect(response.data).toEqual(errorBody('RATE_LIMITED'));
		expect(response.headers).not.toHaveProperty('retry-after');
	});

	test('the window slides: a place is free 60 s after the request that took it', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 2 });
		const { clock } = rehearsal;
		expect(await askConfig(rehearsal, 1)).toEqual([200]);
		clock.advance(30);
		expect(await askConfig(rehearsal, 2)).toEqual([200, 429]);
		clock.advance(29.999);
		expect(await askConfig(rehearsal, 1)).toEqual([429]);
		clock.advance(0.001);
		expect(await askConfig(rehearsal, 2)).toEqual([200, 429]);
		clock.advance(30);
		expect(await askConfig(rehearsal, 2)).toEqual([200, 429]);
	});

	test('requests answered with 429 are not counted', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 1 });
		expect(await askConfig(rehearsal, 20)).toEqual([200, ...Array<number>(19).fill(429)]);
		rehearsal.clock.advance(60);
		expect(await askConfig(rehearsal, 1)).toEqual([200]);
	});

	test('one limit for all endpoints; bad requests count too', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 3 });
		const { client, status } = rehearsal;
		expect((await status(EVM_HASH)).status).toBe(404);
		expect((await client.get(`${API}/quote`)).status).toBe(400);
		expect((await client.get(`${API}/config`)).status).toBe(200);
		expect((await status(EVM_HASH)).status).toBe(429);
	});

	test('the limit comes before the parameters', async () => {
		const { client } = await rehearse({ requestsPerMinute: 1 });
		expect((await client.get(`${API}/status`)).status).toBe(400);
		expect((await client.get(`${API}/status`)).status).toBe(429);
	});

	test('requests without a valid key take no place, and are 401 at a full window too', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 1 });
		const stranger = clientOf(rehearsal.sandbox.url, { 'x-api-key': 'wrong' });
		expect((await stranger.get(`${API}/config`)).status).toBe(401);
		expect(await askConfig(rehearsal, 2)).toEqual([200, 429]);
		expect((await stranger.get(`${API}/config`)).status).toBe(401);
	});

	test('each key has its own window; an enterprise key its own limit', async () => {
		const rehearsal = await rehearse({
			requestsPerMinute: 1,
			furtherKeys: { enterprise: 3, unlimited: 0 },
		});
		const { url } = rehearsal.sandbox;
		const enterprise = { ...rehearsal, client: clientOf(url, { 'x-api-key': 'enterprise' }) };
		const unlimited = { ...rehearsal, client: clientOf(url, { 'x-api-key': 'unlimited' }) };
		expect(await askConfig(rehearsal, 2)).toEqual([200, 429]);
		expect(await askConfig(enterprise, 4)).toEqual([200, 200, 200, 429]);
		expect(countOf(await askConfig(unlimited, 20), 200)).toBe(20);
	});

	test('0 is no limit', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 0 });
		expect(countOf(await askConfig(rehearsal, 120), 200)).toBe(120);
	});

	test('Retry-After, if the sandbox is set so, names the second in which a place is free', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 1, retryAfter: true });
		await askConfig(rehearsal, 1);
		rehearsal.clock.advance(17.5);
		const response = await rehearsal.client.get(`${API}/config`);
		expect(response.status).toBe(429);
		expect(response.headers['retry-after']).toBe('43');
		rehearsal.clock.advance(42.5);
		expect(await askConfig(rehearsal, 1)).toEqual([200]);
	});

	test('the control routes need no key and take no place', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 1 });
		const anyone = clientOf(rehearsal.sandbox.url);
		for (const path of ['orders', 'faults', 'requests', 'health']) {
			expect((await anyone.get(`/sandbox/${path}`)).status).toBe(200);
		}
		expect(await askConfig(rehearsal, 1)).toEqual([200]);
	});
});
