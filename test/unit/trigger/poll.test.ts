import type { IPollFunctions } from 'n8n-workflow';

import { rejected } from '../service/rejected';
import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import { poll } from '../../../nodes/CrossChainBridge/trigger/poll';
import { type Polled, pollResult } from '../../../nodes/CrossChainBridge/trigger/health';

/** What has kept the checks of a poll from being answered. */

const WRONG_KEY = rejected(401);
const OUTAGE = rejected(503);
const SILENCE: ServiceError = { kind: 'timedOut', afterMs: 30_000 };
const UNCAUGHT = new Error('not emitted');

interface Shown {
	findings?: Partial<ReturnType<Checker['takeFindings']>>;
	accountError?: ServiceError;
	/** What a probe of the configuration shows; undefined: it must not be asked. */
	probed?: Awaited<ReturnType<Checker['probe']>>;
	/** What the circuit says after the probe. */
	accountErrorThen?: ServiceError;
	uncaught?: Error;
}

function checkerWith({ findings, accountError, probed, accountErrorThen }: Shown): Checker {
	const checker = {
		accountError: accountError ?? null,
		takeFindings: () => ({
			responses: 0,
			hasShownOrder: false,
			error: null,
			fault: null,
			...findings,
		}),
		probe: async () => {
			if (probed === undefined) throw new Error('The configuration was asked');
			checker.accountError = accountErrorThen ?? null;
			return await Promise.resolve(probed);
		},
	};
	return checker as unknown as Checker;
}

const SOUND: Polled = 'responded';
const polled = (
	kind: 'account' | 'transient' | 'settings',
	cause: ServiceError | Error | null,
): Polled => ({ kind, cause });
const UNKNOWN = { findings: { responses: 2 } };
const UNKNOWN_IN_PART = { findings: { responses: 2, error: SILENCE } };
const REFUSED_EVENT = polled('settings', UNCAUGHT);
const UNANSWERED = { findings: { error: OUTAGE } };
const FOUND = { findings: { responses: 1, hasShownOrder: true } };
const REFUSED = { probed: WRONG_KEY, accountErrorThen: WRONG_KEY };

test.each<[string, Shown, Polled]>([
	['an order was shown', { findings: { ...FOUND.findings, error: OUTAGE } }, SOUND],
	['nothing was checked', {}, 'idle'],
	['a wrong key is known', { accountError: WRONG_KEY, ...FOUND }, polled('account', WRONG_KEY)],
	['hashes are not known, and the configuration answers', { ...UNKNOWN, probed: 'sound' }, SOUND],
	['hashes are not known, and there is no room to ask', { ...UNKNOWN, probed: 'notSent' }, SOUND],
	['nor does the configuration answer', { ...UNKNOWN_IN_PART, probed: OUTAGE }, SOUND],
	['it is another server', { ...UNKNOWN, ...REFUSED }, polled('account', WRONG_KEY)],
	['only the configuration came', { ...UNANSWERED, probed: 'sound' }, polled('transient', null)],
	['nothing was answered', { ...UNANSWERED, probed: SILENCE }, polled('transient', SILENCE)],
	['nor is there room', { ...UNANSWERED, probed: 'notSent' }, polled('transient', OUTAGE)],
	['the key is wrong as well', { ...UNANSWERED, ...REFUSED }, polled('account', WRONG_KEY)],
	['an event failed', { ...FOUND, uncaught: UNCAUGHT }, REFUSED_EVENT],
	['an event and all checks failed', { ...UNANSWERED, uncaught: UNCAUGHT }, REFUSED_EVENT],
])('a poll in which %s', async (_what, shown, expected) => {
	expect(await pollResult(checkerWith(shown), shown.uncaught ?? null, 5)).toEqual(expected);
});

test('while the first poll waits for network names, the checker is not driven yet: it may still have the orders of the registration before', async () => {
	const node = { id: 'names' };
	const ticks: Array<() => void> = [];
	const parameters: Record<string, unknown> = { sourceHashes: `0x${'a1'.repeat(32)}` };
	const data = { node: { __dataChanged: false }, global: {} };
	const notFound = { statusCode: 404, headers: {}, body: '' };
	let answer: () => void = () => undefined;
	let noteAsked: () => void = () => undefined;
	const asked = new Promise<void>((resolve) => (noteAsked = resolve));
	const context = {
		getWorkflow: () => ({ id: 'poll' }),
		getNode: () => node,
		getActivationMode: () => 'init',
		getNodeParameter: (name: string, otherwise: unknown) => parameters[name] ?? otherwise,
		getWorkflowStaticData: (type: 'node' | 'global') => data[type],
		getCredentials: async () =>
			await Promise.resolve({ apiKey: 'key', baseUrl: 'https://bridge.example.com' }),
		helpers: {
			registerCron: (_cron: object, tick: () => void) => ticks.push(tick),
			httpRequestWithAuthentication: async (_name: string, { url }: { url: string }) => {
				if (!url.endsWith('/config')) return notFound;
				noteAsked();
				return await new Promise((resolve) => (answer = () => resolve(notFound)));
			},
		},
	} as unknown as IPollFunctions;
	const drive = jest.spyOn(Checker.prototype, 'beforeNextTick').mockReturnValue();
	const polling = poll(context);
	await asked;
	ticks[0]?.();
	expect([ticks.length, drive.mock.calls.length]).toEqual([1, 0]);
	answer();
	await polling;
	ticks[0]?.();
	expect(drive).toHaveBeenCalledTimes(1);
	drive.mockRestore();
});
