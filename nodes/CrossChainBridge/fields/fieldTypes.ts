import type { INodeProperties, NodeParameterValue } from 'n8n-workflow';

export type SearchMethod = 'searchNetworks' | 'searchFromTokens' | 'searchToTokens';

type NamedField = Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'required'>;

/** A network by the service's own ID, with which the description closes. */
export function networkField(
	{ description, ...field }: NamedField,
	whenEmpty = 'Choose a network...',
): INodeProperties {
	return {
		...field,
		description: `${description}: the bridge's own network ID, a whole number as Get Config shows it in chainID`,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			fromList('searchNetworks', whenEmpty),
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1' },
		],
	};
}

/** A token at one end of a route, by its address; empty for the native token. */
export function tokenField(end: 'From' | 'To', description: string): INodeProperties {
	const name = end.toLowerCase();
	return {
		displayName: `${end} Token`,
		name: `${name}Token`,
		description,
		type: 'resourceLocator',
		// The editor takes any two whole locators for the same.
		typeOptions: { loadOptionsDependsOn: [`${name}Network.value`] },
		default: { mode: 'list', value: '' },
		modes: [
			fromList(`search${end}Tokens`, 'Native token'),
			{
				// "By Address" is too wide for a node's window.
				displayName: 'Address',
				name: 'address',
				type: 'string',
				placeholder: 'Native token, or e.g. 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
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

export function textField(
	displayName: string,
	name: string,
	example: string,
	description: string,
): INodeProperties {
	const placeholder = `e.g. ${example}`;
	return { displayName, name, type: 'string', default: '', placeholder, description };
}

/** Any number of rows with the fields of `row`. */
export function rowsField(
	displayName: string,
	name: string,
	description: string,
	row: { displayName: string; name: string; values: INodeProperties[] },
): INodeProperties {
	return {
		displayName,
		name,
		description,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row.displayName.toLowerCase()}`,
		default: {},
		options: [row],
	};
}

export function optionsProperty(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

/** The fields, shown only with these values of other fields. */
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
