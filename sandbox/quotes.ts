import { ServiceError } from './answers';
import { base58Address, hexAddress, hexHash } from './hashes';
import { isAddressOn, NATIVE_ADDRESS, networkById, tokenByAddress } from './networks';
import type { SandboxNetwork, Token } from './networks';

/** Query parameters as they arrive; a parameter given twice is a list. */
export type Query = Readonly<Record<string, unknown>>;

/** What a quote is asked for. Amounts are digits, in the source token's smallest unit. */
interface QuoteParameters {
	inputNetwork: number;
	outputNetwork: number;
	inputTokenAmount: string;
	sourceAddress: string;
	destinationAddress: string;
	inputTokenContract?: string;
	outputTokenContract?: string;
	/** Basis points here; the interface does not show the unit. */
	slippage?: number;
	showBridgeData: boolean;
}

/** The parameters that decide an order; each left out one gets a default (see `completeRoute`). */
export type RouteParameters = Partial<Omit<QuoteParameters, 'slippage' | 'showBridgeData'>>;

/** One side of a bridging: network, token, amount in the token's smallest unit, wallet. */
export interface RouteSide {
	network: SandboxNetwork;
	token: Token;
	amount: bigint;
	address: string;
}

export interface Route {
	input: RouteSide;
	output: RouteSide;
	fees: { platform: bigint; builder: bigint; solverIncentive: bigint };
}

const PLATFORM_FEE_BASIS_POINTS = 8n;
const BUILDER_FEE_BASIS_POINTS = 2n;
const SOLVER_FEE_BASIS_POINTS = 5n;
const FEE_PERCENTAGE = '0.15';
const ALL_BASIS_POINTS = 10_000n;
const DEFAULT_SLIPPAGE_BASIS_POINTS = 50;
const QUOTE_LIFETIME_SECONDS = 300;
/** More digits than any token amount has (2^256 has 78); a longer one is malformed. */
const MAX_AMOUNT_DIGITS = 78;

/** A parameter that must be there as one text; throws INVALID_PARAMETER if it is missing or given twice. */
function requiredText(query: Query, name: string): string {
	const value = optionalText(query, name);
	if (value === undefined)
		throw new ServiceError('INVALID_PARAMETER', `Query parameter ${name} is missing`);
	return value;
}

function optionalText(query: Query, name: string): string | undefined {
	const value = query[name];
	if (value === undefined) return undefined;
	if (typeof value !== 'string')
		throw new ServiceError('INVALID_PARAMETER', `Query parameter ${name} was given twice`);
	if (value.trim() === '')
		throw new ServiceError('INVALID_PARAMETER', `Query parameter ${name} is empty`);
	return value;
}

/** A network id as text: digits only. Throws INVALID_PARAMETER for anything else. */
function readNetworkId(name: string, text: string): number {
	if (!/^\d{1,9}$/.test(text)) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			`Query parameter ${name} must be a network id, a whole number`,
		);
	}
	return Number(text);
}

/** Reads the optional chainID of the configuration. Throws INVALID_PARAMETER if it is no whole number. */
export function readChainId(query: Query): number | undefined {
	const text = optionalText(query, 'chainID');
	return text === undefined ? undefined : readNetworkId('chainID', text);
}

/** Reads and checks the parameters of a quote. Throws INVALID_PARAMETER that names the parameter. */
export function readQuoteParameters(query: Query): QuoteParameters {
	const inputNetwork = readNetworkId('inputNetwork', requiredText(query, 'inputNetwork'));
	const outputNetwork = readNetworkId('outputNetwork', requiredText(query, 'outputNetwork'));
	const inputTokenAmount = requiredText(query, 'inputTokenAmount');
	const sourceAddress = requiredText(query, 'sourceAddress');
	const destinationAddress = requiredText(query, 'destinationAddress');
	const slippage = optionalText(query, 'slippage');
	if (
		slippage !== undefined &&
		!(/^\d+(\.\d+)?$/.test(slippage) && Number(slippage) < Number(ALL_BASIS_POINTS))
	) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			'Query parameter slippage must be a number from 0 to below 10000',
		);
	}
	const showBridgeData = optionalText(query, 'showBridgeData') ?? 'true';
	if (showBridgeData !== 'true' && showBridgeData !== 'false') {
		throw new ServiceError(
			'INVALID_PARAMETER',
			'Query parameter showBridgeData must be true or false',
		);
	}
	return {
		inputNetwork,
		outputNetwork,
		inputTokenAmount,
		sourceAddress,
		destinationAddress,
		inputTokenContract: optionalText(query, 'inputTokenContract'),
		outputTokenContract: optionalText(query, 'outputTokenContract'),
		slippage: slippage === undefined ? undefined : Number(slippage),
		showBridgeData: showBridgeData === 'true',
	};
}

