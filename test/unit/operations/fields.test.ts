import fs from 'node:fs';
import path from 'node:path';

import {
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
	NodeHelpers,
} from 'n8n-workflow';

import { nodeWith } from '../node';
import { CrossChainBridge } from '../../../nodes/CrossChainBridge/CrossChainBridge.node';
import { CrossChainBridgeTrigger } from '../../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';

/** What the editor shows of the action, and of the fields of both nodes. */

const bridge = new CrossChainBridge();
const trigger = new CrossChainBridgeTrigger();
const version = { typeVersion: 1 };

/** The fields that the editor shows for these values, each with what it starts with. */
const shownWith = ({ description }: INodeType, given: INodeParameters) =>
	NodeHelpers.getNodeParameters(description.properties, given, true, false, version, description);

/** The fields that the editor marks as missing. */
function missing({ description }: INodeType, given: INodeParameters): string[] {
	const parameters = shownWith({ description }, given) ?? {};
	const node = nodeWith({ ...version, parameters });
	return Object.keys(
		NodeHelpers.getNodeParametersIssues(description.properties, node, description)?.parameters ??
			{},
	);
}

const isField = (entry: object): entry is INodeProperties => 'type' in entry;
const isChoice = (entry: object): entry is INodePropertyOptions => 'value' in entry;

/** The field and those inside of it. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((entry) =>
		'values' in entry ? entry.values : isField(entry) ? [entry] : [],
	);
	return [property, ...inner.flatMap(withInner)];
}

const fields = [bridge, trigger].flatMap(({ description }) =>
	description.properties.flatMap(withInner),
);
const choices = fields.flatMap(({ options = [] }) => options.filter(isChoice));
const ofType = (...types: string[]) => fields.filter(({ type }) => types.includes(type));
const NOTHING_CHOSEN = { __rl: true, mode: 'list', value: '' };
const QUOTE = {
	operation: 'getQuote',
	specifyQuote: 'fields',
	amountUnit: 'tokenUnits',
	amount: '',
	fromNetwork: NOTHING_CHOSEN,
	fromToken: NOTHING_CHOSEN,
	sender: '',
	recipient: '',
	toNetwork: NOTHING_CHOSEN,
	toToken: NOTHING_CHOSEN,
	simplify: true,
	options: {},
};
const WAIT = {
	operation: 'waitForCompletion',
	sourceHash: '',
	reference: '',
	checkEvery: 5,
	maxMinutes: 5,
	notFoundMinutes: 5,
	simplify: true,
	options: {},
};
const STATUS = {
	operation: 'getStatus',
	sourceHash: '',
	reference: '',
	simplify: true,
	options: {},
};
const BY_JSON = { operation: 'getQuote', specifyQuote: 'json' };
const anyText = expect.any(String) as unknown as string;

test.each<[string, INodeParameters, INodeParameters]>([
	['nothing chosen', {}, STATUS],
	['Get Config', { operation: 'getConfig' }, { network: NOTHING_CHOSEN, options: {} }],
	['Get Quote', { operation: 'getQuote' }, QUOTE],
	['one in the smallest unit', { operation: 'getQuote', amountUnit: 'smallestUnit' }, QUOTE],
	['one by JSON', BY_JSON, { quoteJson: anyText, simplify: true, options: {} }],
	['Wait for Completion', { operation: 'waitForCompletion' }, WAIT],
])('%s: only its own fields are shown, with what they start with', (_name, given, shown) => {
	expect(shownWith(bridge, given)).toEqual({ ...shown, ...given });
});

const OF_QUOTE = [
	'fromNetwork',
	'fromToken',
	'toNetwork',
	'toToken',
	'amount',
	'sender',
	'recipient',
];

test.each<[INodeParameters, string[]]>([
	[{ operation: 'getConfig' }, []],
	[{ operation: 'getStatus' }, ['sourceHash']],
	[{ operation: 'waitForCompletion' }, ['sourceHash']],
	[{ operation: 'getQuote' }, OF_QUOTE],
	[{ operation: 'getQuote', amountUnit: 'smallestUnit' }, OF_QUOTE],
	[{ operation: 'getQuote', specifyQuote: 'json' }, []],
])('of a new node with %j the editor marks %j as missing', (given, expected) => {
	expect(missing(bridge, given)).toEqual(expected);
});

test('what is required has the mark for it, the list of hashes only if no webhook brings orders', () => {
	const required = fields.filter((field) => field.required === true).map(({ name }) => name);
	expect(required.sort().join(' ')).toBe(
		'amount amount events fromNetwork fromToken quoteJson recipient sender sourceHash sourceHash sourceHashes toNetwork toToken toolDescription toolDescription toolDescription toolDescription',
	);
});

test('JSON for a quote starts with an example that only lacks the wallets', () => {
	const { quoteJson } = shownWith(bridge, BY_JSON) ?? {};
	expect(JSON.parse(String(quoteJson))).toEqual({
		inputNetwork: 1,
		outputNetwork: 2,
		inputTokenAmount: '500000000000000000',
		sourceAddress: '',
		destinationAddress: '',
	});
});

/** The options that the editor offers to add for these values, with what they start with. */
function offered({ description }: INodeType, given: INodeParameters): Record<string, unknown> {
	const values = shownWith({ description }, given) ?? {};
	const shown = (property: INodeProperties, root: INodeParameters) =>
		NodeHelpers.displayParameter(root, property, version, description, values);
	const collection = description.properties.find(
		(property) => property.name === 'options' && shown(property, values),
	);
	const options = (collection?.options ?? []).filter(isField).filter((option) => shown(option, {}));
	return Object.fromEntries(options.map((option) => [option.displayName, option.default]));
}

