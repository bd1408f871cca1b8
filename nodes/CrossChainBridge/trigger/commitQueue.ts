import type { IDeferredPromise, IExecuteResponsePromiseData, IRun } from 'n8n-workflow';

import type { Clock } from '../budget/clock';
import { field } from '../orders/values';

/** How long a start waits for the commit of the one before it, in milliseconds: a busy n8n takes seconds. */
export const MAX_COMMIT_WAIT_MS = 10_000;

/** The same after one wait in vain, in milliseconds: n8n reports a start only when its workflow has finished. */
const WAIT_FOR_LONG_RUNS_MS = 1_000;

/** What n8n's `__emit` takes beside the items, to report on a start. */
export interface StartReport {
	response: IDeferredPromise<IExecuteResponsePromiseData>;
	done: IDeferredPromise<IRun>;
}

/** What became of a start; 'unknown' where the database has failed, perhaps after it had committed. */
type Fate = 'committed' | 'dropped' | 'unknown';

interface Started {
	fate: Promise<Fate>;
	undo: () => void;
	/** In milliseconds of the clock. */
	at: number;
	isSettled: boolean;
}

/** Starts of one durable poll, one after another: of two at a time n8n may commit the older last (seen with PostgreSQL). */
export class CommitQueue {
	private readonly steps: Array<() => Promise<void>> = [];

	private wake: () => void = () => undefined;

	/** The start that is still to be waited for. */
	private started: Started | null = null;

	/** The last start, waited for or not. */
	private latest: Started | null = null;

	private isOver = false;

	/** Whether a start may have been committed after a later one. */
	isOrderUncertain = false;

	/** Whether only the database knows if the last start was committed. */
	isStateUncertain = false;

	constructor(
		private readonly clock: Clock,
		/** Called after the `undo` of a failed start. */
		private readonly onDrop: () => void,
		/** False where a process that has stood still finds its time over. */
		private isInTime: () => boolean,
		/** Shared by the polls of a trigger. */
		private readonly wait: { ms: number },
	) {
		void this.work();
	}

	/** Starts nothing before this is committed, and nothing at all if that fails. */
	begin(commit: () => Promise<void>): void {
		const committed = commit().catch(() => {
			this.isOver = true;
			this.onDrop();
		});
		this.add(async () => await committed);
	}

	/** Makes a start, which may throw; `undo` is called if n8n has dropped it later, or may have. */
	nextStart(start: (report: StartReport) => void, undo: () => void): void {
		const response = deferred<IExecuteResponsePromiseData>();
		const done = deferred<IRun>();
		const isRefused = response.promise.then(
			() => false,
			() => true,
		);
		// A dropped start has a rejected `response` and no run; a failed or stopped execution is not dropped.
		const fate = done.promise.then(
			async (run: IRun | undefined): Promise<Fate> =>
				run === undefined && (await Promise.race([isRefused, false])) ? 'dropped' : 'committed',
			(error: unknown): Fate => (isOfExecution(error) ? 'committed' : 'unknown'),
		);
		start({ response, done });
		const started: Started = { fate, undo, at: this.clock.now(), isSettled: false };
		void fate.then(() => (started.isSettled = true));
		if (this.latest?.isSettled === false) this.isOrderUncertain = true;
		this.started = this.latest = started;
	}

	/** Runs this as soon as what was started before is committed. */
	take(step: () => void): void {
		this.add(async () => {
			await this.untilCommitted();
			if (!this.isOver && this.isInTime()) step();
		});
	}

	/** Waits for all that is queued, until then in milliseconds of the clock, and drops the rest. */
	async finish(end: number): Promise<void> {
		const queued = new Promise<void>((resolve) =>
			this.add(async () => {
				await this.untilCommitted();
				resolve();
			}),
		);
		await Promise.race([queued, this.clock.sleep(end - this.clock.now())]);
		this.isInTime = () => false;
		if (this.latest !== null) await this.settle(this.latest, end);
		this.isOver = true;
	}

	private async settle(latest: Started, end: number): Promise<void> {
		const { clock } = this;
		const oldAt = latest.at + MAX_COMMIT_WAIT_MS;
		const left = Math.max(0, Math.min(end, oldAt) - clock.now());
		const fate = await Promise.race([latest.fate, clock.sleep(left).then(() => null)]);
		if (fate !== null) this.end(latest, fate);
		// The state that goes with a start must not be saved while its commit may still fail.
		else if (clock.now() < oldAt && !this.isOrderUncertain) this.isStateUncertain = true;
		else this.isOrderUncertain = true;
	}

	private add(step: () => Promise<void>): void {
		this.steps.push(step);
		this.wake();
	}

	/** In the poll's own asynchronous context, since n8n gives its data to no other. */
	private async work(): Promise<never> {
		for (;;) {
			const step = this.steps.shift();
			if (step === undefined) await new Promise<void>((resolve) => (this.wake = resolve));
			else await step();
		}
	}

	private async untilCommitted(): Promise<void> {
		const { started } = this;
		if (started === null) return;
		const fate = await Promise.race([
			started.fate,
			this.clock.sleep(this.wait.ms).then(() => null),
		]);
		this.wait.ms = fate === null ? WAIT_FOR_LONG_RUNS_MS : MAX_COMMIT_WAIT_MS;
		this.started = null;
		if (fate === null) void started.fate.then((late) => this.end(started, late));
		else this.end(started, fate);
	}

	/** Starts nothing more where this start has failed. */
	private end(started: Started, fate: Fate): void {
		if (fate === 'committed' || this.isOver) return;
		this.isOver = true;
		// What a later start has saved says that this one was emitted.
		if (fate === 'unknown' && started === this.latest) this.isStateUncertain = true;
		started.undo();
		this.onDrop();
	}
}

/** Whether an error is about an execution that was made: the database's own errors name none. */
function isOfExecution(error: unknown): boolean {
	return field(Reflect.get(Object(error), 'extra'), 'executionId') !== undefined;
}

function deferred<T>(): IDeferredPromise<T> {
	let resolve: IDeferredPromise<T>['resolve'] = () => undefined;
	let reject: IDeferredPromise<T>['reject'] = () => undefined;
	const promise = new Promise<T>((...settle) => ([resolve, reject] = settle));
	return { promise, resolve, reject };
}
