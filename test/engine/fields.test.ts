import type {
	IDataObject,
	INodeProperties,
	INodePropertyCollection,
	INodeType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CrossChainBridge } from '../../nodes/CrossChainBridge/CrossChainBridge.node';
import { CrossChainBridgeTrigger } from '../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';
import { runAction } from './n8n';
import { GET_QUOTE, USDC } from './quoteFields';
import { beginCompleted, n8nWith, rehearse, type Rehearsal } from './sandboxed';

/**
 * One table over all fields of both nodes, made of their own descriptions: a value that a field does not have is refused
 * by the field's name before anything is asked for with it, and other spellings of one that it has are read as that.
 */

let bridge: Rehearsal;
beforeEach(async () => {
	bridge = await rehearse();
	await beginCompleted(bridge, [HASH]);
});

const HASH = `0x${'ab'.repeat(32)}`;
const PAGE = 'https://etherscan.io/tx/';

/** Parameters with which nothing is refused. */
const BASES: Array<[operation: string, parameters: IDataObject, more?: { asTool?: boolean }]> = [
	['Get Config', { operation: 'getConfig' }],
	['Get Quote', GET_QUOTE],
	['Get Quote in the smallest unit', { ...GET_QUOTE, amountUnit: 'smallestUnit', amount: '5' }],
	['Get Quote by JSON', { operation: 'getQuote', specifyQuote: 'json', quoteJson: '{}' }],
	['Get Status', { operation: 'getStatus', sourceHash: HASH }],
	['Wait for Completion', { operation: 'waitForCompletion', sourceHash: HASH, maxMinutes: 0.01 }],
	['Get Quote as a tool', { ...GET_QUOTE, output: 'selectedFields' }, { asTool: true }],
];
const TRIGGER_BASE: IDataObject = {
	sourceHashes: HASH,
	events: ['delayed', 'completed'],
	acceptOrders: true,
};

/** Rows with which nothing is refused. */
const ROWS: Record<string, IDataObject> = {
	tokenDecimals: { address: USDC, decimals: '6' },
	blockExplorers: { network: '101', address: PAGE },
	queryParameters: { name: 'referral', value: 'us' },
};

interface Place {
	field: INodeProperties;
	/** Whether it is an option or in a row, so that it may not stay empty. */
	isAdded: boolean;
	/** The node's parameters with this value in the field. */
	holding(value: unknown): IDataObject;
}

/** n8n itself reads these. */
const READ_ELSEWHERE = ['operation', 'pollTimes', 'toolDescription'];

/** The fields that are shown with these parameters, with those in Options and in rows. */
function placesOf({ description }: INodeType, base: IDataObject): Place[] {
	const node = { typeVersion: 1 };
	const isShown = (field: INodeProperties, values: IDataObject) =>
		NodeHelpers.displayParameter(values as never, field, node, description, whole as never);
	const whole = NodeHelpers.getNodeParameters(
		description.properties,
		base as never,
		true,
		false,
		node,
		description,
	) as IDataObject;
	return description.properties
		.filter(({ type, name }) => type !== 'notice' && !READ_ELSEWHERE.includes(name))
		.filter((field) => isShown(field, whole))
		.flatMap((field): Place[] => {
			const own: Place = {
				field,
				isAdded: false,
				holding: (value) => ({ ...base, [field.name]: value }) as IDataObject,
			};
			if (field.type !== 'collection') return [own];
			// n8n drops an expression for the whole collection.
			const options = (field.options as INodeProperties[]).filter((each) => isShown(each, {}));
			return options.flatMap((option) => placesInOptions(base, option));
		});
}

function placesInOptions(base: IDataObject, field: INodeProperties): Place[] {
	const within = (value: unknown): IDataObject =>
		({ ...base, options: { [field.name]: value } }) as IDataObject;
	const own: Place = { field, isAdded: true, holding: within };
	const [group] = (field.options ?? []) as INodePropertyCollection[];
	if (field.type !== 'fixedCollection' || group === undefined) return [own];
	const rows = group.values.map((inner): Place => ({
		field: inner,
		isAdded: true,
		holding: (value) => within({ [group.name]: [{ ...ROWS[field.name], [inner.name]: value }] }),
	}));
	return [own, ...rows];
}

const NOTHING = [null, undefined];
const EMPTY = ['', ' ', '\u200b'];
const OBJECTS = [[], ['x'], {}, { a: 1 }, true];

