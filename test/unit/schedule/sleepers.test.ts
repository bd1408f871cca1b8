import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { Sleepers } from '../../../nodes/CrossChainBridge/schedule/sleepers';

function setUp(): {
	clock: VirtualClock;
	sleepers: Sleepers;
	awake: Array<[string, number]>;
	sleep(name: string, ms: number): void;
} {
	const clock = new VirtualClock();
	const sleepers = new Sleepers(clock);
	const awake: Array<[string, number]> = [];
	return {
		clock,
		sleepers,
		awake,
		sleep: (name, ms) => void sleepers.sleep(ms).then(() => awake.push([name, clock.now()])),
	};
}

test('each sleeps for its time, a millisecond at least', async () => {
	const { clock, awake, sleep } = setUp();
	sleep('long', 500);
	sleep('none', -5);
	await clock.run(1_000);
	expect(awake).toEqual([
		['none', 1],
		['long', 500],
	]);
});

test('all are woken at once; whoever sleeps after that sleeps on', async () => {
	const { clock, sleepers, awake, sleep } = setUp();
	sleep('a', 500);
	sleep('b', Number.POSITIVE_INFINITY);
	await clock.run(100);
	sleepers.wake();
	sleep('c', 700);
	await clock.run(2_000);
	expect(awake).toEqual([
		['a', 100],
		['b', 100],
		['c', 800],
	]);
});
