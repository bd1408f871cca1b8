import {
	API,
	clientOf,
	errorBody,
	EVM_HASH,
	EVM_WALLET,
	rehearse,
	rehearseTogether,
	stopAll,
} from './rehearsal';

afterEach(stopAll);
const together = rehearseTogether();

const QUOTE = {
	inputNetwork: 101,
	outputNetwork: 102,
	inputTokenAmount: '1000000000000000000',
	sourceAddress: EVM_WALLET,
	destinationAddress: EVM_WALLET,
};

const ENDPOINTS: Array<[endpoint: string, params: Record<string, unknown>]> = [
	['config', {}],
	['quote', QUOTE],
	['status', { sourceHash: EVM_HASH }],
];

describe('rule 1: the API key', () => {
	test.each(ENDPOINTS)('%s: a missing key is 401 UNAUTHORIZED', async (endpoint, params) => {
		const { sandbox } = together();
		const response = await clientOf(sandbox.url).get<unknown>(`${API}/${endpoint}`, { params });
		expect(response.status).toBe(401);
		expect(response.data).toEqual(errorBody('UNAUTHORIZED'));
	});

	test.each(ENDPOINTS)('%s: a wrong key is 401 UNAUTHORIZED', async (endpoint, params) => {
		const { sandbox } = together();
		const client = clientOf(sandbox.url, { 'x-api-key': `${sandbox.apiKey}x` });
		const response = await client.get<unknown>(`${API}/${endpoint}`, { params });
		expect(response.status).toBe(401);
		expect(response.data).toEqual(errorBody('UNAUTHORIZED'));
	});

	test('the key comes before the parameters: a bad request with a wrong key is 401', async () => {
		const { sandbox } = together();
		const response = await clientOf(sandbox.url, { 'x-api-key': 'wrong' }).get(`${API}/status`);
		expect(response.status).toBe(401);
	});

	test('the key in another place than the header is no key', async () => {
		const { sandbox } = together();
		const response = await clientOf(sandbox.url).get(`${API}/config`, {
			params: { 'x-api-key': sandbox.apiKey },
		});
		expect(response.status).toBe(401);
	});

	test('a chosen key works, and the default key does not beside it', async () => {
		const { client, sandbox } = await rehearse({ apiKey: 'another key' });
		expect((await client.get(`${API}/config`)).status).toBe(200);
		const response = await clientOf(sandbox.url, { 'x-api-key': 'sandbox-key' }).get(
			`${API}/config`,
		);
		expect(response.status).toBe(401);
	});

	test('no answer repeats the key that was sent', async () => {
		const { sandbox } = together();
		const key = 'a-secret-of-someone-else';
		const response = await clientOf(sandbox.url, { 'x-api-key': key }).get(`${API}/config`);
		expect(JSON.stringify([response.data, response.headers])).not.toContain(key);
	});
});

describe('rule 2: parameters', () => {
	test.each([
		['missing', {}],
		['empty', { sourceHash: '' }],
		['cut off', { sourceHash: EVM_HASH.slice(0, -1) }],
		['too long', { sourceHash: `${EVM_HASH}0` }],
		['no hex after 0x', { sourceHash: `0x${'zz'.repeat(32)}` }],
		['with white space', { sourceHash: ` ${EVM_HASH}` }],
		['any words', { sourceHash: 'not-a-hash' }],
		['endless', { sourceHash: 'a'.repeat(2000) }],
	])('status: a sourceHash that is %s is 400 INVALID_PARAMETER', async (_what, params) => {
		const { client } = together();
		const response = await client.get<unknown>(`${API}/status`, { params });
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
	});

	test('status: a sourceHash given twice is 400 INVALID_PARAMETER', async () => {
		const { client } = together();
		const response = await client.get<unknown>(
			`${API}/status?sourceHash=${EVM_HASH}&sourceHash=${EVM_HASH}`,
		);
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
	});

	test.each(['ethereum', '1.5', '-1', ''])(
		'config: chainID "%s" is 400 INVALID_PARAMETER',
		async (chainID) => {
			const { client } = together();
			const response = await client.get<unknown>(`${API}/config`, { params: { chainID } });
			expect(response.status).toBe(400);
			expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
		},
	);
});