function knownNetwork(chainID: number): SandboxNetwork {
	const network = networkById(chainID);
	if (network === undefined)
		throw new ServiceError('NOT_FOUND', `Network ${chainID} is not supported`);
	return network;
}

function knownToken(network: SandboxNetwork, parameter: string, address: string): Token {
	if (!isAddressOn(network, address)) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			`${parameter} is not an address on ${network.name}`,
		);
	}
	const token = tokenByAddress(network, address);
	if (token === undefined)
		throw new ServiceError(
			'NOT_FOUND',
			`${parameter} is not a token that ${network.name} supports`,
		);
	return token;
}

function knownAddress(network: SandboxNetwork, parameter: string, address: string): string {
	if (!isAddressOn(network, address)) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			`${parameter} is not an address on ${network.name}`,
		);
	}
	return address;
}

function defaultWallet(network: SandboxNetwork, label: string): string {
	switch (network.style) {
		case 'evm':
			return hexAddress(label);
		case 'solana':
			return base58Address(label);
		case 'movement':
			return hexHash(label);
	}
}

/** Share of an amount in basis points, rounded down. */
function share(amount: bigint, basisPoints: bigint): bigint {
	return (amount * basisPoints) / ALL_BASIS_POINTS;
}

/**
 * Both sides of a bridging, with exact amounts: what arrives is what leaves, less the fees, at the sandbox's
 * fixed prices. Left out parameters get defaults: 0.1 of the native token, from Ethereum to Base (or Base to
 * Ethereum), between two made-up wallets.
 * Throws NOT_FOUND for an unknown network or token, INVALID_PARAMETER for a malformed address or amount,
 * for one network on both sides, and for an amount too small to arrive.
 */
export function completeRoute(parameters: RouteParameters): Route {
	const outputDefault = parameters.inputNetwork === 102 ? 101 : 102;
	const inputDefault = parameters.outputNetwork === 101 ? 102 : 101;
	const source = knownNetwork(parameters.inputNetwork ?? inputDefault);
	const destination = knownNetwork(parameters.outputNetwork ?? outputDefault);
	if (source === destination) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			'inputNetwork and outputNetwork are the same network',
		);
	}
	const sourceToken = knownToken(
		source,
		'inputTokenContract',
		parameters.inputTokenContract ?? NATIVE_ADDRESS[source.style],
	);
	const destinationToken = knownToken(
		destination,
		'outputTokenContract',
		parameters.outputTokenContract ?? NATIVE_ADDRESS[destination.style],
	);
	const amountText =
		parameters.inputTokenAmount ?? String(10n ** BigInt(Math.max(0, sourceToken.decimals - 1)));
	if (
		!/^\d+$/.test(amountText) ||
		amountText.length > MAX_AMOUNT_DIGITS ||
		BigInt(amountText) === 0n
	) {
		throw new ServiceError(
			'INVALID_PARAMETER',
			"inputTokenAmount must be a positive whole number of the token's smallest unit, digits only",
		);
	}
	const amount = BigInt(amountText);
	const fees = {
		platform: share(amount, PLATFORM_FEE_BASIS_POINTS),
		builder: share(amount, BUILDER_FEE_BASIS_POINTS),
		solverIncentive: share(amount, SOLVER_FEE_BASIS_POINTS),
	};
	const bridged = amount - fees.platform - fees.builder - fees.solverIncentive;
	const arriving =
		(bridged * sourceToken.priceCents * 10n ** BigInt(destinationToken.decimals)) /
		(destinationToken.priceCents * 10n ** BigInt(sourceToken.decimals));
	if (arriving === 0n)
		throw new ServiceError('INVALID_PARAMETER', 'inputTokenAmount is too small for this route');
	return {
		input: {
			network: source,
			token: sourceToken,
			amount,
			address: knownAddress(
				source,
				'sourceAddress',
				parameters.sourceAddress ?? defaultWallet(source, 'sandbox sender'),
			),
		},
		output: {
			network: destination,
			token: destinationToken,
			amount: arriving,
			address: knownAddress(
				destination,
				'destinationAddress',
				parameters.destinationAddress ?? defaultWallet(destination, 'sandbox recipient'),
			),
		},
		fees,
	};
}

/** Value of an amount in US cents, rounded down. */
function valueCents({ token, amount }: RouteSide): bigint {
	return (amount * token.priceCents) / 10n ** BigInt(token.decimals);
}

