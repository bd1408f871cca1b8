import type { CheckResult } from '../../../nodes/CrossChainBridge/watch/events';
import type { WatchRules } from '../../../nodes/CrossChainBridge/watch/rules';
import {
	DAY,
	EVERY,
	FINAL,
	HOUR,
	listing,
	MINUTE,
	naming,
	NOT_FOUND,
	NOW,
	OUTAGE,
	OWN_FAULT,
	posting,
	REJECTED,
	rulesWith,
	SECOND,
	shown,
	Watching,
} from './watching';

/** What a status check of an order changes, and what it starts. */

const SECONDS = NOW / 1_000;

describe('an order that is open', () => {
	const expiring = (expiry: number) => shown('pending', { timing: { expiry } });

	test.each<[string, CheckResult[], object]>([
		['has a response, though it was not found', [NOT_FOUND], { hasResponse: true, status: null }],
		['is found', [NOT_FOUND, shown('pending')], { hasResponse: true, status: 'pending' }],
		['has another status', [shown('pending'), shown('executing')], { status: 'executing' }],
		['keeps its status', [shown('pending'), NOT_FOUND], { status: 'pending' }],
		['has a word that nobody knows', [shown('settling')], { status: 'settling' }],
		['is shown without a status', [shown(undefined)], { hasResponse: true, status: null }],
		['expires', [expiring(SECONDS + 60)], { expiresAt: NOW + MINUTE }],
		['expires later', [expiring(SECONDS), expiring(SECONDS + 60)], { expiresAt: NOW + MINUTE }],
		['keeps its expiry', [expiring(SECONDS), shown('pending')], { expiresAt: NOW }],
		['is unseen while the bridge is away', [OUTAGE], { hasResponse: false }],
		['is unseen while it is not accepted', [REJECTED], { hasResponse: false }],
	])('%s', (_what, results, expected) => {
		const watching = listing(['0xA']);
		for (const result of results) expect(watching.check('0xA', result)).toEqual([]);
		expect(watching.restart().order('0xA')).toMatchObject(expected);
	});

	test.each([NOT_FOUND, shown('pending'), OUTAGE, REJECTED])(
		'makes no new revision when the same comes again: %j',
		(result) => {
			const watching = listing(['0xA']);
			watching.check('0xA', result);
			const { state } = watching;
			watching.wait(MINUTE).check('0xA', result);
			expect(watching.state).toBe(state);
		},
	);
});

test('a check of an order that is not watched changes nothing', () => {
	const watching = listing(['0xA']);
	const { state } = watching;
	expect(watching.check('0xB', shown('completed'))).toEqual([]);
	expect(watching.state).toBe(state);
});

describe('an order that has finished', () => {
	test.each(FINAL)('starts the workflow once, with what came before (%s)', (status) => {
		const watching = new Watching().list([['0xA', 'Rent']]);
		watching.check('0xA', shown('pending'));
		expect(watching.check('0xA', shown(status))).toEqual([`${status} 0xA`]);
		expect(watching.lastEmission).toMatchObject({
			event: status,
			previousStatus: 'pending',
			redelivered: false,
			order: { status },
			before: { sourceHash: '0xA', listReference: 'Rent' },
		});
		expect(watching.check('0xA', shown(status))).toEqual([]);
		expect(watching.restart().list(['0xA']).open).toEqual([]);
	});

	test('counts the five words in any case', () => {
		expect(listing(['0xA']).check('0xA', shown(' COMPLETED '))).toEqual(['completed 0xA']);
	});

	test('has the link and the reference of its post', () => {
		const posted = { reference: { chat: 7 }, link: 'https://a.example/tx' };
		const watching = posting([{ hash: '0xA', ...posted }]);
		watching.check('0xA', shown('completed'));
		expect(watching.lastEmission).toMatchObject({ before: { posted } });
	});

	test('with an event that was not chosen starts nothing, and is checked no more', () => {
		const watching = listing(['0xA'], rulesWith(['completed']));
		watching.post('0xB');
		expect([
			watching.check('0xA', shown('failed')),
			watching.check('0xB', shown('failed')),
		]).toEqual([[], []]);
		expect(watching.restart().list(['0xA']).open).toEqual([]);
	});
});

