import type { ServiceError } from '../service/errors';

/** Doubled with each probe that fails. */
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

	/** To be called when a response about an order was as it should be. */
	noteResponse(): void {
		this.hasResponseSinceProbe = true;
	}

	/** To be called when a response may concern all orders: a wrong key, a web page, a redirect. */
	suspect(): void {
		this.isSuspected = true;
	}

	isProbeDue(now: number): boolean {
		if (this.error === null && !this.isSuspected) return false;
		const gap = FIRST_PROBE_GAP_MS * 2 ** Math.max(0, this.failedProbes - 1);
		// Where checks succeed besides, a suspicion is hardly worth a request.
		const isCalm = this.error === null && this.hasResponseSinceProbe;
		return now >= this.probedAt + (isCalm ? MAX_PROBE_GAP_MS : Math.min(gap, MAX_PROBE_GAP_MS));
	}

	/** To be called with what the configuration has shown; null where all is well. */
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
