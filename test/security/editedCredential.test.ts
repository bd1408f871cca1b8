import { connectToService } from '../../nodes/CrossChainBridge/service/service';
import { TestCredentials } from '../engine/credentials';
import { listContext } from '../engine/lists';
import { runAction, TestN8n } from '../engine/n8n';
import { answering, type KeyedService, startKeyedService } from './keyedService';

/** A credential that is edited while something runs: the new key never goes to the old address, and what runs continues with the new one. */

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

test('requests that wait for room go to the new account by themselves', async () => {
	const credentials = new TestCredentials(before());
	const service = await connectToService(listContext(credentials));
	const { budget } = service;
	expect(await service.status(HASH)).toMatchObject({ ok: true });
	credentials.data = after();
	expect(await service.status(HASH)).toMatchObject({ ok: true });
	expect(await service.config()).toMatchObject({ ok: true });
	expect(await service.quote({ inputNetwork: 1 })).toMatchObject({ ok: true });
	expect(old.keys()).toEqual([oldKey()]);
	expect(fresh.keys()).toEqual([newKey()]);
	expect(service.budget).not.toBe(budget);
});

test('a request with a permit of the old budget is not sent: it says that the connection has moved, and gives the permit back', async () => {
	const credentials = new TestCredentials(before());
	const service = await connectToService(listContext(credentials));
	const oldBudget = service.budget;
	const { freeSoon } = oldBudget.view(100);
	const permits = [1, 2].map(() => oldBudget.tryCheck(100));
	credentials.data = after();
	for (const permit of permits) {
		if (permit === null) throw new Error('No room');
		// The second one finds the connection moved already.
		expect(await service.status(HASH, { permit })).toEqual({ ok: false, error: { kind: 'moved' } });
	}
	expect(oldBudget.view(100).freeSoon).toBeGreaterThanOrEqual(freeSoon);
	expect([old.received, fresh.received]).toEqual([[], []]);
	expect(await service.configNow()).toMatchObject({ ok: true });
	expect(fresh.keys()).toEqual([newKey()]);
});

test('another key for the same address has a budget, networks and answers of its own', async () => {
	const credentials = new TestCredentials(before());
	const service = await connectToService(listContext(credentials));
	const { budget } = service;
	await service.networks();
	old.answer = ({ key }) =>
		key === newKey()
			? answering(200, { success: true, data: { networks: [{ chainID: 2 }] } })()
			: null;
	credentials.data = { ...before(), apiKey: newKey() };
	await service.status(HASH);
	expect(service.budget).not.toBe(budget);
	expect(await service.networks()).toEqual({ ok: true, networks: [{ chainID: 2 }] });
});

test('another Requests per Minute counts at once, with the same budget', async () => {
	const credentials = new TestCredentials({ ...before(), requestsPerMinute: 100 });
	const service = await connectToService(listContext(credentials));
	const { budget } = service;
	credentials.data = { ...before(), requestsPerMinute: 40 };
	await service.status(HASH);
	expect(service.budget).toBe(budget);
	expect(service.requestsPerMinute).toBe(40);
});

test('who has joined a request of a credential that was edited is asked for by its own credential', async () => {
	const mine = new TestCredentials(before());
	const theirs = new TestCredentials(before());
	const [a, b] = [
		await connectToService(listContext(mine)),
		await connectToService(listContext(theirs)),
	];
	mine.data = after();
	const answers = await Promise.all([a.status(HASH), b.status(HASH)]);
	expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
	expect([old.received, fresh.received]).toEqual([
		[`/api/sdk/v2/status ${oldKey()}`],
		[`/api/sdk/v2/status ${newKey()}`],
	]);
});

test('a credential that becomes unusable sends nothing, and is followed when it is corrected', async () => {
	const credentials = new TestCredentials(before());
	const service = await connectToService(listContext(credentials));
	for (const [problem, data] of [
		['notHttps', { baseUrl: 'http://bridge.example.com' }],
		['keyNotSendable', { apiKey: 'cl\u00e9' }],
	] as const) {
		credentials.data = { ...after(), ...data };
		const error = { kind: 'invalidCredential', problem };
		expect(await service.status(HASH)).toEqual({ ok: false, error });
	}
	expect([old.received, fresh.received]).toEqual([[], []]);
	credentials.data = after();
	expect(await service.status(HASH)).toMatchObject({ ok: true });
	expect(fresh.keys()).toEqual([newKey()]);
});

test('Wait for Completion continues with the new address and key', async () => {
	const credentials = new TestCredentials(before());
	const running = runAction(
		credentials,
		{ operation: 'waitForCompletion', sourceHash: '={{ $json.hash }}', checkEvery: 1 },
		{ items: [1, 2].map((n) => ({ json: { hash: `0x${n}`.padEnd(66, 'a') } })) },
	);
	await old.untilReceived(2);
	credentials.data = after();
	await fresh.untilReceived(2);
	fresh.status = 'completed';
	const { outputs, error } = await running;
	expect(error).toBeUndefined();
	expect(outputs.map((items) => items.length)).toEqual([2, 0, 0]);
	expect(old.keys()).toEqual([oldKey()]);
	expect(fresh.keys()).toEqual([newKey()]);
}, 60_000);

test.each([true, false])(
	'the trigger sends the new key nowhere but to the new address, and continues there without waiting for a poll (Keep Checking: %s)',
	async (keepChecking) => {
		const credentials = new TestCredentials(before());
		const n8n = new TestN8n(credentials, `edited-${tests}`);
		const parameters = { sourceHashes: HASH, keepChecking, checkEvery: 1, simplify: false };
		const registered = await n8n.publish([{ parameters }]);
		await old.untilReceived(1);
		credentials.data = after();
		fresh.status = 'completed';
		if (!keepChecking) await registered.poll();
		await n8n.untilStarted(1);
		expect(n8n.started).toMatchObject([{ json: { event: 'completed', sourceHash: HASH } }]);
		expect(old.keys()).toEqual([oldKey()]);
		expect(fresh.keys()).toEqual([newKey()]);
		await n8n.unpublish();
	},
);

test('what the service repeats of the new key is stored nowhere', async () => {
	const credentials = new TestCredentials(before());
	const service = await connectToService(listContext(credentials));
	await service.status(HASH);
	fresh.answer = ({ key }) => {
		const words = [
			key,
			encodeURIComponent(key),
			Buffer.from(key).toString('base64'),
			key.replace(/-/g, '&#45;'),
			key.replace(/-/g, String.raw`\u002D`),
		];
		return answering(401, { error: { code: 'UNAUTHORIZED', message: words.join(' ') } })();
	};
	credentials.data = after();
	const answer = await service.status(HASH);
	expect(answer).toMatchObject({ ok: false, error: { kind: 'rejected', words: null } });
});
