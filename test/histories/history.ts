import fc from 'fast-check';

import type { Note } from './census';
import { FINAL_STATUSES, type Fault, FAULTS } from './service';
import {
	type Credential,
	CREDENTIALS,
	type PublishOptions,
	World,
	type WorldOptions,
} from './world';

/** What can happen, as plain data: so a history can be printed, shortened and kept as a test. */
export type Happening =
	| { do: 'begin'; order: number }
	| { do: 'move'; order: number; to: string }
	| { do: 'list'; trigger: number; orders: number[] }
	| { do: 'post'; trigger: number; orders: Array<{ order: number; reference?: unknown }> }
	| { do: 'delete'; trigger: number; orders: number[] }
	| { do: 'get'; trigger: number }
	| { do: 'fault'; is: Fault | null }
	| { do: 'failToStart'; is: boolean | 'atCommit' }
	| { do: 'credential'; is: Credential }
	| { do: 'beginNode' }
	| { do: 'endNode' }
	| { do: 'poll' }
	| { do: 'wait'; seconds: number; ticks: boolean }
	| ({ do: 'publish' } & Partial<PublishOptions>)
	| { do: 'unpublish' }
	| { do: 'restart'; savesBack: number }
	| { do: 'restartInCommit' };

export interface History {
	options: WorldOptions;
	happenings: Happening[];
}

const ORDERS = 4;

const order = fc.nat({ max: ORDERS - 1 });
const trigger = fc.nat({ max: 1 });
const reference = fc.constantFrom<unknown>(undefined, null, 'r1', 'r2', { chat: [1, '<b>'] });

const HAPPENINGS: Array<fc.WeightedArbitrary<Happening>> = [
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('begin' as const), order }) },
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('move' as const),
			order,
			to: fc.constantFrom('executing', 'settling', 'completed', ...FINAL_STATUSES),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('list' as const),
			trigger,
			orders: fc.uniqueArray(order, { maxLength: ORDERS }),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('post' as const),
			trigger,
			orders: fc.array(fc.record({ order, reference }), { minLength: 1, maxLength: 3 }),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('delete' as const),
			trigger,
			orders: fc.array(order, { minLength: 1, maxLength: 2 }),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('get' as const), trigger }) },
	{
		weight: 5,
		arbitrary: fc.record({
			do: fc.constant('fault' as const),
			is: fc.oneof(fc.constant(null), fc.constantFrom(...FAULTS)),
		}),
	},
	{ weight: 4, arbitrary: fc.constant({ do: 'poll' as const }) },
	{
		weight: 9,
		arbitrary: fc.record({
			do: fc.constant('wait' as const),
			seconds: fc.constantFrom(0, 1, 1, 2, 3),
			ticks: fc.boolean(),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('wait' as const),
			seconds: fc.constantFrom(12, 20),
			ticks: fc.constant(true),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('wait' as const),
			seconds: fc.constantFrom(14, 40, 61, 61, 310, 310, 3_700, 90_000, 180_000),
			ticks: fc.constant(false),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('publish' as const),
			only: fc.constantFrom(null, 0, 1),
			removesFirst: fc.boolean(),
			failsElsewhere: fc.constantFrom(false, false, false, true),
		}),
	},
	{ weight: 3, arbitrary: fc.constant({ do: 'unpublish' as const }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('failToStart' as const),
			is: fc.constantFrom(true, 'atCommit' as const, false),
		}),
	},
	{ weight: 2, arbitrary: fc.constant({ do: 'beginNode' as const }) },
	{ weight: 2, arbitrary: fc.constant({ do: 'endNode' as const }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('credential' as const),
			is: fc.constantFrom(...CREDENTIALS, 'slow'),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('restart' as const),
			savesBack: fc.constantFrom(0, 0, 0, 1, 2),
		}),
	},
];

/** A start takes the database less than a second, so a random kill hardly ever hits it. */
const ONLY_IN_THE_DURABLE_ENGINE: Array<fc.WeightedArbitrary<Happening>> = [
	{ weight: 3, arbitrary: fc.constant({ do: 'restartInCommit' as const }) },
];

export function historyOf(engine: WorldOptions['engine']): fc.Arbitrary<History> {
	const happening = fc.oneof(
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
		happenings: fc.array(happening, { minLength: 4, maxLength: 24, size: 'max' }),
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
	world.publish({ only: null, removesFirst: true, failsElsewhere: false, byN8n: false });
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
				happens.orders.map(({ order: number, reference: of }) => ({
					hash: hashOf(number),
					reference: of,
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
			return world.publish({
				only: only === null ? null : only % triggers,
				removesFirst,
				failsElsewhere,
				byN8n: false,
			});
		}
		case 'unpublish':
			return world.unpublish();
		case 'restart':
			return world.restart(happens.savesBack);
		case 'restartInCommit':
			return await world.restartInCommit();
	}
}

function hashOf(number: number): string {
	return `0x${String(number).repeat(32)}`;
}
