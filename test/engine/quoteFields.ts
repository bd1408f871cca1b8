/** Fields of Get Quote and what goes into them; the addresses are the sandbox's. */

export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
export const NATIVE = `0x${'0'.repeat(40)}`;
export const USDC = '0x166cab27f2cbb40426a5742c477d609e0716128b';
export const USDC_ON_BASE = '0xb8d205cae123a8167397d526d56a965505738f8e';
export const DAI = '0xc14ca6bc5f6280012010fc2278e4aa4aeafc9762';

const locator =
	(mode: string) =>
	<Value>(value: Value) => ({ __rl: true, mode, value });
export const listed = locator('list');
export const byId = locator('id');
export const byAddress = locator('address');

/** Half an ETH from Ethereum to Base. */
export const GET_QUOTE = {
	operation: 'getQuote',
	fromNetwork: byId('101'),
	toNetwork: byId('102'),
	fromToken: listed(NATIVE),
	toToken: listed(NATIVE),
	amount: '0.5',
	sender: WALLET,
	recipient: WALLET,
};

/** The option Token Decimals, with one row. */
export const decimals = (address: unknown, count: unknown) => ({
	options: { tokenDecimals: { token: [{ address, decimals: count }] } },
});
