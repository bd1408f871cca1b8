import { accepting } from './sandboxed';
import { bridge, events, messages, n8n, open, post, restart, restartWith } from './scene';

/** n8n changes its poll engine: what is known of the orders goes from one place to the other. */

const BUDGET_MS = 6_000;

const watch = (hashes: string[], more = {}) => ({
	id: 'same',
	...accepting({ sourceHashes: hashes.join('\n'), ...more }),
});

describe.each(['init', 'activate', 'update'] as const)(
	'the other poll engine begins with %s',
	(mode) => {
		test('what the durable engine has emitted is not repeated by the usual one, and what is open goes on', async () => {
			const [finished = '', listed = '', posted = ''] = await open(3);
			const trigger = watch([finished, listed]);
			n8n.saveNodes([trigger]);
			await n8n.durablePoll(trigger, BUDGET_MS);
			await post({ sourceHash: posted, reference: 'posted' });
			await bridge.finish(finished, 'completed');
			await n8n.durablePoll(trigger, BUDGET_MS);
			expect(events()).toEqual([`${finished} completed`]);
			await restart();
			const registered = await n8n.publish([trigger], { mode });
			await registered.poll();
			await registered.poll();
			expect(events()).toEqual([]);
			for (const hash of [listed, posted]) await bridge.finish(hash, 'failed');
			await registered.poll();
			await registered.poll();
			expect(n8n.started.map(({ json }) => json.reference)).toContain('posted');
			expect(events().sort()).toEqual([`${listed} failed`, `${posted} failed`].sort());
			await restartWith(trigger);
			expect([events(), messages()]).toEqual([[], []]);
		});
	},
);

test('what the usual engine has emitted is not repeated by the durable one, nor after a switch back', async () => {
	const [first = '', second = '', third = ''] = await open(3);
	const trigger = watch([first, second, third]);
	await bridge.finish(first, 'completed');
	await n8n.publish([trigger]);
	expect(events()).toEqual([`${first} completed`]);
	await restart();
	await n8n.durablePoll(trigger, BUDGET_MS);
	await bridge.finish(second, 'completed');
	await n8n.durablePoll(trigger, BUDGET_MS);
	expect(events()).toEqual([`${second} completed`]);
	const registered = await restartWith(trigger);
	await bridge.finish(third, 'completed');
	await registered.poll();
	await registered.poll();
	expect(events()).toEqual([`${third} completed`]);
	await restart();
	await n8n.durablePoll(trigger, BUDGET_MS);
	expect([events(), messages()]).toEqual([[], []]);
});

test.each<[string, () => () => void]>([
	['the key is rejected', wrongKey],
	['the list cannot be read', wrongList],
])(
	'a trigger that was published while the durable engine had its data is watched, although %s with the first scheduled poll of the usual one',
	async (_what, spoil) => {
		const [hash = ''] = await open();
		const trigger = watch([hash], { events: ['anyEvent'] });
		n8n.saveNodes([trigger]);
		await n8n.durablePoll(trigger, BUDGET_MS);
		await restart();
		const registered = await n8n.publish([trigger]);
		const mend = spoil();
		for (let polls = 0; polls < 3; polls++) await registered.poll();
		mend();
		await bridge.finish(hash, 'completed');
		for (let polls = 0; polls < 3; polls++) await registered.poll();
		expect(n8n.started.map(({ json }) => json.event)).toEqual([
			'interrupted',
			expect.any(String),
			expect.any(String),
		]);
		expect(events()).toContain(`${hash} completed`);
		expect(messages()).toHaveLength(1);
	},
);

function wrongKey(): () => void {
	const { data } = bridge.credentials;
	bridge.credentials.data = { ...data, apiKey: 'wrong' };
	return () => (bridge.credentials.data = data);
}

function wrongList(): () => void {
	const [before] = n8n.nodes;
	const { parameters = {} } = before ?? {};
	const { sourceHashes = '' } = parameters;
	parameters.sourceHashes = 'nonsense';
	return () => (parameters.sourceHashes = sourceHashes);
}
