import type { IPollFunctions } from 'n8n-workflow';

import type { Networks } from '../service/configCache';
import { NetworksInTime } from '../service/networksInTime';
import { type BridgeService, n8nClock } from '../service/service';
import { Checker } from '../checks/checker';
import type { CheckOutcome } from '../checks/outcome';
import { openOrders } from '../state/openOrders';
import { takeUncaught, tryToApply } from './emit';
import { NOTHING, type Polled, settingsProblem } from './health';
import { isInCharge, type Session, setOpenOrders } from './session';
import { isTicking, startTicks } from './ticks';

/** What is left for the last commits of a durable poll. */
const LEFT_FOR_COMMITS_MS = 300;

/**
 * This poll's part of checking. What the ticks do already it leaves to them. `until` (ms): when it stops waiting. `checksUntil`: when a
 * durable poll sends its last check; null in the usual engine.
 */
export async function checkOrders(
	session: Session,
	context: IPollFunctions,
	service: BridgeService,
	{ isFirst, until, checksUntil }: { isFirst: boolean; until: number; checksUntil: number | null },
): Promise<Polled> {
	const { settings, engine } = session;
	if (settings === null) return NOTHING;
	const checker = checkerOf(session, service, settings.intervalMs);
	if (session.names === null || openOrders(session.state, settings.rules).length > 0)
		await readNames(session, service);
	if (!isInCharge(session, context)) return NOTHING;
	setOpenOrders(session);
	session.isConnected = true;
	// A poll asks at once whether a key that was refused works by now.
	if (checker.accountError !== null) await checker.probe(until);
	if (checksUntil !== null) await checkDurably(session, context, checker, { checksUntil, until });
	else if (!settings.keepChecking || isFirst || !isTicking(context)) await checker.checkEach(until);
	if (!isInCharge(session, context)) return NOTHING;
	// Where a person publishes; otherwise they have begun (startTicksInTime).
	if (engine === 'usual' && !session.isCommitted) startTicks(session, context);
	return await examine(
		checker,
		takeUncaught(session),
		checksUntil === null ? until : until - LEFT_FOR_COMMITS_MS,
	);
}

/** What has kept the checks since the last poll from being answered. `uncaught`: what else went wrong meanwhile. */
export async function examine(
	checker: Checker,
	uncaught: Error | null,
	until: number,
): Promise<Polled> {
	const { answered, hasShownOrder, error } = checker.takeFindings();
	const broken = settingsProblem(uncaught);
	if (checker.accountError !== null)
		return { problem: { kind: 'account', cause: checker.accountError }, answered: true };
	const isUnknown = answered > 0 ? !hasShownOrder : error !== null;
	if (!isUnknown || broken !== null) return { problem: broken, answered: answered > 0 };
	// No order was shown: the service's problem, another server's answers, or only these orders?
	const probed = await checker.probe(until);
	if (checker.accountError !== null)
		return { problem: { kind: 'account', cause: checker.accountError }, answered: true };
	if (probed === 'sound' || answered > 0 || error === null)
		return { problem: null, answered: true };
	return {
		problem: { kind: 'transient', cause: probed === 'notSent' ? error : probed },
		answered: false,
	};
}

/** Brings the network names up to date; they are kept for some minutes, so most calls send nothing. Waits only where none are known, and never for long. */
async function readNames(session: Session, service: BridgeService): Promise<void> {
	const account = service.budget;
	const asking = new NetworksInTime(service);
	const keep = (networks: Networks | null): void => {
		if (networks !== null && service.budget === account) session.names = { account, networks };
	};
	if (session.names?.account !== account) keep(await asking.get());
	else void asking.ask().then(keep);
}

/** Checks until the poll has to end. */
async function checkDurably(
	session: Session,
	context: IPollFunctions,
	checker: Checker,
	{ checksUntil, until }: { checksUntil: number; until: number },
): Promise<void> {
	const { settings } = session;
	// An order that is posted meanwhile is checked by this poll.
	const isNeeded = () => checker.size > 0 || settings?.acceptsOrders === true;
	if (settings?.keepChecking === true)
		await checker.checkUntil(checksUntil, () => session.context === context && isNeeded());
	else await checker.checkEach(checksUntil);
	if (session.context === context) await checker.settled(until - LEFT_FOR_COMMITS_MS);
	if (session.context === context) checker.pause();
}

function checkerOf(session: Session, service: BridgeService, intervalMs: number): Checker {
	if (session.checker === null) {
		const checker: Checker = new Checker({
			service,
			clock: n8nClock,
			intervalMs,
			onOutcome: (key, outcome) => receive(session, key, outcome),
			onMoved: () => void readNames(session, checker.service),
		});
		session.checker = checker;
	} else session.checker.use(service, intervalMs);
	return session.checker;
}

/**
 * Between polls a result waits for the next tick, which proves that the workflow is still published; in a durable poll, until what
 * was emitted before is committed. After a poll without ticks nothing may be emitted: n8n may have dropped the registration.
 */
function receive(session: Session, key: string, outcome: CheckOutcome): void {
	const { context, commitQueue } = session;
	if (context === null) return;
	const result = { key, outcome, at: Date.now() };
	if (isTicking(context)) session.pending.push(result);
	else if (!session.polls.has(context) || !isInCharge(session, context)) return;
	else if (commitQueue === null) tryToApply(session, result);
	else commitQueue.take(() => isInCharge(session, context) && tryToApply(session, result));
}
