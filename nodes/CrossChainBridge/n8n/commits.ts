import type { BaseHelperFunctions, IRun } from 'n8n-workflow';

import { type Clock, within } from '../budget/clock';
import { field } from '../orders/values';
import type { StartReport } from './internals';

/** How long a start waits for the commit of the one before it, in milliseconds. A busy n8n takes seconds. A start that is older counts as committed. */
export const MAX_COMMIT_WAIT_MS = 10_000;

/** The same after one wait in vain: n8n reports a start only when its workflow has finished, which may take long. */
const WAIT_FOR_LONG_RUNS_MS = 1_000;

/** What became of a start: n8n has committed it, or dropped it, or its database has failed, perhaps after it had committed. */
type Fate = 'committed' | 'dropped' | 'unknown';

interface Start {
	fate: Promise<Fate>;
	/** Called once if n8n has dropped the start, or may have. */
	undo: () => void;
	/** In milliseconds of the clock. */
	at: number;
	isSettled: boolean;
}

/**
 * The starts of one poll of the durable engine. n8n commits each of them together with the state that the poll has stored, but does not
 * keep them in order: of two at a time it may commit the older one last (seen with PostgreSQL). So a poll awaits `ready` before it starts the next one.
 */
export class Commits {
	/** The start that the next one waits for. */
	private awaited: Start | null = null;

	/** The last start, whether anything has waited for it or not. */
	private latest: Start | null = null;

	/** The commit of the lease, which comes before all starts. */
	private lease: Promise<void> = Promise.resolve();

	/** Whether this poll starts nothing more: a start or the lease has failed, or it is finishing. */
	isOver = false;

	/**
	 * Which state the database has by now, and so what the end of the poll saves (`finish` in n8n/durable.ts):
	 * - ofLastStart: that of the last start, which is committed or will be. The poll saves its own.
	 * - perhapsOlder: perhaps that of an earlier start, which was committed after the last one. The poll saves its own with a higher revision.
	 * - unknown: only the database knows, because the last start may have failed. With a durable cursor, the poll saves nothing.
	 */
	saved: 'ofLastStart' | 'perhapsOlder' | 'unknown' = 'ofLastStart';

	constructor(
		private readonly clock: Clock,
		/** Shared by the polls of a trigger: how long the next start waits for the one before it, in milliseconds. */
		private readonly wait: { commitWaitMs: number },
		private readonly helpers: Pick<BaseHelperFunctions, 'createDeferredPromise'>,
		/** Called after the first failure. */
		private readonly onFailure: () => void,
	) {}

	/** Nothing is started before this is committed, and nothing at all if it fails. */
	begin(commit: Promise<void>): void {
		this.lease = commit.catch(() => this.fail());
	}

	/** Resolves when the next start may be made: the one before it is committed, or takes too long. */
	async ready(): Promise<void> {
		await this.lease;
		const { awaited, clock, wait } = this;
		if (awaited === null) return;
		const fate = await within(clock, awaited.at + wait.commitWaitMs, awaited.fate);
		wait.commitWaitMs = fate === undefined ? WAIT_FOR_LONG_RUNS_MS : MAX_COMMIT_WAIT_MS;
		this.awaited = null;
	}

	/** Makes a start, which may throw. */
	start(make: (report: StartReport) => void, undo: () => void): void {
		const { report, fate } = startReport(this.helpers);
		make(report);
		const start: Start = { fate, undo, at: this.clock.now(), isSettled: false };
		void fate.then((known) => this.settle(start, known));
		if (this.latest?.isSettled === false) this.saved = 'perhapsOlder';
		this.awaited = this.latest = start;
	}

	/** Waits for the last start, until `end` at the latest, in milliseconds of the clock. Afterwards nothing is started or undone any more. */
	async finish(end: number): Promise<void> {
		const { clock, latest } = this;
		await within(clock, end, this.lease);
		if (latest !== null) {
			const isOldAt = latest.at + MAX_COMMIT_WAIT_MS;
			await within(clock, Math.min(end, isOldAt), latest.fate);
			// A young start may still fail. Its state says that the event was emitted, so that it must not be saved without the start.
			// An old start was committed, because that takes seconds; it is not reported yet because its workflow still runs. Its state can be saved
			// again, over any that was committed late.
			const mayFail = clock.now() < isOldAt && this.saved === 'ofLastStart';
			if (!latest.isSettled) this.saved = mayFail ? 'unknown' : 'perhapsOlder';
		}
		this.isOver = true;
	}

	private settle(start: Start, fate: Fate): void {
		start.isSettled = true;
		if (fate === 'committed' || this.isOver) return;
		// The state of a start says that its event was emitted. Of the latest start only the database knows whether that state was saved; of an
		// earlier one a later start has said so already.
		if (fate === 'unknown' && start === this.latest) this.saved = 'unknown';
		start.undo();
		this.fail();
	}

	private fail(): void {
		this.isOver = true;
		this.onFailure();
	}
}

/** What n8n reports on a start with, and what became of the start by that. */
export function startReport(helpers: Pick<BaseHelperFunctions, 'createDeferredPromise'>): {
	report: StartReport;
	fate: Promise<Fate>;
} {
	const response: StartReport['response'] = helpers.createDeferredPromise();
	const done: StartReport['done'] = helpers.createDeferredPromise();
	const isRefused = response.promise.then(
		() => false,
		() => true,
	);
	// A dropped start has a rejected `response` and no run. An execution that fails, or is stopped, was committed.
	const fate = done.promise.then(
		async (run: IRun | undefined): Promise<Fate> =>
			run === undefined && (await Promise.race([isRefused, false])) ? 'dropped' : 'committed',
		(error: unknown): Fate => (isOfExecution(error) ? 'committed' : 'unknown'),
	);
	return { report: { response, done }, fate };
}

/** Whether an error is about an execution that was made: the errors of the database name none. */
function isOfExecution(error: unknown): boolean {
	return field(Reflect.get(Object(error), 'extra'), 'executionId') !== undefined;
}
