import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CallEvent, Effect } from '../watch/events';
import type { WatchRules } from '../watch/rules';

/**
 * What runs a trigger in this process. In the usual engine that is one object for each registration of n8n, which lasts from when the trigger is
 * published, or n8n starts, until it is unpublished: all polls of a registration have one context. In the durable engine it is one object for
 * each poll, because each poll has a context of its own.
 *
 * A runner may emit if it is the session's newest one and is in charge. While it is being published, by a person or by n8n as it starts, nobody
 * emits, because n8n saves its copy of the state afterwards. A runner that was replaced never emits again, although some versions of n8n still
 * poll it.
 */
export abstract class Runner {
	state: 'publishing' | 'inCharge' | 'replaced' = 'publishing';

	/** While it is being published: the one that is in charge again if that fails; null if there is none. */
	before: Runner | null = null;

	constructor(readonly context: IPollFunctions) {}

	/** Whether this process runs the trigger, so that it keeps what it accepts. */
	abstract isAtWork(): boolean;

	/** Applies a call to the webhook; n8n saves what it changes before it answers. */
	abstract accept(call: IWebhookFunctions, event: CallEvent, rules: WatchRules): Promise<Effect[]>;
}
