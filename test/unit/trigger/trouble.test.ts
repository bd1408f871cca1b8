import { isShown, type PollOccasion, type TroubleKind } from '../../../nodes/CrossChainBridge/trigger/trouble';

test.each<[TroubleKind, PollOccasion, number[]]>([
	['passing', 'scheduled', [5, 35, 65, 95]],
	['needsAPerson', 'scheduled', [1, 31, 61, 91]],
	['passing', 'publishedByPerson', []],
	['passing', 'startedByN8n', []],
	['needsAPerson', 'startedByN8n', []],
])('%s, %s: shown on the polls %j', (kind, occasion, expected) => {
	const polls = Array.from({ length: 100 }, (_, i) => i + 1);
	expect(polls.filter((poll) => isShown(kind, occasion, poll))).toEqual(expected);
});

test('a person who publishes is told at once what to mend', () => {
	expect(isShown('needsAPerson', 'publishedByPerson', 0)).toBe(true);
});
