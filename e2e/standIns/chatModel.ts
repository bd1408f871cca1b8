import Fastify from 'fastify';

import type { JsonObject } from '../../realN8n/server/types';

const HOST = '127.0.0.1';
const API_KEY = 'stand-in-key';
const SOURCE_HASH = /0x[0-9a-f]{64}/i;

interface ToolCall {
	id: string;
	type: 'function';
	function: { name: string; arguments: string };
}

interface ChatMessage {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content?: string | Array<{ type: string; text?: string }> | null;
	tool_calls?: ToolCall[];
}

interface ChatTool {
	function: {
		name: string;
		description?: string;
		parameters?: { properties?: Record<string, JsonObject> };
	};
}

interface ChatRequest {
	model: string;
	messages: ChatMessage[];
	tools?: ChatTool[];
	stream?: boolean;
}

/** What the model decided: to say something, or to use a tool. */
type Reply =
	{ content: string; tool_calls?: undefined } | { content: null; tool_calls: ToolCall[] };

/**
 * Stands for a language model with the interface of OpenAI's chat completions: it finds the hash in the question, hands it to the
 * tool that takes a hash, and words its answer from what the tool gave. Nothing is known in advance.
 */
export class ChatModel {
	private readonly asked: ChatRequest[] = [];
	private readonly server = Fastify({ forceCloseConnections: true });
	private url = '';

	private constructor() {
		this.server.addHook('onRequest', async (request, reply) => {
			if (request.headers.authorization === `Bearer ${API_KEY}`) return;
			await reply
				.code(401)
				.send({ error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } });
		});
		this.server.get('/v1/models', () => ({
			object: 'list',
			data: [{ id: 'gpt-5-mini', object: 'model' }],
		}));
		this.server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }, reply) => {
			if (body.stream === true) {
				return await reply.code(400).send({ error: { message: 'This stand-in does not stream' } });
			}
			this.asked.push(body);
			return completion(body.model, replyTo(body));
		});
	}

	/** Listens on a free port. */
	static async start(): Promise<ChatModel> {
		const model = new ChatModel();
		model.url = await model.server.listen({ host: HOST, port: 0 });
		return model;
	}

	/** The data of an OpenAI credential of n8n that leads here. */
	get credentialData(): JsonObject {
		return { apiKey: API_KEY, url: `${this.url}/v1`, organizationId: '', header: false };
	}

	/** What the model has been asked so far, the oldest first. */
	get requests(): readonly ChatRequest[] {
		return this.asked;
	}

	async stop(): Promise<void> {
		await this.server.close();
	}
}

function textOf({ content }: ChatMessage): string {
	if (typeof content === 'string') return content;
	return (content ?? []).map(({ text }) => text ?? '').join('');
}

function replyTo({ messages, tools = [] }: ChatRequest): Reply {
	const last = messages.at(-1);
	if (last === undefined) return { content: 'What is your question?' };
	if (last.role === 'tool') return { content: wordsFor(textOf(last)) };
	const [sourceHash] = SOURCE_HASH.exec(textOf(last)) ?? [];
	if (sourceHash === undefined)
		return { content: 'Please give me the source transaction hash of your order.' };
	const call = callFor(tools, sourceHash);
	return call === undefined
		? { content: 'I have no tool that could look up an order.' }
		: { content: null, tool_calls: [call] };
}

/** A call of the first tool one of whose arguments is a hash. */
function callFor(tools: ChatTool[], sourceHash: string): ToolCall | undefined {
	for (const { function: tool } of tools) {
		const argument = Object.keys(tool.parameters?.properties ?? {}).find((name) =>
			/hash/i.test(name),
		);
		if (argument === undefined) continue;
		const given = JSON.stringify({ [argument]: sourceHash });
		return { id: 'call_1', type: 'function', function: { name: tool.name, arguments: given } };
	}
	return undefined;
}

/** The answer to a person, made from the items that the tool gave. */
function wordsFor(toolResult: string): string {
	const orders = itemsIn(toolResult);
	if (orders.length === 0) return `The tool gave: ${toolResult}`;
	return orders
		.map(({ status, summary }) =>
			`Your order is ${String(status)}. ${String(summary ?? '')}`.trim(),
		)
		.join('\n');
}

/** The items in a tool's result: the JSON of one item or of a list; none if it is other text. */
function itemsIn(text: string): JsonObject[] {
	try {
		const parsed = JSON.parse(text) as unknown;
		const list = Array.isArray(parsed) ? parsed : [parsed];
		return list.filter((each): each is JsonObject => typeof each === 'object' && each !== null);
	} catch {
		return [];
	}
}

function completion(model: string, reply: Reply): JsonObject {
	return {
		id: 'chatcmpl-stand-in',
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model,
		choices: [
			{
				index: 0,
				message: { role: 'assistant', ...reply },
				finish_reason: reply.tool_calls === undefined ? 'stop' : 'tool_calls',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
