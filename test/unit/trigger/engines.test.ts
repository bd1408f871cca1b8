import type { IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import {
	DurablePoll,
	DurablePublication,
} from '../../../nodes/CrossChainBridge/trigger/durableEngine';
import { engineOf } from '../../../nodes/CrossChainBridge/trigger/engines';
import type { PollOccasion } from '../../../nodes/CrossChainBridge/trigger/pollTimes';
import { sessionOf } from '../../../nodes/CrossChainBridge/trigger/session';
import type { TriggerSettings } from '../../../nodes/CrossChainBridge/trigger/settings';
import { isTicking } from '../../../nodes/CrossChainBridge/trigger/ticks';
import { storeWithWorkflow } from '../../../nodes/CrossChainBridge/trigger/store';
import { UsualEngine } from '../../../nodes/CrossChainBridge/trigger/usualEngine';
import { ALL, checked, listed, shown, stateOf } from '../state/states';

/** Which engine runs a poll, and what only the usual one does between polls. What both do is shown by histories and in real n8n-core. */

let nodes = 0;

interface Kind {
	/** n8n keeps the node's data in a table of their own. */
	isStoredApart?: boolean;
	budgetMs?: number;
	/** Another version of this code has driven the registration until now. */
	isDriven?: boolean;
}

/** n8n's context of a registration, and the ticks that it has registered. */
function contextOf({ isStoredApart = false, budgetMs, isDriven = false }: Kind = {}) {
	const node = { id: `node ${++nodes}` };
	const data = { node: isStoredApart ? {} : { __dataChanged: false }, global: {} };
	const ticks: Array<() => void> = [];
	const context = {
		getWorkflow: () => ({ id: 'engines' }),
		getNode: () => node,
		getNodeParameter: () => undefined,
		getWorkflowStaticData: (type: 'node' | 'global') => data[type],
		helpers: { registerCron: (_cron: object, tick: () => void) => ticks.push(tick) },
		...(budgetMs === undefined ? {} : { getPollBudgetMs: () => budgetMs }),
	} as unknown as IPollFunctions;
	const schedule = { onTick: () => undefined };
	if (isDriven) Reflect.set(context, Symbol.for('n8n-nodes-cross-chain-bridge.schedule'), schedule);
	return { context, ticks, schedule };
}

test.each<[string, Kind, Function]>([
	['usual, before 2.38', {}, UsualEngine],
	['usual, whose budget bounds nothing', { budgetMs: 300_000 }, UsualEngine],
	['durable', { budgetMs: 36_000, isStoredApart: true }, DurablePoll],
	['durable, with the state in the workflow', { budgetMs: 36_000 }, DurablePoll],
	['durable, while n8n publishes', { isStoredApart: true }, DurablePublication],
	['usual, after an update of the package', { isStoredApart: true, isDriven: true }, UsualEngine],
])('a poll that is %s', (_what, kind, engine) => {
	const { context } = contextOf(kind);
	expect(engineOf(sessionOf(context), context)).toBeInstanceOf(engine);
});

test('all polls of a usual registration have one engine; it is also the one after a poll of a durable publishing', () => {
	const usual = contextOf();
	const session = sessionOf(usual.context);
	const engine = engineOf(session, usual.context);
	engine.takeOver(null);
	expect(engineOf(session, usual.context)).toBe(engine);
	const published = contextOf({ isStoredApart: true });
	const other = sessionOf(published.context);
	engineOf(other, published.context).takeOver(null);
	expect(engineOf(other, published.context)).toBeInstanceOf(UsualEngine);
});

test.each<[string, Kind, PollOccasion, boolean]>([
	['n8n starts', {}, 'startedByN8n', true],
	['its time has come', {}, 'scheduled', true],
	['a person publishes, which may be overtaken', {}, 'publishedByPerson', false],
	['the durable engine publishes', { isStoredApart: true }, 'startedByN8n', false],
	['the durable engine polls', { budgetMs: 36_000, isStoredApart: true }, 'scheduled', false],
	['other code has driven it', { isStoredApart: true, isDriven: true }, 'scheduled', true],
])('ticks begin before anything is waited for: when %s', (_when, kind, occasion, isStarted) => {
	const { context } = contextOf(kind);
	const engine = engineOf(sessionOf(context), context);
	engine.takeOver(null);
	engine.begin?.(occasion);
	expect(isTicking(context)).toBe(isStarted);
});

test('what n8n saves after a publication of the durable engine has the calls that were accepted meanwhile', () => {
	const { context } = contextOf({ isStoredApart: true });
	const session = sessionOf(context);
	const order = { sourceHash: '0xa', reference: undefined, startedAt: null };
	const call = { writer: 'this process', at: Date.now(), removes: false, orders: [order] };
	const engine = engineOf(session, context);
	engine.takeOver(null);
	session.commits.accepted = [call];
	engine.keep();
	const { crossChainBridgeInbox } = context.getWorkflowStaticData('global');
	expect(crossChainBridgeInbox).toMatchObject({ [context.getNode().id]: [call] });
});

test('a registration that takes over stops the schedule of other code', () => {
	const { context, schedule } = contextOf({ isDriven: true });
	const { onTick } = schedule;
	engineOf(sessionOf(context), context).takeOver(null);
	expect(schedule.onTick).not.toBe(onTick);
});

test.each([
	[null, true],
	[{ ...ALL, redelivers: false }, undefined],
])(
	'a fresh process whose rules are %j redelivers what was kept for that: %j',
	(rules, redelivered) => {
		const { context } = contextOf();
		const rulesBefore = { ...ALL, redelivers: true };
		const now = Date.now();
		const before = checked(stateOf(listed()), shown('completed'), { rules: rulesBefore, now });
		storeWithWorkflow(context, before);
		const session = sessionOf(context);
		engineOf(session, context).takeOver(rules);
		expect(session.watch.state.orders.get('0xa')?.redelivered).toBe(redelivered);
	},
);

describe('a tick', () => {
	function ticking() {
		const { context, ticks } = contextOf();
		const session = sessionOf(context);
		const engine = engineOf(session, context);
		engine.takeOver(null);
		engine.begin?.('startedByN8n');
		const drive = jest.fn();
		const checker = {
			beforeNextTick: drive,
			take: () => [],
			run: () => undefined,
			next: async () => await Promise.resolve(false),
		} as unknown as Checker;
		const settings = { keepChecking: true } as unknown as TriggerSettings;
		Object.assign(session.watch, { checker, settings });
		const check = async () => await engine.check(checker, settings, 0);
		return { session, drive, check, tick: ticks[0] ?? (() => undefined) };
	}

	test('drives the checker only once it has the credential of this registration', async () => {
		const { drive, check, tick } = ticking();
		tick();
		expect(drive).not.toHaveBeenCalled();
		await check();
		tick();
		expect(drive).toHaveBeenCalledTimes(1);
	});

	test('of a registration that was replaced is none', async () => {
		const { session, drive, check, tick } = ticking();
		await check();
		session.engine = null;
		tick();
		expect(drive).not.toHaveBeenCalled();
	});
});

test('the webhook is open while ticks come, and where the durable engine commits the state', () => {
	const at = (kind: Kind) => {
		const { context } = contextOf(kind);
		const engine = engineOf(sessionOf(context), context);
		engine.takeOver(null);
		engine.begin?.('startedByN8n');
		return [0, 5_000, 6_000].map((later) => engine.isAtWork(Date.now() + later - 100));
	};
	expect(at({})).toEqual([true, true, false]);
	expect(at({ budgetMs: 36_000, isStoredApart: true })).toEqual([true, true, true]);
	expect(at({ budgetMs: 36_000 })).toEqual([false, false, false]);
});
