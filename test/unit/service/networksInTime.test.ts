import { NetworksInTime } from '../../../nodes/CrossChainBridge/service/networksInTime';
import type { BridgeService } from '../../../nodes/CrossChainBridge/service/service';

type NetworksResponse = Awaited<ReturnType<BridgeService['networks']>>;

const NETWORKS = [{ chainID: 1 }];
const GOOD: NetworksResponse = { ok: true, networks: NETWORKS };
const BAD: NetworksResponse = { ok: false, error: { kind: 'timedOut', afterMs: 1 } };

/** A service that responds when the test says so, and a clock that stands still until then. */
function staged() {
	const asked: Array<(response: NetworksResponse | Promise<never>) => void> = [];
	const sleepers: Array<() => void> = [];
	const networks = new NetworksInTime(
		{ networks: async () => await new Promise((resolve) => void asked.push(resolve)) },
		{
			now: () => 0,
			sleep: async () => await new Promise<void>((resolve) => void sleepers.push(resolve)),
		},
	);
	return { networks, asked, sleepers };
}

test.each<[string, () => NetworksResponse | Promise<never>]>([
	['an error', () => BAD],
	['a fault', async () => await Promise.reject(new Error('broken'))],
])('after %s they are not asked for again', async (_name, response) => {
	const { networks, asked } = staged();
	const first = networks.get();
	asked[0]?.(response());
	expect([await first, await networks.get()]).toEqual([null, null]);
	expect(asked).toHaveLength(1);
	expect([networks.hasFailed, networks.accountError]).toEqual([true, null]);
});

test('what the user has to correct is known once the response says so', async () => {
	const { networks, asked } = staged();
	const first = networks.get();
	expect([networks.hasFailed, networks.accountError]).toEqual([false, null]);
	// Of an order, the same would pass by itself.
	const error = { kind: 'unreadable', status: 200, found: 'noData' } as const;
	asked[0]?.({ ok: false, error });
	expect(await first).toBeNull();
	expect([networks.hasFailed, networks.accountError]).toEqual([true, error]);
});

test('networks that came have not failed, and every order reads the same', async () => {
	const { networks, asked } = staged();
	const first = networks.get();
	asked[0]?.(GOOD);
	expect([await first, await networks.get(), await networks.ask()]).toEqual([
		NETWORKS,
		NETWORKS,
		NETWORKS,
	]);
	expect(asked).toHaveLength(1);
	expect([networks.hasFailed, networks.accountError]).toEqual([false, null]);
});

test('an order waits for a moment only, and one that comes later reads the same', async () => {
	const { networks, asked, sleepers } = staged();
	void networks.ask();
	expect(sleepers).toHaveLength(0);
	const first = networks.get();
	expect(sleepers).toHaveLength(1);
	sleepers[0]?.();
	expect(await first).toBeNull();
	asked[0]?.(GOOD);
	expect(await networks.get()).toBeNull();
});
