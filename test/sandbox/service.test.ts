import { EVM_HASH, EVM_WALLET, expectError, rehearse, rehearseTogether } from './rehearsal';

const together = rehearseTogether();

const QUOTE = {
	inputNetwork: 101,
	outputNetwork: 102,
	inputTokenAmount: '1000000000000000000',
	sourceAddress: EVM_WALLET,
	destinationAddress: EVM_WALLET,
};

test.each<[string, object]>([
	['config', {}],
	['quote', QUOTE],
	['status', { sourceHash: EVM_HASH }],
	// The key comes before the parameters.
	['status', {}],
])(
	'%s with %j and without a key, or with a wrong one, is UNAUTHORIZED',
	async (endpoint, params) => {
		const { sandbox, as } = together();
		expectError(await as().ask(endpoint, params), 'UNAUTHORIZED');
		expectError(
			await as().ask(endpoint, { ...params, 'x-api-key': sandbox.apiKey }),
			'UNAUTHORIZED',
		);
		const response = await as('a-secret-of-someone-else').ask(endpoint, params);
		expectError(response, 'UNAUTHORIZED');
		expect(JSON.stringify([response.data, response.headers])).not.toContain('a-secret');
	},
);

test.each<[string, string, unknown]>([
	['status', 'sourceHash', undefined],
	['status', 'sourceHash', ''],
	['status', 'sourceHash', EVM_HASH.slice(0, -1)],
	['status', 'sourceHash', ` ${EVM_HASH}`],
	['status', 'sourceHash', 'not-a-hash'],
	['status', 'sourceHash', [EVM_HASH, EVM_HASH]],
	['config', 'chainID', 'ethereum'],
	['config', 'chainID', '1.5'],
])('%s with the %s %j is INVALID_PARAMETER', async (endpoint, name, value) => {
	expectError(await together().ask(endpoint, { [name]: value }), 'INVALID_PARAMETER');
});

test.each([EVM_HASH, 'ab'.repeat(32), '5'.repeat(88)])(
	'the hash %s, which nobody has announced, is NOT_FOUND',
	async (sourceHash) => expectError(await together().ask('status', { sourceHash }), 'NOT_FOUND'),
);

