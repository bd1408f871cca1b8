import fs from 'node:fs';
import path from 'node:path';

import {
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
	NodeHelpers,
} from 'n8n-workflow';

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
	const node = {
		...version,
		id: '1',
		name: 'Bridge',
		type: 'bridge',
		position: [0, 0] as [number, number],
		parameters,
	};
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
	fromNetwork: NOTHING_CHOSEN,
	fromToken: NOTHING_CHOSEN,
	toNetwork: NOTHING_CHOSEN,
	toToken: NOTHING_CHOSEN,
	amountUnit: 'tokenUnits',
	amount: '',
	sender: '',
	recipient: '',
	simplify: true,
	options: {},
};
const WAIT = {
	operation: 'waitForCompletion',
	sourceHash: '',
	checkEvery: 5,
	giveUpAfter: 'minutes',
	notFoundMinutes: 5,
	simplify: true,
	options: {},
};

test.each<[string, INodeParameters, INodeParameters]>([
	['nothing chosen', {}, { operation: 'getStatus', sourceHash: '', simplify: true, options: {} }],
	['Get Config', { operation: 'getConfig' }, { operation: 'getConfig', network: NOTHING_CHOSEN }],
	['Get Quote', { operation: 'getQuote' }, QUOTE],
	[
		'Get Quote in the smallest unit',
		{ operation: 'getQuote', amountUnit: 'smallestUnit' },
		{ ...QUOTE, amountUnit: 'smallestUnit' },
	],
	[
		'Get Quote by JSON',
		{ operation: 'getQuote', specifyQuote: 'json' },
		{
			operation: 'getQuote',
			specifyQuote: 'json',
			quoteJson: expect.any(String) as unknown as string,
			simplify: true,
			options: {},
		},
	],
	['Wait for Completion', { operation: 'waitForCompletion' }, { ...WAIT, maxMinutes: 5 }],
	[
		'a wait of some checks',
		{ operation: 'waitForCompletion', giveUpAfter: 'checks' },
		{ ...WAIT, giveUpAfter: 'checks', maxChecks: 60 },
	],
	[
		'a wait that never gives up',
		{ operation: 'waitForCompletion', giveUpAfter: 'never' },
		{ ...WAIT, giveUpAfter: 'never' },
	],
])('%s: only its own fields are shown, with what they start with', (_name, given, shown) => {
	expect(shownWith(bridge, given)).toEqual(shown);
});

test.each<[INodeParameters, string[]]>([
	[{ operation: 'getConfig' }, []],
	[{ operation: 'getStatus' }, ['sourceHash']],
	[{ operation: 'waitForCompletion' }, ['sourceHash']],
	[{ operation: 'getQuote' }, ['fromNetwork', 'toNetwork', 'amount', 'sender', 'recipient']],
	[
		{ operation: 'getQuote', amountUnit: 'smallestUnit' },
		['fromNetwork', 'toNetwork', 'amount', 'sender', 'recipient'],
	],
	[{ operation: 'getQuote', specifyQuote: 'json' }, []],
])('of a new node with %j the editor marks %j as missing', (given, expected) => {
	expect(missing(bridge, given)).toEqual(expected);
});

test('what is required has the mark for it, the list of hashes only where no webhook brings orders', () => {
	const required = fields.filter((field) => field.required === true).map(({ name }) => name);
	expect(required.sort()).toEqual(
		[
			'sourceHash',
			'sourceHash',
			'fromNetwork',
			'toNetwork',
			'amount',
			'amount',
			'sender',
			'recipient',
			'quoteJson',
			'sourceHashes',
			'events',
		].sort(),
	);
});

