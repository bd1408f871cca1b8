import { lookupKey } from './hashes';

/** A network as the configuration shows it (element of data.networks). */
export interface Network {
	chainID: number;
	name: string;
	baseToken: string;
	decimals: number;
	gateway: string;
	tokens: Record<string, string>;
}

/** How a network writes its addresses and transaction hashes. */
export type AddressStyle = 'evm' | 'solana' | 'movement';

/** A network with what the configuration does not show: address style, and each token's own decimals. */
export interface SandboxNetwork extends Network {
	style: AddressStyle;
	/** Decimals by token key, NATIVE left out: that one's are the network's `decimals`. */
	tokenDecimals: Record<string, number>;
}

/** A token on a network, with all that a quote needs. */
export interface Token {
	symbol: string;
	address: string;
	decimals: number;
	isNative: boolean;
	/** Price of one whole token in US cents. */
	priceCents: bigint;
}

/** The all-zero address of each style; for Solana it is 32 zero bytes in base58. */
export const NATIVE_ADDRESS: Record<AddressStyle, string> = {
	evm: `0x${'0'.repeat(40)}`,
	solana: '1'.repeat(32),
	movement: `0x${'0'.repeat(64)}`,
};

/**
 * The networks of the sandbox. The ids are the service's own, not the EVM chain ids, and all addresses are
 * made up. USDC has 18 decimals on BNB Smart Chain and 6 elsewhere, as in life: anyone who guesses is wrong.
 */
const NETWORKS: readonly SandboxNetwork[] = [
	{
		chainID: 101,
		name: 'Ethereum',
		baseToken: 'ETH',
		decimals: 18,
		gateway: '0x15086c22a26b2862fd87a3f336b1487c87f0abd4',
		tokens: {
			NATIVE: NATIVE_ADDRESS.evm,
			USDC: '0x166cab27f2cbb40426a5742c477d609e0716128b',
			USDT: '0x05aeddee0c1a5ecea8db8fb91f7511756d3cbbc0',
			WBTC: '0x77d77b6ceb1a7d77cf191506cc5542f26f3802c0',
			DAI: '0xc14ca6bc5f6280012010fc2278e4aa4aeafc9762',
		},
		style: 'evm',
		tokenDecimals: { USDC: 6, USDT: 6, WBTC: 8, DAI: 18 },
	},
	{
		chainID: 102,
		name: 'Base',
		baseToken: 'ETH',
		decimals: 18,
		gateway: '0xd66f81819958181062f8fdc4244089340d7a4dd6',
		tokens: {
			NATIVE: NATIVE_ADDRESS.evm,
			USDC: '0xb8d205cae123a8167397d526d56a965505738f8e',
			WETH: '0x0add12bf112fb66a5f50c6bf4c12d4b4ac12a567',
		},
		style: 'evm',
		tokenDecimals: { USDC: 6, WETH: 18 },
	},
	{
		chainID: 103,
		name: 'Polygon',
		baseToken: 'POL',
		decimals: 18,
		gateway: '0x4f5a2a4aa8d016f6b042d574623325b492c75ba8',
		tokens: {
			NATIVE: NATIVE_ADDRESS.evm,
			USDC: '0x11f055e021fdbfda37a255863b6cc38f01a0bc15',
			USDT: '0x44d0b67fd7cb1336cc4823ed9be21cf5ae7c5af9',
			WETH: '0x70193a064acb8864ba99f5cc27e4384fe51b39e4',
		},
		style: 'evm',
		tokenDecimals: { USDC: 6, USDT: 6, WETH: 18 },
	},
	{
		chainID: 104,
		name: 'BNB Smart Chain',
		baseToken: 'BNB',
		decimals: 18,
		gateway: '0x45bb3a5762b5b645eeff8528abb486c97cfb165c',
		tokens: {
			NATIVE: NATIVE_ADDRESS.evm,
			USDC: '0xaec35434bbf2539d0817ead9841a53db27a3ae58',
			USDT: '0x15e898976b7d06b2f5f05b889b5e455810de8a02',
			ETH: '0x3100e3886959585aac0d6212a9ec00deb6a85ed8',
		},
		style: 'evm',
		tokenDecimals: { USDC: 18, USDT: 18, ETH: 18 },
	},
	{
		chainID: 201,
		name: 'Solana',
		baseToken: 'SOL',
		decimals: 9,
		gateway: 'FQgnSfTJ9TtxazfKFQuw11XLDkbuTFGy4Aeo4ubnXsTB',
		tokens: {
			NATIVE: NATIVE_ADDRESS.solana,
			USDC: '4BCkqJvPiVKgaL2jnhyGVrEHXUygHQuLvMKbyW24brGE',
			USDT: 'CtVavAfwTuabSKrPajmPXhuEBAmfSMsoEXPtjcassE9b',
		},
		style: 'solana',
		tokenDecimals: { USDC: 6, USDT: 6 },
	},
	{
		chainID: 202,
		name: 'Movement',
		baseToken: 'MOVE',
		decimals: 8,
		gateway: '0x05e4ccac180fe60586e6f72b9f894c4d7bf4d3283be7e6c03b86155d349bf58f',
		tokens: {
			NATIVE: NATIVE_ADDRESS.movement,
			USDC: '0x5f1e5ecdedff1a49a99f9b5ddf6253cb96a06c7e08a3a8ee229eb52d30901be7',
		},
		style: 'movement',
		tokenDecimals: { USDC: 6 },
	},
];

const PRICE_CENTS: Record<string, bigint> = {
	ETH: 250_000n,
	WETH: 250_000n,
	POL: 25n,
	BNB: 60_000n,
	SOL: 15_000n,
	MOVE: 20n,
	WBTC: 6_500_000n,
	USDC: 100n,
	USDT: 100n,
	DAI: 100n,
};

const ADDRESS_PATTERN: Record<AddressStyle, RegExp> = {
	evm: /^0x[0-9a-f]{40}$/i,
	solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
	movement: /^0x[0-9a-f]{1,64}$/i,
};

/** The network of an id, or undefined. */
export function networkById(chainID: number): SandboxNetwork | undefined {
	return NETWORKS.find((network) => network.chainID === chainID);
}

/** Whether text is written as the network's addresses are. */
export function isAddressOn(network: SandboxNetwork, text: string): boolean {
	return ADDRESS_PATTERN[network.style].test(text);
}

/** The token of an address on a network, or undefined; 0x addresses are compared without case. */
export function tokenByAddress(network: SandboxNetwork, address: string): Token | undefined {
	const entry = Object.entries(network.tokens).find(
		([, known]) => lookupKey(known) === lookupKey(address),
	);
	if (entry === undefined) return undefined;
	const [key, knownAddress] = entry;
	const isNative = key === 'NATIVE';
	const symbol = isNative ? network.baseToken : key;
	const decimals = isNative ? network.decimals : network.tokenDecimals[key];
	const priceCents = PRICE_CENTS[symbol];
	if (decimals === undefined || priceCents === undefined) {
		throw new Error(`The sandbox has no decimals or price for ${symbol} on ${network.name}`);
	}
	return { symbol, address: knownAddress, decimals, isNative, priceCents };
}

/** The networks in the shape of the configuration's answer, without what only the sandbox knows. */
export function configuredNetworks(chainID?: number): Network[] {
	return NETWORKS.filter((network) => chainID === undefined || network.chainID === chainID).map(
		({ chainID: id, name, baseToken, decimals, gateway, tokens }) => ({
			chainID: id,
			name,
			baseToken,
			decimals,
			gateway,
			tokens,
		}),
	);
}
