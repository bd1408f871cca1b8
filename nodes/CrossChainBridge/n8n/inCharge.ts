import type { WatchState } from '../watch/state';
import type { Registration } from './registration';
import type { Session } from './session';

/** Whether this registration may start the workflow now. */
export function mayEmit({ registration }: Session, asking: Registration): boolean {
	return registration === asking && asking.state === 'inCharge';
}

/** Makes a registration the newest one, which nobody has put in charge yet. */
export function beginPublishing(session: Session, registration: Registration): void {
	const { registration: newest } = session;
	if (newest === registration) return;
	registration.before = newest;
	if (newest?.state === 'publishing') {
		// A person publishes again, before the first time was over.
		registration.before = newest.before;
		newest.state = 'replaced';
	}
	session.registration = registration;
}

/** After a publishing that was refused, the registration before it goes on. */
export function endPublishing(session: Session, registration: Registration): void {
	if (registration.state !== 'publishing') return;
	registration.state = 'replaced';
	if (session.registration === registration) session.registration = registration.before;
}

/** Puts the newest registration in charge, with this state. */
export function putInCharge(session: Session, registration: Registration, state: WatchState): void {
	for (const other of [session.registration, registration.before])
		if (other !== null && other !== registration) other.state = 'replaced';
	Object.assign(registration, { state: 'inCharge', before: null });
	session.registration = registration;
	session.state = state;
	// The new registration does not fail for what went wrong in another one.
	session.unreportedError = null;
	session.checker?.takeFindings();
}

/** The registration that keeps the state: the newest one, or the one before it while it is being published; null before the first. */
export function keeperOf({ registration }: Session): Registration | null {
	return registration?.state === 'publishing' ? registration.before : registration;
}
