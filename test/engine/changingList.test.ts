import { accepting, wallClockAhead } from './sandboxed';
import {
	begun,
	bridge,
	ENGINES,
	events,
	messages as failures,
	n8n,
	open,
	post,
	restart,
	restartWith,
	UNKNOWN,
	watchedHashes,
} from './scene';

/** The node's list as it changes, breaks and grows while a trigger is published. */

const DAY_MS = 24 * 3_600_000;
const WALLET = `0x${'ab'.repeat(20)}`;

const hashesFrom = (first: number, count = 1000) =>
	Array.from({ length: count }, (_, i) => `0x1${(first + i).toString(16).padStart(63, '0')}`);

/** What a list is that cannot be read, and what is said of it; test/unit/trigger/settings.test.ts has other values. */
const UNREADABLE: Array<[unreadable: string, message: RegExp]> = [
	['={{ $vars.orders }}', /^'Source Transaction Hashes' is empty/],
	['={{ Promise.resolve([]) }}', /^'Source Transaction Hashes' is empty/],
	['={{ [ }}', /^The expression in 'Source Transaction Hashes' fails with: invalid syntax/],
	["={{ $('Gone').first().json }}", /^The expression in 'Source Transaction Hashes' fails with: /],
	['={{ () => 3 }}', /^The expression in 'Source Transaction Hashes' fails with: /],
	['[{"sourceHash": "0x12', /^Line 1 of 'Source Transaction Hashes'.* 2 digits/],
];

