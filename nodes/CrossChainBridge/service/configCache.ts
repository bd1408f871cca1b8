import { networksOf } from '../orders/networks';
import type { PlainObject } from '../orders/values';
import type { ServiceResponse } from './envelope';

/** Shared by all who ask, so to be read only. */
export type Networks = readonly PlainObject[];

interface Entry {
	response: Promise<ServiceResponse>;
	/** Infinity while it is being read. */
	until: number;
}

const KEEP_MS = 5 * 60_000;
const MAX_ENTRIES = 20;

/** Configurations that are being read, or were lately; of too many the oldest go. */
export class ConfigCache {
	private readonly entries = new Map<string, Entry>();

	constructor(private readonly now: () => number) {}

	/** One that is being read, or with `mayBeKept` was lately. */
	find(account: string, mayBeKept: boolean): Promise<ServiceResponse> | undefined {
		this.dropExpired();
		const entry = this.entries.get(account);
		return mayBeKept || entry?.until === Infinity ? entry?.response : undefined;
	}

	/** Sends a request whose response others may share. */
	async share(account: string, send: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
		const entry: Entry = { response: send(), until: Infinity };
		// Deleted first, so that the map's order is the order of reading.
		this.entries.delete(account);
		this.entries.set(account, entry);
		this.dropExpired();
		let keepMs = 0;
		try {
			const response = await entry.response;
			if (response.ok && networksOf(response.data) !== null) keepMs = KEEP_MS;
			return response;
		} finally {
			entry.until = this.now() + keepMs;
		}
	}

	private dropExpired(): void {
		for (const [account, { until }] of this.entries)
			if (this.now() >= until || this.entries.size > MAX_ENTRIES) this.entries.delete(account);
	}
}
