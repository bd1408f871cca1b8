import type { ServiceError } from '../service/errors';
import { n8nClock } from '../service/n8nClock';
import type { BridgeService } from '../service/service';
import { orderKey } from '../orders/hashForms';
import { errorOf, type PlainObject } from '../orders/values';
import { Checker } from '../checks/checker';
import { type CheckOutcome, isFinal, whyNotChecked } from '../checks/outcome';
import type { Seen } from '../checks/tenant';
import { onAbort } from '../budget/clock';

export interface WaitLimits {
	/** Minimum milliseconds between checks of the same order. */
	intervalMs: number;
	/** Maximum milliseconds for all orders together. */
	maxMs: number;
	/** How long an order may be not found, in milliseconds. */
	notFoundMs: number;
}

interface WaitInput {
	/** As they were entered. */
	sourceHashes: readonly string[];
	service: BridgeService;
	limits: WaitLimits;
	signal: AbortSignal | undefined;
	stopsAtFirstFailure: boolean;
	/** Called with each response that shows an order. */
	onOrder(): void;
}

/** What waiting has shown of one order, as it is before the first check. */
export const NOT_CHECKED = {
	/** As it was seen last; null if it was never found. */
	order: null as PlainObject | null,
	/** When that was, by the clock of the bridge, in milliseconds since 1970. */
	seenAt: 0,
	/** How far the clock of n8n was ahead of that of the bridge then, in milliseconds. */
	clockAheadMs: 0,
	/** The last outcome; null before the first. */
	last: null as CheckOutcome['kind'] | null,
	/** Why it was given up before its time: its hash was rejected, the key or address is wrong, or this package has a fault. */
	error: null as ServiceError | Error | null,
	/** Why its last check has shown nothing of it, as a sentence; null if it has. The order was asked for again until the time was over. */
	whyNotChecked: null as string | null,
	/** Checks with a response about the order. */
	checks: 0,
	waitedSeconds: 0,
};

export type Waited = typeof NOT_CHECKED;

/** The results by order key, when all orders are finished or given up, the time is over, or n8n stops the execution. */
export async function waitForOrders(input: WaitInput): Promise<Map<string, Waited>> {
	const { sourceHashes, service, limits, signal, stopsAtFirstFailure, onOrder } = input;
	const { now } = n8nClock;
	const startedAt = now();
	const endsAt = startedAt + limits.maxMs;
	const findingEndsAt = startedAt + limits.notFoundMs;
	const results = new Map<string, Waited>();
	const waiting = new Map<string, Waited & { sourceHash: string }>();
	for (const given of sourceHashes) {
		const key = orderKey(given);
		const before = waiting.get(key)?.sourceHash ?? given;
		// Of several spellings of a hash, the bridge is most likely to know one with 0x.
		const sourceHash = [before, given].find((hash) => hash.startsWith('0x')) ?? before;
		waiting.set(key, { ...NOT_CHECKED, sourceHash });
	}
	const orderKeys = new Set(waiting.keys());
	let isProbed = false;
	let hasFailed = false;
	const checker = new Checker({ service, clock: n8nClock, intervalMs: limits.intervalMs });

	/** A response that names another order of this node was given for the wrong question, so that it shows nothing. */
	function whyNothingShown(key: string, outcome: CheckOutcome): string | null {
		const shows = outcome.kind === 'order' ? outcome.shownKey : null;
		return shows !== null && shows !== key && orderKeys.has(shows)
			? 'The bridge responded with the data of another order of this node'
			: whyNotChecked(outcome);
	}

	function apply(state: Waited, { key, outcome, at, clockAheadMs }: Seen): void {
		state.whyNotChecked = whyNothingShown(key, outcome);
		const isOfAnother = outcome.kind === 'order' && state.whyNotChecked !== null;
		state.last = isOfAnother ? 'transient' : outcome.kind;
		if (outcome.kind === 'orderError' && outcome.isHashRejected) state.error = outcome.error;
		if (state.whyNotChecked !== null) return;
		state.checks++;
		if (outcome.kind === 'order') {
			Object.assign(state, { order: outcome.order, seenAt: at - clockAheadMs, clockAheadMs });
			onOrder();
		} else if (!isProbed) {
			// Any server says "not found".
			isProbed = true;
			void checker.probe().then((probed) => (isProbed = probed !== 'notSent'));
		}
	}

	function finish(key: string, state: Waited): void {
		state.waitedSeconds = Math.round((now() - startedAt) / 100) / 10;
		results.set(key, state);
		waiting.delete(key);
		hasFailed ||= state.error !== null;
	}

	const listensNoMore = onAbort(signal, () => checker.stop());
	try {
		while (waiting.size > 0 && signal?.aborted !== true && now() < endsAt) {
			checker.setOrders(waiting);
			checker.run(endsAt);
			await checker.next(now() < findingEndsAt ? Math.min(findingEndsAt, endsAt) : endsAt);
			for (const seen of checker.take()) {
				const { key, outcome } = seen;
				const state = waiting.get(key);
				if (state === undefined) continue;
				try {
					apply(state, seen);
				} catch (error) {
					state.error = errorOf(error);
				}
				const isFinished = state.last === 'order' && isFinal(outcome);
				if (state.error !== null || isFinished) finish(key, state);
			}
			const { accountError } = checker;
			for (const [key, state] of waiting) {
				const isNotFound = state.order === null && state.checks > 0 && now() >= findingEndsAt;
				state.error = accountError;
				if (accountError !== null || isNotFound) finish(key, state);
			}
			if (hasFailed && stopsAtFirstFailure) break;
		}
	} finally {
		listensNoMore();
		checker.stop();
	}
	const { fault } = checker.takeTally();
	for (const [key, state] of waiting) {
		if (state.checks === 0) state.error = fault;
		finish(key, state);
	}
	return results;
}
