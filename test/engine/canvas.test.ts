import type { IDataObject, INodeProperties, INodeType } from 'n8n-workflow';

import { CrossChainBridge } from '../../nodes/CrossChainBridge/CrossChainBridge.node';
import { CrossChainBridgeTrigger } from '../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';
import { WAIT_OUTPUTS } from '../../nodes/CrossChainBridge/operations/waitForCompletion';
import { runAction } from './n8n';
import { oneNode } from './oneNode';
import { byAddress, byId, GET_QUOTE, USDC_ON_BASE } from './quoteFields';
import { rehearse, type Rehearsal } from './sandboxed';

/** What the user sees on the canvas and above the output, as n8n makes it of what the node states. */

/** What the node type's expression says for these parameters, evaluated as the editor does. */
function evaluated(type: INodeType, expression: string, parameters: IDataObject): unknown {
	const { node, workflow } = oneNode(type, parameters, { webhookId: 'its-own' });
	return workflow.expression.getSimpleParameterValue(
		node,
		expression,
		'internal',
		{},
		undefined,
		'[not known yet]',
	);
}

const bridgeNode = new CrossChainBridge();
const subtitle = (parameters: IDataObject) =>
	evaluated(bridgeNode, bridgeNode.description.subtitle ?? '', parameters);

const listed = (value: string, cachedResultName?: string) => ({
	__rl: true,
	mode: 'list',
	value,
	...(cachedResultName === undefined ? {} : { cachedResultName }),
});

const ETHEREUM = listed('101', 'Ethereum (101)');
const BASE = byId('102');
const quoted = (fromNetwork: IDataObject, toNetwork: IDataObject, more: IDataObject = {}) => ({
	operation: 'getQuote',
	fromNetwork,
	toNetwork,
	...more,
});

test.each<[string, IDataObject, string]>([
	['the default operation', {}, 'Get Status'],
	['waiting', { operation: 'waitForCompletion' }, 'Wait for Completion'],
	['all networks', { operation: 'getConfig' }, 'Get Config'],
	['one network', { operation: 'getConfig', network: ETHEREUM }, 'Get Config: Ethereum'],
	[
		'a route from the lists',
		quoted(ETHEREUM, listed('104', 'BNB Smart Chain (104)')),
		'Get Quote: Ethereum → BNB Smart Chain',
	],
	['a route by ID', quoted(byId('101'), byId(102)), 'Get Quote: 101 → 102'],
	[
		'a name that was picked before the ID was typed',
		quoted({ ...byId('101'), cachedResultName: 'Base (102)' }, listed('102', '')),
		'Get Quote: 101 → 102',
	],
	['half of a route', { operation: 'getQuote', fromNetwork: ETHEREUM }, 'Get Quote'],
	['a list that was emptied', quoted(listed('', 'Ethereum (101)'), BASE), 'Get Quote'],
	['an expression', quoted(byId('={{ $json.from }}'), BASE), 'Get Quote'],
	['JSON', quoted(byId('101'), BASE, { specifyQuote: 'json' }), 'Get Quote'],
	['an operation that does not exist', { operation: 'else' }, ''],
])('the subtitle of %s', (_name, parameters, text) => {
	expect(subtitle(parameters)).toBe(text);
});

