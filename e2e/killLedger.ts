/**
 * What kills have left, judged from n8n's database and log alone. Pure.
 *
 * In n8n's default engine the start of a workflow is two writes that n8n waits for neither of: the state, in which the
 * order is told, and the execution. A kill between them leaves one without the other. That, found in the database right
 * after a kill, explains one lost or one repeated end, and for a lost one n8n's log must show that n8n had been told to
 * start the workflow. Nothing else explains anything.
 */

/** One execution of the workflow: any row counts, whatever its status, since the workflow has started with this order. */
export interface StartedExecution {
	id: number;
	sourceHash: string;
	/** When n8n made the row, in milliseconds since 1970. */
	at: number;
}

/** The database as a kill has left it. */
export interface KillRecord {
	/** 1 for the first. */
	kill: number;
	/** When the signal was sent, in milliseconds since 1970. */
	at: number;
	/** Orders that the saved state has as told, with the time (ms since 1970) at which their end was seen. */
	told: ReadonlyMap<string, number>;
	started: readonly StartedExecution[];
	/** How often, by its log, this n8n had been told to start the workflow, from its own start to the kill. */
	handedOver: number;
}

/** An order that a kill caught between the two writes. */
export interface CaughtOrder {
	kill: number;
	sourceHash: string;
	/** `stateOnly`: told, without an execution, so it is lost. `executionOnly`: it will be told once more. */
	left: 'stateOnly' | 'executionOnly';
	/** Time from the emission (of an execution alone: from its row) to the kill, in milliseconds. */
	milliseconds: number;
}

/** The orders that each kill has caught, the earliest kill first. */
export function caughtOrders(kills: readonly KillRecord[]): CaughtOrder[] {
	const caught: CaughtOrder[] = [];
	let before: KillRecord | undefined;
	for (const record of kills) {
		const { kill, at, told, started } = record;
		const startedHashes = new Set(started.map(({ sourceHash }) => sourceHash));
		for (const [sourceHash, seenAt] of told) {
			if (startedHashes.has(sourceHash) || before?.told.has(sourceHash) === true) continue;
			caught.push({ kill, sourceHash, left: 'stateOnly', milliseconds: at - seenAt });
		}
		const known = new Set(before?.started.map(({ id }) => id));
		for (const { id, sourceHash, at: startedAt } of started) {
			if (told.has(sourceHash) || known.has(id)) continue;
			caught.push({ kill, sourceHash, left: 'executionOnly', milliseconds: at - startedAt });
		}
		before = record;
	}
	return caught;
}

export interface Verdict {
	caught: CaughtOrder[];
	/** Orders without an execution. */
	lost: string[];
	/** Orders with more executions than one. */
	twice: string[];
	/** What must not be: each a sentence. Empty where all held. */
	broken: string[];
}

/**
 * @param ended source hashes of all orders that have ended
 * @param last all executions once everything has come
 * @param windowMs a kill that comes later than that after an execution was made does not explain why the state was not saved
 */
export function verdictOf(
	ended: readonly string[],
	kills: readonly KillRecord[],
	last: readonly StartedExecution[],
	windowMs: number,
): Verdict {
	const caught = caughtOrders(kills);
	const counts = new Map(ended.map((sourceHash) => [sourceHash, 0]));
	for (const { sourceHash } of last) counts.set(sourceHash, (counts.get(sourceHash) ?? 0) + 1);
	const explained = (sourceHash: string, left: CaughtOrder['left']): number =>
		caught.filter((each) => each.sourceHash === sourceHash && each.left === left && (left === 'stateOnly' || each.milliseconds <= windowMs)).length;

	const lost = ended.filter((sourceHash) => counts.get(sourceHash) === 0);
	const twice = [...counts].filter(([, count]) => count > 1).map(([sourceHash]) => sourceHash);
	const strangers = last.filter(({ sourceHash }) => !ended.includes(sourceHash));
	return {
		caught,
		lost,
		twice,
		broken: [
			...kills.flatMap(({ kill, started, handedOver }, index) => {
				const made = started.length - (kills[index - 1]?.started.length ?? 0);
				const toldOnly = caught.filter((each) => each.kill === kill && each.left === 'stateOnly').length;
				return toldOnly <= handedOver - made
					? []
					: [`Kill ${kill} left ${toldOnly} told orders without an execution, but n8n had only ${handedOver - made} starts under way.`];
			}),
			...lost
				.filter((sourceHash) => explained(sourceHash, 'stateOnly') === 0)
				.map((sourceHash) => `${sourceHash} has no execution, and no kill explains it.`),
			...twice
				.filter((sourceHash) => (counts.get(sourceHash) ?? 0) - 1 > explained(sourceHash, 'executionOnly'))
				.map((sourceHash) => `${sourceHash} has ${counts.get(sourceHash)} executions, and kills do not explain all of them.`),
			...strangers.map(({ id, sourceHash }) => `Execution ${id} is of ${sourceHash}, which has not ended.`),
		],
	};
}

const EVENT_ID = /(0x[0-9a-f]{64}):(?:completed|refunded|failed)/;

/** The order that an execution is about, in its data as the database has them; null: about none. */
export function sourceHashIn(executionData: string): string | null {
	return EVENT_ID.exec(executionData)?.[1] ?? null;
}
