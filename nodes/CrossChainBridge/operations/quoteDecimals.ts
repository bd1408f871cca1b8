import type { IDataObject } from 'n8n-workflow';

import { isOrderError, type ServiceError, toNodeError } from '../service/errors';
import {
	agreedNativeDecimals,
	isAllZeroAddress,
	isNativeAddress,
	networkId,
} from '../orders/networks';
import { caselessHex } from '../orders/values';
import { inputError, itemError, type OperationInput } from '../fields/parameters';
import { QUOTE_LABELS } from './parameterLabels';

/** What an amount is an amount of: a network's own ID and a token's address there, empty for the native token. */
export interface AmountOf {
	network: string;
	token: string;
	/** The option Token Decimals, by address as `caselessHex` writes it. */
	tokenDecimals: ReadonlyMap<string, number>;
}

/** A token's decimals, and who says so. `quote`: the service itself did, in a small quote. */
export interface TokenDecimals {
	decimals: number;
	from: 'option' | 'configuration' | 'quote';
}

/** The decimals of the token to bridge that are known without a quote; null if a quote may state them. */
export async function knownDecimals(
	input: OperationInput,
	of: AmountOf,
): Promise<TokenDecimals | null> {
	const { network, token } = of;
	const isNativeAnywhere = token === '' || isAllZeroAddress(token);
	const given = optionFor(of, isNativeAnywhere);
	if (given !== null && !isNativeAnywhere) return { decimals: given, from: 'option' };

	const response = await input.service.networks();
	if (!response.ok) {
		if (given !== null) return { decimals: given, from: 'option' };
		// The service states the decimals of any other token in a quote.
		if (!isNativeAnywhere) return null;
		throw toNodeError(input.context.getNode(), response.error, {
			asked: 'config',
			itemIndex: input.itemIndex,
			note: `The configuration was asked for the decimals of the token. ${WITHOUT_CONFIGURATION}`,
		});
	}
	const found = response.networks.filter((candidate) => networkId(candidate) === network);
	const native = found.filter((candidate) => isNativeAnywhere || isNativeAddress(candidate, token));
	const stated = agreedNativeDecimals(native);
	if (stated !== null && given !== null && stated !== given) {
		throw inputError(
			input,
			`'Token Decimals' is ${given}, but the native token of this network has ${stated}`,
			"Correct the row of the option 'Token Decimals' or remove it.",
		);
	}
	if (stated !== null) return { decimals: stated, from: 'configuration' };
	if (given !== null) return { decimals: given, from: 'option' };
	if (!isNativeAnywhere) return null;
	throw inputError(
		input,
		UNKNOWN,
		found.length === 0
			? `The bridge has no network with the ID in 'From Network'. Check it.`
			: `The configuration does not state the decimals of this network's native token. ${LOOK_UP}`,
	);
}

const UNKNOWN = 'The decimals of the token are not known';

const WITHOUT_CONFIGURATION =
	"With the option 'Token Decimals', or with 'Amount' in the smallest unit, the configuration is not needed.";

const LOOK_UP =
	"Find them on the token's page in a block explorer (usually named Decimals), then add the option 'Token Decimals' with the token's address, or enter 'Amount' in the smallest unit.";

function optionFor({ token, tokenDecimals }: AmountOf, isNative: boolean): number | null {
	if (!isNative) return tokenDecimals.get(caselessHex(token)) ?? null;
	const row = [...tokenDecimals].find(([address]) => isAllZeroAddress(address));
	return row === undefined ? null : row[1];
}

/** No quote states the decimals either; `error` says why there was none to read them from. */
export function unknownDecimalsError(input: OperationInput, error: ServiceError | null) {
	if (error === null)
		return inputError(input, UNKNOWN, `The bridge does not state them. ${LOOK_UP}`);
	return itemError(input, error, {
		asked: 'quote',
		labels: QUOTE_LABELS,
		title: `${UNKNOWN} [item ${input.itemIndex}]`,
		lead: 'A small test quote was requested to learn them, but the bridge returned none:',
		note: LOOK_UP,
	});
}

/** Throws where a quote states other decimals than its amount was made with: the amount was not the one that was meant. */
export function checkDecimals(
	input: OperationInput,
	used: TokenDecimals,
	stated: number | null,
): void {
	if (stated === null || stated === used.decimals) return;
	const does = 'The quote was discarded because it is for a different amount than you entered.';
	switch (used.from) {
		case 'option':
			throw inputError(
				input,
				`'Token Decimals' is ${used.decimals}, but the bridge says that the token has ${stated} decimals`,
				`${does} Correct the row of the option 'Token Decimals' or remove it: the bridge states the decimals of this token by itself.`,
			);
		case 'configuration':
			throw inputError(
				input,
				`The configuration says that the native token has ${used.decimals} decimals, but the quote says ${stated}`,
				`${does} Enter 'Amount' in the smallest unit, or ask the operator of the bridge which is right.`,
			);
		case 'quote':
			throw inputError(
				input,
				`The bridge said that the token has ${used.decimals} decimals, and now says ${stated}`,
				`${does} Check the token's page in a block explorer, and run this node again.`,
			);
	}
}

/** A token's decimals as a small quote states them, or why there was no quote; null where it states none. */
export type Learned = { ok: true; decimals: number } | { ok: false; error: ServiceError | null };

/** What the quotes of one execution have said, by token, and of rejected ones by the whole question. */
export type LearnedDecimals = Map<string, Promise<Learned>>;

/**
 * Runs `ask` for one item after another until a quote has settled the token's decimals. A rejected question is not asked
 * again, but another item may ask with other wallets.
 */
export async function learnedDecimals(
	learned: LearnedDecimals,
	{ network, token }: AmountOf,
	question: IDataObject,
	ask: () => Promise<Learned>,
): Promise<Learned> {
	const ofToken = JSON.stringify([network, caselessHex(token)]);
	const ofQuestion = JSON.stringify(question);
	const known = () => learned.get(ofToken) ?? learned.get(ofQuestion);
	for (let said = known(); said !== undefined; said = known()) {
		const result = await said;
		if (isForAll(result) || learned.get(ofQuestion) === said) return result;
	}
	const mine = ask();
	learned.set(ofToken, mine);
	const result = await mine;
	if (!isForAll(result)) learned.delete(ofToken);
	if (!result.ok && result.error !== null && isOrderError(result.error))
		learned.set(ofQuestion, mine);
	return result;
}

/** Whether the token's decimals are known, or known not to be stated. */
function isForAll(result: Learned): boolean {
	return result.ok || result.error === null;
}
