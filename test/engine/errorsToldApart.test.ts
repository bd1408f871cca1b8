import type { NodeApiError } from 'n8n-workflow';

import { sessionOf } from '../../nodes/CrossChainBridge/n8n/session';
import type { Fault } from '../../sandbox';
import { runAction } from './n8n';
import {
	asked,
	begun,
	bridge,
	ENGINES,
	events,
	messages,
	n8n,
	openAndDue as open,
	polling,
	polls,
	watching,
} from './scene';

/** Whatever a status request brings is that order's own; only the configuration judges key and address. */

/** What an expression in the list gives from now on. */
const listNow = (text: string): void => {
	for (const { parameters } of n8n.nodes) parameters.sourceHashes = text;
};

const WRONG_KEY = 'The bridge does not accept the API key. Correct it in the credential.';

/** Whatever answers at that address, it answers everything with this status and JSON of its own. */
const otherServer = (status: number): Fault => ({
	kind: 'body',
	status,
	body: '{"message":"no such thing here"}',
	times: 'always',
});

test.each([true, false])(
	'a Retry-After of an hour with which one order is answered 503 holds up no other one, in a trigger or elsewhere (Keep Checking: %s)',
	async (keepChecking) => {
		const [bad = '', good = ''] = await open(2);
		const error = { kind: 'error', status: 503, retryAfterSeconds: 3600 } as const;
		await bridge.fault({ ...error, sourceHash: bad, times: 'always' });
		const registered = await n8n.publish([watching([bad, good], { keepChecking })]);
		while (!(await asked()).includes(bad));
		await bridge.finish(good, 'completed');
		if (!keepChecking) await polls(registered, 2);
		await n8n.untilStarted(1);
		const { outputs } = await runAction(bridge.credentials, {
			operation: 'getStatus',
			sourceHash: good,
		});
		expect([events(), outputs[0]?.[0]?.json.status]).toEqual([[`${good} completed`], 'completed']);
	},
);

describe('an address at which some other server answers everything', () => {
	const STATUSES = [402, 403, 404, 407, 408, 410, 451];
	const sentenceOf = (status: number) => {
		if (status === 404)
			return 'The Base URL does not lead to the bridge. Correct it in the credential.';
		const refused = [403, 407, 451].includes(status)
			? `The bridge or a firewall refused the request from this n8n (HTTP ${status})`
			: 'The bridge did not accept the request';
		return `${refused}. Check the API key and the Base URL in the credential.`;
	};

	test.each(STATUSES)(
		'with JSON and %i: the workflow cannot be published; after it was, the next poll shows it, then every 30th, until it is over',
		async (status) => {
			const [a = ''] = await open();
			await bridge.fault(otherServer(status));
			await expect(n8n.publish([watching([a])])).rejects.toThrow(sentenceOf(status));
			await bridge.clearFaults();
			const registered = await n8n.publish([polling([a], { simplify: false })]);
			await bridge.fault(otherServer(status));
			// A poll shows what the checks since the poll before have met.
			await polls(registered, 32);
			expect(messages()).toEqual([sentenceOf(status), sentenceOf(status)]);
			const [failure] = n8n.failures as NodeApiError[];
			expect(failure?.httpCode).toBe(String(status));
			expect(`${failure?.message} ${failure?.description}`).toMatch(
				/Base URL in the credential.*HTTP \d+\)?: "no such thing here"/,
			);
			await bridge.clearFaults();
			await bridge.finish(a, 'completed');
			await polls(registered, 2);
			expect(events()).toEqual([`${a} completed`]);
			expect(n8n.failures).toHaveLength(2);
		},
	);

	test('hashes that the service does not know are shown as no problem, for one request more a poll', async () => {
		const registered = await n8n.publish([polling([`0x${'d0'.repeat(32)}`], { simplify: false })]);
		await bridge.forgetRequests();
		await polls(registered, 6);
		expect(n8n.failures).toEqual([]);
		expect((await asked()).filter((each) => each === 'config')).toHaveLength(6);
	});
});

const REFUSED: Fault = { kind: 'error', status: 401, times: 'always' };
const FAULTS: Record<string, Fault | null> = {
	well: null,
	outage: { kind: 'error', status: 503, times: 'always' },
	refused: REFUSED,
	500: { kind: 'body', status: 500, body: '{}', times: 'always' },
	502: { kind: 'body', status: 502, body: '{}', times: 'always' },
};
const UNAVAILABLE = 'The bridge is temporarily unavailable';

