import { TestN8n } from '../engine/n8n';
import { deadlines } from './deadlines';
import * as faults from './faults';
import { type Behavior, startRawServer } from './rawServer';
import { credentialsFor, KEY } from './ways';

/** A published trigger and a broken connection: nothing is emitted, nothing is taken for an answer, and it continues afterwards. */

const HASH = `0x${'5c'.repeat(32)}`;
const PARAMETERS = { sourceHashes: HASH, options: { keepChecking: false }, simplify: false };

let workflows = 0;
afterEach(() => void jest.restoreAllMocks());

/** A service whose behavior may change, and an n8n that uses it; `end` leaves no connection of either. */
async function serviceThat(
	behave: Behavior,
): Promise<{ service: { behave: Behavior }; n8n: TestN8n; end: () => Promise<void> }> {
	const service = { behave };
	const server = await startRawServer((socket, request) => service.behave(socket, request));
	const credentials = credentialsFor(`http://localhost:${server.port}`);
	const n8n = new TestN8n(credentials, `hostile ${++workflows}`);
	const end = async (): Promise<void> => {
		await n8n.unpublish();
		await server.allClosed();
	};
	return { service, n8n, end };
}

/** What the database has of the watched orders. */
function keptOrders(n8n: TestN8n): unknown {
	const { global } = n8n.database.get(n8n.workflowId) ?? {};
	const { crossChainBridgeWatches } = global as {
		crossChainBridgeWatches: { watches: Array<{ orders: unknown }> };
	};
	return crossChainBridgeWatches.watches[0]?.orders;
}

test.each<[string, Behavior, string]>([
	['reset before the headers', faults.resetBeforeHeaders, 'The bridge could not be reached'],
	['closed in the headers', faults.closedInHeaders, 'The bridge could not be reached'],
	['reset in the body', faults.resetInBody, "The bridge's response was incomplete"],
	['half a body', faults.closedInBody, "The bridge's response was incomplete"],
	['half of a packed body', faults.halfGzip, "The bridge's response was incomplete"],
	['300 KB of headers', faults.hugeHeaders, 'The bridge could not be reached'],
])(
	'%s: the order stays as unanswered, the 5th poll says why, and its event is emitted afterwards',
	async (_name, fault, message) => {
		const { service, n8n, end } = await serviceThat(fault);
		const registration = await n8n.publish([{ parameters: PARAMETERS }]);
		for (let poll = 1; poll <= 4; poll++) await registration.poll();
		expect(n8n.failures).toEqual([]);
		await registration.poll();
		expect(n8n.failures.map((failure) => failure.message)).toEqual([message]);
		expect(JSON.stringify(n8n.failures)).not.toContain(KEY);
		expect(n8n.started).toEqual([]);
		expect(keptOrders(n8n)).toEqual([
			{ sourceHash: HASH, since: expect.any(Number), listed: true },
		]);

		service.behave = faults.sound;
		await registration.poll();
		expect(n8n.started.map(({ json }) => json.event)).toEqual(['completed']);
		await end();
	},
);

const UNREADABLE = "The bridge's response could not be read";
const REDIRECTED = 'The Base URL redirects to another address. Correct it in the credential.';

test.each<[string, Behavior, string]>([
	['an endless body', faults.endlessBody, UNREADABLE],
	['1 GB packed into 1 MB', faults.bomb(1_000, 'gzip'), UNREADABLE],
	['a redirect', faults.redirect('307 Moved', 'http://127.0.0.1:1/'), REDIRECTED],
])(
	'%s does not pass by itself: the workflow cannot be published, a published one shows it, and each continues when it is sound',
	async (_name, fault, message) => {
		const { service, n8n, end } = await serviceThat(fault);
		await expect(n8n.publish([{ parameters: PARAMETERS }])).rejects.toThrow(message);
		service.behave = faults.pending;
		const registration = await n8n.publish([{ parameters: PARAMETERS }]);
		service.behave = fault;
		for (let poll = 1; poll <= 5; poll++) await registration.poll();
		expect(n8n.failures[0]?.message).toBe(message);
		expect(JSON.stringify(n8n.failures)).not.toContain(KEY);
		expect(n8n.started).toEqual([]);
		service.behave = faults.sound;
		await registration.poll();
		expect(n8n.started.map(({ json }) => json.event)).toEqual(['completed']);
		await end();
	},
);

test.each<[string, (onByte: (count: number) => void) => Behavior]>([
	['says nothing', (onByte) => () => onByte(100)],
	['drips', faults.drippingBody],
])('a service that %s delays no poll beyond the time for one answer', async (_name, behaveWith) => {
	const time = deadlines();
	const { n8n, end } = await serviceThat(
		behaveWith((count) => void (count === 100 && time.pass())),
	);
	const registration = await n8n.publish([{ parameters: PARAMETERS }]);
	for (let poll = 1; poll <= 5; poll++) await registration.poll();
	expect(n8n.failures.map((failure) => failure.message)).toEqual([
		'The bridge did not respond in time',
	]);
	expect(keptOrders(n8n)).toEqual([{ sourceHash: HASH, since: expect.any(Number), listed: true }]);
	await end();
});
