import type { IPollFunctions } from 'n8n-workflow';

import { type LiveWatch, siblingsOf } from './liveWatch';
import type { TriggerSettings } from './settings';
import { keepWatch, type PollEngine } from './stateStore';
import { triggerItem } from './triggerItem';
import { afterLook, type Look, type WatchState } from './watchState';

/** Whose watch it is: n8n's context of the registration, the engine that runs it, and what is known of the watch. */
export interface Watch {
	context: IPollFunctions;
	engine: PollEngine;
	live: LiveWatch;
}

/**
 * Takes one look into the state and starts the workflow if it brought news: told and kept in the same breath, before.
 * A registration that a newer one has replaced takes in nothing.
 */
export function takeIn(watch: Watch, { rules, simplify }: TriggerSettings, key: string, look: Look): void {
	const { context, live } = watch;
	if (live.owner !== context) return;
	const now = Date.now();
	live.lookedAt.set(key, now);
	const before = live.state;
	const { state, news } = afterLook(before, key, look, rules, now);
	changeState(watch, state);
	if (news === null) return;
	let started = false;
	try {
		context.__emit([[{ json: triggerItem({ ...news, detectedAt: now }, simplify) }]]);
		started = true;
	} finally {
		// What n8n did not take was not told.
		if (!started) changeState(watch, { ...before, revision: state.revision + 1 });
	}
}

/** The new state, kept where n8n saves it if there is anything in it worth keeping. */
export function changeState({ context, engine, live }: Watch, state: WatchState): void {
	const isWorthKeeping = state.revision !== live.state.revision;
	live.state = state;
	for (const key of live.lookedAt.keys()) if (!state.orders.has(key)) live.lookedAt.delete(key);
	if (isWorthKeeping) keepWatch(context, engine, state, siblingsOf(context), Date.now());
}