/** 1234 cents as "12.34". */
function usdText(cents: bigint): string {
	return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

function tokenOf(side: RouteSide): Record<string, string | number> {
	return {
		symbol: side.token.symbol,
		address: side.token.address,
		decimals: side.token.decimals,
		amount: String(side.amount),
		amountUSD: usdText(valueCents(side)),
	};
}

/** A transaction to submit on the source chain; all fields are text, as the published example has them. */
interface QuotedTransaction {
	type: 'approval' | 'bridge';
	to: string;
	data: string;
	value: string;
	gasLimit: string;
}

/** First four bytes of the sandbox's own bridge call, so that its data can be told apart from foreign data. */
const BRIDGE_SELECTOR = '0x5a4db0c5';
/** Selector of approve(address,uint256), the ERC-20 standard. */
const APPROVE_SELECTOR = '0x095ea7b3';

function word(hex: string): string {
	return hex.replace(/^0x/, '').padStart(64, '0');
}

/** The data of the bridge transaction. It carries the route itself, so that submitting needs no memory. */
function bridgeCallData(network: SandboxNetwork, route: RouteParameters): string {
	const text = Buffer.from(JSON.stringify(route), 'utf8');
	// Solana-like chains hand transactions around as base64, the others as hex.
	if (network.style === 'solana') return text.toString('base64');
	return BRIDGE_SELECTOR + text.toString('hex');
}

const TEXT_PARAMETERS = [
	'inputTokenAmount',
	'sourceAddress',
	'destinationAddress',
	'inputTokenContract',
	'outputTokenContract',
] as const;

function isRoute(value: unknown): value is RouteParameters {
	if (typeof value !== 'object' || value === null) return false;
	const fields = new Map<string, unknown>(Object.entries(value));
	return (
		typeof fields.get('inputNetwork') === 'number' &&
		typeof fields.get('outputNetwork') === 'number' &&
		TEXT_PARAMETERS.every((name) => ['string', 'undefined'].includes(typeof fields.get(name)))
	);
}

/** The route inside a bridge transaction's data, or undefined if the data is not of this sandbox. */
export function routeInCallData(data: string): RouteParameters | undefined {
	const bytes = data.startsWith(BRIDGE_SELECTOR)
		? Buffer.from(data.slice(BRIDGE_SELECTOR.length), 'hex')
		: Buffer.from(data, 'base64');
	try {
		const route: unknown = JSON.parse(bytes.toString('utf8'));
		return isRoute(route) ? route : undefined;
	} catch {
		return undefined;
	}
}

/** Whether data calls an ERC-20 approval: the transaction before the bridge transaction. */
export function isApprovalCall(data: string): boolean {
	return data.startsWith(APPROVE_SELECTOR);
}

function transactionsOf(parameters: QuoteParameters, route: Route): QuotedTransaction[] {
	const { network, token, amount } = route.input;
	const { slippage: _slippage, showBridgeData: _showBridgeData, ...routeParameters } = parameters;
	const bridge: QuotedTransaction = {
		type: 'bridge',
		to: network.gateway,
		data: bridgeCallData(network, routeParameters),
		value: token.isNative ? String(amount) : '0',
		gasLimit: '210000',
	};
	if (token.isNative || network.style !== 'evm') return [bridge];
	const approval: QuotedTransaction = {
		type: 'approval',
		to: token.address,
		data: APPROVE_SELECTOR + word(network.gateway) + word(amount.toString(16)),
		value: '0',
		gasLimit: '60000',
	};
	return [approval, bridge];
}

/**
 * A quote in the published shape. All amounts are exact text; `expiry` is Unix seconds.
 * @param nowMs - Unix milliseconds
 * @param liquidityUsd - the mark, in whole US dollars, above which the route has not enough liquidity
 * Throws what `completeRoute` throws, and INSUFFICIENT_LIQUIDITY above the mark.
 */
export function makeQuote(
	parameters: QuoteParameters,
	nowMs: number,
	liquidityUsd: number,
): Record<string, unknown> {
	const route = completeRoute(parameters);
	if (valueCents(route.input) > BigInt(liquidityUsd) * 100n) {
		throw new ServiceError(
			'INSUFFICIENT_LIQUIDITY',
			`Not enough liquidity for more than ${liquidityUsd} USD on this route`,
		);
	}
	const slippage = BigInt(Math.floor(parameters.slippage ?? DEFAULT_SLIPPAGE_BASIS_POINTS));
	const { platform, builder, solverIncentive } = route.fees;
	const required = route.input.amount;
	return {
		tokenIn: tokenOf(route.input),
		tokenOut: {
			...tokenOf(route.output),
			minAmount: String(route.output.amount - share(route.output.amount, slippage)),
		},
		fees: {
			platform: String(platform),
			builder: String(builder),
			solverIncentive: String(solverIncentive),
			total: String(platform + builder + solverIncentive),
			percentage: FEE_PERCENTAGE,
		},
		priceImpact: '0.01',
		rewardPoints: 10,
		balanceCheck: { sufficient: true, balance: String(required * 2n), required: String(required) },
		...(parameters.showBridgeData ? { transactions: transactionsOf(parameters, route) } : {}),
		expiry: Math.floor(nowMs / 1000) + QUOTE_LIFETIME_SECONDS,
	};
}
