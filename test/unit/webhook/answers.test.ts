import {
	answerTo,
	answerToGet,
	NOT_RUN_HERE,
	NOTHING_TO_SHOW,
	shownInEditor,
	TEST_REMOVES_NOTHING,
} from '../../../nodes/CrossChainBridge/webhook/answers';
import { orderKey } from '../../../nodes/CrossChainBridge/orders/hashForms';
import {
	listing,
	NOW,
	type Post,
	postedOrder,
	rulesWith,
	shown,
	Watching,
} from '../watch/watching';

/** What a caller of the webhook reads. */

const hashOf = (number: number) => `0x1${number.toString(16).padStart(63, '0')}`;
const [A, B, C] = [hashOf(0xa), hashOf(0xb), hashOf(0xc)];
const many = (count: number) => Array.from({ length: count }, (_, index) => hashOf(1_000 + index));

const answerToPost = (watching: Watching, ...posts: Post[]) => {
	const effects = watching.apply({ kind: 'posted', orders: posts.map(postedOrder) });
	return answerTo('POST', effects, watching.state, []);
};
const answerToDelete = (watching: Watching, ...hashes: string[]) => {
	const orders = hashes.map((sourceHash) => ({ key: orderKey(sourceHash), sourceHash }));
	return answerTo('DELETE', watching.apply({ kind: 'removed', orders }), watching.state, []);
};
/** A trigger that watches A of its list and B of a post. */
const watchingBoth = () => {
	const watching = new Watching().list([[A, 'listed']]);
	watching.post({ hash: B, reference: { of: B } });
	return watching;
};

test('a post of new, watched and finished orders says what became of each', () => {
	const watching = watchingBoth();
	watching.post(C);
	watching.wait(5_999).check(C, shown('failed'));
	const finished = { sourceHash: C, status: 'failed', finishedSeenAt: '2026-01-01T00:00:05.000Z' };
	expect(answerToPost(watching, hashOf(1), { hash: A, reference: 'r' }, B, C)).toEqual({
		httpStatus: 202,
		body: {
			accepted: 1,
			alreadyWatched: [
				{ sourceHash: A, reference: 'replaced' },
				{ sourceHash: B, reference: 'kept' },
			],
			alreadyWatchedCount: 2,
			alreadyFinished: [finished],
			alreadyFinishedCount: 1,
			watching: 3,
			room: 997,
		},
	});
});

test('a post without orders is accepted, and changes nothing', () => {
	const watching = watchingBoth();
	const { state } = watching;
	expect(answerToPost(watching)).toMatchObject({
		httpStatus: 202,
		body: { accepted: 0, watching: 2 },
	});
	expect(watching.state).toBe(state);
});

test.each(['POST', 'DELETE'])('the answer to %s says what else the call has', (method) => {
	const { state } = watchingBoth();
	const { body } = answerTo(method, [], state, ['Skipped: 2.', 'Ignored: note.']);
	expect(body).toMatchObject({ message: 'Skipped: 2. Ignored: note.' });
	expect(answerTo(method, [], state, []).body).not.toHaveProperty('message');
});

test('of a long list a hundred orders are named, and all are counted', () => {
	const watching = listing(many(300));
	const { body } = answerToPost(watching, ...many(300));
	expect(body).toMatchObject({ accepted: 0, alreadyWatchedCount: 300 });
	expect(Reflect.get(body, 'alreadyWatched')).toHaveLength(100);
});

test('a post beyond the limit is refused with the time after which to try again, and nothing of it is kept', () => {
	const watching = listing(many(1_000));
	const { state } = watching;
	expect(answerToPost(watching, A)).toEqual({
		httpStatus: 429,
		body: { message: expect.stringContaining('nothing was changed'), watching: 1_000, room: 0 },
		retryAfterSeconds: 60,
	});
	expect(watching.state).toBe(state);
});

test('a removal says what it has removed, what the list keeps, and what is not watched', () => {
	expect(answerToDelete(watchingBoth(), A, B, C)).toEqual({
		httpStatus: 200,
		body: {
			removed: 1,
			listed: [A],
			listedCount: 1,
			notWatched: [C],
			notWatchedCount: 1,
			watching: 1,
			room: 999,
		},
	});
});

test('the open orders are listed with what is known of each, and since when none could be checked; finished ones and those that have left the list are not', () => {
	const watching = watchingBoth();
	watching.post(C);
	watching.check(C, shown('completed'));
	watching.check(B, shown('executing'));
	watching
		.list([[A, 'listed'], hashOf(1)], { isListByHand: false })
		.list([[A, 'listed']], { isListByHand: false });
	const since = new Date(NOW).toISOString();
	const orders = [
		{ sourceHash: A, status: null, since, reference: 'listed', listed: true },
		{ sourceHash: B, status: 'executing', since, reference: { of: B }, listed: false },
	];
	expect(answerToGet(watching.state)).toEqual({
		httpStatus: 200,
		body: { watching: 2, room: 998, uncheckedSince: null, orders },
	});
	expect(answerToGet({ ...watching.state, uncheckedSince: NOW }).body).toMatchObject({
		uncheckedSince: since,
	});
	const unwanted = listing([A], rulesWith(['failed']));
	unwanted.check(A, shown('completed'));
	expect(answerToGet(unwanted.state).body).toMatchObject({ watching: 0, orders: [] });
});

test.each([
	[
		'of a process that does not run the trigger',
		NOT_RUN_HERE,
		503,
		/the call was not accepted\. Send it again in a few seconds/,
		5,
	],
	[
		'of the test URL',
		TEST_REMOVES_NOTHING,
		405,
		/To remove orders, use the Production URL/,
		undefined,
	],
	['of the test URL with an empty list', NOTHING_TO_SHOW, 400, /nothing to show/, undefined],
])('a caller %s gets its sentence', (_who, answer, httpStatus, message, retryAfterSeconds) => {
	expect(answer.retryAfterSeconds).toBe(retryAfterSeconds);
	expect(answer).toMatchObject({ httpStatus, body: { message: expect.stringMatching(message) } });
});

test.each([
	['POST', 202],
	['GET', 200],
])(
	'to %s of the test URL the answer is %d, and says where the orders are and what was left out',
	(method, httpStatus) => {
		expect(shownInEditor(method, ['Skipped: 2.', 'Ignored: note.'])).toEqual({
			httpStatus,
			body: { message: 'The orders are shown in the editor. Skipped: 2. Ignored: note.' },
		});
	},
);
