import type { SurvivalTable } from './survivalTable';
import { firstTime, PRICES } from './survivalTable';

/**
 * How old orders are when they are posted. The time of a post is the best guess of an order's beginning; but some posters
 * are late, and an order that has finished before it was posted must not wait as if it had just begun. How late posts
 * usually are is learnt from what their first check shows.
 */

/** The ages at the post (s) that are distinguished. */
const AGES_S: readonly number[] = [0, 2, 4, 7, 12, 30, 120];
/**
 * What is assumed before the first post was judged, as if so many posts had been seen: nearly always at the beginning. It
 * weighs little, since those who post late usually post late: the first post decides.
 */
const BEFORE: readonly number[] = [0.2, 0.001, 0.0005, 0.0005, 0.0005, 0.001, 0.0015];

/** With each post the memory of earlier ones fades: about the last fifty count. */
const MEMORY = 0.98;

/** Posts judged so far, by AGES_S, fading; empty before the first. */
export type PostAges = readonly number[];

/** What the first answered check of a posted order shows. */
export type FirstSight =
	/** The service states when the order was created, so long (s) before the post. */
	| { kind: 'stated'; age: number }
	/** Not found: it has hardly begun. */
	| { kind: 'notFound' }
	/** Only whether it was still open so long (s) after the post. */
	| { kind: 'open' | 'finished'; sincePost: number };

/** With one more post judged; where nothing is stated, each age counts as much as it explains what was seen. */
export function withPost(posts: PostAges, sight: FirstSight, table: SurvivalTable): PostAges {
	const likely = AGES_S.map((age, index) => {
		switch (sight.kind) {
			case 'stated':
				return index === nearest(sight.age) ? 1 : 0;
			case 'notFound':
				return index === 0 ? 1 : 0;
			case 'open':
			case 'finished': {
				const open = table.stillOpen(0, age + sight.sincePost);
				return weight(posts, index) * (sight.kind === 'open' ? open : 1 - open);
			}
		}
	});
	const sum = likely.reduce((total, each) => total + each, 0);
	if (sum === 0) return posts;
	return AGES_S.map((_, index) => (posts[index] ?? 0) * MEMORY + (likely[index] ?? 0) / sum);
}

function nearest(age: number): number {
	let best = 0;
	AGES_S.forEach((known, index) => {
		if (Math.abs(known - age) < Math.abs((AGES_S[best] ?? 0) - age)) best = index;
	});
	return best;
}

function weight(posts: PostAges, index: number): number {
	return (posts[index] ?? 0) + (BEFORE[index] ?? 0);
}

/** Kept for as long as nothing more is learnt: a plan is made up to a hundred times a second, a first check judged far less often. */
const kept = new WeakMap<PostAges, PostedSurvival>();

/** The posted orders' own survival; `posts` is never changed in place. */
export function postedSurvival(posts: PostAges, table: SurvivalTable): PostedSurvival {
	const known = kept.get(posts);
	if (known?.table === table) return known;
	const made = new PostedSurvival(posts, table);
	kept.set(posts, made);
	return made;
}

/** When posted orders that were not checked yet may have finished. Times in seconds after the post. */
export class PostedSurvival {
	private readonly chances: Array<{ age: number; chance: number }>;

	private readonly firstChecks: number[] = [];

	constructor(
		posts: PostAges,
		readonly table: SurvivalTable,
	) {
		if (posts.length === 0) {
			this.chances = [{ age: 0, chance: 1 }];
			return;
		}
		const sum = AGES_S.reduce((total, _, index) => total + weight(posts, index), 0);
		this.chances = AGES_S.map((age, index) => ({ age, chance: weight(posts, index) / sum }));
	}

	/** Share of posted orders that are still open so long after the post. */
	survival(sincePost: number): number {
		return this.chances.reduce(
			(sum, { age, chance }) => sum + chance * this.table.stillOpen(0, age + sincePost),
			0,
		);
	}

	/**
	 * When the first check is due at this price: at once, where what it saves those that have finished already is worth
	 * more than the request that it costs the others.
	 */
	firstCheck(priceIndex: number): number {
		const known = this.firstChecks[priceIndex];
		if (known !== undefined) return known;
		const price = PRICES[priceIndex] ?? 0;
		const due = firstTime(
			(sincePost) => this.delay(sincePost) >= price || this.survival(sincePost) <= 0.05,
		);
		const openAtPost = this.survival(0);
		const first = (1 - openAtPost) * due >= openAtPost * price ? 0 : due;
		this.firstChecks[priceIndex] = first;
		return first;
	}

	/** Expected delay since the post, that of orders finished before it included from the post on. */
	private delay(sincePost: number): number {
		return this.chances.reduce((sum, { age, chance }) => {
			const openAtPost = this.table.stillOpen(0, age);
			return (
				sum +
				chance *
					((1 - openAtPost) * sincePost + openAtPost * this.table.delay(age, age + sincePost))
			);
		}, 0);
	}
}
