const SingleContext = require('jest-environment-node-single-context');

const { exit } = process;

// A worker that has no more to do takes its heap apart, which takes longer than Jest waits; this ends it at once. Jest itself, which
// runs a single file in its own process, sets its exit code later than this.
if (process.send !== undefined) process.once('exit', () => exit.call(process));

/** What packages that are loaded once have put on the global object, which they do only then. */
const ofPackages = new Set();

/** For loadedOnce.js: Node loads this file, and everything that it requires. */
globalThis.requireOnce = (file) => {
	const before = new Set(Reflect.ownKeys(globalThis));
	const loaded = require(file);
	for (const name of Reflect.ownKeys(globalThis)) if (!before.has(name)) ofPackages.add(name);
	return loaded;
};

/**
 * One test file is one process of n8n: our modules are loaded again for it, and what it has added to the global object and to the
 * environment, its mocks and its timers end with it. n8n-core keeps some timers that it stops only when a process exits (the clean-up
 * of SSH connections), and n8n's sleep(), with which the nodes wait, cannot be stopped early.
 *
 * All files of a worker share Node's own global object. Jest's usual environment, which has one for each file, has other classes Error
 * and Date than the modules that are loaded once, and takes 1.4 times as long for all tests: it is slow to read from.
 */
module.exports = class ProcessEnvironment extends SingleContext {
	/** Weak, so that timers that have fired are let go. */
	#timers = [];

	#globals = Object.getOwnPropertyDescriptors(globalThis);

	#env = { ...process.env };

	async setup() {
		await super.setup();
		this.#remember('setTimeout');
		this.#remember('setInterval');
	}

	async teardown() {
		this.moduleMocker?.restoreAllMocks();
		for (const timer of this.#timers) clearTimeout(timer.deref());
		for (const name of Reflect.ownKeys(globalThis)) {
			if (!Object.hasOwn(this.#globals, name) && !ofPackages.has(name))
				Reflect.deleteProperty(globalThis, name);
		}
		const { setTimeout, setInterval } = this.#globals;
		Object.defineProperties(globalThis, { setTimeout, setInterval });
		for (const name of Object.keys(process.env))
			if (!Object.hasOwn(this.#env, name)) delete process.env[name];
		Object.assign(process.env, this.#env);
		// Jest has put its own there.
		process.exit = exit;
		await super.teardown();
	}

	#remember(name) {
		const original = globalThis[name];
		const remembering = (...parameters) => {
			const timer = original(...parameters);
			this.#timers.push(new WeakRef(timer));
			return timer;
		};
		// setTimeout has a second form, for promisify
		Object.defineProperties(remembering, Object.getOwnPropertyDescriptors(original));
		globalThis[name] = remembering;
	}
};