describe('GET config', () => {
	const chains = (data: unknown) =>
		(data as { data: { networks: Array<{ chainID: number }> } }).data.networks;

	test('answers in the envelope, with every field of a network and none besides', async () => {
		const { data, headers } = await together().ask('config');
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(data).toEqual({ success: true, data: { networks: expect.any(Array) as unknown } });
		for (const network of chains(data)) {
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
		expect(new Set(chains(data).map(({ chainID }) => chainID)).size).toBe(6);
	});

	test('a chainID changes nothing by default, as in the example of the interface; if the sandbox is set so, it selects one network', async () => {
		const all = await together().ask('config');
		expect((await together().ask('config', { chainID: 101 })).data).toEqual(all.data);
		const { ask } = await rehearse({ filterConfig: true });
		expect(chains((await ask('config', { chainID: 201 })).data)).toMatchObject([
			{ name: 'Solana' },
		]);
		expectError(await ask('config', { chainID: 999 }), 'NOT_FOUND');
		expect((await ask('config')).data).toEqual(all.data);
	});
});

describe('GET status: the five states and their times', () => {
	const plan = {
		...QUOTE,
		sourceHash: EVM_HASH,
		executesAfterSeconds: 4,
		endsAfterSeconds: 12,
		inputTokenAmount: '123456789012345678901',
		destinationAddress: `0x${'2b'.repeat(20)}`,
	};

	test('pending: no output, no solver, no completion; expiry an hour after creation', async () => {
		const { announce, order, clock } = await rehearse();
		const createdAt = clock.seconds;
		await announce(plan);
		expect(await order()).toEqual({
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
		});
	});

	test('executing: the solver is known since its assignment; completed: output and duration', async () => {
		const { announce, order, clock } = await rehearse();
		const createdAt = clock.seconds;
		const timing = { createdAt, expiry: createdAt + 3600 };
		await announce(plan);
		clock.advance(3.999);
		expect(await order()).toMatchObject({ status: 'pending' });
		clock.advance(0.001);
		const executing = await order();
		const solver = {
			address: expect.stringMatching(/^0x[0-9a-f]{40}$/) as string,
			assignedAt: createdAt + 4,
		};
		expect(executing).toMatchObject({ status: 'executing', solver });
		expect(executing.timing).toEqual(timing);
		expect(executing).not.toHaveProperty('output');
		clock.advance(7.999);
		expect(await order()).toEqual(executing);
		clock.advance(0.001);
		const completed = await order();
		expect(completed).toMatchObject({
			status: 'completed',
			output: {
				chainId: 102,
				txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
				token: `0x${'0'.repeat(40)}`,
				// 123456789012345678901 less its fees of 8, 2 and 5 basis points, each rounded down.
				amount: '123271603828827160384',
				address: plan.destinationAddress,
				timestamp: createdAt + 12,
			},
			solver,
			timing: { ...timing, completedAt: createdAt + 12, duration: 12 },
		});
		clock.advance(1_000_000);
		expect(await order()).toEqual(completed);
	});

	test.each(['refunded', 'failed'] as const)('%s: finished without output', async (end) => {
		const { announce, order, clock } = await rehearse();
		await announce({ ...plan, end });
		clock.advance(12);
		const shown = await order();
		expect(shown).toMatchObject({
			status: end,
			timing: { duration: 12 },
			solver: { assignedAt: clock.seconds - 8 },
		});
		expect(shown).not.toHaveProperty('output');
	});

	test.each([
		[0, 5],
		[0.5, 10],
		[0.999_999, 14.999],
	])('chance %p: an order without a plan finishes after %p s', async (chance, seconds) => {
		const { announce, order, clock } = await rehearse({ random: () => chance });
		await announce({ sourceHash: EVM_HASH });
		clock.advance(seconds - 0.01);
		expect(await order()).toMatchObject({ status: 'executing' });
		clock.advance(0.02);
		expect(await order()).toMatchObject({ status: 'completed' });
	});

	test('time can be sped up: at speed 10 twelve seconds are 1.2', async () => {
		const { announce, order, clock } = await rehearse({ speed: 10 });
		const [announced] = await announce({ ...plan, beginsAfterSeconds: 20 });
		expect(announced?.startsAt).toBe(new Date(clock.ms + 2000).toISOString());
		expect(announced?.endsAt).toBe(new Date(clock.ms + 3200).toISOString());
		clock.advance(3.19);
		expect(await order()).toMatchObject({ status: 'executing' });
		clock.advance(0.01);
		expect(await order()).toMatchObject({ status: 'completed' });
	});

	test('a 0x hash is found in any case, one of base58 in its own only, with legs of their own form', async () => {
		const { announce, order, ask, clock } = await rehearse();
		const [, ofSolana] = await announce(plan, { inputNetwork: 202, outputNetwork: 201 });
		for (const hash of [EVM_HASH.toUpperCase().replace('0X', '0x'), EVM_HASH.toUpperCase()])
			expect(await order(hash)).toMatchObject({ input: { txHash: EVM_HASH } });
		clock.advance(15);
		const base58 = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/;
		const shown = await order(ofSolana?.sourceHash);
		expect(shown).toMatchObject({
			input: { chainId: 202, token: `0x${'0'.repeat(64)}` },
			output: {
				chainId: 201,
				token: '1'.repeat(32),
				address: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/) as string,
				txHash: expect.stringMatching(base58) as string,
			},
		});
		const [{ sourceHash = '' } = {}] = await announce({ inputNetwork: 201, outputNetwork: 101 });
		expect(sourceHash).toMatch(base58);
		expect(await order(sourceHash)).toMatchObject({ status: 'pending' });
		const inOtherCase = sourceHash.replace(/[a-hjkmnp-z]/, (letter) => letter.toUpperCase());
		expectError(await ask('status', { sourceHash: inOtherCase }), 'NOT_FOUND');
	});
});
