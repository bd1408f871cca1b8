import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { emissionItem } from '../../../nodes/CrossChainBridge/trigger/item';
import {
	DAY,
	EVERY,
	FINAL,
	HOUR,
	listing,
	MINUTE,
	NOT_FOUND,
	NOW,
	rulesWith,
	SECOND,
	shown,
	Watching,
} from './watching';

/** The node's list: what is new in it, what has left it, and who has left it out. */

const EXPRESSION = { isListByHand: false };
const TYPED = { isListByHand: true };

test('an order that is new in the list is watched, with its name', () => {
	const watching = new Watching().list(['0xA', ['0xB', { id: 7 }]]);
	expect(watching.open).toEqual(['0xA', '0xB']);
	expect([watching.referenceOf('0xA'), watching.referenceOf('0xB')]).toEqual([null, { id: 7 }]);
	expect(watching.order('0xA')).toMatchObject({ since: NOW, listed: true, posted: null });
});

test('orders stand as the list names them, posted ones after them; the same list is no new revision', () => {
	const watching = listing(['0xA', '0xB']);
	watching.post('0xP');
	const { revision } = watching.state;
	watching.wait(MINUTE).list([['0xB', 'new name'], '0xa']);
	expect(watching.open).toEqual(['0xB', '0xa', '0xP']);
	expect(watching.referenceOf('0xB')).toBe('new name');
	expect(watching.state.revision).toBe(revision);
	expect(watching.list(['0xA', '0xC']).state.revision).toBeGreaterThan(revision);
});

test('the same list with an order that has finished is no new revision, because n8n would write all of the state with each poll', () => {
	const watching = listing(['0xA', '0xB']);
	watching.check('0xA', shown('completed'));
	const { revision } = watching.state;
	expect(watching.wait(MINUTE).list(['0xA', '0xB']).state.revision).toBe(revision);
});

test('a list that has only lost an order is a new revision, so that it is stored', () => {
	const watching = listing(['0xA', '0xB']);
	const { revision } = watching.state;
	watching.list(['0xA'], TYPED);
	expect([watching.open, watching.state.revision > revision]).toEqual([['0xA'], true]);
});

test('a posted order that is listed as well keeps what is known of it, and stays when it leaves the list', () => {
	const watching = new Watching();
	watching.post({ hash: '0xA', reference: 'posted' });
	watching.check('0xA', shown('pending'));
	watching.wait(MINUTE).list([['0xA', 'listed']]);
	expect(watching.order('0xA')).toMatchObject({ status: 'pending', since: NOW, listed: true });
	expect(watching.referenceOf('0xA')).toBe('posted');
	watching.list([]);
	expect(watching.order('0xA')).toMatchObject({ status: 'pending', listed: false });
	expect(watching.open).toEqual(['0xA']);
});

test('an order that has started the workflow does so no more, however long the list names it, and over a restart', () => {
	const watching = listing(['0xA', '0xB']);
	expect(watching.check('0xA', shown('completed'))).toEqual(['completed 0xA']);
	for (let days = 0; days < 400; days += 100)
		expect(
			watching
				.wait(100 * DAY)
				.restart()
				.list(['0xA', '0xB']).open,
		).toEqual(['0xB']);
});

describe.each([EXPRESSION, TYPED])('a list of which not all can be read (%j)', (list) => {
	const PART = { ...list, isWhole: false };

	test('forgets no order and no name, and adds what can be read', () => {
		const watching = new Watching().list([['0xA', 'Rent'], '0xB', '0xC'], list);
		watching.check('0xB', shown('completed'));
		watching.wait(MINUTE).list([['0xC', 'Food'], '0xD'], PART);
		expect(watching.open).toEqual(['0xA', '0xC', '0xD']);
		expect(['0xA', '0xC'].map((hash) => watching.referenceOf(hash))).toEqual(['Rent', 'Food']);
		watching.wait(2 * DAY).list([], PART);
		expect(watching.open).toEqual(['0xA', '0xC', '0xD']);
		expect(watching.list(['0xB', '0xA'], list).open).toEqual(['0xA']);
	});

	test('forgets no finished order that was posted, because what cannot be read may name it', () => {
		const watching = new Watching();
		watching.post('0xA');
		watching.check('0xA', shown('completed'));
		watching.wait(2 * DAY).list([], PART);
		expect(watching.list(['0xA'], list).open).toEqual([]);
		watching
			.list([], list)
			.wait(2 * DAY)
			.list([], list);
		expect(watching.list(['0xA'], list).open).toEqual(['0xA']);
	});

	test('names a finished order that was posted: it is remembered as one that was listed', () => {
		const watching = new Watching();
		watching.post('0xA');
		watching.check('0xA', shown('completed'));
		watching
			.wait(2 * DAY)
			.list(['0xA'], PART)
			.list([], EXPRESSION);
		expect(watching.wait(MINUTE).list(['0xA'], EXPRESSION).open).toEqual([]);
	});

	test('that is the same again is no new revision', () => {
		const watching = new Watching().list(['0xA', '0xB'], list);
		const { revision } = watching.state;
		expect(watching.wait(MINUTE).list(['0xB'], PART).state.revision).toBe(revision);
	});
});

