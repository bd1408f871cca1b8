import type { ServiceError } from '../service/errors';

/** While checks are answered, a suspicion leads to one probe in this time. */
const CALM_PROBE_GAP_MS = 60_000;

/** While the circuit is open the configuration is probed after this time, then after twice that, up to a minute. */
const FIRST_PROBE_GAP_MS = 5_000;
const MAX_PROBE_GAP_MS = 60_000;

/** Circuit breaker of one trigger: open, so that no order is checked, while the configuration rejects key or address. Pure. */
export class Circuit {
	private reason: ServiceError | null = null;

	private isSuspected = false;

	private answeredSinceProbe = 0;

	private probedAt = Number.NEGATIVE_INFINITY;

	private failedProbes = 0;

	/** What the user has to correct; null while the circuit is closed. */
	get error(): ServiceError | null {
		return this.reason;
	}

	/** An order was answered as it should be. */
	answered(): void {
		this.answeredSinceProbe++;
	}

	/** An order was answered in a way that may concern all orders: a wrong key, a web page, a redirect. */
	suspect(): void {
		this.isSuspected = true;
	}

	/** Whether to ask the configuration now. */
	isProbeDue(now: number): boolean {
		if (this.reason === null && !this.isSuspected) return false;
		const gap =
			this.reason === null && this.answeredSinceProbe > 0
				? CALM_PROBE_GAP_MS
				: FIRST_PROBE_GAP_MS * 2 ** Math.max(0, this.failedProbes - 1);
		return now >= this.probedAt + Math.min(gap, MAX_PROBE_GAP_MS);
	}

	/** Another account: nothing is known of it. */
	reset(): void {
		this.reason = null;
		this.isSuspected = false;
		this.failedProbes = 0;
		this.probedAt = Number.NEGATIVE_INFINITY;
	}

	/** What the configuration has answered: null where all is well. */
	probed(error: ServiceError | null, isAccountError: boolean, now: number): void {
		this.probedAt = now;
		this.answeredSinceProbe = 0;
		if (error === null) {
			this.reason = null;
			this.isSuspected = false;
			this.failedProbes = 0;
			return;
		}
		this.failedProbes++;
		if (isAccountError) this.reason = error;
	}
}
