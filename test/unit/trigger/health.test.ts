import { type IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import type { PollOccasion } from '../../../nodes/CrossChainBridge/trigger/pollTimes';
import {
	afterPoll,
	brokenPoll,
	type Health,
	HEALTHY,
	isShown,
	type ProblemKind,
	visibleError,
} from '../../../nodes/CrossChainBridge/trigger/health';

/** What keeps a trigger from checking, and when and how n8n shows it. */

/** The polls, counted from 1, that are shown of a row of such problems. */
function shownOn(
	kinds: ReadonlyArray<ProblemKind | null>,
	occasion: PollOccasion = 'scheduled',
): number[] {
	let health: Health = HEALTHY;
	return kinds.flatMap((kind, index) => {
		health = afterPoll(health, kind, kind === null);
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

test('a wrong key after outages shows at once', () => {
	expect(shownOn([...times(7, 'transient'), null, ...times(9, 'transient'), 'account'])).toEqual([
		5, 13, 18,
	]);
	expect(shownOn([...times(3, 'transient'), 'account'])).toEqual([4]);
});

test('a sound answer resets each count', () => {
	expect(shownOn(['account', null, 'account'])).toEqual([1, 3]);
	expect(shownOn([...times(4, 'transient'), null, ...times(5, 'transient')])).toEqual([10]);
});

test('an outage between two polls with a wrong key is no reason to show the key again; a poll with nothing to check says nothing of either', () => {
	expect(shownOn(['account', 'transient', 'account'])).toEqual([1]);
	let health = afterPoll(HEALTHY, 'account', true);
	health = afterPoll(health, null, false);
	expect(isShown('account', 'scheduled', afterPoll(health, 'account', true))).toBe(false);
});

test.each<[string, Array<ProblemKind | null>, number[]]>([
	['an outage, since it is another problem', ['settings', 'transient', 'settings'], [1, 3]],
	['a wrong key, since it is another problem', ['settings', 'account', 'settings'], [1, 2, 3]],
])('a wrong field is shown again after %s', (_what, kinds, expected) => {
	expect(shownOn(kinds)).toEqual(expected);
});

test('a wrong key ends an outage: the next one is counted from its own beginning', () => {
	expect(shownOn([...times(4, 'transient'), 'account', ...times(5, 'transient')])).toEqual([5, 10]);
});

test('a wrong field is no answer: the counts of an outage and of a wrong key continue', () => {
	expect(shownOn([...times(3, 'transient'), 'settings', ...times(2, 'transient')])).toEqual([4, 6]);
	expect(shownOn(['account', 'settings', 'account'])).toEqual([1, 2]);
});

test('a poll with nothing to check has read the fields, and heard nothing of the service', () => {
	const health: Health = { settings: 3, account: 2, transient: 4 };
	expect(afterPoll(health, null, false)).toEqual({ settings: 0, account: 2, transient: 4 });
	expect(afterPoll(health, null, true)).toEqual(HEALTHY);
});

const NODE = {
	id: '1',
	name: 'Trigger',
	type: 'trigger',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};
const context = { getNode: () => NODE } as unknown as IPollFunctions;
const rejected = (status: number): ServiceError => ({
	kind: 'rejected',
	status,
	code: null,
	words: null,
	retryAfterMs: null,
});
const OUTAGE = rejected(503);
const UNCAUGHT = new Error('not emitted');

test.each<[unknown, string]>([
	[new Error('gone'), 'gone'],
	['text', 'text'],
	[undefined, 'undefined'],
])('a poll that throws %p is one that the user has to see', (thrown, message) => {
	expect(brokenPoll(thrown)).toEqual({
		problem: { kind: 'settings', cause: expect.objectContaining({ message }) },
		answered: false,
	});
});

describe('what n8n shows', () => {
	const own = new NodeOperationError(NODE, 'Line 2 is no hash', { description: 'Correct it.' });
	const api = new NodeApiError(
		NODE,
		{},
		{ message: 'Not accepted', description: 'Open it.', httpCode: '401' },
	);

	test.each([own, api])('of n8n’s own error: itself, in the usual engine', (cause) => {
		expect(visibleError(context, { kind: 'settings', cause }, 1, false)).toBe(cause);
	});

	test.each([own, api])(
		'of n8n’s own error: its text without the code, in the durable engine',
		(cause) => {
			const error = visibleError(context, { kind: 'settings', cause }, 1, true);
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error).toMatchObject({ message: cause.message, description: cause.description });
		},
	);

	test('of any other error: its words', () => {
		expect(visibleError(context, { kind: 'settings', cause: UNCAUGHT }, 1, false)).toMatchObject({
			name: 'NodeOperationError',
			message: 'not emitted',
		});
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
