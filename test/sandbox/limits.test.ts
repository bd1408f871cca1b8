import { clientOf, EVM_HASH, expectError, rehearse } from './rehearsal';
import type { Rehearsal } from './rehearsal';

/** Statuses of so many config requests, one after another. */
async function askConfig({ ask }: Pick<Rehearsal, 'ask'>, times: number): Promise<number[]> {
	const statuses: number[] = [];
	for (let asked = 0; asked < times; asked += 1) statuses.push((await ask('config')).status);
	return statuses;
}

const all = (count: number, status: number): number[] => Array<number>(count).fill(status);

test('the standard tier: 100 requests in a minute pass, the next is 429 RATE_LIMITED', async () => {
	const rehearsal = await rehearse();
	expect(await askConfig(rehearsal, 100)).toEqual(all(100, 200));
	const response = await rehearsal.ask('config');
	expectError(response, 'RATE_LIMITED');
	expect(response.headers).not.toHaveProperty('retry-after');
});

test('the window slides: a place is free 60 s after the request that took it; requests answered with 429 take none', async () => {
	const rehearsal = await rehearse({ requestsPerMinute: 2 });
	for (const [seconds, statuses] of [
		[0, [200]],
		[30, [200, 429]],
		[29.999, [429]],
		[0.001, [200, 429]],
		[30, [200, 429]],
	] as const) {
		rehearsal.clock.advance(seconds);
		expect(await askConfig(rehearsal, statuses.length)).toEqual(statuses);
	}
});

test('one limit for all endpoints, which comes after the key and before the parameters; bad requests count too', async () => {
	const rehearsal = await rehearse({ requestsPerMinute: 3 });
	const { ask } = rehearsal;
	const status = { sourceHash: EVM_HASH };
	expect(await askConfig(rehearsal.as('wrong'), 1)).toEqual([401]);
	expect((await ask('status', status)).status).toBe(404);
	expect((await ask('quote')).status).toBe(400);
	expect((await ask('config')).status).toBe(200);
	expect((await ask('status', status)).status).toBe(429);
	expect((await ask('status')).status).toBe(429);
	expect(await askConfig(rehearsal.as('wrong'), 1)).toEqual([401]);
});

test('each key has its own window, and its own limit; 0 is none', async () => {
	const furtherKeys = { enterprise: 3, unlimited: 0 };
	const rehearsal = await rehearse({ requestsPerMinute: 1, furtherKeys });
	expect(await askConfig(rehearsal, 2)).toEqual([200, 429]);
	expect(await askConfig(rehearsal.as('enterprise'), 4)).toEqual([200, 200, 200, 429]);
	expect(await askConfig(rehearsal.as('unlimited'), 120)).toEqual(all(120, 200));
});

test('Retry-After, if the sandbox is set so, names the second in which a place is free; control routes need no key and take none', async () => {
	const rehearsal = await rehearse({ requestsPerMinute: 1, retryAfter: true });
	const anyone = clientOf(rehearsal.sandbox.url);
	for (const path of ['orders', 'faults', 'requests', 'health'])
		expect((await anyone.get(`/sandbox/${path}`)).status).toBe(200);
	expect(await askConfig(rehearsal, 1)).toEqual([200]);
	rehearsal.clock.advance(17.5);
	const { status, headers } = await rehearsal.ask('config');
	expect([status, headers['retry-after']]).toEqual([429, '43']);
	rehearsal.clock.advance(42.5);
	expect(await askConfig(rehearsal, 1)).toEqual([200]);
});