describe('a response that names another order', () => {
	test('that is watched as well says nothing of this one', () => {
		const watching = listing(['0xA', '0xB'], rulesWith(EVERY));
		expect(watching.check('0xA', naming('0xB', 'completed'))).toEqual([]);
		expect(watching.open).toEqual(['0xA', '0xB']);
		expect(watching.order('0xA')).toMatchObject({ status: null, hasResponse: false });
		expect(watching.check('0xB', naming('0xB', 'completed'))).toEqual(['completed 0xB']);
		expect(watching.check('0xA', naming('0xA', 'failed'))).toEqual(['failed 0xA']);
	});

	test.each([true, false])(
		'that was watched and has finished says nothing of this one, also after a restart (it was reported: %s)',
		(isReported) => {
			const watching = listing(['0xA', '0xB'], rulesWith(isReported ? EVERY : ['refunded']));
			watching.post('0xC');
			watching.check('0xB', naming('0xB', 'completed'));
			watching.check('0xC', naming('0xC', 'completed'));
			watching.restart();
			const started = watching.events.length;
			expect(watching.check('0xA', naming('0xB', 'completed'))).toEqual([]);
			expect(watching.check('0xA', naming('0xC', 'failed'))).toEqual([]);
			expect([watching.events.length, watching.open]).toEqual([started, ['0xA']]);
		},
	);

	test('is the fault of this order: Delayed comes, and says why it could not be checked', () => {
		const watching = listing(['0xA', '0xB'], rulesWith(EVERY)).wait(5 * MINUTE);
		expect(watching.check('0xA', naming('0xB', 'completed'))).toEqual(['delayed 0xA']);
		expect(watching.lastEmission).toMatchObject({
			order: null,
			whyNotChecked: expect.stringContaining('another order'),
		});
	});

	test('that nobody watches is applied: the item shows the other hash', () => {
		const watching = listing(['0xA']);
		expect(watching.check('0xA', naming('0xF', 'completed'))).toEqual(['completed 0xA']);
	});
});

describe('Delayed', () => {
	const LATE = rulesWith([...FINAL, 'delayed']);
	const created = (seconds: number) => shown('pending', { timing: { createdAt: seconds } });
	const single = (startedAt: number | null = null) => posting([{ hash: '0xA', startedAt }], LATE);

	test.each<[string, Watching, CheckResult, number, number]>([
		['open since it was listed', listing(['0xA'], LATE), shown('pending'), 5, 0],
		['open since it was created', single(), created(SECONDS - 120), 3, -2],
		['open since it began', single(NOW - MINUTE), shown('pending'), 4, -1],
		['created at a time to come', single(), created(SECONDS + 86_400), 5, 0],
		['not found', single(), NOT_FOUND, 5, 0],
		['not accepted', single(), REJECTED, 5, 0],
		['shown without a status', single(), shown(undefined), 5, 0],
		['of which every check fails, though the bridge works', single(), OWN_FAULT, 5, 0],
	])('comes once for an order that is %s', (_what, watching, result, minutes, began) => {
		watching.wait(minutes * MINUTE - SECOND);
		expect(watching.check('0xA', result)).toEqual([]);
		expect(watching.wait(SECOND).check('0xA', result)).toEqual(['delayed 0xA']);
		expect(watching.lastEmission).toMatchObject({ beganAt: NOW + began * MINUTE });
		expect(
			watching
				.restart()
				.wait(99 * MINUTE)
				.check('0xA', result),
		).toEqual([]);
		expect(watching.check('0xA', shown('failed'))).toEqual(['failed 0xA']);
	});

	test.each([-10, 10])(
		'is not due for an order that was posted an hour before it was created, %d s from now by the clock of the bridge',
		(seconds) => {
			const watching = single().wait(HOUR);
			const result = created(SECONDS + 3_600 + seconds);
			expect(watching.check('0xA', result)).toEqual([]);
			expect(watching.wait(5 * MINUTE + 10 * SECOND).check('0xA', result)).toEqual(['delayed 0xA']);
		},
	);

	test('says why the order could not be checked', () => {
		const watching = single().wait(HOUR);
		watching.check('0xA', OWN_FAULT);
		expect(watching.lastEmission).toMatchObject({ whyNotChecked: 'HTTP 500', order: null });
	});

	test('comes for an order that was shown, and then fails by its own fault', () => {
		const watching = single();
		watching.check('0xA', shown('executing'));
		expect(watching.wait(HOUR).check('0xA', OWN_FAULT)).toEqual(['delayed 0xA']);
		expect(watching.lastEmission).toMatchObject({ before: { status: 'executing' } });
	});

	test.each<[string, WatchRules, CheckResult]>([
		['the event was not chosen', rulesWith(), shown('pending')],
		['the bridge does not work', LATE, OUTAGE],
		[
			'the order has finished, though its event was not chosen',
			rulesWith(['delayed']),
			shown('failed'),
		],
	])('does not come if %s', (_what, rules, result) => {
		const watching = listing(['0xA'], rules).wait(99 * MINUTE);
		expect(watching.check('0xA', result).filter((event) => event.startsWith('delayed'))).toEqual(
			[],
		);
	});

	test('does not come for a response from before it was due, however late that is applied', () => {
		expect(
			single()
				.wait(HOUR)
				.check('0xA', shown('pending'), NOW + 4 * MINUTE),
		).toEqual([]);
	});
});