const DISPLAY = { 'Block Explorers': {}, 'Order Page': '', 'Token Decimals': {} };
const OF_ORDERS = { ...DISPLAY, 'Expected Recipient': '', 'Minimum Received': '' };
const OF_TRIGGER = { Delivery: 'atMostOnce', 'Include Already Finished Orders': true };
const OF_CHECKS = { 'Check Every (Seconds)': 5, 'Keep Checking Between Polls': true };
const TRIGGER_OPTIONS = { ...DISPLAY, ...OF_TRIGGER, ...OF_CHECKS };
const OF_QUOTES = { 'Additional Query Parameters': {}, 'Show Bridge Data': true };
const QUOTE_OPTIONS = { ...OF_QUOTES, Slippage: '', 'Token Decimals': {} };

test.each<[string, INodeType, INodeParameters, Record<string, unknown>]>([
	['Get Config', bridge, { operation: 'getConfig' }, { 'One Item per Token': false }],
	['Get Status', bridge, { operation: 'getStatus' }, { ...OF_ORDERS, 'If Not Found': 'stop' }],
	['Wait for Completion', bridge, { operation: 'waitForCompletion' }, OF_ORDERS],
	['Get Quote', bridge, { operation: 'getQuote' }, QUOTE_OPTIONS],
	['Get Quote by JSON, which has all query parameters,', bridge, BY_JSON, { 'Token Decimals': {} }],
	['the trigger', trigger, {}, TRIGGER_OPTIONS],
	['the trigger with a webhook', trigger, { acceptOrders: true }, TRIGGER_OPTIONS],
])('the options of %s', (_name, type, given, expected) => {
	expect(offered(type, given)).toEqual(expected);
});