describe('NOT_FOUND', () => {
	test.each([
		['of 0x hex', EVM_HASH],
		['of hex without 0x', 'ab'.repeat(32)],
		['of base58', '5'.repeat(88)],
	])('status: an unknown sourceHash %s is 404', async (_what, sourceHash) => {
		const { status } = together();
		const response = await status(sourceHash);
		expect(response.status).toBe(404);
		expect(response.data).toEqual(errorBody('NOT_FOUND'));
	});

	test.each([`${API}/orders`, '/api/sdk/v1/config', '/api/sdk/v2'])(
		'%s does not exist: 404 as JSON',
		async (path) => {
			const { client } = together();
			const response = await client.get<unknown>(path);
			expect(response.status).toBe(404);
			expect(response.data).toEqual(errorBody('NOT_FOUND'));
		},
	);

	test.each(['post', 'put', 'delete', 'head'])(
		'the endpoints know only GET: %s is 404',
		async (method) => {
			const { client } = together();
			expect((await client.request({ method, url: `${API}/config` })).status).toBe(404);
		},
	);
});

describe('GET config', () => {
	interface ConfigAnswer {
		success: boolean;
		data: {
			networks: Array<Record<string, unknown> & { tokens: Record<string, string>; name: string }>;
		};
	}

	test('answers in the envelope, with every field of a network and none besides', async () => {
		const { client } = together();
		const response = await client.get<ConfigAnswer>(`${API}/config`);
		expect(response.status).toBe(200);
		expect(response.headers['content-type']).toMatch(/^application\/json/);
		expect(response.data.success).toBe(true);
		expect(response.data.data.networks.length).toBeGreaterThanOrEqual(4);
		for (const network of response.data.data.networks) {
			expect(network).toEqual({
				chainID: expect.any(Number) as number,
				name: expect.any(String) as string,
				baseToken: expect.any(String) as string,
				decimals: expect.any(Number) as number,
				gateway: expect.any(String) as string,
				tokens: expect.objectContaining({
					NATIVE: expect.stringMatching(/^(0x0+|1{32})$/) as string,
				}) as object,
			});
		}
	});

	test('networks differ in address style, decimals and token symbols', async () => {
		const { client } = together();
		const { networks } = (await client.get<ConfigAnswer>(`${API}/config`)).data.data;
		const byName = new Map(networks.map((network) => [network.name, network]));
		expect(byName.get('Ethereum')?.tokens.NATIVE).toBe(`0x${'0'.repeat(40)}`);
		expect(byName.get('Ethereum')?.gateway).toMatch(/^0x[0-9a-f]{40}$/);
		expect(byName.get('Solana')?.gateway).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
		expect(byName.get('Solana')?.decimals).toBe(9);
		expect(byName.get('Movement')?.decimals).toBe(8);
		expect(
			new Set(networks.map(({ tokens }) => Object.keys(tokens).sort().join())).size,
		).toBeGreaterThan(3);
		expect(new Set(networks.map(({ chainID }) => chainID)).size).toBe(networks.length);
	});

	test('a chainID changes nothing by default, as in the example of the interface', async () => {
		const { client } = together();
		const all = await client.get<ConfigAnswer>(`${API}/config`);
		const one = await client.get<ConfigAnswer>(`${API}/config`, { params: { chainID: 101 } });
		expect(one.data).toEqual(all.data);
	});

	test('a chainID selects one network if the sandbox is set so; an unknown one is 404 then', async () => {
		const { client } = await rehearse({ filterConfig: true });
		const one = await client.get<ConfigAnswer>(`${API}/config`, { params: { chainID: 201 } });
		expect(one.data.data.networks.map(({ name }) => name)).toEqual(['Solana']);
		const unknown = await client.get<unknown>(`${API}/config`, { params: { chainID: 999 } });
		expect(unknown.status).toBe(404);
		expect(unknown.data).toEqual(errorBody('NOT_FOUND'));
		expect(
			(await client.get<ConfigAnswer>(`${API}/config`)).data.data.networks.length,
		).toBeGreaterThan(1);
	});
});

