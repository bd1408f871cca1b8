import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { OrderWatcher } from '../../../nodes/CrossChainBridge/watch/orderWatcher';
import { RequestBudget } from '../../../nodes/CrossChainBridge/watch/requestBudget';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a watcher that nobody drives any more', () => {
	const MINUTE = 60_000;
	const clock = new VirtualClock(1_000_000);
	const budget = new RequestBudget(100, clock);
	const watcherOf = (key: string, onLook: (key: string) => void = () => undefined): OrderWatcher => {
		const watcher = new OrderWatcher({
			budget,
			clock,
			intervalMs: 5_000,
			lane: key,
			look: async (looked) => {
				onLook(looked);
				return await Promise.resolve({ kind: 'open', createdAtMs: null, expiresAtMs: null });
			},
		});
		watcher.add(key);
		return watcher;
	};

	/** As an unpublished workflow leaves it: stepped for a while, never stopped, and dropped. */
	async function leaveBehind(count: number): Promise<Array<WeakRef<OrderWatcher>>> {
		const left: Array<WeakRef<OrderWatcher>> = [];
		for (let number = 0; number < count; number++) {
			const watcher = watcherOf(`left ${number}`);
			watcher.step();
			left.push(new WeakRef(watcher));
			await clock.run(clock.now() + 1000);
		}
		return left;
	}

	it('is not held by the others that share its budget', async () => {
		const living = watcherOf('living');
		const left = await leaveBehind(20);
		await clock.run(clock.now() + MINUTE);
		living.step();
		await clock.run(clock.now() + MINUTE);
		collectGarbage();
		expect(left.filter((reference) => reference.deref() !== undefined)).toHaveLength(0);
	});

	it('looks again as soon as it is driven again', async () => {
		const living = watcherOf('living once more');
		const looks: string[] = [];
		const resting = watcherOf('resting', (key) => looks.push(key));
		resting.step();
		await clock.run(clock.now() + MINUTE);
		living.step();
		await clock.run(clock.now() + MINUTE);
		expect(looks).toHaveLength(1);
		resting.step();
		await clock.run(clock.now() + 1000);
		expect(looks).toHaveLength(2);
	});
});