describe.each(ENGINES)('in the %s engine', (engine) => {
	test.each(UNREADABLE)(
		'a list that cannot be read when n8n starts (%s) is the one of before, and what is wrong is an event as well',
		async (unreadable, message) => {
			const [listed = '', later = ''] = await open(2);
			const settings = { events: ['anyEvent'] };
			const poll = await begun(engine, { sourceHashes: [listed, later].join('\n'), ...settings });
			await poll();
			await restart();
			const again = await begun(engine, { sourceHashes: unreadable, ...settings }, 'init');
			await bridge.finish(listed, 'completed');
			await again();
			await again();
			expect(failures()).toEqual([expect.stringMatching(message)]);
			expect(n8n.started.map(({ json }) => [json.event, json.summary])).toContainEqual([
				'interrupted',
				expect.stringContaining('Source Transaction Hashes'),
			]);
			expect(events()).toContain(`${listed} completed`);
			expect(events()).toHaveLength(2);
			await again({ sourceHashes: [listed, later].join('\n'), ...settings });
			await bridge.finish(later, 'failed');
			await again();
			await again();
			expect(events()).toContain(`${later} failed`);
		},
	);

	test.each(UNREADABLE)(
		'a list that is %s for one poll fails that poll, and is the list of before',
		async (nothing, message) => {
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
				failures: [expect.stringMatching(message)],
				events: [`${finished} completed`, `${other} failed`],
			});
		},
	);

	test.each(["={{ '' }}", '={{ [] }}', '={{ [null] }}', '={{ [{ sourceHash: null }] }}'])(
		'a list that an expression gives as %s for one poll is empty for that poll: nothing starts the workflow again',
		async (empty) => {
			const [finished = '', other = ''] = await open(2);
			await bridge.finish(finished, 'completed');
			const sourceHashes = `={{ ${JSON.stringify([finished, other])} }}`;
			const poll = await begun(engine, { sourceHashes });
			wallClockAhead(60_000);
			await poll({ sourceHashes: empty });
			await bridge.finish(other, 'failed');
			await poll({ sourceHashes: empty });
			expect(events()).toEqual([`${finished} completed`]);
			wallClockAhead(23 * 3_600_000);
			await poll({ sourceHashes });
			expect({ failures: failures(), events: events() }).toEqual({
				failures: [],
				events: [`${finished} completed`, `${other} failed`],
			});
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

	test('the events cannot be read when n8n starts: what had finished without an event is not reported', async () => {
		const [finished = '', saved = '', watched = ''] = await open(3);
		const right = { sourceHashes: [finished, saved, watched].join('\n'), events: ['failed'] };
		await bridge.finish(finished, 'completed');
		const poll = await begun(engine, right);
		// With this event, n8n saves the state.
		await bridge.finish(saved, 'failed');
		await poll();
		await restart();
		await bridge.finish(watched, 'failed');
		const again = await begun(engine, { ...right, events: 'faild' }, 'init');
		for (let polls = 0; polls < 2; polls++) await again();
		await n8n.untilStarted(2);
		expect(events()).toEqual(expect.arrayContaining([`${watched} failed`]));
		expect(events()).not.toContain(`${finished} completed`);
	});

	test('a row that cannot be read, of a list that an expression gives, costs only that row', async () => {
		const [known = '', bad = '', added = ''] = await open(3);
		const listing = (...rows: unknown[]) => ({ sourceHashes: `={{ ${JSON.stringify(rows)} }}` });
		const poll = await begun(engine, listing(known, bad));
		await poll();
		const wrong = listing({ sourceHash: WALLET, reference: 'Bad' }, added);
		await poll(wrong);
		for (const hash of [known, bad, added]) await bridge.finish(hash, 'completed');
		await poll(wrong);
		await poll(wrong);
		expect(failures()).toEqual([expect.stringMatching(/^Row 1 \(Bad\).* wallet address/)]);
		expect(events().sort()).toEqual([known, bad, added].map((hash) => `${hash} completed`).sort());
	});

	test.each<[string, object]>([
		['a time', { delayedAfter: 'soon' }],
		['a switch', { simplify: 'yes' }],
		['the events', { events: 'finished' }],
		['an option', { options: { keepChecking: false, checkEvery: 0 } }],
		['an expression', { delayedAfter: '={{ [ }}' }],
		[
			'a row of an option',
			{ options: { keepChecking: false, blockExplorers: { explorer: [{}] } } },
		],
	])(
		'%s that cannot be read when n8n starts keeps no order from being watched, and is an event as well',
		async (_what, wrong) => {
			const [listed = '', posted = ''] = await open(2);
			const right = { sourceHashes: listed, events: ['anyEvent'] };
			const poll = await begun(engine, right);
			await post({ sourceHash: posted });
			await poll();
			await restart();
			await bridge.finish(listed, 'completed');
			await bridge.finish(posted, 'refunded');
			const again = await begun(engine, { ...right, ...wrong }, 'init');
			for (let polls = 0; polls < 2; polls++) await again();
			await n8n.untilStarted(3);
			expect(failures()).toHaveLength(1);
			expect(events().sort()).toEqual(
				[expect.stringMatching(/interrupted$/), `${listed} completed`, `${posted} refunded`].sort(),
			);
			expect(n8n.started.map(({ json }) => json.summary)).toContainEqual(
				expect.stringMatching(/the trigger goes on with what it can read\.$/),
			);
		},
	);

	test('a finished order that left the list of an expression is not reported again if the list cannot be read for a day, and then has it', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: `={{ ["${hash}"] }}` });
		await bridge.finish(hash, 'completed');
		await poll();
		await poll({ sourceHashes: '={{ [] }}' });
		for (const hours of [1, 12, 23, 26]) {
			wallClockAhead(hours * 3_600_000);
			await poll({ sourceHashes: '={{ $vars.orders }}' });
		}
		await poll({ sourceHashes: `={{ ["${hash}"] }}` });
		await poll();
		expect(events()).toEqual([`${hash} completed`]);
	});

	test('a poll that fails does not keep the next one from checking', async () => {
		const [hash = ''] = await open();
		const poll = await begun(engine, { sourceHashes: hash });
		await poll({ sourceHashes: [hash, WALLET].join('\n') });
		await bridge.finish(hash, 'completed');
		await poll({ sourceHashes: hash });
		expect([failures().length, events()]).toEqual([1, [`${hash} completed`]]);
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

test.each<[string, object[]]>([
	['at once', []],
	['once its list can be read', [{ sourceHashes: '={{ $vars.orders }}' }]],
	['once its fields can be read', [{ simplify: '={{ $vars.simplify }}' }]],
])(
	'without Include Already Finished, what an expression has listed and what finished while n8n was down is reported %s, and nothing is late',
	async (_when, before) => {
		const [first = '', added = ''] = await open(2);
		const fields = {
			options: { includeFinished: false },
			events: ['completed', 'delayed', 'expired'],
		};
		const poll = await begun('usual', { sourceHashes: first, ...fields });
		const sourceHashes = [first, added, UNKNOWN].join('\n');
		await poll({ sourceHashes });
		await poll();
		await restart();
		await bridge.finish(added, 'completed');
		// The clock of n8n is not believed to differ from that of the bridge by so much.
		wallClockAhead(DAY_MS);
		const polls = [...before, {}, {}].map((wrong) => ({ sourceHashes, simplify: true, ...wrong }));
		const again = await begun('usual', { ...fields, ...polls[0] }, 'init');
		for (const parameters of polls) await again(parameters);
		// What was saved before has expired by this clock.
		const ofNew = events().filter((event) => !event.startsWith(first) && !event.startsWith('null'));
		expect(ofNew).toEqual([`${added} completed`]);
	},
);

test('without Include Already Finished and with At Least Once, an event just before n8n stopped hides nothing that finished while it was down', async () => {
	const [first = '', added = ''] = await open(2);
	const fields = { options: { includeFinished: false, delivery: 'atLeastOnce' } };
	const poll = await begun('usual', { sourceHashes: first, ...fields });
	await bridge.finish(first, 'completed');
	await poll();
	await poll();
	expect(events()).toEqual([`${first} completed`]);
	const sourceHashes = [first, added].join('\n');
	await poll({ sourceHashes });
	await restart();
	await bridge.finish(added, 'completed');
	wallClockAhead(DAY_MS);
	const again = await begun('usual', { sourceHashes, ...fields }, 'init');
	for (let count = 0; count < 2; count++) await again({ sourceHashes });
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
		// The stored calls from before are no longer needed.
		await post({ sourceHash: UNKNOWN });
		const sourceHashes = hashesFrom(1).join('\n');
		await poll({ sourceHashes });
		expect(await watchedHashes()).toHaveLength(1901);
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
		expect(await watchedHashes()).toEqual(expect.arrayContaining(accepted));
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
		expect(await watchedHashes()).toEqual(expect.arrayContaining(accepted));
	});
});
