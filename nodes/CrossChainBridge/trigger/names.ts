import type { Networks } from '../bridge/configCache';
import { NetworksInTime } from '../bridge/networksInTime';
import type { BridgeService } from '../bridge/service';
import type { ItemForm } from './item';
import type { Session } from './session';
import type { TriggerSettings } from './settings';

/** Brings the network names up to date; they are kept for some minutes, so most calls send nothing. Waits only where none are known, and never for long. */
export async function readNames(session: Session, service: BridgeService): Promise<void> {
	const account = service.budget;
	const asking = new NetworksInTime(service);
	const keep = (networks: Networks | null): void => {
		if (networks !== null && service.budget === account) session.names = { account, networks };
	};
	if (session.names?.account !== account) keep(await asking.get());
	else void asking.ask().then(keep);
}

/** How items of this trigger are made now. Names of an account that is no longer in use are not shown. */
export function itemForm({ names, checker }: Session, { simplify, reading }: TriggerSettings): ItemForm {
	const isPresent = names !== null && (checker === null || checker.service.budget === names.account);
	return { simplify, reading: { ...reading, networks: isPresent ? names.networks : null } };
}
