import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { emissionItem } from '../../../nodes/CrossChainBridge/trigger/item';
import {
	EVERY,
	HOUR,
	listing,
	MINUTE,
	NOT_FOUND,
	OWN_FAULT,
	posting,
	REJECTED,
	rulesWith,
	shown,
	type Watching,
} from '../watch/watching';

/** The item with which an event of the watch starts the workflow. */

const TOLD = rulesWith(EVERY);
const HASH = `0x${'ab'.repeat(32)}`;
const itemOf = ({ lastEmission, now }: Watching, simplify = true) =>
	emissionItem(lastEmission, { simplify, display: PLAIN_DISPLAY }, now);

test('a finished order has what was posted with it, and what arrived is compared with what was expected', () => {
	const expected = { recipient: '0x1', minimumReceived: null };
	const watching = posting([
		{ hash: HASH, reference: 'Rent', expected, link: 'https://a.example/tx' },
	]);
	watching.check(HASH, shown('completed', { output: { address: '0x2', amount: '5' } }));
	expect(itemOf(watching)).toMatchObject({
		event: 'completed',
		status: 'completed',
		reference: 'Rent',
		sourceHash: HASH,
		link: 'https://a.example/tx',
		asExpected: false,
		summary: expect.stringMatching(/^⚠️ .*Rent/),
	});
});

test('what was expected of the order that this one replaces is compared as well', () => {
	const expected = { recipient: '0x1', minimumReceived: null };
	const watching = posting([
		{ hash: `0x${'cd'.repeat(32)}`, reference: 'Rent', expected },
		{ hash: HASH, replaces: `0x${'cd'.repeat(32)}` },
	]);
	watching.check(HASH, shown('completed', { output: { address: '0x2', amount: '5' } }));
	expect(itemOf(watching)).toMatchObject({
		reference: 'Rent',
		asExpected: false,
		sourceHash: HASH,
	});
});

test('an order that the bridge has shown before is not said to be not found from the beginning', () => {
	const watching = listing([HASH], TOLD);
	watching.check(HASH, shown('pending'));
	watching.wait(HOUR).check(HASH, NOT_FOUND);
	const { summary, event } = itemOf(watching);
	expect(event).toBe('delayed');
	expect(summary).not.toMatch(/has not found/);
});

test.each([
	['that fails by its own fault', OWN_FAULT, /could not be checked. HTTP 500\./],
	['that is not accepted', REJECTED, /could not be checked. The bridge does not accept it\./],
	['that is not found', NOT_FOUND, /has not found/],
])('a delayed order %s says so', (_what, result, sentence) => {
	const watching = listing([HASH], TOLD).wait(5 * MINUTE);
	watching.check(HASH, result);
	expect(itemOf(watching)).toMatchObject({
		event: 'delayed',
		summary: expect.stringMatching(sentence),
	});
});

test('a repetition is marked, and its eventId is the same', () => {
	const watching = listing([HASH], rulesWith(EVERY, { redelivers: true }));
	watching.check(HASH, shown('completed'));
	const first = itemOf(watching, false);
	watching.restart().check(HASH, shown('completed'));
	const second = itemOf(watching, false);
	expect([first.redelivered, second.redelivered]).toEqual([undefined, true]);
	expect(second.eventId).toBe(first.eventId);
});

test('an interruption and the event that it is over have the fields of every item, and say how many orders it is about', () => {
	const watching = listing([HASH, '0xB'], TOLD);
	watching.poll({ kind: 'problem', why: 'The API key is wrong', isTransient: false });
	const interrupted = itemOf(watching);
	watching.check('0xB', shown('completed'));
	watching.poll({ kind: 'checked' });
	const names =
		'event summary status reference sent received recipient finishedAt link sourceHash'.split(' ');
	expect(Object.keys(interrupted)).toEqual(names);
	expect(interrupted).toMatchObject({
		event: 'interrupted',
		summary: '⚠️ The API key is wrong. Until this is resolved, 2 orders are not checked.',
		sourceHash: null,
	});
	expect(itemOf(watching)).toMatchObject({
		event: 'resumed',
		summary: '✅ The problem is resolved. 1 order is watched. 1 has finished in the meantime.',
	});
	expect(itemOf(watching, false)).toEqual({
		...itemOf(watching),
		detectedAt: new Date(watching.now).toISOString(),
	});
});

test('the event that an interruption is over counts the orders that have finished meanwhile', () => {
	const watching = listing([HASH, '0xB', '0xC'], TOLD);
	watching.poll({ kind: 'problem', why: 'This is wrong.', isTransient: false });
	for (const hash of ['0xB', '0xC']) watching.check(hash, shown('completed'));
	watching.poll({ kind: 'checked' });
	expect(itemOf(watching).summary).toMatch(/2 have finished in the meantime\.$/);
});

test.each<[string, string[], boolean, string]>([
	['one order', [HASH], false, '1 order is not checked'],
	['no order', [], false, 'no orders are checked'],
	['a field', [HASH], true, 'the trigger goes on with what it can read'],
])('an interruption of %s says what that means', (_what, hashes, isOfFields, consequence) => {
	const watching = listing(hashes, TOLD);
	const otherwise = isOfFields ? 'checked' : undefined;
	watching.poll({ kind: 'problem', why: 'This is wrong.', isTransient: false, otherwise });
	expect(itemOf(watching).summary).toBe(
		`⚠️ This is wrong. Until this is resolved, ${consequence}.`,
	);
});

test.each<[string, string[], string]>([
	[
		'no order',
		[],
		'Watching is no longer interrupted. No orders are open. None have finished in the meantime.',
	],
	[
		'two orders',
		[HASH, '0xB'],
		'The problem is resolved. 2 orders are watched. None have finished in the meantime.',
	],
])('the event that an interruption of %s is over says so', (_what, hashes, now) => {
	const watching = listing(hashes, TOLD);
	watching.poll({ kind: 'problem', why: 'This is wrong.', isTransient: false });
	watching.poll({ kind: 'checked' });
	expect(itemOf(watching).summary).toBe(`✅ ${now}`);
});

test('what an interruption quotes of the list is plain text in any app', () => {
	const watching = listing([HASH], TOLD);
	const why = "'<b>@everyone</b> *see* http://evil.example/claim' is not a transaction hash";
	watching.poll({ kind: 'problem', why, isTransient: false });
	expect(itemOf(watching).summary).toBe(
		'⚠️ b everyone b see http evil example claim is not a transaction hash. Until this is resolved, 1 order is not checked.',
	);
});
