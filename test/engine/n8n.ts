import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { Container } from '@n8n/di';
import * as core from 'n8n-core';
import {
	createRunExecutionData,
	cronNodeOptions,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IPollFunctions,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	NodeConnectionTypes,
	Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CrossChainBridge } from '../../nodes/CrossChainBridge/CrossChainBridge.node';
import { CrossChainBridgeTrigger } from '../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';
import { knownSession } from '../../nodes/CrossChainBridge/n8n/session';
import { n8nClock } from '../../nodes/CrossChainBridge/service/n8nClock';
import type { TestCredentials } from './credentials';
import { additionalDataOf } from './oneNode';

/** The parts of a real n8n around n8n-core that a node notices: workflows, a database column of static data, executions. */

const ACTION = 'n8n-nodes-cross-chain-bridge.crossChainBridge';
const TRIGGER = 'n8n-nodes-cross-chain-bridge.crossChainBridgeTrigger';
const START = 'test.start';

const startNode: INodeType = {
	description: {
		displayName: 'Start',
		name: 'start',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};

/** Scheduled polls run when a test says so; a schedule of its own comes once in four years. */
const NEVER_BY_ITSELF = { item: [{ mode: 'custom', cronExpression: '0 0 0 29 2 *' }] };

/** The end of a second, in milliseconds, far longer than the scheduler computes. */
const END_OF_SECOND_MS = 50;

/**
 * The scheduler of n8n 1 ends a schedule for good if the next second begins while it computes when that is (`tickAgain`). A test that waits for
 * what a tick starts has no second poll, with which the ticks would be asked for again. So no schedule begins at the end of a second.
 */
function untilNextSecondIsFar(): void {
	const until = performance.now() + END_OF_SECOND_MS;
	while (Date.now() % 1_000 >= 1_000 - END_OF_SECOND_MS && performance.now() < until);
}

/** n8n's loader puts Poll Times in front of a polling node's properties. */
function withPollTimes(node: INodeType): INodeType {
	node.description.properties = [
		{
			displayName: 'Poll Times',
			name: 'pollTimes',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: { item: [{ mode: 'everyMinute' }] },
			options: cronNodeOptions,
		},
		...node.description.properties,
	];
	return node;
}

function asTool(node: INodeType): INodeType {
	node.description.name += 'Tool';
	node.description.outputs = [NodeConnectionTypes.Main];
	return node;
}

const types: Record<string, INodeType> = {
	[ACTION]: new CrossChainBridge(),
	// n8n makes this type of a node that is usable as a tool, with a name of its own and one output.
	[`${ACTION}Tool`]: asTool(new CrossChainBridge()),
	[TRIGGER]: withPollTimes(new CrossChainBridgeTrigger()),
	[START]: startNode,
};

function typeOf(name: string): INodeType {
	const type = types[name];
	if (type === undefined) throw new Error(`Unknown node type ${name}`);
	return type;
}

const nodeTypes: INodeTypes = {
	getByName: typeOf,
	getByNameAndVersion: typeOf,
	getKnownTypes: () => ({}),
};

function additionalData(
	credentials: TestCredentials,
	mode: WorkflowExecuteMode,
): IWorkflowExecuteAdditionalData {
	const workflow = {
		id: 'wf',
		name: 'wf',
		active: false,
		isArchived: false,
		nodes: [],
		connections: {},
		createdAt: new Date(),
		updatedAt: new Date(),
		activeVersionId: null,
	};
	return additionalDataOf(credentials, {
		hooks: new core.ExecutionLifecycleHooks(mode, '1', workflow as never),
		executionId: '1',
		setExecutionStatus() {},
		sendDataToUI() {},
	});
}

function nodeOf(
	type: string,
	name: string,
	parameters: IDataObject,
	extra: Partial<INode> = {},
): INode {
	return {
		id: `id of ${name}`,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		...(type === START
			? {}
			: { credentials: { crossChainBridgeApi: { id: '1', name: 'Bridge' } } }),
		...(type === TRIGGER ? { webhookId: `webhook-of-${name.replace(/\W/g, '-')}` } : {}),
		...extra,
	};
}

interface ActionRun {
	run: IRun;
	/** Items of each output. */
	outputs: INodeExecutionData[][];
	/** The error with which the node failed, as n8n would store it. */
	error: IDataObject | undefined;
}

export interface ActionOptions {
	items?: INodeExecutionData[];
	onError?: INode['onError'];
	/** n8n's Retry On Fail, without a pause. */
	retryOnFail?: boolean;
	/** n8n's setting of the node. */
	alwaysOutputData?: boolean;
	/** As the tool of an AI agent. */
	asTool?: boolean;
	/** Called with a function that stops the execution. */
	onStarted?: (stop: () => void) => void;
}

/** One execution of the action node, by the real workflow engine. */
export async function runAction(
	credentials: TestCredentials,
	parameters: IDataObject,
	options: ActionOptions = {},
): Promise<ActionRun> {
	const start = nodeOf(START, 'Start', {});
	const bridge = nodeOf(options.asTool === true ? `${ACTION}Tool` : ACTION, 'Bridge', parameters, {
		onError: options.onError,
		alwaysOutputData: options.alwaysOutputData,
		...(options.retryOnFail === true
			? { retryOnFail: true, maxTries: 5, waitBetweenTries: 0 }
			: {}),
	});
	const workflow = new Workflow({
		id: 'wf',
		name: 'wf',
		nodes: [start, bridge],
		connections: { Start: { main: [[{ node: 'Bridge', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	const runData = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node: start, data: { main: [options.items ?? [{ json: {} }]] }, source: null },
			],
		},
	});
	const execution = new core.WorkflowExecute(
		additionalData(credentials, 'trigger'),
		'trigger',
		runData,
	);
	const running = execution.processRunExecutionData(workflow);
	options.onStarted?.(() => running.cancel());
	const run = await running;
	const [task] = run.data.resultData.runData.Bridge ?? [];
	const error = task?.error ?? run.data.resultData.error;
	return {
		run,
		outputs: (task?.data?.main ?? []).map((items) => items ?? []),
		error:
			error === undefined
				? undefined
				: (JSON.parse(JSON.stringify({ ...error, message: error.message })) as IDataObject),
	};
}

/** A trigger's settings in a workflow. `id` stays when the name changes, as in the editor. */
export interface TriggerNode {
	name?: string;
	id?: string;
	/** The editor makes one; null: a workflow by REST or command line may have none. */
	webhookId?: string | null;
	parameters: IDataObject;
}

/** A registered workflow: its polls are run when the test says so, as n8n's scheduler would. */
export interface Registration {
	/** One scheduled poll of a trigger (the first one by default), and the ticks that apply what it has begun. */
	poll(name?: string): Promise<void>;
	/** One tick of the schedule that the trigger has registered; n8n's scheduler makes one each second as well. */
	tick(name?: string): void;
	contextOf(name?: string): IPollFunctions;
}

/** What somebody sends to a webhook, parsed as n8n parses it. */
export interface WebhookCall {
	/** Name of the trigger; the first one of the workflow by default. */
	trigger?: string;
	method?: 'POST' | 'GET' | 'DELETE';
	query?: IDataObject;
	body?: unknown;
	/** The Webhook Secret of the credential if none are given. */
	headers?: IDataObject;
	/** null: n8n keeps none, as of a multipart form. */
	rawBody?: Buffer | null;
	/** Whether the caller is gone before n8n runs the node: its response has closed already. */
	isCallerGone?: boolean;
	/** The answer is never received whole, so that the connection stays open. */
	isCallerHanging?: boolean;
}

export interface WebhookAnswer {
	status: number;
	body: unknown;
	headers: Record<string, string>;
	/** Items that start the workflow at once. */
	items: IDataObject[] | null;
}

/** An item that started an execution, with the name of the trigger. */
export interface Started {
	trigger: string;
	json: IDataObject;
}

/** n8n as far as triggers go: registers by the real n8n-core, keeps static data as n8n does, records what started. */
export class TestN8n {
	readonly started: Started[] = [];

	private readonly waiting: Array<{ count: number; resolve: () => void }> = [];

	/** Failed executions that a poll has caused. */
	readonly failures: Error[] = [];

	/** The database: static data by workflow ID. */
	readonly database = new Map<string, IDataObject>();

	constructor(
		readonly credentials: TestCredentials,
		readonly workflowId: string,
	) {
		Container.get(core.InstanceSettings).markAsLeader();
	}

	/** The triggers of the published version, as the database has them: any n8n process finds them there when its webhook is called. */
	nodes: INode[] = [];

	saveNodes(triggers: TriggerNode[]): INode[] {
		this.nodes = triggers.map(({ name = 'Trigger', id, webhookId, parameters }) =>
			nodeOf(
				TRIGGER,
				name,
				{ pollTimes: NEVER_BY_ITSELF, ...parameters },
				{
					...(id === undefined ? {} : { id }),
					...(webhookId === undefined ? {} : { webhookId: webhookId ?? undefined }),
				},
			),
		);
		return this.nodes;
	}

	/** All nodes of the published workflow, with this one in its present form. */
	private withNeighbors(node: INode): INode[] {
		return [node, ...this.nodes.filter(({ name }) => name !== node.name)];
	}

	/** The workflow as n8n makes it, with the static data of the database. */
	private workflowOf(nodes: INode[], active = true): Workflow {
		return new Workflow({
			id: this.workflowId,
			name: 'wf',
			nodes,
			connections: {},
			active,
			nodeTypes,
			staticData: structuredClone(this.database.get(this.workflowId) ?? {}),
		});
	}

	/**
	 * Publishes a workflow, or starts it as n8n does by itself, and then makes the ticks that apply what its first poll has begun.
	 * Throws as n8n does if the poll during activation throws. `onlyPublishes`: without these ticks.
	 */
	async publish(
		triggers: TriggerNode[],
		{
			mode = 'activate',
			onlyPublishes = false,
		}: { mode?: WorkflowActivateMode; onlyPublishes?: boolean } = {},
	): Promise<Registration> {
		const workflow = this.workflowOf(this.saveNodes(triggers));
		const table = this.tableForPolls();
		const contexts = new Map<string, IPollFunctions>();
		const ticks = new Map<string, () => void>();
		const getPollFunctions = (of: Workflow, node: INode, data: IWorkflowExecuteAdditionalData) => {
			const context = new core.PollContext(
				of,
				node,
				data,
				'trigger',
				mode,
				(items, _response, done) => {
					table?.commit(node.id);
					if (this.failingExecutions > 0) {
						this.failingExecutions--;
						this.save(of);
						done?.reject(new Error('SQLITE_BUSY: database is locked'));
						this.drop(node, items);
						return;
					}
					this.emit(of, node, items);
					done?.resolve({} as IRun);
				},
				(error) => this.failures.push(error),
			);
			contexts.set(node.name, context);
			const getWorkflowStaticData = context.getWorkflowStaticData.bind(context);
			context.getWorkflowStaticData = (type: string) =>
				(type === 'node' ? table?.dataOf(node.id) : null) ?? getWorkflowStaticData(type);
			if (this.reportsStarts) Object.assign(context, { getPollBudgetMs: () => 300_000 });
			const { registerCron } = context.helpers;
			context.helpers.registerCron = (cron, onTick) => {
				untilNextSecondIsFar();
				registerCron(cron, onTick);
				ticks.set(node.name, AsyncResource.bind(onTick));
			};
			return context;
		};
		const getTriggerFunctions = () => {
			throw new Error('Our triggers poll');
		};
		this.isPublished = true;
		const active = activeWorkflows();
		const add = async () =>
			await active.add(
				this.workflowId,
				workflow,
				additionalData(this.credentials, 'trigger'),
				'trigger',
				mode,
				getTriggerFunctions,
				getPollFunctions,
			);
		await (table?.inPoll(add) ?? add());
		this.save(workflow);
		const contextOf = (name = triggers[0]?.name ?? 'Trigger'): IPollFunctions => {
			const context = contexts.get(name);
			if (context === undefined) throw new Error(`No trigger ${name}`);
			return context;
		};
		const tick = (name = triggers[0]?.name ?? 'Trigger'): void => ticks.get(name)?.();
		if (!onlyPublishes)
			for (const [name, context] of contexts) await ticksOf(context, () => tick(name));
		return {
			contextOf,
			tick,
			poll: async (name) => {
				const context = contextOf(name);
				const node = context.getNode();
				const poll = async () => {
					const items = (await typeOf(node.type).poll?.call(context)) ?? null;
					table?.commit(node.id);
					if (items !== null) this.emit(workflow, node, items);
				};
				try {
					await (table?.inPoll(poll) ?? poll());
				} catch (error) {
					this.failures.push(error as Error);
				}
				await ticksOf(context, () => tick(name));
			},
		};
	}

	/**
	 * The durable engine's table as the usual engine of n8n 2.41 reads it (workflows/triggers/poll-cursor.service), for a node that has a row in
	 * it; null if no node has. Each poll has a copy of its own, which n8n commits with an execution, or after a poll that brings none. A
	 * tick has the copy of the poll that registered it, and anything else has none.
	 */
	private tableForPolls() {
		const { durableCursors } = this;
		if (this.keepsNodeDataApart)
			for (const node of this.nodes) durableCursors.set(node.id, this.rowOf(node));
		if (durableCursors.size === 0) return null;
		const polls = new AsyncLocalStorage<Map<string, { data: IDataObject; known: string }>>();
		this.tables.push(polls);
		return {
			inPoll: async (poll: () => Promise<void>): Promise<void> => {
				const copies = [...durableCursors].map(
					([id, data]) =>
						[id, { data: structuredClone(data), known: JSON.stringify(data) }] as const,
				);
				await polls.run(new Map(copies), poll);
			},
			/** Null for a node that has no row. */
			dataOf: (nodeId: string): IDataObject | null => {
				const copies = polls.getStore();
				if (copies === undefined)
					throw new Error('Poll node read its static data outside of a poll');
				return copies.get(nodeId)?.data ?? null;
			},
			commit: (nodeId: string): void => {
				const copy = polls.getStore()?.get(nodeId);
				const data = JSON.stringify(copy?.data);
				if (copy === undefined || data === copy.known) return;
				copy.known = data;
				durableCursors.set(nodeId, structuredClone(copy.data));
			},
		};
	}

	/** A copy of a node's row; n8n makes the row of what the workflow's static data have of the node. */
	private rowOf({ id, name }: INode): IDataObject {
		const ofWorkflow = this.database.get(this.workflowId)?.[`node:${name}`] ?? {};
		return structuredClone(this.durableCursors.get(id) ?? (ofWorkflow as IDataObject));
	}

	/** Those of the registrations until the workflow is unpublished. One that stays makes every promise of the process slower. */
	private readonly tables: Array<AsyncLocalStorage<unknown>> = [];

	/** One poll as the durable engine makes it: all is fresh, and the node’s data is in a table of its own, committed with each execution. */
	async durablePoll(
		{ name = 'Trigger', id, parameters }: TriggerNode,
		budgetMs: number,
	): Promise<void> {
		const node = nodeOf(TRIGGER, name, parameters, id === undefined ? {} : { id });
		const workflow = this.workflowOf(this.withNeighbors(node));
		const nodeData = this.rowOf(node);
		const insideOfPoll = new AsyncLocalStorage<true>();
		let known = JSON.stringify(nodeData);
		const commit = async (afterMs: number) => {
			// n8n commits only what has changed.
			if (JSON.stringify(nodeData) === known) return;
			known = JSON.stringify(nodeData);
			const cursor = structuredClone(nodeData);
			const save = () => void this.durableCursors.set(node.id, cursor);
			if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
			if (this.waitingCommits === null) save();
			else this.waitingCommits.push(save);
		};
		const emit: IPollFunctions['__emit'] = (items, responsePromise, donePromise) => {
			if (this.keepsDurableStateInWorkflow) {
				this.save(workflow);
				this.record(node, items);
				donePromise?.resolve({} as IRun);
				return;
			}
			if (!this.holdsLease) {
				responsePromise?.reject(
					new Error('Poll cursor commit skipped: the poll no longer holds its lease'),
				);
				donePromise?.resolve(undefined as unknown as IRun);
				this.drop(node, items);
				return;
			}
			if (this.failingCommits > 0) {
				this.failingCommits--;
				// n8n takes the state for written before it is.
				known = JSON.stringify(nodeData);
				const fail = () => donePromise?.reject(new Error('SQLITE_BUSY: database is locked'));
				setTimeout(fail, this.commitTakesMs.shift() ?? 0);
				this.drop(node, items);
				return;
			}
			const committed = commit(this.commitTakesMs.shift() ?? 0);
			this.commits.push(committed);
			const end = () => donePromise?.resolve({} as IRun);
			void committed.then(() => (this.endsExecutions ? end() : this.runningExecutions.push(end)));
			this.record(node, items);
		};
		const context = new core.PollContext(
			workflow,
			node,
			additionalData(this.credentials, 'trigger'),
			'trigger',
			'update',
			emit,
		);
		const getWorkflowStaticData = context.getWorkflowStaticData.bind(context);
		Object.assign(context, {
			getPollBudgetMs: () => budgetMs,
			__commitCursor: async () => {
				if (this.holdsLease && !this.keepsDurableStateInWorkflow) await commit(0);
			},
			getWorkflowStaticData: (type: 'node' | 'global') => {
				if (type === 'global' || this.keepsDurableStateInWorkflow)
					return getWorkflowStaticData(type);
				if (insideOfPoll.getStore() === undefined)
					throw new Error('Poll node read its static data outside of a poll');
				return nodeData;
			},
		});
		try {
			await insideOfPoll.run(true, async () => await typeOf(TRIGGER).poll?.call(context));
			if (this.keepsDurableStateInWorkflow) this.save(workflow);
			else if (this.holdsLease) await commit(0);
		} catch (error) {
			this.failures.push(error as Error);
		} finally {
			// One that stays makes every promise of the process slower, in the test files after this one, too.
			insideOfPoll.disable();
		}
	}

	/** n8n 2.40 with N8N_POLLER_DURABLE_CURSORS_ENABLED off: the durable engine polls, and the state stays with the workflow. */
	keepsDurableStateInWorkflow = false;

	/** With durable cursors on, n8n makes a row in the table of the durable engine for each node when the workflow is published. A row that is there stays in use after they were switched off. */
	keepsNodeDataApart = false;

	/** Since n8n 2.38 the usual engine says what became of a start. */
	reportsStarts = false;

	/** How many of the usual engine's next executions the database does not accept. */
	failingExecutions = 0;

	/** Commits of the durable engine that wait, as behind a busy database; null: none has to wait. */
	waitingCommits: Array<() => void> | null = null;

	/** How long the durable engine's next starts take to be committed: each has a transaction of its own. */
	commitTakesMs: number[] = [];

	/** How many of the durable engine's next starts the database does not accept. */
	failingCommits = 0;

	/** Whether the durable poll under way may still commit; n8n takes that away when the workflow is published again. */
	holdsLease = true;

	/** The commits of all its starts. */
	readonly commits: Array<Promise<void>> = [];

	/** Whether what the durable engine starts finishes while its poll continues. */
	endsExecutions = true;

	private readonly runningExecutions: Array<() => void> = [];

	/** What the durable engine has started and what still runs finishes. */
	endExecutions(): void {
		for (const end of this.runningExecutions.splice(0)) end();
	}

	/** The durable engine's table: the node's data by node ID. */
	readonly durableCursors = new Map<string, IDataObject>();

	async unpublish(): Promise<void> {
		this.isPublished = false;
		await activeWorkflows().remove(this.workflowId);
		for (const table of this.tables.splice(0)) table.disable();
	}

	/** Fetch Test Event in the editor: the items it shows. */
	async fetchTestEvent(parameters: IDataObject): Promise<IDataObject[]> {
		const node = nodeOf(TRIGGER, 'Trigger', parameters);
		const context = new core.PollContext(
			this.workflowOf([node], false),
			node,
			additionalData(this.credentials, 'manual'),
			'manual',
			'manual',
		);
		const items = (await typeOf(TRIGGER).poll?.call(context)) ?? null;
		return (items?.[0] ?? []).map(({ json }) => json);
	}

	/** A call to the production address of a trigger's webhook, as n8n handles one: a workflow fresh from the database, saved before the answer. */
	async call(call: WebhookCall): Promise<WebhookAnswer> {
		const node = this.nodes.find(({ name }) => name === (call.trigger ?? this.nodes[0]?.name));
		if (node === undefined) throw new Error('No such trigger is published');
		return await this.receive(node, call, 'webhook');
	}

	/** A call to the test address, while the editor listens. */
	async testCall(parameters: IDataObject, call: WebhookCall): Promise<WebhookAnswer> {
		return await this.receive(nodeOf(TRIGGER, 'Trigger', parameters), call, 'manual');
	}

	private async receive(
		node: INode,
		call: WebhookCall,
		mode: WorkflowExecuteMode,
	): Promise<WebhookAnswer> {
		const { method = 'POST', query = {}, body = {}, isCallerGone = false } = call;
		const secret = this.credentials.data?.webhookSecret;
		const headers = call.headers ?? (secret === undefined ? {} : { 'x-webhook-secret': secret });
		const workflow = this.workflowOf(this.withNeighbors(node));
		const type = typeOf(node.type);
		const webhookDescription = type.description.webhooks?.find((webhook) => {
			const path = workflow.expression.getSimpleParameterValue(node, webhook.path, 'internal', {});
			const methods = workflow.expression.getSimpleParameterValue(
				node,
				webhook.httpMethod,
				'internal',
				{},
			);
			return path !== undefined && String(methods).split(',').includes(method);
		});
		if (webhookDescription === undefined) throw new Error(`No webhook is registered for ${method}`);
		const sent: WebhookAnswer = { status: 0, body: undefined, headers: {}, items: null };
		const whenClosed: Array<() => void> = [];
		const httpResponse = {
			closed: isCallerGone,
			once: (_event: 'close', done: () => void) => void whenClosed.push(done),
			setHeader: (name: string, value: string) => void (sent.headers[name] = value),
			status: (status: number) => {
				sent.status = status;
				return { json: (answer: unknown) => void (sent.body = answer) };
			},
		};
		const httpRequest = {
			method,
			query,
			body,
			headers,
			rawBody:
				call.rawBody === undefined
					? Buffer.from(JSON.stringify(body))
					: (call.rawBody ?? undefined),
			params: {},
		};
		const data = {
			...additionalData(this.credentials, mode),
			httpRequest,
			httpResponse,
		} as unknown as IWorkflowExecuteAdditionalData;
		const webhookData = {
			webhookDescription,
			node: node.name,
			path: 'orders',
			httpMethod: method,
			workflowId: this.workflowId,
		};
		const context = new core.WebhookContext(
			workflow,
			node,
			data,
			mode,
			webhookData as never,
			[],
			null,
		);
		const { webhookResponse, noWebhookResponse, workflowData } =
			(await type.webhook?.call(context)) ?? {};
		this.save(workflow);
		if (!isCallerGone && call.isCallerHanging !== true) for (const done of whenClosed) done();
		const items = workflowData?.[0]?.map(({ json }) => json) ?? null;
		if (noWebhookResponse === true) return { ...sent, items };
		const status: unknown = workflow.expression.getSimpleParameterValue(
			node,
			webhookDescription.responseCode as string,
			mode,
			{},
		);
		return {
			...sent,
			status: Number(status),
			// Next to items, n8n sends what the description states, or this.
			body: workflowData === undefined ? webhookResponse : 'firstEntryJson',
			items,
		};
	}

	/** Events of a workflow that is no longer published: n8n 2.40 saves the state and starts nothing. */
	readonly dropped: Started[] = [];

	private isPublished = false;

	/** As n8n's emit: the whole column is saved if anything in it has changed, then the execution starts. */
	private emit(workflow: Workflow, node: INode, items: INodeExecutionData[][]): void {
		this.save(workflow);
		if (this.isPublished) this.record(node, items);
		else this.drop(node, items);
	}

	private drop(node: INode, items: INodeExecutionData[][]): void {
		for (const { json } of items[0] ?? []) this.dropped.push({ trigger: node.name, json });
	}

	private record(node: INode, items: INodeExecutionData[][]): void {
		for (const { json } of items[0] ?? []) this.started.push({ trigger: node.name, json });
		for (const { count, resolve } of this.waiting) if (this.started.length >= count) resolve();
	}

	/** Resolves when so many items in all have started executions. */
	async untilStarted(count: number): Promise<void> {
		if (this.started.length >= count) return;
		await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
	}

	private save(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.database.set(
			String(workflow.id),
			JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject,
		);
		workflow.staticData.__dataChanged = false;
	}
}

/** How long the ticks after a poll wait for the service, in milliseconds: what hangs is left to later ones. */
const ROUND_MS = 5_000;

/** One tick; without Keep Checking one more for each result of the round of checks that the poll has begun. */
async function ticksOf(context: IPollFunctions, tick: () => void): Promise<void> {
	tick();
	const { checker = null, settings = null } = knownSession(context) ?? {};
	if (checker === null || settings?.keepChecking !== false) return;
	const end = n8nClock.now() + ROUND_MS;
	for (let ticks = 0; ticks < 2_000 && (await checker.next(end)); ticks++) tick();
}

/** The two names that n8n-core gives the same thing. */
interface ActiveWorkflowsLike {
	add(...parameters: unknown[]): Promise<void>;
	remove(workflowId: string): Promise<unknown>;
}

function activeWorkflows(): ActiveWorkflowsLike {
	const exported = core as unknown as Record<
		string,
		new () => ActiveWorkflowsLike & { addAllTriggers?: ActiveWorkflowsLike['add'] }
	>;
	const Class = exported.ActiveWorkflows ?? exported.ActiveWorkflowTriggers;
	if (Class === undefined)
		throw new Error('This n8n-core registers workflows in a way that is not known here');
	const active = Container.get(Class);
	return {
		add: async (...parameters) =>
			await (active.addAllTriggers ?? active.add).apply(active, parameters),
		remove: async (workflowId) => await active.remove(workflowId),
	};
}
