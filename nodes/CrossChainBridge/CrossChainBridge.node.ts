import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { shownWith } from './fields/fieldTypes';
import { itemInput } from './fields/parameters';
import { connectToService } from './service/service';
import { listSearch } from './methods/listSearch';
import { getConfig } from './operations/getConfig';
import { getQuote } from './operations/getQuote';
import { getStatus } from './operations/getStatus';
import { allFailed, type Operation } from './operations/operation';
import { WAIT_OUTPUTS, waitForCompletion } from './operations/waitForCompletion';

const operations: Operation[] = [getConfig, getQuote, getStatus, waitForCompletion];

const NAMES = JSON.stringify(
	Object.fromEntries(operations.map(({ option }) => [option.value, option.name])),
);

/** The text below the node, such as "Get Quote: Ethereum → Base"; only the JSON form of `$parameter` has a list's names. */
const SUBTITLE = `={{ ((operation, parameters) => {
	const textOf = (locator) => {
		const value = String(locator?.value ?? locator ?? "");
		const picked = locator?.mode === "list" ? String(locator.cachedResultName ?? "").split(" (")[0] : "";
		return value.startsWith("=") ? "" : value && (picked || value);
	};
	const fields = { getConfig: ["network"], getQuote: ["fromNetwork", "toNetwork"] }[operation] ?? [];
	const networks = fields.map((name) => textOf(parameters[name]));
	const isWhole = networks.length > 0 && networks.every((network) => network !== "") && parameters.specifyQuote !== "json";
	const name = ${NAMES}[operation] ?? "";
	return isWhole ? name + ": " + networks.join(" → ") : name;
})($parameter["operation"], $parameter.toJSON?.() ?? {}) }}`;

/** A run of more items than this gives way to the triggers that share its key. */
const LARGE_BATCH = 10;

/** For n8n's AI builder, from n8n 2.29 on; older versions ignore it. */
const BUILDER_HINT = {
	searchHint:
		'Give networks by name or ID, and both tokens by symbol or address, or as NATIVE for the native token of a network: a token that is left out is an error. A source transaction hash is that of the transaction on the source network. Wait for Completion keeps the execution running for minutes and has three outputs: Completed, Not Arrived and Still Open. To start a workflow when an order finishes, use the Cross-Chain Bridge Trigger instead.',
};

export class CrossChainBridge implements INodeType {
	description: INodeTypeDescription & { builderHint: typeof BUILDER_HINT } = {
		displayName: 'Cross-Chain Bridge',
		name: 'crossChainBridge',
		icon: { light: 'file:bridge.svg', dark: 'file:bridge.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Get quotes, order status and supported networks from a cross-chain bridge',
		defaults: { name: 'Cross-Chain Bridge' },
		usableAsTool: true,
		builderHint: BUILDER_HINT,
		inputs: [NodeConnectionTypes.Main],
		outputs: `={{ $parameter["operation"] === "waitForCompletion" ? ${JSON.stringify(WAIT_OUTPUTS)} : ["${NodeConnectionTypes.Main}"] }}`,
		credentials: [{ name: 'crossChainBridgeApi', required: true }],
		properties: [
			operationField(),
			...operations.flatMap(({ option, toolDescription, properties }) =>
				shownWith({ operation: [option.value] }, [
					toolDescriptionField(toolDescription),
					...properties,
				]),
			),
		],
	};

	methods = { listSearch };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const name = itemInput(this, 0).fields.choice(operationField());
		const [operation = getStatus] = operations.filter(({ option }) => option.value === name);
		const stop = new AbortController();
		const cancelled = this.getExecutionCancelSignal();
		const hints = new Set<string>();
		const connecting = connectToService(this, {
			abortSignal:
				cancelled === undefined ? stop.signal : AbortSignal.any([cancelled, stop.signal]),
			priority: this.getInputData().length > LARGE_BATCH ? 'batch' : 'interactive',
		});
		const running = connecting.then((service) =>
			operation.run({ context: this, service, hint: (message) => hints.add(message) }),
		);
		// A failed run sends nothing more.
		void running.catch(() => stop.abort());
		const outputs = await (this.continueOnFail()
			? running.catch((error: unknown) => (operation.allFailed ?? allFailed)(this, error))
			: running);
		for (const message of hints)
			this.addExecutionHints({ type: 'info', location: 'outputPane', message });
		return outputs;
	}
}

/** A new one for each description, because n8n adds an entry to its list. */
function operationField(): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getStatus',
		options: operations.map(({ option }) => option),
	};
}

/** What the agent gets to know of the operation. n8n adds a field of its own to a node without one, with one text for all operations. */
function toolDescriptionField(text: string): INodeProperties {
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: text,
		description: 'What the agent is told about this tool: what it does and when to use it',
		displayOptions: { show: { '@tool': [true] } },
	};
}
