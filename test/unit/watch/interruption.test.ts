import type { PollFinding } from '../../../nodes/CrossChainBridge/watch/events';
import { DAY, FINAL, listing, MINUTE, NOW, rulesWith, SECOND, shown, Watching } from './watching';

/** Watching Interrupted: once if no order can be checked, and once more when they can be again. */

const TOLD = rulesWith([...FINAL, 'interrupted']);
const CHECKED: PollFinding = { kind: 'checked' };
const IDLE: PollFinding = { kind: 'idle' };
const OUTAGE: PollFinding = { kind: 'problem', why: 'No response', isTransient: true };
const WRONG_KEY: PollFinding = { kind: 'problem', why: 'The key is wrong', isTransient: false };

/** A minute before each poll. */
const polling = (watching: Watching, ...findings: PollFinding[]) =>
	findings.map((finding) => watching.wait(MINUTE).poll(finding).join());

const times = (count: number, finding: PollFinding) => Array.from({ length: count }, () => finding);

test('an outage is an event after ten minutes, once, and so is that it is over', () => {
	const watching = listing(['0xA'], TOLD);
	const events = polling(watching, ...times(30, OUTAGE), CHECKED, CHECKED);
	expect(events).toEqual([
		...times(10, OUTAGE).map(() => ''),
		'interrupted',
		...times(19, OUTAGE).map(() => ''),
		...['resumed', ''],
	]);
});

test('an outage that is shorter is none, and two of them are not one long one', () => {
	const watching = listing(['0xA'], TOLD);
	const short = [...times(10, OUTAGE), CHECKED];
	expect(polling(watching, ...short, ...short).join('')).toBe('');
});

test('an outage before and after n8n has stood still is not one long one; an event that was emitted is not over by that', () => {
	const STOOD_STILL: PollFinding = { kind: 'stoodStill' };
	const watching = listing(['0xA'], TOLD);
	polling(watching, ...times(5, OUTAGE));
	watching.wait(DAY);
	expect(polling(watching, STOOD_STILL, ...times(10, OUTAGE)).join('')).toBe('');
	expect(polling(watching, OUTAGE, STOOD_STILL, OUTAGE, CHECKED)).toEqual([
		...['interrupted', '', '', 'resumed'],
	]);
});

test('a poll with nothing to check does not end an outage either: the ten minutes go on', () => {
	const watching = listing(['0xA'], TOLD);
	const events = polling(watching, ...times(5, OUTAGE), IDLE, ...times(5, OUTAGE));
	expect(events).toEqual([...times(10, OUTAGE).map(() => ''), 'interrupted']);
});

test.each<[string, PollFinding]>([
	['works', CHECKED],
	['has nothing to check', IDLE],
	['fails', OUTAGE],
	['has a wrong key', WRONG_KEY],
	['finds a fault of n8n', { kind: 'fault' }],
])('a poll that %s as the one before makes no new revision', (_what, finding) => {
	const watching = listing(['0xA'], TOLD);
	watching.poll(finding);
	const { state } = watching;
	polling(watching, finding);
	expect(watching.state).toBe(state);
});

test('a wrong key is an event at once', () => {
	const watching = listing(['0xA'], TOLD);
	expect(polling(watching, WRONG_KEY, WRONG_KEY, OUTAGE, CHECKED)).toEqual([
		...['interrupted', '', '', 'resumed'],
	]);
	expect(watching.emissions).toMatchObject([
		{ kind: 'watch', why: 'The key is wrong', watching: 1 },
		{ kind: 'watch', why: null, watching: 1 },
	]);
});

test('a wrong key after an outage is another event, because only a person can correct it; an outage after a wrong key is none', () => {
	const watching = listing(['0xA'], TOLD);
	const events = polling(watching, ...times(15, OUTAGE), WRONG_KEY, OUTAGE, WRONG_KEY, CHECKED);
	expect(events.filter((event) => event !== '')).toEqual(['interrupted', 'interrupted', 'resumed']);
	expect(watching.emissions).toMatchObject([
		{ why: 'No response' },
		{ why: 'The key is wrong' },
		{ why: null },
	]);
	watching.restart();
	const again = [...times(11, OUTAGE), WRONG_KEY].flatMap((finding) =>
		watching.restart().wait(MINUTE).poll(finding),
	);
	expect(again).toEqual(['interrupted', 'interrupted']);
});

