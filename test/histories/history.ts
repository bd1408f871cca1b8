import fc from 'fast-check';

import type { Note } from './census';
import { FINAL_STATUSES, type Fault, FAULTS } from './service';
import {
	type Credential,
	CREDENTIALS,
	type Given,
	GIVEN,
	type PublishOptions,
	World,
	type WorldOptions,
} from './world';

/** What can happen, as plain data: so a history can be printed, shortened and kept as a test. */
export type Happening =
	| { do: 'begin'; order: number }
	| { do: 'move'; order: number; to: string }
	| { do: 'list'; trigger: number; orders: number[] }
	| {
			do: 'post';
			trigger: number;
			orders: Array<{ order: number; reference?: unknown; replaces?: number }>;
	  }
	| { do: 'delete'; trigger: number; orders: number[] }
	| { do: 'get'; trigger: number }
	| { do: 'fault'; is: Fault | null }
	| { do: 'failToStart'; is: boolean | 'atCommit' }
	| { do: 'credential'; is: Credential }
	| { do: 'expression'; gives: Given }
	| { do: 'startOther' }
	| { do: 'beginNode' }
	| { do: 'endNode' }
	| { do: 'poll' }
	| { do: 'wait'; seconds: number; ticks: boolean }
	| ({ do: 'publish' } & Partial<PublishOptions>)
	| { do: 'unpublish' }
	| { do: 'restart'; savesBack: number; switchesEngine?: boolean }
	| { do: 'restartInCommit' };

interface History {
	options: WorldOptions;
	happenings: Happening[];
}

const ORDERS = 4;

const order = fc.nat({ max: ORDERS - 1 });
const trigger = fc.nat({ max: 1 });
const reference = fc.constantFrom<unknown>(undefined, null, 'r1', 'r2', { chat: [1, '<b>'] });

/** Rarely a hash that the posted one stands for. */
const replaces = fc.oneof(
	{ weight: 9, arbitrary: fc.constant(undefined) },
	{ weight: 1, arbitrary: order },
);

type Needs<Do> = Omit<Extract<Happening, { do: Do }>, 'do'>;

/** Something that happens so often, with what it needs. */
function happening<Do extends Happening['do']>(
	weight: number,
	what: Do,
	needs: { [Name in keyof Needs<Do>]: fc.Arbitrary<Needs<Do>[Name]> },
): fc.WeightedArbitrary<Happening> {
	const arbitrary =
		Object.keys(needs).length === 0
			? fc.constant({ do: what })
			: fc.record({ do: fc.constant(what), ...needs });
	return { weight, arbitrary: arbitrary as fc.Arbitrary<Happening> };
}

const HAPPENINGS: Array<fc.WeightedArbitrary<Happening>> = [
	happening(3, 'begin', { order }),
	happening(6, 'move', {
		order,
		to: fc.constantFrom('executing', 'settling', 'completed', ...FINAL_STATUSES),
	}),
	happening(4, 'list', { trigger, orders: fc.uniqueArray(order, { maxLength: ORDERS }) }),
	happening(4, 'post', {
		trigger,
		orders: fc.array(fc.record({ order, reference, replaces }), { minLength: 1, maxLength: 3 }),
	}),
	happening(2, 'delete', { trigger, orders: fc.array(order, { minLength: 1, maxLength: 2 }) }),
	happening(1, 'get', { trigger }),
	happening(5, 'fault', { is: fc.oneof(fc.constant(null), fc.constantFrom(...FAULTS)) }),
	happening(4, 'poll', {}),
	happening(9, 'wait', { seconds: fc.constantFrom(0, 1, 1, 2, 3), ticks: fc.boolean() }),
	happening(1, 'wait', { seconds: fc.constantFrom(12, 20), ticks: fc.constant(true) }),
	happening(2, 'wait', {
		seconds: fc.constantFrom(14, 40, 61, 61, 310, 310, 3_700, 90_000, 180_000),
		ticks: fc.constant(false),
	}),
	happening(4, 'publish', {
		only: fc.constantFrom(null, 0, 1),
		removesFirst: fc.boolean(),
		failsElsewhere: fc.constantFrom(false, false, false, true),
	}),
	happening(3, 'unpublish', {}),
	happening(2, 'failToStart', { is: fc.constantFrom(true, 'atCommit' as const, false) }),
	happening(2, 'beginNode', {}),
	happening(2, 'endNode', {}),
	happening(2, 'credential', { is: fc.constantFrom(...CREDENTIALS, 'slow') }),
	happening(2, 'expression', { gives: fc.constantFrom(...GIVEN) }),
	happening(2, 'startOther', {}),
	happening(3, 'restart', {
		savesBack: fc.constantFrom(0, 0, 0, 1, 2),
		switchesEngine: fc.constantFrom(false, false, true),
	}),
];

