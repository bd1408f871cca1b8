import type { IDataObject, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Checker } from '../checks/checker';
import type { CheckOutcome } from '../checks/outcome';
import type { PostedOrder } from '../state/postedOrders';
import type { WatchRules, WatchState } from '../state/state';
import type { PollOccasion } from './pollTimes';
import type { TriggerSettings } from './settings';

/** What differs between n8n's two poll engines; `engineOf` chooses one at each poll. */
export interface Engine {
	readonly context: IPollFunctions;
	/** When a poll of the durable engine has to be through, in milliseconds of n8nClock; null for any other. */
	readonly until: number | null;
	/** Puts its registration in charge with the newest state, unless it may not be; null: the rules cannot be read. */
	takeOver(rules: WatchRules | null): void;
	/** Called before the poll waits for anything. */
	begin?(occasion: PollOccasion): void;
	/** Makes the checks that the poll waits for. */
	check(checker: Checker, settings: TriggerSettings, until: number): Promise<void>;
	/** Applies an outcome as soon as the workflow may be started. */
	receive(seen: OutcomeSeen): void;
	/** Starts the workflow with this item, or throws; `undo` is called if n8n drops the start later. */
	start(json: IDataObject, undo: () => void): void;
	/** Puts the state where n8n saves it with the next start. */
	keep(): void;
	/** Called at the end of a poll, also of a failed one. */
	finish?(): Promise<void>;
	isAtWork(now: number): boolean;
	/** The answer to a call to the webhook; n8n saves what it changes before it sends it. */
	accept<Answer>(context: IWebhookFunctions, change: Change<Answer>): Promise<Answer>;
	/** Whether its state is part of the data that the workflow's triggers share. */
	readonly isShared: boolean;
	/** Keys of orders whose final status is yet to be applied. */
	readonly seenFinal?: ReadonlySet<string>;
}

export interface OutcomeSeen {
	/** Hash key. */
	key: string;
	outcome: CheckOutcome;
	/** When the service responded, in milliseconds since 1970. */
	at: number;
}

/** What a call wants to change, and its possible answers. */
export interface Change<Answer> {
	orders: PostedOrder[];
	removes: boolean;
	rules: WatchRules;
	/** `state`: the same one where nothing changes. */
	decide(state: WatchState): { state: WatchState; answer: Answer };
	/** The answer while another process saves a call. */
	busy: Answer;
	/** The answer where nothing more can be kept. */
	full(state: WatchState): Answer;
}
