import { CrossChainBridgeTrigger } from '../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';
import { runAction, type TestN8n } from './n8n';
import { restarted } from './restarted';
import { accepting, startsOf } from './sandboxed';
import { bridge, n8n, open, polling, post, restart, UNKNOWN } from './scene';

/** Faults that attacks have found, through the real n8n-core. */

const started = () => startsOf(n8n);
/** What an expression in the list gives from now on. */
const listNow = (text: string): void => {
	for (const { parameters } of n8n.nodes) parameters.sourceHashes = text;
};
const later = (hours: number) => {
	const now = Date.now() + hours * 3_600_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
};

describe('a watch does not expire over a response that was not applied yet', () => {
	const poll = async (registered: Awaited<ReturnType<TestN8n['publish']>>) =>
		await new CrossChainBridgeTrigger().poll.call(registered.contextOf());

	test('n8n could not start the workflow the first time', async () => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([accepting({ events: ['completed', 'watchEnded'] })]);
		await post({ sourceHash: hash, reference: 'r' });
		await registered.poll();
		await bridge.finish(hash, 'completed');
		later(50);
		const context = registered.contextOf();
		const { __emit } = context;
		context.__emit = () => {
			throw new Error('The database is busy');
		};
		await registered.poll();
		context.__emit = __emit;
		await registered.poll();
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});

	test('a poll comes before the tick that applies the final status', async () => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([accepting({ events: ['completed'] })]);
		await post({ sourceHash: hash, reference: 'r' });
		await registered.poll();
		await bridge.finish(hash, 'completed');
		later(50);
		await poll(registered);
		await poll(registered);
		registered.tick();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});

	test('in the durable engine none of many orders that finished during an outage is forgotten', async () => {
		const hashes = await open(3);
		const watch = { id: 'same', ...accepting({ events: ['completed'] }) };
		n8n.saveNodes([watch]);
		await n8n.durablePoll(watch, 6_000);
		await post(hashes.map((sourceHash) => ({ sourceHash })));
		await n8n.durablePoll(watch, 6_000);
		for (const hash of hashes) await bridge.finish(hash, 'completed');
		// What is started runs for hours: n8n does not say when a start was committed.
		n8n.endsExecutions = false;
		later(50);
		for (let polls = 0; polls < 4; polls++) {
			await n8n.durablePoll(watch, 6_000);
			later(0.1);
		}
		expect(
			started()
				.map(({ hash }) => hash)
				.sort(),
		).toEqual([...hashes].sort());
	});

	test('an expiry that is seen for the first time counts', async () => {
		const expiry = Math.floor(Date.now() / 1000) + 5 * 86_400;
		const [hash = ''] = await bridge.begin({ end: 'never', answer: { timing: { expiry } } });
		const registered = await n8n.publish([accepting({ events: ['completed'] })]);
		await post({ sourceHash: hash, reference: 'r' });
		later(50);
		await poll(registered);
		await poll(registered);
		registered.tick();
		await bridge.finish(hash, 'completed');
		await registered.poll();
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});
});

describe('in the durable engine a process that does not know the orders says nothing of them', () => {
	const watch = { id: 'same', ...accepting() };
	beforeEach(async () => {
		n8n.saveNodes([watch]);
		await n8n.durablePoll(watch, 36_000);
	});

	test('after a restart, once another trigger was polled and before the first poll of this one', async () => {
		const [a = '', b = ''] = await open(2);
		await post({ sourceHash: a, reference: 'a' });
		await n8n.durablePoll(watch, 36_000);
		await n8n.durablePoll(watch, 36_000);
		await post({ sourceHash: b, reference: 'b' });
		const other = { id: 'other', name: 'Other', ...accepting() };
		n8n.saveNodes([watch, other]);
		await restart();
		await n8n.durablePoll(other, 36_000);
		const listed = await n8n.call({ method: 'GET' });
		const removed = await n8n.call({ method: 'DELETE', body: { sourceHash: a } });
		await bridge.finish(a, 'completed');
		await n8n.durablePoll(watch, 36_000);
		const came = started().map(({ hash }) => hash);
		expect([listed.status, removed.status, came]).toEqual([503, 503, [a]]);
	});

	test('another main has taken them since its last poll', async () => {
		const [a = '', b = ''] = await open(2);
		const other = restarted(n8n);
		await other.durablePoll(watch, 36_000);
		await other.call({ body: { sourceHash: a } });
		await other.durablePoll(watch, 36_000);
		await other.durablePoll(watch, 36_000);
		await other.call({ body: { sourceHash: b } });
		later(0.2);
		// One database for both.
		for (const [id, data] of other.database) n8n.database.set(id, structuredClone(data));
		const removed = await n8n.call({ method: 'DELETE', body: { sourceHash: a } });
		for (const [id, data] of n8n.database) other.database.set(id, structuredClone(data));
		await bridge.finish(a, 'completed');
		await other.durablePoll(watch, 36_000);
		const came = other.started.map(({ json }) => json.sourceHash);
		expect([removed.status, came]).toEqual(removed.status === 200 ? [200, []] : [503, [a]]);
	});
});

test('an outage during Wait for Completion is not said to be an unknown hash', async () => {
	await bridge.fault({ kind: 'error', status: 503, endpoint: 'status', times: 'always' });
	const { outputs } = await runAction(bridge.credentials, {
		operation: 'waitForCompletion',
		sourceHash: UNKNOWN,
		maxMinutes: 0.05,
	});
	const { summary, status } = outputs[2]?.[0]?.json ?? {};
	expect(status).not.toBe('notFound');
	expect(summary).not.toMatch(/has not found|Check the hash/);
});

test('in Wait for Completion one item whose Simplify cannot be evaluated takes no other with it', async () => {
	const [a = '', b = ''] = await open(2);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'completed');
	const { outputs } = await runAction(
		bridge.credentials,
		{
			operation: 'waitForCompletion',
			sourceHash: '={{ $json.hash }}',
			simplify: "={{ $json.flags ? true : $('Nowhere').item.json.x }}",
		},
		{
			items: [{ json: { hash: a, flags: { simple: true } } }, { json: { hash: b } }],
			onError: 'continueRegularOutput',
		},
	);
	expect(outputs[0]?.map(({ json }) => json.sourceHash)).toContain(a);
});

test.each(['update', 'leadershipChange'] as const)(
	'a problem that comes again after a publication or start without one is shown (%s)',
	async (mode) => {
		const [a = ''] = await open();
		const registered = await n8n.publish([polling([a])]);
		listNow('x');
		await registered.poll();
		expect(n8n.failures).toHaveLength(1);
		const next = await n8n.publish([polling([a])], { mode });
		listNow('y');
		await next.poll();
		expect(n8n.failures).toHaveLength(2);
	},
);

test('a test event of an order that is listed and posted has the reference with which it would start the workflow', async () => {
	const [both = ''] = await open();
	const more = { sourceHashes: both };
	const registered = await n8n.publish([accepting(more)]);
	await post({ sourceHash: both, reference: 'theirs' });
	await registered.poll();
	const items = await n8n.fetchTestEvent({ acceptOrders: true, ...more });
	await bridge.finish(both, 'completed');
	await registered.poll();
	expect(started()).toMatchObject([{ reference: 'theirs' }]);
	expect(items).toMatchObject([{ sourceHash: both, reference: 'theirs' }]);
});
