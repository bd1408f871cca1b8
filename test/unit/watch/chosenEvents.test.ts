import fc from 'fast-check';

import { FINAL_STATUSES, type FinalStatus } from '../../../nodes/CrossChainBridge/orders/orders';
import {
	DAY,
	EVERY,
	FINAL,
	HOUR,
	MINUTE,
	NOW,
	rulesWith,
	SECOND,
	shown,
	Watching,
} from './watching';

/**
 * Events and Include Already Finished Orders change while orders are watched, leave the list, come back, are posted, and finish. What has to come of
 * it is stated here a second time, for each order since the trigger got to know it last.
 */

const HASHES = ['0xA', '0xB', '0xC'] as const;
type Hash = (typeof HASHES)[number];

const CHOICES = [
	EVERY,
	FINAL,
	['completed'],
	['refunded', 'delayed'],
	['failed', 'watchEnded'],
	['expired'],
] as const;

type Step =
	| { do: 'wait'; ms: number }
	| { do: 'finish'; hash: Hash; status: FinalStatus }
	| { do: 'list'; list: Hash[] }
	| { do: 'post'; hash: Hash }
	| { do: 'remove'; hash: Hash }
	| { do: 'choose'; events: (typeof CHOICES)[number]; includeFinished: boolean }
	| { do: 'poll' }
	| { do: 'pollInVain' }
	| { do: 'restart' };

/** What was seen of an order since the trigger got to know it. */
interface Known {
	since: number;
	listed: boolean;
	/** When it left the list; null if it has not. */
	leftAt: number | null;
	posted: boolean;
	finished: boolean;
	/** Until when a finished one is remembered that was posted. */
	keptUntil: number;
	/** How often each event has started the workflow. */
	events: Record<string, number>;
}

class Walk {
	private readonly watching = new Watching(rulesWith(EVERY));
	private readonly known = new Map<Hash, Known>();
	private readonly finishedAt = new Map<Hash, { at: number; status: FinalStatus }>();
	private list: readonly Hash[] = [];

	constructor(private readonly isListByHand: boolean) {}

	take(step: Step): void {
		const { watching } = this;
		switch (step.do) {
			case 'wait':
				watching.wait(step.ms);
				// Each poll reads it, once a minute.
				return this.readList();
			case 'finish':
				if (!this.finishedAt.has(step.hash))
					this.finishedAt.set(step.hash, { at: watching.now, status: step.status });
				return;
			case 'list':
				this.list = step.list;
				return;
			case 'post':
				return this.post(step.hash);
			case 'remove':
				return this.remove(step.hash);
			case 'choose':
				watching.rules = rulesWith(step.events, { includeFinished: step.includeFinished });
				return;
			case 'poll':
			case 'pollInVain':
				return this.poll(step.do === 'pollInVain');
			case 'restart':
				watching.restart();
				return;
		}
	}

	private post(hash: Hash): void {
		const [result] = this.watching.post(hash);
		const known = this.known.get(hash) ?? fresh(this.watching.now);
		if (result === 'full' || result === undefined) throw new Error('There was no room');
		if (result.as === 'alreadyFinished') {
			if (!known.finished) throw new Error(`${hash} is said to have finished`);
			known.keptUntil = this.watching.now + DAY;
		} else known.posted = true;
		this.known.set(hash, known);
	}

	private remove(hash: Hash): void {
		const [result] = this.watching.remove(hash);
		const known = this.known.get(hash);
		if (known === undefined || result === 'full' || result === undefined) return;
		if (result.as === 'listed') known.posted = false;
		if (result.as !== 'removed') return;
		known.posted = false;
		// A final status that was not chosen is still remembered.
		if (!known.finished) this.known.delete(hash);
	}

