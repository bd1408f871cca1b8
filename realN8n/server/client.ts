import { Agent } from 'node:http';
import axios, { type AxiosInstance, type AxiosResponse, type Method } from 'axios';
import { parse } from 'flatted';

import { until } from '../machine/until';
import type {
	CredentialDefinition,
	CredentialTestResult,
	Execution,
	ExecutionSummary,
	JsonObject,
	NodeRun,
	StoredCredential,
	StoredWorkflow,
	WorkflowDefinition,
} from './types';

/** The person who owns a rehearsal's n8n. Not a secret: that n8n is reached from this machine only. */
export const OWNER = {
	email: 'owner@example.com',
	password: 'Bridge-rehearsal-1',
	firstName: 'Bridge',
	lastName: 'Builder',
};

/** n8n gives no more at once, whatever is asked for. */
const EXECUTIONS_A_PAGE = 100;

/** How many times a workflow is published of which n8n says "not published", and no trigger why, as on a busy machine. */
const MAX_PUBLICATIONS = 3;

/** Pages go by the time of the start, their bounds by ID: where several begin at once, as on workers, the two orders differ by some. */
const OUT_OF_ORDER = 40;

/** n8n said no; the message is n8n's own. */
export class N8nError extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

interface StoredExecutionData {
	resultData?: { runData?: Record<string, NodeRun[]>; error?: NonNullable<Execution['error']> };
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ errorMessage: string | null }>;
}

/** A running n8n as its own editor talks to it: the REST interface behind a login. */
export class N8nClient {
	private readonly http: AxiosInstance;

	constructor(readonly url: string) {
		this.http = axios.create({
			baseURL: url,
			proxy: false,
			timeout: 60_000,
			validateStatus: () => true,
			// A busy n8n may close a connection that is kept open at the moment of the next request.
			httpAgent: new Agent({ keepAlive: false }),
		});
	}

	/** Signs in as the owner; on a new n8n that sets the owner up first. */
	async signIn(): Promise<void> {
		const settings = await this.call<{ userManagement?: { showSetupOnFirstLoad?: boolean } }>(
			'GET',
			'/settings',
		);
		const isNew = settings.userManagement?.showSetupOnFirstLoad === true;
		const login = { emailOrLdapLoginId: OWNER.email, password: OWNER.password };
		const { status, data, headers } = await onceNotBusy<unknown>(
			async () =>
				await (isNew
					? this.http.post('/rest/owner/setup', OWNER)
					: this.http.post('/rest/login', login)),
		);
		if (status !== 200) throw n8nError(status, data);
		const cookies: unknown = headers['set-cookie'];
		if (!Array.isArray(cookies)) throw new Error('n8n gave no cookie at the login.');
		this.http.defaults.headers.common.cookie = cookies
			.map((each) => String(each).split(';')[0])
			.join('; ');
	}

	/** The owner's own, as in the editor's settings. */
	async changePassword(currentPassword: string, newPassword: string): Promise<void> {
		await this.call('PATCH', '/me/password', { currentPassword, newPassword });
	}

	/** Descriptions of all nodes or credentials that this n8n has loaded. */
	async loadedTypes(kind: 'nodes' | 'credentials'): Promise<Array<{ name: string } & JsonObject>> {
		const written = async () => {
			const { status, data } = await onceNotBusy<unknown>(
				async () => await this.http.get(`/types/${kind}.json`),
			);
			if (status !== 200) throw n8nError(status, data);
			// While n8n writes the file, a part of it comes, which is no list.
			return Array.isArray(data) && (data as Array<{ name: string } & JsonObject>);
		};
		return await until(`the descriptions of ${kind}`, written, { seconds: 30 });
	}

	async createCredential(definition: CredentialDefinition): Promise<StoredCredential> {
		return await this.call('POST', '/credentials', definition);
	}

	async updateCredential(id: string, definition: CredentialDefinition): Promise<StoredCredential> {
		return await this.call('PATCH', `/credentials/${id}`, definition);
	}

	async credentials(): Promise<StoredCredential[]> {
		return await this.call('GET', '/credentials');
	}

