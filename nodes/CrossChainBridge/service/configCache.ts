import { networksOf } from '../orders/networks';
import type { PlainObject } from '../orders/values';
import type { ServiceResponse } from './envelope';

/** In the service's own field names; shared by all who ask, so to be read only. */
export type Networks = readonly PlainObject[];

interface Entry {
	response: Promise<ServiceResponse>;
	/** Until when it is current; Infinity while it is being read. */
	until: number;
}

const KEEP_MS = 5 * 60_000;
const MAX_ENTRIES = 20;

/** Configurations that are being read, or were a short time ago, by account; of too many those read longest ago go. */
export class ConfigCache {
	private readonly entries = new Map<string, Entry>();

	constructor(private readonly now: () => number) {}

	/** The account's configuration that is being read now, or with `mayBeKept` was a short time ago. */
	find(account: string, mayBeKept: boolean): Promise<ServiceResponse> | undefined {
		this.dropExpired();
		const entry = this.entries.get(account);
		return mayBeKept || entry?.until === Infinity ? entry?.response : undefined;
	}

	/** Sends a request for the account's configuration, whose response others may share. */
	async share(account: string, send: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
		const entry: Entry = { response: send(), until: Infinity };
		// Deleted first, so that the map's order is the order of reading.
		this.entries.delete(account);
		this.entries.set(account, entry);
		this.dropExpired();
		const keep = (ms: number): void => {
			entry.until = this.now() + ms;
		};
		entry.response.then(
			(response) => keep(response.ok && networksOf(response.data) !== null ? KEEP_MS : 0),
			() => keep(0),
		);
		return await entry.response;
	}

	private dropExpired(): void {
		for (const [account, { until }] of this.entries)
			if (this.now() >= until || this.entries.size > MAX_ENTRIES) this.entries.delete(account);
	}
}