describe('an order that an expression leaves out', () => {
	const finishedOne = () => {
		const watching = new Watching().list(['0xA', '0xB'], EXPRESSION);
		watching.check('0xA', shown('completed'));
		return watching;
	};

	test.each([0, MINUTE, DAY - 1])(
		'for %d ms is as it was when it comes again: a finished one starts nothing, an open one keeps what is known',
		(ms) => {
			const watching = finishedOne();
			watching.check('0xB', shown('pending'));
			watching.wait(MINUTE).list([], EXPRESSION);
			expect(watching.open).toEqual([]);
			watching.restart().wait(ms).list(['0xA', '0xB'], EXPRESSION);
			expect(watching.open).toEqual(['0xB']);
			expect(watching.order('0xB')).toMatchObject({ status: 'pending', since: NOW });
			expect(watching.events).toEqual(['completed 0xA']);
		},
	);

	test('is forgotten after a day', () => {
		const watching = finishedOne().list([], EXPRESSION).wait(DAY);
		watching.list([], EXPRESSION);
		expect([watching.state.orders.size, watching.state.finished.size]).toEqual([0, 0]);
		expect(watching.list(['0xA'], EXPRESSION).open).toEqual(['0xA']);
	});

	test('is not checked meanwhile, nor can it expire or finish', () => {
		const watching = finishedOne().list([], EXPRESSION);
		expect(watching.check('0xB', shown('completed'))).toEqual([]);
		expect(watching.list(['0xB'], EXPRESSION).open).toEqual(['0xB']);
	});

	test('is watched at once if it is posted meanwhile', () => {
		const watching = finishedOne().list([], EXPRESSION);
		expect(watching.post('0xB')).toEqual([{ as: 'accepted', sourceHash: '0xB' }]);
		expect(watching.open).toEqual(['0xB']);
	});
});

describe('an order that a person removes from the list and publishes', () => {
	test('is forgotten at once, be it open or finished, so that it counts as new when it is listed again', () => {
		const watching = listing(['0xA', '0xB']);
		watching.check('0xA', shown('completed'));
		watching.list([], TYPED);
		expect([watching.state.orders.size, watching.state.finished.size]).toEqual([0, 0]);
		watching.wait(HOUR).list(['0xA', '0xB'], TYPED);
		expect(watching.order('0xB')?.since).toBe(NOW + HOUR);
		expect(watching.check('0xA', shown('completed'))).toEqual(['completed 0xA']);
	});

	test('stays remembered for a day if it was posted as well', () => {
		const watching = listing(['0xA']);
		watching.post('0xA');
		watching.check('0xA', shown('completed'));
		watching.list([], TYPED);
		expect(watching.post('0xA')).toMatchObject([{ as: 'alreadyFinished', status: 'completed' }]);
		watching.wait(DAY + 1).list([], TYPED);
		expect(watching.post('0xA')).toMatchObject([{ as: 'accepted' }]);
	});
});

test('an order that has finished with an event that was not chosen starts the workflow when it is chosen', () => {
	const watching = listing(['0xA'], rulesWith(['completed']));
	expect(watching.check('0xA', shown('failed'))).toEqual([]);
	expect(watching.list(['0xA']).open).toEqual([]);
	watching.rules = rulesWith(['failed']);
	expect(watching.list(['0xA']).open).toEqual(['0xA']);
	expect(watching.check('0xA', shown('failed'))).toEqual(['failed 0xA']);
	expect(watching.list(['0xA']).open).toEqual([]);
});

