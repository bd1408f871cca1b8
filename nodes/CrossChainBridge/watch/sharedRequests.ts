interface Flight<T> {
	readonly answer: Promise<T>;
	readonly stop: AbortController;
	callers: number;
}

/**
 * Identical requests in flight are asked once. A caller that aborts is let go at once and harms no
 * other; when the last one has gone, the request itself is aborted. Nothing is remembered after the answer.
 */
export class SharedRequests<T> {
	private readonly flights = new Map<string, Flight<T>>();

	/** How many different requests are in the air. */
	get size(): number {
		return this.flights.size;
	}

	/**
	 * Joins the request named `key`, or begins it with `start`. Rejects with what the request
	 * rejects with, or with the reason of the caller's own signal.
	 */
	async ask(key: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			if (signal?.aborted === true) {
				reject(signal.reason);
				return;
			}
			const flight = this.flights.get(key) ?? this.begin(key, start);
			flight.callers++;
			const onAbort = (): void => {
				flight.callers--;
				if (flight.callers === 0) {
					this.end(key, flight);
					flight.stop.abort(signal?.reason);
				}
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', onAbort, { once: true });
			const landed = (): void => signal?.removeEventListener('abort', onAbort);
			flight.answer.then(
				(value) => {
					landed();
					resolve(value);
				},
				(reason: unknown) => {
					landed();
					reject(reason);
				},
			);
		});
	}

	private begin(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
		const stop = new AbortController();
		// Through a promise, so that a `start` that throws at once is a rejection like any other.
		const answer = Promise.resolve().then(async () => {
			stop.signal.throwIfAborted();
			return await start(stop.signal);
		});
		const flight: Flight<T> = { answer, stop, callers: 0 };
		this.flights.set(key, flight);
		const over = (): void => this.end(key, flight);
		answer.then(over, over);
		return flight;
	}

	/** Only its own entry: the same key may be in the air again already. */
	private end(key: string, flight: Flight<T>): void {
		if (this.flights.get(key) === flight) this.flights.delete(key);
	}
}
