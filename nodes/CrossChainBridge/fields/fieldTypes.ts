import type { INodeProperties, NodeParameterValue } from 'n8n-workflow';

export type SearchMethod = 'searchNetworks' | 'searchFromTokens' | 'searchToTokens';

type NamedField = Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'required'>;

interface LocatorField extends NamedField {
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

/** A line of text that starts empty. */
export function textField(
	displayName: string,
	name: string,
	example: string,
	description: string,
): INodeProperties {
	const placeholder = `e.g. ${example}`;
	return { displayName, name, type: 'string', default: '', placeholder, description };
}

/** Rows of the fields `values`; a workflow keeps them under the name of `row`. */
export function rowsField(
	field: NamedField,
	row: { displayName: string; name: string; values: INodeProperties[] },
): INodeProperties {
	return {
		...field,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row.displayName.toLowerCase()}`,
		default: {},
		options: [row],
	};
}

/** The fields, shown only where other fields have these values. */
export function shownWith(
	show: Record<string, NodeParameterValue[]>,
	properties: INodeProperties[],
): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { ...show, ...property.displayOptions?.show },
		},
	}));
}
