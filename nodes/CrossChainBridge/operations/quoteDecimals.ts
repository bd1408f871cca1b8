import { type ServiceError, toNodeError } from '../service/errors';
import {
	agreedNativeDecimals,
	isAllZeroAddress,
	isNativeAddress,
	networkId,
} from '../orders/networks';
import { caselessHex } from '../orders/values';
import type { BridgeService } from '../service/service';
import { inputError, itemError, type OperationInput } from '../fields/parameters';
import { QUOTE_LABELS } from './parameterLabels';

/** What an amount is an amount of: a network's own ID and a token's address there, empty for the native token. */
export interface AmountOf {
	network: string;
	token: string;
	/** The rows of the option Token Decimals, by address as `caselessHex` writes it. */
	tokenDecimals: ReadonlyMap<string, number>;
}

/** A token's decimals, and who says so. `quote`: the service itself did, in an earlier quote. */
export interface TokenDecimals {
	decimals: number;
	from: 'option' | 'configuration' | 'quote';
}

/**
 * The decimals of the token to bridge that are known without a quote; null if none are. Never guessed. Throws a sentence
 * where the option contradicts the configuration, or where a native token's decimals are nowhere stated.
 */
export async function knownDecimals(
	input: OperationInput,
	of: AmountOf,
): Promise<TokenDecimals | null> {
	const { network, token } = of;
	const isNativeAnywhere = token === '' || isAllZeroAddress(token);
	const given = optionFor(of, isNativeAnywhere);
	if (given !== null && !isNativeAnywhere) return { decimals: given, from: 'option' };
	const said = isNativeAnywhere ? null : learned(input.service, of);
	if (said !== null) return { decimals: said, from: 'quote' };

	const answer = await input.service.networks();
	if (!answer.ok) {
		if (given !== null) return { decimals: given, from: 'option' };
		// The service states the decimals of any other token in a quote.
		if (!isNativeAnywhere) return null;
		throw toNodeError(input.context.getNode(), answer.error, {
			asked: 'config',
			itemIndex: input.itemIndex,
			note: `The configuration was asked for the decimals of the token. ${WITHOUT_CONFIGURATION}`,
		});
	}
	const found = answer.networks.filter((candidate) => networkId(candidate) === network);
	const native = found.filter((candidate) => isNativeAnywhere || isNativeAddress(candidate, token));
	const stated = agreedNativeDecimals(native);
	if (stated !== null && given !== null && stated !== given) {
		throw inputError(
			input,
			`Token Decimals is ${given}, but the native token of this network has ${stated}`,
			'Correct the row of the option Token Decimals or remove it.',
		);
	}
	if (stated !== null) return { decimals: stated, from: 'configuration' };
	if (given !== null) return { decimals: given, from: 'option' };
	if (!isNativeAnywhere) return null;
	throw inputError(
		input,
		UNKNOWN,
		found.length === 0
			? `The bridge service has no network with the ID in From Network. Check it.`
			: `The configuration does not state the decimals of this network's native token. ${LOOK_UP}`,
	);
}

const UNKNOWN = 'The decimals of the token are not known';

const WITHOUT_CONFIGURATION =
	'With the option Token Decimals, or an Amount in the Smallest Unit, the configuration is not needed.';

const LOOK_UP =
	"Find them on the token's page in a block explorer (usually named Decimals), then add the option Token Decimals with the token's address, or enter the Amount in the Smallest Unit.";

function optionFor({ token, tokenDecimals }: AmountOf, isNative: boolean): number | null {
	if (!isNative) return tokenDecimals.get(caselessHex(token)) ?? null;
	const row = [...tokenDecimals].find(([address]) => isAllZeroAddress(address));
	return row === undefined ? null : row[1];
}

/** For a token whose decimals a quote does not state either. `error`: why the service gave no quote to read them from. */
export function unknownDecimalsError(input: OperationInput, error: ServiceError | null) {
	if (error === null)
		return inputError(input, UNKNOWN, `The bridge service does not state them. ${LOOK_UP}`);
	return itemError(input, error, {
		asked: 'quote',
		labels: QUOTE_LABELS,
		title: `${UNKNOWN} [item ${input.itemIndex}]`,
		lead: 'A small test quote was requested to learn them, but the service returned none:',
		note: LOOK_UP,
	});
}

/** Stops where a quote states other decimals than those that its amount was made with: the amount was another one than was meant. */
export function checkDecimals(
	input: OperationInput,
	of: AmountOf,
	used: TokenDecimals,
	stated: number | null,
): void {
	if (stated === null || stated === used.decimals) return;
	forget(input.service, of);
	const does = 'The quote was discarded because it is for a different amount than you entered.';
	switch (used.from) {
		case 'option':
			throw inputError(
				input,
				`Token Decimals is ${used.decimals}, but the bridge service says that the token has ${stated} decimals`,
				`${does} Correct the row of the option Token Decimals or remove it: the service states the decimals of this token by itself.`,
			);
		case 'configuration':
			throw inputError(
				input,
				`The configuration says that the native token has ${used.decimals} decimals, but the quote says ${stated}`,
				`${does} Enter the Amount in the Smallest Unit, or ask the operator of the service which is right.`,
			);
		case 'quote':
			throw inputError(
				input,
				`The bridge service said that the token has ${used.decimals} decimals, and now says ${stated}`,
				`${does} Check the token's page in a block explorer, and run this node again.`,
			);
	}
}

/** Far more tokens than one account bridges. */
const MOST_LEARNED = 1_000;

/**
 * What quotes have stated, by network and token, for the life of this process. Each account has its own: its budget
 * stands for it, since an address and a key share one.
 */
const learnedByAccount = new WeakMap<object, Map<string, number>>();

function keyOf({ network, token }: AmountOf): string {
	return JSON.stringify([network, caselessHex(token)]);
}

function learned({ budget }: BridgeService, of: AmountOf): number | null {
	return learnedByAccount.get(budget)?.get(keyOf(of)) ?? null;
}

/** Remembers the decimals that a quote has stated. */
export function learn({ budget }: BridgeService, of: AmountOf, decimals: number): void {
	const known = learnedByAccount.get(budget) ?? new Map<string, number>();
	learnedByAccount.set(budget, known);
	// Deleted first, so that the map's order is the order of learning.
	known.delete(keyOf(of));
	known.set(keyOf(of), decimals);
	for (const oldest of known.keys()) {
		if (known.size <= MOST_LEARNED) break;
		known.delete(oldest);
	}
}

function forget({ budget }: BridgeService, of: AmountOf): void {
	learnedByAccount.get(budget)?.delete(keyOf(of));
}

/** Requests for a token's decimals that are in flight: other items wait for the answer instead of asking, too. */
const asking = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs `ask` for a token whose decimals are unknown, one at a time for each token of an account. Gives what has been learned
 * meanwhile without running it.
 */
export async function learnOnce(
	service: BridgeService,
	of: AmountOf,
	ask: () => Promise<number>,
): Promise<number> {
	const inFlight = asking.get(service.budget) ?? new Map<string, Promise<unknown>>();
	asking.set(service.budget, inFlight);
	const key = keyOf(of);
	for (let other = inFlight.get(key); other !== undefined; other = inFlight.get(key)) {
		await other.catch(() => undefined);
		const said = learned(service, of);
		if (said !== null) return said;
	}
	const mine = ask();
	inFlight.set(key, mine);
	try {
		return await mine;
	} finally {
		inFlight.delete(key);
	}
}
