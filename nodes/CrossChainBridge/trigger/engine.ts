import type { IPollFunctions } from 'n8n-workflow';

/** Which of n8n's poll engines runs a trigger. */
export type PollEngine = 'usual' | 'durable';

/** n8n's context of a poll, or of a call to the webhook: which trigger is meant, and what n8n keeps for it. */
export type TriggerContext = Pick<IPollFunctions, 'getWorkflow' | 'getNode' | 'getWorkflowStaticData'>;

/** Poll budget that n8n reports where nothing bounds a poll (the usual engine of 2.38 and later). */
const UNBOUNDED_BUDGET_MS = 300_000;

/** How long a poll may take, in milliseconds; n8n before 2.38 has no such bound. */
export function pollBudgetMs(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs : undefined;
	const ms: unknown = typeof budget === 'function' ? budget.call(context) : undefined;
	return typeof ms === 'number' ? ms : UNBOUNDED_BUDGET_MS;
}

/** Which of n8n's poll engines runs this poll: only the durable one has a poll budget of its own. */
export function engineOf(context: IPollFunctions): PollEngine {
	return pollBudgetMs(context) === UNBOUNDED_BUDGET_MS ? 'usual' : 'durable';
}