test('options, and the fields of an agent, are offered in the order of the alphabet', () => {
	const lists = [...ofType('collection'), ...fields.filter(({ name }) => name === 'fields')];
	expect(lists).toHaveLength(8);
	for (const { options = [] } of lists) {
		const names = options.map((option) =>
			'displayName' in option ? option.displayName : option.name,
		);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});

test('the fields of an agent are named in words, with ID, URL and USD in capitals', () => {
	const agents = fields.filter(({ name }) => name === 'fields');
	const names = agents.flatMap(({ options = [] }) =>
		options.filter(isChoice).map(({ name }) => name),
	);
	expect(names).toEqual(expect.arrayContaining(['Order ID', 'Input Tx URL', 'Input Amount USD']));
	for (const name of names)
		expect(name).toMatch(/^(?:[A-Z][a-z]+|ID|URL|USD)(?: (?:[A-Z][a-z]+|ID|URL|USD))*$/);
	for (const name of names) expect(name).not.toMatch(/\b(?:Id|Url|Usd)\b/);
});

test.each<[string, string[]]>([
	['operation', ['getConfig', 'getQuote', 'getStatus', 'waitForCompletion']],
	['specifyQuote', ['fields', 'json']],
	['amountUnit', ['tokenUnits', 'smallestUnit']],
	['notFound', ['stop', 'item']],
	['delivery', ['atLeastOnce', 'atMostOnce']],
	[
		'events',
		'anyEvent anyFinalStatus completed delayed expired failed refunded watchEnded interrupted'.split(
			' ',
		),
	],
])('%s offers %j', (name, values) => {
	const field = fields.find((each) => each.name === name);
	expect(field?.options?.filter(isChoice).map(({ value }) => value)).toEqual(values);
});

test('rows start empty, as many as wanted, and have the names under which workflows keep them', () => {
	const names = ofType('fixedCollection').map(({ name, typeOptions, options = [] }) => {
		const groups = options.flatMap((group) => ('values' in group ? [group] : []));
		expect(typeOptions?.multipleValues).toBe(true);
		for (const { default: start } of groups.flatMap(({ values }) => values))
			expect(['', { mode: 'list', value: '' }]).toContainEqual(start);
		return [name, groups.map((group) => [group.name, group.values.map((inner) => inner.name)])];
	});
	expect(Object.fromEntries(names)).toEqual({
		queryParameters: [['parameter', ['name', 'value']]],
		tokenDecimals: [['token', ['address', 'decimals']]],
		blockExplorers: [['explorer', ['network', 'address']]],
	});
});

test('the fields that an agent gets say which one is always among them', () => {
	const always = fields
		.filter(({ name }) => name === 'fields')
		.map(({ description }) => description);
	expect(always).toEqual(
		['Quote ID', 'Source Hash', 'Source Hash'].map(
			(name) => `The fields that the agent gets. ${name} is always included.`,
		),
	);
});

test('no number can be lower than what makes sense', () => {
	const least = ofType('number').map(({ name, typeOptions }) => [name, typeOptions?.minValue]);
	const ofWait = { maxMinutes: 0.01, notFoundMinutes: 0 };
	const lowest = { checkEvery: 1, delayedAfter: 1, ...ofWait };
	expect(Object.fromEntries(least)).toEqual(lowest);
});

test('no field empties another, as n8n does where a list depends on a field; each list has its search', () => {
	const depending = fields.filter(({ typeOptions }) => typeOptions?.loadOptionsDependsOn);
	expect(depending.map(({ name }) => name)).toEqual([]);
	for (const { modes = [] } of ofType('resourceLocator')) {
		expect(modes.map(({ type }) => type)).toEqual(['list', 'string']);
		expect(Object.keys(bridge.methods.listSearch)).toContain(
			modes[0]?.typeOptions?.searchListMethod,
		);
	}
});

test('what decides about other fields or addresses takes no expression', () => {
	expect(
		fields.filter(({ noDataExpression }) => noDataExpression === true).map(({ name }) => name),
	).toEqual(['operation', 'amountUnit', 'acceptOrders']);
});

describe('in words', () => {
	const TYPES =
		'options multiOptions resourceLocator string boolean number json notice collection fixedCollection';

	test('every field has a label, and a kind that the editor knows', () => {
		for (const { displayName, type } of fields) {
			expect(displayName).toMatch(/^[A-Z]/);
			expect(TYPES.split(' ')).toContain(type);
		}
	});

	test('these are the switches and the notices: a new one is added here', () => {
		const named = (type: string) => ofType(type).map(({ name }) => name);
		expect(named('boolean').sort().join(' ')).toBe(
			'acceptOrders includeFinished keepChecking oneItemPerToken showBridgeData simplify simplify simplify simplify',
		);
		expect(named('notice')).toEqual(['pollTimesNotice', 'acceptOrdersNotice', 'eventsNotice']);
	});

	test('every field says in a sentence what it is, a switch what it switches', () => {
		const described = fields.filter(
			({ name, type }) => type !== 'notice' && !['operation', 'options'].includes(name),
		);
		for (const { description } of described) expect(description).toMatch(/^[A-Z].{20,}/s);
		for (const { description } of ofType('boolean')) expect(description).toMatch(/^Whether /);
	});

	test('a description is short enough for n8n’s tooltip, except in fields that are being rewritten', () => {
		const others = ['sourceHashes', 'acceptOrders', 'delayedAfter'];
		const tooLong = fields.filter(
			({ name, description = '' }) => description.length > 250 && !others.includes(name),
		);
		expect(tooLong.map(({ name }) => name)).toEqual([]);
	});

	test('every choice has a name, and a description that is not empty', () => {
		for (const { name, description, action } of choices) {
			expect(name).toMatch(/^[A-Z]/);
			expect(description).not.toBe('');
			expect(action).not.toBe('');
		}
		const actions = choices.flatMap(({ action }) => action ?? []);
		expect(actions).toHaveLength(13);
		expect(new Set(actions).size).toBe(13);
	});

	test('an empty field shows an example of what goes into it, a list what to choose', () => {
		for (const { placeholder, name } of ofType('string'))
			if (name !== 'toolDescription') expect(placeholder).toMatch(/^e\.g\. \S/);
		for (const { placeholder } of ofType('collection', 'fixedCollection'))
			expect(placeholder).toMatch(/^Add [a-z]/);
		const empty = ofType('resourceLocator').map(({ name, modes = [] }) =>
			[name, modes[0]?.placeholder].join(),
		);
		const [CHOOSE, TOKEN] = ['Choose a network...', 'Choose a token...'];
		expect([...new Set(empty)].sort()).toEqual([
			...[`fromNetwork,${CHOOSE}`, `fromToken,${TOKEN}`, 'network,All networks'],
			...[`network,${CHOOSE}`, `toNetwork,${CHOOSE}`, `toToken,${TOKEN}`],
		]);
		for (const { modes = [] } of ofType('resourceLocator'))
			expect(modes[1]?.placeholder).toMatch(/^e\.g\. \S/);
	});
});

const ACTION = { group: ['transform'], inputs: ['main'], usableAsTool: true };
const TRIGGER = { group: ['trigger'], inputs: [], outputs: ['main'], polling: true };

test.each<[string, string, INodeType, object]>([
	['crossChainBridge', 'Cross-Chain Bridge', bridge, ACTION],
	['crossChainBridgeTrigger', 'Cross-Chain Bridge Trigger', trigger, TRIGGER],
])('%s is what workflows and the nodes panel know it by', (name, displayName, type, known) => {
	const { description } = type;
	const names = { name, displayName, defaults: { name: displayName } };
	expect(description).toMatchObject({ ...known, ...names, version: 1 });
	const [own] = description.credentials ?? [];
	expect(own).toEqual({ name: 'crossChainBridgeApi', required: true });
	expect(description.description).toMatch(/ bridge\b/);
	const { light, dark } = description.icon as { light: string; dark: string };
	const folder = path.join(__dirname, '../../../nodes/CrossChainBridge');
	for (const icon of [light, dark])
		expect(fs.existsSync(path.join(folder, icon.replace(/^file:/, '')))).toBe(true);
	expect(light).not.toBe(dark);
});