	poll(isInVain = false): void {
		const { watching } = this;
		this.readList();
		for (const hash of watching.open as Hash[]) {
			const end = this.finishedAt.get(hash);
			const known = this.known.get(hash);
			if (known === undefined) throw new Error(`${hash} is watched, and nothing names it`);
			const timing = {
				createdAt: NOW / SECOND,
				...(end === undefined ? {} : { completedAt: end.at / SECOND }),
			};
			const chosen = watching.rules.events as ReadonlySet<string>;
			const events = watching.check(hash, shown(end?.status ?? 'executing', { timing }));
			if (isInVain && events.length > 0) {
				watching.undoLast();
				continue;
			}
			for (const each of events) {
				const [event = ''] = each.split(' ');
				if (!chosen.has(event)) throw new Error(`${each}, which is not chosen`);
				known.events[event] = (known.events[event] ?? 0) + 1;
				if (known.events[event] > 1) throw new Error(`${each} comes twice`);
				if (
					event === end?.status &&
					!watching.rules.includeFinished &&
					this.isBefore(hash, known, MINUTE)
				)
					throw new Error(`${each}, which had finished before`);
			}
			if (end !== undefined) {
				known.finished = true;
				if (known.posted) known.keptUntil = Math.max(known.keptUntil, watching.now + DAY);
				known.posted = false;
			} else if (watching.order(hash) === undefined) this.known.delete(hash);
		}
	}

	private readList(): void {
		const { watching, list, isListByHand } = this;
		watching.list(list, { isListByHand });
		const { now } = watching;
		for (const hash of HASHES) {
			const known = this.known.get(hash);
			if (list.includes(hash)) {
				this.known.set(hash, { ...(known ?? fresh(now)), listed: true, leftAt: null });
				continue;
			}
			if (known === undefined) continue;
			if (known.listed) known.leftAt = now;
			known.listed = false;
			const isKept =
				known.posted ||
				(known.finished && now < known.keptUntil) ||
				(known.leftAt !== null && !isListByHand && now < known.leftAt + DAY);
			if (!isKept) this.known.delete(hash);
		}
	}

	/** Whether the order had finished before the trigger got to know it, by more than the clocks of n8n and of the bridge may differ. */
	private isBefore(hash: Hash, { since }: Known, clocksDiffer = 0): boolean {
		const end = this.finishedAt.get(hash);
		return end !== undefined && end.at < since - clocksDiffer;
	}

	/** All events are chosen now: whatever the list names has had its event. */
	endWell(): void {
		this.watching.rules = {
			...rulesWith(EVERY),
			includeFinished: this.watching.rules.includeFinished,
		};
		this.poll();
		this.poll();
		for (const hash of this.list) {
			const known = this.known.get(hash);
			const end = this.finishedAt.get(hash);
			if (known === undefined) throw new Error(`${hash} is not known`);
			const isDue = this.watching.rules.includeFinished || !this.isBefore(hash, known);
			if (end !== undefined && isDue && known.events[end.status] !== 1)
				throw new Error(`${end.status} ${hash} never came`);
			const isDelayed = this.watching.now - NOW >= 5 * MINUTE;
			const late = (known.events.delayed ?? 0) + (known.events.expired ?? 0);
			if (end === undefined && isDelayed && late === 0) throw new Error(`${hash} is late`);
		}
	}
}

function fresh(now: number): Known {
	return {
		since: now,
		listed: false,
		leftAt: null,
		posted: false,
		finished: false,
		keptUntil: 0,
		events: {},
	};
}

const hash = fc.constantFrom(...HASHES);
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		do: fc.constant('wait' as const),
		ms: fc.constantFrom(MINUTE, 6 * MINUTE, 2 * HOUR, DAY - HOUR, DAY, 3 * DAY),
	}),
	fc.record({
		do: fc.constant('finish' as const),
		hash,
		status: fc.constantFrom(...FINAL_STATUSES),
	}),
	fc.record({ do: fc.constant('list' as const), list: fc.subarray([...HASHES]) }),
	fc.record({ do: fc.constant('post' as const), hash }),
	fc.record({ do: fc.constant('remove' as const), hash }),
	fc.record({
		do: fc.constant('choose' as const),
		events: fc.constantFrom(...CHOICES),
		includeFinished: fc.boolean(),
	}),
	{ weight: 3, arbitrary: fc.constant({ do: 'poll' as const }) },
	fc.constant({ do: 'pollInVain' as const }),
	fc.constant({ do: 'restart' as const }),
);

test('whatever is chosen meanwhile, each order has each chosen event once, and what is chosen later comes later', () => {
	fc.assert(
		fc.property(
			fc.boolean(),
			fc.array(step, { minLength: 3, maxLength: 20, size: 'max' }),
			(isListByHand, steps) => {
				const walk = new Walk(isListByHand);
				for (const each of steps) walk.take(each);
				walk.endWell();
			},
		),
		{ numRuns: 3_000 },
	);
});
