import type { ServiceError } from '../service/errors';

/** The time between two probes, in milliseconds. After a probe that fails, it is the first gap, doubled with each further failure, up to the longest. After one that succeeds, it is the longest. */
const FIRST_PROBE_GAP_MS = 5_000;
const MAX_PROBE_GAP_MS = 60_000;

/** Open, so that no order is checked, while the configuration rejects key or address. */
export class Circuit {
	/** Null while it is closed. */
	error: ServiceError | null = null;

	private isSuspected = false;

	private probedAt = -Infinity;

	private failedProbes = 0;

	/** A failed check may concern all orders, which only the configuration shows. */
	suspect(): void {
		this.isSuspected = true;
	}

	isProbeDue(now: number): boolean {
		if (this.error === null && !this.isSuspected) return false;
		const { failedProbes } = this;
		const gap = failedProbes === 0 ? Infinity : FIRST_PROBE_GAP_MS * 2 ** (failedProbes - 1);
		return now >= this.probedAt + Math.min(gap, MAX_PROBE_GAP_MS);
	}

	/** The configuration has shown this; null if all is well. */
	probed(error: ServiceError | null, isAccountError: boolean, now: number): void {
		this.probedAt = now;
		this.failedProbes = error === null ? 0 : this.failedProbes + 1;
		if (error === null) this.isSuspected = false;
		if (error === null || isAccountError) this.error = error;
	}
}