describe('the fields', () => {
	const fieldsOf = ({ description }: INodeType): INodeProperties[] =>
		description.properties.flatMap(withInner);

	/** The field and those inside of it. */
	function withInner(property: INodeProperties): INodeProperties[] {
		const inner = (property.options ?? []).flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option as INodeProperties] : [],
		);
		return [property, ...inner.flatMap(withInner)];
	}

	test.each([
		[
			'the action',
			bridgeNode,
			['network', 'fromNetwork', 'toNetwork', 'fromToken', 'toToken', 'network', 'network'],
		],
		['the trigger', new CrossChainBridgeTrigger(), ['network']],
	])(
		'each field of %s that chooses a network or token has the list, and By ID or Address',
		(_name, type, names) => {
			const choosing = fieldsOf(type).filter(({ name }) =>
				/(?:network|(?:from|to)Token)$/i.test(name),
			);
			expect(choosing.map(({ name }) => name).sort()).toEqual([...names].sort());
			for (const { name, type: kind, default: byDefault, modes = [] } of choosing) {
				const isToken = /token$/i.test(name);
				expect(kind).toBe('resourceLocator');
				expect(byDefault).toEqual({ mode: 'list', value: '' });
				expect(modes.map((mode) => [mode.name, mode.displayName])).toEqual([
					['list', 'From List'],
					isToken ? ['address', 'Address'] : ['id', 'By ID'],
				]);
				const method = isToken
					? `search${name.replace(/^./, (letter) => letter.toUpperCase())}s`
					: 'searchNetworks';
				expect(modes[0]?.typeOptions).toMatchObject({ searchable: true, searchListMethod: method });
				expect(type.methods?.listSearch).toHaveProperty(method);
			}
		},
	);

	test('only Wait for Completion has the three outputs', () => {
		const outputsOf = (operation: string) =>
			evaluated(bridgeNode, String(bridgeNode.description.outputs), { operation });
		const three = ['Completed', 'Not Arrived', 'Still Open'];
		expect(outputsOf('waitForCompletion')).toEqual(
			three.map((displayName) => ({ type: 'main', displayName })),
		);
		for (const operation of ['getConfig', 'getQuote', 'getStatus'])
			expect(outputsOf(operation)).toEqual(['main']);
	});

	test('the names of the three outputs fit on the canvas', () => {
		// Measured in the editor: there are 76 pixels, and "Unsuccessful" takes 77.
		for (const { displayName } of WAIT_OUTPUTS) expect(displayName.length).toBeLessThanOrEqual(11);
	});
});

describe('the trigger', () => {
	const trigger = new CrossChainBridgeTrigger();

	test('its subtitle names the events', () => {
		const subtitleOf = (parameters: IDataObject) =>
			evaluated(trigger, trigger.description.subtitle ?? '', parameters);
		expect(subtitleOf({})).toBe('Any Final Status');
		expect(subtitleOf({ events: ['completed', 'refunded'] })).toBe('Completed, Refunded');
		expect(subtitleOf({ events: ['watchEnded', 'interrupted'] })).toBe('Watch Ended, Interrupted');
	});

	test.each<[unknown, boolean]>([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
		[undefined, false],
	])('its addresses with Accept Orders by Webhook given as %j: %s', (acceptOrders, isShown) => {
		const [orders, setup] = trigger.description.webhooks ?? [];
		const value = (expression: unknown) =>
			evaluated(
				trigger,
				String(expression),
				acceptOrders === undefined ? {} : { acceptOrders: acceptOrders as boolean },
			);
		expect([value(orders?.path), value(setup?.path)]).toEqual(
			isShown ? ['orders', 'orders'] : [undefined, undefined],
		);
		expect(value(orders?.ndvHideUrl)).toBe(!isShown);
		// The editor shows the first address only.
		expect(setup?.ndvHideUrl).toBe(true);
	});

	test.each<[string, number, IDataObject, boolean]>([
		['that nothing is watched, with an empty list', 0, {}, true],
		['that nothing is watched, with white space', 0, { sourceHashes: ' \n' }, true],
		['that nothing is watched, with a hash', 0, { sourceHashes: '0x1' }, false],
		['that nothing is watched, with the webhook', 0, { acceptOrders: true }, false],
		['how to test the webhook, without one', 1, {}, false],
		['how to test the webhook, with it', 1, { acceptOrders: true }, true],
	])('a hint says %s', (_what, index, parameters, isShown) => {
		const hint = trigger.description.hints?.[index];
		expect(evaluated(trigger, hint?.displayCondition ?? '', parameters)).toBe(isShown);
	});
});

describe('hints above the output', () => {
	let bridge: Rehearsal;
	beforeEach(async () => void (bridge = await rehearse()));

	async function hintsOfRun(parameters: IDataObject) {
		const { run } = await runAction(bridge.credentials, parameters);
		return run.data.resultData.runData.Bridge?.[0]?.hints ?? [];
	}

	test.each([true, false])(
		'an amount without decimals comes with advice (Simplify: %s)',
		async (simplify) => {
			const tokenOut = { symbol: 'X', address: USDC_ON_BASE, decimals: null };
			await bridge.fault({ kind: 'fields', endpoint: 'quote', answer: { tokenOut } });
			const toToken = byAddress(USDC_ON_BASE);
			expect(await hintsOfRun({ ...GET_QUOTE, toToken, simplify })).toEqual([
				{
					type: 'info',
					location: 'outputPane',
					message: expect.stringContaining("add the option 'Token Decimals'"),
				},
			]);
		},
	);

	test('no hint where there is nothing to say', async () => {
		for (const parameters of [{ operation: 'getConfig' }, GET_QUOTE])
			expect(await hintsOfRun(parameters)).toEqual([]);
	});
});
