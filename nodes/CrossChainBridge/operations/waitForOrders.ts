import { isAboutThisRequestOnly, isNotFound, needsAPerson, type Refusal } from '../bridge/refusal';
import { type BridgeService, n8nClock } from '../bridge/service';
import type { PlainObject } from '../bridge/values';
import { lookAnswer } from '../bridge/lookAnswer';
import { type LookAnswer, OrderWatcher } from '../watch/orderWatcher';

export interface WaitLimits {
	/** Least time between two looks at one order. */
	intervalMs: number;
	/** Looks that the service has answered, after which an order is given up. */
	mostLooks: number;
	/** Time after which all are given up. */
	longestMs: number;
	/** How long an order may be unknown to the service. */
	notFoundMs: number;
}

export interface WaitInput {
	/** Hash key to source hash; each is watched once, however many items ask for it. */
	hashes: ReadonlyMap<string, string>;
	service: BridgeService;
	limits: WaitLimits;
	/** n8n stops the execution. */
	signal: AbortSignal | undefined;
	/** Whether one order that cannot be looked up ends the waiting for all. */
	stopsAtFirstFailure: boolean;
	/** Called each time the service has told an order. */
	onOrder(): void;
}

/** How the waiting for one order went. `order` is what was seen last; null if it was never found. */
export type Waited = { looks: number; waitedSeconds: number } & (
	| { kind: 'ended'; order: PlainObject }
	| { kind: 'open'; order: PlainObject | null }
	| { kind: 'failed'; order: PlainObject | null; refusal: Refusal }
);

/** Looks in a row without an answer, after which an order counts as one that cannot be looked up. */
const MOST_FAILURES_IN_A_ROW = 60;

/** How often limits of time are looked at. */
const PULSE_MS = 500;

interface Waiting {
	order: PlainObject | null;
	looks: number;
	failuresInARow: number;
}

/**
 * Waits for orders, all of them together inside the shared budget, until each has ended or is given up. By hash key.
 * What is still open when the execution is stopped is left open; nothing is sent after that.
 */
export async function waitForOrders(input: WaitInput): Promise<Map<string, Waited>> {
	const { hashes, service, limits, signal, stopsAtFirstFailure, onOrder } = input;
	const startedAt = n8nClock.now();
	const results = new Map<string, Waited>();
	const waiting = new Map<string, Waiting>([...hashes.keys()].map((key) => [key, { order: null, looks: 0, failuresInARow: 0 }]));

	const watcher = new OrderWatcher({
		budget: service.budget,
		clock: n8nClock,
		intervalMs: limits.intervalMs,
		lane: service.lane,
		look: async (key, ticket, lookSignal) => {
			const answer = await service.status(hashes.get(key) ?? key, { ticket, signal: lookSignal });
			const state = waiting.get(key);
			if (state === undefined || lookSignal.aborted) return { kind: 'failed' };
			if (answer.ok || isNotFound(answer.refusal)) {
				state.looks++;
				state.failuresInARow = 0;
				if (answer.ok) {
					state.order = answer.data;
					onOrder();
				}
				const shown = lookAnswer(answer.ok ? answer.data : null);
				if (shown.kind === 'ended' && answer.ok) finish(key, { kind: 'ended', order: answer.data });
				else if (state.looks >= limits.mostLooks && !isInGrace(state)) finish(key, { kind: 'open', order: state.order });
				return waiting.has(key) ? shown : ENDED;
			}
			state.failuresInARow++;
			const { refusal } = answer;
			const isHopeless = isAboutThisRequestOnly(refusal) || state.failuresInARow >= MOST_FAILURES_IN_A_ROW;
			if (needsAPerson(refusal)) for (const each of [...waiting.keys()]) fail(each, refusal);
			else if (isHopeless) fail(key, refusal);
			return waiting.has(key) ? { kind: 'failed' } : ENDED;
		},
	});

	function finish(key: string, end: { kind: 'ended'; order: PlainObject } | { kind: 'open'; order: PlainObject | null }): void {
		results.set(key, { ...end, ...spent(key) });
		letGo(key);
	}

	function fail(key: string, refusal: Refusal): void {
		results.set(key, { kind: 'failed', order: waiting.get(key)?.order ?? null, refusal, ...spent(key) });
		letGo(key);
		if (stopsAtFirstFailure) watcher.stop();
	}

	function letGo(key: string): void {
		waiting.delete(key);
		watcher.remove(key);
	}

	function spent(key: string): { looks: number; waitedSeconds: number } {
		const waitedSeconds = Math.round((n8nClock.now() - startedAt) / 100) / 10;
		return { looks: waiting.get(key)?.looks ?? 0, waitedSeconds };
	}

	/** An order that was never found is waited for until the grace is over, however few looks are allowed. */
	function isInGrace(state: Waiting): boolean {
		return state.order === null && n8nClock.now() - startedAt < limits.notFoundMs;
	}

	function giveUpByTime(): void {
		const passed = n8nClock.now() - startedAt;
		for (const [key, state] of waiting) {
			const isUnknownTooLong = state.order === null && state.looks > 0 && passed >= limits.notFoundMs;
			if (passed >= limits.longestMs || isUnknownTooLong) finish(key, { kind: 'open', order: state.order });
		}
	}

	signal?.addEventListener('abort', () => watcher.stop(), { once: true });
	for (const key of hashes.keys()) watcher.add(key);
	while (watcher.size > 0 && signal?.aborted !== true) {
		await watcher.run(n8nClock.now() + PULSE_MS);
		giveUpByTime();
	}
	watcher.stop();
	for (const [key, state] of [...waiting]) finish(key, { kind: 'open', order: state.order });
	return results;
}

/** The watcher forgets an order whose waiting is over. */
const ENDED: LookAnswer = { kind: 'ended' };
