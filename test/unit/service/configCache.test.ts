import { ConfigCache } from '../../../nodes/CrossChainBridge/service/configCache';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';

const KEEP_MS = 300_000;

function rehearsed() {
	const clock = { ms: 0 };
	const cache = new ConfigCache(() => clock.ms);
	const keep = async (account: string, response: ServiceResponse) =>
		await cache.keep(account, Promise.resolve(response));
	return { clock, cache, keep };
}

const good = (chainID = 1): ServiceResponse => ({ ok: true, data: { networks: [{ chainID }] } });

test('what was read is kept until its time is over, and is not being read any more', async () => {
	const { clock, cache, keep } = rehearsed();
	expect(cache.find('a', KEEP_MS)).toBeNull();
	await keep('a', good());
	clock.ms = KEEP_MS;
	expect(await cache.find('a', KEEP_MS)).toEqual(good());
	expect(cache.find('a', KEEP_MS - 1)).toBeNull();
	expect(cache.find('b', KEEP_MS)).toBeNull();
	clock.ms++;
	expect(cache.find('a', 10 * KEEP_MS)).toBeNull();
});

test('what is being read is shared by those who want it as it is now', async () => {
	const { clock, cache } = rehearsed();
	const response = cache.keep('a', new Promise(() => undefined));
	clock.ms = 10 * KEEP_MS;
	expect(cache.find('a', 0)).toBe(response);
});

test.each<[string, () => Promise<ServiceResponse>]>([
	['an error', async () => ({ ok: false, error: { kind: 'timedOut', afterMs: 1 } })],
	['a configuration without networks', async () => ({ ok: true, data: {} })],
	['a fault', async () => await Promise.reject<ServiceResponse>(new Error('a fault'))],
])('%s is not kept, and removes nothing that was read since', async (_what, send) => {
	const { cache, keep } = rehearsed();
	await cache.keep('a', send()).catch(() => undefined);
	expect(cache.find('a', KEEP_MS)).toBeNull();
	const failing = cache.keep('a', send()).catch(() => undefined);
	await keep('a', good(2));
	await failing;
	expect(await cache.find('a', KEEP_MS)).toEqual(good(2));
});

test('of many accounts the oldest goes', async () => {
	const { cache, keep } = rehearsed();
	for (let account = 0; account <= 20; account++) await keep(String(account), good(account));
	expect(cache.find('0', KEEP_MS)).toBeNull();
	expect(await cache.find('1', KEEP_MS)).toEqual(good(1));
	// One that is read again is no longer the oldest.
	await keep('1', good(1));
	await keep('another', good());
	expect(await cache.find('1', KEEP_MS)).toEqual(good(1));
	expect(cache.find('2', KEEP_MS)).toBeNull();
});
