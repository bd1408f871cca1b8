import type { IPollFunctions } from 'n8n-workflow';

import { within } from '../budget/clock';
import { Checker } from '../checks/checker';
import { n8nClock } from '../service/n8nClock';
import { MAX_NAMES_WAIT_MS, NetworksInTime } from '../service/networksInTime';
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
	const { checker } = session;
	setOpenOrders(session);
	if (checker.accountError !== null) await checker.probe(until);
	if (checker.accountError === null)
		await within(n8nClock, n8nClock.now() + MAX_NAMES_WAIT_MS, readNames(session, checker));
	return checker;
}

/** Reads the names of the networks. If no order is due, no other request shows that the key does not work any more. */
async function readNames(session: Session, checker: Checker): Promise<void> {
	const { service } = checker;
	const { budget } = service;
	const asking = new NetworksInTime(service);
	const networks = await asking.ask();
	if (networks !== null) session.names = { budget, networks };
	if (asking.accountError !== null) await checker.probe();
}
