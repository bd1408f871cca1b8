import type { Clock } from '../budget/clock';
import type { Networks } from './configCache';
import { isAccountError, type ServiceError } from './errors';
import { n8nClock } from './n8nClock';
import type { BridgeService } from './service';

/** In milliseconds. */
export const MAX_NAMES_WAIT_MS = 2_000;

/** The networks for one execution; names that come later than 2 seconds are missing for all its orders. */
export class NetworksInTime {
	/** What the user has to correct, once the response says so; null before it. */
	accountError: ServiceError | null = null;

	/** Whether the request has brought no networks, so that this object never has any. */
	hasFailed = false;

	private asked: Promise<Networks | null> | undefined;

	private inTime: Promise<Networks | null> | undefined;

	constructor(
		private readonly service: Pick<BridgeService, 'networks'>,
		private readonly clock: Clock = n8nClock,
	) {}

	/** To be called early, so that the response is there when the orders are. */
	async ask(): Promise<Networks | null> {
		this.asked ??= this.service.networks().then(
			(response) => {
				if (response.ok) return response.networks;
				if (isAccountError(response.error, 'config')) this.accountError = response.error;
				return null;
			},
			() => null,
		);
		const networks = await this.asked;
		this.hasFailed = networks === null;
		return networks;
	}

	/** Never rejects. */
	async get(): Promise<Networks | null> {
		this.inTime ??= Promise.race([
			this.ask(),
			this.clock.sleep(MAX_NAMES_WAIT_MS).then(() => null),
		]);
		return await this.inTime;
	}
}
