import { VirtualClock } from '../virtualClock';

/** What the shipped modules take for real time: one line for all histories of a process, which never goes back. */

const BEGINNING = Date.parse('2026-01-01T00:00:00Z');

/** What lies between two histories: more than anything of the one before could still wait for. */
const BETWEEN_HISTORIES_MS = 2 * 3_600_000;

/** After this a request is given up. */
const REQUEST_TIMEOUT_MS = 30_000;

export class VirtualTime {
	private clock = new VirtualClock(BEGINNING);

	/** Deadlines of requests, which need not fire while the answer is sure to come before them. */
	private readonly deadlines = new WeakMap<AbortSignal, Array<() => void>>();

	/** As the global names that the shipped modules use. */
	readonly globals: {
		Date: DateConstructor;
		performance: { timeOrigin: number; now(): number };
		AbortSignal: object;
	};

	constructor() {
		const now = (): number => this.clock.now();
		class VirtualDate extends Date {
			constructor(...values: [] | [string | number]) {
				super(...((values.length === 0 ? [now()] : values) as [number]));
			}

			static override now(): number {
				return now();
			}
		}
		this.globals = {
			Date: VirtualDate as unknown as DateConstructor,
			performance: { timeOrigin: BEGINNING, now: () => now() - BEGINNING },
			AbortSignal: {
				timeout: (ms: number) => this.timeout(ms),
				any: (signals: AbortSignal[]) => this.any(signals),
			},
		};
	}

	now(): number {
		return this.clock.now();
	}

	/** Drops all timers of the history before. */
	beginHistory(): void {
		this.clock = new VirtualClock(this.clock.now() + BETWEEN_HISTORIES_MS);
	}

	async sleep(ms: number): Promise<void> {
		await this.clock.sleep(Math.max(0, ms));
	}

	at(time: number, fire: () => void): void {
		this.clock.at(time, fire);
	}

	/** Lets time pass, and all that happens in it. */
	async pass(ms: number): Promise<void> {
		await this.clock.run(this.clock.now() + ms);
	}

	/** Runs everything that can continue without time passing. */
	async settle(): Promise<void> {
		await this.clock.run(this.clock.now());
	}

	/** The request with this signal is not answered before its deadline, so the deadline has to come. */
	letDeadlineCome(signal: AbortSignal): void {
		for (const start of this.deadlines.get(signal) ?? []) start();
	}

	private timeout(ms: number): AbortSignal {
		const controller = new AbortController();
		const endsAt = this.clock.now() + ms;
		const start = (): void =>
			this.clock.at(endsAt, () =>
				controller.abort(
					Object.assign(new Error('The operation was aborted due to timeout'), {
						name: 'TimeoutError',
					}),
				),
			);
		if (ms === REQUEST_TIMEOUT_MS) this.deadlines.set(controller.signal, [start]);
		else start();
		return controller.signal;
	}

	/** As AbortSignal.any, which in Node 20 costs more than the rest of a request. */
	private any(signals: readonly AbortSignal[]): AbortSignal {
		const controller = new AbortController();
		for (const signal of signals) {
			if (signal.aborted) controller.abort(signal.reason);
			else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
		}
		this.deadlines.set(
			controller.signal,
			signals.flatMap((signal) => this.deadlines.get(signal) ?? []),
		);
		return controller.signal;
	}
}
