import { afterPoll, type Health, HEALTHY, isShown, type PollOccasion, type ProblemKind } from '../../../nodes/CrossChainBridge/trigger/health';

/** The polls, counted from 1, that are shown of a row of such problems. */
function shownOn(kinds: ReadonlyArray<ProblemKind | null>, occasion: PollOccasion = 'scheduled'): number[] {
	let health: Health = HEALTHY;
	return kinds.flatMap((kind, index) => {
		health = afterPoll(health, kind, kind === null);
		return kind !== null && isShown(kind, occasion, health) ? [index + 1] : [];
	});
}

const times = (count: number, kind: ProblemKind): ProblemKind[] => Array.from({ length: count }, () => kind);

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

test.each<ProblemKind>(['account', 'settings'])('a user who publishes is shown at once what to correct (%s)', (kind) => {
	expect(isShown(kind, 'publishedByPerson', HEALTHY)).toBe(true);
});

test('a wrong key after outages shows at once', () => {
	expect(shownOn([...times(7, 'transient'), null, ...times(9, 'transient'), 'account'])).toEqual([5, 13, 18]);
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
