import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { VirtualClock } from '../../virtualClock';
import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import type { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { withListOf } from '../state/listing';
import { withPosted } from '../../../nodes/CrossChainBridge/state/postedOrders';
import { EMPTY_STATE, type WatchRules } from '../../../nodes/CrossChainBridge/state/state';
import { CommitQueue, type StartReport } from '../../../nodes/CrossChainBridge/trigger/commitQueue';
import {
	expireOrders,
	takeUncaught,
	tryToApply,
} from '../../../nodes/CrossChainBridge/trigger/emit';
import { type Session, sessionOf } from '../../../nodes/CrossChainBridge/trigger/session';
import type { TriggerSettings } from '../../../nodes/CrossChainBridge/trigger/settings';

const commitQueueOf = (clock: VirtualClock) =>
	new CommitQueue(
		clock,
		() => undefined,
		() => true,
	);

/** The state first, then the workflow; and what becomes of an event that n8n does not accept. */

const RULES: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const SETTINGS = {
	rules: RULES,
	simplify: true,
	display: { tokenDecimals: new Map(), explorers: new Map() },
	emitsWatchExpired: true,
} as unknown as TriggerSettings;
const COMPLETED: CheckOutcome = { kind: 'order', order: { status: 'completed' } };
const PENDING: CheckOutcome = { kind: 'order', order: { status: 'pending' } };
let workflows = 0;

const apply = (session: Session, key: string, outcome: CheckOutcome) =>
	tryToApply(session, { key, outcome, at: Date.now() });

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
	const starts: StartReport[] = [];
	const context = {
		getWorkflow: () => ({ id }),
		getNode: () => ({ id: 'node' }),
		getWorkflowStaticData: (type: string) => data[type],
		__emit: (
			items: INodeExecutionData[][],
			response?: StartReport['response'],
			done?: StartReport['done'],
		) => {
			if (errors.length > 0) throw errors.shift();
			const [watch] = (
				data.global?.crossChainBridgeWatches as { watches: IDataObject[] } | undefined
			)?.watches ?? [data.node?.watch as IDataObject];
			emitted.push({ json: items[0]?.[0]?.json ?? {}, saved: watch?.finished });
			if (response !== undefined && done !== undefined) starts.push({ response, done });
		},
	} as unknown as IPollFunctions;
	const session: Session = Object.assign(sessionOf(context), {
		context,
		settings: SETTINGS,
		state: withListOf(EMPTY_STATE, hashes, 1),
	});
	const events = () => emitted.map(({ json }) => [json.sourceHash, json.event]);
	const open = () => [...session.state.orders.keys()];
	return { session, context, emitted, events, open, errors, starts };
}

test('n8n has the event as emitted in its data before the workflow starts', () => {
	const { session, emitted, events, open } = watching('0xa', '0xb');
	apply(session, '0xa', COMPLETED);
	expect([events(), open(), session.uncaught]).toEqual([[['0xa', 'completed']], ['0xb'], null]);
	expect(emitted[0]?.saved).toEqual([
		[expect.any(String), 'completed', expect.any(Number), 'emitted', 'listed'],
	]);
	expect(session.lastEmit).toEqual({ revision: session.state.revision, at: expect.any(Number) });
	apply(session, '0xa', COMPLETED);
	expect(events()).toHaveLength(1);
});

test('an open order changes the state and starts nothing', () => {
	const { session, events } = watching('0xa');
	apply(session, '0xa', PENDING);
	expect([events(), session.state.orders.get('0xa')?.status, session.lastEmit]).toEqual([
		[],
		'pending',
		{ revision: 0, at: 0 },
	]);
});

