import type { IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import { EMPTY_STATE } from '../../../nodes/CrossChainBridge/state/state';
import type { Engine } from '../../../nodes/CrossChainBridge/trigger/engine';
import { isInCharge, putInCharge } from '../../../nodes/CrossChainBridge/trigger/registration';
import {
	forgetSession,
	knownSession,
	sessionOf,
	setOpenOrders,
} from '../../../nodes/CrossChainBridge/trigger/session';
import type { TriggerSettings } from '../../../nodes/CrossChainBridge/trigger/settings';

/** What one process keeps of its triggers. */

const SETTINGS = {
	rules: { events: ['completed'], includeFinished: true },
} as unknown as TriggerSettings;
let workflows = 0;
let workflowId = '';
beforeEach(() => {
	workflowId = `workflow ${++workflows}`;
});

const trigger = (nodeId: string, id: string | null = workflowId) =>
	({
		getWorkflow: () => ({ id: id ?? undefined }),
		getNode: () => ({ id: nodeId }),
	}) as unknown as IPollFunctions;

/** Notes which of its methods were called. */
function checkerThat(done: string[]): Checker {
	return {
		pause: () => done.push('pause'),
		stop: () => done.push('stop'),
		setOrders: (orders: Map<string, unknown>) => done.push([...orders.keys()].join()),
	} as unknown as Checker;
}

test('a trigger has one session, whichever registration asks; another node or workflow has its own', () => {
	const session = sessionOf(trigger('a'));
	expect(sessionOf(trigger('a'))).toBe(session);
	expect(sessionOf(trigger('b'))).not.toBe(session);
	expect(sessionOf(trigger('a', 'another'))).not.toBe(session);
	expect(sessionOf(trigger('a', null))).toBe(sessionOf(trigger('a', '')));
});

test('only the registration in charge may emit, and nobody while another one is being published', () => {
	const [older, newer] = [{ context: trigger('a') } as Engine, { context: trigger('a') } as Engine];
	const session = sessionOf(older.context);
	putInCharge(session, newer, EMPTY_STATE);
	expect([isInCharge(session, older), isInCharge(session, newer)]).toEqual([false, true]);
	session.candidate = older.context;
	expect(isInCharge(session, newer)).toBe(false);
});

test('of a refused publishing nothing is left; the other triggers of the workflow stay', () => {
	const done: string[] = [];
	sessionOf(trigger('a')).watch.checker = checkerThat(done);
	const b = sessionOf(trigger('b'));
	forgetSession(trigger('a'));
	const expected = [['stop'], null, b];
	expect([done, knownSession(trigger('a')), knownSession(trigger('b'))]).toEqual(expected);
});

test('the checker checks what is open under the present settings, once there are any', () => {
	const done: string[] = [];
	const session = sessionOf(trigger('a'));
	session.watch.checker = checkerThat(done);
	setOpenOrders(session);
	session.watch.settings = SETTINGS;
	setOpenOrders(session);
	session.watch.checker = null;
	setOpenOrders(session);
	expect(done).toEqual(['']);
});

describe('a new trigger', () => {
	const MINUTE = 60_000;
	let now = Date.now();
	beforeEach(() => void jest.spyOn(Date, 'now').mockImplementation(() => now));
	afterEach(() => void jest.restoreAllMocks());
	const isKnown = (nodeId: string) => knownSession(trigger(nodeId)) !== null;
	const another = () => void sessionOf(trigger('new', `${workflowId}, another`));

	test.each([
		[70 * MINUTE - 1, true],
		[70 * MINUTE, false],
	])('finds a workflow that was silent for %d ms: kept %p', (ms, isKept) => {
		sessionOf(trigger('a'));
		now += ms;
		another();
		expect(isKnown('a')).toBe(isKept);
	});

	test('leaves a silent one whose workflow is alive', () => {
		const a = sessionOf(trigger('a'));
		const b = sessionOf(trigger('b'));
		now += 70 * MINUTE;
		b.aliveAt = now - MINUTE;
		another();
		expect([isKnown('a'), isKnown('b')]).toEqual([true, true]);
		expect(sessionOf(trigger('a'))).toBe(a);
	});
});
