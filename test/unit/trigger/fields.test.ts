import { type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { nodeWith } from '../node';
import { ALL_EVENTS } from '../../../nodes/CrossChainBridge/trigger/settings';
import { CrossChainBridgeTrigger } from '../../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';

/** What the editor shows of the trigger. */

const { description, webhookMethods } = new CrossChainBridgeTrigger();
const version = { typeVersion: 1 };
const shownWith = (given: INodeParameters) =>
	NodeHelpers.getNodeParameters(description.properties, given, true, false, version, description) ??
	{};

const NEW = {
	pollTimesNotice: '',
	sourceHashes: '',
	acceptOrders: false,
	events: ['anyFinalStatus'],
	simplify: true,
	options: {},
};
const WITH_WEBHOOK = { acceptOrders: true, acceptOrdersNotice: '' };

test.each<[string, INodeParameters, INodeParameters]>([
	['a new trigger', {}, NEW],
	['one that accepts orders', { acceptOrders: true }, { ...NEW, ...WITH_WEBHOOK }],
])('%s shows these fields, with what they start with', (_name, given, shown) => {
	expect(shownWith(given)).toEqual(shown);
});

test.each<[string, INodeParameters, string[]]>([
	['an empty list', {}, ['sourceHashes']],
	['an empty list next to the webhook', { acceptOrders: true }, []],
	['no event', { sourceHashes: '0x1', events: [] }, ['events']],
])('%s: the editor marks %j, nothing else', (_name, given, expected) => {
	const node = nodeWith({ ...version, parameters: shownWith(given) });
	expect(
		Object.keys(
			NodeHelpers.getNodeParametersIssues(description.properties, node, description)?.parameters ??
				{},
		),
	).toEqual(expected);
});

test.each([false, true])(
	'the list of hashes is one field, of several lines (webhook: %p)',
	(on) => {
		const lists = description.properties.filter(
			(property) =>
				property.name === 'sourceHashes' &&
				NodeHelpers.displayParameter({ acceptOrders: on }, property, version, description),
		);
		expect(lists.map(({ typeOptions }) => typeOptions?.rows)).toEqual([10]);
	},
);

test('the list of hashes comes first, then the webhook, the events and the rest', () => {
	const names = description.properties.filter(({ type }) => type !== 'notice');
	expect([...new Set(names.map(({ name }) => name))]).toEqual([
		...['sourceHashes', 'acceptOrders', 'events', 'delayedAfter', 'simplify', 'options'],
	]);
});

test('the panel and the message after publishing say what to expect', () => {
	const { triggerPanel, activationMessage, eventTriggerDescription } = description;
	expect(triggerPanel).toEqual({
		header: expect.stringContaining('order'),
		activationHint: {
			inactive: expect.stringMatching(/^Once you publish/),
			active: expect.stringMatching(/^The published workflow starts/),
		},
		executionsHelp: expect.stringContaining('data-key="executions"'),
	});
	expect([activationMessage, eventTriggerDescription]).toEqual([
		expect.stringContaining('watching the orders'),
		expect.stringContaining('Test URL'),
	]);
});

test('the options are listed by the alphabet', () => {
	const { options = [] } = description.properties.find(({ name }) => name === 'options') ?? {};
	const names = options.map((option) => ('displayName' in option ? option.displayName : ''));
	expect(names).toEqual([...names].sort());
	expect(names).toContain('Delivery');
});

test('each event that there is can be chosen, and nothing else, besides the two that stand for several', () => {
	const { options = [] } = description.properties.find(({ name }) => name === 'events') ?? {};
	const values = options.map((option) => ('value' in option ? option.value : null));
	expect(values.slice(0, 2)).toEqual(['anyEvent', 'anyFinalStatus']);
	expect(values.slice(2).sort()).toEqual([...ALL_EVENTS].sort());
});

test('the hints say where they stand, and when', () => {
	const { hints = [] } = description;
	const shown = hints.map((hint) => [hint.message.slice(0, 20), hint.whenToDisplay, hint.location]);
	expect(shown).toEqual([
		['There are no orders ', 'always', 'ndv'],
		['To test without a ne', 'beforeExecution', 'outputPane'],
	]);
});

test('nothing has to be set up elsewhere for the webhook', async () => {
	const { checkExists, create, delete: remove } = webhookMethods.default;
	expect(await Promise.all([checkExists(), create(), remove()])).toEqual([true, true, true]);
});
