import { connectToService } from '../../nodes/CrossChainBridge/service/service';
import { TestCredentials } from './credentials';
import { listContext } from './lists';
import { rehearse, type Rehearsal } from './sandboxed';

let bridge: Rehearsal;
// One of its own for each test, since what one test has read would be known to the next.
beforeEach(async () => void (bridge = await rehearse()));

const service = async (credentials = bridge.credentials) =>
	await connectToService(listContext(credentials));
const networks = async (credentials?: TestCredentials) =>
	await (await service(credentials)).networks();

test('the networks come in the service’s own names', async () => {
	expect(await networks()).toMatchObject({
		ok: true,
		networks: expect.arrayContaining([expect.objectContaining({ chainID: 101, name: 'Ethereum' })]),
	});
});

test('many askers at once and later cost one request', async () => {
	await Promise.all(Array.from({ length: 20 }, async () => await networks()));
	await networks();
	expect((await bridge.requests()).map(({ path }) => path)).toEqual(['/api/sdk/v2/config']);
});

test('the whole configuration is asked for again, and the lists show the answer from then on', async () => {
	await networks();
	await bridge.fault({ kind: 'fields', answer: { networks: [{ chainID: 7, name: 'New' }] } });
	expect(await (await service()).config()).toMatchObject({ ok: true });
	expect(await networks()).toEqual({ ok: true, networks: [{ chainID: 7, name: 'New' }] });
	expect(await bridge.requests()).toHaveLength(2);
});

test('the configuration of one network is not taken for all', async () => {
	await bridge.fault({ kind: 'fields', answer: { networks: [{ chainID: 7 }] } });
	await (await service()).config('7');
	expect(await networks()).toMatchObject({
		networks: expect.arrayContaining([expect.objectContaining({ chainID: 101 })]),
	});
});

test('what a node does to a configuration that it got does not show in the lists', async () => {
	const answer = await (await service()).config();
	if (answer.ok)
		for (const network of answer.data.networks as Array<Record<string, unknown>>)
			network.name = 'Changed';
	expect(JSON.stringify(await networks())).not.toContain('Changed');
});

test('a failure is shown and not kept', async () => {
	await bridge.fault({ kind: 'error', code: 'INTERNAL_ERROR' });
	expect(await networks()).toMatchObject({ ok: false, error: { kind: 'rejected', status: 500 } });
	expect(await networks()).toMatchObject({ ok: true });
});

test('an answer without a list of networks is an error, and not kept', async () => {
	await bridge.fault({ kind: 'fields', absent: ['networks'] });
	expect(await networks()).toEqual({
		ok: false,
		error: { kind: 'unreadable', status: 200, found: 'noNetworks' },
	});
	expect(await networks()).toMatchObject({ ok: true });
});

test('another key or another address shows at once', async () => {
	await networks();
	const { data } = bridge.credentials;
	expect(await networks(new TestCredentials({ ...data, apiKey: 'wrong' }))).toMatchObject({
		ok: false,
		error: { status: 401 },
	});
	const other = await rehearse();
	await other.fault({ kind: 'fields', answer: { networks: [] } });
	expect(
		await networks(
			new TestCredentials({ ...data, baseUrl: other.sandbox.url, apiKey: other.sandbox.apiKey }),
		),
	).toEqual({ ok: true, networks: [] });
	await other.sandbox.stop();
});
