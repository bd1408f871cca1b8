import type { IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import { EMPTY_STATE } from '../../../nodes/CrossChainBridge/state/state';
import {
	countSessions,
	forgetSession,
	isInCharge,
	keepSession,
	noteDurablePoll,
	sessionAtWork,
	sessionOf,
	sessionToCome,
	setOpenOrders,
	siblingsOf,
	type Session,
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

test('a fresh session knows nothing, and may not emit', () => {
	const session = sessionOf(trigger('a'));
	expect(session).toMatchObject({
		state: EMPTY_STATE,
		context: null,
		checker: null,
		pending: [],
		polledAt: now,
		inbox: [],
		lastEmit: { revision: 0, at: 0 },
	});
	expect(isInCharge(session, trigger('a'))).toBe(false);
});

test('only the registration in charge may emit, and nobody while another one is being published', () => {
	const [older, newer] = [trigger('a'), trigger('a')];
	const session = sessionOf(older);
	session.context = newer;
	expect([isInCharge(session, older), isInCharge(session, newer)]).toEqual([false, true]);
	session.candidate = older;
	expect(isInCharge(session, newer)).toBe(false);
});

test('a session that was made elsewhere becomes the trigger’s own', () => {
	const other: Session = { ...sessionOf(trigger('other')), tickedAt: now };
	expect(keepSession(trigger('a'), other)).toBe(other);
	expect(sessionOf(trigger('a'))).toBe(other);
});

test('of a refused publishing nothing is left; the other triggers of the workflow stay', () => {
	const before = countSessions();
	const done: string[] = [];
	const [a, b] = [sessionOf(trigger('a')), sessionOf(trigger('b'))];
	a.checker = checkerThat(done);
	forgetSession(trigger('a'));
	expect([done, countSessions() - before]).toEqual([['stop'], 1]);
	expect(sessionOf(trigger('b'))).toBe(b);
	expect(sessionOf(trigger('a'))).not.toBe(a);
	forgetSession(trigger('a'));
	forgetSession(trigger('b'));
	forgetSession(trigger('b'));
	expect(countSessions()).toBe(before);
});

describe('a trigger is at work', () => {
	test.each<[string, Partial<Session>, boolean]>([
		['whose ticks come', { settings: SETTINGS, tickedAt: 0 }, true],
		['whose last tick came five seconds ago', { settings: SETTINGS, tickedAt: -5_000 }, true],
		['whose ticks stay away', { settings: SETTINGS, tickedAt: -5_001 }, false],
		['that has not polled yet', { settings: null, tickedAt: 0 }, false],
		[
			'of the durable engine, which has no ticks',
			{ settings: SETTINGS, engine: 'durable', isCommitted: true, tickedAt: -MINUTE },
			true,
		],
		[
			'of the durable engine whose state is kept with the workflow',
			{ settings: SETTINGS, engine: 'durable', isCommitted: false, tickedAt: 0 },
			false,
		],
	])('%s: %j, %s', (_what, session, isAtWork) => {
		Object.assign(sessionOf(trigger('a')), session, { tickedAt: now + (session.tickedAt ?? 0) });
		expect(sessionAtWork(trigger('a'), now)).toEqual(
			isAtWork ? { session: sessionOf(trigger('a')), settings: SETTINGS } : null,
		);
	});

	test('only in the process that knows it', () => {
		expect(sessionAtWork(trigger('unknown'), now)).toBeNull();
	});
});

test('a call may come before the first poll, once the process has seen that the durable engine runs its triggers', () => {
	const read = () => SETTINGS;
	expect(sessionToCome(trigger('a'), read)).toBeNull();
	noteDurablePoll();
	expect(sessionToCome(trigger('a'), () => null)).toBeNull();
	const { session, settings } = sessionToCome(trigger('a'), read) ?? {};
	expect(settings).toBe(SETTINGS);
	expect(session).toMatchObject({ engine: 'durable', isCommitted: true, settings: SETTINGS });
	expect(sessionOf(trigger('a'))).toBe(session);
	expect(sessionToCome(trigger('a'), read)).toBeNull();
});

test('the states of the workflow’s triggers are the newest in memory, but not where the committed one is the truth', () => {
	expect(siblingsOf(trigger('a'))).toEqual([]);
	const [a, b, c] = ['a', 'b', 'c'].map((id) => sessionOf(trigger(id)));
	Object.assign(b ?? {}, { isCommitted: true });
	sessionOf(trigger('a', 'another workflow'));
	expect(siblingsOf(trigger('b'))).toEqual([
		{ nodeId: 'a', state: a?.state },
		{ nodeId: 'c', state: c?.state },
	]);
});

test('the checker checks what is open under the present settings, once there are any', () => {
	const done: string[] = [];
	const session = sessionOf(trigger('a'));
	session.checker = checkerThat(done);
	setOpenOrders(session);
	session.settings = SETTINGS;
	setOpenOrders(session);
	session.checker = null;
	setOpenOrders(session);
	expect(done).toEqual(['']);
});

describe('a session that was silent for long', () => {
	/** Sessions are swept when another one is made. */
	const sweep = () => void sessionOf(trigger('sweeper', 'sweeper'));
	const isKnown = (session: Session) =>
		siblingsOf(trigger('a')).some(({ state }) => state === session.state);

	/** Another trigger comes once a minute, so the process was not suspended. */
	function othersCome(minutes: number): void {
		for (let minute = 0; minute < minutes; minute++) {
			now += MINUTE;
			const other = sessionOf(trigger('alive', 'alive'));
			other.polledAt = now;
			keepSession(trigger('alive', 'alive'), other);
		}
	}
	beforeEach(() => othersCome(80));

	function silent(more: Partial<Session>, done: string[] = []): Session {
		const session = sessionOf(trigger('a'));
		return Object.assign(session, {
			state: { ...EMPTY_STATE },
			checker: checkerThat(done),
			tickedAt: 0,
			polledAt: 0,
			...more,
		});
	}

	test.each<[string, () => Partial<Session>, boolean]>([
		[
			'for ten minutes',
			() => ({ tickedAt: now - 10 * MINUTE, polledAt: now - 11 * MINUTE }),
			false,
		],
		['for less', () => ({ tickedAt: now - 10 * MINUTE + 1 }), true],
		['but for a poll', () => ({ tickedAt: now - 11 * MINUTE, polledAt: now - MINUTE }), true],
		['while a poll is under way', () => ({ polls: new Set([trigger('a')]) }), true],
		[
			'for an hour, of the durable engine',
			() => ({ engine: 'durable', polledAt: now - 70 * MINUTE + 1 }),
			true,
		],
		[
			'for more, of the durable engine',
			() => ({ engine: 'durable', polledAt: now - 70 * MINUTE }),
			false,
		],
	])('%s: kept or dropped, and paused if dropped', (_what, more, isKept) => {
		const done: string[] = [];
		const session = silent(more(), done);
		now += MINUTE;
		Object.assign(session, {
			tickedAt: session.tickedAt + MINUTE,
			polledAt: session.polledAt + MINUTE,
		});
		sweep();
		expect([isKnown(session), done]).toEqual(isKept ? [true, []] : [false, ['pause']]);
		session.polls.clear();
	});

	test('is swept once a minute, not more often', () => {
		const session = silent({});
		now += MINUTE - 1;
		sweep();
		expect(isKnown(session)).toBe(true);
		now += 1;
		void sessionOf(trigger('another', 'another sweeper'));
		expect(isKnown(session)).toBe(false);
	});

	test('stays as long as another trigger of its workflow is alive, but checks nothing', () => {
		const done: string[] = [];
		const session = silent({}, done);
		const other = sessionOf(trigger('b'));
		now += MINUTE;
		other.polledAt = now;
		sweep();
		expect([isKnown(session), siblingsOf(trigger('a')).map(({ nodeId }) => nodeId), done]).toEqual([
			true,
			['a', 'b'],
			['pause'],
		]);
		other.polledAt = now - 11 * MINUTE;
		now += MINUTE;
		void sessionOf(trigger('another', 'another sweeper'));
		expect([isKnown(session), isKnown(other)]).toEqual([false, false]);
	});

	test('is dropped also where only known ones come, as in the durable engine', () => {
		const session = silent({ engine: 'durable', polledAt: now });
		const other = sessionOf(trigger('alive', 'alive'));
		for (let minute = 0; minute < 75; minute++) {
			now += MINUTE;
			sessionOf(trigger('alive', 'alive')).polledAt = now;
		}
		expect([isKnown(session), sessionOf(trigger('alive', 'alive')) === other]).toEqual([
			false,
			true,
		]);
	});

	test('stays where all were silent, as in a suspended computer, until only it is silent', () => {
		const session = silent({ tickedAt: now });
		now += 24 * 60 * MINUTE;
		sweep();
		expect(isKnown(session)).toBe(true);
		othersCome(9);
		expect(isKnown(session)).toBe(true);
		othersCome(1);
		expect(isKnown(session)).toBe(false);
	});
});
