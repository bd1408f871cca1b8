import type { Networks } from '../bridge/keptConfig';
import { NetworksInTime } from '../bridge/networksInTime';
import type { BridgeService } from '../bridge/service';
import type { LiveWatch } from './liveWatch';
import type { TriggerSettings } from './settings';
import type { ItemForm } from './triggerItem';

/**
 * The networks that items are read with. Ticks can ask for nothing, so polls see to it that they are there; a poll waits
 * for them only where none are known, and never for long.
 */

/** The networks of one account, which the budget stands for. */
export interface KnownNetworks {
	account: BridgeService['budget'];
	networks: Networks;
}

/** Brings the networks up to date; they are kept for some minutes, so most polls send nothing. */
export async function readNetworks(live: LiveWatch, service: BridgeService): Promise<void> {
	if (live.known?.account !== service.budget) live.known = null;
	const asking = new NetworksInTime(service);
	const keep = (networks: Networks | null): void => {
		if (networks !== null) live.known = { account: service.budget, networks };
	};
	if (live.known === null) keep(await asking.get());
	else void asking.ask().then(keep);
}

/** How items of this watch are made now. */
export function itemForm(live: LiveWatch, { simplify, reading }: TriggerSettings): ItemForm {
	return { simplify, reading: { ...reading, networks: live.known?.networks ?? null } };
}
