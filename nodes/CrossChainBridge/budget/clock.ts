/** In milliseconds; its time never goes back. */
export interface Clock {
	now(): number;
	sleep(ms: number): Promise<unknown>;
	/** A time of the wall clock on this one; absent if they are the same. */
	ofWallTime?(ms: number): number;
}

/** The result of the work, or undefined at this time; the work itself continues. A sleep cannot be ended early, but it keeps nothing of the work. */
export async function within<T>(
	clock: Clock,
	until: number,
	work: Promise<T>,
): Promise<T | undefined> {
	if (until === Infinity) return await work;
	const timeOut = new AbortController();
	void clock.sleep(Math.max(0, until - clock.now())).then(() => timeOut.abort());
	return await unlessAborted(work, timeOut.signal).catch((error: unknown) => {
		if (timeOut.signal.aborted && error === timeOut.signal.reason) return undefined;
		throw error;
	});
}

interface Waiting {
	callbacks: Set<() => void>;
	/** The signal's only one: Node takes more than ten for a leak, and keeps what AbortSignal.any makes. */
	listener: () => void;
}

const waitingWith = new WeakMap<AbortSignal, Waiting>();

/** Calls `callback` when the signal is aborted, until the returned function is called. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal === undefined) return () => undefined;
	const { callbacks, listener } = waitingWith.get(signal) ?? listen(signal);
	callbacks.add(callback);
	return () => {
		callbacks.delete(callback);
		if (callbacks.size > 0) return;
		signal.removeEventListener('abort', listener);
		waitingWith.delete(signal);
	};
}

function listen(signal: AbortSignal): Waiting {
	const callbacks = new Set<() => void>();
	const waiting = { callbacks, listener: () => callbacks.forEach((callback) => callback()) };
	signal.addEventListener('abort', waiting.listener, { once: true });
	waitingWith.set(signal, waiting);
	return waiting;
}

/** The result of the work, or a rejection with the signal's reason; the work itself continues. */
export async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const listensNoMore = onAbort(signal, () => reject(signal?.reason));
		if (signal?.aborted === true) reject(signal.reason);
		work.then(resolve, reject).finally(listensNoMore);
	});
}