/** Values that no field of this kind has. A field that may stay empty takes those of EMPTY. */
const NEVER: Record<string, unknown[]> = {
	options: [...NOTHING, ...EMPTY, ...OBJECTS, 'no such choice', 5],
	multiOptions: [
		...NOTHING,
		{ a: 1 },
		true,
		5,
		'no such choice',
		['summary', 'no such choice'],
		[null],
	],
	number: [
		...[...NOTHING, ...EMPTY, ...OBJECTS, 'abc', '10 min', '1e3', '-1', -1, Number.NaN],
		...[Number.POSITIVE_INFINITY, '1,125', '1.2.3', '0x10'],
	],
	boolean: [...NOTHING, ...EMPTY, [], {}, 'yes', 'on', '1', 1, 0],
	string: [...NOTHING, ...OBJECTS],
	resourceLocator: [...NOTHING, ...OBJECTS],
	json: [...NOTHING, '[1]', '"text"', '5', 'null', '{broken', '', [], true],
	// n8n itself drops what is not a list of rows.
	fixedCollection: [...NOTHING, '', 'text', ['x'], [{ address: USDC, decimals: 6 }], {}, '[1]'],
};

/** The name and what is expected may stay empty; a value of a query parameter, too. The list of hashes may be empty if orders come by webhook. */
const MAY_BE_NOTHING = ['reference', 'expectedRecipient', 'minimumReceived'];
const MAY_BE_TEXT = ['value', 'sourceHashes', 'expectedRecipient', 'minimumReceived'];
const HAS_OTHER_TYPES = ['value', 'sourceHashes'];

/** Whether the value stands in the node as it is: n8n takes an expression in such a field, and for rows, for plain text. */
const isPlain = ({ type, noDataExpression }: INodeProperties): boolean =>
	noDataExpression === true || type === 'fixedCollection';

function refusedBy({ field, isAdded }: Place): unknown[] {
	const { name, type, required = false } = field;
	const never = (NEVER[type] ?? []).filter(
		(value) =>
			!(MAY_BE_NOTHING.includes(name) && (value ?? null) === null) &&
			!(HAS_OTHER_TYPES.includes(name) && (value ?? null) !== null) &&
			// A plain one that is not there was left out.
			!(isPlain(field) && value === undefined),
	);
	const mayBeEmpty = MAY_BE_TEXT.includes(name) || !(required || isAdded);
	const isEntered = ['string', 'resourceLocator'].includes(type);
	const least = field.typeOptions?.minValue ?? 0;
	return [
		...never,
		...(isEntered && !mayBeEmpty ? EMPTY : []),
		...(type === 'number' && least > 0 ? [least - 0.001, '0'] : []),
		...(type === 'multiOptions' && required ? [[]] : []),
	];
}

/** Spellings of what a field has. */
function acceptedBy({ field }: Place): unknown[] {
	const { type, name, options = [] } = field;
	const choices = options.flatMap((each) => ('value' in each ? [each] : []));
	switch (type) {
		case 'options':
			return choices.flatMap((choice) => [
				choice.value,
				choice.name,
				` ${choice.name.toUpperCase()} `,
			]);
		case 'multiOptions': {
			const [one, two] = choices;
			return [
				one?.name,
				[one?.value, two?.name],
				`${one?.name}, ${two?.value}`,
				JSON.stringify([one?.value]),
			];
		}
		case 'boolean':
			return [true, 'true', ' False\n', 'FALSE'];
		case 'number':
			return [5, '5', '5.5', '5,5', ' 1 000 ', "1'000.5", '5\u200b'];
		case 'fixedCollection': {
			const [group] = options as INodePropertyCollection[];
			return [{ [group?.name ?? '']: [ROWS[name]] }];
		}
		default:
			return [];
	}
}

/** Expressions give the values, one for each run, because some fields are read from the first item only. */
const BY_EXPRESSION = '={{ $json.value }}';

const asNode = (isTool = false): INodeType => {
	const node = new CrossChainBridge();
	if (isTool) node.description.name += 'Tool';
	return node;
};

/** Fields that several operations have are of one description, and tried once. */
const tried = new Set<string>();
const OF_ACTIONS = BASES.flatMap(([operation, base, more = {}]) =>
	placesOf(asNode(more.asTool), base)
		.filter(({ field: { displayOptions: _shown, ...field } }) => {
			const description = JSON.stringify(field);
			return !tried.has(description) && tried.add(description);
		})
		.map((place) => [`${operation}: ${place.field.displayName}`, place, more] as const),
);

