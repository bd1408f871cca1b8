import type { CheckResult } from '../../../nodes/CrossChainBridge/watch/events';
import {
	DAY,
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
	shown,
	type Watching,
} from './watching';

/** A posted order that stays open is watched until a day after its expiry, and then no longer. */

const ENDING = rulesWith([...FINAL, 'watchEnded']);
const expiring = (at: number) => shown('pending', { timing: { expiry: at / 1_000 } });

/** The events of two checks some minutes apart, of which the second one confirms that the time is over. */
const checkedTwice = (watching: Watching, result: CheckResult): string[] => [
	...watching.check('0xA', result),
	...watching.wait(5 * MINUTE).check('0xA', result),
];

test.each<[string, CheckResult, number]>([
	['never found', NOT_FOUND, 48],
	['found, without an expiry', shown('pending'), 48],
	['found, expires after an hour', expiring(NOW + HOUR), 25],
	['found, expires after two months, which nobody believes', expiring(NOW + 60 * DAY), 31 * 24],
	['posted long after its expiry', expiring(NOW - 90 * DAY), 24],
	['with an expiry that is no time of this century', expiring(NOW + 9e12), 48],
	['of a word that nobody knows', shown('settling'), 48],
	['that the bridge rejects', REJECTED, 48],
])(
	'an order %s: the watch ends %3$d hours after the post, with the event',
	(_what, result, hours) => {
		const watching = posting(['0xA'], ENDING);
		watching.check('0xA', result);
		watching.wait(hours * HOUR - 5 * MINUTE - 1);
		expect(checkedTwice(watching, result)).toEqual([]);
		watching.wait(1);
		expect(checkedTwice(watching, result)).toEqual(['watchEnded 0xA']);
		expect([watching.open, watching.state.orders.size]).toEqual([[], 0]);
	},
);

test('an order whose checks fail, though the bridge works, may have finished: it is watched for a day more', () => {
	const watching = posting(['0xA'], ENDING);
	watching.wait(48 * HOUR);
	expect(checkedTwice(watching, OWN_FAULT)).toEqual([]);
	watching.wait(DAY - 5 * MINUTE - 1);
	expect(watching.check('0xA', OWN_FAULT)).toEqual([]);
	watching.wait(1);
	expect(watching.check('0xA', OWN_FAULT)).toEqual(['watchEnded 0xA']);
});

test('an order for which the bridge shows another one of the trigger is not watched for longer than one that it rejects', () => {
	const watching = posting(['0xA'], ENDING).list(['0xB']);
	watching.wait(48 * HOUR);
	expect(checkedTwice(watching, naming('0xB', 'pending'))).toEqual(['watchEnded 0xA']);
});

test('an outage in between does not begin the day anew', () => {
	const watching = posting(['0xA'], ENDING);
	watching.wait(48 * HOUR).check('0xA', OWN_FAULT);
	watching.wait(23 * HOUR).check('0xA', OUTAGE);
	watching.wait(HOUR - MINUTE);
	expect(checkedTwice(watching, OUTAGE)).toEqual([]);
	expect(watching.check('0xA', OWN_FAULT)).toEqual(['watchEnded 0xA']);
});

test('one that completed while n8n did not run is not dropped because its first checks fail', () => {
	const watching = posting(['0xA'], ENDING);
	watching.wait(3 * DAY);
	expect(checkedTwice(watching, OWN_FAULT)).toEqual([]);
	watching.wait(HOUR);
	expect(watching.check('0xA', shown('completed'))).toEqual(['completed 0xA']);
});

test('of an order that an expression has left out for a moment, only the post ends: it comes back in the list as it was', () => {
	const watching = posting(['0xA'], rulesWith([...FINAL, 'expired', 'watchEnded']));
	watching.list(['0xA'], { isListByHand: false }).wait(50 * HOUR);
	expect(watching.check('0xA', NOT_FOUND)).toEqual(['expired 0xA']);
	watching.list([], { isListByHand: false });
	expect(checkedTwice(watching, NOT_FOUND)).toEqual(['watchEnded 0xA']);
	expect(watching.open).toEqual([]);
	watching.restart().list(['0xA'], { isListByHand: false });
	expect(checkedTwice(watching, NOT_FOUND)).toEqual([]);
	expect(watching.open).toEqual(['0xA']);
	expect(watching.order('0xA')).toMatchObject({ since: NOW, posted: null });
});