describe('Expired', () => {
	const TOLD = rulesWith(EVERY);
	const expiring = (at: number) => shown('pending', { timing: { expiry: at / 1_000 } });

	test.each<[string, CheckResult, number]>([
		['the expiry that the bridge states', expiring(NOW + 2 * HOUR), 2 * HOUR],
		['24 hours, if it states none', shown('pending'), DAY],
		['24 hours, if it is not found', NOT_FOUND, DAY],
	])('comes once after %s, after Delayed', (_what, result, ms) => {
		const watching = listing(['0xA'], TOLD).wait(10 * MINUTE);
		expect(watching.check('0xA', result)).toEqual(['delayed 0xA']);
		watching.wait(ms - 10 * MINUTE - SECOND);
		expect(watching.check('0xA', result)).toEqual([]);
		expect(watching.wait(SECOND).check('0xA', result)).toEqual(['expired 0xA']);
		expect(watching.restart().wait(DAY).check('0xA', result)).toEqual([]);
		expect(watching.check('0xA', shown('refunded'))).toEqual(['refunded 0xA']);
	});

	test('comes alone, without Delayed, for an order that has expired by its first check', () => {
		const watching = listing(['0xA'], TOLD).wait(2 * DAY);
		expect(watching.check('0xA', shown('pending'))).toEqual(['expired 0xA']);
		expect(watching.wait(HOUR).check('0xA', shown('pending'))).toEqual([]);
	});

	test('does not come while the bridge does not work', () => {
		expect(
			listing(['0xA'], TOLD)
				.wait(2 * DAY)
				.check('0xA', OUTAGE),
		).toEqual([]);
	});
});

