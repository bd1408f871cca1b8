import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { OrderWatcher } from '../../../nodes/CrossChainBridge/schedule/orderWatcher';
import { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a watcher that nobody drives any more', () => {
	const MINUTE = 60_000;
	const clock = new VirtualClock(1_000_000);
	const budget = new RequestBudget(100, clock);
	const watcherOf = (
		key: string,
		onCheck: (key: string) => void = () => undefined,
	): OrderWatcher => {
		const watcher = new OrderWatcher({
			budget,
			clock,
			intervalMs: 5_000,
			queueKey: key,
			check: async (checked) => {
				onCheck(checked);
				return await Promise.resolve({ kind: 'open', createdAtMs: null, expiresAtMs: null });
			},
		});
		watcher.add(key);
		return watcher;
	};

	/** As after a workflow was unpublished: driven for a while, never stopped, and dropped. */
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

	it('is not kept alive by the others that share its budget', async () => {
		const living = watcherOf('living');
		const left = await leaveBehind(20);
		await clock.run(clock.now() + MINUTE);
		living.step();
		await clock.run(clock.now() + MINUTE);
		collectGarbage();
		expect(left.filter((reference) => reference.deref() !== undefined)).toHaveLength(0);
	});

	it('checks again as soon as it is driven again', async () => {
		const living = watcherOf('living once more');
		const checks: string[] = [];
		const resting = watcherOf('resting', (key) => checks.push(key));
		resting.step();
		await clock.run(clock.now() + MINUTE);
		living.step();
		await clock.run(clock.now() + MINUTE);
		expect(checks).toHaveLength(1);
		resting.step();
		await clock.run(clock.now() + 1000);
		expect(checks).toHaveLength(2);
	});
});
