import type { INodeProperties } from 'n8n-workflow';

import { hashIn } from '../orders/sourceHash';
import { booleanOf } from '../orders/values';
import { inputError, type ItemInput, textParameter } from './parameters';

export const SOURCE_HASH_PROPERTY: INodeProperties = {
	displayName: 'Source Transaction Hash',
	name: 'sourceHash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
	description:
		"The hash of the transaction that started the bridge on the source network. Your wallet shows it in the transaction's details, and a block explorer on the transaction's page. Hashes of any network are accepted. A block explorer link of it works, too.",
};

export const SIMPLIFY_PROPERTY: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Whether the field Simplify is on. */
export function simplifies(value: unknown): boolean {
	return booleanOf(value, true);
}

/** The item's source hash, without white space around it, or the one in a block explorer's link. Not checked for the form of any one network. */
export function sourceHashOf(input: ItemInput): string {
	const sourceHash = textParameter(input, 'sourceHash');
	if (sourceHash === '') {
		throw inputError(
			input,
			'The Source Transaction Hash is empty',
			'Enter the hash of the transaction that started the bridge on the source network, as your wallet or a block explorer shows it. If it comes from an expression, check that the previous node gives it for this item.',
		);
	}
	if (/\s/.test(sourceHash)) {
		throw inputError(
			input,
			'The Source Transaction Hash contains spaces',
			'Enter only one hash. To check several orders, give this node one item for each.',
		);
	}
	return /^https?:\/\//i.test(sourceHash) ? hashOfLink(input, sourceHash) : sourceHash;
}

function hashOfLink(input: ItemInput, link: string): string {
	const hash = hashIn(link);
	if (hash !== null) return hash;
	throw inputError(
		input,
		'The link in Source Transaction Hash has no whole hash',
		"Copy the link of the transaction's own page in the block explorer, or enter the hash itself.",
	);
}
