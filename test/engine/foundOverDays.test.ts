import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { accepting, startsOf, wallClockAhead } from './sandboxed';
import {
	bridge,
	events,
	messages as failures,
	n8n,
	open,
	openAndDue,
	post,
	restart,
	restartWith,
	UNKNOWN,
} from './scene';

/** Faults that show when a trigger runs for days: what expressions, bridges, clocks and people do meanwhile, in the real n8n-core. */

const DAY_MS = 24 * 3_600_000;
const DELAYED = { events: ['anyFinalStatus', 'delayed'] };
const WALLET = `0x${'ab'.repeat(20)}`;

const hashesFrom = (first: number, count = 1000) =>
	Array.from({ length: count }, (_, i) => `0x${(first + i).toString(16).padStart(64, '0')}`);
const watched = async () => {
	const { body } = await n8n.call({ method: 'GET' });
	return (body as { orders: IDataObject[] }).orders.map(({ sourceHash }) => sourceHash);
};

/** Begins a trigger that accepts orders, with its first poll; gives its further polls, with other fields from then on where some are given. */
async function begun(engine: string, fields: IDataObject = {}) {
	const watch = { id: 'same', ...accepting(fields) };
	const { poll } =
		engine === 'durable'
			? { poll: async () => await n8n.durablePoll(watch, 6_000) }
			: await n8n.publish([watch]);
	if (engine === 'durable') {
		n8n.saveNodes([watch]);
		await poll();
	}
	return async (changed: IDataObject = {}): Promise<void> => {
		Object.assign(watch.parameters, changed);
		for (const { parameters } of n8n.nodes) Object.assign(parameters, changed);
		await poll();
	};
}

