import {
	EMPTY_STATE,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';
import {
	answerDelete,
	answerGet,
	answerPost,
	LISTING_IS_OFF,
	noRoomAnswer,
	NOT_RUN_HERE,
	NOTHING_TO_SHOW,
	TEST_REMOVES_NOTHING,
} from '../../../nodes/CrossChainBridge/webhook/answers';
import {
	ALL,
	checked,
	listed,
	NOW,
	post,
	posting,
	shown,
	stateOf,
	withListOf,
} from '../state/states';

/** What a caller of the webhook reads. */

const FAILED_ONLY: WatchRules = { ...ALL, events: ['failed'] };
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
const [A, B, C] = [hashOf(0xa), hashOf(0xb), hashOf(0xc)];
const posts = (...hashes: string[]) => hashes.map((hash) => post(hash));
const many = (count: number) => Array.from({ length: count }, (_, index) => hashOf(1_000 + index));

/** A state that watches what the list names and what was posted. */
function watching(listed: string[], ...posted: string[]): WatchState {
	const list = listed.map((sourceHash) => ({ sourceHash, reference: 'listed' }));
	const orders = posted.map((hash) => post(hash, { of: hash }));
	return posting(withListOf(EMPTY_STATE, list), orders).state;
}

describe('a post', () => {
	test('of new orders is answered with 202, and there is something to keep', () => {
		const { answer, state } = answerPost(EMPTY_STATE, posts(A, B), ALL, NOW);
		const nothing = { alreadyWatched: [], alreadyFinished: [] };
		const none = { alreadyWatchedCount: 0, alreadyFinishedCount: 0 };
		const body = { accepted: 2, ...nothing, ...none, watching: 2, room: 998 };
		expect(answer).toEqual({ httpStatus: 202, body });
		expect([...state.orders.keys()]).toEqual([A, B]);
	});

	const failed = checked(watching([], A), shown('failed'), { key: A, now: NOW + 5_000 });
	const unwanted = checked(watching([A]), shown('completed'), { key: A, rules: FAILED_ONLY });
	const untimed = new Map(
		[...unwanted.orders].map(([key, order]) => [key, { ...order, finishedSeenAt: null }]),
	);
	const seen = { sourceHash: A, status: 'failed', finishedSeenAt: '2026-01-01T00:00:05.000Z' };
	const finished = { accepted: 0, alreadyFinished: [seen], alreadyFinishedCount: 1 };
	test.each<[string, WatchState, string[], object]>([
		['of an empty list', watching([], A), [], { accepted: 0, watching: 1 }],
		['of a finished order says how and when it finished, and', failed, [A], finished],
	])('%s changes nothing', (_what, before, hashes, body) => {
		const { answer, state } = answerPost(before, posts(...hashes), FAILED_ONLY, NOW + 60_000);
		expect(answer).toMatchObject({ httpStatus: 202, body });
		expect(state).toBe(before);
	});

	test('of one that finished at no known time says so', () => {
		const before = { ...unwanted, orders: untimed };
		const { answer } = answerPost(before, posts(A), FAILED_ONLY, NOW);
		expect(answer).toMatchObject({
			httpStatus: 202,
			body: { alreadyFinished: [{ finishedSeenAt: null }] },
		});
	});

	test('beyond the limit is refused with the time after which to try again, and nothing of it is kept', () => {
		const full = watching([], ...many(1000));
		const message =
			'This trigger is at its order limit; no orders were added. Orders that were accepted before stay watched.';
		const answer = { httpStatus: 429, body: { message, watching: 1000, room: 0 } };
		const expected = { answer: { ...answer, retryAfterSeconds: 60 }, state: full };
		expect(answerPost(full, posts(A), ALL, NOW)).toEqual(expected);
	});
});

describe('a removal', () => {
	test('says what it has removed, what the list keeps, and what is not watched', () => {
		const { answer, state } = answerDelete(watching([A], B), posts(A, B, C), ALL, NOW);
		const others = { listed: [A], listedCount: 1, notWatched: [C], notWatchedCount: 1 };
		const body = { removed: 1, ...others, watching: 1, room: 999 };
		expect(answer).toEqual({ httpStatus: 200, body });
		expect([...state.orders.keys()]).toEqual([A]);
	});
});

test('the open orders are listed with what is known of each, finished ones are not', () => {
	const before = watching([A], B, C);
	const finished = checked(before, shown('completed'), { key: C });
	const seen = checked(finished, shown('executing'), { key: B });
	const since = '2026-01-01T00:00:00.000Z';
	const orders = [
		{ sourceHash: A, status: null, since, reference: 'listed', listed: true },
		{ sourceHash: B, status: 'executing', since, reference: { of: B }, listed: false },
	];
	const answer = { httpStatus: 200, body: { watching: 2, room: 998, orders } };
	expect(answerGet(seen, ALL)).toEqual({ answer, state: seen });
	const unwanted = checked(before, shown('completed'), { key: A, rules: FAILED_ONLY });
	expect(answerGet(unwanted, FAILED_ONLY).answer.body).toMatchObject({
		orders: [{ sourceHash: B }, { sourceHash: C }],
	});
});

const ONLY_POSTS = /^This address accepts orders only\. .*Allow Listing and Removing by Webhook/;
const NOT_HERE = /no order was accepted\. Send it again in a few seconds/;

test.each([
	['that may only post', LISTING_IS_OFF, 403, ONLY_POSTS, undefined],
	['of a process that does not run the trigger', NOT_RUN_HERE, 503, NOT_HERE, 5],
	['of the test URL', TEST_REMOVES_NOTHING, 405, /Use the production URL to remove/, undefined],
	['of the test URL with an empty list', NOTHING_TO_SHOW, 400, /nothing to show/, undefined],
	['of a trigger at its limit', noRoomAnswer(EMPTY_STATE, ALL), 429, /at its order limit/, 60],
])('a caller %s gets its sentence', (_who, answer, httpStatus, message, retryAfterSeconds) => {
	expect(answer.retryAfterSeconds).toBe(retryAfterSeconds);
	expect(answer).toMatchObject({ httpStatus, body: { message: expect.stringMatching(message) } });
});

test('what is watched already can be posted again where a longer list has left less than no room', () => {
	const overfull = many(1_003).map((sourceHash) => listed({ sourceHash }));
	const [sourceHash = ''] = many(1);
	expect(
		answerPost(stateOf(...overfull), [post(sourceHash, 'new')], ALL, NOW).answer,
	).toMatchObject({ httpStatus: 202, body: { accepted: 0, alreadyWatchedCount: 1, room: 0 } });
});
