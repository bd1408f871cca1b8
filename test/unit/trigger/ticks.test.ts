import type { IPollFunctions } from 'n8n-workflow';

import { sessionOf } from '../../../nodes/CrossChainBridge/trigger/session';
import {
	isDrivenByOtherCode,
	isTicking,
	startTicks,
	stopOtherCode,
} from '../../../nodes/CrossChainBridge/trigger/ticks';

/** What n8n's scheduler drives between polls. That ticks check and emit is shown with the real scheduler, in test/engine. */

let nodes = 0;

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
	const session = sessionOf(context);
	expect([isTicking(context), isDrivenByOtherCode(context)]).toEqual([false, false]);
	startTicks(session, context);
	startTicks(session, context);
	expect(schedules.map(({ expression }) => expression)).toEqual(['* * * * * *']);
	expect([isTicking(context), isDrivenByOtherCode(context)]).toEqual([true, false]);
	// The webhook goes by this: it accepts orders from now on, not from the first tick on.
	expect(session.tickedAt).toBeGreaterThan(0);
});

test('an n8n without a scheduler for polls has no ticks', () => {
	const { context } = registration();
	Object.assign(context, { helpers: {} });
	startTicks(sessionOf(context), context);
	expect(isTicking(context)).toBe(false);
});

test('a tick of a registration that was replaced, or before the first poll has read the fields, is none', () => {
	const { context, schedules } = registration();
	const session = sessionOf(context);
	startTicks(session, context);
	session.tickedAt = 0;
	schedules[0]?.tick();
	session.context = context;
	schedules[0]?.tick();
	expect(session.tickedAt).toBe(0);
});

test.each([true, false])(
	'a tick drives the checker only once it has the credential of this registration (%s)',
	(isConnected) => {
		const { context, schedules } = registration();
		const session = sessionOf(context);
		const drive = jest.fn(async () => undefined);
		Object.assign(session, {
			context,
			isConnected,
			settings: { keepChecking: true },
			checker: { tick: drive },
		});
		startTicks(session, context);
		schedules[0]?.tick();
		expect(drive).toHaveBeenCalledTimes(isConnected ? 1 : 0);
	},
);

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

	test('stops the old code', () => {
		const { context, done, schedule } = drivenBefore();
		expect(isDrivenByOtherCode(context)).toBe(true);
		stopOtherCode(context);
		schedule.onTick();
		expect(done).toEqual([]);
	});

	test('continues with the same schedule, since n8n accepts none twice', () => {
		const { context, schedules, done, schedule } = drivenBefore();
		const { onTick } = schedule;
		startTicks(sessionOf(context), context);
		expect(schedule.onTick).not.toBe(onTick);
		schedule.onTick();
		expect([schedules, done, isTicking(context), isDrivenByOtherCode(context)]).toEqual([
			[],
			[],
			true,
			false,
		]);
	});

	test('never stops what it drives itself', () => {
		const { context } = registration();
		startTicks(sessionOf(context), context);
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
