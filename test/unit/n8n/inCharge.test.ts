import type { IPollFunctions } from 'n8n-workflow';

import {
	beginPublishing,
	endPublishing,
	keeperOf,
	mayEmit,
	putInCharge,
} from '../../../nodes/CrossChainBridge/n8n/session';
import type { Runner, Session } from '../../../nodes/CrossChainBridge/n8n/session';
import { sessionOf } from '../../../nodes/CrossChainBridge/n8n/session';
import { EMPTY_STATE } from '../../../nodes/CrossChainBridge/watch/state';
import { FakeN8n } from './n8n';

/** Which runner of a trigger may start the workflow, and which one keeps what is accepted. */

const runnerWith = (session: Session, context: IPollFunctions): Runner => ({
	session,
	context,
	state: 'publishing',
	before: null,
	isAtWork: () => true,
	accept: async () => await Promise.resolve([]),
});

function setUp() {
	const n8n = new FakeN8n();
	const { context } = n8n.register(n8n.node());
	const session = sessionOf(context);
	const [one, two, three] = [1, 2, 3].map(() => runnerWith(session, context)) as [
		Runner,
		Runner,
		Runner,
	];
	/** Which of them may emit, and which keeps the state. */
	const now = () => ({
		emit: [one, two, three].map((each) => mayEmit(session, each)),
		keeper: [one, two, three].indexOf(keeperOf(session) ?? three),
	});
	return { session, one, two, three, now };
}

test('nobody emits while the newest runner is being published; then it does alone', () => {
	const { session, one, two, now } = setUp();
	expect(keeperOf(session)).toBeNull();
	beginPublishing(session, one);
	expect([now().emit, keeperOf(session)]).toEqual([[false, false, false], null]);
	putInCharge(session, one, EMPTY_STATE);
	expect(now()).toEqual({ emit: [true, false, false], keeper: 0 });
	beginPublishing(session, two);
	expect(now()).toEqual({ emit: [false, false, false], keeper: 0 });
	putInCharge(session, two, EMPTY_STATE);
	expect(now()).toEqual({ emit: [false, true, false], keeper: 1 });
	expect([one.state, two.before]).toEqual(['replaced', null]);
});

test('after a publishing that was refused, the runner before it continues', () => {
	const { session, one, two, now } = setUp();
	putInCharge(session, one, EMPTY_STATE);
	beginPublishing(session, two);
	endPublishing(session, two);
	expect(now()).toEqual({ emit: [true, false, false], keeper: 0 });
	expect(two.state).toBe('replaced');
	endPublishing(session, one);
	expect(now().emit).toEqual([true, false, false]);
});

test('a person who publishes again before the first time is over replaces that, and if either is refused, that harms nobody', () => {
	const { session, one, two, three, now } = setUp();
	putInCharge(session, one, EMPTY_STATE);
	beginPublishing(session, two);
	beginPublishing(session, three);
	expect(two.state).toBe('replaced');
	endPublishing(session, two);
	expect(now()).toEqual({ emit: [false, false, false], keeper: 0 });
	endPublishing(session, three);
	expect(now()).toEqual({ emit: [true, false, false], keeper: 0 });
});
