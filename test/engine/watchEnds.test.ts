import { accepting, startsOf, wallClockAhead } from './sandboxed';
import type { Registration } from './n8n';
import {
	begun,
	bridge,
	ENGINES,
	events,
	n8n,
	open,
	post,
	restart,
	restartWith,
	watchedHashes,
} from './scene';

/** Posted orders that nobody waits for any more, and those that only seem so. */

const HASH = `0x${'a'.repeat(64)}`;
const DAY_MS = 24 * 3_600_000;
const started = () => startsOf(n8n);

/** So many hours later than when the test began. */
const later = (hours: number) => wallClockAhead(hours * 3_600_000);

describe('orders that nobody waits for any more', () => {
	/** Polls then, and once more ten minutes later, because a clock may be wrong for a moment. */
	const pollsAfter = async (hours: number, { poll }: Registration): Promise<void> => {
		for (const each of [hours, hours + 1 / 6]) {
			later(each);
			await poll();
		}
	};

	test('a finished order is remembered for a day after it was last posted', async () => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([accepting()]);
		await post({ sourceHash: hash });
		await bridge.finish(hash, 'completed');
		await registered.poll();
		later(23);
		await registered.poll();
		expect(await post({ sourceHash: hash })).toMatchObject({
			body: { accepted: 0, alreadyFinished: [{ sourceHash: hash }] },
		});
		// A day after it was last named.
		later(23 + 25);
		await registered.poll();
		expect(await post({ sourceHash: hash })).toMatchObject({ body: { accepted: 1 } });
	});

	test.each<[string, number, () => Promise<string>]>([
		['what is never found ends after 48 hours', 48, async () => HASH],
		[
			'what the service rejects does so as well',
			48,
			async () => {
				await bridge.fault({ kind: 'error', status: 400, endpoint: 'status', times: 'always' });
				return HASH;
			},
		],
		// The sandbox's orders expire an hour after they began.
		['what never finishes ends 24 hours after its expiry', 25, async () => (await open())[0] ?? ''],
	])('the watch of %s, and starts the workflow if wanted', async (_what, hours, orderOf) => {
		const registered = await n8n.publish([accepting({ events: ['completed', 'watchEnded'] })]);
		const sourceHash = await orderOf();
		await post({ sourceHash, reference: 'r' });
		await registered.poll();
		later(hours - 0.1);
		await registered.poll();
		expect(n8n.started).toEqual([]);
		await pollsAfter(hours + 0.1, registered);
		const event = { event: 'watchEnded', reference: 'r' };
		expect(n8n.started).toMatchObject([{ json: { ...event, sourceHash } }]);
		expect(await watchedHashes()).toEqual([]);
	});

	test('without Simplify its item names the order and its status as well', async () => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([accepting({ events: ['watchEnded'], simplify: false })]);
		await post([{ sourceHash: hash }, { sourceHash: HASH }]);
		await registered.poll();
		await pollsAfter(50, registered);
		expect(n8n.started.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				event: 'watchEnded',
				sourceHash: hash,
				status: 'pending',
				order: expect.objectContaining({ status: 'pending' }),
				previousStatus: null,
			}),
			expect.objectContaining({
				event: 'watchEnded',
				sourceHash: HASH,
				status: 'notFound',
				order: null,
				previousStatus: null,
			}),
		]);
	});

	test('time that passed while n8n was down ends no watch: what finished meanwhile is emitted', async () => {
		const [hash = ''] = await open();
		await n8n.publish([accepting({ events: ['completed', 'watchEnded'] })]);
		await post({ sourceHash: hash, reference: 'r' });
		await bridge.finish(hash, 'completed');
		await restart();
		later(50);
		const registered = await restartWith(accepting({ events: ['completed', 'watchEnded'] }));
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});

	test('nor does time in which the key was wrong', async () => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([accepting({ events: ['completed', 'watchEnded'] })]);
		await post({ sourceHash: hash, reference: 'r' });
		const right = bridge.credentials.data;
		bridge.credentials.data = { ...right, apiKey: 'wrong' };
		await bridge.finish(hash, 'completed');
		later(50);
		await registered.poll();
		bridge.credentials.data = right;
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});

	test('with Delivery set to At Least Once its event comes once more after a restart, marked as such, and no third time', async () => {
		const twice = accepting({
			events: ['watchEnded'],
			simplify: false,
			options: { delivery: 'atLeastOnce' },
		});
		const registered = await n8n.publish([twice]);
		await post({ sourceHash: HASH, reference: 'r' });
		await pollsAfter(49, registered);
		const items = () =>
			n8n.started.map(({ json }) => [json.eventId, json.reference, json.redelivered]);
		expect(items()).toEqual([[`${HASH}:watchEnded`, 'r', undefined]]);
		for (const comesAgain of [true, false]) {
			await pollsAfter(49.2, await restartWith(twice));
			expect(items()).toEqual(comesAgain ? [[`${HASH}:watchEnded`, 'r', true]] : []);
		}
	});

	test('by default it ends in silence', async () => {
		const registered = await n8n.publish([accepting()]);
		await post({ sourceHash: HASH });
		later(47);
		await registered.poll();
		expect(await watchedHashes()).toHaveLength(1);
		await pollsAfter(49, registered);
		expect(n8n.started).toEqual([]);
		expect(await watchedHashes()).toEqual([]);
	});
});

describe('a watch does not end over a response that was not applied yet', () => {
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
		await registered.poll();
		await registered.poll();
		await bridge.finish(hash, 'completed');
		await registered.poll();
		await registered.poll();
		expect(started()).toEqual([{ hash, event: 'completed', reference: 'r' }]);
	});
});

describe.each(ENGINES)('in the %s engine', (engine) => {
	test('a posted order that could never be checked is dropped 30 days after its watch should have expired', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { events: ['completed', 'watchEnded'] });
		await bridge.fault({ kind: 'error', status: 500, endpoint: 'status', times: 'always' });
		await post({ sourceHash: hash });
		await poll();
		wallClockAhead(31 * DAY_MS);
		await poll();
		expect([events(), await watchedHashes()]).toEqual([[], [hash]]);
		wallClockAhead(33 * DAY_MS);
		await poll();
		await poll();
		expect(n8n.started).toMatchObject([
			{
				json: { event: 'watchEnded', summary: expect.stringMatching(/could not be checked/i) },
			},
		]);
		expect(await watchedHashes()).toEqual([]);
	});
});
