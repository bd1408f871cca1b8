import type { WatchState } from '../watch/state';
import type { Runner } from './runner';
import type { Session } from './session';

/** Whether this runner may start the workflow now. */
export function mayEmit({ runner }: Session, asking: Runner): boolean {
	return runner === asking && asking.state === 'inCharge';
}

/** Makes a runner the newest one, which nobody has put in charge yet. */
export function beginPublishing(session: Session, runner: Runner): void {
	const { runner: newest } = session;
	if (newest === runner) return;
	runner.before = newest;
	if (newest?.state === 'publishing') {
		// A person publishes again, before the first time was over.
		runner.before = newest.before;
		newest.state = 'replaced';
	}
	session.runner = runner;
}

/** If a publishing was refused, the runner before it continues. */
export function endPublishing(session: Session, runner: Runner): void {
	if (runner.state !== 'publishing') return;
	runner.state = 'replaced';
	if (session.runner === runner) session.runner = runner.before;
}

/** Puts the newest runner in charge, with this state. */
export function putInCharge(session: Session, runner: Runner, state: WatchState): void {
	for (const other of [session.runner, runner.before])
		if (other !== null && other !== runner) other.state = 'replaced';
	Object.assign(runner, { state: 'inCharge', before: null });
	session.runner = runner;
	session.state = state;
	// The new runner does not fail for what went wrong in another one.
	session.unreportedError = null;
	session.checker?.takeTally();
}

/** The runner that keeps the state: the newest one, or the one before it while it is being published; null before the first. */
export function keeperOf({ runner }: Session): Runner | null {
	return runner?.state === 'publishing' ? runner.before : runner;
}
