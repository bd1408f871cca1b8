import type { OperationInput } from '../../../nodes/CrossChainBridge/operations/operation';
import { type AmountOf, knownDecimals, learn, learnOnce } from '../../../nodes/CrossChainBridge/operations/quoteDecimals';

/** An account, as far as decimals are concerned: its budget stands for it. */
function account(networks: object[] = []): OperationInput {
	const service = { budget: {}, networks: async () => await Promise.resolve({ ok: true, networks }) };
	return { service, itemIndex: 0, context: { getNode: () => ({ name: 'Bridge', type: 'bridge', typeVersion: 1, id: '1', position: [0, 0], parameters: {} }) } } as unknown as OperationInput;
}

const token = (address: string, network = '1'): AmountOf => ({ network, token: address, tokenDecimals: new Map() });

test('decimals are remembered by account, network and token, whatever the case of a hexadecimal address', async () => {
	const [one, other] = [account(), account()];
	learn(one.service, token('0xAB'), 6);
	expect(await knownDecimals(one, token('0xab'))).toEqual({ decimals: 6, from: 'quote' });
	expect(await knownDecimals(one, token('0xab', '2'))).toBeNull();
	expect(await knownDecimals(other, token('0xab'))).toBeNull();
});

test('of more tokens than an account ever bridges, those learned longest ago are forgotten', async () => {
	const input = account();
	for (let index = 0; index <= 1_000; index++) learn(input.service, token(`0xa${index}`), 6);
	expect(await knownDecimals(input, token('0xa0'))).toBeNull();
	expect(await knownDecimals(input, token('0xa1'))).toEqual({ decimals: 6, from: 'quote' });
	expect(await knownDecimals(input, token('0xa1000'))).toEqual({ decimals: 6, from: 'quote' });
});

test('the native token, by any of its addresses, has the decimals of the configuration, never those of a quote', async () => {
	const input = account([{ chainID: 1, decimals: 18, tokens: { NATIVE: '0xee' } }]);
	for (const address of ['', `0x${'0'.repeat(40)}`, '0xee']) expect(await knownDecimals(input, token(address))).toEqual({ decimals: 18, from: 'configuration' });
});

test('the user’s row goes first, for its own token', async () => {
	const rows = { ...token('0xAB'), tokenDecimals: new Map([['0xab', 2]]) };
	const input = account();
	learn(input.service, token('0xab'), 6);
	expect(await knownDecimals(input, rows)).toEqual({ decimals: 2, from: 'option' });
});

describe('learning', () => {
	test('is done once for all who need it, and by the next one where it failed', async () => {
		const { service } = account();
		const of = token('0xab');
		let asked = 0;
		const ask = async (): Promise<number> => {
			asked++;
			await Promise.resolve();
			if (asked === 1) throw new Error('no quote');
			learn(service, of, 6);
			return 6;
		};
		const results = await Promise.allSettled([1, 2, 3, 4].map(async () => await learnOnce(service, of, ask)));
		expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual(['failed', 6, 6, 6]);
		expect(asked).toBe(2);
	});

	test('of one token does not wait for another', async () => {
		const { service } = account();
		const never = learnOnce(service, token('0x1'), async () => await new Promise<number>(() => undefined));
		expect(await learnOnce(service, token('0x2'), async () => await Promise.resolve(8))).toBe(8);
		expect(await Promise.race([never, Promise.resolve('waits')])).toBe('waits');
	});
});