describe.each(['usual', 'durable'])('in the %s engine', (engine) => {
	test.each(["={{ JSON.parse('[') }}", '={{ $vars.orders }}', '={{ null }}'])(
		'a list that is %s for one poll fails that poll, and is the list of before',
		async (nothing) => {
			const [finished = '', other = ''] = await open(2);
			await bridge.finish(finished, 'completed');
			const sourceHashes = [finished, other].join('\n');
			const poll = await begun(engine, { sourceHashes });
			await poll({ sourceHashes: nothing });
			wallClockAhead(60_000);
			await poll({ sourceHashes });
			await bridge.finish(other, 'failed');
			await poll();
			expect({ failures: failures(), events: events() }).toEqual({
				failures: [expect.stringContaining('Source Transaction Hashes')],
				events: [`${finished} completed`, `${other} failed`],
			});
		},
	);

	test('Delayed After that gives nothing fails the poll, and is not 5', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash, delayedAfter: 60, ...DELAYED });
		wallClockAhead(301_000);
		await poll({ delayedAfter: '={{ $vars.minutes }}' });
		await poll({ delayedAfter: 60 });
		expect({ failures: failures(), events: events() }).toEqual({
			failures: [expect.stringContaining('Delayed After')],
			events: [],
		});
	});

	test.each<[string, Fault]>([
		['500', { kind: 'error', status: 500 }],
		['401', { kind: 'error', status: 401 }],
		['403 in HTML', { kind: 'html', status: 403 }],
		['nothing', { kind: 'drop' }],
	])(
		'where checks get %s and the configuration comes, the fifth poll that could check no order fails, and not one that could check another',
		async (_what, fault) => {
			const [failing = '', healthy = ''] = await open(2);
			const poll = await begun(engine, { sourceHashes: [failing, healthy].join('\n') });
			await bridge.fault({ ...fault, endpoint: 'status', sourceHash: failing, times: 'always' });
			for (let polls = 0; polls < 6; polls++) await poll();
			await bridge.finish(healthy, 'completed');
			await poll();
			expect([events(), failures()]).toEqual([[`${healthy} completed`], []]);
			const before: number[] = [];
			for (let polls = 1; polls <= 12; polls++) {
				await poll();
				before.push(n8n.failures.length);
			}
			expect(n8n.failures).toMatchObject([
				{
					description: expect.stringMatching(
						/No order could be checked in \d polls in a row\. All stay watched\./,
					),
				},
			]);
			expect(before[4]).toBe(1);
		},
	);

	test.each<[string, string[], RegExp]>([
		['a wallet address', [WALLET], /wallet address/],
		['a 1,001st hash', hashesFrom(1), /1001 source transaction hashes/],
	])(
		'%s in the list is shown, and the orders of before are checked',
		async (_what, rows, message) => {
			const [listed = '', posted = ''] = await open(2);
			const poll = await begun(engine, { sourceHashes: listed });
			await post({ sourceHash: posted });
			await poll();
			await bridge.finish(listed, 'completed');
			await bridge.finish(posted, 'failed');
			const sourceHashes = [listed, ...rows].join('\n');
			for (let polls = 0; polls < 3; polls++) await poll({ sourceHashes });
			expect(failures()).toEqual([expect.stringMatching(message)]);
			expect(events().sort()).toEqual([`${listed} completed`, `${posted} failed`].sort());
		},
	);

	test('a poll that fails does not keep the next one from checking', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash });
		await poll({ sourceHashes: [hash, WALLET].join('\n') });
		await bridge.finish(hash, 'completed');
		await poll({ sourceHashes: hash });
		expect([failures().length, events()]).toEqual([1, [`${hash} completed`]]);
	});

	test('a post that was answered as already finished is so answered again when the list has been cleared', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash });
		await bridge.finish(hash, 'completed');
		await poll();
		const answers = [await post({ sourceHash: hash })];
		await poll({ sourceHashes: '' });
		answers.push(await post({ sourceHash: hash }));
		await poll();
		await poll();
		const finished = { status: 202, body: { alreadyFinished: [{ sourceHash: hash }] } };
		expect(answers).toMatchObject([finished, finished]);
		expect(events()).toEqual([`${hash} completed`]);
	});

	test('a posted order that could never be checked is dropped 30 days after its watch should have expired', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { events: ['completed', 'watchEnded'] });
		await bridge.fault({ kind: 'error', status: 500, endpoint: 'status', times: 'always' });
		await post({ sourceHash: hash });
		await poll();
		wallClockAhead(31 * DAY_MS);
		await poll();
		expect([events(), await watched()]).toEqual([[], [hash]]);
		wallClockAhead(33 * DAY_MS);
		await poll();
		await poll();
		expect(n8n.started).toMatchObject([
			{
				json: { event: 'watchEnded', summary: expect.stringMatching(/could not be checked/i) },
			},
		]);
		expect(await watched()).toEqual([]);
	});

	test('DELETE of a listed and posted order counts when it is removed from the list, too', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash });
		await post({ sourceHash: hash, reference: 'theirs' });
		await poll();
		await n8n.call({ method: 'DELETE', body: { sourceHash: hash } });
		await poll();
		await poll({ sourceHashes: '' });
		await bridge.finish(hash, 'completed');
		await poll();
		expect([events(), await watched()]).toEqual([[], []]);
	});

	test('Delayed comes once for a hash that the bridge rejects by a code of its own', async () => {
		await bridge.fault({
			kind: 'error',
			status: 400,
			code: 'INVALID_HASH',
			sourceHash: UNKNOWN,
			times: 'always',
		});
		const poll = await begun(engine, { sourceHashes: UNKNOWN, ...DELAYED });
		wallClockAhead(301_000);
		await poll();
		await poll();
		expect(events()).toEqual([`${UNKNOWN} delayed`]);
	});

	test('Delayed does not come for another spelling of a finished order', async () => {
		const [hash = ''] = await open();
		const sourceHashes = [hash, hash.slice(2)].join('\n');
		const poll = await begun(engine, { sourceHashes, ...DELAYED });
		await bridge.finish(hash, 'completed');
		await poll();
		wallClockAhead(301_000);
		await poll();
		expect(events()).toEqual([`${hash} completed`]);
	});

	test('an empty reference that was posted does not hide the label of the list', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine);
		await post({ sourceHash: hash, reference: '' });
		await poll({ sourceHashes: `Food: ${hash}` });
		await bridge.finish(hash, 'completed');
		await poll();
		expect(startsOf(n8n)).toEqual([{ hash, event: 'completed', reference: 'Food' }]);
	});
});

