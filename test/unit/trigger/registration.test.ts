import type { IPollFunctions } from 'n8n-workflow';

import type { PollOccasion } from '../../../nodes/CrossChainBridge/trigger/engine';
import { startTicksInTime, takeOver } from '../../../nodes/CrossChainBridge/trigger/registration';
import { sessionOf } from '../../../nodes/CrossChainBridge/trigger/session';
import { isTicking } from '../../../nodes/CrossChainBridge/trigger/ticks';

let nodes = 0;

/** n8n's context of a registration; with data of its own, as the durable engine has it, or as part of the workflow's. */
function contextOf(isStoredApart: boolean): IPollFunctions {
	const node = { id: `node ${++nodes}` };
	const data = { node: isStoredApart ? {} : { __dataChanged: false }, global: {} };
	return {
		getWorkflow: () => ({ id: 'registration' }),
		getNode: () => node,
		getWorkflowStaticData: (type: 'node' | 'global') => data[type],
		helpers: { registerCron: () => undefined },
	} as unknown as IPollFunctions;
}

test.each<
	[
		string,
		Partial<{
			engine: 'usual' | 'durable';
			occasion: PollOccasion;
			isFirst: boolean;
			isCommitted: boolean;
		}>,
		boolean,
	]
>([
	['n8n starts', {}, true],
	['its time has come', { occasion: 'scheduled', isFirst: false }, true],
	[
		'a person publishes, since a later publication may overtake this one',
		{ occasion: 'publishedByPerson' },
		false,
	],
	['the durable engine publishes', { isCommitted: true }, false],
	[
		'the usual engine polls again, with the data of the durable one',
		{ occasion: 'scheduled', isFirst: false, isCommitted: true },
		true,
	],
	[
		'the durable engine polls',
		{ engine: 'durable', occasion: 'scheduled', isCommitted: true },
		false,
	],
	[
		'the durable engine polls, with the state in the workflow',
		{ engine: 'durable', occasion: 'scheduled' },
		false,
	],
])('ticks begin before anything is waited for: when %s', (_when, changes, isStarted) => {
	const { engine, occasion, isFirst, isCommitted } = {
		engine: 'usual' as const,
		occasion: 'startedByN8n' as const,
		isFirst: true,
		isCommitted: false,
		...changes,
	};
	const context = contextOf(isCommitted);
	const session = Object.assign(sessionOf(context), { engine, isCommitted });
	startTicksInTime(session, context, { isFirst, occasion });
	expect(isTicking(context)).toBe(isStarted);
});

test('the ticks of other code continue with the first poll of this one, also where the data of the durable engine is used', () => {
	const context = contextOf(true);
	Reflect.set(context, Symbol.for('n8n-nodes-cross-chain-bridge.schedule'), {
		onTick: () => undefined,
	});
	startTicksInTime(Object.assign(sessionOf(context), { isCommitted: true }), context, {
		isFirst: true,
		occasion: 'scheduled',
	});
	expect(isTicking(context)).toBe(true);
});

describe('a registration that takes over', () => {
	test.each([true, false])(
		'stops the schedule of other code (data of its own: %s)',
		(isStoredApart) => {
			const context = contextOf(isStoredApart);
			const done: string[] = [];
			const schedule = { onTick: () => void done.push('old code') };
			Reflect.set(context, Symbol.for('n8n-nodes-cross-chain-bridge.schedule'), schedule);
			takeOver(sessionOf(context), context, null);
			schedule.onTick();
			expect(done).toEqual([]);
		},
	);

	test('does not drive a checker that has the credential of the one before', () => {
		const context = contextOf(false);
		const session = Object.assign(sessionOf(context), { isConnected: true });
		takeOver(session, context, null);
		expect(session.isConnected).toBe(false);
	});
});
