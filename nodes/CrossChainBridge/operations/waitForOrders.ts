import type { ServiceError } from '../service/errors';
import { isFinalStatus, statusOf } from '../orders/orders';
import { type BridgeService, n8nClock } from '../service/service';
import type { PlainObject } from '../orders/values';
import { Checker } from '../checks/checker';
import type { CheckOutcome } from '../checks/outcome';
import { onAbort } from '../budget/clock';

export interface WaitLimits {
	/** Minimum milliseconds between checks of the same order. */
	intervalMs: number;
	/** Checks with a response. */
	maxChecks: number;
	/** Maximum milliseconds for all orders together. */
	maxMs: number;
	/** How long an order may be not found, in milliseconds. */
	notFoundMs: number;
}

interface WaitInput {
	/** By hash key; several items may ask for one. */
	orders: ReadonlyMap<string, { sourceHash: string }>;
	service: BridgeService;
	limits: WaitLimits;
	signal: AbortSignal | undefined;
	stopsAtFirstFailure: boolean;
	onOrder(): void;
}

export interface Waited {
	/** As it was seen last; null if it was never found. */
	order: PlainObject | null;
	/** Why it was given up before its time. */
	error: ServiceError | null;
	checks: number;
	waitedSeconds: number;
}

const MAX_FAILURES_IN_A_ROW = 60;

/** Consecutive responses that suggest a wrong key or address. */
const MAX_SUSPECT_RESPONSES = 3;

type WaitingItem = Pick<Waited, 'order' | 'checks'> & { failuresInARow: number };

/** The results by hash key, when each order is finished or given up, or n8n stops the execution. */
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
	const waiting = new Map<string, WaitingItem>(
		[...orders.keys()].map((key) => [key, { order: null, checks: 0, failuresInARow: 0 }]),
	);

	const checker = new Checker({
		service,
		clock: n8nClock,
		intervalMs: limits.intervalMs,
		onOutcome: apply,
		onAccountError: (error) => {
			for (const key of [...waiting.keys()]) fail(key, error);
		},
	});

	function apply(key: string, outcome: CheckOutcome): void {
		const state = waiting.get(key);
		if (state === undefined) return;
		if (outcome.kind === 'order' || outcome.kind === 'notFound') {
			state.checks++;
			state.failuresInARow = 0;
			if (outcome.kind === 'order') {
				state.order = outcome.order;
				onOrder();
				if (isFinalStatus(statusOf(outcome.order))) return finish(key);
			}
			if (state.checks >= limits.maxChecks && !isInGrace(state)) finish(key);
			return;
		}
		state.failuresInARow++;
		if (state.failuresInARow >= toleratedFailures(outcome)) fail(key, outcome.error);
	}

	function finish(key: string, error: ServiceError | null = null): void {
		const { order = null, checks = 0 } = waiting.get(key) ?? {};
		const waitedSeconds = Math.round((n8nClock.now() - startedAt) / 100) / 10;
		results.set(key, { order, error, checks, waitedSeconds });
		waiting.delete(key);
		checker.remove(key);
	}

	function fail(key: string, error: ServiceError): void {
		finish(key, error);
		if (stopsAtFirstFailure) checker.stop();
	}

	/** Few checks do not cut this time short. */
	function isInGrace(state: WaitingItem): boolean {
		return state.order === null && n8nClock.now() - startedAt < limits.notFoundMs;
	}

	function giveUpByTime(): void {
		const passed = n8nClock.now() - startedAt;
		for (const [key, state] of waiting) {
			const isNotFound = state.order === null && state.checks > 0 && !isInGrace(state);
			if (passed >= limits.maxMs || isNotFound) finish(key);
		}
	}

	const listensNoMore = onAbort(signal, () => checker.stop());
	checker.setOrders(orders);
	await checker.checkUntil(Infinity, () => {
		giveUpByTime();
		return checker.size > 0 && signal?.aborted !== true;
	});
	listensNoMore();
	for (const key of [...waiting.keys()]) finish(key);
	return results;
}

function toleratedFailures(outcome: Extract<CheckOutcome, { error: ServiceError }>): number {
	if (outcome.kind === 'transient') return MAX_FAILURES_IN_A_ROW;
	return outcome.isSuspect ? MAX_SUSPECT_RESPONSES : 1;
}
