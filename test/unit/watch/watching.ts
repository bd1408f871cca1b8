import { orderKey } from '../../../nodes/CrossChainBridge/orders/hashForms';
import { FINAL_STATUSES } from '../../../nodes/CrossChainBridge/orders/orders';
import type {
	CallResult,
	CheckResult,
	Effect,
	Emission,
	PollFinding,
	PostedOrder,
	WatchEvent,
} from '../../../nodes/CrossChainBridge/watch/events';
import { reduce } from '../../../nodes/CrossChainBridge/watch/reduce';
import type { WatchRules } from '../../../nodes/CrossChainBridge/watch/rules';
import {
	EMPTY_STATE,
	openOrders,
	referenceOf,
	type WatchedOrder,
	type WatchState,
} from '../../../nodes/CrossChainBridge/watch/state';
import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/watch/stored';

/** The watch of a trigger as its drivers use it: event after event, with the state kept as n8n keeps it. */

export const NOW = Date.parse('2026-01-01T00:00:00Z');
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

type Event = WatchRules['events'] extends ReadonlySet<infer E> ? E : never;

export const FINAL = FINAL_STATUSES as readonly Event[];
export const EVERY: readonly Event[] = [
	...FINAL,
	'delayed',
	'expired',
	'watchEnded',
	'interrupted',
];

export const rulesWith = (
	events: readonly Event[] = FINAL,
	changes: Partial<WatchRules> = {},
): WatchRules => ({
	events: new Set(events),
	includeFinished: true,
	delayedAfterMs: 5 * MINUTE,
	redelivers: false,
	...changes,
});

export const NOT_FOUND: CheckResult = { kind: 'notFound' };
export const REJECTED: CheckResult = {
	kind: 'nothingShown',
	isOwn: true,
	isAnswered: true,
	why: 'The bridge does not accept it',
};
export const OUTAGE: CheckResult = {
	kind: 'nothingShown',
	isOwn: false,
	isAnswered: false,
	why: 'No response',
};
export const OWN_FAULT: CheckResult = { ...OUTAGE, isOwn: true, why: 'HTTP 500' };
export const shown = (status: unknown, more: object = {}): CheckResult => ({
	kind: 'order',
	order: { status, ...more },
	shownKey: null,
});
/** A response that itself names the source hash of an order. */
export const naming = (hash: string, status: unknown): CheckResult => ({
	kind: 'order',
	order: { status, input: { txHash: hash } },
	shownKey: orderKey(hash),
});

/** The state as n8n keeps it and gives it back. */
export const readBack = (state: WatchState): WatchState | null =>
	readStoredWatch(JSON.parse(JSON.stringify(storedWatch(state))));

export type Post = string | (Partial<PostedOrder> & { hash: string });

export const postedOrder = (post: Post): PostedOrder => {
	const { hash, ...more } = typeof post === 'string' ? { hash: post } : post;
	return { key: orderKey(hash), sourceHash: hash, startedAt: null, ...more };
};

/** What is seen of an emission: its event, and the hash as it was entered. */
const wordsOf = (emission: Emission): string =>
	emission.kind === 'watch'
		? emission.event
		: `${emission.event} ${emission.before.sourceHash}${emission.redelivered ? ' again' : ''}`;

export class Watching {
	state: WatchState = EMPTY_STATE;

	/** All that has started the workflow. */
	readonly emissions: Emission[] = [];

	constructor(
		public rules: WatchRules = rulesWith(),
		public now = NOW,
	) {}

	get events(): string[] {
		return this.emissions.map(wordsOf);
	}

	get lastEmission(): Emission {
		const last = this.emissions.at(-1);
		if (last === undefined) throw new Error('Nothing was emitted');
		return last;
	}

	/** The hashes of the orders that are checked. */
	get open(): string[] {
		return [...openOrders(this.state).values()].map(({ sourceHash }) => sourceHash);
	}

	order(hash: string): WatchedOrder | undefined {
		return this.state.orders.get(orderKey(hash));
	}

	referenceOf(hash: string): unknown {
		const order = this.order(hash);
		return order === undefined ? undefined : referenceOf(order);
	}

	apply(event: WatchEvent): Effect[] {
		const { state, effects } = reduce(this.state, event, this.rules, this.now);
		this.state = state;
		const isCall = event.kind === 'posted' || event.kind === 'removed';
		for (const effect of effects) {
			if (effect.kind === 'emit') this.emissions.push(effect.emission);
			// Only a call is told something.
			else if (!isCall) throw new Error(`Nobody waits for an answer to '${event.kind}'`);
		}
		return effects;
	}

	/** `list`: hashes, or pairs of a hash and its name. */
	list(
		list: ReadonlyArray<string | [hash: string, name: unknown]>,
		{ isWhole = true, isListByHand = true, listedAfter = null as number | null } = {},
	): this {
		const orders = list.map((entry) => {
			const [sourceHash, reference] = typeof entry === 'string' ? [entry, null] : entry;
			return { key: orderKey(sourceHash), sourceHash, reference };
		});
		this.apply({ kind: 'listed', orders, isWhole, isListByHand, listedAfter });
		return this;
	}

	post(...posts: Post[]): Array<CallResult | 'full'> {
		return answers(this.apply({ kind: 'posted', orders: posts.map(postedOrder) }));
	}

	remove(...hashes: string[]): Array<CallResult | 'full'> {
		const orders = hashes.map((sourceHash) => ({ key: orderKey(sourceHash), sourceHash }));
		return answers(this.apply({ kind: 'removed', orders }));
	}

	/** What this check has emitted. `at`: when the bridge responded. */
	check(hash: string, result: CheckResult, at = this.now): string[] {
		const before = this.emissions.length;
		this.apply({ kind: 'checked', key: orderKey(hash), result, at });
		return this.events.slice(before);
	}

	/** What this poll has emitted. */
	poll(finding: PollFinding): string[] {
		const before = this.emissions.length;
		this.apply({ kind: 'polled', finding });
		return this.events.slice(before);
	}

	/** n8n has not started the workflow for the last emission. */
	undoLast(): this {
		const emission = this.emissions.pop();
		if (emission === undefined) throw new Error('Nothing was emitted');
		this.apply({ kind: 'undone', emission });
		return this;
	}

	/** Time passes; a negative one is a wall clock that is set back. */
	wait(ms: number): this {
		this.now += ms;
		return this;
	}

	/** Another process takes over what n8n has saved. */
	restart(): this {
		const read = readBack(this.state);
		if (read === null) throw new Error('The state was not kept');
		this.state = read;
		this.apply({ kind: 'takenOver' });
		return this;
	}
}

function answers(effects: readonly Effect[]): Array<CallResult | 'full'> {
	return effects.flatMap((effect): Array<CallResult | 'full'> => {
		if (effect.kind === 'emit') throw new Error('A call has started the workflow');
		return [effect.kind === 'answer' ? effect.result : effect.kind];
	});
}

/** A trigger that watches these orders of its list. */
export const listing = (hashes: readonly string[], rules?: WatchRules): Watching =>
	new Watching(rules).list(hashes);

/** A trigger to which these orders were posted. */
export function posting(posts: readonly Post[], rules?: WatchRules): Watching {
	const watching = new Watching(rules);
	watching.post(...posts);
	return watching;
}
