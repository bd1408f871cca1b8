import type { ServiceError } from '../service/errors';
import { isFinalStatus, statusOf } from '../orders/orders';
import { type BridgeService, n8nClock } from '../service/service';
import type { PlainObject } from '../orders/values';
import { Checker } from '../checks/checker';
import type { CheckOutcome } from '../checks/outcome';
import { onAbort } from '../budget/abortListeners';

export interface WaitLimits {
	/** Minimum time between checks of the same order. */
	intervalMs: number;
	/** Checks with a response after which an order is given up. */
	maxChecks: number;
	/** Time after which all are given up. */
	longestMs: number;
	/** How long an order may be unknown to the service. */
	notFoundMs: number;
}

interface WaitInput {
	/** Hash key to source hash; each is watched once, however many items ask for it. */
	hashes: ReadonlyMap<string, string>;
	service: BridgeService;
	limits: WaitLimits;
	/** n8n stops the execution. */
	signal: AbortSignal | undefined;
	/** Whether one order that cannot be checked stops the waiting for all. */
	stopsAtFirstFailure: boolean;
	/** Called each time the service has returned an order. */
	onOrder(): void;
}

/** The result of waiting for one order; `order` is what was seen last, null if it was never found. */
export type Waited = { checks: number; waitedSeconds: number } & Result;

type Result =
	| { kind: 'finished'; order: PlainObject }
	| { kind: 'open'; order: PlainObject | null }
	| { kind: 'failed'; order: PlainObject | null; error: ServiceError };

/** Consecutive transient failures after which an order cannot be checked. */
const MAX_FAILURES_IN_A_ROW = 60;

/** Consecutive responses that suggest a wrong key or address, while the configuration arrives. */
const MAX_SUSPECT_ANSWERS = 3;

interface Waiting {
	order: PlainObject | null;
	checks: number;
	failuresInARow: number;
}

/** Waits until each order is finished or given up, or the execution is stopped; what is open then stays open. By hash key. */
export async function waitForOrders(input: WaitInput): Promise<Map<string, Waited>> {
	const { hashes, service, limits, signal, stopsAtFirstFailure, onOrder } = input;
	const startedAt = n8nClock.now();
	const results = new Map<string, Waited>();
	const waiting = new Map<string, Waiting>(
		[...hashes.keys()].map((key) => [key, { order: null, checks: 0, failuresInARow: 0 }]),
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
				const { order } = outcome;
				state.order = order;
				onOrder();
				if (isFinalStatus(statusOf(order))) return finish(key, { kind: 'finished', order });
			}
			if (state.checks >= limits.maxChecks && !isInGrace(state))
				finish(key, { kind: 'open', order: state.order });
			return;
		}
		state.failuresInARow++;
		if (state.failuresInARow >= toleratedFailures(outcome)) fail(key, outcome.error);
	}

	function finish(key: string, result: Result): void {
		const waitedSeconds = Math.round((n8nClock.now() - startedAt) / 100) / 10;
		results.set(key, { ...result, checks: waiting.get(key)?.checks ?? 0, waitedSeconds });
		waiting.delete(key);
		checker.remove(key);
	}

	function fail(key: string, error: ServiceError): void {
		finish(key, { kind: 'failed', order: waiting.get(key)?.order ?? null, error });
		if (stopsAtFirstFailure) checker.stop();
	}

	/** An order that was never found is waited for until the grace is over, however few checks are allowed. */
	function isInGrace(state: Waiting): boolean {
		return state.order === null && n8nClock.now() - startedAt < limits.notFoundMs;
	}

	function giveUpByTime(): void {
		const passed = n8nClock.now() - startedAt;
		for (const [key, state] of waiting) {
			const isUnknownTooLong =
				state.order === null && state.checks > 0 && passed >= limits.notFoundMs;
			if (passed >= limits.longestMs || isUnknownTooLong)
				finish(key, { kind: 'open', order: state.order });
		}
	}

	const listensNoMore = onAbort(signal, () => checker.stop());
	checker.setOrders(new Map([...hashes].map(([key, sourceHash]) => [key, { sourceHash }])));
	await checker.checkUntil(Number.POSITIVE_INFINITY, () => {
		giveUpByTime();
		return checker.size > 0 && signal?.aborted !== true;
	});
	listensNoMore();
	for (const [key, state] of [...waiting]) finish(key, { kind: 'open', order: state.order });
	return results;
}

/** How many failures in a row are tolerated; only the configuration decides whether key and address are wrong. */
function toleratedFailures(outcome: Extract<CheckOutcome, { error: ServiceError }>): number {
	if (outcome.kind === 'transient') return MAX_FAILURES_IN_A_ROW;
	return outcome.isSuspect ? MAX_SUSPECT_ANSWERS : 1;
}
