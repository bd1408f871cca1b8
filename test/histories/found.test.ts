import type { Fault } from './service';
import { type Happening, run } from './history';
import { type Credential, type Given, USUAL, type WorldOptions } from './world';

/** What happens, as a step such as `move 0 completed` has it; `tick 2` waits for two seconds in which n8n's scheduler ticks. */
function happeningOf(step: string): Happening {
	const [what = '', ...words] = step.split(' ');
	const [first = '', second = ''] = words;
	const orders = words.map(Number);
	switch (what) {
		case 'wait':
		case 'tick':
			return { do: 'wait', seconds: Number(first), ticks: what === 'tick' };
		case 'begin':
			return { do: 'begin', order: Number(first) };
		case 'move':
			return { do: 'move', order: Number(first), to: second };
		case 'list':
		case 'delete':
			return { do: what, trigger: 0, orders };
		case 'post':
			return { do: 'post', trigger: 0, orders: words.map(postOf) };
		case 'get':
			return { do: 'get', trigger: 0 };
		case 'fault':
			return { do: 'fault', is: first === 'over' ? null : (first as Fault) };
		case 'failToStart':
			return { do: 'failToStart', is: true };
		case 'credential':
			return { do: 'credential', is: first as Credential };
		case 'restart':
			return { do: 'restart', savesBack: 0, switchesEngine: first === 'switched' };
		case 'expression':
			return { do: 'expression', gives: first as Given };
		case 'publish':
			return {
				do: 'publish',
				only: words.includes('0') ? 0 : words.includes('1') ? 1 : null,
				removesFirst: words.includes('removesFirst'),
				failsElsewhere: words.includes('failsElsewhere'),
			};
		case 'poll':
		case 'unpublish':
		case 'endNode':
		case 'startOther':
			return { do: what };
		default:
			throw new Error(`Nothing that happens: ${step}`);
	}
}

/** An order, perhaps with a reference, or the one that it replaces: `2`, `2:r1`, or `2>1`. */
function postOf(word: string): { order: number; reference?: string; replaces?: number } {
	const [order, reference] = word.split(':');
	const [own, replaces] = word.split('>');
	if (replaces !== undefined) return { order: Number(own), replaces: Number(replaces) };
	return { order: Number(order), ...(reference === undefined ? {} : { reference }) };
}

/** Histories that went wrong once, as short as they could be made: steps, or what a failure has printed. */

