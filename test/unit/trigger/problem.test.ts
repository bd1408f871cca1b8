import { type IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ServiceError } from '../../../nodes/CrossChainBridge/bridge/errors';
import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import type { Findings, Probed } from '../../../nodes/CrossChainBridge/checks/statusChecks';
import { brokenPoll, examine, type Polled, visibleError } from '../../../nodes/CrossChainBridge/trigger/problem';

/** What has kept a poll from checking, and what n8n shows of it. */

const NODE = { id: '1', name: 'Trigger', type: 'trigger', typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
const context = { getNode: () => NODE } as unknown as IPollFunctions;
const rejected = (status: number): ServiceError => ({ kind: 'rejected', status, code: null, words: null, retryAfterMs: null });
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
		takeFindings: () => ({ answered: 0, hasShownOrder: false, error: null, ...findings }),
		probe: async () => {
			if (probed === undefined) throw new Error('The configuration was asked');
			checker.accountError = accountErrorThen ?? null;
			return await Promise.resolve(probed);
		},
	};
	return checker as unknown as Checker;
}

const SOUND: Polled = { problem: null, answered: true };

test.each<[string, Shown, Polled]>([
	['an order was shown', { findings: { answered: 3, hasShownOrder: true, error: OUTAGE } }, SOUND],
	['nothing was checked', {}, { problem: null, answered: false }],
	['a wrong key is known', { accountError: WRONG_KEY, findings: { answered: 1, hasShownOrder: true } }, { problem: { kind: 'account', cause: WRONG_KEY }, answered: true }],
	['hashes are not known, and the configuration answers', { findings: { answered: 2 }, probed: 'sound' }, SOUND],
	['hashes are not known, and the budget has no room for the configuration', { findings: { answered: 2 }, probed: 'notSent' }, SOUND],
	['hashes are not known, and the configuration does not answer', { findings: { answered: 2, error: SILENCE }, probed: OUTAGE }, SOUND],
	['hashes are not known, since it is another server', { findings: { answered: 2 }, probed: WRONG_KEY, accountErrorThen: WRONG_KEY }, { problem: { kind: 'account', cause: WRONG_KEY }, answered: true }],
	['no check was answered, but the configuration', { findings: { error: OUTAGE }, probed: 'sound' }, SOUND],
	['no check was answered, nor was the configuration', { findings: { error: OUTAGE }, probed: SILENCE }, { problem: { kind: 'transient', cause: SILENCE }, answered: false }],
	['no check was answered, and the budget has no room for the configuration', { findings: { error: OUTAGE }, probed: 'notSent' }, { problem: { kind: 'transient', cause: OUTAGE }, answered: false }],
	['no check was answered, and the key is wrong', { findings: { error: OUTAGE }, probed: WRONG_KEY, accountErrorThen: WRONG_KEY }, { problem: { kind: 'account', cause: WRONG_KEY }, answered: true }],
	['n8n has not accepted an event', { findings: { answered: 1, hasShownOrder: true }, uncaught: UNCAUGHT }, { problem: { kind: 'settings', cause: UNCAUGHT }, answered: true }],
	['n8n has not accepted an event, and no check was answered', { findings: { error: OUTAGE }, uncaught: UNCAUGHT }, { problem: { kind: 'settings', cause: UNCAUGHT }, answered: false }],
])('a poll in which %s', async (_what, shown, expected) => {
	expect(await examine(checkerWith(shown), shown.uncaught ?? null, 5)).toEqual(expected);
});

test.each<[unknown, string]>([[new Error('gone'), 'gone'], ['text', 'text'], [undefined, 'undefined']])('a poll that throws %p is one that the user has to see', (thrown, message) => {
	expect(brokenPoll(thrown)).toEqual({ problem: { kind: 'settings', cause: expect.objectContaining({ message }) }, answered: false });
});

describe('what n8n shows', () => {
	const own = new NodeOperationError(NODE, 'Line 2 is no hash', { description: 'Correct it.' });
	const api = new NodeApiError(NODE, {}, { message: 'Not accepted', description: 'Open it.', httpCode: '401' });

	test.each([own, api])('of n8n’s own error: itself, in the usual engine', (cause) => {
		expect(visibleError(context, { kind: 'settings', cause }, 1, 'usual')).toBe(cause);
	});

	test.each([own, api])('of n8n’s own error: its text without the code, in the durable engine', (cause) => {
		const error = visibleError(context, { kind: 'settings', cause }, 1, 'durable');
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: cause.message, description: cause.description });
	});

	test('of any other error: its words', () => {
		expect(visibleError(context, { kind: 'settings', cause: UNCAUGHT }, 1, 'usual')).toMatchObject({ name: 'NodeOperationError', message: 'not emitted' });
	});

	test.each([
		['usual', NodeApiError],
		['durable', NodeOperationError],
	] as const)('of a service error in the %s engine: its sentence, and from the second poll on how many it has kept from checking', (engine, kind) => {
		const shown = (polls: number) => visibleError(context, { kind: 'transient', cause: OUTAGE }, polls, engine);
		expect(shown(5)).toBeInstanceOf(kind);
		expect(shown(5)).toMatchObject({
			message: 'The bridge service has a temporary problem',
			description: expect.stringMatching(/HTTP 503.* No order could be checked in 5 polls in a row\. All stay watched\.$/),
		});
		expect(shown(2).description).toContain('in 2 polls in a row');
		expect(shown(1).description).toMatch(/HTTP 503\.$/);
	});

	test('the configuration is what was asked for, so a 404 speaks of the address', () => {
		for (const engine of ['usual', 'durable'] as const) {
			expect(visibleError(context, { kind: 'account', cause: rejected(404) }, 1, engine).message).toBe('The Base URL does not lead to the bridge service');
		}
	});
});