test('two triggers that were unpublished for 91 days forget and repeat nothing, in a process that has run for hours', async () => {
	const [a = '', b = '', posted = ''] = await open(3);
	await bridge.finish(a, 'completed');
	await bridge.finish(b, 'completed');
	const both = [
		{ name: 'One', id: '1', ...accepting({ sourceHashes: a }) },
		{ name: 'Two', id: '2', ...accepting({ sourceHashes: b }) },
	];
	await n8n.publish(both);
	await n8n.call({ trigger: 'Two', body: { sourceHash: posted } });
	await restart();
	wallClockAhead(91 * DAY_MS);
	await bridge.finish(posted, 'completed');
	const registered = await n8n.publish(both);
	await registered.poll('One');
	await registered.poll('Two');
	expect(events()).toEqual([`${posted} completed`]);
});

test('without Include Already Finished, what an expression has listed and what finished while n8n was down is reported', async () => {
	const [first = '', added = ''] = await open(2);
	const options = { includeFinished: false };
	const poll = await begun('usual', { sourceHashes: first, options });
	const sourceHashes = [first, added].join('\n');
	await poll({ sourceHashes });
	await poll();
	await restart();
	await bridge.finish(added, 'completed');
	wallClockAhead(600_000);
	const trigger = { id: 'same', ...accepting({ sourceHashes, options }) };
	await (await n8n.publish([trigger], { mode: 'init' })).poll();
	expect(events()).toEqual([`${added} completed`]);
});

describe('with far more orders than a trigger may watch', () => {
	// So that no check takes long.
	beforeEach(
		async () =>
			await bridge.fault({
				kind: 'error',
				status: 429,
				retryAfterSeconds: 3600,
				endpoint: 'status',
				times: 'always',
			}),
	);

	test('a fresh process in the durable engine accepts, before its first poll, only what it watches afterwards', async () => {
		const poll = await begun('durable');
		const early = hashesFrom(1001, 900);
		await post(early);
		await poll();
		await poll();
		// What is stored of the calls before is no longer needed.
		await post({ sourceHash: UNKNOWN });
		const sourceHashes = hashesFrom(1).join('\n');
		await poll({ sourceHashes });
		expect(await watched()).toHaveLength(1901);
		await restart();
		// Two processes that accept calls at the same moment send the callers away.
		wallClockAhead(3_000);
		// The engine is known by any poll of the process.
		await n8n.durablePoll({ id: 'other', name: 'Other', ...accepting() }, 6_000);
		const late = hashesFrom(9001, 200);
		const { status } = await post(late);
		await n8n.durablePoll({ id: 'same', ...accepting({ sourceHashes }) }, 6_000);
		expect([202, 429, 503]).toContain(status);
		const accepted = [...early, ...(status === 202 ? late : [])];
		expect(await watched()).toEqual(expect.arrayContaining(accepted));
	});

	test('a restart loses none that was accepted', async () => {
		const accepted: string[] = [];
		for (const first of [1, 1001, 2001]) {
			const orders = hashesFrom(first);
			await n8n.publish([{ id: 'same', ...accepting({ sourceHashes: orders.join('\n') }) }]);
			if ((await post(orders)).status === 202) accepted.push(...orders);
		}
		const sourceHashes = hashesFrom(2001).join('\n');
		await restartWith({ id: 'same', ...accepting({ sourceHashes }) });
		expect(accepted).not.toEqual([]);
		expect(await watched()).toEqual(expect.arrayContaining(accepted));
	});
});

test('a Retry-After that is a date goes by the clock of the bridge, which may be ahead', async () => {
	wallClockAhead(-3_600_000);
	const [hash = ''] = await openAndDue();
	await n8n.publish([accepting({ sourceHashes: hash, keepChecking: true, checkEvery: 1 })]);
	await bridge.fault({
		kind: 'error',
		status: 429,
		retryAfterSeconds: 1,
		retryAfterForm: 'date',
	});
	await bridge.finish(hash, 'completed');
	await n8n.untilStarted(1);
	expect(events()).toEqual([`${hash} completed`]);
}, 8_000);