test.each<[string, unknown, string]>([
	['an error', new Error('no execution'), 'no execution'],
	['something else', 'no execution', 'no execution'],
])(
	'where n8n throws %s instead of accepting an event, the order stays, the next poll shows it, and the event comes again',
	(_what, thrown, message) => {
		const { session, events, open, errors } = watching('0xa');
		apply(session, '0xa', PENDING);
		const { revision } = session.state;
		errors.push(thrown);
		apply(session, '0xa', COMPLETED);
		expect([takeUncaught(session), takeUncaught(session)]).toEqual([
			expect.objectContaining({ message }),
			null,
		]);
		expect([events(), open(), session.lastEmit]).toEqual([[], ['0xa'], { revision: 0, at: 0 }]);
		expect(session.state.orders.get('0xa')?.status).toBe('pending');
		// Newer than what was stored with the event.
		expect(session.state.revision).toBeGreaterThan(revision + 1);
		apply(session, '0xa', COMPLETED);
		expect(events()).toEqual([['0xa', 'completed']]);
	},
);

test('before the first poll has read the fields nothing is applied', () => {
	const { session, events, open } = watching('0xa');
	session.settings = null;
	apply(session, '0xa', COMPLETED);
	expireOrders(session, Date.now());
	expect([events(), open()]).toEqual([[], ['0xa']]);
});

test.each<[string, CheckOutcome, string[]]>([
	['a finished order', COMPLETED, ['0xb']],
	['an open one', PENDING, []],
	['one that is not found', { kind: 'notFound' }, []],
])('the checks continue with what is open after %s', (_what, outcome, orders) => {
	const { session } = watching('0xa', '0xb');
	const set: string[] = [];
	session.checker = {
		service: {},
		setOrders: (open: Map<string, unknown>) => set.push([...open.keys()].join()),
	} as unknown as Checker;
	apply(session, '0xa', outcome);
	expect(set).toEqual(orders);
});

test('the checks continue with an order whose event n8n has not accepted', () => {
	const { session, errors } = watching('0xa');
	const set: string[] = [];
	session.checker = {
		service: {},
		setOrders: (open: Map<string, unknown>) => set.push([...open.keys()].join()),
	} as unknown as Checker;
	errors.push(new Error('no'));
	apply(session, '0xa', COMPLETED);
	expect(set).toEqual(['0xa']);
});

describe('the names in an item', () => {
	const account = {} as never;
	const names = { account, networks: [{ chainID: 1, name: 'Ethereum' }] };
	const outcome: CheckOutcome = {
		kind: 'order',
		order: { status: 'completed', input: { chainId: 1 } },
	};
	const checkerOf = (budget: unknown) =>
		({ service: { budget }, setOrders: () => undefined }) as unknown as Checker;

	test.each<[string, Partial<Session>, string | null]>([
		['known of the account in use', { names, checker: checkerOf(account) }, 'Ethereum → ?'],
		['known, and nothing has been checked yet', { names, checker: null }, 'Ethereum → ?'],
		[
			'known of an account that is no longer in use',
			{ names, checker: checkerOf({}) },
			'network 1 → ?',
		],
		['not known', { names: null, checker: checkerOf(account) }, 'network 1 → ?'],
	])('%s', (_what, known, route) => {
		const { session, emitted } = watching('0xa');
		Object.assign(session, known);
		apply(session, '0xa', outcome);
		expect(emitted[0]?.json).toMatchObject({ route });
	});

	test('the user’s explorers stand beside them', () => {
		const { session, emitted } = watching('0xa');
		session.settings = {
			...SETTINGS,
			display: { ...PLAIN_DISPLAY, explorers: new Map([['1', 'https://etherscan.io/tx/']]) },
		};
		apply(session, '0xa', {
			kind: 'order',
			order: { status: 'completed', input: { chainId: 1, txHash: '0x5' } },
		});
		expect(emitted[0]?.json).toMatchObject({ link: 'https://etherscan.io/tx/0x5' });
	});
});

