import { areListedFinished, assumeBegunTogether, assumeNothing } from './listed';
import { type CheckPlan, type Experience, NO_EXPERIENCE, planChecks } from './plan';
import type { RequestBudget } from '../budget/requestBudget';
import type { WatchedOrder } from './schedule';
import type { BudgetView } from '../budget/slidingWindowLog';
import { applyResult, type CheckResult, type Entry, isWronglyAssumed } from './watchedEntry';

/** A watcher that has not stepped for this long claims nothing of the shared budget any more. */
const CLAIM_MS = 5_000;

/** So many orders that had not begun as was assumed, less half of those that had, end what is assumed of others. */
const MOST_DOUBT = 3;

/** Who takes part in a budget group. */
export interface GroupMember {
	/** When it last stepped, in milliseconds of the group's clock. */
	readonly steppedAt: number;
	watchedOrders(): Iterable<WatchedOrder>;
}

/** The watchers of one budget: they plan together, or each would spend the whole of it, and learn together. */
export class BudgetGroup {
	experience: Experience = NO_EXPERIENCE;

	/** When the last check that was answered was sent (ms), */
	answeredAt = Number.NEGATIVE_INFINITY;

	/** and the last one that brought no 429, but an answer or a failure. */
	private notLimitedAt = Number.NEGATIVE_INFINITY;

	/** The last plan, and the members that it has served; null once something has changed. */
	private latest: { plan: CheckPlan; served: Set<GroupMember> } | null = null;

	private readonly members = new Set<GroupMember>();

	/** How many orders had lately not begun when it was assumed of them. */
	private doubt = 0;

	join(member: GroupMember): void {
		if (this.members.has(member)) return;
		this.members.add(member);
		this.replan();
	}

	leave(member: GroupMember): void {
		this.members.delete(member);
		this.replan();
	}

	/** The plan that this member acts on. A plan for many orders serves all members, each once, for as long as it is fresh. */
	planFor(member: GroupMember, now: number, budget: BudgetView): CheckPlan {
		if (
			this.latest === null ||
			now >= this.latest.plan.freshUntil ||
			this.latest.served.has(member)
		) {
			const { experience, notLimitedAt } = this;
			this.latest = {
				plan: planChecks({ orders: this.orders(now), now, budget, experience, notLimitedAt }),
				served: new Set(),
			};
		}
		this.latest.served.add(member);
		return this.latest.plan;
	}

	/** Something has changed that the last plan does not know of. */
	replan(): void {
		this.latest = null;
	}

	/** What a check has shown counts for all. Returns whether it changes what is due of the other orders. */
	learn(entry: Entry, result: CheckResult, times: { sentAt: number; now: number }): boolean {
		this.replan();
		this.notLimitedAt = Math.max(this.notLimitedAt, times.sentAt);
		if (result.kind !== 'failed') this.answeredAt = Math.max(this.answeredAt, times.sentAt);
		const before = this.experience;
		const isWrong = isWronglyAssumed(entry, result, times.sentAt);
		if (isWrong !== null) this.doubtAssumptions(isWrong);
		const learnt = applyResult(entry, result, times, before);
		this.experience = learnt;
		// The first post that is judged, or an old list.
		return (
			(before.posts.length === 0 && learnt.posts.length > 0) ||
			(areListedFinished(learnt.listed) && !areListedFinished(before.listed))
		);
	}

	/**
	 * All open orders of those that take part and are alive, one of each in turn: among equals the first are served first. What some
	 * show of those that were added with them is set here, since those that show it are gone once they have finished.
	 */
	orders(now: number): WatchedOrder[] {
		const lists: WatchedOrder[][] = [];
		for (const member of this.members) {
			// Nobody stops the watcher of a workflow that is unpublished: kept here, each would stay for as long as the key is used.
			if (now - member.steppedAt > CLAIM_MS) this.members.delete(member);
			else lists.push([...member.watchedOrders()]);
		}
		const longest = Math.max(0, ...lists.map(({ length }) => length));
		const orders = Array.from({ length: longest }, (_, place) =>
			lists.flatMap((list) => list[place] ?? []),
		).flat();
		if (!areListedFinished(this.experience.listed)) assumeBegunTogether(orders, now);
		return orders;
	}

	/** A few that had not begun with others are exceptions; with more of them, nothing is assumed of any that waits. */
	private doubtAssumptions(isWrong: boolean): void {
		this.doubt = Math.max(0, this.doubt + (isWrong ? 1 : -0.5));
		if (this.doubt < MOST_DOUBT) return;
		this.doubt = 0;
		for (const member of this.members) assumeNothing(member.watchedOrders());
	}
}

const groups = new WeakMap<RequestBudget, BudgetGroup>();

export function budgetGroupOf(budget: RequestBudget): BudgetGroup {
	const group = groups.get(budget) ?? new BudgetGroup();
	groups.set(budget, group);
	return group;
}
