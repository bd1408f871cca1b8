import { type IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { nodeWith } from '../node';
import { rejected } from '../service/rejected';
import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import {
	afterPoll,
	type Health,
	type Finding,
	HEALTHY,
	isShown,
	judgeChecks,
	visibleError,
	withoutCause,
} from '../../../nodes/CrossChainBridge/trigger/health';

/** What keeps a trigger from checking, and when and how n8n shows it. */

type ProblemKind = keyof Health;

/** The polls, counted from 1, that are shown of a row of polls that have found this. */
function shownOf(findings: readonly Finding[]): number[] {
	let health: Health = HEALTHY;
	return findings.flatMap((finding, index) => {
		health = afterPoll(health, finding);
		return typeof finding !== 'string' && isShown(finding.kind, health) ? [index + 1] : [];
	});
}

const shownOn = (kinds: ReadonlyArray<ProblemKind | null>): number[] =>
	shownOf(kinds.map((kind) => (kind === null ? 'checked' : { kind, cause: null })));

const times = (count: number, kind: ProblemKind): ProblemKind[] =>
	Array.from({ length: count }, () => kind);

test.each<[ProblemKind, number[]]>([
	['transient', [5, 35, 65, 95]],
	['account', [1, 31, 61, 91]],
	['settings', [1, 31, 61, 91]],
	['fault', [1, 31, 61, 91]],
])('%s: shown on the polls %j', (kind, expected) => {
	expect(shownOn(times(100, kind))).toEqual(expected);
});

const outages = (count: number) => times(count, 'transient');

test.each<[string, Array<ProblemKind | null>, number[]]>([
	['a wrong key after outages', [...outages(7), null, ...outages(9), 'account'], [5, 13, 18]],
	['a wrong key after a short outage', [...outages(3), 'account'], [4]],
	['a wrong key after a sound response', ['account', null, 'account'], [1, 3]],
	['an outage after a sound response', [...outages(4), null, ...outages(5)], [10]],
	['no wrong key again after an outage', ['account', 'transient', 'account'], [1]],
	['a wrong field after an outage', ['settings', 'transient', 'settings'], [1, 3]],
	['a wrong field after a wrong key', ['settings', 'account', 'settings'], [1, 2, 3]],
	['an outage after a wrong key, by itself', [...outages(4), 'account', ...outages(5)], [5, 10]],
	['an outage around a wrong field', [...outages(3), 'settings', ...outages(2)], [4, 6]],
	['no wrong key again after a wrong field', ['account', 'settings', 'account'], [1, 2]],
])('shown is %s: %j on %j', (_what, kinds, expected) => {
	expect(shownOn(kinds)).toEqual(expected);
});

test.each<[string, 'checked' | 'idle', number[]]>([
	['an outage before it is over if they have worked', 'checked', [5, 10]],
	['it goes on if there was nothing to check', 'idle', [5, 6]],
])(
	'a wrong field, while orders are checked with the last valid ones: %s',
	(_what, otherwise, expected) => {
		const outage = { kind: 'transient', cause: null } as const;
		const wrongField = { kind: 'settings', cause: null, otherwise } as const;
		const before = Array.from({ length: 4 }, () => outage);
		const after = Array.from({ length: 5 }, () => outage);
		expect(shownOf([...before, wrongField, ...after])).toEqual(expected);
	},
);

test('a poll with nothing to check has read the fields, and heard nothing of the service', () => {
	const health: Health = { settings: 3, account: 2, transient: 4, fault: 1 };
	expect(afterPoll(health, 'idle')).toEqual({ settings: 0, account: 2, transient: 4, fault: 0 });
	expect(afterPoll(health, 'checked')).toEqual(HEALTHY);
});

const NODE = nodeWith({ name: 'Trigger' });
const context = { getNode: () => NODE } as unknown as IPollFunctions;
const OUTAGE = rejected(503);
const UNCAUGHT = new Error('not emitted');

describe('what n8n shows', () => {
	const own = new NodeOperationError(NODE, 'Line 2 is no hash', { description: 'Correct it.' });
	const words = { message: 'Not accepted', description: 'Open it.', httpCode: '401' };
	const api = new NodeApiError(NODE, {}, words);

	test.each([own, api])('of n8n’s own error is itself', (cause) => {
		expect(visibleError(context, { kind: 'settings', cause }, 1)).toBe(cause);
	});

	test('of any other error is its words', () => {
		const shown = visibleError(context, { kind: 'fault', cause: UNCAUGHT }, 1);
		expect(shown).toMatchObject({ name: 'NodeOperationError', message: 'not emitted' });
	});

	test('of a service error is its sentence, and from the second poll on how many it has kept from checking', () => {
		const shown = (polls: number) =>
			visibleError(context, { kind: 'transient', cause: OUTAGE }, polls);
		expect(shown(5)).toBeInstanceOf(NodeApiError);
		expect(shown(5)).toMatchObject({
			message: 'The bridge is temporarily unavailable',
			description: expect.stringMatching(
				/HTTP 503.* No order could be checked in 5 polls in a row\. The trigger keeps watching all orders\.$/,
			),
		});
		expect(shown(2).description).toContain('in 2 polls in a row');
		expect(shown(1).description).not.toContain('in a row');
	});

	test('of a bridge that works, but shows no order, says so', () => {
		expect(visibleError(context, { kind: 'transient', cause: null }, 5)).toMatchObject({
			message: "The bridge is reachable, but can't return any order's status",
			description: expect.stringContaining('in 5 polls in a row'),
		});
		const once = visibleError(context, { kind: 'transient', cause: null }, 1);
		expect(once.description).toBe('If this continues, contact your bridge.');
	});

	test('speaks of the address for a 404, because the configuration is what was asked for', () => {
		expect(visibleError(context, { kind: 'account', cause: rejected(404) }, 1).message).toBe(
			'The Base URL does not lead to the bridge. Correct it in the credential.',
		);
	});

	test.each([own, api])(
		'in the durable engine has no code, for which n8n would pause the trigger',
		(error) => {
			const shown = withoutCause(context, error);
			expect(shown).toBeInstanceOf(NodeOperationError);
			expect(shown).toMatchObject({ message: error.message, description: error.description });
			expect(shown).not.toHaveProperty('httpCode', '401');
		},
	);
});

/** What the checks since the last poll have shown. */
describe('a poll', () => {
	const WRONG_KEY = rejected(401);
	const SILENCE: ServiceError = { kind: 'timedOut', afterMs: 30_000 };

	interface Shown {
		tally?: Partial<ReturnType<Checker['takeTally']>>;
		accountError?: ServiceError;
		/** What a probe of the configuration shows; undefined: it must not be asked. */
		probed?: Awaited<ReturnType<Checker['probe']>>;
		/** What the circuit says after the probe. */
		accountErrorThen?: ServiceError;
		unreported?: Error;
	}

	function checkerWith({ tally, accountError, probed, accountErrorThen }: Shown): Checker {
		const checker = {
			accountError: accountError ?? null,
			takeTally: () => ({
				responses: 0,
				hasShownOrder: false,
				error: null,
				fault: null,
				...tally,
			}),
			probe: async () => {
				if (probed === undefined) throw new Error('The configuration was asked');
				checker.accountError = accountErrorThen ?? null;
				return await Promise.resolve(probed);
			},
		};
		return checker as unknown as Checker;
	}

	const problem = (kind: ProblemKind, cause: ServiceError | Error | null): Finding => ({
		kind,
		cause,
	});
	const NOT_FOUND = { tally: { responses: 2 } };
	const NOT_FOUND_IN_PART = { tally: { responses: 2, error: SILENCE } };
	const NO_RESPONSE = { tally: { error: OUTAGE } };
	const FOUND = { tally: { responses: 1, hasShownOrder: true } };
	const WRONG = { probed: WRONG_KEY, accountErrorThen: WRONG_KEY };

	test.each<[string, Shown, Finding]>([
		[
			'in which an order was shown has checked',
			{ tally: { ...FOUND.tally, error: OUTAGE } },
			'checked',
		],
		['with nothing to check is idle', {}, 'idle'],
		[
			'that knows of a wrong key shows that',
			{ accountError: WRONG_KEY, ...FOUND },
			problem('account', WRONG_KEY),
		],
		[
			'that knows of a wrong key asks for nothing more',
			{ accountError: WRONG_KEY, ...NO_RESPONSE },
			problem('account', WRONG_KEY),
		],
		[
			'in which nothing was found, though the configuration is sound, has checked',
			{ ...NOT_FOUND, probed: 'sound' },
			'checked',
		],
		['the same without room to ask', { ...NOT_FOUND, probed: 'notSent' }, 'checked'],
		[
			'the same while the configuration does not respond',
			{ ...NOT_FOUND_IN_PART, probed: OUTAGE },
			'checked',
		],
		[
			'to which another server has responded shows that',
			{ ...NOT_FOUND, ...WRONG },
			problem('account', WRONG_KEY),
		],
		[
			'to which the configuration alone responds blames nobody',
			{ ...NO_RESPONSE, probed: 'sound' },
			problem('transient', null),
		],
		[
			'to which nothing responds says why',
			{ ...NO_RESPONSE, probed: SILENCE },
			problem('transient', SILENCE),
		],
		[
			'the same without room to ask says why',
			{ ...NO_RESPONSE, probed: 'notSent' },
			problem('transient', OUTAGE),
		],
		[
			'the same with a wrong key shows that',
			{ ...NO_RESPONSE, ...WRONG },
			problem('account', WRONG_KEY),
		],
		[
			'before which n8n has refused an event shows that',
			{ ...FOUND, unreported: UNCAUGHT },
			problem('fault', UNCAUGHT),
		],
		['the same in an outage', { ...NO_RESPONSE, unreported: UNCAUGHT }, problem('fault', UNCAUGHT)],
		[
			'in which this package has a fault shows that',
			{ tally: { ...FOUND.tally, fault: UNCAUGHT } },
			problem('fault', UNCAUGHT),
		],
		[
			'with a fault and a wrong key shows the key',
			{ accountError: WRONG_KEY, unreported: UNCAUGHT },
			problem('account', WRONG_KEY),
		],
	])('%s', async (_what, shown, expected) => {
		expect(await judgeChecks(checkerWith(shown), shown.unreported ?? null, 5)).toEqual(expected);
	});
});
