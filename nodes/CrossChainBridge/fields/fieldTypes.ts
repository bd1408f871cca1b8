import type { INodeProperties, INodePropertyMode, NodeParameterValue } from 'n8n-workflow';

export type SearchMethod = 'searchNetworks' | 'searchFromTokens' | 'searchToTokens';

type NamedField = Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'required'>;

/** A network, chosen from the list or entered by ID or name. */
export function networkField(
	field: NamedField,
	whenEmpty = 'Choose a network...',
): INodeProperties {
	// n8n has words of its own for the name of this mode.
	const byId = { displayName: 'By ID', name: 'id', placeholder: 'e.g. 101 or Ethereum' };
	return locatorField(field, 'searchNetworks', whenEmpty, byId);
}

/**
 * A token at one end of a route, chosen from the list or entered by address or symbol. It has no `loadOptionsDependsOn`:
 * n8n would empty it whenever its network changes, and when an expression gets its first value.
 */
export function tokenField(end: 'From' | 'To', description: string): INodeProperties {
	const name = `${end.toLowerCase()}Token`;
	const field = { displayName: `${end} Token`, name, required: true, description };
	return locatorField(field, `search${end}Tokens`, 'Choose a token...', {
		// "By Address" is too wide for a node's window.
		displayName: 'Address',
		name: 'address',
		placeholder: 'e.g. 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48, USDC or NATIVE',
	});
}

/** Chosen from a list, or entered as text. */
function locatorField(
	field: NamedField,
	searchListMethod: SearchMethod,
	placeholder: string,
	entered: Omit<INodePropertyMode, 'type'>,
): INodeProperties {
	const typeOptions = { searchListMethod, searchable: true };
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', placeholder, typeOptions },
			{ ...entered, type: 'string' },
		],
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

export function requiredTextField(...field: Parameters<typeof textField>): INodeProperties {
	return { ...textField(...field), required: true };
}

export function switchField(
	displayName: string,
	name: string,
	isOn: boolean,
	description: string,
): INodeProperties {
	// n8n's linter takes a default that is not written out next to its type for a mistake.
	const field = { displayName, name, default: isOn, description };
	return { ...field, type: 'boolean' };
}

export function numberField(
	displayName: string,
	name: string,
	minValue: number,
	byDefault: number,
	description: string,
): INodeProperties {
	const typeOptions = { minValue };
	return { displayName, name, type: 'number', typeOptions, default: byDefault, description };
}

/** One of these choices. */
export function choiceField(
	displayName: string,
	name: string,
	byDefault: string,
	description: string,
	choices: Array<[name: string, value: string, description?: string]>,
): INodeProperties {
	const options = choices.map(([name, value, description]) => ({ name, value, description }));
	return { displayName, name, type: 'options', default: byDefault, description, options };
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
		options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
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
