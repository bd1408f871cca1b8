import { newestOf } from '../../../nodes/CrossChainBridge/watch/state';
import {
	EVERY,
	HOUR,
	listing,
	MINUTE,
	NOT_FOUND,
	posting,
	rulesWith,
	SECOND,
	shown,
	Watching,
} from './watching';

/** An event that n8n has not started, and one that may have been lost when n8n stopped. */

const TWICE = rulesWith(EVERY, { redelivers: true });
const ONCE = rulesWith(EVERY);

describe('an event that n8n has not started', () => {
	test('comes again with the next check, also after a restart', () => {
		const watching = listing(['0xA', '0xB']);
		watching.check('0xA', shown('pending'));
		watching.check('0xA', shown('completed'));
		const { revision } = watching.state;
		watching.undoLast();
		expect(watching.state.revision).toBeGreaterThan(revision);
		expect(watching.restart().order('0xA')).toMatchObject({ status: 'pending' });
		expect(watching.check('0xA', shown('completed'))).toEqual(['completed 0xA']);
		expect(watching.events).toEqual(['completed 0xA']);
	});

	test('of an order that had finished unwanted is as it was before', () => {
		const watching = listing(['0xA'], rulesWith(['completed']));
		watching.check('0xA', shown('failed'));
		watching.rules = rulesWith();
		watching.list(['0xA']).check('0xA', shown('failed'));
		watching.undoLast().restart();
		expect(watching.list(['0xA']).open).toEqual(['0xA']);
		expect(watching.check('0xA', shown('failed'))).toEqual(['failed 0xA']);
	});

	test('of an order that finished while it was watched, and whose event was chosen later, comes again: it has not finished before', () => {
		const LATER_ONLY = { includeFinished: false };
		const watching = listing(['0xA'], rulesWith(['completed'], LATER_ONLY)).wait(MINUTE);
		const refunded = shown('refunded', { timing: { completedAt: watching.now / 1_000 } });
		expect(watching.check('0xA', refunded)).toEqual([]);
		watching.rules = rulesWith(['refunded'], LATER_ONLY);
		watching.wait(HOUR).list(['0xA']);
		expect(watching.check('0xA', refunded)).toEqual(['refunded 0xA']);
		watching.undoLast();
		expect(watching.check('0xA', refunded)).toEqual(['refunded 0xA']);
	});

	test.each(['delayed', 'expired'] as const)('%s comes again, once', (event) => {
		const watching = listing(['0xA'], rulesWith([event])).wait(25 * HOUR);
		expect(watching.check('0xA', NOT_FOUND)).toEqual([`${event} 0xA`]);
		watching.undoLast();
		expect(watching.check('0xA', NOT_FOUND)).toEqual([`${event} 0xA`]);
		expect(watching.check('0xA', NOT_FOUND)).toEqual([]);
	});

	test.each(['completed', 'delayed', 'expired'] as const)(
		'or may have started, is marked as a repetition when it comes again: %s',
		(event) => {
			const watching = listing(['0xA'], rulesWith([event])).wait(25 * HOUR);
			const result = event === 'completed' ? shown(event) : NOT_FOUND;
			expect(watching.check('0xA', result)).toEqual([`${event} 0xA`]);
			watching.apply({ kind: 'undone', emission: watching.lastEmission, mayHaveStarted: true });
			expect(watching.check('0xA', result)).toEqual([`${event} 0xA again`]);
			expect(watching.check('0xA', result)).toEqual([]);
		},
	);

	test('is Delayed, and Expired has come after it: neither comes again', () => {
		const watching = listing(['0xA'], ONCE).wait(5 * MINUTE);
		watching.check('0xA', NOT_FOUND);
		const delayed = watching.lastEmission;
		expect(watching.wait(25 * HOUR).check('0xA', NOT_FOUND)).toEqual(['expired 0xA']);
		watching.apply({ kind: 'undone', emission: delayed });
		expect(watching.check('0xA', NOT_FOUND)).toEqual([]);
	});

	test('of an order that has finished since does not bring that back', () => {
		const watching = listing(['0xA'], ONCE).wait(5 * MINUTE);
		watching.check('0xA', NOT_FOUND);
		const delayed = watching.lastEmission;
		watching.check('0xA', shown('failed'));
		watching.apply({ kind: 'undone', emission: delayed });
		expect(watching.open).toEqual([]);
	});

	test('of an order that was posted again since leaves the post', () => {
		const watching = posting(['0xA'], rulesWith(['watchEnded'])).wait(49 * HOUR);
		watching.check('0xA', NOT_FOUND);
		watching.wait(5 * MINUTE).check('0xA', NOT_FOUND);
		const ended = watching.lastEmission;
		watching.post({ hash: '0xA', reference: 'new' });
		watching.apply({ kind: 'undone', emission: ended });
		expect(watching.referenceOf('0xA')).toBe('new');
	});
});

