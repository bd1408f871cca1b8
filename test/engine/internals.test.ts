import {
	changedInN8n,
	durableBudgetMs,
	hasDurableCursor,
	nodesOfWorkflow,
	tickAgain,
} from '../../nodes/CrossChainBridge/n8n/internals';
import { n8n, open, polling } from './scene';

/** What n8n does not document is there in this n8n-core; and where one thing of it is missing or different, that is said. */

const contextIn = async () => (await n8n.publish([polling(await open())])).contextOf();
const helpersWithout = (context: { helpers: object }) =>
	Object.create(context.helpers, { registerCron: { value: undefined } }) as object;

test('nothing has changed in this n8n', async () => {
	const context = await contextIn();
	expect(await changedInN8n(context)).toBeNull();
	expect([durableBudgetMs(context), hasDurableCursor(context)]).toEqual([null, false]);
	expect(nodesOfWorkflow(context)).toMatchObject([{ id: 'id of Trigger', name: 'Trigger' }]);
});

test.each<[string, (context: { helpers: object }) => object, RegExp]>([
	['no start between polls', () => ({ __emit: undefined }), /start its workflow between two polls/],
	['another budget', () => ({ getPollBudgetMs: () => 120_000 }), /gives a poll 120 seconds/],
	['another static data', () => ({ getWorkflowStaticData: () => ({}) }), /no longer notices/],
	['no schedule', (context) => ({ helpers: helpersWithout(context) }), /register a schedule/],
	[
		'no save in the middle of a durable poll',
		() => ({
			getPollBudgetMs: () => 36_000,
			getWorkflowStaticData: (type: string) => (type === 'node' ? {} : { __dataChanged: false }),
			__commitCursor: undefined,
		}),
		/durable engine save its state/,
	],
])('with %s a sentence says so, with the version', async (_what, changesOf, sentence) => {
	const context = await contextIn();
	const different = Object.entries(changesOf(context)).map(([name, value]) => [name, { value }]);
	const changed = await changedInN8n(
		Object.create(
			context,
			Object.fromEntries(different) as PropertyDescriptorMap,
		) as typeof context,
	);
	expect(changed).toMatch(sentence);
	expect(changed).toMatch(/\(n8n-workflow \d+\.\d+\.\d+\)$/);
});

test('n8n accepts the ticks again, under another spelling of the same expression', async () => {
	const context = await contextIn();
	const tick = await new Promise<boolean>((resolve) => {
		const { registerCron } = context.helpers;
		context.helpers.registerCron = (cron, onTick) =>
			registerCron(cron, () => {
				onTick();
				resolve(true);
			});
		tickAgain(context);
	});
	expect(tick).toBe(true);
});
