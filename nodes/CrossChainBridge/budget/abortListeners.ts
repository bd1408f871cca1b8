interface Waiting {
	callbacks: Set<() => void>;
	/** The signal's one listener. */
	listener: () => void;
}

const waitingWith = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls `callback` when the signal is aborted, until the returned function is called. All items of an execution wait with one
 * signal, and Node takes more than ten listeners for a leak: so each signal has one, which goes with the last that waits.
 */
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
	const listener = (): void => {
		for (const callback of callbacks) callback();
	};
	const waiting = { callbacks, listener };
	signal.addEventListener('abort', listener, { once: true });
	waitingWith.set(signal, waiting);
	return waiting;
}
