import type { Clock } from '../nodes/CrossChainBridge/budget/clock';

interface Timer {
	at: number;
	order: number;
	fire(): void;
}

/** Simulated time: nothing happens between events, so an hour takes as long as its events. */
export class VirtualClock implements Clock {
	private readonly heap: Timer[] = [];

	private made = 0;

	private time: number;

	constructor(startMs = 0) {
		this.time = startMs;
	}

	now(): number {
		return this.time;
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => {
			this.at(this.time + ms, resolve);
		});
	}

	/** Calls `fire` at this time, or next if it has passed. Events of one time happen in the order they were made. */
	at(time: number, fire: () => void): void {
		const timer: Timer = { at: Math.max(time, this.time), order: this.made++, fire };
		const { heap } = this;
		let child = heap.push(timer) - 1;
		while (child > 0) {
			const parent = (child - 1) >> 1;
			const above = heap[parent];
			if (above === undefined || !isBefore(timer, above)) break;
			heap[child] = above;
			child = parent;
		}
		heap[child] = timer;
	}

	/** Lets time pass until `until`, until `done` says so, or until nothing more is going to happen. */
	async run(until: number, done: () => boolean = () => false): Promise<void> {
		await settled();
		while (!done()) {
			const [next] = this.heap;
			if (next === undefined || next.at > until) {
				if (Number.isFinite(until)) this.time = Math.max(this.time, until);
				return;
			}
			this.removeFirst();
			this.time = next.at;
			next.fire();
			await settled();
		}
	}

	private removeFirst(): void {
		const { heap } = this;
		const last = heap.pop();
		if (last === undefined || heap.length === 0) return;
		let parent = 0;
		for (;;) {
			const left = heap[2 * parent + 1];
			const right = heap[2 * parent + 2];
			if (left === undefined) break;
			const rightIsNext = right !== undefined && isBefore(right, left);
			const child = rightIsNext ? right : left;
			if (!isBefore(child, last)) break;
			heap[parent] = child;
			parent = 2 * parent + (rightIsNext ? 2 : 1);
		}
		heap[parent] = last;
	}
}

function isBefore(one: Timer, other: Timer): boolean {
	return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** Until every promise that can continue has done so. */
async function settled(): Promise<void> {
	await new Promise<void>((resolve) => {
		setImmediate(resolve);
	});
}