test('an outage before a field is wrong is over with a check that works, so that the next one takes ten minutes again', () => {
	const watching = listing(['0xA'], TOLD);
	const WRONG_FIELD: PollFinding = { ...WRONG_KEY, why: 'The list is wrong', otherwise: 'checked' };
	polling(watching, OUTAGE);
	expect(polling(watching, WRONG_FIELD)).toEqual(['interrupted']);
	expect(watching.state.uncheckedSince).toBeNull();
	watching.wait(30 * MINUTE);
	expect(polling(watching, OUTAGE)).toEqual(['']);
});

test('if only a field is wrong, the orders are still checked: no time is stated since which they are not', () => {
	const watching = listing(['0xA'], TOLD);
	const WRONG_FIELD: PollFinding = { ...WRONG_KEY, why: 'The list is wrong', otherwise: 'idle' };
	expect(polling(watching, WRONG_FIELD)).toEqual(['interrupted']);
	expect(watching.state.uncheckedSince).toBeNull();
	polling(watching, CHECKED, OUTAGE, WRONG_FIELD);
	expect(watching.state.uncheckedSince).toBe(watching.now - MINUTE);
});

test('that orders are checked again after a wrong key is told although a field is wrong by then', () => {
	const watching = listing(['0xA'], TOLD);
	const WRONG_FIELD: PollFinding = { ...WRONG_KEY, why: 'The list is wrong', otherwise: 'checked' };
	const IDLE_FIELD: PollFinding = { ...WRONG_FIELD, otherwise: 'idle' };
	expect(polling(watching, WRONG_KEY, IDLE_FIELD, WRONG_FIELD, WRONG_FIELD, CHECKED)).toEqual([
		...['interrupted', '', 'interrupted', '', 'resumed'],
	]);
	expect(watching.emissions).toMatchObject([
		{ why: 'The key is wrong', isOfFields: false },
		{ why: 'The list is wrong', isOfFields: true },
		{ why: null },
	]);
});

test('each comes once over restarts', () => {
	const watching = listing(['0xA'], TOLD);
	const events = [...times(15, OUTAGE), CHECKED, CHECKED].flatMap((finding) =>
		watching.restart().wait(MINUTE).poll(finding),
	);
	expect(events).toEqual(['interrupted', 'resumed']);
});

test('a poll with nothing to check says nothing of the interruption; without an order left it is over', () => {
	const watching = listing(['0xA'], TOLD);
	expect(polling(watching, WRONG_KEY, IDLE, IDLE, CHECKED)).toEqual([
		...['interrupted', '', '', 'resumed'],
	]);
	expect(polling(watching, WRONG_KEY)).toEqual(['interrupted']);
	watching.list([]);
	expect(polling(watching, IDLE, IDLE)).toEqual(['resumed', '']);
	expect(watching.lastEmission).toMatchObject({ watching: 0 });
});

test('an expression that gives no orders for one poll does not end the interruption', () => {
	const watching = listing(['0xA'], TOLD);
	polling(watching, WRONG_KEY);
	watching.list([], { isListByHand: false });
	expect(polling(watching, IDLE, IDLE, IDLE)).toEqual(['', '', '']);
	watching.list(['0xA'], { isListByHand: false });
	expect(polling(watching, WRONG_KEY, CHECKED)).toEqual(['', 'resumed']);
});

test('a wrong field that is corrected during an outage is over with a check that works, not before', () => {
	const watching = listing(['0xA'], TOLD);
	const WRONG_FIELD: PollFinding = { ...WRONG_KEY, why: 'The list is wrong', otherwise: 'idle' };
	expect(polling(watching, WRONG_FIELD, OUTAGE, IDLE, CHECKED)).toEqual([
		...['interrupted', '', '', 'resumed'],
	]);
});

test('an outage from before there was nothing to check says nothing of now', () => {
	const watching = listing(['0xA'], TOLD);
	polling(watching, ...times(5, OUTAGE));
	watching.list([], { isListByHand: false }).wait(DAY / 2);
	polling(watching, IDLE);
	watching.list(['0xA']);
	expect(polling(watching, ...times(10, OUTAGE), CHECKED).join('')).toBe('');
});

