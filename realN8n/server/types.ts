/** The parts of n8n's workflow, execution and credential shapes that are read or written here. */

export type JsonObject = Record<string, unknown>;

export interface NodeDefinition {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: JsonObject;
	credentials?: Record<string, { id: string; name: string }>;
	executeOnce?: boolean;
	[more: string]: unknown;
}

interface Connection {
	node: string;
	type: 'main';
	index: number;
}

export type Connections = Record<string, { main: Connection[][] }>;

export interface WorkflowDefinition {
	name: string;
	nodes: NodeDefinition[];
	connections: Connections;
	/** Items that nodes give without being run, by node. */
	pinData?: Record<string, Array<{ json: JsonObject }>>;
	settings?: JsonObject;
}

export interface StoredWorkflow extends WorkflowDefinition {
	id: string;
	active: boolean;
	isArchived?: boolean;
	/** The newest saved version; publishing names the version that it publishes. */
	versionId: string;
}

export interface CredentialDefinition {
	name: string;
	type: string;
	data: JsonObject;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

type ExecutionStatus =
	'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled' | 'unknown';

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	/** `trigger` when the workflow was started by a trigger, `manual` when a person ran it. */
	mode: string;
	status: ExecutionStatus;
	createdAt: string;
	/** ISO text. */
	startedAt: string;
	stoppedAt: string | null;
}

export interface NodeRun {
	executionStatus?: string;
	error?: { message?: string; description?: string | null };
	data?: { main?: Array<Array<{ json: JsonObject }> | null> };
}

export interface Execution extends ExecutionSummary {
	error: { message?: string; description?: string | null } | null;
	/** Node name to its runs in this execution. */
	runs: Record<string, NodeRun[]>;
}

/** The items that came out of a node's first output (or another one), over all its runs. */
export function itemsOf(
	execution: Pick<Execution, 'runs'>,
	nodeName: string,
	output = 0,
): JsonObject[] {
	const runs = execution.runs[nodeName] ?? [];
	return runs.flatMap((run) => (run.data?.main?.[output] ?? []).map((item) => item.json));
}
