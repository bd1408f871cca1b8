import { VirtualClock } from '../../../bench/simulation/virtualClock';
import type { OrderWatcher } from '../../../nodes/CrossChainBridge/watch/orderWatcher';
import { TickDriver } from '../../../nodes/CrossChainBridge/watch/tickDriver';

/** A watcher of which only the size counts, and which writes down when it is driven, and until when. */
function setUp(): { clock: VirtualClock; watcher: { size: number }; driver: TickDriver; tick(): Promise<unknown[]> } {
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
			await clock.run(tickAt + 1_000);
			await ticked;
			return driven;
		},
	};
}

test('checks begin so long before the next tick that their answers are there, and end when these would come too late', async () => {
	const { tick } = setUp();
	expect(await tick()).toEqual([830, 925, true]);
});

test.each([
	[[450], 730, 865],
	[[450, 500], 630, 815],
	[[10], 840, 932.5],
	[[10_050], 0, 500],
	[[3_250], 30, 515],
])('answers that take %p ms move them to %p until %p', async (answers, from, until) => {
	const { driver, tick } = setUp();
	for (const ms of answers) driver.noteAnswer(ms);
	expect(await tick()).toEqual([from, until, true]);
});

test.each([
	[0, 830],
	[1, 780],
	[20, 780],
	[21, 730],
	[100, 580],
	[101, 580],
	[1_000, 580],
])('%p orders that were added since the last tick: they begin at %p', async (added, from) => {
	const { watcher, tick } = setUp();
	watcher.size = added;
	expect((await tick())[0]).toBe(from);
	expect((await tick())[0]).toBe(830);
});

test('orders that were removed bring nothing forward, and those added after them count', async () => {
	const { watcher, tick } = setUp();
	watcher.size = 100;
	await tick();
	watcher.size = 10;
	expect((await tick())[0]).toBe(830);
	watcher.size = 50;
	expect((await tick())[0]).toBe(730);
});

test('orders that are added after the tick count as well', async () => {
	const { clock, watcher, tick } = setUp();
	clock.at(500, () => (watcher.size = 40));
	expect((await tick())[0]).toBe(730);
});