/** A start takes the database less than a second, so a random kill hardly ever hits it. */
const ONLY_IN_THE_DURABLE_ENGINE = [happening(3, 'restartInCommit', {})];

export function historyOf(engine: WorldOptions['engine']): fc.Arbitrary<History> {
	const anything = fc.oneof(
		...HAPPENINGS,
		...(engine === 'durable' ? ONLY_IN_THE_DURABLE_ENGINE : []),
	);
	return fc.record({
		options: fc.record({
			engine: fc.constant(engine),
			startsUnpublished: engine === 'durable' ? fc.constant(false) : fc.boolean(),
			triggers: fc.constantFrom(1 as const, 2 as const),
			listIsExpression: fc.boolean(),
			keepChecking: fc.constantFrom(true, true, true, false),
			requestsPerMinute: fc.constantFrom(100, 100, 7),
			// Less than a second: after that the trigger assumes that a start is committed (commitQueue.ts).
			commitsTake:
				engine === 'durable' ? fc.constantFrom([5], [900, 5], [700, 300, 5]) : fc.constant([0]),
			executionsRunLong: engine === 'durable' ? fc.boolean() : fc.constant(false),
			leavesGhosts: engine === 'durable' ? fc.constant(false) : fc.constantFrom(false, false, true),
		}),
		happenings: fc.array(anything, { minLength: 4, maxLength: 24, size: 'max' }),
	});
}

/** Runs a history and checks its outcome; throws where an event was lost, emitted twice or made up. */
export async function run(
	{ options, happenings }: History,
	note: Note = () => undefined,
): Promise<World> {
	const world = new World(options, note);
	// The first list, published for the first time: without them nothing happens.
	for (const list of world.lists) list.push(hashOf(0), hashOf(1));
	world.publish();
	for (const happens of happenings) {
		await happen(world, options, happens);
		if (world.failures.length > 0) throw new Error(world.failures[0]);
	}
	await world.endWell();
	if (world.failures.length > 0) throw new Error(world.failures[0]);
	return world;
}

async function happen(world: World, { triggers }: WorldOptions, happens: Happening): Promise<void> {
	switch (happens.do) {
		case 'begin':
			return world.service.begin(hashOf(happens.order));
		case 'move':
			return world.service.move(hashOf(happens.order), happens.to);
		case 'list':
			world.lists[happens.trigger % triggers] = happens.orders.map(hashOf);
			return;
		case 'post':
			await world.call(
				happens.trigger % triggers,
				'POST',
				happens.orders.map(({ order: number, reference: of, replaces: other }) => ({
					hash: hashOf(number),
					reference: of,
					...(other !== undefined &&
					mayReplace(happens.orders, number, other) &&
					world.service.replace(hashOf(number), hashOf(other))
						? { replaces: hashOf(other) }
						: {}),
				})),
			);
			return;
		case 'delete':
			await world.call(
				happens.trigger % triggers,
				'DELETE',
				happens.orders.map((number) => ({ hash: hashOf(number) })),
			);
			return;
		case 'get':
			await world.call(happens.trigger % triggers, 'GET', []);
			return;
		case 'fault':
			return world.service.set(happens.is);
		case 'failToStart':
			world.failsToStart = happens.is;
			return;
		case 'credential':
			world.credential = happens.is;
			return;
		case 'expression':
			world.expressionGives = happens.gives;
			return;
		case 'startOther':
			return await world.startOther();
		case 'beginNode':
			return world.beginNode();
		case 'endNode':
			return world.endNode();
		case 'poll':
			// It runs on its own: n8n has restored the registration before by then if it could not publish.
			await world.wait(0, false);
			return world.poll();
		case 'wait':
			return await world.wait(happens.seconds, happens.ticks);
		case 'publish': {
			const { only = null, removesFirst = false, failsElsewhere = false } = happens;
			const one = only === null ? null : only % triggers;
			return world.publish({ only: one, removesFirst, failsElsewhere });
		}
		case 'unpublish':
			return world.unpublish();
		case 'restart':
			return world.restart(happens.savesBack, happens.switchesEngine);
		case 'restartInCommit':
			return await world.restartInCommit();
	}
}

/** No order replaces itself, and a call that names a hash twice says of one of them only. */
function mayReplace(
	orders: ReadonlyArray<{ order: number }>,
	number: number,
	other: number,
): boolean {
	const isOnce = orders.filter(({ order: each }) => each === number).length === 1;
	return other !== number && isOnce;
}

function hashOf(number: number): string {
	return `0xf${String(number).repeat(63)}`;
}