describe('without Include Already Finished', () => {
	const LATER_ONLY = rulesWith(FINAL, { includeFinished: false });
	const completed = (more: object = {}) => shown('completed', more);
	const completedAt = (seconds: number) =>
		completed({ timing: { completedAt: SECONDS + seconds } });
	const createdAt = (seconds: number) => completed({ timing: { createdAt: SECONDS + seconds } });
	const sentAt = (seconds: number) => completed({ input: { timestamp: SECONDS + seconds } });

	test.each<[string, number | null, CheckResult, boolean]>([
		['completed a minute before', null, completedAt(-60), true],
		['completed more than a minute before', null, completedAt(-61), false],
		// Its beginning is no proof: it may have taken long, and have been seen open before n8n stopped.
		['created long before', null, createdAt(-600), true],
		['sent long before', null, sentAt(-600), true],
		['begun long before, as its poster says', NOW - 600_000, completed(), true],
		[
			'completed since, though created long before',
			null,
			completed({ timing: { createdAt: SECONDS - 600, completedAt: SECONDS } }),
			true,
		],
		// A message too many shows itself, and a missing one does not.
		['finished at no stated time', null, completed(), true],
	])(
		'an order that is finished at its first response is reported: %s (%4$s)',
		(_what, startedAt, result, isReported) => {
			const watching = posting([{ hash: '0xA', startedAt }], LATER_ONLY);
			expect(watching.check('0xA', result)).toEqual(isReported ? ['completed 0xA'] : []);
		},
	);

	test('an order that the bridge has responded to before is reported, whatever times it states then', () => {
		const watching = listing(['0xA'], LATER_ONLY);
		watching.check('0xA', NOT_FOUND);
		expect(watching.restart().check('0xA', completedAt(-600))).toEqual(['completed 0xA']);
	});

	test('an order that may have been listed before n8n stopped is reported if it finished since; its own time begins when it is read', () => {
		const watching = new Watching(
			rulesWith([...FINAL, 'delayed', 'expired'], { includeFinished: false }),
		);
		watching.list(['0xA', '0xB', '0xC'], { listedAfter: NOW - 2 * DAY });
		expect(watching.restart().check('0xA', completedAt(-3_600))).toEqual(['completed 0xA']);
		expect(watching.check('0xB', completedAt(-3 * 86_400))).toEqual([]);
		expect(watching.check('0xC', NOT_FOUND)).toEqual([]);
		expect(watching.order('0xC')?.since).toBe(NOW);
		expect(watching.wait(5 * MINUTE).check('0xC', NOT_FOUND)).toEqual(['delayed 0xC']);
	});

	test('an order that had finished before stays so over a restart, and is reported when that is chosen', () => {
		const watching = listing(['0xA'], LATER_ONLY);
		watching.check('0xA', completedAt(-600));
		expect(watching.restart().list(['0xA']).open).toEqual([]);
		watching.rules = rulesWith();
		watching.list(['0xA']).check('0xA', completedAt(-600));
		expect(watching.events).toEqual(['completed 0xA']);
	});
});

/** What only the wall clock of n8n says is not believed against what the bridge or a second check says. */
describe('a wall clock that is set', () => {
	test('back an hour: Delayed comes when its minutes have passed', () => {
		const watching = posting(['0xA'], rulesWith([...FINAL, 'delayed'])).wait(-HOUR);
		for (let minute = 0; minute < 30; minute++) watching.wait(MINUTE).check('0xA', NOT_FOUND);
		expect(watching.events).toEqual(['delayed 0xA']);
	});

	test('back an hour: an order that was posted before that, and finished after it, is reported', () => {
		const watching = posting(['0xA'], rulesWith(FINAL, { includeFinished: false }));
		watching.wait(-HOUR + 12 * SECOND);
		const completedAt = (watching.now - 2 * SECOND) / 1_000;
		const result = shown('completed', { timing: { createdAt: completedAt - 10, completedAt } });
		expect(watching.check('0xA', result)).toEqual(['completed 0xA']);
	});

	test('back: what was emitted stays the newest state', () => {
		const watching = listing(['0xA']);
		const { revision } = watching.state;
		watching.wait(-HOUR).check('0xA', shown('completed'));
		expect(watching.state.revision).toBeGreaterThan(revision);
	});

	test('49 hours ahead for a moment: no posted order is dropped or expires unheard', () => {
		const watching = posting(['0xA', '0xB'], rulesWith([...FINAL, 'watchEnded']));
		watching.wait(49 * HOUR);
		for (const hash of ['0xA', '0xB']) watching.check(hash, NOT_FOUND);
		watching.wait(-49 * HOUR + 6 * MINUTE);
		for (const hash of ['0xA', '0xB']) watching.check(hash, NOT_FOUND);
		expect([watching.open, watching.events]).toEqual([['0xA', '0xB'], []]);
	});
});
