import type { ServiceError } from '../service/errors';

/** Where checks succeed besides, a suspicion leads to one probe in this time. */
const CALM_PROBE_GAP_MS = 60_000;

/** While the circuit is open it is probed after this time, then after twice that. */
const FIRST_PROBE_GAP_MS = 5_000;
const MAX_PROBE_GAP_MS = 60_000;

/** Open, so that no order is checked, while the configuration rejects key or address. */
export class Circuit {
	/** What the user has to correct; null while it is closed. */
	error: ServiceError | null = null;

	private isSuspected = false;

	private hasResponseSinceProbe = false;

	private probedAt = Number.NEGATIVE_INFINITY;

	private failedProbes = 0;

	/** A response about an order was as it should be. */
	noteResponse(): void {
		this.hasResponseSinceProbe = true;
	}

	/** A response may concern all orders: a wrong key, a web page, a redirect. */
	suspect(): void {
		this.isSuspected = true;
	}

	isProbeDue(now: number): boolean {
		if (this.error === null && !this.isSuspected) return false;
		const gap =
			this.error === null && this.hasResponseSinceProbe
				? CALM_PROBE_GAP_MS
				: FIRST_PROBE_GAP_MS * 2 ** Math.max(0, this.failedProbes - 1);
		return now >= this.probedAt + Math.min(gap, MAX_PROBE_GAP_MS);
	}

	/** The configuration was asked; the error is null where all is well. */
	probed(error: ServiceError | null, isAccountError: boolean, now: number): void {
		this.probedAt = now;
		this.hasResponseSinceProbe = false;
		if (error === null) {
			this.error = null;
			this.isSuspected = false;
			this.failedProbes = 0;
			return;
		}
		this.failedProbes++;
		if (isAccountError) this.error = error;
	}
}