	async deleteCredential(id: string): Promise<void> {
		await this.call('DELETE', `/credentials/${id}`);
	}

	/** A credential with its fields as the editor reads them; secret ones are blanked by n8n. */
	async credentialForEditor(id: string): Promise<JsonObject> {
		return await this.call('GET', `/credentials/${id}`, undefined, { includeData: true });
	}

	/** What the button "Test" in the credential's window says; `stored` is what was saved under that id before. */
	async testCredential(stored: StoredCredential, data: JsonObject): Promise<CredentialTestResult> {
		const { id, name, type } = stored;
		return await this.call('POST', '/credentials/test', { credentials: { id, name, type, data } });
	}

	async createWorkflow(definition: WorkflowDefinition): Promise<StoredWorkflow> {
		// n8n 1 demands this
		return await this.call('POST', '/workflows', { settings: {}, active: false, ...definition });
	}

	async workflows(): Promise<Array<{ id: string; name: string }>> {
		return await this.call('GET', '/workflows');
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return await this.call('GET', `/workflows/${id}`);
	}

	async archiveWorkflow(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/archive`, {});
	}

	async unarchiveWorkflow(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/unarchive`, {});
	}

	/** Only an archived one can be deleted. */
	async deleteWorkflow(id: string): Promise<void> {
		await this.call('DELETE', `/workflows/${id}`);
	}

	/** Saves a workflow's content as the editor does; the published version stays until publish(). */
	async updateWorkflow(
		id: string,
		{ name, nodes, connections }: WorkflowDefinition,
	): Promise<StoredWorkflow> {
		return await this.call('PATCH', `/workflows/${id}`, { name, nodes, connections });
	}

	/**
	 * Publishes the newest version of a workflow and waits until its triggers are on.
	 * @throws N8nError with n8n's message when a trigger refuses
	 */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		for (let count = 1; ; count++) {
			await this.call('POST', `/workflows/${id}/activate`, { versionId });
			const { status, triggers } = await this.publicationEnd(id);
			if (status === 'published') return;
			if (status === 'not_published' && count < MAX_PUBLICATIONS) continue;
			throw new N8nError(
				400,
				triggers.map(({ errorMessage }) => errorMessage ?? '').join('\n') || status,
			);
		}
	}

	/** Unpublishes a workflow and waits until its triggers and webhooks are off. */
	async unpublish(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
		await this.publicationEnd(id);
	}

	/**
	 * Runs a workflow from one of its triggers and waits until it has finished.
	 * @param events what the trigger gives, for one that waits for events, such as a message in the editor's chat
	 */
	async runManually(
		workflow: StoredWorkflow,
		triggerName: string,
		seconds = 120,
		...events: JsonObject[]
	): Promise<Execution> {
		const items = events.map((json) => ({ json }));
		const data = items.length === 0 ? undefined : { data: { main: [items] } };
		const { executionId } = await this.call<{ executionId: string }>(
			'POST',
			`/workflows/${workflow.id}/run`,
			{
				workflowData: workflow,
				triggerToStartFrom: { name: triggerName, data },
			},
		);
		return await this.executionEnd(executionId, seconds);
	}

	/** Makes n8n listen at the test address of a workflow's trigger, as the editor does when its test waits for a call. */
	async listenForTest(workflow: StoredWorkflow, triggerName: string): Promise<void> {
		const { waitingForWebhook } = await this.call<{ waitingForWebhook?: boolean }>(
			'POST',
			`/workflows/${workflow.id}/run`,
			{
				workflowData: workflow,
				triggerToStartFrom: { name: triggerName },
			},
		);
		if (waitingForWebhook !== true)
			throw new Error('n8n does not wait for a call to the test address.');
	}

	/** All executions of a workflow, the oldest first. */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		const filter = JSON.stringify({ workflowId });
		const found = new Map<string, ExecutionSummary>();
		for (let before = {}; ;) {
			const page = { filter, limit: EXECUTIONS_A_PAGE, ...before };
			const { results, nextCursor } = await this.call<{
				results: ExecutionSummary[];
				nextCursor?: string | null;
			}>('GET', '/executions', undefined, page);
			const isNew = results.some(({ id }) => !found.has(id));
			for (const execution of results) found.set(execution.id, execution);
			if (!isNew || results.length < EXECUTIONS_A_PAGE) break;
			const id = String(
				Math.min(...results.map((execution) => Number(execution.id))) + OUT_OF_ORDER,
			);
			before = nextCursor === undefined ? { lastId: id } : { cursor: cursorBefore(id) };
		}
		return [...found.values()].sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** One execution with the items of its nodes. */
	async execution(id: string): Promise<Execution> {
		const { data, ...summary } = await this.call<ExecutionSummary & { data: string }>(
			'GET',
			`/executions/${id}`,
		);
		// undefined: an execution that has no data yet
		const parsed = parse(data) as StoredExecutionData | undefined;
		return {
			...summary,
			error: parsed?.resultData?.error ?? null,
			runs: parsed?.resultData?.runData ?? {},
		};
	}

	/** Waits until an execution has finished, well or not. */
	async executionEnd(id: string, seconds: number): Promise<Execution> {
		return await until(
			`execution ${id} to end`,
			async () => {
				const execution = await this.execution(id);
				return ['new', 'running', 'waiting'].includes(execution.status) ? null : execution;
			},
			{ seconds },
		);
	}

	/** Newer n8n publishes and unpublishes in the background, and says how it went; older ones have done it when they answer. */
	private async publicationEnd(id: string): Promise<PublicationStatus> {
		const done: PublicationStatus = { status: 'published', triggers: [] };
		return await until(
			'the publication to end',
			async () => {
				const { status, data } = await this.http.get(`/rest/workflows/${id}/publication-status`);
				if (status === 404) return done;
				if (isBusy({ status, data })) return null;
				if (status !== 200) throw n8nError(status, data);
				const publication = unwrap<PublicationStatus>(data);
				return publication.status === 'in_progress' ? null : publication;
			},
			{ seconds: 60 },
		);
	}

	private async call<T>(
		method: Method,
		path: string,
		body?: unknown,
		params?: JsonObject,
	): Promise<T> {
		const { status, data } = await onceNotBusy<unknown>(
			async () => await this.http.request({ method, url: `/rest${path}`, data: body, params }),
		);
		if (status < 200 || status > 299) throw n8nError(status, data);
		return unwrap<T>(data);
	}
}

