import type { PlainObject } from '../orders/values';
import type { ServiceResponse } from './envelope';

/** The networks of a configuration, in the service's own field names. Shared by all who ask: to be read, never changed. */
export type Networks = readonly PlainObject[];

interface ConfigCacheSettings {
	/** Milliseconds by a clock that never goes back. */
	now: () => number;
	/** How long a configuration counts as current, in milliseconds. */
	keepMs: number;
	maxEntries: number;
	isKept: (response: ServiceResponse) => boolean;
}

interface Entry {
	response: Promise<ServiceResponse>;
	/** Until when it counts as current; Infinity while it is being read. */
	until: number;
}

/** Configurations that are being read, or were a short time ago, by account; of too many the ones read longest ago go. */
export class ConfigCache {
	private readonly entries = new Map<string, Entry>();

	constructor(private readonly settings: ConfigCacheSettings) {}

	/** The account's configuration that is being read now, or with `mayBeKept` was a short time ago; undefined if there is none. */
	find(account: string, mayBeKept: boolean): Promise<ServiceResponse> | undefined {
		this.dropExpired();
		const entry = this.entries.get(account);
		return mayBeKept || entry?.until === Number.POSITIVE_INFINITY ? entry?.response : undefined;
	}

	/** Sends a request for the account's configuration, whose response others may share. */
	async share(account: string, send: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
		const entry: Entry = { response: send(), until: Number.POSITIVE_INFINITY };
		// Deleted first, so that the map's order is the order of reading.
		this.entries.delete(account);
		this.entries.set(account, entry);
		this.dropExpired();
		const finish = (isKept: boolean): void => {
			if (isKept) entry.until = this.settings.now() + this.settings.keepMs;
			else if (this.entries.get(account) === entry) this.entries.delete(account);
		};
		entry.response.then(
			(response) => finish(this.settings.isKept(response)),
			() => finish(false),
		);
		return await entry.response;
	}

	private dropExpired(): void {
		const { now, maxEntries } = this.settings;
		for (const [account, { until }] of this.entries)
			if (now() >= until || this.entries.size > maxEntries) this.entries.delete(account);
	}
}