/** How many polls there are with which fault, one after another; which of all of them fail, and with what message: a poll sees what the checks since the poll before have met. */
test.each`
	what                                                                   | polled                                             | failing
	${'after two outages a wrong key shows with the first that sees it'}   | ${'3 outage, 1 well, 3 outage, 1 well, 2 refused'} | ${[`10 ${WRONG_KEY}`]}
	${'responses begin the count of an outage again'}                      | ${'4 outage, 1 well, 4 outage, 1 well, 6 outage'}  | ${[`16 ${UNAVAILABLE}`]}
	${'a corrected key begins its count again: a wrong one shows at once'} | ${'2 refused, 1 well, 2 refused'}                  | ${[`2 ${WRONG_KEY}`, `5 ${WRONG_KEY}`]}
	${'a 500 without a code is a problem of the service, not of an order'} | ${'6 500'}                                         | ${[`6 ${UNAVAILABLE}`]}
	${'and so is a 502'}                                                   | ${'6 502'}                                         | ${[`6 ${UNAVAILABLE}`]}
`(
	'each kind of problem has a count of its own: $what',
	async ({ polled, failing }: { polled: string; failing: string[] }) => {
		const registered = await n8n.publish([polling(await open())]);
		const shown: string[] = [];
		let poll = 0;
		for (const [count, name = ''] of polled.split(', ').map((part) => part.split(' '))) {
			const fault = FAULTS[name] ?? null;
			if (fault !== null) await bridge.fault(fault);
			for (const last = poll + Number(count); poll < last;) {
				poll++;
				const before = n8n.failures.length;
				await registered.poll();
				shown.push(
					...messages()
						.slice(before)
						.map((message) => `${poll} ${message}`),
				);
			}
			await bridge.clearFaults();
		}
		expect(shown).toEqual(failing);
	},
);

test('a key that is refused only after the configuration has accepted it does not keep the workflow from being published; the next poll shows it', async () => {
	const [a = ''] = await open();
	await bridge.forgetRequests();
	await bridge.fault({ ...REFUSED, endpoint: 'status', delaySeconds: 1 });
	const publishing = n8n.publish([polling([a], { simplify: false })]);
	while (!(await asked()).includes(a));
	await bridge.fault({ ...REFUSED, endpoint: 'config' });
	const registered = await publishing;
	expect(sessionOf(registered.contextOf()).checker?.accountError).not.toBeNull();
	await registered.poll();
	expect(messages()).toEqual([WRONG_KEY]);
});

test('without Keep Checking a key that is refused costs up to one check of each order, and from then on a poll asks the configuration only', async () => {
	const hashes = await open(20);
	const registered = await n8n.publish([polling(hashes)]);
	await bridge.fault(REFUSED);
	await bridge.forgetRequests();
	await registered.poll();
	const checked = (await asked()).filter((each) => each !== 'config');
	expect(new Set(checked).size).toBe(checked.length);
	await bridge.forgetRequests();
	await polls(registered, 3);
	expect(new Set(await asked())).toEqual(new Set(['config']));
});

describe.each(ENGINES)('in the %s engine', (engine) => {
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
			expect([events(), messages()]).toEqual([[`${healthy} completed`], []]);
			const before: number[] = [];
			for (let polls = 1; polls <= 12; polls++) {
				await poll();
				before.push(n8n.failures.length);
			}
			expect(n8n.failures).toMatchObject([
				{
					description: expect.stringMatching(
						/No order could be checked in \d polls in a row\. The trigger keeps watching all orders\./,
					),
				},
			]);
			// A poll of the usual engine sees what the checks since the poll before it have shown.
			expect(before[engine === 'durable' ? 4 : 5]).toBe(1);
		},
	);
});

test('in the durable engine a problem is shown again after a publication', async () => {
	const [a = ''] = await open();
	const watch = { id: 'same', ...polling([a]) };
	const broken = { id: 'same', ...polling([a, 'x']) };
	// n8n keeps the data of such a trigger in a table of its own.
	n8n.keepsNodeDataApart = true;
	n8n.saveNodes([watch]);
	await n8n.durablePoll(watch, 6_000);
	for (let polls = 0; polls < 3; polls++) await n8n.durablePoll(broken, 6_000);
	expect(n8n.failures).toHaveLength(1);
	await n8n.publish([watch], { mode: 'update' });
	for (let polls = 0; polls < 3; polls++) await n8n.durablePoll(broken, 6_000);
	expect(n8n.failures).toHaveLength(2);
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