test.each([TYPED, EXPRESSION])(
	'so does one that finished while it was watched, if those that had finished before are left out (%p)',
	(source) => {
		const watching = new Watching(rulesWith(['completed'], { includeFinished: false }));
		watching.list(['0xA'], source).wait(MINUTE);
		const refunded = shown('refunded', { timing: { completedAt: watching.now / 1_000 } });
		expect(watching.check('0xA', refunded)).toEqual([]);
		watching.wait(HOUR).list(['0xA'], source);
		watching.rules = rulesWith(['refunded'], { includeFinished: false });
		watching.list(['0xA'], source).wait(MINUTE).list(['0xA'], source);
		expect(watching.check('0xA', refunded)).toEqual(['refunded 0xA']);
		expect(watching.wait(MINUTE).list(['0xA'], source).open).toEqual([]);
	},
);

test('if it was posted again after it had finished, it stays known for a day when it leaves the list, so that it is not reported twice', () => {
	const watching = listing(['0xA'], rulesWith(['completed']));
	watching.check('0xA', shown('failed'));
	expect(watching.post('0xA')).toMatchObject([{ as: 'alreadyFinished' }]);
	watching.rules = rulesWith();
	expect(watching.list(['0xA']).check('0xA', shown('failed'))).toEqual(['failed 0xA']);
	expect(watching.wait(HOUR).list([]).list(['0xA']).open).toEqual([]);
	watching.list([]).wait(DAY).list([]);
	expect(watching.list(['0xA']).open).toEqual(['0xA']);
});

describe('an order that an expression has left out once is kept while the list cannot be read', () => {
	const PART = { isWhole: false, ...EXPRESSION };
	const leftOut = () => {
		const rules = rulesWith(['delayed', ...FINAL], { includeFinished: false });
		const watching = new Watching(rules).list(['0xA', '0xB'], EXPRESSION);
		watching.wait(6 * MINUTE);
		expect(watching.check('0xA', shown('pending'))).toEqual(['delayed 0xA']);
		watching.wait(MINUTE).list(['0xB'], EXPRESSION);
		for (let hour = 0; hour < 26; hour++) watching.wait(HOUR).list([], PART);
		return watching.wait(MINUTE).list(['0xA', '0xB'], EXPRESSION);
	};

	test('so that a final status which it reached meanwhile is reported', () => {
		const watching = leftOut();
		const timing = { completedAt: Math.floor((watching.now - HOUR) / 1000) };
		const completed = shown('completed', { timing });
		expect(watching.wait(SECOND).check('0xA', completed)).toEqual(['completed 0xA']);
	});

	test('and Delayed does not come a second time', () => {
		const watching = leftOut();
		expect(watching.wait(6 * MINUTE).check('0xA', shown('pending'))).toEqual([]);
	});
});

test('one row that can never be read: the state stays small, and what the list still names is not reported again', () => {
	const PART = { isWhole: false, ...EXPRESSION };
	const hashOf = (number: number) => `0x1${number.toString(16).padStart(63, '0')}`;
	const watching = new Watching(rulesWith()).list([hashOf(0)], EXPRESSION);
	watching.check(hashOf(0), shown('completed'));
	// 500 new rows a day; each leaves the list when its order has finished, except for the first one.
	for (let day = 0; day < 14; day++) {
		const hashes = Array.from({ length: 500 }, (_, row) => hashOf(1 + 500 * day + row));
		watching.wait(DAY).list([hashOf(0), ...hashes], PART);
		for (const hash of hashes) watching.check(hash, shown('completed'));
	}
	watching.wait(MINUTE).list([hashOf(0)], PART);
	expect(watching.state.finished.size).toBeLessThanOrEqual(5_001);
	watching.restart().list([hashOf(0)], PART);
	expect(watching.open).toEqual([]);
});

test('an order that was seen refunded is not said to have never been found', () => {
	const watching = listing(['0xA'], rulesWith(['completed']));
	watching.wait(MINUTE).check('0xA', shown('refunded'));
	watching.wait(150 * DAY);
	watching.rules = rulesWith(EVERY);
	watching.list(['0xA']).wait(5 * MINUTE);
	expect(watching.check('0xA', NOT_FOUND)).toEqual(['delayed 0xA']);
	const shownAs = { simplify: false, display: PLAIN_DISPLAY };
	const { summary } = emissionItem(watching.lastEmission, shownAs, watching.now);
	expect(summary).toContain('no longer finds');
	expect(summary).toContain('refunded');
});
