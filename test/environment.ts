import SingleContext from 'jest-environment-node-single-context';

const { exit } = process;

// A worker that has no more to do takes its heap apart, which takes longer than Jest waits; this ends it at once.
process.once('exit', () => exit.call(process));

/** What packages that are loaded once have put on the global object, which they do but once. */
const ofPackages = new Set<string | symbol>();

// For loadedOnce.js: Node loads this file, and what it requires.
Object.assign(globalThis, {
	requireOnce(file: string): unknown {
		const before = new Set(Reflect.ownKeys(globalThis));
		const loaded: unknown = require(file);
		for (const name of Reflect.ownKeys(globalThis)) if (!before.has(name)) ofPackages.add(name);
		return loaded;
	},
});

/**
 * One test file is one process of n8n: our modules are loaded again for it, and what it has added to the global object and to the
 * environment, its mocks and its timers end with it. n8n-core keeps some timers that it stops only when a process exits (the clean-up
 * of SSH connections), and n8n's sleep(), with which the nodes wait, cannot be stopped early.
 *
 * All files of a worker share Node's own global object. Jest's usual one of its own has other classes Error and Date than modules
 * loaded once for all files, and is slow to read from.
 */
export default class ProcessEnvironment extends SingleContext {
	/** Weak, so that those which have fired are let go. */
	private readonly timers: Array<WeakRef<NodeJS.Timeout>> = [];

	private readonly globals = Object.getOwnPropertyDescriptors(globalThis);

	private readonly env = { ...process.env };

	override async setup(): Promise<void> {
		await super.setup();
		this.remember('setTimeout');
		this.remember('setInterval');
	}

	override async teardown(): Promise<void> {
		this.moduleMocker?.restoreAllMocks();
		for (const timer of this.timers) clearTimeout(timer.deref());
		for (const name of Reflect.ownKeys(globalThis)) {
			if (!Object.hasOwn(this.globals, name) && !ofPackages.has(name))
				Reflect.deleteProperty(globalThis, name);
		}
		Object.defineProperties(globalThis, {
			setTimeout: this.globals.setTimeout,
			setInterval: this.globals.setInterval,
		});
		for (const name of Object.keys(process.env))
			if (!Object.hasOwn(this.env, name)) delete process.env[name];
		Object.assign(process.env, this.env);
		// Jest has put its own there.
		process.exit = exit;
		await super.teardown();
	}

	private remember(name: 'setTimeout' | 'setInterval'): void {
		const original = globalThis[name] as (...parameters: unknown[]) => NodeJS.Timeout;
		const remembering = (...parameters: unknown[]): NodeJS.Timeout => {
			const timer = original(...parameters);
			this.timers.push(new WeakRef(timer));
			return timer;
		};
		// setTimeout has a second form, for promisify
		Object.defineProperties(remembering, Object.getOwnPropertyDescriptors(original));
		Object.assign(globalThis, { [name]: remembering });
	}
}
