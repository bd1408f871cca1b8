/**
 * What kills have left, judged only from n8n's database and log. Pure.
 *
 * In n8n's usual engine the start of a workflow is two writes that n8n waits for neither of: the state, in which the order
 * is emitted, and the execution. A kill between them leaves one without the other. That, found in the database right after
 * a kill, explains one lost or one repeated event, and for a lost one n8n's log must show that n8n had been asked to start
 * the workflow. With Delivery at least once nothing explains a loss, and an event that says of itself that it is redelivered
 * is explained by a start of n8n. Nothing else explains anything.
 */

/** The trigger's option Delivery. */
export type Delivery = 'atMostOnce' | 'atLeastOnce';

/** One execution of the workflow: any row counts, whatever its status, because the workflow has started with this event. */
export interface StartedExecution {
	id: number;
	/** The order's source hash, with ":delayed" after it for that event. */
	event: string;
	/** When n8n made the row, in milliseconds since 1970. */
	at: number;
	/** Its event says that it may have been emitted before. */
	redelivered: boolean;
}

/** The database as a kill has left it. */
export interface KillRecord {
	/** 1 for the first. */
	kill: number;
	/** When the signal was sent, in milliseconds since 1970. */
	at: number;
	/** Events that the saved state has as emitted, with the time (ms since 1970) at which their final status was seen. */
	emitted: ReadonlyMap<string, number>;
	started: readonly StartedExecution[];
	/** How often, by its log, this n8n had been asked to start the workflow, from its own start to the kill. */
	handedOver: number;
}

/** An event that a kill caught between the two writes. */
export interface CaughtOrder {
	kill: number;
	event: string;
	/** `stateOnly`: emitted, without an execution, so it is lost. `executionOnly`: it will be emitted once more. */
	left: 'stateOnly' | 'executionOnly';
	/** Time from the emission (of an execution without one: from its row) to the kill, in milliseconds. */
	milliseconds: number;
}

/** The orders that each kill has caught, the earliest kill first. */
export function caughtOrders(kills: readonly KillRecord[]): CaughtOrder[] {
	const caught: CaughtOrder[] = [];
	let before: KillRecord | undefined;
	for (const record of kills) {
		const { kill, at, emitted, started } = record;
		const startedEvents = new Set(started.map(({ event }) => event));
		for (const [event, seenAt] of emitted) {
			if (startedEvents.has(event) || before?.emitted.has(event) === true) continue;
			caught.push({ kill, event, left: 'stateOnly', milliseconds: at - seenAt });
		}
		const known = new Set(before?.started.map(({ id }) => id));
		for (const { id, event, at: startedAt } of started) {
			if (emitted.has(event) || known.has(id)) continue;
			caught.push({ kill, event, left: 'executionOnly', milliseconds: at - startedAt });
		}
		before = record;
	}
	return caught;
}

interface Verdict {
	caught: CaughtOrder[];
	/** Orders without an execution. */
	lost: string[];
	/** Orders with more executions than one. */
	twice: string[];
	/** How many executions say that they are redelivered. */
	redelivered: number;
	/** Sentences about what must not happen and no kill explains. Empty if all is well. */
	unexplained: string[];
}

interface VerdictOptions {
	/** A kill that comes later than that after an execution was made does not explain why the state was not saved. */
	windowMs: number;
	delivery: Delivery;
	/** How often n8n was started again in the whole run, by a kill or in good order. */
	restarts: number;
}

/**
 * @param finished all events that must have come
 * @param last all executions once everything has come
 */
export function verdictOf(
	finished: readonly string[],
	kills: readonly KillRecord[],
	last: readonly StartedExecution[],
	{ windowMs, delivery, restarts }: VerdictOptions,
): Verdict {
	const caught = caughtOrders(kills);
	const executionsOf = (event: string): StartedExecution[] =>
		last.filter((each) => each.event === event);
	const explained = (event: string, left: CaughtOrder['left']): number =>
		caught.filter(
			(each) =>
				each.event === event &&
				each.left === left &&
				(left === 'stateOnly' || each.milliseconds <= windowMs),
		).length;
	const isLossExplained = (event: string): boolean =>
		delivery === 'atMostOnce' && explained(event, 'stateOnly') > 0;
	const isRepetitionExplained = (event: string): boolean => {
		const executions = executionsOf(event);
		const redelivered =
			delivery === 'atLeastOnce' ? executions.filter((each) => each.redelivered).length : 0;
		return (
			redelivered <= restarts &&
			executions.length - redelivered - 1 <= explained(event, 'executionOnly')
		);
	};

	const lost = finished.filter((event) => executionsOf(event).length === 0);
	const twice = [...new Set(last.map(({ event }) => event))].filter(
		(event) => executionsOf(event).length > 1,
	);
	const strangers = last.filter(({ event }) => !finished.includes(event));
	return {
		caught,
		lost,
		twice,
		redelivered: last.filter((each) => each.redelivered).length,
		unexplained: [
			...kills.flatMap(({ kill, started, handedOver }, index) => {
				const made = started.length - (kills[index - 1]?.started.length ?? 0);
				const stateOnly = caught.filter(
					(each) => each.kill === kill && each.left === 'stateOnly',
				).length;
				return stateOnly <= handedOver - made
					? []
					: [
							`Kill ${kill} left ${stateOnly} emitted orders without an execution, but n8n had only ${handedOver - made} starts under way.`,
						];
			}),
			...lost
				.filter((event) => !isLossExplained(event))
				.map((event) => `${event} has no execution, and no kill explains it.`),
			...twice
				.filter((event) => !isRepetitionExplained(event))
				.map(
					(event) =>
						`${event} has ${executionsOf(event).length} executions, and kills do not explain all of them.`,
				),
			...last
				.filter((each) => each.redelivered && delivery === 'atMostOnce')
				.map(
					({ id }) =>
						`Execution ${id} says that it is redelivered, which only Delivery at least once may do.`,
				),
			...strangers.map(
				({ id, event }) => `Execution ${id} is of ${event}, which has not finished.`,
			),
		],
	};
}
