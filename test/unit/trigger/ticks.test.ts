import type { IPollFunctions } from 'n8n-workflow';

import {
	isDrivenByOtherCode,
	isTicking,
	startTicks,
	stopOtherCode,
} from '../../../nodes/CrossChainBridge/trigger/ticks';

/** What n8n's scheduler drives between polls. That ticks check and emit is shown with the real scheduler, in test/engine. */

let nodes = 0;
const nothing = () => undefined;

/** A registration, and the schedules that it has registered. */
function registration() {
	const node = { id: `node ${++nodes}` };
	const schedules: Array<{ expression: string; tick: () => void }> = [];
	const context = {
		getWorkflow: () => ({ id: 'ticks' }),
		getNode: () => node,
		helpers: {
			registerCron: ({ expression }: { expression: string }, tick: () => void) =>
				schedules.push({ expression, tick }),
		},
	};
	return { context: context as unknown as IPollFunctions, schedules };
}

test('a registration is called once a second, by one schedule', () => {
	const { context, schedules } = registration();
	expect([isTicking(context), isDrivenByOtherCode(context)]).toEqual([false, false]);
	const starts = [1, 2].map(() => startTicks(context, nothing));
	expect(starts).toEqual([true, false]);
	expect(schedules.map(({ expression }) => expression)).toEqual(['* * * * * *']);
	expect([isTicking(context), isDrivenByOtherCode(context)]).toEqual([true, false]);
});

test('an n8n without a scheduler for polls has no ticks', () => {
	const { context } = registration();
	Object.assign(context, { helpers: {} });
	expect(startTicks(context, nothing)).toBe(false);
	expect(isTicking(context)).toBe(false);
});

describe('an update of the package, whose new code finds the schedule of the old one', () => {
	const NAME = Symbol.for('n8n-nodes-cross-chain-bridge.schedule');

	/** A registration that old code drives. */
	function drivenBefore() {
		const { context, schedules } = registration();
		const done: string[] = [];
		const schedule = { onTick: () => void done.push('old code') };
		Reflect.set(context, NAME, schedule);
		return { context, schedules, done, schedule };
	}

	test('continues with the same schedule, since n8n accepts none twice', () => {
		const { context, schedules, done, schedule } = drivenBefore();
		const { onTick } = schedule;
		startTicks(context, nothing);
		expect(schedule.onTick).not.toBe(onTick);
		schedule.onTick();
		const expected = [[], [], true, false];
		expect([schedules, done, isTicking(context), isDrivenByOtherCode(context)]).toEqual(expected);
	});

	test('never stops what it drives itself', () => {
		const { context } = registration();
		startTicks(context, nothing);
		const schedule = Reflect.get(context, NAME) as { onTick: () => void };
		const { onTick } = schedule;
		stopOtherCode(context);
		expect(schedule.onTick).toBe(onTick);
	});

	test('has nothing to stop at a registration without ticks', () => {
		const { context } = registration();
		stopOtherCode(context);
		expect(Reflect.get(context, NAME)).toBeUndefined();
	});
});