describe('orders whose watch expires', () => {
	const NOW = Date.parse('2026-01-10T00:00:00Z');
	const POSTED = NOW - 49 * 3_600_000;

	/** A trigger to which these were posted long ago; the service has said until now that it does not know them. */
	function unfound(...hashes: string[]) {
		const trigger = watching();
		const posted = withPosted(
			EMPTY_STATE,
			hashes.map((sourceHash) => ({ sourceHash, reference: sourceHash, startedAt: null })),
			RULES,
			POSTED,
		);
		trigger.session.state = posted?.state ?? EMPTY_STATE;
		trigger.session.checker = {
			service: {},
			answeredAt: () => new Map(hashes.map((hash) => [hash, NOW])),
			setOrders: () => undefined,
		} as unknown as Checker;
		return trigger;
	}

	test('start the workflow one by one', () => {
		const { session, events, open } = unfound('0xa', '0xb');
		expireOrders(session, NOW);
		expect([events(), open()]).toEqual([
			[
				['0xa', 'watchExpired'],
				['0xb', 'watchExpired'],
			],
			[],
		]);
	});

	test('go in silence where the event was not chosen', () => {
		const { session, events, open } = unfound('0xa', '0xb');
		session.settings = { ...SETTINGS, emitsWatchExpired: false };
		expireOrders(session, NOW);
		expect([events(), open()]).toEqual([[], []]);
	});

	test('stay while nothing has been heard of them', () => {
		const { session, events, open } = unfound('0xa');
		session.checker = null;
		expireOrders(session, NOW);
		expect([events(), open()]).toEqual([[], ['0xa']]);
	});

	test('stay from the first one on that n8n does not accept', () => {
		const { session, events, open, errors } = unfound('0xa', '0xb');
		errors.push(new Error('no execution'));
		expireOrders(session, NOW);
		expect([events(), open(), session.uncaught?.message]).toEqual([
			[],
			['0xa', '0xb'],
			'no execution',
		]);
		expireOrders(session, NOW);
		expect(open()).toEqual([]);
	});

	test('start it in the durable engine one after another, each with its commit', async () => {
		const { session, events, starts, open } = unfound('0xa', '0xb');
		const clock = new VirtualClock();
		Object.assign(session, {
			engine: 'durable',
			commitQueue: commitQueueOf(clock),
		});
		expireOrders(session, NOW);
		await clock.run(0);
		expect([events(), open()]).toEqual([[['0xa', 'watchExpired']], ['0xb']]);
		starts[0]?.done.resolve({} as never);
		await clock.run(0);
		expect([events().length, open()]).toEqual([2, []]);
	});

	test('start nothing in the durable engine once another poll is in charge', async () => {
		const { session, events, open } = unfound('0xa');
		const clock = new VirtualClock();
		Object.assign(session, {
			engine: 'durable',
			commitQueue: commitQueueOf(clock),
		});
		expireOrders(session, NOW);
		session.context = watching().context;
		await clock.run(0);
		expect([events(), open()]).toEqual([[], ['0xa']]);
	});
});

describe('a start that the durable engine drops', () => {
	async function dropped(meanwhile: (session: Session) => void = () => undefined) {
		const trigger = watching('0xa', '0xb');
		const { session, starts } = trigger;
		const clock = new VirtualClock();
		const commitQueue = commitQueueOf(clock);
		Object.assign(session, { engine: 'durable', commitQueue, lastEmit: { revision: 1, at: 5 } });
		commitQueue.take(() => apply(session, '0xa', COMPLETED));
		await clock.run(0);
		const { revision } = session.state;
		void commitQueue.finish(10_000);
		meanwhile(session);
		starts[0]?.response.reject(new Error('The poll no longer holds its lease'));
		starts[0]?.done.resolve(undefined as never);
		await clock.run(0);
		return { ...trigger, revision };
	}

	test('leaves the order open, with a newer state than the one that was dropped', async () => {
		const { session, open, revision } = await dropped();
		expect([open(), session.lastEmit]).toEqual([['0xa', '0xb'], { revision: 1, at: 5 }]);
		expect(session.state.revision).toBe(revision + 1);
	});

	test('changes nothing where another poll is in charge by then', async () => {
		const { session, open, revision } = await dropped(
			(session) => (session.context = watching().context),
		);
		expect([open(), session.state.revision]).toEqual([['0xb'], revision]);
	});
});