describe('GET status: the five states and their times', () => {
	const route = {
		inputNetwork: 101,
		outputNetwork: 102,
		inputTokenAmount: '123456789012345678901',
		sourceAddress: EVM_WALLET,
		destinationAddress: `0x${'2b'.repeat(20)}`,
	};
	const plan = { sourceHash: EVM_HASH, executesAfterSeconds: 4, endsAfterSeconds: 12, ...route };

	test('pending: no output, no solver, no completion; expiry an hour after creation', async () => {
		const { announce, status, clock } = await rehearse();
		const createdAt = clock.seconds;
		await announce(plan);
		const response = await status(EVM_HASH);
		expect(response.status).toBe(200);
		expect(response.data).toEqual({
			success: true,
			data: {
				orderId: expect.stringMatching(/^0x[0-9a-f]+$/) as string,
				status: 'pending',
				input: {
					chainId: 101,
					txHash: EVM_HASH,
					token: `0x${'0'.repeat(40)}`,
					amount: '123456789012345678901',
					address: EVM_WALLET,
					timestamp: createdAt,
				},
				timing: { createdAt, expiry: createdAt + 3600 },
			},
		});
	});

	test('executing: the solver is known since its assignment', async () => {
		const { announce, status, clock } = await rehearse();
		const createdAt = clock.seconds;
		await announce(plan);
		clock.advance(3.999);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'pending' } });
		clock.advance(0.001);
		const { data } = (await status(EVM_HASH)).data as { data: Record<string, unknown> };
		expect(data).toMatchObject({
			status: 'executing',
			solver: {
				address: expect.stringMatching(/^0x[0-9a-f]{40}$/) as string,
				assignedAt: createdAt + 4,
			},
			timing: { createdAt, expiry: createdAt + 3600 },
		});
		expect(data).not.toHaveProperty('output');
		expect(data.timing).not.toHaveProperty('completedAt');
		expect(data.timing).not.toHaveProperty('duration');
	});

	test('completed: output, completedAt, and duration = completedAt - createdAt', async () => {
		const { announce, status, clock } = await rehearse();
		const createdAt = clock.seconds;
		await announce(plan);
		clock.advance(11.999);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'executing' } });
		clock.advance(0.001);
		expect((await status(EVM_HASH)).data).toMatchObject({
			success: true,
			data: {
				status: 'completed',
				output: {
					chainId: 102,
					txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
					token: `0x${'0'.repeat(40)}`,
					// 123456789012345678901 less its fees of 8, 2 and 5 basis points, each rounded down.
					amount: '123271603828827160384',
					address: `0x${'2b'.repeat(20)}`,
					timestamp: createdAt + 12,
				},
				solver: { assignedAt: createdAt + 4 },
				timing: { createdAt, completedAt: createdAt + 12, duration: 12, expiry: createdAt + 3600 },
			},
		});
	});

	test.each(['refunded', 'failed'] as const)('%s: finished without output', async (end) => {
		const { announce, status, clock } = await rehearse();
		await announce({ ...plan, end });
		clock.advance(12);
		const { data } = (await status(EVM_HASH)).data as { data: Record<string, unknown> };
		expect(data).toMatchObject({
			status: end,
			timing: { duration: 12 },
			solver: { assignedAt: clock.seconds - 8 },
		});
		expect(data).not.toHaveProperty('output');
	});

	test('a final status is final: the answer does not change any more', async () => {
		const { announce, status, clock } = await rehearse();
		await announce(plan);
		clock.advance(12);
		const atTheEnd = (await status(EVM_HASH)).data;
		clock.advance(1_000_000);
		expect((await status(EVM_HASH)).data).toEqual(atTheEnd);
	});

	test('nobody takes the order: pending for more than 5 minutes, then refunded, without a solver', async () => {
		const { announce, status, clock } = await rehearse();
		await announce({ sourceHash: EVM_HASH, end: 'refunded', executesAfterSeconds: null });
		clock.advance(300);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'pending' } });
		clock.advance(1);
		const { data } = (await status(EVM_HASH)).data as { data: Record<string, unknown> };
		expect(data).toMatchObject({ status: 'refunded', timing: { duration: 301 } });
		expect(data).not.toHaveProperty('solver');
	});

	test('an order that never finishes is executing on any day', async () => {
		const { announce, status, clock } = await rehearse();
		await announce({ ...plan, end: 'never' });
		clock.advance(1_000_000);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'executing' } });
	});

	test('missing parts can be null instead of absent', async () => {
		const { announce, status } = await rehearse();
		await announce({ ...plan, missing: 'null' });
		expect((await status(EVM_HASH)).data).toMatchObject({
			data: { output: null, solver: null, timing: { completedAt: null, duration: null } },
		});
	});

	test.each([
		[0, 5],
		[0.5, 10],
		[0.999_999, 14.999],
	])('chance %p: an order without a plan finishes after %p s', async (chance, seconds) => {
		const { announce, status, clock } = await rehearse({ random: () => chance });
		await announce({ sourceHash: EVM_HASH });
		clock.advance(seconds - 0.01);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'executing' } });
		clock.advance(0.02);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'completed' } });
	});

	test('time can be sped up: at speed 10 twelve seconds are 1.2', async () => {
		const { announce, status, clock } = await rehearse({ speed: 10 });
		const [order] = await announce({ ...plan, beginsAfterSeconds: 20 });
		expect(order?.startsAt).toBe(new Date(clock.ms + 2000).toISOString());
		expect(order?.endsAt).toBe(new Date(clock.ms + 3200).toISOString());
		clock.advance(3.19);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'executing' } });
		clock.advance(0.01);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'completed' } });
	});

	test('a 0x hash is found in any case, and shown as it was announced', async () => {
		const { announce, status } = await rehearse();
		await announce(plan);
		for (const hash of [EVM_HASH.toUpperCase().replace('0X', '0x'), EVM_HASH.toUpperCase()]) {
			expect((await status(hash)).data).toMatchObject({ data: { input: { txHash: EVM_HASH } } });
		}
	});

	test('a base58 hash is found in its own case only', async () => {
		const { announce, status } = await rehearse();
		const [order] = await announce({ inputNetwork: 201, outputNetwork: 101 });
		const sourceHash = order?.sourceHash ?? '';
		expect(sourceHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
		expect((await status(sourceHash)).status).toBe(200);
		const inOtherCase = sourceHash.replace(/[a-hjkmnp-z]/, (letter) => letter.toUpperCase());
		expect(inOtherCase).not.toBe(sourceHash);
		expect((await status(inOtherCase)).status).toBe(404);
	});

	test('legs of other chains carry their own addresses and hashes', async () => {
		const { announce, status, clock } = await rehearse();
		await announce({
			sourceHash: EVM_HASH,
			inputNetwork: 202,
			outputNetwork: 201,
			endsAfterSeconds: 5,
		});
		clock.advance(5);
		expect((await status(EVM_HASH)).data).toMatchObject({
			data: {
				input: { chainId: 202, token: `0x${'0'.repeat(64)}` },
				output: {
					chainId: 201,
					token: '1'.repeat(32),
					address: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/) as string,
					txHash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/) as string,
				},
			},
		});
	});
});
