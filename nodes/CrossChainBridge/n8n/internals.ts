import type {
	IDataObject,
	IExecuteFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

/**
 * What this package uses of n8n although n8n does not document it. Each entry says what it is, since which version n8n has it, and why it
 * is needed. Five of them a trigger cannot do without: `changedInN8n` checks these when a person publishes, in each poll of the usual engine
 * until the trigger is in charge, and in each poll of the durable engine. So a change in n8n shows as an error message, and not as a trigger
 * that does nothing.
 */

/** The context that n8n gives to a poll of a trigger, or to a call to its webhook. */
export type TriggerContext = IPollFunctions | IWebhookFunctions;

/** With what n8n reports on the start of a workflow. `response` is rejected if n8n has dropped the start; `done` resolves when the workflow has run. */
export interface StartReport {
	response: NonNullable<Parameters<IPollFunctions['__emit']>[1]>;
	done: NonNullable<Parameters<IPollFunctions['__emit']>[2]>;
}

/**
 * Starts the workflow with one item, from inside a poll or between two polls, and has n8n save the static data at the same time.
 * n8n gives `__emit` to each published trigger that polls (n8n-core 1.122 to 2.41), because its own engine calls it with what a poll returns. For the
 * two further arguments see `reportsStarts`. Throws if n8n does not accept the item.
 */
export function startWorkflow(
	context: IPollFunctions,
	json: IDataObject,
	{ response, done }: Partial<StartReport> = {},
): void {
	context.__emit([[{ json }]], response, done);
}

/**
 * Whether n8n settles both promises of a start, `response` and `done`, which it does since 2.38; that version is recognized by the poll
 * budget, which came with it. Before that, an execution that n8n cannot create leaves an error of `done` that nothing catches.
 */
export function reportsStarts(context: IPollFunctions): boolean {
	return budgetMs(context) !== null;
}

/**
 * Has n8n save the node's static data in the middle of a poll. n8n gives `__commitCursor` to a poll of its durable engine since 2.38; null
 * in any other poll.
 */
export function cursorCommit(context: IPollFunctions): (() => Promise<void>) | null {
	const commit: unknown = Reflect.get(context, '__commitCursor');
	return typeof commit === 'function' ? async () => void (await commit.call(context)) : null;
}

/**
 * Whether n8n has a durable cursor for the node: it keeps the node's static data in a table of its own, and commits it together with each start
 * of the workflow. That is so in the durable engine, unless its durable cursors are off. In the workflow's own static data n8n notices changes by
 * the field `__dataChanged` (n8n-core 1.122 to 2.41), and the table has no such field.
 */
export function hasDurableCursor(context: TriggerContext): boolean {
	return !(DATA_CHANGED in context.getWorkflowStaticData('node'));
}

const DATA_CHANGED = '__dataChanged';

/** A poll of the usual engine may take several minutes, and one of the durable engine less than its shortest interval. */
const USUAL_BUDGET_FROM_MS = 300_000;
const DURABLE_BUDGET_UP_TO_MS = 60_000;

/**
 * How long n8n lets this poll of the durable engine run, in milliseconds; null in the usual engine. n8n has `getPollBudgetMs` since
 * 2.38. It gives 300,000 in the usual engine, and at most the poll's time-out of 45 or 60 seconds, less a fifth, in the durable one.
 */
export function durableBudgetMs(context: IPollFunctions): number | null {
	const ms = budgetMs(context);
	return ms !== null && ms <= DURABLE_BUDGET_UP_TO_MS ? ms : null;
}

function budgetMs(context: IPollFunctions): number | null {
	const budget: unknown = Reflect.get(context, 'getPollBudgetMs');
	const ms: unknown = typeof budget === 'function' ? budget.call(context) : undefined;
	return typeof ms === 'number' ? ms : null;
}

/** The same in all versions of this package, because n8n keeps its contexts when the package is updated, and accepts one schedule for each trigger. */
const SCHEDULE = Symbol.for('n8n-nodes-cross-chain-bridge.schedule');

interface Schedule {
	onTick: () => void;
	/** How often the ticks were asked for again; another version of this package may not count that. */
	restarts?: number;
}

function scheduleOf(context: IPollFunctions): Schedule | null {
	return (Reflect.get(context, SCHEDULE) as Schedule | undefined) ?? null;
}

/**
 * Calls back once a second, on the leader only, until n8n drops this registration of the trigger. `helpers.registerCron` is documented for
 * triggers that do not poll; n8n gives the same helper to a poll (n8n-core 1.122 to 2.41). A registration that another version of this package
 * drives is taken over from it. Throws if n8n does not accept the schedule; a second one for the same trigger it reports, and goes on without it.
 */
export function tickEverySecond(context: IPollFunctions, onTick: () => void): void {
	const known = scheduleOf(context);
	if (known !== null) {
		known.onTick = onTick;
		return;
	}
	const schedule: Schedule = { onTick };
	register(context, schedule);
	Reflect.set(context, SCHEDULE, schedule);
}

/**
 * Asks n8n for the ticks again, because they do not come any more. The scheduler of n8n 1 (cron 3.1.7) ends a schedule for good if the next second begins
 * while it computes when that is, as on a busy machine.
 */
export function tickAgain(context: IPollFunctions): void {
	const schedule = scheduleOf(context);
	if (schedule === null) return;
	schedule.restarts = (schedule.restarts ?? 0) + 1;
	register(context, schedule);
}

const EVERY_SECOND = '* * * * * *';

function register({ helpers }: IPollFunctions, schedule: Schedule): void {
	const { restarts = 0 } = schedule;
	// n8n accepts each expression once for a trigger, so that a later one has more spaces.
	const expression = EVERY_SECOND.replace(' ', ' '.repeat(1 + restarts));
	helpers.registerCron({ expression: expression as typeof EVERY_SECOND }, () => {
		if ((schedule.restarts ?? 0) === restarts) schedule.onTick();
	});
}

/** Takes this registration from another version of this package, whose ticks do nothing any more, and says whether there was one. */
export function takeFromOtherVersion(context: IPollFunctions): boolean {
	const schedule = scheduleOf(context);
	if (schedule !== null) schedule.onTick = () => undefined;
	return schedule !== null;
}

/**
 * The IDs and names of all nodes of the trigger's workflow; null if n8n does not show them. Every context of n8n has its workflow as the
 * property `workflow` (n8n-core 1.122 to 2.41). Triggers are told apart by their ID, and a workflow that was not made in the editor may have one
 * ID twice.
 */
export function nodesOfWorkflow(
	context: TriggerContext,
): ReadonlyArray<{ id: string; name: string }> | null {
	const workflow: unknown = Reflect.get(context, 'workflow');
	const nodes: unknown =
		typeof workflow === 'object' && workflow !== null ? Reflect.get(workflow, 'nodes') : null;
	if (typeof nodes !== 'object' || nodes === null) return null;
	return Object.values(nodes as Record<string, { id: string; name: string }>);
}

/** The name of another node with the same ID, so that n8n takes the two for one; null if there is none. */
export function twinOf(context: TriggerContext): string | null {
	const { id, name } = context.getNode();
	const twin = nodesOfWorkflow(context)?.find((other) => other.id === id && other.name !== name);
	return twin?.name ?? null;
}

/** Whether the node is an AI agent's tool: n8n makes a node type of its own of it, with this ending (n8n-core 1.122 to 2.41). */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Whether the setting Always Output Data puts an empty item on a node's first output although others have items. n8n did so before 3.0;
 * since then only if all outputs are empty.
 */
export async function putsEmptyItemOnFirstOutput(): Promise<boolean> {
	return Number.parseInt(await versionOfN8n(), 10) < 3;
}

/**
 * What n8n has changed, so that this package cannot watch orders with it, as a sentence; null if nothing is different from the versions
 * that it knows.
 */
export async function changedInN8n(context: IPollFunctions): Promise<string | null> {
	const found = whatChanged(context);
	return found === null ? null : `${found} (n8n-workflow ${await versionOfN8n()})`;
}

function whatChanged(context: IPollFunctions): string | null {
	const ms = budgetMs(context);
	if (typeof Reflect.get(context, '__emit') !== 'function')
		return 'n8n no longer lets a polling trigger start its workflow between two polls';
	if (ms !== null && ms > DURABLE_BUDGET_UP_TO_MS && ms < USUAL_BUDGET_FROM_MS)
		return `n8n gives a poll ${ms / 1_000} seconds, which is not what either of its poll engines did before`;
	if (!(DATA_CHANGED in context.getWorkflowStaticData('global')))
		return 'n8n no longer notices changes of static data in the same way';
	const isDurable = durableBudgetMs(context) !== null;
	if (isDurable && hasDurableCursor(context) && cursorCommit(context) === null)
		return 'n8n no longer lets a poll of its durable engine save its state';
	if (!isDurable && typeof context.helpers.registerCron !== 'function')
		return 'n8n no longer lets a polling trigger register a schedule';
	return null;
}

async function versionOfN8n(): Promise<string> {
	try {
		const { version } = await import('n8n-workflow/package.json');
		return version;
	} catch {
		// n8n may stop to show it, and the sentence is useful without it.
		return 'of unknown version';
	}
}

/**
 * Gives a request to n8n's helper `httpRequestWithAuthentication` a signal of its own.
 *
 * In the context of an execution, the helper replaces the request's `abortSignal` by that of the execution, in
 * n8n-core 1.122 and later; in a poll it does not (n8n-core, execution-engine/node-execution-context/utils/authentication).
 * n8n documents neither. With no signal but the execution's nothing would end a response that comes in drips, because
 * the helper's time-out ends with the headers. So the property can be read, and assigning to it does nothing. If n8n
 * copies the request before it assigns, its signal wins: then `unlessAborted` in budget/clock still ends our waiting
 * in time, and only the connection stays open.
 */
export function withOwnSignal<T extends object>(
	request: T,
	signal: AbortSignal,
): T & { abortSignal: AbortSignal } {
	return Object.defineProperty(request, 'abortSignal', {
		get: () => signal,
		set: () => undefined,
		enumerable: true,
	}) as T & { abortSignal: AbortSignal };
}
