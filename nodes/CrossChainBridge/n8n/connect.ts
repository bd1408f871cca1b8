import type { IPollFunctions } from 'n8n-workflow';

import { Checker } from '../checks/checker';
import type { Networks } from '../service/configCache';
import { NetworksInTime } from '../service/networksInTime';
import { n8nClock } from '../service/n8nClock';
import { type BridgeService, connectToService } from '../service/service';
import type { TriggerSettings } from '../trigger/settings';
import { setOpenOrders, type Session } from './session';

/**
 * Reads the node's credential, and has the session's checker use it for its open orders; throws n8n's error if that is impossible. It asks
 * whether a key that was rejected works by now, up to the time `until` (ms of n8nClock).
 */
export async function connect(
	session: Session,
	context: IPollFunctions,
	{ intervalMs }: TriggerSettings,
	until: number,
	known?: BridgeService,
): Promise<Checker> {
	const read = known ?? (await connectToService(context));
	// A credential store that hangs keeps nobody from checking with the credential as it was read last.
	const isHanging = read.problem?.kind === 'credentialNotRead';
	const service = (isHanging ? session.checker?.service : null) ?? read;
	if (session.checker === null)
		session.checker = new Checker({ service, clock: n8nClock, intervalMs });
	else session.checker.use(service, intervalMs);
	await readNames(session, service);
	setOpenOrders(session);
	if (session.checker.accountError !== null) await session.checker.probe(until);
	return session.checker;
}

/** Reads the names of the networks; it waits, briefly, only if none are known. */
async function readNames(session: Session, service: BridgeService): Promise<void> {
	const { budget } = service;
	const asking = new NetworksInTime(service);
	const keep = (networks: Networks | null): void => {
		if (networks !== null) session.names = { budget, networks };
	};
	void asking.ask().then(keep);
	if (session.names?.budget !== budget) await asking.get();
}
