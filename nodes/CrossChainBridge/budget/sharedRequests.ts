import { onAbort } from './abortListeners';

interface InFlight<T> {
	readonly answer: Promise<T>;
	readonly stop: AbortController;
	callers: number;
}

/**
 * Identical requests in flight are sent once. A caller that aborts gets its rejection at once and harms no
 * other; when the last one has aborted, so is the request itself. Nothing is remembered after the answer.
 */
export class SharedRequests<T> {
	private readonly flights = new Map<string, InFlight<T>>();

	/** How many different requests are in flight. */
	get size(): number {
		return this.flights.size;
	}

	/**
	 * Joins the request named `key`, or begins it with `start`. Rejects with what the request
	 * rejects with, or with the reason of the caller's own signal.
	 */
	async ask(
		key: string,
		start: (signal: AbortSignal) => Promise<T>,
		signal?: AbortSignal,
	): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			if (signal?.aborted === true) {
				reject(signal.reason);
				return;
			}
			const flight = this.flights.get(key) ?? this.begin(key, start);
			flight.callers++;
			const settle = onAbort(signal, () => {
				flight.callers--;
				if (flight.callers === 0) {
					this.forget(key, flight);
					flight.stop.abort(signal?.reason);
				}
				reject(signal?.reason);
			});
			flight.answer.then(
				(value) => {
					settle();
					resolve(value);
				},
				(reason: unknown) => {
					settle();
					reject(reason);
				},
			);
		});
	}

	private begin(key: string, start: (signal: AbortSignal) => Promise<T>): InFlight<T> {
		const stop = new AbortController();
		// Through a promise, so that a `start` that throws at once is a rejection like any other.
		const answer = Promise.resolve().then(async () => {
			stop.signal.throwIfAborted();
			return await start(stop.signal);
		});
		const flight: InFlight<T> = { answer, stop, callers: 0 };
		this.flights.set(key, flight);
		const over = (): void => this.forget(key, flight);
		answer.then(over, over);
		return flight;
	}

	/** Only its own entry: the same key may be in flight again already. */
	private forget(key: string, flight: InFlight<T>): void {
		if (this.flights.get(key) === flight) this.flights.delete(key);
	}
}
