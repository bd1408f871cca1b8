/** One request that reached the sandbox, the control routes left out. */
export interface LoggedRequest {
	/** Arrival, ISO text. */
	at: string;
	method: string;
	path: string;
	query: Record<string, unknown>;
	/** HTTP status of the answer; null while there is none, and for a connection dropped before its headers. */
	status: number | null;
	/** Whether an x-api-key header was there. Its value is never kept. */
	hasKey: boolean;
}

const CAPACITY = 10_000;

/** What arrived, oldest first; the oldest leave when there are more than 10,000. */
export class RequestLog {
	#entries: LoggedRequest[] = [];
	readonly #entryOf = new WeakMap<object, LoggedRequest>();

	/** Notes a request's arrival; `request` is any object that stands for it until it is answered. */
	arrived(request: object, entry: Omit<LoggedRequest, 'status'>): void {
		const logged = { ...entry, status: null };
		this.#entryOf.set(request, logged);
		this.#entries.push(logged);
		if (this.#entries.length > CAPACITY) this.#entries.shift();
	}

	/** Notes the HTTP status that a request got. */
	answered(request: object, status: number): void {
		const entry = this.#entryOf.get(request);
		if (entry !== undefined) entry.status = status;
	}

	all(): readonly LoggedRequest[] {
		return this.#entries;
	}

	clear(): void {
		this.#entries = [];
	}
}
