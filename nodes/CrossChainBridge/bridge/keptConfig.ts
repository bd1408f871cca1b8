import type { PlainObject } from './values';

/** The networks of a configuration, in the service's own field names. Shared by all who ask: to be read, never changed. */
export type Networks = readonly PlainObject[];

export interface KeptConfigSettings {
	/** Milliseconds by a clock that never goes back. */
	now: () => number;
	/** How long a configuration counts as the present one, in milliseconds. */
	keepMs: number;
	/** How many configurations are kept at most; the one that was read longest ago leaves. */
	most: number;
}

/** Configurations read a short time ago, by the name of the account they were read with. Pure; the clock is handed in. */
export class KeptConfig {
	private readonly kept = new Map<string, { networks: Networks; until: number }>();

	constructor(private readonly settings: KeptConfigSettings) {}

	/** How many are held, those past their time included. */
	get size(): number {
		return this.kept.size;
	}

	/** What is known of the account's networks; null if nothing is, or if it was read too long ago. */
	read(account: string): Networks | null {
		const entry = this.kept.get(account);
		if (entry === undefined) return null;
		if (this.settings.now() < entry.until) return entry.networks;
		this.kept.delete(account);
		return null;
	}

	/** Takes a fresh configuration in place of whatever was known. */
	keep(account: string, networks: Networks): void {
		// Deleted first, so that the map's order is the order of reading.
		this.kept.delete(account);
		this.kept.set(account, { networks, until: this.settings.now() + this.settings.keepMs });
		for (const oldest of this.kept.keys()) {
			if (this.kept.size <= this.settings.most) break;
			this.kept.delete(oldest);
		}
	}
}