const OF_TRIGGER = placesOf(new CrossChainBridgeTrigger(), TRIGGER_BASE).map(
	(place) => [place.field.displayName, place] as const,
);

/** The field and those inside of it. */
function withInner(field: INodeProperties): INodeProperties[] {
	const inner = (field.options ?? []).flatMap((each) =>
		'values' in each ? each.values : 'type' in each ? [each] : [],
	);
	return [field, ...inner.flatMap(withInner)];
}

test('no field of the nodes is missing here', () => {
	const here = new Set([...OF_ACTIONS, ...OF_TRIGGER].map(([, { field }]) => field.name));
	const all = [new CrossChainBridge(), new CrossChainBridgeTrigger()].flatMap(({ description }) =>
		description.properties.flatMap(withInner),
	);
	const missing = all.filter(({ type, name }) => type !== 'notice' && !here.has(name));
	const others = READ_ELSEWHERE.filter((name) => name !== 'pollTimes');
	expect(new Set(missing.map(({ name }) => name))).toEqual(new Set([...others, 'options']));
});

async function errorOf({ field, holding }: Place, value: unknown, more: object) {
	const parameters = holding(isPlain(field) ? value : BY_EXPRESSION);
	const items = [{ json: { value } as IDataObject }];
	const { error } = await runAction(bridge.credentials, parameters, { items, ...more });
	return error;
}

const askedFor = async () =>
	(await bridge.requests()).filter(({ path }) => /\/(?:quote|status)$/.test(path));

describe('the action refuses what a field does not have, by its name, before anything is asked for', () => {
	test.each(OF_ACTIONS)('%s', async (_name, place, more) => {
		const accepted: unknown[] = [];
		for (const value of refusedBy(place)) {
			const error = await errorOf(place, value, more);
			if (
				error?.message === undefined ||
				!String(error.message).includes(`'${place.field.displayName}'`)
			)
				accepted.push([value, error?.message]);
			else expect(error.description).toMatch(/\w.*\.$/s);
		}
		expect(accepted).toEqual([]);
		expect(await askedFor()).toEqual([]);
	});
});

describe('the action reads other spellings of what a field has', () => {
	test.each(OF_ACTIONS.filter(([, place]) => acceptedBy(place).length > 0))(
		'%s',
		async (_name, place, more) => {
			const refused: unknown[] = [];
			for (const value of acceptedBy(place)) {
				const error = await errorOf(place, value, more);
				if (String(error?.message ?? '').includes(`'${place.field.displayName}'`))
					refused.push([value, error?.message]);
			}
			expect(refused).toEqual([]);
		},
	);
});

/** What the trigger says when a person publishes it; the value stands in the node, as a workflow by REST may have it. */
async function problemOf({ field, holding }: Place, value: unknown): Promise<string | null> {
	const parameters = holding(isPlain(field) ? value : expressionOf(value));
	const n8n = n8nWith(bridge.credentials);
	try {
		await n8n.publish([{ parameters }]);
		return null;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** The value as the result of an expression. */
function expressionOf(value: unknown): string {
	if (typeof value === 'number' && !Number.isFinite(value)) return `={{ ${String(value)} }}`;
	return value === undefined ? '={{ undefined }}' : `={{ (${JSON.stringify(value)}) }}`;
}

describe('the trigger', () => {
	test.each(OF_TRIGGER)('refuses by the name of the field: %s', async (_name, place) => {
		const accepted: unknown[] = [];
		for (const value of refusedBy(place)) {
			const problem = await problemOf(place, value);
			if (problem?.includes(`'${place.field.displayName}'`) !== true)
				accepted.push([value, problem]);
		}
		expect(accepted).toEqual([]);
		expect(await askedFor()).toEqual([]);
	});

	test.each(OF_TRIGGER.filter(([, place]) => acceptedBy(place).length > 0))(
		'reads other spellings: %s',
		async (_name, place) => {
			const refused: unknown[] = [];
			for (const value of acceptedBy(place)) {
				const problem = await problemOf(place, value);
				if (problem?.includes(`'${place.field.displayName}'`) === true)
					refused.push([value, problem]);
			}
			expect(refused).toEqual([]);
		},
	);
});
