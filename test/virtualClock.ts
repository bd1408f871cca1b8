import type { Clock } from '../nodes/CrossChainBridge/budget/clock';

interface Timer {
	at: number;
	fire(): void;
}

/** Simulated time: nothing happens between events, so an hour takes as long as its events. */
export class VirtualClock implements Clock {
	/** In the order in which they fire. */
	private readonly timers: Timer[] = [];

	private time: number;

	private events = 0;

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
		const at = Math.max(time, this.time);
		let [place, end] = [0, this.timers.length];
		while (place < end) {
			const middle = (place + end) >> 1;
			if ((this.timers[middle]?.at ?? at) <= at) place = middle + 1;
			else end = middle;
		}
		this.timers.splice(place, 0, { at, fire });
	}

	/** Lets time pass until `until`, until `done` says so, or until nothing more is going to happen. */
	async run(until: number, done: () => boolean = () => false): Promise<void> {
		await settled();
		while (!done()) {
			const [next] = this.timers;
			if (next === undefined || next.at > until) {
				if (Number.isFinite(until)) this.time = Math.max(this.time, until);
				return;
			}
			this.timers.shift();
			this.time = next.at;
			next.fire();
			await settled();
			// So that Jest can end a test whose events never end.
			if (++this.events % 1_000 === 0) await turnOfEventLoop();
		}
	}
}

/**
 * Until every promise that can continue has done so: Node runs what is given to nextTick from within a promise only then. A turn of
 * the event loop (setImmediate) would do as well, but it is a system call, and those are slow on a busy machine; the simulations make
 * millions of them.
 */
async function settled(): Promise<void> {
	await Promise.resolve();
	await new Promise<void>((resolve) => {
		process.nextTick(resolve);
	});
}

async function turnOfEventLoop(): Promise<void> {
	await new Promise<void>((resolve) => {
		setImmediate(resolve);
	});
}
