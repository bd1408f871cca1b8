import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CallEvent, Effect } from '../watch/events';
import type { WatchState } from '../watch/state';
import type { Session } from './session';

/**
 * A registration of a trigger: n8n runs its polls with this context, from when the trigger is published, or n8n starts, until it is
 * unpublished. In the durable engine each poll has a context of its own, and so is a registration of its own.
 *
 * Who may emit follows from its state alone. The newest registration of a session is the one that counts. While a person publishes it, nobody
 * emits, because n8n saves its copy of the state afterwards; then it is in charge. A registration that was replaced never emits again, although
 * some versions of n8n still poll it.
 */
export interface Registration {
	readonly context: IPollFunctions;
	state: 'publishing' | 'inCharge' | 'replaced';
	/** While it is being published: the one that is in charge again if that fails; null if there is none. */
	before: Registration | null;
	/** Whether this process runs the trigger, so that it keeps what it accepts. */
	isAtWork(): boolean;
	/** Applies a call to the webhook; n8n saves what it changes before it answers. */
	accept(call: IWebhookFunctions, event: CallEvent): Promise<Effect[]>;
}

/** Whether a person has published the trigger with this registration; otherwise n8n has started, or this process leads now. */
export function isPublishedByPerson(context: IPollFunctions): boolean {
	const mode = context.getActivationMode();
	return mode !== 'init' && mode !== 'leadershipChange';
}

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
