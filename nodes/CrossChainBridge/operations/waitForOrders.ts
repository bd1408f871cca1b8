import type { ServiceError } from '../service/errors';
import { type BridgeService, n8nClock } from '../service/service';
import type { PlainObject } from '../orders/values';
import { Checker } from '../checks/checker';
import { type CheckOutcome, isFinal } from '../checks/outcome';
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
	/** By hash key. */
	orders: ReadonlyMap<string, { sourceHash: string }>;
	service: BridgeService;
	limits: WaitLimits;
	signal: AbortSignal | undefined;
	stopsAtFirstFailure: boolean;
	onOrder(): void;
}

const MAX_FAILURES_IN_A_ROW = 60;

/** Consecutive responses that suggest a wrong key or address. */
const MAX_SUSPECT_RESPONSES = 3;

/** An order before its first check. */
export const NOT_CHECKED = {
	/** As it was seen last; null if it was never found. */
	order: null as PlainObject | null,
	/** When that was, in milliseconds since 1970. */
	seenAt: 0,
	last: null as CheckOutcome['kind'] | null,
	/** Why it was given up before its time. */
	error: null as ServiceError | null,
	checks: 0,
	failuresInARow: 0,
	waitedSeconds: 0,
};

type Waited = typeof NOT_CHECKED;

/** The results by hash key, when all orders are finished or given up, or n8n stops the execution. */
export async function waitForOrders({
	orders,
	service,
	limits,
	signal,
	stopsAtFirstFailure,
	onOrder,
}: WaitInput): Promise<Map<string, Waited>> {
	const startedAt = n8nClock.now();
	const results = new Map<string, Waited>();
	let isProbed = false;
	const waiting = new Map([...orders.keys()].map((key) => [key, { ...NOT_CHECKED }]));

	const checker = new Checker({
		service,
		clock: n8nClock,
		intervalMs: limits.intervalMs,
		onOutcome: apply,
		onAccountError: (error) => {
			for (const key of waiting.keys()) finish(key, error);
		},
	});

	function apply(key: string, outcome: CheckOutcome): void {
		const state = waiting.get(key);
		if (state === undefined) return;
		state.last = outcome.kind;
		if (outcome.kind === 'transient' || outcome.kind === 'orderError') {
			const ofOrder =
				outcome.kind === 'orderError' && outcome.isSuspect ? MAX_SUSPECT_RESPONSES : 1;
			const tolerated = outcome.kind === 'transient' ? MAX_FAILURES_IN_A_ROW : ofOrder;
			if (++state.failuresInARow >= tolerated) finish(key, outcome.error);
			return;
		}
		state.checks++;
		state.failuresInARow = 0;
		if (outcome.kind === 'order') {
			state.order = outcome.order;
			state.seenAt = Date.now();
			onOrder();
			if (isFinal(outcome)) return finish(key);
		} else if (!isProbed) {
			// Any server says "not found".
			isProbed = true;
			void checker.probe();
		}
	}

	function finish(key: string, error: ServiceError | null = null): void {
		const waitedSeconds = Math.round((n8nClock.now() - startedAt) / 100) / 10;
		results.set(key, { ...(waiting.get(key) ?? NOT_CHECKED), error, waitedSeconds });
		waiting.delete(key);
		checker.remove(key);
		if (error !== null && stopsAtFirstFailure) checker.stop();
	}

	const listensNoMore = onAbort(signal, () => checker.stop());
	checker.setOrders(orders);
	await checker.checkUntil(startedAt + limits.maxMs, () => {
		const isFindingOver = n8nClock.now() - startedAt >= limits.notFoundMs;
		for (const [key, { order, checks }] of waiting)
			if (isFindingOver && order === null && checks > 0) finish(key);
		return checker.size > 0 && signal?.aborted !== true;
	});
	listensNoMore();
	for (const key of waiting.keys()) finish(key);
	return results;
}
