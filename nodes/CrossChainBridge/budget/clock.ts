/** In milliseconds; its time never goes back. */
export interface Clock {
	now(): number;
	sleep(ms: number): Promise<unknown>;
	/** A time of the wall clock on this one; absent where they are the same. */
	ofWallTime?(ms: number): number;
}

/** The result of the work, or undefined at this time; the work itself continues. */
export async function within<T>(
	clock: Clock,
	until: number,
	work: Promise<T>,
): Promise<T | undefined> {
	if (until === Number.POSITIVE_INFINITY) return await work;
	const timeOut = clock.sleep(Math.max(0, until - clock.now())).then(() => undefined);
	return await Promise.race([work, timeOut]);
}

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when the signal is aborted, until the returned function is called. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal === undefined) return () => undefined;
	let callbacks = listenersOf.get(signal);
	if (callbacks === undefined) {
		const all = new Set<() => void>();
		// Only one listener, since Node takes more than ten for a leak, and never forgets what AbortSignal.any makes.
		signal.addEventListener('abort', () => all.forEach((each) => each()), { once: true });
		listenersOf.set(signal, (callbacks = all));
	}
	callbacks.add(callback);
	return () => callbacks.delete(callback);
}

/** The result of the work, or a rejection with the signal's reason; the work itself continues. */
export async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	signal?.throwIfAborted();
	return await new Promise<T>((resolve, reject) => {
		const listensNoMore = onAbort(signal, () => reject(signal?.reason));
		work.then(resolve, reject).finally(listensNoMore);
	});
}
