interface Waiting {
	callbacks: Set<() => void>;
	/** The signal's only one, since Node takes more than ten for a leak. */
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
	const listener = (): void => {
		for (const callback of callbacks) callback();
	};
	const waiting = { callbacks, listener };
	signal.addEventListener('abort', listener, { once: true });
	waitingWith.set(signal, waiting);
	return waiting;
}
