import { VirtualClock } from '../../../bench/simulation/virtualClock';
import type { OrderWatcher } from '../../../nodes/CrossChainBridge/schedule/orderWatcher';
import { TickDriver } from '../../../nodes/CrossChainBridge/schedule/tickDriver';

/** A watcher of which only the size counts, and which writes down when it is driven, and until when. */
function setUp(): {
	clock: VirtualClock;
	watcher: { size: number };
	driver: TickDriver;
	tick(): Promise<unknown[]>;
} {
	const clock = new VirtualClock();
	let driven: unknown[] = [];
	let tickAt = 0;
	const watcher = {
		size: 0,
		run: async (until: number, waitsForOrders: boolean): Promise<void> => {
			driven = [clock.now() - tickAt, until - tickAt, waitsForOrders];
			await Promise.resolve();
		},
	};
	const driver = new TickDriver(watcher as unknown as OrderWatcher, clock);
	return {
		clock,
		watcher,
		driver,
		tick: async () => {
			tickAt = clock.now();
			const ticked = driver.tick();
			await clock.run(tickAt + 2_000);
			await ticked;
			return driven;
		},
	};
}

test('checks begin so long before the next tick that their answers are there, and end when these would usually come too late', async () => {
	const { tick } = setUp();
	expect(await tick()).toEqual([862, 950, true]);
});

/** A new answer counts an eighth in the mean and a quarter in the deviation; 40 ms, the mean and four deviations before the next tick. */
test.each([
	[[50, 50, 50, 50, 50, 50, 50, 50], 905.2, 952.6],
	[[450], 424, 900],
	[[450, 500], 83, 850],
	[[10], 839, 955],
	[[10_050], 0, 831.25],
	[[3_250], 0, 831.25],
	[Array<number>(40).fill(2_000), 0, 500],
])('answers that take %p ms move them to %p until %p', async (answers, from, until) => {
	const { driver, tick } = setUp();
	for (const ms of answers) driver.noteAnswer(ms);
	const [begin, end] = await tick();
	expect(begin).toBeCloseTo(from, 0);
	expect(end).toBeCloseTo(until, 0);
});

test.each([
	[0, 862],
	[1, 762],
	[20, 762],
	[21, 712],
	[100, 562],
	[101, 562],
	[1_000, 562],
])('%p orders that were added since the last tick: they begin at %p', async (added, from) => {
	const { watcher, tick } = setUp();
	watcher.size = added;
	expect((await tick())[0]).toBe(from);
	expect((await tick())[0]).toBe(862);
});

test('orders that were removed bring nothing forward, and those added after them count', async () => {
	const { watcher, tick } = setUp();
	watcher.size = 100;
	await tick();
	watcher.size = 10;
	expect((await tick())[0]).toBe(862);
	watcher.size = 50;
	expect((await tick())[0]).toBe(712);
});

test.each([
	[500, 40, 712],
	[700, 40, 712],
	[720, 40, 762],
	[800, 40, 862],
])(
	'orders that are added %p ms after the tick count as well: %p, checked from %p on',
	async (after, added, from) => {
		const { clock, watcher, tick } = setUp();
		clock.at(after, () => (watcher.size = added));
		expect((await tick())[0]).toBe(from);
	},
);

test('a process that is late makes its checks all the same', async () => {
	const { clock, tick } = setUp();
	const sleep = clock.sleep.bind(clock);
	clock.sleep = async (ms) => await sleep(ms + 450);
	const [begin, end] = (await tick()) as [number, number];
	expect(begin).toBeGreaterThan(1_000);
	expect(end).toBeGreaterThan(begin);
});
