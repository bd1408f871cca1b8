import {
	createDeferredPromise,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IPollFunctions,
	type IWebhookFunctions,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import type { StartReport } from '../../../nodes/CrossChainBridge/n8n/internals';
import { nodeWith } from '../node';

/** n8n as a trigger's context shows it, so that a test can have it lack or change something. */

let workflows = 0;

export interface Response {
	statusCode: number;
	body: string;
}
export const json = (data: unknown, statusCode = 200): Response => ({
	statusCode,
	body: JSON.stringify(data),
});
export const CONFIG = json({ success: true, data: { networks: [] } });
export const shows = (status: string): Response => json({ success: true, data: { status } });
export const WRONG_KEY = json({ success: false, error: { code: 'UNAUTHORIZED' } }, 401);

export class FakeN8n {
	readonly workflowId = `workflow-${++workflows}`;

	/** The nodes of the workflow. */
	nodes: INode[] = [];

	/** The workflow's static data, which all contexts of a process share here. */
	readonly global: IDataObject = { __dataChanged: false };

	readonly started: IDataObject[] = [];

	/** What n8n throws at the next starts. */
	readonly startErrors: Error[] = [];

	/** What the bridge responds to the path config, or to the hash; an endless wait by default. */
	respond: (asked: string) => Promise<Response> | Response = async () =>
		await new Promise<never>(() => undefined);

	/** What was asked. */
	readonly asked: string[] = [];

	credential: () => Promise<IDataObject> = async () =>
		await Promise.resolve({
			apiKey: this.workflowId,
			baseUrl: 'https://bridge.example.com',
			requestsPerMinute: 100_000,
		});

	node(parameters: IDataObject = {}, changes: Partial<INode> = {}): INode {
		const node = nodeWith({
			id: 'node',
			name: 'Trigger',
			webhookId: 'its-own',
			parameters: parameters as INode['parameters'],
			...changes,
		});
		this.nodes.push(node);
		return node;
	}

	/** A registration of the usual engine; `changes` to its context. */
	register(
		node: INode,
		{ mode = 'activate' as WorkflowActivateMode, changes = {} as object } = {},
	): { context: IPollFunctions; ticks: Array<() => void> } {
		const ticks: Array<() => void> = [];
		const data: Record<string, IDataObject> = {
			node: { __dataChanged: false },
			global: this.global,
		};
		const context = {
			...this.contextOf(node),
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getWorkflowStaticData: (type: string) => data[type],
			__emit: (items: INodeExecutionData[][], ..._more: unknown[]) => {
				const [error] = this.startErrors.splice(0, 1);
				if (error !== undefined) throw error;
				this.started.push(items[0]?.[0]?.json ?? {});
			},
			...changes,
		};
		const registerCron = (_cron: object, tick: () => void) => void ticks.push(tick);
		const given: object = Reflect.get(changes, 'helpers') ?? {};
		Object.assign(context, {
			helpers: { createDeferredPromise, registerCron, ...this.helpers, ...given },
		});
		return { context: context as unknown as IPollFunctions, ticks };
	}

	/** The same in the durable engine, which polls each context once. */
	durable(node: INode, changes: object = {}): IPollFunctions {
		const data: Record<string, IDataObject> = { node: this.nodeData, global: this.global };
		return this.register(node, {
			mode: 'update',
			changes: {
				getPollBudgetMs: () => 36_000,
				getWorkflowStaticData: (type: string) => data[type],
				__commitCursor: async () => await Promise.resolve(),
				__emit: (items: INodeExecutionData[][], ...reports: unknown[]) => {
					this.started.push(items[0]?.[0]?.json ?? {});
					(reports[1] as StartReport['done']).resolve({} as never);
				},
				...changes,
			},
		}).context;
	}

	private readonly nodeData: IDataObject = {};

	/** A call to the node's webhook. */
	call(node: INode): IWebhookFunctions {
		return {
			...this.contextOf(node),
			getWorkflowStaticData: () => this.global,
			getResponseObject: () => ({ closed: true }),
			helpers: this.helpers,
		} as unknown as IWebhookFunctions;
	}

	private contextOf(node: INode): object {
		return {
			workflow: { nodes: this.nodesByName() },
			getWorkflow: () => ({ id: this.workflowId }),
			getNode: () => node,
			getNodeParameter: (name: string, otherwise: unknown) =>
				name in node.parameters ? node.parameters[name] : otherwise,
			getCredentials: async () => await this.credential(),
		};
	}

	private nodesByName(): Record<string, INode> {
		return Object.fromEntries(this.nodes.map((node) => [node.name, node]));
	}

	private readonly helpers = {
		httpRequestWithAuthentication: async (
			_name: string,
			{ url, qs }: { url: string; qs: IDataObject },
		) => {
			const asked = url.endsWith('/config') ? 'config' : String(qs.sourceHash);
			this.asked.push(asked);
			return { headers: {}, ...(await this.respond(asked)) };
		},
	};
}
