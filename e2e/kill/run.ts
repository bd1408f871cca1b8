import { copyFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import Table from 'cli-table3';

import { seededRandom, type Random } from '../../bench/simulation/random';
import { orderKey } from '../../nodes/CrossChainBridge/orders/hashForms';
import { digestOf } from '../../nodes/CrossChainBridge/watch/finished';
import { EMPTY_STATE } from '../../nodes/CrossChainBridge/watch/state';
import { readStoredWatch } from '../../nodes/CrossChainBridge/watch/stored';
import { LINE_NAMES, releaseOf } from '../../realN8n/install/releases';
import { CACHE_FOLDER } from '../../realN8n/machine/paths';
import { until } from '../../realN8n/machine/until';
import { adapted, readExample, withTriggerParameters } from '../../realN8n/rehearsal/examples';
import { sourceHashIn } from '../../realN8n/rehearsal/notifications';
import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import { withTemporaryRehearsal } from '../../realN8n/rehearsal/temporary';
import {
	databasePath,
	rowsOf,
	type Cell,
	type Query,
	type Row,
} from '../../realN8n/server/database';
import { DURABLE_ENGINE } from '../../realN8n/server/environment';
import { Doorway } from '../standIns/doorway';
import {
	caughtOrders,
	verdictOf,
	type CaughtOrder,
	type Delivery,
	type KillRecord,
	type StartedExecution,
} from './verdict';

const HELP = `npm run e2e -- kill [flags]

Kills a real n8n (kill -9) again and again while 60 orders finish and some of them are delayed before, and starts it again each
time. Each of these events must start the workflow, once. An execution counts as soon as n8n has made it, also one that n8n marks as crashed: the workflow has started.
In the usual engine n8n saves the state and makes the execution without waiting for either; an order that a kill catches
between the two is found in the database right after the kill, and n8n's log shows that the start was under way: it is
counted and explained. Anything else fails. With Delivery at least once nothing explains a loss.

  --n8n <line>       ${LINE_NAMES} (default 2.8)
  --durable          2.41 only: with its durable poll engine, where not even one may be lost or come twice
  --delivery <how>   the trigger's option: atMostOnce (default) or atLeastOnce
  --kills <n>        how often (default 20)
  --seed <n>         the moments of an earlier run
  --json             standard output is one JSON document: {"n8n", "durable", "delivery", "seed", "orders", "events", "lost", "twice",
                     "redelivered", "unexplained", …}, the four as numbers; progress goes to standard error
  --help             this text
`;

const ORDERS = 60;
/** How many orders of a round start the workflow as Delayed before they finish. */
const MAX_LATE = 5;
const DELIVERIES: readonly Delivery[] = ['atMostOnce', 'atLeastOnce'];
const STATUSES = ['completed', 'refunded', 'failed'] as const;

/** An execution that was made longer than that before a kill has no business to be missing in the state. */
const WINDOW_MS = 5000;

/** What n8n logs when a poll or tick hands it an item. */
const HANDED_OVER = 'Received event to trigger execution for workflow "Killed"';

/**
 * How the moment of a kill is found. `random`: any, while the trigger is at work. `starting`: while n8n takes the workflow up
 * again. `answer`: 0 to 60 ms after the service has answered that an order has finished.
 * `write`: at the first write to the database after such an answer, 0 to 4 ms later, which is where the state is being saved.
 */
type Aim = 'random' | 'starting' | 'answer' | 'write';
const AIMS: readonly Aim[] = [
	'random',
	'write',
	'random',
	'answer',
	'random',
	'write',
	'starting',
	'answer',
];
const AFTER_MS = { answer: 60, write: 4 };

/** How long one round is, in milliseconds. The durable engine polls on its own grid of minutes. */
const ROUND_MS = { default: 6_000, durable: 60_000 };
/** A kill that is to meet n8n as it takes the workflow up comes within that after n8n answers, in milliseconds. */
const STARTING_MS = 3_000;
/** After a start the trigger checks within that, in seconds: n8n 2.40 takes up a workflow two minutes later where a kill met it at that. */
const START_PATIENCE_SECONDS = 240;
/** A finished order that is aimed at, or one that is late, is seen within that, in seconds: one that is late and finishes before is never delayed. */
const AIM_PATIENCE_SECONDS = { default: 120, durable: 150 };
/** After the last kill, all events have come within that, in seconds. */
const LAST_PATIENCE_SECONDS = 300;

interface Kill extends KillRecord {
	aim: Aim;
	/** Since the round began, in milliseconds. */
	afterMs: number;
	finishedBefore: number;
}

/** One run: a workflow that watches 60 orders, and an n8n that is killed. */
class KillRun {
	private readonly statusOf = new Map<string, (typeof STATUSES)[number]>();
	private readonly endedAt = new Map<string, number>();
	/** Orders that began long ago, as the service says by now. */
	private readonly late = new Set<string>();

	constructor(
		private readonly rehearsal: Rehearsal,
		private readonly doorway: Doorway,
		private readonly random: Random,
		private readonly workflowId: string,
		private readonly hashes: readonly string[],
		/** An order that stays open: checks of it show that the trigger is at work. */
		private readonly open: string,
		private readonly isDurable: boolean,
	) {}

	/** Lets a part of the orders finish over a round, and kills n8n somewhere within. Returns when n8n is up again. */
	async round(kill: number, kills: number): Promise<Kill> {
		const aim = AIMS[(kill - 1) % AIMS.length] ?? 'random';
		const share = this.hashes.slice(...part(this.hashes.length, kill - 1, kills));
		// the second check of one order: the poll of the start is over, and the trigger is at work
		if (aim !== 'starting')
			await this.rehearsal.control.furtherChecksOf(this.open, 2, START_PATIENCE_SECONDS);
		await this.untilDelayed(share.filter((hash) => this.late.has(hash)));
		const upAt = Date.now();
		const roundMs = this.isDurable ? ROUND_MS.durable : ROUND_MS.default;
		// Some of those that finish in the next round are late in this one.
		const next = this.hashes.slice(...part(this.hashes.length, kill, kills));
		const ending = Promise.all([
			this.overTime(share, roundMs / 2, async (hash) => await this.end(hash)),
			this.overTime(
				next.slice(0, MAX_LATE),
				roundMs / 2,
				async (hash) => await this.makeLate(hash),
			),
		]);
		const moment =
			aim === 'answer' || aim === 'write'
				? this.aimedMoment(aim, share)
				: delay(this.random() * (aim === 'random' ? roundMs : STARTING_MS));
		await moment;
		const { record, finishedBefore } = await this.kill(kill, async () => void (await ending));
		return { ...record, aim, afterMs: record.at - upAt, finishedBefore };
	}

	/** All executions that n8n has made so far. */
	async started(): Promise<StartedExecution[]> {
		const [rows = []] = await rowsOf(this.rehearsal.options, [startsOf(this.workflowId)]);
		return startedIn(rows);
	}

	/** Whatever has finished and is not lost has come. */
	async allHaveCome(kills: readonly KillRecord[]): Promise<StartedExecution[]> {
		const lost = new Set(
			caughtOrders(kills).flatMap(({ left, event }) => (left === 'stateOnly' ? [event] : [])),
		);
		return await until(
			'an execution for each order',
			async () => {
				const started = await this.started();
				const came = new Set(started.map(({ event }) => event));
				return this.due.every((event) => came.has(event) || lost.has(event)) ? started : null;
			},
			{ seconds: LAST_PATIENCE_SECONDS, everyMilliseconds: 1000 },
		).catch(async () => await this.started());
	}

	async end(sourceHash: string): Promise<void> {
		const status = STATUSES[Math.floor(this.random() * STATUSES.length)] ?? 'completed';
		this.statusOf.set(sourceHash, status);
		await this.rehearsal.control.end(sourceHash, status);
		this.endedAt.set(sourceHash, Date.now());
	}

	get ended(): string[] {
		return [...this.endedAt.keys()];
	}

	/** All events that must come. */
	get due(): string[] {
		return [...this.ended, ...[...this.late].map(delayedEvent)];
	}

	/** Has the service say that the order began a day ago. */
	private async makeLate(sourceHash: string): Promise<void> {
		const createdAt = Math.floor(Date.now() / 1000) - 86_400;
		const answer = { timing: { createdAt } };
		const fault = {
			kind: 'fields',
			endpoint: 'status',
			sourceHash,
			answer,
			times: 'always',
		} as const;
		await this.rehearsal.control.addFault(fault);
		this.late.add(sourceHash);
	}

	/** Waits for the events of orders that are late, because one that finishes before it is seen so is not delayed. */
	private async untilDelayed(hashes: readonly string[]): Promise<void> {
		const seconds = this.isDurable ? AIM_PATIENCE_SECONDS.durable : AIM_PATIENCE_SECONDS.default;
		const haveCome = async (): Promise<boolean | null> => {
			const came = new Set((await this.started()).map(({ event }) => event));
			return hashes.every((hash) => came.has(delayedEvent(hash))) || null;
		};
		// The verdict says what it means where one does not come.
		await until('the delayed events', haveCome, { seconds }).catch(() => null);
	}

	private async overTime(
		hashes: readonly string[],
		overMs: number,
		act: (sourceHash: string) => Promise<void>,
	): Promise<void> {
		await Promise.all(
			hashes.map(async (sourceHash) => {
				await delay(this.random() * overMs);
				await act(sourceHash);
			}),
		);
	}

	/** Resolves at the aimed moment, after the answer that shows one of these orders as finished (some way into the round). */
	private async aimedMoment(aim: 'answer' | 'write', share: readonly string[]): Promise<void> {
		const { userFolder } = this.rehearsal.options;
		const patience = AbortSignal.timeout(
			1000 * (this.isDurable ? AIM_PATIENCE_SECONDS.durable : AIM_PATIENCE_SECONDS.default),
		);
		const ends = new Set(share);
		const spared = Math.floor(this.random() * Math.min(share.length, 3));
		const afterMs = this.random() * AFTER_MS[aim];
		await new Promise<void>((resolve) => {
			patience.addEventListener('abort', () => resolve());
			const seen = new Set<string>();
			const forget = this.doorway.onAnswer(({ path, body }) => {
				const sourceHash = new URL(path, this.doorway.url).searchParams.get('sourceHash') ?? '';
				if (!ends.has(sourceHash) || !/"status":"(completed|refunded|failed)"/.test(body)) return;
				seen.add(sourceHash);
				if (seen.size <= spared) return;
				forget();
				if (aim === 'answer') {
					resolve();
					return;
				}
				const watcher = watch(`${databasePath(userFolder)}-wal`, { signal: patience }, () => {
					watcher.close();
					resolve();
				});
				// an abort is no error here: the time is over
				watcher.on('error', () => resolve());
			});
		});
		await delay(afterMs);
	}

	private async kill(
		kill: number,
		whileDown: () => Promise<void>,
	): Promise<{ record: KillRecord; finishedBefore: number }> {
		let at = 0;
		let finishedBefore = 0;
		let record: KillRecord | null = null;
		await this.rehearsal.killAndRestartN8n(
			() => {
				at = Date.now();
				finishedBefore = this.endedAt.size;
			},
			async () => {
				const [workflow = [], starts = []] = await rowsOf(this.rehearsal.options, [
					stateOf(this.workflowId),
					startsOf(this.workflowId),
				]);
				const handedOver = this.rehearsal.n8n.log.split(HANDED_OVER).length - 1;
				record = {
					kill,
					at,
					emitted: emittedIn(workflow, this.hashes, startedIn(starts)),
					started: startedIn(starts),
					handedOver,
				};
				await whileDown();
			},
		);
		if (record === null) throw new Error('The database was not read after the kill.');
		return { record, finishedBefore };
	}
}

/** First and last index (excluded) of one of several parts of a list. */
function part(length: number, index: number, parts: number): [number, number] {
	return [Math.floor((length * index) / parts), Math.floor((length * (index + 1)) / parts)];
}

/** n8n keeps times as text in UTC, without saying so. */
function timeOf(cell: Cell | undefined): number {
	return Date.parse(`${String(cell).replace(' ', 'T')}Z`);
}

function stateOf(workflowId: string): Query {
	return { sql: 'SELECT staticData FROM workflow_entity WHERE id = ?', parameters: [workflowId] };
}

/** The events that the static data of the workflow has as emitted, with the time at which they were seen, as far as it is known. */
function emittedIn(
	[row]: Row[],
	sourceHashes: readonly string[],
	started: readonly StartedExecution[],
): Map<string, number> {
	const staticData: unknown = JSON.parse(String(row?.staticData ?? '{}'));
	const { global } = (staticData ?? {}) as {
		global?: { crossChainBridgeWatches?: { watches?: unknown[] } };
	};
	const states = (global?.crossChainBridgeWatches?.watches ?? []).map(
		(each) => readStoredWatch(each) ?? EMPTY_STATE,
	);
	const startedAt = new Map(started.map(({ event, at }) => [event, at]));
	const emitted = new Map<string, number>();
	for (const sourceHash of sourceHashes) {
		const finished = states
			.map((state) => state.finished.get(digestOf(orderKey(sourceHash))))
			.find((each) => each?.emitted === true);
		if (finished !== undefined) emitted.set(sourceHash, finished.at);
		const delayed = delayedEvent(sourceHash);
		const isDelayed = states.some(
			({ orders }) => orders.get(orderKey(sourceHash))?.delayed === 'emitted',
		);
		// Of a finished order the state no longer says that it was delayed.
		const at = startedAt.get(delayed) ?? null;
		if (isDelayed || (finished !== undefined && at !== null))
			emitted.set(delayed, at ?? Date.now());
	}
	return emitted;
}

function delayedEvent(sourceHash: string): string {
	return `${sourceHash}:delayed`;
}

/** Every execution that n8n has made of the workflow, whatever became of it. Its row and its data are one transaction. */
function startsOf(workflowId: string): Query {
	const sql = `SELECT e.id, e.createdAt, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id
		WHERE e.workflowId = ? AND e.mode = 'trigger' ORDER BY e.id`;
	return { sql, parameters: [workflowId] };
}

/** The data of an execution contains the trigger's item from the beginning. */
function startedIn(rows: Row[]): StartedExecution[] {
	return rows.map(({ id, createdAt, data }) => ({
		id: Number(id),
		at: timeOf(createdAt),
		event: eventIn(String(data)),
		redelivered: String(data).includes('"redelivered":true'),
	}));
}

/** An execution of anything else, such as a failed poll, is of no order: the verdict names it. */
function eventIn(data: string): string {
	const sourceHash = sourceHashIn(data);
	if (sourceHash === null) return 'no order';
	const delayed = delayedEvent(sourceHash);
	return data.includes(delayed) ? delayed : sourceHash;
}

function tableOf(kills: readonly Kill[], caught: readonly CaughtOrder[], orders: number): string {
	const table = new Table({
		head: [
			'kill',
			'aim',
			'moment',
			'finished before',
			'after',
			'executions',
			'in the window: lost',
			'emitted again',
		],
		style: { head: [], border: [] },
	});
	for (const { kill, aim, afterMs, finishedBefore, started } of kills) {
		const ofKill = caught.filter((each) => each.kill === kill);
		const count = (left: string): number => ofKill.filter((each) => each.left === left).length;
		table.push([
			kill,
			aim,
			`${(afterMs / 1000).toFixed(2)} s`,
			finishedBefore,
			orders - finishedBefore,
			started.length,
			count('stateOnly'),
			count('executionOnly'),
		]);
	}
	return table.toString();
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			n8n: { type: 'string', default: '2.8' },
			durable: { type: 'boolean', default: false },
			delivery: { type: 'string', default: 'atMostOnce' },
			kills: { type: 'string', default: '20' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const release = releaseOf(flags.n8n);
	const isDurable = flags.durable;
	if (isDurable && !release.hasDurableEngine)
		throw new Error('Only n8n 2.40 and later has the durable poll engine.');
	const killCount = Number(flags.kills);
	if (!Number.isInteger(killCount) || killCount < 1)
		throw new Error('--kills is a whole number from 1.');
	const delivery = DELIVERIES.find((each) => each === flags.delivery);
	if (delivery === undefined) throw new Error(`--delivery is one of ${DELIVERIES.join(', ')}.`);
	const say = (line: string) => (flags.json ? process.stderr : process.stdout).write(`${line}\n`);
	const engine = isDurable ? ' with the durable poll engine' : '';
	say(
		`${killCount} kills of n8n ${release.version}${engine}, delivery ${delivery}, --seed ${flags.seed}`,
	);

	const env = { ...(isDurable ? DURABLE_ENGINE : {}), N8N_LOG_LEVEL: 'debug' };
	const result = await withTemporaryRehearsal(
		{ release, sandbox: { requestsPerMinute: 0 }, env, say },
		async (rehearsal) => {
			const doorway = await Doorway.open(rehearsal.control.sandbox.url);
			try {
				return await killAgainAndAgain(rehearsal, doorway, {
					killCount,
					seed: Number(flags.seed),
					isDurable,
					delivery,
					say,
				});
			} finally {
				await doorway.shut();
				// stays when everything else of the run is gone
				const log = join(
					CACHE_FOLDER,
					`kill-n8n-${release.line}${isDurable ? '-durable' : ''}.log`,
				);
				copyFileSync(join(rehearsal.options.userFolder, 'n8n.log'), log);
				say(`All that n8n has logged: ${log}`);
			}
		},
	);
	const about = { n8n: release.version, durable: isDurable, delivery, seed: Number(flags.seed) };
	if (flags.json) process.stdout.write(`${JSON.stringify({ ...about, ...result })}\n`);
	process.exitCode = result.unexplained === 0 ? 0 : 1;
}

interface RunOptions {
	killCount: number;
	seed: number;
	isDurable: boolean;
	delivery: Delivery;
	say: (line: string) => void;
}

async function killAgainAndAgain(
	rehearsal: Rehearsal,
	doorway: Doorway,
	{ killCount, seed, isDurable, delivery, say }: RunOptions,
) {
	const { client, control } = rehearsal;
	const credential = await rehearsal.credential('Bridge sandbox', {
		...rehearsal.rightCredential,
		baseUrl: doorway.url,
		requestsPerMinute: 6000,
	});
	const hashes = await control.openOrders(ORDERS + 1);
	const workflow = await client.createWorkflow({
		...withTriggerParameters(adapted(readExample('watch-orders'), doorway.url, credential), {
			sourceHashes: hashes.join('\n'),
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			events: ['anyFinalStatus', 'delayed'],
			// Longer than any run, so that only those are late that are to be.
			delayedAfter: 600,
			// With the field eventId, by which an execution is known in the database.
			simplify: false,
			options: { checkEvery: 1, delivery },
		}),
		name: 'Killed',
	});
	await client.publish(workflow.id);
	const run = new KillRun(
		rehearsal,
		doorway,
		seededRandom(seed),
		workflow.id,
		hashes.slice(0, ORDERS),
		hashes.slice(ORDERS).join(),
		isDurable,
	);
	const kills: Kill[] = [];
	// The durable engine commits state and execution together: no moment of a kill explains anything.
	const explaining = (): Kill[] => (isDurable ? [] : kills);
	// What was lost comes again with a start where delivery is at least once, so that it is waited for.
	const losing = (): Kill[] => (delivery === 'atLeastOnce' ? [] : explaining());
	for (let kill = 1; kill <= killCount; kill++) {
		kills.push(await run.round(kill, killCount));
		const caught = caughtOrders(explaining()).filter((each) => each.kill === kill).length;
		say(
			`  kill ${kill} of ${killCount}: ${run.ended.length} orders have finished, ${kills.at(-1)?.started.length} executions, ${caught} caught in the window`,
		);
	}
	await run.allHaveCome(losing());
	// one orderly restart and one finished order more: whatever is not known as emitted would be emitted now
	await rehearsal.restartN8n();
	for (const last of hashes.slice(ORDERS)) await run.end(last);
	const started = await run.allHaveCome(losing());

	const verdict = verdictOf(run.due, explaining(), started, {
		windowMs: WINDOW_MS,
		delivery: isDurable ? 'atMostOnce' : delivery,
		restarts: killCount + 1,
	});
	say(tableOf(kills, verdict.caught, run.ended.length));
	for (const { kill, event, left, milliseconds } of verdict.caught) {
		const what =
			left === 'stateOnly'
				? 'the state was saved, the execution not made'
				: 'the execution was made, the state not saved';
		say(`kill ${kill} came ${milliseconds} ms after ${event} was emitted: ${what}`);
	}
	for (const sentence of verdict.unexplained) say(`UNEXPLAINED: ${sentence}`);
	const { lost, twice, redelivered, unexplained, caught } = verdict;
	const orders = run.ended.length;
	const events = run.due.length;
	const { failedStarts } = rehearsal;
	if (failedStarts > 0)
		say(
			`n8n gave up ${failedStarts} of its starts in its own recovery, and came up when it was started once more`,
		);
	say(
		`${orders} orders, ${events} events, ${killCount} kills: ${lost.length} lost, ${twice.length} twice, ${redelivered} executions redelivered, ${unexplained.length} faults that nothing explains`,
	);
	const table = kills.map(({ kill, aim, afterMs, finishedBefore, started: { length } }) => ({
		kill,
		aim,
		afterMs,
		finishedBefore,
		executions: length,
	}));
	return {
		orders,
		events,
		lost: lost.length,
		twice: twice.length,
		redelivered,
		unexplained: unexplained.length,
		failedStarts,
		lostOrders: lost,
		repeatedOrders: twice,
		faults: unexplained,
		caught,
		kills: table,
	};
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
