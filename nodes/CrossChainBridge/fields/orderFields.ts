import { deepCopy, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { PLAIN_DISPLAY } from '../orders/display';
import { orderItem } from '../orders/orderItem';
import type { OrderSource } from '../orders/orders';
import { type HashProblem, readHash } from '../orders/sourceHash';
import { hashNote } from '../orders/summary';
import { isOrderError, type NodeErrorOptions, type ServiceError } from '../service/errors';
import type { DisplayOptions } from './displayFields';
import { textField } from './fieldTypes';
import { outputProperties, shapedItem } from './outputFields';
import {
	emptyError,
	inputError,
	itemError,
	type ItemInput,
	type OperationInput,
	textParameter,
} from './parameters';

const LABEL = 'Source Transaction Hash';

export const SOURCE_HASH_PROPERTY: INodeProperties = {
	...textField(
		LABEL,
		'sourceHash',
		'0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
		"The hash of the transaction that started the transfer on the source network. Your wallet shows it in the transaction's details, and a block explorer on the transaction's page. Hashes of any network are accepted. A block explorer link works too.",
	),
	required: true,
};

export const ORDER_OUTPUT_PROPERTIES = outputProperties(
	'sourceHash',
	orderItem({ sourceHash: '', order: null }, PLAIN_DISPLAY, 0).full,
);

/** The item's hash, with the block explorer's link that it came in. */
export function sourceHashOf(input: ItemInput): { sourceHash: string; link: string | null } {
	const given = textParameter(input, 'sourceHash');
	if (given === '') {
		throw emptyError(
			input,
			LABEL,
			'Enter the hash of the transaction that started the transfer on the source network, as your wallet or a block explorer shows it',
		);
	}
	const read = readHash(given);
	if (read.ok) return { sourceHash: read.hash, link: read.link };
	const isLink = /^https?:\/\//i.test(given);
	if (read.problem !== 'noHash' || isLink) throw inputError(input, ...HASH_PROBLEMS[read.problem]);
	if (/[\s,;…"'`]|\.\./.test(given)) {
		throw inputError(
			input,
			`'${LABEL}' is not one whole hash`,
			'Enter one hash, without a name, and all of it. To check several orders, give this node one item for each.',
		);
	}
	return { sourceHash: given, link: null };
}

const HASH_PROBLEMS: Record<HashProblem, [message: string, remedy: string]> = {
	walletAddress: [`'${LABEL}' looks like a wallet address`, 'Enter the hash of the transaction.'],
	space: [`The hash in '${LABEL}' contains a space`, 'Remove the space, or copy the hash again.'],
	noHash: [
		`The link in '${LABEL}' contains no complete hash`,
		"Copy the link of the transaction's own page in the block explorer, or enter the hash itself.",
	],
};

/** How an error of a status request names its field, with any doubt about the hash. */
export function askedForStatus(sourceHash: string, error: ServiceError): NodeErrorOptions {
	const note = isOrderError(error) ? hashNote(sourceHash) : null;
	return {
		asked: 'status',
		labels: { sourceHash: LABEL },
		note: note === null ? undefined : `${note}.`,
	};
}

/** Throws if the configuration shows that no order was found because the key or address is wrong. */
export async function throwIfAddressIsWrong(input: OperationInput): Promise<void> {
	const { networks } = input;
	await networks.get();
	if (networks.accountError !== null)
		throw itemError(input, networks.accountError, { asked: 'config' });
}

/** The order as an item; `fullOnly` is left out by Simplify. */
export async function shownOrder(
	input: OperationInput,
	source: OrderSource,
	options: DisplayOptions,
	fullOnly: IDataObject = {},
): Promise<IDataObject> {
	const networks = source.order === null ? null : await input.networks.get();
	const display = { ...options, networks };
	const { simple, full } = orderItem(source, display, Date.now());
	// A copy, since several items may have asked for the same order.
	const item = { simple, full: deepCopy({ ...full, ...fullOnly }) };
	return shapedItem(input, 'sourceHash', item, display);
}
