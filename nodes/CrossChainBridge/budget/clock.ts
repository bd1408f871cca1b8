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
	return await unlessAborted(work, timeOut.signal, undefined);
}

const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/** A signal's only listener: Node takes more than ten for a leak, and keeps what AbortSignal.any makes. */
function callBack(this: AbortSignal): void {
	callbacksOf.get(this)?.forEach((callback) => callback());
}

/** Calls `callback` when the signal is aborted, at once if it already is, until the returned function is called. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal?.aborted === true) callback();
	if (signal === undefined || signal.aborted) return () => undefined;
	const callbacks = callbacksOf.get(signal) ?? new Set();
	callbacksOf.set(signal, callbacks.add(callback));
	signal.addEventListener('abort', callBack, { once: true });
	return () => {
		callbacks.delete(callback);
		if (callbacks.size === 0) signal.removeEventListener('abort', callBack);
	};
}

/** The result of the work, or the other value as soon as the signal is aborted; the work itself continues. */
export async function unlessAborted<T, U>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
	otherwise: U,
): Promise<T | U> {
	return await new Promise<T | U>((resolve, reject) => {
		const listensNoMore = onAbort(signal, () => resolve(otherwise));
		work.then(resolve, reject).finally(listensNoMore);
	});
}
