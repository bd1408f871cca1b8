import type { PlainObject } from '../orders/values';

/** The networks of a configuration, in the service's own field names. Shared by all who ask: to be read, never changed. */
export type Networks = readonly PlainObject[];

export interface ConfigCacheSettings {
	/** Milliseconds by a clock that never goes back. */
	now: () => number;
	/** How long a configuration counts as current, in milliseconds. */
	keepMs: number;
	/** How many configurations are kept. */
	maxEntries: number;
	/** How much memory they may take together, in bytes; a larger configuration is not kept. */
	maxBytes: number;
}

interface Entry {
	networks: Networks;
	until: number;
	bytes: number;
}

/**
 * Configurations read a short time ago, by the name of the account they were read with. Expired ones are dropped at each
 * use; where there is too much, the ones read longest ago go. Pure; the clock is handed in.
 */
export class ConfigCache {
	private readonly entries = new Map<string, Entry>();

	constructor(private readonly settings: ConfigCacheSettings) {}

	/** How many are kept. */
	get size(): number {
		return this.entries.size;
	}

	/** How much memory they take, estimated, in bytes. */
	get bytes(): number {
		let sum = 0;
		for (const { bytes } of this.entries.values()) sum += bytes;
		return sum;
	}

	/** The account's networks; null if they are not known, or were read too long ago. */
	read(account: string): Networks | null {
		this.dropExpired();
		return this.entries.get(account)?.networks ?? null;
	}

	/** Replaces whatever was known by a fresh configuration. */
	keep(account: string, networks: Networks): void {
		// Deleted first, so that the map's order is the order of reading.
		this.entries.delete(account);
		this.dropExpired();
		const bytes = approximateBytes(networks);
		const { now, keepMs, maxEntries, maxBytes } = this.settings;
		if (bytes > maxBytes) return;
		this.entries.set(account, { networks, until: now() + keepMs, bytes });
		for (const oldest of this.entries.keys()) {
			if (this.entries.size <= maxEntries && this.bytes <= maxBytes) break;
			this.entries.delete(oldest);
		}
	}

	private dropExpired(): void {
		const now = this.settings.now();
		for (const [account, { until }] of this.entries) if (now >= until) this.entries.delete(account);
	}
}

/** About what V8 takes: an object or list, one of its entries, and a text besides its characters. */
const OBJECT_BYTES = 56;
const ENTRY_BYTES = 16;
const TEXT_BYTES = 24;

/** How much memory a JSON value takes, about: many small objects take far more than their text. */
export function approximateBytes(value: unknown): number {
	if (typeof value === 'string') return TEXT_BYTES + 2 * value.length;
	if (typeof value !== 'object' || value === null) return ENTRY_BYTES;
	let bytes = OBJECT_BYTES;
	for (const [name, inner] of Object.entries(value)) {
		bytes += ENTRY_BYTES + (Array.isArray(value) ? 0 : 2 * name.length) + approximateBytes(inner);
	}
	return bytes;
}
