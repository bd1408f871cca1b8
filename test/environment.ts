import NodeEnvironment from 'jest-environment-node';

// A worker that has no more to do takes its heap apart, which takes longer than Jest waits; this ends it at once.
process.once('exit', () => process.exit());

/**
 * One test file is one process of n8n, so its timers stop with it. n8n-core keeps some that it stops only when a process exits
 * (the clean-up of SSH connections), and n8n's sleep(), with which the nodes wait, cannot be stopped early.
 */
export default class ProcessEnvironment extends NodeEnvironment {
	/** Weak, so that those which have fired are let go. */
	private readonly timers: Array<WeakRef<NodeJS.Timeout>> = [];

	override async setup(): Promise<void> {
		await super.setup();
		this.remember('setTimeout');
		this.remember('setInterval');
	}

	override async teardown(): Promise<void> {
		for (const timer of this.timers) clearTimeout(timer.deref());
		await super.teardown();
	}

	private remember(name: 'setTimeout' | 'setInterval'): void {
		const original = this.global[name] as (...parameters: unknown[]) => NodeJS.Timeout;
		const remembering = (...parameters: unknown[]): NodeJS.Timeout => {
			const timer = original(...parameters);
			this.timers.push(new WeakRef(timer));
			return timer;
		};
		// setTimeout has a second form, for promisify
		Object.defineProperties(remembering, Object.getOwnPropertyDescriptors(original));
		Object.assign(this.global, { [name]: remembering });
	}
}
