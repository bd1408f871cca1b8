import type { Checker } from '../checks/checker';
import { type Polled, settingsProblem } from './health';

/** What has kept the checks since the last poll from being answered. `uncaught`: what else went wrong meanwhile. */
export async function pollResult(
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