test.each([
	['a wrong key', [WRONG_KEY], ['interrupted'], ['', '', '', 'resumed']],
	[
		'an outage',
		times(11, OUTAGE),
		[...times(10, OUTAGE).map(() => ''), 'interrupted'],
		['', 'interrupted', '', 'resumed'],
	],
])(
	'%s comes after a wrong field was reported: now orders are not checked any more',
	(_what, findings, events, after) => {
		const watching = listing(['0xA'], TOLD);
		const WRONG_FIELD: PollFinding = { ...WRONG_KEY, why: 'The list is wrong', otherwise: 'idle' };
		expect(polling(watching, WRONG_FIELD, ...findings)).toEqual(['interrupted', ...events]);
		watching.restart();
		expect(polling(watching, WRONG_FIELD, WRONG_KEY, OUTAGE, CHECKED)).toEqual(after);
	},
);

test('the end says how many orders have finished meanwhile, chosen events or not', () => {
	const watching = listing(['0xA', '0xB', '0xC'], rulesWith(['completed', 'interrupted']));
	watching.poll(WRONG_KEY);
	watching.check('0xA', shown('completed'));
	watching.restart().check('0xB', shown('failed'));
	watching.poll(CHECKED);
	expect(watching.lastEmission).toMatchObject({
		event: 'resumed',
		watching: 1,
		before: { since: NOW, finished: 2 },
	});
});

describe('without the event', () => {
	test('nothing starts', () => {
		const watching = listing(['0xA']);
		expect(polling(watching, WRONG_KEY, ...times(20, OUTAGE), CHECKED).join('')).toBe('');
	});

	test('an interruption that was reported ends in silence, for good, if the event is no longer chosen', () => {
		const watching = listing(['0xA'], TOLD);
		expect(watching.poll(WRONG_KEY)).toEqual(['interrupted']);
		watching.rules = rulesWith();
		expect(polling(watching, CHECKED)).toEqual(['']);
		watching.rules = TOLD;
		expect(polling(watching, CHECKED, WRONG_KEY)).toEqual(['', 'interrupted']);
	});

	test('an outage that began before it was chosen counts from its beginning', () => {
		const watching = listing(['0xA']);
		polling(watching, ...times(20, OUTAGE));
		watching.rules = TOLD;
		expect(polling(watching, OUTAGE, CHECKED)).toEqual(['interrupted', 'resumed']);
	});
});

test('an event that n8n has not started comes with the next poll', () => {
	const watching = listing(['0xA'], TOLD);
	watching.poll(WRONG_KEY);
	watching.undoLast();
	expect(watching.wait(SECOND).poll(WRONG_KEY)).toEqual(['interrupted']);
	watching.poll(CHECKED);
	watching.undoLast();
	expect(watching.restart().poll(CHECKED)).toEqual(['resumed']);
	expect(watching.events).toEqual(['interrupted', 'resumed']);
});

test('a wrong field is over as soon as it can be read, although the only order has just left the list', () => {
	const EXPRESSION = { isListByHand: false };
	const watching = new Watching(TOLD).list(['0xA'], EXPRESSION);
	watching.poll(CHECKED);
	watching.wait(MINUTE).list([], EXPRESSION);
	watching.poll(IDLE);
	watching.wait(MINUTE).list([], { isWhole: false, ...EXPRESSION });
	const wrongField: PollFinding = { ...WRONG_KEY, otherwise: 'idle' } as PollFinding;
	expect(watching.poll(wrongField)).toEqual(['interrupted']);
	const events = times(30, IDLE).flatMap((idle) =>
		watching.wait(MINUTE).list([], EXPRESSION).poll(idle),
	);
	expect(events).toEqual(['resumed']);
});

test('a fault of n8n says nothing of a wrong field, which is still wrong', () => {
	const watching = listing(['0xA'], TOLD);
	const wrongField: PollFinding = { ...WRONG_KEY, otherwise: 'checked' } as PollFinding;
	const events = polling(watching, wrongField, { kind: 'fault' }, wrongField, CHECKED);
	expect(events).toEqual(['interrupted', '', '', 'resumed']);
});

test('an event of an earlier interruption that n8n has not started changes nothing of now', () => {
	const watching = listing(['0xA', '0xB'], TOLD);
	polling(watching, WRONG_KEY, CHECKED);
	const [interrupted, resumed] = watching.emissions;
	const over = watching.state;
	if (interrupted !== undefined) watching.apply({ kind: 'undone', emission: interrupted });
	expect(watching.state).toBe(over);
	polling(watching, WRONG_KEY);
	watching.check('0xA', shown('completed'));
	if (resumed !== undefined) watching.apply({ kind: 'undone', emission: resumed });
	polling(watching, CHECKED);
	expect(watching.lastEmission).toMatchObject({ event: 'resumed', before: { finished: 1 } });
});