test.each<[string, Partial<WorldOptions>, ...Array<string | Happening>]>([
	[
		'published while a poll of the registration before is under way: the new one makes its own checks',
		{},
		'tick 2, begin 0, move 0 completed, poll, publish',
	],
	[
		'the durable engine: a final status that was seen for a workflow that is no longer published is emitted when it is published again',
		{ engine: 'durable' },
		'wait 2, begin 0, poll, wait 3, unpublish, move 0 completed, wait 5, publish',
	],
	[
		'the durable engine: what the poll during activation has emitted is not emitted again by the next poll',
		{ engine: 'durable' },
		'wait 2, begin 0, poll, wait 61, unpublish, move 0 completed, publish',
	],
	[
		'the durable engine: where n8n finds the trigger’s job active, the poll that is under way continues, and what it emits counts',
		{ engine: 'durable', listIsExpression: true },
		'begin 2, move 2 completed, list 2, wait 2, poll, publish, wait 0, wait 14, publish, wait 0',
	],
	[
		'another list that could not be published: the list before still counts, and its events are not emitted again',
		{},
		'begin 0, move 0 completed, tick 2, list 2, fault wrongKey, publish, tick 1, get, fault over',
		'poll, tick 5, restart',
	],
	[
		'a key that was wrong for the registration before: publishing again does not fail for that, although no request is left to try it',
		{ triggers: 2, requestsPerMinute: 7 },
		'wait 1, publish 0 failsElsewhere, fault wrongKey, begin 0, wait 0, poll, tick 12',
	],
	[
		'the durable engine: a check that had to wait in the queue emits nothing after a failed activation',
		{ engine: 'durable' },
		'begin 2, wait 2, restart, fault limitedInTheMiddle, list 2, publish failsElsewhere, wait 0',
	],
	[
		'the durable engine: two polls before and after a long standstill fail, although the configuration was read: that is an interruption',
		{ engine: 'durable', triggers: 2, listIsExpression: true, keepChecking: false },
		'list 0, wait 5, fault limitedInTheMiddle, unpublish, publish, wait 180000, poll, wait 0, wait 0',
	],
	[
		'n8n could start nothing for a while: publishing again does not fail for that',
		{ requestsPerMinute: 7 },
		'failToStart, begin 2, move 2 completed, wait 2, publish, post 2, tick 3, unpublish',
	],
	[
		'the durable engine: a key that was wrong for a poll under way does not keep the workflow from being published after it',
		{ engine: 'durable' },
		'wait 3, poll, wait 3, list, move 0 executing, publish removesFirst, fault wrongKey, wait 1',
		'wait 1, fault limited',
	],
	[
		'n8n can start nothing while the watches of several posted orders expire: none of them is forgotten without its event',
		{},
		'wait 1, post 3 2, wait 180000, move 2 executing, failToStart, tick 1, tick 1, poll',
		'fault limited, move 0 executing, poll',
	],
	[
		'a poll right after a failed activation reads the list for the registration before',
		{ triggers: 2, listIsExpression: true },
		// Each step lets the activation get a little further: exactly to where the trigger has failed, and n8n has not noticed yet.
		'credential gone, wait 14, publish, failToStart, credential slow, failToStart, list 3, poll',
		'move 3 executing, post 0',
	],
	[
		'what has finished long ago is forgotten, although n8n fails to start the workflow for another order',
		{},
		'tick 15, move 2 completed, post 2 0, tick 1, wait 180000, failToStart, list 2, tick 3, poll',
	],
	[
		'after a suspension a registration that was replaced long ago is polled first',
		{ triggers: 2, listIsExpression: true, requestsPerMinute: 7, leavesGhosts: true },
		'credential gone, restart, wait 0, credential there, move 0 executing, publish, wait 0, poll',
	],
	[
		'a trigger that is not published again for an hour keeps what it has emitted, whatever another one of the workflow saves meanwhile',
		{ triggers: 2 },
		'post 0, move 0 completed, publish 1 failsElsewhere, wait 3700, tick 12, publish',
	],
	[
		'the durable engine: a poll that finds no credential has started what it began to start before it is over',
		{ engine: 'durable' },
		'wait 90000, publish removesFirst, credential gone, wait 1, poll, wait 1',
	],
	[
		'after days in which the computer slept, a trigger that was not published again keeps what was posted to it',
		{ triggers: 2 },
		'wait 1, publish 0 failsElsewhere, post 1, move 1 refunded, wait 180000, poll, post 0, tick 3',
		'list, failToStart',
	],
	[
		'after days in which the computer slept, a trigger emits nothing again where another one of the workflow is published first',
		{ triggers: 2 },
		'poll, fault wrongKey, poll, wait 180000, publish 1, fault over',
	],
	[
		'the durable engine: what is posted while the database takes its time for Watch Ended is watched again, by a process that knows nothing of that event',
		{ engine: 'durable', executionsRunLong: true },
		'post 2 0, wait 180000, publish removesFirst, post 0, poll, delete 0, wait 1, endNode, post 2 0',
		'begin 2, move 2 completed',
	],
	[
		'the durable engine: a call that removes two orders leaves the one that the list names, without what it was posted with',
		{ engine: 'durable' },
		{
			do: 'post',
			trigger: 0,
			orders: [{ order: 2 }, { order: 0, reference: { chat: [1, '<b>'] } }],
		},
		'wait 0, delete 2 0',
	],
	[
		'the durable engine: a reference that is posted while an event Delayed waits for its commit comes too late for it',
		{ engine: 'durable', triggers: 2, commitsTake: [700, 300, 5] },
		'wait 180000, poll, wait 2, post 0, post 1:r1 0, fault limited',
	],
	[
		'the durable engine: an order is posted while its start is committed, and n8n drops that start: the event comes with what was posted',
		{ engine: 'durable', triggers: 2, commitsTake: [700, 300, 5] },
		{ do: 'list', trigger: 1, orders: [3] },
		'delete 0, move 3 completed, restart, begin 0, wait 14, poll, move 0 executing, wait 1',
		{
			do: 'post',
			trigger: 1,
			orders: [{ order: 3, reference: { chat: [1, '<b>'] } }, { order: 0 }],
		},
	],
	[
		'the durable engine: an order whose start was dropped is posted where the list names it no longer: the event comes for the post',
		{ engine: 'durable', triggers: 2, requestsPerMinute: 7 },
		'wait 1, restart, poll, move 0 completed',
		{ do: 'list', trigger: 1, orders: [] },
		'unpublish, publish',
		{ do: 'post', trigger: 1, orders: [{ order: 0 }] },
		'wait 0, fault limited, move 0 executing, delete 0',
	],
	[
		'the durable engine: an order is removed while its start is committed, and n8n drops that start: the event need not come',
		{ engine: 'durable', commitsTake: [5] },
		'post 3, move 3 refunded, poll, unpublish, wait 1, publish, delete 3, poll, wait 0',
	],
	[
		'the durable engine: what a listed order was posted with is removed while an event Delayed waits for its commit: too late for it',
		{ engine: 'durable', triggers: 2, commitsTake: [700, 300, 5] },
		{ do: 'post', trigger: 1, orders: [{ order: 0, reference: 'r2' }, { order: 0 }] },
		'wait 310, poll, wait 1',
		{ do: 'delete', trigger: 1, orders: [0] },
		'fault limited, wait 0',
		{ do: 'list', trigger: 0, orders: [] },
	],
	[
		'the durable engine: a posted order is removed while its event Delayed waits for its commit: too late for it',
		{ engine: 'durable', commitsTake: [700, 300, 5] },
		'post 2, wait 310, poll, wait 1, delete 2',
	],
	[
		'a hash that was replaced is listed after the other one has finished: it is not watched, and never delayed',
		{},
		'post 3>2, move 3 completed, tick 12, list 2, publish, wait 310, poll, tick 2',
	],
	[
		'the durable engine: an order is posted for another one and removed before the first poll, which reads both in the list: two orders',
		{ engine: 'durable' },
		'post 0>1, delete 0, wait 5, list, wait 5, wait 0',
	],
	[
		'the durable engine: a check that is given up after 30 seconds, while those of another order work, makes its order Delayed at that moment',
		{ engine: 'durable' },
		'wait 3, fault verySlow, wait 310, list 0 2, publish removesFirst, tick 12, endNode, list, wait 14',
	],
	[
		'a check that is given up after 30 seconds, whose response would have shown a final status, makes its order Delayed',
		{},
		'fault verySlow, wait 310, move 0 failed, poll, wait 2, move 0 executing, fault limited, post 0, poll',
	],
	[
		'checks failed before and after the computer slept: that is not yet an interruption',
		{ keepChecking: false },
		'wait 3, fault dropped, restart, wait 3, poll, tick 3, publish, wait 3700, tick 2',
	],
	[
		'publishing fails elsewhere: a registration that was replaced long ago ticks no longer either, so that nothing is taken for emitted',
		{ leavesGhosts: true },
		'wait 2, publish, wait 3700, publish failsElsewhere, poll, tick 1, post 0',
	],
	[
		'the durable engine: an order is posted with a reference and without one while its start is committed, and n8n drops that start: it keeps the reference',
		{ engine: 'durable', commitsTake: [900, 5] },
		'post 0, move 0 refunded, poll, wait 1, post 0:r1 0, move 0 executing, wait 0',
		'publish removesFirst, wait 0',
	],
	[
		'an order replaces one that was replaced by one that was found, and is replaced itself: only the newest one is late',
		{},
		'post 0>2, list 2, publish, begin 2, tick 1, post 3>0 1>3, failToStart, list',
	],
	[
		'an order replaces one that has finished, and is listed: it is watched',
		{},
		'post 0>1, begin 1, move 1 completed, tick 7, post 3>1, list 3, publish',
	],
	[
		'the durable engine: a call removes an order that the list names while its event is being committed: the event does not come again',
		{ engine: 'durable', triggers: 2, commitsTake: [700, 300, 5] },
		'wait 180000, poll, wait 2, delete 1, wait 1, list',
		{ do: 'restartInCommit' },
	],
	[
		'the durable engine: an order that was replaced is found, and the list leaves it out: it stays watched, because of the post',
		{ engine: 'durable' },
		'post 1>0, move 0 executing, wait 180000, unpublish, list, wait 14, restart',
	],
	[
		'the durable engine: an order that is watched is posted for another one whose start is being committed: it stays watched',
		{ engine: 'durable', requestsPerMinute: 7, commitsTake: [900, 5] },
		'wait 1, post 0, publish removesFirst, move 1 failed, wait 8, post 0>1, wait 1, unpublish, wait 14',
	],
	[
		'the durable engine: an order whose start is being committed is posted for another one, and n8n drops that start: both are watched',
		{ engine: 'durable', commitsTake: [700, 300, 5] },
		'wait 2, move 0 completed, wait 1, post 0>1 1, unpublish, begin 0, poll',
	],
	[
		'an order that the list names was replaced and is found, and the other one is removed: only the listed one is watched',
		{},
		'post 3>1, begin 1, tick 7, delete 3, list, publish',
	],
	[
		'the durable engine was switched off, and the first poll after a publication finds a wrong key: later ones check the orders',
		{ engine: 'durable' },
		'wait 3, restart switched, wait 14, publish, wait 1, fault wrongKey, poll, wait 9',
	],
	[
		'the durable engine: a call says of a finished order that it replaces one that the call names only after it: that one is late like any other',
		{ engine: 'durable' },
		'begin 0, move 0 completed, wait 3, post 0>2 2, wait 3, publish',
	],
	[
		'the durable engine was switched off while n8n commits what a poll has read of the list, and an order of it was posted meanwhile: it is watched as posted until the list can be read',
		{ engine: 'durable', triggers: 2, listIsExpression: true, commitsTake: [700, 300, 5] },
		'post 0, wait 2',
		{ do: 'post', trigger: 1, orders: [{ order: 0 }] },
		'restart switched, expression error',
		{ do: 'get', trigger: 1 },
	],
	[
		'the durable engine was switched off, an order is posted before the first poll after a publication, and a trigger of another service saves its copy: the order is watched after a restart',
		{ engine: 'durable' },
		'wait 3, restart switched, wait 14, publish, wait 1, post 2, startOther, restart',
	],
	[
		'the durable engine was switched off, and the workflow is unpublished during the first poll after a publication: no ticks begin',
		{ engine: 'durable' },
		{ do: 'restartInCommit' },
		'restart switched, wait 1, publish, wait 0, post 0, poll, unpublish',
	],
	[
		'the durable engine was switched off, and the first poll after a publication cannot read the list: what was watched is watched on',
		{ engine: 'durable', listIsExpression: true },
		'wait 3, restart switched, begin 0, wait 14, publish, wait 1, expression nothing',
	],
	[
		'the durable engine was switched off, and the registration before polls during the first poll after a publication: that poll reads the list',
		{ engine: 'durable' },
		{ do: 'restartInCommit' },
		'unpublish, restart switched, list 2, publish, wait 1, publish, poll, tick 12',
	],
	[
		'the durable engine: a posted order has finished, and the list, which cannot be read for a day, names it afterwards: it is not emitted again',
		{ engine: 'durable', listIsExpression: true, triggers: 1, commitsTake: [5] },
		'expression nothing, post 0, restart, move 0 refunded, poll, wait 90000, startOther, restart',
	],
	[
		'a posted order expires, and its watch ends, while the list cannot be read, which names it afterwards: nothing is said a second time',
		{ listIsExpression: true, triggers: 1 },
		'post 3, expression error, list 3, wait 180000, tick 3, wait 90000, poll',
	],
	[
		'the durable engine: a listed order is replaced, with a reference, while n8n commits its start, which keeps the reference of before',
		{ engine: 'durable', commitsTake: [700, 300, 5] },
		'wait 2, move 1 failed, wait 1',
		{ do: 'post', trigger: 0, orders: [{ order: 0, reference: 'r', replaces: 1 }] },
	],
	[
		'n8n restarts while the list cannot be read, and the watch of an order ends before the list names it: what was said of it is not said again',
		{ listIsExpression: true },
		'post 3, list 3, wait 180000, expression error, restart, tick 3, wait 1800, tick 9',
	],
	[
		'while a publication is under way, a poll of the registration before reads a list without orders; the publication fails because the expression does: those orders stay left out',
		{ listIsExpression: true, triggers: 2 },
		'wait 2, publish',
		{ do: 'list', trigger: 1, orders: [] },
		'begin 0, list, poll, expression nothing, list',
	],
	[
		'n8n restarts while a trigger is being published and waits for its credential: its list, which cannot be read afterwards, had not been saved with the event of another trigger',
		{ listIsExpression: true, triggers: 2 },
		'move 0 completed, list, credential slow, tick 3, delete 0, publish',
		{ do: 'beginNode' },
		'post 0, endNode, list',
		{ do: 'restart', savesBack: 1, switchesEngine: false },
		{ do: 'restart', savesBack: 2, switchesEngine: false },
		'expression error',
	],
])('%s', async (_name, options, ...steps) => {
	const happenings = steps.flatMap((step) =>
		typeof step === 'string' ? step.split(', ').map(happeningOf) : [step],
	);
	await run({ options: { ...USUAL, ...options }, happenings });
});
