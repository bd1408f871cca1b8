import { connectToService } from '../../nodes/CrossChainBridge/service/service';
import { TestCredentials } from '../engine/credentials';
import { listContext } from '../engine/lists';
import { runAction, TestN8n } from '../engine/n8n';
import { answering, type KeyedService, startKeyedService } from './keyedService';

/** A credential that is edited while something runs: a request that was meant for the account before is not sent to anybody. */

let old: KeyedService;
let fresh: KeyedService;
let tests = 0;
beforeEach(async () => {
	tests++;
	old = await startKeyedService();
	fresh = await startKeyedService();
});

const oldKey = () => `old-key-${tests}`;
const newKey = () => `new-key-${tests}`;
const before = () => ({ apiKey: oldKey(), baseUrl: old.url, requestsPerMinute: 100_000 });
const after = () => ({ apiKey: newKey(), baseUrl: fresh.url, requestsPerMinute: 100_000 });
const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;
const EDITED = { ok: false, error: { kind: 'credentialEdited' } };

test.each<[string, () => object]>([
	['another account', after],
	['another key for the same address', () => ({ ...before(), apiKey: newKey() })],
	['another address for the same key', () => ({ ...before(), baseUrl: fresh.url })],
	['no key', () => ({ ...before(), apiKey: '' })],
	['an address over http://', () => ({ ...before(), baseUrl: 'http://bridge.example.com' })],
])('%s: nothing is sent, and a new connection works with it', async (_what, data) => {
	const credentials = new TestCredentials(before());
	const service = await connectToService(listContext(credentials));
	expect(await service.status(HASH)).toMatchObject({ ok: true });
	credentials.data = { ...data() };
	const permit = service.budget.tryCheck(100_000);
	if (permit === null) throw new Error('No room');
	for (const asked of [
		service.status(HASH),
		service.status(HASH, { permit }),
		service.config(),
		service.quote({ inputNetwork: 1 }),
	])
		expect(await asked).toEqual(EDITED);
	expect([old.received.length, fresh.received.length]).toEqual([1, 0]);
	credentials.data = after();
	const again = await connectToService(listContext(credentials));
	expect(await again.status(HASH)).toMatchObject({ ok: true });
	expect([old.keys(), fresh.keys()]).toEqual([[oldKey()], [newKey()]]);
	expect(again.budget).not.toBe(service.budget);
});

test('another Requests per Minute is no other account', async () => {
	const credentials = new TestCredentials({ ...before(), requestsPerMinute: 100 });
	const service = await connectToService(listContext(credentials));
	credentials.data = { ...before(), requestsPerMinute: 40 };
	expect(await service.status(HASH)).toMatchObject({ ok: true });
	const again = await connectToService(listContext(credentials));
	expect(again.budget).toBe(service.budget);
	expect(again.requestsPerMinute).toBe(40);
});

test('another key for the same address has networks and responses of its own', async () => {
	const credentials = new TestCredentials(before());
	await (await connectToService(listContext(credentials))).networks();
	old.answer = ({ key }) =>
		key === newKey()
			? answering(200, { success: true, data: { networks: [{ chainID: 2 }] } })()
			: null;
	credentials.data = { ...before(), apiKey: newKey() };
	const again = await connectToService(listContext(credentials));
	expect(await again.networks()).toEqual({ ok: true, networks: [{ chainID: 2 }] });
});

test('Wait for Completion sends the new key nowhere', async () => {
	const credentials = new TestCredentials(before());
	const running = runAction(
		credentials,
		{
			operation: 'waitForCompletion',
			sourceHash: '={{ $json.hash }}',
			checkEvery: 1,
			maxMinutes: 0.1,
		},
		{
			items: [HASH, OTHER_HASH].map((hash) => ({ json: { hash } })),
			onError: 'continueRegularOutput',
		},
	);
	await old.untilReceived(2);
	credentials.data = after();
	const { outputs } = await running;
	expect(outputs.map((items) => items.length)).toEqual([0, 0, 2]);
	expect([old.keys(), fresh.received]).toEqual([[oldKey()], []]);
});

test.each([true, false])(
	'the trigger sends the new key nowhere but to the new address, and continues there with its next poll (Keep Checking: %s)',
	async (keepChecking) => {
		const credentials = new TestCredentials(before());
		const n8n = new TestN8n(credentials, `edited-${tests}`);
		const parameters = {
			sourceHashes: HASH,
			options: { keepChecking, checkEvery: 1 },
			simplify: false,
		};
		const registered = await n8n.publish([{ parameters }]);
		await old.untilReceived(1);
		credentials.data = after();
		fresh.status = 'completed';
		await registered.poll();
		await n8n.untilStarted(1);
		expect(n8n.started).toMatchObject([{ json: { event: 'completed', sourceHash: HASH } }]);
		expect([old.keys(), fresh.keys()]).toEqual([[oldKey()], [newKey()]]);
		expect(n8n.failures).toEqual([]);
		await n8n.unpublish();
	},
);