/** The answer to a request to n8n, which is sent again while n8n is busy and has done nothing. */
export async function onceNotBusy<T>(
	request: () => Promise<AxiosResponse<T>>,
): Promise<AxiosResponse<T>> {
	return await until(
		'n8n, which is busy',
		async () => {
			const answer = await request();
			return isBusy(answer) ? null : answer;
		},
		{ seconds: 60 },
	);
}

/**
 * n8n does nothing and says so: while its own check of its database takes too long, as on a machine with much to do, and from 2.41 on
 * while what is to be deleted is still being unpublished.
 */
export function isBusy({ status, data }: { status: number; data: unknown }): boolean {
	const saying = (words: string): boolean => JSON.stringify(data).includes(words);
	return (
		(status === 503 && saying('Database is not ready')) ||
		(status === 409 && saying('still being unpublished'))
	);
}

/** n8n wraps its answers as {data}. */
function unwrap<T>(answer: unknown): T {
	if (typeof answer === 'object' && answer !== null && 'data' in answer) return answer.data as T;
	throw new Error(`n8n gave an answer without data: ${JSON.stringify(answer).slice(0, 300)}`);
}

function n8nError(status: number, answer: unknown): N8nError {
	const isObject = typeof answer === 'object' && answer !== null;
	const message = isObject && 'message' in answer ? String(answer.message) : JSON.stringify(answer);
	return new N8nError(status, message);
}

/** As n8n 2.41 makes it, which reads nothing but its ID. */
function cursorBefore(id: string): string {
	const cursor = { version: 1, v1: { id, timestamp: new Date().toISOString() } };
	return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}
