import type { Clock } from '../budget/requestBudget';
import { type BridgeService, n8nClock } from './service';
import type { PlainObject } from '../orders/values';

/** How long an order that is there waits for the names that go with it. */
const MAX_WAIT_MS = 2_000;

/** The networks for the orders of one execution: asked for once; what is not there in time is unavailable to all its orders. */
export class NetworksInTime {
	private asked: Promise<readonly PlainObject[] | null> | undefined;

	private inTime: Promise<readonly PlainObject[] | null> | undefined;

	constructor(
		private readonly service: Pick<BridgeService, 'networks'>,
		private readonly clock: Clock = n8nClock,
	) {}

	/** Sends the request early, so that the response is there when the orders are. */
	async ask(): Promise<readonly PlainObject[] | null> {
		this.asked ??= this.service.networks().then(
			(response) => (response.ok ? response.networks : null),
			() => null,
		);
		return await this.asked;
	}

	/** The networks, or null; for an order that is there. Never rejects. */
	async get(): Promise<readonly PlainObject[] | null> {
		this.inTime ??= Promise.race([this.ask(), this.clock.sleep(MAX_WAIT_MS).then(() => null)]);
		return await this.inTime;
	}
}
