import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { ALL, posting, withListOf } from '../state/states';
import { EMPTY_STATE } from '../../../nodes/CrossChainBridge/state/state';
import type { Engine } from '../../../nodes/CrossChainBridge/trigger/engine';
import {
	type Session,
	sessionOf,
	takeUncaught,
} from '../../../nodes/CrossChainBridge/trigger/session';
import type { TriggerSettings } from '../../../nodes/CrossChainBridge/trigger/settings';
import { UsualEngine } from '../../../nodes/CrossChainBridge/trigger/usualEngine';
import { applyOutcome } from '../../../nodes/CrossChainBridge/trigger/watch';

/** The state first, then the workflow; and what becomes of an event that n8n does not accept. */

const display = { tokenDecimals: new Map(), explorers: new Map() };
const ANY = { rules: { ...ALL, emitsWatchExpired: true }, simplify: true, display };
const SETTINGS = ANY as unknown as TriggerSettings;
const COMPLETED: CheckOutcome = { kind: 'order', order: { status: 'completed' } };
const PENDING: CheckOutcome = { kind: 'order', order: { status: 'pending' } };
let workflows = 0;

const apply = (session: Session, key: string, outcome: CheckOutcome) =>
	applyOutcome(session, session.engine as Engine, { key, outcome, at: Date.now() });

interface Emitted {
	json: IDataObject;
	/** The finished orders in the data that n8n saves with it. */
	saved: unknown;
}

/** A trigger that watches these orders, in n8n's usual engine. */
function watching(...hashes: string[]) {
	const data: Record<string, IDataObject> = { node: {}, global: {} };
	const emitted: Emitted[] = [];
	const errors: unknown[] = [];
	const id = `emit ${++workflows}`;
	const context = {
		getWorkflow: () => ({ id }),
		getNode: () => ({ id: 'node' }),
		getWorkflowStaticData: (type: string) => data[type],
		__emit: (items: INodeExecutionData[][]) => {
			if (errors.length > 0) throw errors.shift();
			const kept = data.global?.crossChainBridgeWatches as { watches: IDataObject[] };
			emitted.push({ json: items[0]?.[0]?.json ?? {}, saved: kept.watches[0]?.finished });
		},
	} as unknown as IPollFunctions;
	const session = sessionOf(context);
	session.engine = new UsualEngine(session, context);
	session.watch.settings = SETTINGS;
	session.watch.state = withListOf(EMPTY_STATE, hashes, 1);
	const events = () => emitted.map(({ json }) => [json.sourceHash, json.event]);
	const open = () => [...session.watch.state.orders.keys()];
	return { session, emitted, events, open, errors };
}

test('n8n has the event as emitted in its data before the workflow starts', () => {
	const { session, emitted, events, open } = watching('0xa', '0xb');
	apply(session, '0xa', COMPLETED);
	expect([events(), open(), session.watch.uncaught]).toEqual([
		[['0xa', 'completed']],
		['0xb'],
		null,
	]);
	expect(emitted[0]?.saved).toEqual([
		[expect.any(String), 'completed', expect.any(Number), 'emitted', 'listed'],
	]);
	apply(session, '0xa', COMPLETED);
	expect(events()).toHaveLength(1);
});

test('an open order changes the state and starts nothing', () => {
	const { session, events } = watching('0xa');
	apply(session, '0xa', PENDING);
	expect([events(), session.watch.state.orders.get('0xa')?.status]).toEqual([[], 'pending']);
});

test.each<[string, unknown, string]>([
	['an error', new Error('no execution'), 'no execution'],
	['something else', 'no execution', 'no execution'],
])('where n8n throws %s at an event, it is shown and comes again', (_what, thrown, message) => {
	const { session, events, open, errors } = watching('0xa');
	apply(session, '0xa', PENDING);
	const { revision } = session.watch.state;
	errors.push(thrown);
	apply(session, '0xa', COMPLETED);
	const expected = [expect.objectContaining({ message }), null];
	expect([takeUncaught(session.watch), takeUncaught(session.watch)]).toEqual(expected);
	expect([events(), open()]).toEqual([[], ['0xa']]);
	expect(session.watch.state.orders.get('0xa')?.status).toBe('pending');
	// Newer than what was stored with the event.
	expect(session.watch.state.revision).toBeGreaterThan(revision + 1);
	apply(session, '0xa', COMPLETED);
	expect(events()).toEqual([['0xa', 'completed']]);
});

test('before the first poll has read the fields nothing is applied', () => {
	const { session, events, open } = watching('0xa');
	session.watch.settings = null;
	apply(session, '0xa', COMPLETED);
	expect([events(), open()]).toEqual([[], ['0xa']]);
});

test.each<[string, CheckOutcome, unknown, string[]]>([
	['a finished order', COMPLETED, null, ['0xb']],
	['one whose event n8n has not accepted', COMPLETED, new Error('no'), ['0xa,0xb']],
	['an open one', PENDING, null, []],
	['one that is not found', { kind: 'notFound' }, null, []],
])('the checks continue with what is open after %s', (_what, outcome, error, orders) => {
	const { session, errors } = watching('0xa', '0xb');
	const set: string[] = [];
	session.watch.checker = {
		service: {},
		setOrders: (open: Map<string, unknown>) => set.push([...open.keys()].join()),
	} as unknown as Checker;
	if (error !== null) errors.push(error);
	apply(session, '0xa', outcome);
	expect(set).toEqual(orders);
});

test('an order whose watch expires stays until n8n accepts its event', () => {
	const at = Date.now();
	const { session, events, open, errors } = watching();
	session.watch.state = posting(EMPTY_STATE, ['0xa'], { now: at - 49 * 3_600_000 }).state;
	errors.push(new Error('no execution'));
	const seen = { key: '0xa', outcome: { kind: 'notFound' }, at } as const;
	applyOutcome(session, session.engine as Engine, seen);
	expect([events(), open(), session.watch.uncaught?.message]).toEqual([
		[],
		['0xa'],
		'no execution',
	]);
	applyOutcome(session, session.engine as Engine, seen);
	expect([events(), open()]).toEqual([[['0xa', 'watchExpired']], []]);
});
