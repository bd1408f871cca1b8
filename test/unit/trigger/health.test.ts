import { type IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { nodeWith } from '../node';
import { rejected } from '../service/rejected';
import type { PollOccasion } from '../../../nodes/CrossChainBridge/trigger/pollTimes';
import {
	afterPoll,
	type Health,
	HEALTHY,
	isShown,
	polled,
	visibleError,
} from '../../../nodes/CrossChainBridge/trigger/health';

/** What keeps a trigger from checking, and when and how n8n shows it. */

type ProblemKind = keyof Health;

/** The polls, counted from 1, that are shown of a row of such problems. */
function shownOn(
	kinds: ReadonlyArray<ProblemKind | null>,
	occasion: PollOccasion = 'scheduled',
): number[] {
	let health: Health = HEALTHY;
	return kinds.flatMap((kind, index) => {
		health = afterPoll(health, kind === null ? 'responded' : { kind, cause: null });
		return kind !== null && isShown(kind, occasion, health) ? [index + 1] : [];
	});
}

const times = (count: number, kind: ProblemKind): ProblemKind[] =>
	Array.from({ length: count }, () => kind);

test.each<[ProblemKind, PollOccasion, number[]]>([
	['transient', 'scheduled', [5, 35, 65, 95]],
	['account', 'scheduled', [1, 31, 61, 91]],
	['settings', 'scheduled', [1, 31, 61, 91]],
	['transient', 'publishedByPerson', []],
	['transient', 'startedByN8n', []],
	['account', 'startedByN8n', []],
	['settings', 'startedByN8n', []],
])('%s, %s: shown on the polls %j', (kind, occasion, expected) => {
	expect(shownOn(times(100, kind), occasion)).toEqual(expected);
});

test.each<ProblemKind>(['account', 'settings'])(
	'a user who publishes is shown at once what to correct (%s)',
	(kind) => {
		expect(isShown(kind, 'publishedByPerson', HEALTHY)).toBe(true);
	},
);

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

test('a poll with nothing to check has read the fields, and heard nothing of the service', () => {
	const health: Health = { settings: 3, account: 2, transient: 4 };
	expect(afterPoll(health, 'idle')).toEqual({ settings: 0, account: 2, transient: 4 });
	expect(afterPoll(health, 'responded')).toEqual(HEALTHY);
});

const NODE = nodeWith({ name: 'Trigger' });
const context = { getNode: () => NODE } as unknown as IPollFunctions;
const OUTAGE = rejected(503);
const UNCAUGHT = new Error('not emitted');

test('a poll that could not work is one that the user has to see', () => {
	const cause = new Error('gone');
	expect(polled(cause)).toEqual({ kind: 'settings', cause });
	expect(polled(null)).toBe('idle');
});

describe('what n8n shows', () => {
	const own = new NodeOperationError(NODE, 'Line 2 is no hash', { description: 'Correct it.' });
	const words = { message: 'Not accepted', description: 'Open it.', httpCode: '401' };
	const api = new NodeApiError(NODE, {}, words);

	test.each([own, api])(
		'of n8n’s own error: itself, but only its text in the durable engine',
		(cause) => {
			const shown = (pauses: boolean) =>
				visibleError(context, { kind: 'settings', cause }, 1, pauses);
			expect(shown(false)).toBe(cause);
			expect(shown(true)).toBeInstanceOf(NodeOperationError);
			expect(shown(true)).toMatchObject({ message: cause.message, description: cause.description });
		},
	);

	test('of any other error: its words', () => {
		const shown = visibleError(context, { kind: 'settings', cause: UNCAUGHT }, 1, false);
		expect(shown).toMatchObject({ name: 'NodeOperationError', message: 'not emitted' });
	});

	test.each([
		[false, NodeApiError],
		[true, NodeOperationError],
	] as const)(
		'of a service error (n8n pauses for its code: %s): its sentence, and from the second poll on how many it has kept from checking',
		(pausesForErrors, kind) => {
			const shown = (polls: number) =>
				visibleError(context, { kind: 'transient', cause: OUTAGE }, polls, pausesForErrors);
			expect(shown(5)).toBeInstanceOf(kind);
			expect(shown(5)).toMatchObject({
				message: 'The bridge is temporarily unavailable',
				description: expect.stringMatching(
					/HTTP 503.* No order could be checked in 5 polls in a row\. All stay watched\.$/,
				),
			});
			expect(shown(2).description).toContain('in 2 polls in a row');
			expect(shown(1).description).toMatch(/HTTP 503\.$/);
		},
	);

	test('the configuration is what was asked for, so a 404 speaks of the address', () => {
		for (const pausesForErrors of [false, true]) {
			expect(
				visibleError(context, { kind: 'account', cause: rejected(404) }, 1, pausesForErrors)
					.message,
			).toBe('The Base URL does not lead to the bridge. Correct it in the credential.');
		}
	});
});
