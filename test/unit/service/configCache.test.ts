import { ConfigCache } from '../../../nodes/CrossChainBridge/service/configCache';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';

const KEEP_MS = 300_000;

function rehearsed() {
	const clock = { ms: 0 };
	const cache = new ConfigCache(() => clock.ms);
	const keep = async (account: string, response: ServiceResponse) =>
		await cache.share(account, async () => await Promise.resolve(response));
	return { clock, cache, keep };
}

const good = (chainID = 1): ServiceResponse => ({ ok: true, data: { networks: [{ chainID }] } });
const respond = (response: ServiceResponse) => async () => await Promise.resolve(response);

test('what was read is kept until its time is over, and is not being read any more', async () => {
	const { clock, cache, keep } = rehearsed();
	expect(cache.find('a', true)).toBeUndefined();
	await keep('a', good());
	clock.ms = KEEP_MS - 1;
	expect(await cache.find('a', true)).toEqual(good());
	expect(cache.find('a', false)).toBeUndefined();
	expect(cache.find('b', true)).toBeUndefined();
	clock.ms = KEEP_MS;
	expect(cache.find('a', true)).toBeUndefined();
});

test.each<[string, () => Promise<ServiceResponse>]>([
	['an error', respond({ ok: false, error: { kind: 'timedOut', afterMs: 1 } })],
	['a configuration without networks', respond({ ok: true, data: {} })],
	['a fault', async () => await Promise.reject<ServiceResponse>(new Error('a fault'))],
])('%s is not kept, and removes nothing that was read since', async (_what, send) => {
	const { cache, keep } = rehearsed();
	await cache.share('a', send).catch(() => undefined);
	expect(cache.find('a', true)).toBeUndefined();
	const failing = cache.share('a', send).catch(() => undefined);
	await keep('a', good(2));
	await failing;
	expect(await cache.find('a', true)).toEqual(good(2));
});
