import type { IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import { setOpenOrders } from '../../../nodes/CrossChainBridge/n8n/driver';
import {
	forgetSession,
	knownSession,
	type Session,
	sessionOf,
} from '../../../nodes/CrossChainBridge/n8n/session';
import { listing, NOW, posting, SECOND, shown } from '../watch/watching';

/** What one process keeps of its triggers. */

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

test('a trigger has one session, whichever registration asks; another node or workflow has its own', () => {
	const session = sessionOf(trigger('a'));
	expect(sessionOf(trigger('a'))).toBe(session);
	expect(sessionOf(trigger('b'))).not.toBe(session);
	expect(sessionOf(trigger('a', 'another'))).not.toBe(session);
	expect(sessionOf(trigger('a', null))).toBe(sessionOf(trigger('a', '')));
});

test('of a refused publishing nothing is left; the other triggers of the workflow stay', () => {
	const stop = jest.fn();
	const a = sessionOf(trigger('a'));
	a.checker = { stop } as unknown as Checker;
	const b = sessionOf(trigger('b'));
	forgetSession(trigger('a'), a);
	expect([knownSession(trigger('a')), knownSession(trigger('b'))]).toEqual([null, b]);
	expect(stop).toHaveBeenCalledTimes(1);
});

describe('the checker checks what is open, and knows when an order was posted', () => {
	function checkedIn({ state }: { state: Session['state'] }): Map<string, object> {
		const session = sessionOf(trigger('a'));
		let orders = new Map<string, object>();
		const setOrders = (open: Map<string, object>) => void (orders = open);
		Object.assign(session, { state, checker: { setOrders } });
		setOpenOrders(session);
		return orders;
	}

	test('an order of the list has no such time; a finished one, and one that has left the list, are not checked', () => {
		const watching = listing(['0xA', '0xB', '0xC']);
		watching.check('0xB', shown('completed'));
		watching.list(['0xA'], { isListByHand: false });
		expect([...checkedIn(watching)]).toEqual([['0xa', { sourceHash: '0xA' }]]);
	});

	test('until the bridge has shown it, the latest post counts; then the first one; a stated beginning always', () => {
		const watching = posting([{ hash: '0xA' }, { hash: '0xB', startedAt: NOW - SECOND }]);
		watching.wait(SECOND).post('0xA');
		const postedAt = () => Reflect.get(checkedIn(watching).get('0xa') ?? {}, 'postedAt') as unknown;
		expect(postedAt()).toBe(NOW + SECOND);
		watching.check('0xA', shown('pending'));
		expect(postedAt()).toBe(NOW);
		expect(checkedIn(watching).get('0xb')).toMatchObject({ startedAt: NOW - SECOND });
	});
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
