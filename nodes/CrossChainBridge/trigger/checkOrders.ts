import type { Networks } from '../service/configCache';
import { NetworksInTime } from '../service/networksInTime';
import { type BridgeService, n8nClock } from '../service/service';
import { Checker } from '../checks/checker';
import { openOrders } from '../state/openOrders';
import type { Engine } from './engine';
import { NOTHING, type Polled, pollResult } from './health';
import { isInCharge } from './registration';
import { type Session, setOpenOrders, type Watch } from './session';
import { takeUncaught } from './watch';

/** Makes this poll's checks until then, in milliseconds of n8nClock. */
export async function checkOrders(
	session: Session,
	engine: Engine,
	service: BridgeService,
	until: number,
): Promise<Polled> {
	const { watch } = session;
	const { settings } = watch;
	if (settings === null) return NOTHING;
	const checker = checkerOf(session, service, settings.intervalMs);
	if (watch.names === null || openOrders(watch.state, settings.rules).size > 0)
		await readNames(watch, service);
	if (!isInCharge(session, engine)) return NOTHING;
	setOpenOrders(session);
	// A poll asks at once whether a key that was refused works by now.
	if (checker.accountError !== null) await checker.probe(until);
	await engine.check(checker, settings, until);
	if (!isInCharge(session, engine)) return NOTHING;
	return await pollResult(checker, takeUncaught(watch), until);
}

/** Waits, briefly, only where no names are known. */
async function readNames(watch: Watch, service: BridgeService): Promise<void> {
	const account = service.budget;
	const asking = new NetworksInTime(service);
	const keep = (networks: Networks | null): void => {
		if (networks !== null && service.budget === account) watch.names = { account, networks };
	};
	if (watch.names?.account !== account) keep(await asking.get());
	else void asking.ask().then(keep);
}

function checkerOf(session: Session, service: BridgeService, intervalMs: number): Checker {
	const { watch } = session;
	if (watch.checker === null) {
		const checker: Checker = new Checker({
			service,
			clock: n8nClock,
			intervalMs,
			onOutcome: (key, outcome) => session.engine?.receive({ key, outcome, at: Date.now() }),
			onMoved: () => void readNames(watch, checker.service),
		});
		watch.checker = checker;
	} else watch.checker.use(service, intervalMs);
	return watch.checker;
}
