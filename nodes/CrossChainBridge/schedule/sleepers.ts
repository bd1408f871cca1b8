import type { Clock } from '../budget/requestBudget';

/** Those who sleep until a time, and can be woken before it. */
export class Sleepers {
	private readonly asleep = new Set<() => void>();

	constructor(private readonly clock: Clock) {}

	/** Sleeps for so long (ms), or until somebody wakes all sleepers. */
	async sleep(ms: number): Promise<void> {
		let awake: () => void = () => undefined;
		await new Promise<void>((resolve) => {
			awake = resolve;
			this.asleep.add(awake);
			void this.clock.sleep(Math.max(1, ms)).then(awake);
		});
		this.asleep.delete(awake);
	}

	/** Wakes all who sleep. */
	wake(): void {
		for (const awake of this.asleep) awake();
	}
}