describe('with At Least Once, an event just before n8n stopped', () => {
	test('comes once more, marked as a repetition, and no third time', () => {
		const watching = new Watching(TWICE).list([['0xA', 'Rent']]);
		watching.check('0xA', shown('completed'));
		watching
			.wait(MINUTE)
			.restart()
			.list([['0xA', 'Rent']]);
		expect(watching.check('0xA', shown('completed'))).toEqual(['completed 0xA again']);
		expect(watching.lastEmission).toMatchObject({ before: { listReference: 'Rent' } });
		watching.wait(SECOND).restart().list(['0xA']);
		expect(watching.open).toEqual([]);
	});

	test('comes once more if it was Delayed, too; its final status then comes unmarked', () => {
		const watching = listing(['0xA'], TWICE).wait(5 * MINUTE);
		watching.check('0xA', NOT_FOUND);
		watching.restart();
		expect(watching.check('0xA', NOT_FOUND)).toEqual(['delayed 0xA again']);
		watching.restart();
		expect(watching.check('0xA', NOT_FOUND)).toEqual([]);
		expect(watching.check('0xA', shown('completed'))).toEqual(['completed 0xA']);
	});

	test('is Delayed, and Expired is due by then: that comes, and is no repetition', () => {
		const watching = listing(['0xA'], TWICE).wait(5 * MINUTE);
		watching.check('0xA', NOT_FOUND);
		watching.restart().wait(25 * HOUR);
		expect(watching.check('0xA', NOT_FOUND)).toEqual(['expired 0xA']);
		expect(watching.check('0xA', NOT_FOUND)).toEqual([]);
	});

	test('of an order that an expression has left out since comes once more when the list names it again, and not before', () => {
		const watching = new Watching(TWICE).list(['0xA'], { isListByHand: false });
		expect(watching.wait(5 * MINUTE).check('0xA', NOT_FOUND)).toEqual(['delayed 0xA']);
		watching.list([], { isListByHand: false });
		expect(watching.restart().open).toEqual([]);
		watching.list(['0xA'], { isListByHand: false });
		expect(watching.check('0xA', NOT_FOUND)).toEqual(['delayed 0xA again']);
	});

	test('that ended the watch of an order which an expression has just left out comes once more', () => {
		const watching = posting(['0xA'], rulesWith(['watchEnded'], { redelivers: true }));
		watching.list(['0xA'], { isListByHand: false }).wait(50 * HOUR);
		watching.list([], { isListByHand: false }).check('0xA', NOT_FOUND);
		expect(watching.wait(5 * MINUTE).check('0xA', NOT_FOUND)).toEqual(['watchEnded 0xA']);
		expect(watching.restart().check('0xA', NOT_FOUND)).toEqual(['watchEnded 0xA again']);
	});

	test.each<[string, number, number, boolean]>([
		['half a minute before n8n saved last: certain', 30 * SECOND, MINUTE, false],
		['less than that: it may be lost', 29 * SECOND, MINUTE, true],
		['nine minutes before n8n is back', 0, 10 * MINUTE - SECOND, true],
		['ten minutes before n8n is back: of no use any more', 0, 10 * MINUTE + SECOND, false],
	])('%s', (_what, untilSave, untilBack, isAgain) => {
		const watching = listing(['0xA'], TWICE);
		watching.check('0xA', shown('completed'));
		watching.wait(untilSave).list(['0xA', '0xB']);
		watching.wait(untilBack - untilSave).restart();
		expect(watching.list(['0xA', '0xB']).open.includes('0xA')).toBe(isAgain);
	});

	test('of long ago is not repeated because the clock was set back', () => {
		const watching = listing(['0xA'], TWICE);
		watching.check('0xA', shown('completed'));
		watching.wait(-10 * MINUTE).list(['0xA', '0xB']);
		expect(watching.wait(SECOND).restart().list(['0xA', '0xB']).open).toEqual(['0xB']);
	});

	test('of an order that was posted again since leaves the post', () => {
		const watching = posting(['0xA'], rulesWith(['watchEnded'], { redelivers: true }));
		watching.wait(49 * HOUR).check('0xA', NOT_FOUND);
		watching.wait(5 * MINUTE).check('0xA', NOT_FOUND);
		watching.post({ hash: '0xA', reference: 'new' });
		expect(watching.restart().referenceOf('0xA')).toBe('new');
	});

	test('keeps its mark if a post replaces its order', () => {
		const watching = posting(['0xA'], TWICE);
		watching.check('0xA', shown('completed'));
		watching.restart().post({ hash: '0xB', replaces: '0xA' });
		expect(watching.check('0xA', shown('completed'))).toEqual(['completed 0xA again']);
	});

	test.each([
		[ONCE, ONCE],
		[TWICE, ONCE],
		[ONCE, TWICE],
	])('does not come again unless the option is set then and now', (then, now) => {
		const watching = listing(['0xA'], then);
		watching.check('0xA', shown('completed'));
		watching.rules = now;
		expect(watching.restart().list(['0xA']).open).toEqual([]);
	});
});

test('the copy with the highest revision is the newest one, the first of two that are as new', () => {
	const [one, same, newer] = [new Watching(), new Watching(), listing(['0xA'])].map(
		({ state }) => state,
	);
	expect(newestOf([null, one ?? null, newer ?? null, same ?? null])).toBe(newer);
	const copy = newer && { ...newer };
	expect(newestOf([newer ?? null, copy ?? null])).toBe(newer);
	expect(newestOf([null])).toEqual(newestOf([]));
});
