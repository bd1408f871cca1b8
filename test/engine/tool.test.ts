import { type IDataObject, type INodeType, NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';

import { CrossChainBridge } from '../../nodes/CrossChainBridge/CrossChainBridge.node';
import { CrossChainBridgeTrigger } from '../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';
import { runAction } from './n8n';
import { oneNode } from './oneNode';
import { GET_QUOTE, USDC } from './quoteFields';
import { quotesAskedFor, rehearse } from './sandboxed';

/** The action as an AI agent's tool: what the agent gets to know of it, and that nothing it leaves out costs money. */

/** As n8n makes a tool of a node that has a description of its own as one. */
function asTool(): INodeType {
	const node = new CrossChainBridge();
	node.description.name += 'Tool';
	node.description.inputs = [];
	node.description.outputs = [NodeConnectionTypes.AiTool];
	return node;
}

function descriptionOf(parameters: IDataObject): string {
	const type = asTool();
	const { workflow } = oneNode(type, parameters);
	const node = workflow.getNode('Temp-Node');
	if (node === null) throw new Error('There is no node');
	return NodeHelpers.getToolDescriptionForNode(node, type);
}

const OPERATIONS = ['getConfig', 'getQuote', 'getStatus', 'waitForCompletion'];

test('each operation has a description of its own, in whole sentences', () => {
	const descriptions = OPERATIONS.map((operation) => descriptionOf({ operation }));
	expect(new Set(descriptions).size).toBe(OPERATIONS.length);
	for (const description of descriptions) {
		expect(description).toMatch(/^(Get|Wait) .{60,350}\.$/);
		expect(description).not.toContain('Base URL');
	}
	expect(descriptions[1]).toMatch(
		/by name or ID.*by symbol or address.*NATIVE.*both tokens are required/,
	);
});

test('one that a person has written counts, and an emptied one is the node’s', () => {
	expect(descriptionOf({ operation: 'getQuote', toolDescription: 'Quotes' })).toBe('Quotes');
	const { description } = new CrossChainBridge().description;
	expect(descriptionOf({ operation: 'getQuote', toolDescription: '' })).toBe(description);
});

test('another operation has its own description, unless a person has written one: as n8n’s editor stores a node', () => {
	const type = asTool();
	/** What n8n's editor makes of the stored parameters when a field is changed. */
	const changed = (parameters: IDataObject, change: IDataObject): IDataObject => {
		const { properties } = type.description;
		const node = { typeVersion: 1 };
		const of = (values: IDataObject, withDefaults: boolean) =>
			NodeHelpers.getNodeParameters(
				properties,
				values as never,
				withDefaults,
				false,
				node,
				type.description,
			) as IDataObject;
		return of({ ...of(parameters, false), ...change }, true);
	};
	const status = changed({}, { operation: 'getStatus' });
	const quote = changed(status, { operation: 'getQuote' });
	expect(status.toolDescription).toBe(descriptionOf({ operation: 'getStatus' }));
	expect(quote.toolDescription).toBe(descriptionOf({ operation: 'getQuote' }));
	const written = changed({ ...status, toolDescription: 'Mine' }, { operation: 'getQuote' });
	expect(written.toolDescription).toBe('Mine');
});

test('an agent names networks and tokens; one that it leaves out is no native token', async () => {
	const bridge = await rehearse();
	const given = async (json: IDataObject) => {
		const fromAi = (name: string) => `={{ $json.${name} }}`;
		const parameters = {
			...GET_QUOTE,
			fromNetwork: fromAi('from'),
			fromToken: fromAi('token'),
			amount: fromAi('amount'),
			toNetwork: fromAi('to'),
			toToken: fromAi('token'),
		};
		return await runAction(bridge.credentials, parameters, { asTool: true, items: [{ json }] });
	};
	const whole = { from: 'ethereum', to: 'Base', token: 'usdc', amount: '100' };
	const { outputs } = await given(whole);
	expect(outputs[0]?.[0]?.json.summary).toMatch(
		/^100 USDC on Ethereum gives about 99\.85 USDC on Base/,
	);
	expect(await quotesAskedFor(bridge)).toEqual([
		expect.objectContaining({ inputTokenContract: USDC, inputTokenAmount: '100000000' }),
	]);
	for (const token of ['', null, undefined, 'null', 'none'])
		expect((await given({ ...whole, token })).error?.message).toMatch(/^'From Token'/);
	expect(await quotesAskedFor(bridge)).toHaveLength(1);
});

test('n8n’s AI builder has a hint, in the place where it reads one', () => {
	const { builderHint, properties } = new CrossChainBridge().description;
	expect(builderHint.searchHint).toMatch(/NATIVE.*Wait for Completion.*Cross-Chain Bridge Trigger/);
	const ofTrigger = new CrossChainBridgeTrigger().description.builderHint;
	expect(ofTrigger.searchHint).toMatch(
		/no Remove Duplicates is needed.*Wait for Completion of the Cross-Chain Bridge node/,
	);
	// n8n 2.41 does not load a node with a hint at such a field.
	for (const property of properties) expect(property).not.toHaveProperty('builderHint');
});