test('of an order that an expression has left out for a day or more, nothing is kept', () => {
	const watching = posting(['0xA'], ENDING).list(['0xA'], { isListByHand: false });
	watching
		.wait(24 * HOUR)
		.list([], { isListByHand: false })
		.wait(24 * HOUR);
	expect(checkedTwice(watching, NOT_FOUND)).toEqual(['watchEnded 0xA']);
	expect(watching.state.orders.size).toBe(0);
});

test('of such an order it comes again if n8n has not started the workflow', () => {
	const watching = posting(['0xA'], ENDING).list(['0xA'], { isListByHand: false });
	watching.wait(50 * HOUR).list([], { isListByHand: false });
	expect(checkedTwice(watching, NOT_FOUND)).toEqual(['watchEnded 0xA']);
	watching.undoLast();
	expect(checkedTwice(watching, NOT_FOUND)).toEqual(['watchEnded 0xA']);
});

test('one check alone does not end it, because a clock may be wrong for a moment; nor does time alone', () => {
	const watching = posting(['0xA'], ENDING).wait(50 * HOUR);
	expect(watching.check('0xA', NOT_FOUND)).toEqual([]);
	expect(
		watching
			.wait(4 * MINUTE)
			.restart()
			.check('0xA', NOT_FOUND),
	).toEqual([]);
	expect(watching.wait(MINUTE).check('0xA', NOT_FOUND)).toEqual(['watchEnded 0xA']);
});

test('a response from before it was over does not end it, however late that is applied', () => {
	const watching = posting(['0xA'], ENDING).wait(50 * HOUR);
	expect(watching.check('0xA', NOT_FOUND, NOW + 47 * HOUR)).toEqual([]);
	expect(watching.wait(HOUR).check('0xA', NOT_FOUND, NOW + 47 * HOUR)).toEqual([]);
});

test('while the bridge does not work the order stays, for 30 days more', () => {
	const watching = posting(['0xA'], ENDING).wait(31 * DAY);
	expect(checkedTwice(watching, OUTAGE)).toEqual([]);
	watching.wait(DAY);
	expect(checkedTwice(watching, OUTAGE)).toEqual(['watchEnded 0xA']);
});

test('a final status at the end is the final status', () => {
	const watching = posting(['0xA'], ENDING).wait(50 * HOUR);
	watching.check('0xA', NOT_FOUND);
	expect(watching.wait(HOUR).check('0xA', shown('completed'))).toEqual(['completed 0xA']);
});

test('an order of the list is watched for as long as the list names it', () => {
	const watching = listing(['0xA'], ENDING);
	watching.post('0xA');
	watching.wait(400 * DAY);
	expect([checkedTwice(watching, NOT_FOUND), watching.open]).toEqual([[], ['0xA']]);
});

test('another post starts the time again', () => {
	const watching = posting(['0xA'], ENDING).wait(40 * HOUR);
	watching.post('0xA');
	watching.wait(40 * HOUR);
	expect(checkedTwice(watching, NOT_FOUND)).toEqual([]);
	watching.wait(8 * HOUR);
	expect(checkedTwice(watching, NOT_FOUND)).toEqual(['watchEnded 0xA']);
});

test('the event says what was seen last, and since when it was watched; without it the order goes all the same', () => {
	const watching = posting(['0xA'], ENDING);
	watching.check('0xA', shown('pending'));
	watching.wait(50 * HOUR);
	checkedTwice(watching, shown('executing'));
	expect(watching.lastEmission).toMatchObject({
		event: 'watchEnded',
		order: { status: 'executing' },
		before: { since: NOW, sourceHash: '0xA' },
	});
	const silent = posting(['0xA']).wait(50 * HOUR);
	expect([checkedTwice(silent, NOT_FOUND), silent.open]).toEqual([[], []]);
});