test('JSON for a quote starts with an example that only lacks the wallets', () => {
	const { quoteJson } = shownWith(bridge, { operation: 'getQuote', specifyQuote: 'json' }) ?? {};
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

const DISPLAY = { 'Block Explorers': {}, 'Token Decimals': {} };
const TRIGGER_OPTIONS = {
	'Block Explorers': {},
	Delivery: 'atMostOnce',
	'Include Already Finished Orders': true,
	'Token Decimals': {},
};

test.each<[string, INodeType, INodeParameters, Record<string, unknown>]>([
	['Get Status', bridge, { operation: 'getStatus' }, { ...DISPLAY, 'If Not Found': 'stop' }],
	['Wait for Completion', bridge, { operation: 'waitForCompletion' }, DISPLAY],
	[
		'Get Quote',
		bridge,
		{ operation: 'getQuote' },
		{
			'Further Query Parameters': {},
			'Show Bridge Data': true,
			Slippage: '',
			'Token Decimals': {},
		},
	],
	[
		'Get Quote by JSON, which has all query parameters,',
		bridge,
		{ operation: 'getQuote', specifyQuote: 'json' },
		{ 'Token Decimals': {} },
	],
	['the trigger', trigger, {}, TRIGGER_OPTIONS],
	[
		'the trigger with a webhook',
		trigger,
		{ acceptOrders: true },
		{ ...TRIGGER_OPTIONS, 'Allow Listing and Removing by Webhook': false },
	],
])('the options of %s', (_name, type, given, expected) => {
	expect(offered(type, given)).toEqual(expected);
});

test.each<[string, string[]]>([
	['operation', ['getConfig', 'getQuote', 'getStatus', 'waitForCompletion']],
	['specifyQuote', ['fields', 'json']],
	['amountUnit', ['tokenUnits', 'smallestUnit']],
	['giveUpAfter', ['checks', 'minutes', 'never']],
	['notFound', ['stop', 'item']],
	['delivery', ['atLeastOnce', 'atMostOnce']],
	['events', ['anyFinalStatus', 'completed', 'delayed', 'failed', 'refunded', 'watchExpired']],
])('%s offers %j', (name, values) => {
	const field = fields.find((each) => each.name === name);
	expect(field?.options?.filter(isChoice).map(({ value }) => value)).toEqual(values);
});

test('rows start empty, and as many as wanted can be added', () => {
	const rows = ofType('fixedCollection');
	expect(new Set(rows.map(({ name }) => name))).toEqual(
		new Set(['queryParameters', 'tokenDecimals', 'blockExplorers']),
	);
	for (const { typeOptions, options = [] } of rows) {
		expect(typeOptions?.multipleValues).toBe(true);
		const starts = options.flatMap((group) =>
			'values' in group ? group.values.map((inner) => inner.default) : [],
		);
		expect(starts).toHaveLength(2);
		for (const start of starts) expect(['', { mode: 'list', value: '' }]).toContainEqual(start);
	}
});

test('a row’s group and its fields have the names under which workflows keep them', () => {
	const names = ofType('fixedCollection').map(({ name, options = [] }) => [
		name,
		options.map((group) => [
			group.name,
			'values' in group ? group.values.map((inner) => inner.name) : [],
		]),
	]);
	const known = {
		queryParameters: [['parameter', ['name', 'value']]],
		tokenDecimals: [['token', ['address', 'decimals']]],
		blockExplorers: [['explorer', ['network', 'address']]],
	};
	expect(Object.fromEntries(names)).toEqual(known);
});

test('no number can be lower than what makes sense', () => {
	const least = Object.fromEntries(
		ofType('number').map(({ name, typeOptions }) => [name, typeOptions?.minValue]),
	);
	expect(least).toEqual({
		checkEvery: 1,
		delayedAfter: 1,
		maxChecks: 1,
		maxMinutes: 1,
		notFoundMinutes: 0,
	});
});

test('the tokens that are offered are those of the network beside them', () => {
	const dependencies = fields.flatMap(({ name, typeOptions }) =>
		typeOptions?.loadOptionsDependsOn === undefined
			? []
			: [[name, typeOptions.loadOptionsDependsOn]],
	);
	expect(dependencies).toEqual([
		['fromToken', ['fromNetwork.value']],
		['toToken', ['toNetwork.value']],
	]);
	const lists = ofType('resourceLocator').map(({ name, modes = [] }) => [
		name,
		modes[0]?.typeOptions?.searchListMethod,
	]);
	expect(Object.fromEntries(lists)).toEqual({
		network: 'searchNetworks',
		fromNetwork: 'searchNetworks',
		fromToken: 'searchFromTokens',
		toNetwork: 'searchNetworks',
		toToken: 'searchToTokens',
	});
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
	).toEqual(['operation', 'amountUnit', 'acceptOrders', 'authentication']);
});

describe('in words', () => {
	const TYPES = [
		'options',
		'multiOptions',
		'resourceLocator',
		'string',
		'boolean',
		'number',
		'json',
		'notice',
		'collection',
		'fixedCollection',
	];

	test('every field has a label, and a kind that the editor knows', () => {
		for (const { displayName, type } of fields) {
			expect(displayName).toMatch(/^[A-Z]/);
			expect(TYPES).toContain(type);
		}
	});

	test('these are the switches and the notices: a new one is added here', () => {
		expect(
			ofType('boolean')
				.map(({ name }) => name)
				.sort(),
		).toEqual(
			[
				'acceptOrders',
				'includeFinished',
				'keepChecking',
				'listByWebhook',
				'showBridgeData',
				'simplify',
				'simplify',
				'simplify',
				'simplify',
			].sort(),
		);
		expect(ofType('notice').map(({ name }) => name)).toEqual([
			'pollTimesNotice',
			'acceptOrdersNotice',
		]);
	});

	test('every field says in a sentence what it is, a switch what it switches', () => {
		const described = fields.filter(
			({ name, type }) => type !== 'notice' && !['operation', 'options'].includes(name),
		);
		for (const { description } of described) expect(description).toMatch(/^[A-Z].{20,}/s);
		for (const { description } of ofType('boolean')) expect(description).toMatch(/^Whether /);
	});

	test('every choice has a name, and a description that is not empty', () => {
		for (const { name, description, action } of choices) {
			expect(name).toMatch(/^[A-Z]/);
			expect(description).not.toBe('');
			expect(action).not.toBe('');
		}
		const actions = choices.flatMap(({ action }) => action ?? []);
		expect(actions).toHaveLength(10);
		expect(new Set(actions).size).toBe(10);
	});

	test('an empty field shows an example of what goes into it, a list what to choose', () => {
		for (const { placeholder } of ofType('string')) expect(placeholder).toMatch(/^e\.g\. \S/);
		for (const { placeholder } of ofType('collection', 'fixedCollection'))
			expect(placeholder).toMatch(/^Add [a-z]/);
		const empty = ofType('resourceLocator').map(({ name, modes = [] }) => [
			name,
			modes[0]?.placeholder,
		]);
		expect(Object.fromEntries(empty.filter(([name]) => name !== 'network'))).toEqual({
			fromNetwork: 'Choose a network...',
			fromToken: 'Native token',
			toNetwork: 'Choose a network...',
			toToken: 'Native token',
		});
		expect(new Set(empty.filter(([name]) => name === 'network').map(([, text]) => text))).toEqual(
			new Set(['All networks', 'Choose a network...']),
		);
		for (const { modes = [] } of ofType('resourceLocator'))
			expect(modes[1]?.placeholder).toMatch(/e\.g\. \S/);
	});
});

test.each<[string, INodeType, object]>([
	[
		'the action',
		bridge,
		{
			name: 'crossChainBridge',
			displayName: 'Cross-Chain Bridge',
			group: ['transform'],
			inputs: ['main'],
			usableAsTool: true,
			defaults: { name: 'Cross-Chain Bridge' },
		},
	],
	[
		'the trigger',
		trigger,
		{
			name: 'crossChainBridgeTrigger',
			displayName: 'Cross-Chain Bridge Trigger',
			group: ['trigger'],
			inputs: [],
			outputs: ['main'],
			polling: true,
			defaults: { name: 'Cross-Chain Bridge Trigger' },
		},
	],
])('%s is what saved workflows and the nodes panel know it by', (_name, { description }, known) => {
	expect(description).toMatchObject({
		...known,
		version: 1,
	});
	const [own] = description.credentials ?? [];
	expect(own).toEqual({ name: 'crossChainBridgeApi', required: true });
	expect(description.description).toMatch(/ bridge\b/);
	const { light, dark } = description.icon as { light: string; dark: string };
	for (const icon of [light, dark])
		expect(
			fs.existsSync(
				path.join(__dirname, '../../../nodes/CrossChainBridge', icon.replace(/^file:/, '')),
			),
		).toBe(true);
	expect(light).not.toBe(dark);
});
