import { networksOf } from '../orders/networks';
import type { PlainObject } from '../orders/values';
import type { ServiceResponse } from './envelope';

/** Shared by all who ask, so to be read only. */
export type Networks = readonly PlainObject[];

interface Entry {
	response: Promise<ServiceResponse>;
	/** When it was read, in milliseconds; Infinity while it is being read. */
	readAt: number;
}

/** In milliseconds. */
export const KEEP_MS = 5 * 60_000;
const MAX_ENTRIES = 20;

/** The configurations that are being read, or were lately. */
export class ConfigCache {
	private readonly entries = new Map<string, Entry>();

	constructor(private readonly now: () => number) {}

	/** The account's configuration if it is being read, or is not older than this; null otherwise. */
	find(account: string, maxAgeMs: number): Promise<ServiceResponse> | null {
		const oldest = this.now() - KEEP_MS;
		for (const [name, { readAt }] of this.entries) if (readAt < oldest) this.entries.delete(name);
		const entry = this.entries.get(account);
		return entry !== undefined && entry.readAt >= this.now() - maxAgeMs ? entry.response : null;
	}

	/** Keeps what is being read; a response without networks only until it is there. */
	keep(account: string, response: Promise<ServiceResponse>): Promise<ServiceResponse> {
		const entry: Entry = { response, readAt: Infinity };
		// Deleted first, so that the map's order is the order of reading.
		this.entries.delete(account);
		this.entries.set(account, entry);
		const [oldest = account] = this.entries.keys();
		if (this.entries.size > MAX_ENTRIES) this.entries.delete(oldest);
		void response.then(
			(read) => (entry.readAt = read.ok && networksOf(read.data) !== null ? this.now() : -Infinity),
			() => (entry.readAt = -Infinity),
		);
		return response;
	}
}
