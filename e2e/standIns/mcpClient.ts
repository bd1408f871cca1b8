import axios, { type AxiosInstance } from 'axios';

import type { JsonObject } from '../../realN8n/server/types';

const PROTOCOL_VERSION = '2025-06-18';

interface McpTool {
	name: string;
	description?: string;
	inputSchema: { properties?: JsonObject };
}

/** Stands for a program that speaks MCP over streamable HTTP: it lists the tools of a server and calls them. */
export class McpClient {
	private lastId = 0;

	private constructor(private readonly http: AxiosInstance) {}

	/**
	 * Begins a session.
	 * @param headers what the server asks of whoever calls it
	 * @throws the HTTP status as an Error when the server refuses
	 */
	static async connect(url: string, headers: Record<string, string>): Promise<McpClient> {
		const client = new McpClient(
			axios.create({
				baseURL: url,
				headers: { ...headers, accept: 'application/json, text/event-stream' },
				proxy: false,
				timeout: 60_000,
				validateStatus: () => true,
				responseType: 'text',
				transformResponse: (body: string) => body,
			}),
		);
		const { sessionId } = await client.request('initialize', {
			protocolVersion: PROTOCOL_VERSION,
			capabilities: {},
			clientInfo: { name: 'stand-in', version: '1' },
		});
		client.http.defaults.headers.common['mcp-session-id'] = sessionId;
		client.http.defaults.headers.common['mcp-protocol-version'] = PROTOCOL_VERSION;
		await client.http.post('', { jsonrpc: '2.0', method: 'notifications/initialized' });
		return client;
	}

	async tools(): Promise<McpTool[]> {
		return (await this.request('tools/list', {})).result.tools as unknown as McpTool[];
	}

	/** The text that a tool gives. */
	async call(name: string, given: JsonObject): Promise<string> {
		const { result } = await this.request('tools/call', { name, arguments: given });
		const content = result.content as unknown as Array<{ text?: string }>;
		return content.map(({ text = '' }) => text).join('\n');
	}

	private async request(
		method: string,
		params: JsonObject,
	): Promise<{ result: JsonObject; sessionId: string }> {
		const id = ++this.lastId;
		const body = { jsonrpc: '2.0', id, method, params };
		const { status, data, headers } = await this.http.post<string>('', body);
		if (status !== 200) throw new Error(`HTTP ${status}: ${data}`);
		const messages = messagesIn(data).filter((message) => message.id === id);
		const [message] = messages;
		if (message?.result === undefined) throw new Error(`No result of ${method}: ${data}`);
		return {
			result: message.result as JsonObject,
			sessionId: String(headers['mcp-session-id'] ?? ''),
		};
	}
}

/** The messages of a body, which is one of them as JSON, or a stream of events. */
function messagesIn(body: string): JsonObject[] {
	if (body.startsWith('{')) return [JSON.parse(body) as JsonObject];
	return body
		.split('\n')
		.filter((line) => line.startsWith('data:'))
		.map((line) => JSON.parse(line.slice('data:'.length)) as JsonObject);
}
