import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { hashKey } from '../bridge/orders';
import { type LiveWatch, siblingsOf } from './liveWatch';
import { itemForm } from './networkNames';
import type { TriggerSettings } from './settings';
import { keepWatch, type PollEngine } from './stateStore';
import { withoutOldPosted } from './postedOrders';
import { givenUpItem, triggerItem } from './triggerItem';
import type { Turns } from './turns';
import { afterLook, type Look, type WatchState } from './watchState';

/** Whose watch it is: n8n's context of the registration, the engine that runs it, and what is known of the watch. */
export interface Watch {
	context: IPollFunctions;
	engine: PollEngine;
	live: LiveWatch;
	/** In the durable engine: the order in which the poll starts the workflow. */
	turns?: Turns;
}

/**
 * Takes one look into the state and starts the workflow if it brought news: told and kept in the same breath, before.
 * For the owner of the watch alone.
 */
export function takeIn(watch: Watch, settings: TriggerSettings, key: string, look: Look): void {
	const { live } = watch;
	const now = Date.now();
	live.lookedAt.set(key, now);
	const before = live.state;
	const { state, news } = afterLook(before, key, look, settings.rules, now);
	changeState(watch, state);
	if (news !== null) start(watch, before, triggerItem({ ...news, detectedAt: now }, itemForm(live, settings)));
}

/** As `takeIn`, where nobody would catch an error: the next poll shows it. */
export function tryToTakeIn(watch: Watch, settings: TriggerSettings, key: string, look: Look): void {
	try {
		takeIn(watch, settings, key, look);
	} catch (error) {
		watch.live.tickError = error instanceof Error ? error : new Error(String(error));
	}
}

/** Lets posted orders go that nobody waits for any more; those that are given up start the workflow if the user wants to hear of them. */
export function letGo(watch: Watch, settings: TriggerSettings, now: number): void {
	const { state, givenUp } = withoutOldPosted(watch.live.state, settings.rules, watch.live.lookedAt, now);
	changeState(watch, state);
	if (!settings.tellsGivenUp) return;
	for (const [index, order] of givenUp.entries()) {
		// If n8n does not take this one, those after it have not been told either.
		const untold = givenUp.slice(index).map((each) => [hashKey(each.sourceHash), each] as const);
		const orders = new Map([...watch.live.state.orders, ...untold]);
		start(watch, { ...watch.live.state, orders }, givenUpItem(order, now, itemForm(watch.live, settings)));
	}
}

/** Starts the workflow with one item. What n8n did not take was not told: then it is as it was before. */
function start(watch: Watch, before: WatchState, json: IDataObject): void {
	const { context, live, turns } = watch;
	const { lastStart } = live;
	const undo = (): void => {
		live.lastStart = lastStart;
		changeState(watch, { ...before, revision: live.state.revision + 1 });
	};
	let started = false;
	try {
		if (turns === undefined) context.__emit([[{ json }]]);
		else {
			const { response, done } = turns.nextStart(() => live.owner === context && undo());
			context.__emit([[{ json }]], response, done);
		}
		started = true;
		live.lastStart = { revision: live.state.revision, at: Date.now() };
	} finally {
		if (!started) undo();
	}
}

/** The new state, kept where n8n saves it if there is anything in it worth keeping. */
export function changeState({ context, engine, live }: Watch, state: WatchState): void {
	const isWorthKeeping = state.revision !== live.state.revision;
	live.state = state;
	for (const times of [live.askedAt, live.lookedAt]) {
		for (const key of times.keys()) if (!state.orders.has(key)) times.delete(key);
	}
	if (isWorthKeeping) keepWatch(context, engine, state, siblingsOf(context), Date.now());
}
