import {
	type FirstSight,
	type PostAges,
	PostedSurvival,
	postedSurvival,
	withPost,
} from '../../../nodes/CrossChainBridge/schedule/postAges';
import {
	PRICES,
	SurvivalTable,
	survivalTable,
} from '../../../nodes/CrossChainBridge/schedule/survivalTable';

const AGES_S = [0, 2, 4, 7, 12, 30, 120];
const BEFORE = [0.2, 0.001, 0.0005, 0.0005, 0.0005, 0.001, 0.0015];
const table = survivalTable(0);

const sum = (values: readonly number[]): number =>
	values.reduce((total, value) => total + value, 0);
const only = (index: number, value = 1): number[] =>
	AGES_S.map((_, place) => (place === index ? value : 0));
function expectClose(actual: readonly number[], expected: readonly number[]): void {
	expect(actual).toHaveLength(expected.length);
	expected.forEach((value, index) => expect(actual[index]).toBeCloseTo(value, 12));
}

describe('one more post judged', () => {
	test.each([
		[-5, 0],
		[0, 0],
		[0.9, 0],
		[1, 0],
		[1.1, 1],
		[3, 1],
		[3.1, 2],
		[9, 3],
		[21, 4],
		[30, 5],
		[75, 5],
		[80, 6],
		[5_000, 6],
	])('of an order that was %p s old counts for age %p', (age, index) => {
		expect(withPost([], { kind: 'stated', age }, table)).toEqual(only(index));
	});

	test('of an order that is not found counts for the beginning', () => {
		expect(withPost([], { kind: 'notFound' }, table)).toEqual(only(0));
	});

	test('lets earlier ones fade', () => {
		expectClose(withPost(only(3, 2), { kind: 'notFound' }, table), [1, 0, 0, 2 * 0.98, 0, 0, 0]);
		expectClose(withPost(only(0, 2), { kind: 'stated', age: 0 }, table), only(0, 1 + 2 * 0.98));
	});

	test.each<[FirstSight & { sincePost: number }, PostAges]>([
		[{ kind: 'open', sincePost: 3 }, []],
		[{ kind: 'finished', sincePost: 3 }, []],
		[{ kind: 'open', sincePost: 8 }, [3, 1, 0, 2, 0, 0, 5]],
		[{ kind: 'finished', sincePost: 0.5 }, [3, 1, 0, 2, 0, 0, 5]],
	])('with %p and %p before counts for each age as far as that explains it', (sight, posts) => {
		const likely = AGES_S.map((age, index) => {
			const open = table.stillOpen(0, age + sight.sincePost);
			return (
				((posts[index] ?? 0) + (BEFORE[index] ?? 0)) * (sight.kind === 'open' ? open : 1 - open)
			);
		});
		expectClose(
			withPost(posts, sight, table),
			AGES_S.map((_, index) => 0.98 * (posts[index] ?? 0) + (likely[index] ?? 0) / sum(likely)),
		);
	});

	test('teaches nothing where it is impossible by the model', () => {
		const posts = only(2);
		expect(withPost(posts, { kind: 'open', sincePost: 50 }, new SurvivalTable(0))).toBe(posts);
	});
});

describe('the survival of posted orders', () => {
	const chancesOf = (posts: PostAges): number[] => {
		const weights = AGES_S.map((_, index) => (posts[index] ?? 0) + (BEFORE[index] ?? 0));
		return posts.length === 0 ? only(0) : weights.map((weight) => weight / sum(weights));
	};
	const survivalOf = (posts: PostAges, sincePost: number): number =>
		sum(
			chancesOf(posts).map(
				(chance, index) => chance * table.stillOpen(0, (AGES_S[index] ?? 0) + sincePost),
			),
		);

	const POSTS: Array<[string, PostAges]> = [
		['none was judged', []],
		['all came at once', only(0, 10)],
		['some came late', [5, 1, 1, 1, 1, 0, 1]],
		['most came late', [1, 0, 2, 4, 3, 0, 1]],
		['all came long after', only(6, 10)],
	];

	test.each(POSTS)('is that of orders as old as they usually are: %s', (_what, posts) => {
		const posted = new PostedSurvival(posts, table);
		for (const sincePost of [0, 1, 4.5, 9, 40])
			expect(posted.survival(sincePost)).toBeCloseTo(survivalOf(posts, sincePost), 12);
	});

	/** When the delay that a first check would find, of orders that had finished before the post as of the others, is worth the price. */
	const dueBySteps = (posts: PostAges, price: number): number => {
		const step = 0.05;
		let delay = 0;
		let due = 0;
		for (; delay < price && survivalOf(posts, due) > 0.05; due += step)
			delay += step * (1 - survivalOf(posts, due + step / 2));
		return due;
	};

	test.each(
		POSTS.flatMap(([what, posts]) =>
			[0, 9, 15, 23, 29].map((price) => [what, price, posts] as const),
		),
	)('first check where %s, at price %p', (_what, priceIndex, posts) => {
		const price = PRICES[priceIndex] ?? 0;
		const posted = new PostedSurvival(posts, table);
		const due = dueBySteps(posts, price);
		const open = survivalOf(posts, 0);
		const isAtOnce = (1 - open) * due >= open * price;
		const first = posted.firstCheck(priceIndex);
		if (isAtOnce) expect(first).toBe(0);
		else expect(Math.abs(first - due)).toBeLessThan(0.06);
		expect(posted.firstCheck(priceIndex)).toBe(first);
	});

	test('is made once for what has been learnt, and again where that or the model changes', () => {
		const posts = only(1);
		const made = postedSurvival(posts, table);
		expect(postedSurvival(posts, table)).toBe(made);
		expect(postedSurvival(only(1), table)).not.toBe(made);
		const other = postedSurvival(posts, survivalTable(1));
		expect([other === made, other.table]).toEqual([false, survivalTable(1)]);
		expect(postedSurvival(posts, survivalTable(1))).toBe(other);
	});
});
