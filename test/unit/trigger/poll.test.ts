import type { IPollFunctions } from 'n8n-workflow';

import type { BridgeService } from '../../../nodes/CrossChainBridge/service/service';
import { rejected } from '../service/rejected';
import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import type { Findings, Probed } from '../../../nodes/CrossChainBridge/checks/checker';
import { checkOrders } from '../../../nodes/CrossChainBridge/trigger/poll';
import { pollResult } from '../../../nodes/CrossChainBridge/trigger/health';
import type { Polled } from '../../../nodes/CrossChainBridge/trigger/health';
import { sessionOf } from '../../../nodes/CrossChainBridge/trigger/session';
import type { TriggerSettings } from '../../../nodes/CrossChainBridge/trigger/settings';
import { UsualEngine } from '../../../nodes/CrossChainBridge/trigger/usualEngine';
import { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';

/** What has kept the checks of a poll from being answered. */

const WRONG_KEY = rejected(401);
const OUTAGE = rejected(503);
const SILENCE: ServiceError = { kind: 'timedOut', afterMs: 30_000 };
const UNCAUGHT = new Error('not emitted');

interface Shown {
	findings?: Partial<Findings>;
	accountError?: ServiceError;
	/** What a probe of the configuration shows; undefined: it must not be asked. */
	probed?: Probed;
	/** What the circuit says after the probe. */
	accountErrorThen?: ServiceError;
	uncaught?: Error;
}

function checkerWith({ findings, accountError, probed, accountErrorThen }: Shown): Checker {
	const checker = {
		accountError: accountError ?? null,
		takeFindings: () => ({ responses: 0, hasShownOrder: false, error: null, ...findings }),
		probe: async () => {
			if (probed === undefined) throw new Error('The configuration was asked');
			checker.accountError = accountErrorThen ?? null;
			return await Promise.resolve(probed);
		},
	};
	return checker as unknown as Checker;
}

const SOUND: Polled = { problem: null, hasResponse: true };
const polled = (
	kind: 'account' | 'transient' | 'settings',
	cause: ServiceError | Error | null,
): Polled => ({
	problem: { kind, cause },
	hasResponse: kind === 'account',
});
const UNKNOWN = { findings: { responses: 2 } };
const UNKNOWN_IN_PART = { findings: { responses: 2, error: SILENCE } };
const REFUSED_EVENT = polled('settings', UNCAUGHT);
const UNANSWERED = { findings: { error: OUTAGE } };
const FOUND = { findings: { responses: 1, hasShownOrder: true } };
const REFUSED = { probed: WRONG_KEY, accountErrorThen: WRONG_KEY };

test.each<[string, Shown, Polled]>([
	['an order was shown', { findings: { ...FOUND.findings, error: OUTAGE } }, SOUND],
	['nothing was checked', {}, { problem: null, hasResponse: false }],
	['a wrong key is known', { accountError: WRONG_KEY, ...FOUND }, polled('account', WRONG_KEY)],
	['hashes are not known, and the configuration answers', { ...UNKNOWN, probed: 'sound' }, SOUND],
	['hashes are not known, and there is no room to ask', { ...UNKNOWN, probed: 'notSent' }, SOUND],
	['nor does the configuration answer', { ...UNKNOWN_IN_PART, probed: OUTAGE }, SOUND],
	['it is another server', { ...UNKNOWN, ...REFUSED }, polled('account', WRONG_KEY)],
	['only the configuration came', { ...UNANSWERED, probed: 'sound' }, polled('transient', null)],
	['nothing was answered', { ...UNANSWERED, probed: SILENCE }, polled('transient', SILENCE)],
	['nor is there room', { ...UNANSWERED, probed: 'notSent' }, polled('transient', OUTAGE)],
	['the key is wrong as well', { ...UNANSWERED, ...REFUSED }, polled('account', WRONG_KEY)],
	['an event failed', { ...FOUND, uncaught: UNCAUGHT }, { ...REFUSED_EVENT, hasResponse: true }],
	['an event and all checks failed', { ...UNANSWERED, uncaught: UNCAUGHT }, REFUSED_EVENT],
])('a poll in which %s', async (_what, shown, expected) => {
	expect(await pollResult(checkerWith(shown), shown.uncaught ?? null, 5)).toEqual(expected);
});

test('while the first poll waits for network names, the checker is not driven yet: it may still have the orders of the registration before', async () => {
	jest.useFakeTimers();
	const node = { id: 'names' };
	const ticks: Array<() => void> = [];
	const context = {
		getWorkflow: () => ({ id: 'checkOrders' }),
		getNode: () => node,
		helpers: { registerCron: (_cron: object, tick: () => void) => ticks.push(tick) },
	} as unknown as IPollFunctions;
	let answer: () => void = () => undefined;
	const networks = new Promise((resolve) => (answer = () => resolve({ ok: true, value: [] })));
	const clock = { now: () => 0, sleep: async () => await new Promise<never>(() => undefined) };
	const budget = new RequestBudget(clock);
	const asked = { budget, requestsPerMinute: 10, networks: async () => await networks };
	const service = asked as unknown as BridgeService;
	const session = sessionOf(context);
	const engine = new UsualEngine(session, context);
	session.engine = engine;
	const rules = { events: [], redelivers: false };
	engine.begin('startedByN8n');
	const settings = { simplify: true, keepChecking: true, intervalMs: 5_000, rules };
	session.watch.settings = settings as unknown as TriggerSettings;
	const until = Number.POSITIVE_INFINITY;
	const checking = checkOrders(session, engine, service, until);
	const { checker } = session.watch;
	const drive = jest.fn(async () => undefined);
	Object.assign(checker ?? {}, { tick: drive });
	ticks[0]?.();
	expect([checker !== null, drive.mock.calls.length]).toEqual([true, 0]);
	answer();
	await checking;
	jest.useRealTimers();
	ticks[0]?.();
	expect(drive).toHaveBeenCalledTimes(1);
});
