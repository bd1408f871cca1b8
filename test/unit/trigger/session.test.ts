import type { IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import { EMPTY_STATE } from '../../../nodes/CrossChainBridge/state/state';
import type { Engine } from '../../../nodes/CrossChainBridge/trigger/engine';
import {
	beginPublishing,
	isInCharge,
	putInCharge,
} from '../../../nodes/CrossChainBridge/trigger/registration';
import {
	forgetSession,
	knownSession,
	type Session,
	sessionOf,
	setOpenOrders,
} from '../../../nodes/CrossChainBridge/trigger/session';
import type { TriggerSettings } from '../../../nodes/CrossChainBridge/trigger/settings';

/** What one process keeps of its triggers. */

const MINUTE = 60_000;
const SETTINGS = {
	rules: { events: ['completed'], includeFinished: true },
} as unknown as TriggerSettings;
let now = Date.now();
let workflows = 0;
let workflowId = '';
beforeEach(() => {
	// Whatever an earlier test has left is abandoned by now.
	now += 1000 * MINUTE;
	workflowId = `workflow ${++workflows}`;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	void sessionOf(trigger('first'));
	forgetSession(trigger('first'));
});
afterEach(() => void jest.restoreAllMocks());

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
	beginPublishing(session, older.context);
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

describe('a session that was silent for long', () => {
	/** Sessions are swept when another one is made. */
	const sweep = () => void sessionOf(trigger('sweeper', 'sweeper'));
	const isKnown = (nodeId = 'a') => knownSession(trigger(nodeId)) !== null;

	/** Another trigger comes once a minute, so the process was not suspended. */
	function othersCome(minutes: number): void {
		for (let minute = 0; minute < minutes; minute++) {
			now += MINUTE;
			sessionOf(trigger('alive', 'alive')).registration.aliveAt = now;
		}
	}
	beforeEach(() => othersCome(80));

	function silent(more: Partial<Session['registration']>, done: string[] = []): void {
		const session = sessionOf(trigger('a'));
		Object.assign(session.registration, { aliveAt: 0, ...more });
		session.watch.checker = checkerThat(done);
	}

	test.each<[string, () => Partial<Session['registration']>, boolean]>([
		['for seventy minutes', () => ({ aliveAt: now - 69 * MINUTE }), false],
		['for less', () => ({ aliveAt: now - 69 * MINUTE + 1 }), true],
	])('%s: kept or dropped', (_what, more, isKept) => {
		const done: string[] = [];
		silent(more(), done);
		now += MINUTE;
		sweep();
		expect([isKnown(), done]).toEqual([isKept, []]);
		forgetSession(trigger('a'));
	});

	test('is swept once a minute, not more often', () => {
		silent({});
		now += MINUTE - 1;
		sweep();
		expect(isKnown()).toBe(true);
		now += 1;
		sweep();
		expect(isKnown()).toBe(false);
	});

	test('stays as long as another trigger of its workflow is alive', () => {
		silent({});
		const { registration } = sessionOf(trigger('b'));
		now += MINUTE;
		registration.aliveAt = now;
		sweep();
		expect([isKnown('a'), isKnown('b')]).toEqual([true, true]);
		registration.aliveAt = now - 71 * MINUTE;
		now += MINUTE;
		sweep();
		expect([isKnown('a'), isKnown('b')]).toEqual([false, false]);
	});
});
