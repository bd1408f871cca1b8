import { type SlotHandle, SlotWindow } from '../../../nodes/CrossChainBridge/budget/slotWindow';

/** Settled slots that are free again at these times. */
function settledAt(...times: number[]): SlotWindow {
	const slots = new SlotWindow();
	const taken = times.map(() => slots.take('watch', false, 0, 900));
	taken.forEach((slot, index) => slots.settle(slot, times[index] ?? 0, null));
	return slots;
}

test('each use has its slots, settled or not, until they are free again', () => {
	const slots = new SlotWindow();
	const taken = [
		slots.take('interactive', true, 0, 100),
		slots.take('watch', false, 0, 200),
		slots.take('unqueued', true, 0, 300),
	];
	const [first] = taken as [SlotHandle];
	expect([slots.size, slots.used, slots.yielded]).toEqual([
		3,
		{ interactive: 1, watch: 1, unqueued: 1 },
		2,
	]);
	expect(slots.settle(first, 50, null)).toBe(true);
	expect(slots.size).toBe(3);
	slots.forget(49);
	expect(slots.size).toBe(3);
	slots.forget(50);
	expect([slots.size, slots.used, slots.yielded]).toEqual([
		2,
		{ interactive: 0, watch: 1, unqueued: 1 },
		1,
	]);
	slots.forget(199);
	expect(slots.size).toBe(2);
	slots.forget(200);
	expect(slots.used).toEqual({ interactive: 0, watch: 0, unqueued: 1 });
	slots.forget(1_000);
	expect([slots.size, slots.used.unqueued, slots.yielded]).toEqual([0, 0, 0]);
});

test('a slot is settled or released once', () => {
	const slots = new SlotWindow();
	const settled = slots.take('watch', true, 0, 100);
	const released = slots.take('watch', true, 0, 100);
	expect([
		slots.settle(settled, 50, null),
		slots.settle(settled, 90, null),
		slots.release(settled),
	]).toEqual([true, false, false]);
	expect([
		slots.release(released),
		slots.release(released),
		slots.settle(released, 50, null),
	]).toEqual([true, false, false]);
	expect([slots.size, slots.used.watch, slots.yielded]).toEqual([1, 1, 1]);
	slots.forget(50);
	expect(slots.size).toBe(0);
});

test.each([
	[9, 0],
	[10, 1],
	[20, 3],
	[29, 3],
	[30, 4],
	[999, 4],
])('in whatever order they were settled, by %p so many are free: %p', (time, count) => {
	const slots = settledAt(20, 30, 10, 20);
	expect(slots.freedBy(time)).toBe(count);
	slots.forget(time);
	expect(slots.size).toBe(4 - count);
});

test('so many are free at a time, those in flight at the last when they are lost', () => {
	const slots = settledAt(30, 10);
	expect([1, 2, 3].map((count) => slots.freedAt(count))).toEqual([10, 30, undefined]);
	slots.take('watch', false, 0, 500);
	slots.take('watch', false, 0, 600);
	expect([2, 3, 4].map((count) => slots.freedAt(count))).toEqual([30, 500, 500]);
	expect(new SlotWindow().freedAt(1)).toBeUndefined();
});

test.each<[string, number, number | null, number, number, boolean]>([
	['before that time', 100, 160, 161, 120, true],
	['at that time', 100, 160, 160, 120, false],
	['unless it was not served', 100, null, 161, 120, false],
	['unless it has left the window', 59, 160, 161, 120, false],
	['unless it leaves the window now', 60, 160, 161, 120, false],
])('the service forgets a request %s', (_what, sentAt, forgottenAt, time, now, isForgotten) => {
	const slots = new SlotWindow();
	slots.settle(slots.take('watch', false, 0, 900), 900, 900);
	slots.settle(slots.take('watch', false, sentAt, 900), 900, forgottenAt);
	expect(slots.isForgottenBefore(time, now, 60)).toBe(isForgotten);
});
