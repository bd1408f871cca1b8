import { withListOf } from '../state/listing';
import { withPosted } from '../../../nodes/CrossChainBridge/state/postedOrders';
import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import {
	EMPTY_STATE,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';
import {
	answerDelete,
	answerGet,
	answerPost,
	badCallAnswer,
	LISTING_IS_OFF,
	noRoomAnswer,
	NOT_RUN_HERE,
	NOTHING_TO_SHOW,
	TEST_REMOVES_NOTHING,
} from '../../../nodes/CrossChainBridge/webhook/answers';
import type { CallRead } from '../../../nodes/CrossChainBridge/webhook/request';

/** What a caller of the webhook reads. */

const NOW = Date.parse('2026-01-01T00:00:00Z');
const RULES: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
const [A, B, C] = [hashOf(0xa), hashOf(0xb), hashOf(0xc)];
const posting = (...hashes: string[]): CallRead => ({
	ok: true,
	orders: hashes.map((sourceHash) => ({ sourceHash, reference: undefined, startedAt: null })),
});
const BAD: CallRead = { ok: false, httpStatus: 413, message: 'Too large.', position: null };

/** A state that watches what the list names and what was posted. */
function watching({
	listed = [],
	posted = [],
}: {
	listed?: string[];
	posted?: string[];
}): WatchState {
	const orders = posted.map((sourceHash) => ({
		sourceHash,
		reference: { of: sourceHash },
		startedAt: null,
	}));
	return (
		withPosted(
			withListOf(
				EMPTY_STATE,
				listed.map((sourceHash) => ({ sourceHash, reference: 'listed' })),
				NOW,
			),
			orders,
			RULES,
			NOW,
		)?.state ?? EMPTY_STATE
	);
}

const many = (count: number) => Array.from({ length: count }, (_, index) => hashOf(1_000 + index));

describe('a post', () => {
	test('of new orders is answered with 202, and there is something to keep', () => {
		const { answer, state } = answerPost(EMPTY_STATE, posting(A, B), RULES, NOW);
		expect(answer).toEqual({
			httpStatus: 202,
			body: {
				accepted: 2,
				alreadyWatched: [],
				alreadyWatchedCount: 0,
				alreadyFinished: [],
				alreadyFinishedCount: 0,
				watching: 2,
				room: 998,
			},
		});
		expect([...(state?.orders.keys() ?? [])]).toEqual([A, B]);
	});

	test('of an empty list changes nothing', () => {
		const { answer, state } = answerPost(watching({ posted: [A] }), posting(), RULES, NOW);
		expect([answer.httpStatus, answer.body, state]).toEqual([
			202,
			expect.objectContaining({ accepted: 0, watching: 1 }),
			null,
		]);
	});

	test('of a finished order says how and when it finished, and changes nothing', () => {
		const { state: finished } = applyCheck(
			watching({ posted: [A] }),
			A,
			{ kind: 'order', order: { status: 'failed' } },
			RULES,
			NOW + 5_000,
		);
		const { answer, state } = answerPost(finished, posting(A), RULES, NOW + 60_000);
		expect(answer.body).toEqual(
			expect.objectContaining({
				accepted: 0,
				alreadyFinished: [
					{ sourceHash: A, status: 'failed', finishedSeenAt: '2026-01-01T00:00:05.000Z' },
				],
				alreadyFinishedCount: 1,
			}),
		);
		expect(state).toBeNull();
	});

	test('of an order whose finish was seen at no known time', () => {
		const state = watching({ listed: [A] });
		const order = state.orders.get(A);
		if (order === undefined) throw new Error('It is not watched');
		const finished: WatchState = {
			...state,
			orders: new Map([[A, { ...order, status: 'completed', finishedSeenAt: null }]]),
		};
		expect(
			answerPost(finished, posting(A), { ...RULES, events: ['failed'] }, NOW).answer.body,
		).toMatchObject({ alreadyFinished: [{ finishedSeenAt: null }] });
	});

	test('beyond the limit is refused with the time after which to try again, and nothing of it is kept', () => {
		const full = watching({ posted: many(1000) });
		expect(answerPost(full, posting(A), RULES, NOW)).toEqual({
			answer: {
				httpStatus: 429,
				body: {
					message:
						'This trigger is at its order limit; no orders were added. Orders that were accepted before stay watched.',
					watching: 1000,
					room: 0,
				},
				retryAfterSeconds: 60,
			},
			state: null,
		});
	});
});

describe('a removal', () => {
	test('says what it has removed, what the list keeps, and what is not watched', () => {
		const { answer, state } = answerDelete(
			watching({ listed: [A], posted: [B] }),
			posting(A, B, C),
			RULES,
			NOW,
		);
		expect(answer).toEqual({
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
		expect([...(state?.orders.keys() ?? [])]).toEqual([A]);
	});

	test('of nothing that is posted changes nothing', () => {
		expect(answerDelete(watching({ listed: [A] }), posting(A), RULES, NOW).state).toBeNull();
	});
});

test('a bad call changes nothing, whatever it wanted', () => {
	for (const answer of [answerPost, answerDelete]) {
		expect(answer(watching({ posted: [A] }), BAD, RULES, NOW)).toEqual({
			answer: { httpStatus: 413, body: { message: 'Too large.' } },
			state: null,
		});
	}
	expect(
		badCallAnswer({ ok: false, httpStatus: 400, message: 'Order 2 is none.', position: 2 }),
	).toEqual({ httpStatus: 400, body: { message: 'Order 2 is none.', position: 2 } });
});

test('the open orders are listed with what is known of each, finished ones are not', () => {
	const before = watching({ listed: [A], posted: [B, C] });
	const { state } = applyCheck(
		before,
		C,
		{ kind: 'order', order: { status: 'completed' } },
		RULES,
		NOW,
	);
	const { state: seen } = applyCheck(
		state,
		B,
		{ kind: 'order', order: { status: 'executing' } },
		RULES,
		NOW,
	);
	expect(answerGet(seen, RULES)).toEqual({
		httpStatus: 200,
		body: {
			watching: 2,
			room: 998,
			orders: [
				{
					sourceHash: A,
					status: null,
					since: '2026-01-01T00:00:00.000Z',
					reference: 'listed',
					listed: true,
				},
				{
					sourceHash: B,
					status: 'executing',
					since: '2026-01-01T00:00:00.000Z',
					reference: { of: B },
					listed: false,
				},
			],
		},
	});
	const unwanted = applyCheck(
		before,
		A,
		{ kind: 'order', order: { status: 'completed' } },
		{ ...RULES, events: ['failed'] },
		NOW,
	).state;
	expect(
		(answerGet(unwanted, { ...RULES, events: ['failed'] }).body as { orders: unknown[] }).orders,
	).toHaveLength(2);
});

test('a list in an answer has its first 100 entries, and their number', () => {
	const { body } = answerPost(
		watching({ posted: many(101) }),
		posting(...many(101)),
		RULES,
		NOW,
	).answer;
	expect(body).toMatchObject({ alreadyWatchedCount: 101, alreadyWatched: expect.any(Array) });
	expect((body as { alreadyWatched: object[] }).alreadyWatched.map((entry) => entry)).toEqual(
		many(101)
			.slice(0, 100)
			.map((sourceHash) => ({ sourceHash, reference: 'kept' })),
	);
});

test.each([
	[
		'that may only post',
		LISTING_IS_OFF,
		403,
		/^This address accepts orders only\. .*Allow Listing and Removing by Webhook/,
		undefined,
	],
	[
		'of a process that does not run the trigger',
		NOT_RUN_HERE,
		503,
		/no order was accepted\. Send it again in a few seconds/,
		5,
	],
	[
		'of the test URL',
		TEST_REMOVES_NOTHING,
		405,
		/Use the production URL to remove orders/,
		undefined,
	],
	['of the test URL with an empty list', NOTHING_TO_SHOW, 400, /nothing to show/, undefined],
	['of a trigger at its limit', noRoomAnswer(EMPTY_STATE, RULES), 429, /at its order limit/, 60],
])(
	'a caller %s gets its sentence',
	(_who, { httpStatus, body, retryAfterSeconds }, status, message, seconds) => {
		expect([httpStatus, retryAfterSeconds]).toEqual([status, seconds]);
		expect((body as { message: string }).message).toMatch(message);
	},
);
