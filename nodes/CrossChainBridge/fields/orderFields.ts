import { deepCopy, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { PLAIN_DISPLAY, strangeExplorers } from '../orders/display';
import { orderItem } from '../orders/orderItem';
import { type Expected, isWallet } from '../orders/expectation';
import type { OrderSource } from '../orders/orders';
import { kindOf } from '../orders/orderRow';
import { hashProblemWords } from '../orders/hashProblems';
import { readHash } from '../orders/sourceHash';
import { hashNote } from '../orders/summary';
import { isEmpty, onlyText, trimmedText } from '../orders/values';
import { isRequestError, type NodeErrorOptions, type ServiceError } from '../service/errors';
import {
	DISPLAY_PROPERTIES,
	type DisplayOptions,
	displayOptions,
	strangeExplorerWords,
} from './displayFields';
import { requiredTextField, textField } from './fieldTypes';
import { enteredMinimum } from './numbers';
import { outputFields, type Shape } from './outputFields';
import { itemError, type ItemInput, type OperationInput } from './parameters';
import type { FieldReader } from './reader';

const LABEL = 'Source Transaction Hash';

const SOURCE_HASH_PROPERTY = requiredTextField(
	LABEL,
	'sourceHash',
	'0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
	'The hash of the transaction that started the transfer on the source network, or its block explorer link. Your wallet shows it in the details of the transaction. Hashes of any network are accepted.',
);

const NAME = textField(
	'Name',
	'reference',
	'Rent',
	'Your own name for the order. The summary shows it, and the item has it as reference.',
);

const EXPECTED_RECIPIENT = textField(
	'Expected Recipient',
	'expectedRecipient',
	'0x8617e340b3d01fa5f11f306f4090fd50e238070d',
	'The wallet that should receive the funds. If the funds of a completed order went to another wallet, the summary has a ⚠️ and asExpected is false.',
);

const MINIMUM_RECEIVED = textField(
	'Minimum Received',
	'minimumReceived',
	'0.4967 ETH',
	'The least that should arrive, such as receivedAtLeast of Get Quote, 0.4967 ETH or 496700 smallest units. If less arrived, or a different token, the summary has a ⚠️ and asExpected is false. For an amount such as 499.25 USDC, also add Token Decimals.',
);

/** With it, an item has all fields that it can have. */
const ANYTHING: Expected = { recipient: '', minimumReceived: null };

export const ORDER_OUTPUT = outputFields(
	'sourceHash',
	orderItem({ sourceHash: '', order: null, expected: ANYTHING }, PLAIN_DISPLAY, 0).full,
);

/** What Get Status and Wait for Completion ask about an order, except Options. */
export const ORDER_PROPERTIES: INodeProperties[] = [SOURCE_HASH_PROPERTY, NAME];

export const ORDER_OPTIONS: INodeProperties[] = [
	...DISPLAY_PROPERTIES,
	EXPECTED_RECIPIENT,
	MINIMUM_RECEIVED,
];

/** The item's order as its fields have it; `options` are those of its operation. */
export function orderInput(input: ItemInput, options: FieldReader) {
	const name = nameOf(input.fields);
	const { sourceHash, link, reference } = sourceHashOf(input);
	// As in a call of the webhook, a field without a value expects nothing: a quote need not state a minimum.
	const isExpected = (field: INodeProperties) => !isEmpty(options.value(field));
	return {
		sourceHash,
		link,
		reference: name ?? reference,
		expected: {
			recipient: isExpected(EXPECTED_RECIPIENT)
				? options.checked(
						EXPECTED_RECIPIENT,
						isWallet,
						'Enter the complete address of the wallet, as orders show it in recipient.',
					)
				: null,
			minimumReceived: isExpected(MINIMUM_RECEIVED) ? minimumReceived(options) : null,
		},
		display: displayOptions(options),
	};
}

/** The name that was entered for the order; null without one. */
export function nameOf(fields: FieldReader): string | null {
	const name = fields.value(NAME);
	// Some scripts need signs between letters that `text` removes.
	return isEmpty(name) || fields.text(NAME) === '' ? null : trimmedText(name);
}

export type OrderInput = ReturnType<typeof orderInput>;

function minimumReceived(options: FieldReader): string {
	const text = options.text(MINIMUM_RECEIVED);
	const read = enteredMinimum(text);
	if (read.ok) return read.minimum;
	throw options.wrong(MINIMUM_RECEIVED, text, read.remedy);
}

/** What stands in the field of the hash. */
export function enteredHash(fields: FieldReader): unknown {
	return onlyText(fields.value(SOURCE_HASH_PROPERTY));
}

/** The item's hash, with the link and the name that it came with. */
export function sourceHashOf(input: ItemInput) {
	const given = enteredHash(input.fields);
	if (isEmpty(given))
		throw input.fields.empty(
			SOURCE_HASH_PROPERTY,
			'Enter the hash of the transaction that started the transfer on the source network, as your wallet or a block explorer shows it',
		);
	const read = readHash(trimmedText(given) || kindOf(given));
	if (read.ok) return { sourceHash: read.hash, link: read.link, reference: read.name };
	const [what, remedy] = hashProblemWords(read.problem);
	throw input.fields.refuse(`'${LABEL}': ${what}`, remedy);
}

/** How an error of a status request names its field, with any doubt about the hash. */
export function askedForStatus(sourceHash: string, error: ServiceError): NodeErrorOptions {
	const doubt = isRequestError(error) ? hashNote(sourceHash) : null;
	const note = doubt === null ? undefined : `${doubt}.`;
	return { asked: 'status', labels: { sourceHash: LABEL }, note };
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
	shape: Shape,
	source: OrderSource,
	options: DisplayOptions,
	fullOnly: IDataObject = {},
): Promise<IDataObject> {
	const networks = source.order === null ? null : await input.networks.get();
	const display = { ...options, networks };
	for (const name of strangeExplorers(display)) input.hint(`${strangeExplorerWords(name)}.`);
	const { simple, full } = orderItem(source, display, Date.now());
	// A copy, because several items may have asked for the same order.
	const item = { simple, full: deepCopy({ ...full, ...fullOnly }) };
	return shape(item, display);
}
