import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CallEvent, Effect } from '../watch/events';

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
