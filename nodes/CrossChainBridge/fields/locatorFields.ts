import type { INodeProperties } from 'n8n-workflow';

export type SearchMethod = 'searchNetworks' | 'searchFromTokens' | 'searchToTokens';

interface LocatorField {
	displayName: string;
	name: string;
	description: string;
	required?: boolean;
	/** What the empty field says. */
	whenEmpty: string;
}

/** A network by the service's own ID. */
export function networkField({ whenEmpty, ...field }: LocatorField): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			fromList('searchNetworks', whenEmpty),
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1' },
		],
	};
}

/** A token, by its address, of the network in the field named `networkField`; empty for the native token. */
export function tokenField(
	field: LocatorField & { networkField: string; searchMethod: SearchMethod },
): INodeProperties {
	const { networkField: network, searchMethod, whenEmpty, ...rest } = field;
	return {
		...rest,
		type: 'resourceLocator',
		// With `.value`, since the editor takes any two locators for the same.
		typeOptions: { loadOptionsDependsOn: [`${network}.value`] },
		default: { mode: 'list', value: '' },
		modes: [
			fromList(searchMethod, whenEmpty),
			{
				// "By Address" is cut off in a node's usual window.
				displayName: 'Address',
				name: 'address',
				type: 'string',
				placeholder: `${whenEmpty}, or e.g. 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48`,
			},
		],
	};
}

function fromList(searchListMethod: SearchMethod, placeholder: string) {
	return {
		displayName: 'From List',
		name: 'list',
		type: 'list' as const,
		placeholder,
		typeOptions: { searchListMethod, searchable: true },
	};
}
