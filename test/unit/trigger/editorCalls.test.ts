import type { TriggerContext } from '../../../nodes/CrossChainBridge/n8n/internals';
import { leaveForEditor, takeForEditor } from '../../../nodes/CrossChainBridge/trigger/editorCalls';

/** What a call to the Test URL leaves for the execution that it has started. */

let workflows = 0;
const triggerOf = (workflowId: string | undefined, nodeId: string) =>
	({
		getWorkflow: () => ({ id: workflowId }),
		getNode: () => ({ id: nodeId }),
	}) as unknown as TriggerContext;
const fresh = () => triggerOf(`editor ${++workflows}`, 'node');
const items = (name: string) => [{ json: { name } }];

test('is taken once, by the same trigger of the same workflow', () => {
	const [trigger, other] = [fresh(), fresh()];
	leaveForEditor(trigger, items('a'), 0);
	expect([
		takeForEditor(other, 0),
		takeForEditor(triggerOf(`editor ${workflows - 1}`, 'another node'), 0),
	]).toEqual([null, null]);
	expect([takeForEditor(trigger, 0), takeForEditor(trigger, 0)]).toEqual([items('a'), null]);
});

test('names of workflow and node are not mixed up', () => {
	leaveForEditor(triggerOf('a', 'b'), items('one'), 0);
	expect(takeForEditor(triggerOf('', 'ab'), 0)).toBeNull();
	leaveForEditor(triggerOf(undefined, 'new'), items('unsaved'), 0);
	expect(takeForEditor(triggerOf('', 'new'), 0)).toEqual(items('unsaved'));
});

test('a newer call takes the place of the one before', () => {
	const trigger = fresh();
	leaveForEditor(trigger, items('old'), 0);
	leaveForEditor(trigger, items('new'), 1);
	expect(takeForEditor(trigger, 2)).toEqual(items('new'));
});

test.each([
	[30_000, items('a')],
	[30_001, null],
])('after %i ms it is there: %j', (ms, expected) => {
	const trigger = fresh();
	leaveForEditor(trigger, items('a'), 1_000);
	expect(takeForEditor(trigger, 1_000 + ms)).toEqual(expected);
});

test('what nobody has taken in half a minute is let go with the next call, whatever the clock says then', () => {
	const [late, intime] = [fresh(), fresh()];
	leaveForEditor(late, items('late'), 999);
	leaveForEditor(intime, items('in time'), 1_000);
	leaveForEditor(fresh(), items('next'), 31_000);
	const expected = [null, items('in time')];
	expect([takeForEditor(late, 1_000), takeForEditor(intime, 1_000)]).toEqual(expected);
});
