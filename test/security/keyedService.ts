import { httpAnswer, startRawServer } from './rawServer';

/** What a request asked for, and with which key. */
interface KeyedRequest {
	/** Path and query. */
	url: string;
	key: string;
}

/** One whole answer, as it goes over the connection. */
type Bytes = ReturnType<typeof httpAnswer>;

/** A bridge service of a test's own that writes down which keys it was sent, at which path. */
export interface KeyedService {
	url: string;
	/** `path key`, in the order of arrival. */
	received: string[];
	/** Keys that were sent, each once. */
	keys(): string[];
	/** What each order is answered with. */
	status: string;
	/** The answer in the place of the service's own; null: the service answers. */
	answer: (request: KeyedRequest) => Bytes | null | Promise<Bytes>;
	/** Resolves when so many requests have come. */
	untilReceived(count: number): Promise<void>;
	stop(): Promise<void>;
}

const CONFIG = {
	networks: [
		{
			chainID: 1,
			name: 'Ethereum',
			baseToken: 'ETH',
			decimals: 18,
			gateway: '0x1',
			tokens: { NATIVE: `0x${'0'.repeat(40)}` },
		},
	],
};

/** The service answers itself. */
export const asUsual: KeyedService['answer'] = () => null;

export async function startKeyedService(): Promise<KeyedService> {
	const waiting: Array<{ count: number; resolve: () => void }> = [];
	const server = await startRawServer(async (socket, head) => {
		const url = / (\S+) HTTP/.exec(head ?? '')?.[1] ?? '';
		const key = /^x-api-key: (.*)\r$/im.exec(head ?? '')?.[1] ?? 'undefined';
		service.received.push(`${new URL(url, 'http://x').pathname} ${key}`);
		for (const { count, resolve } of waiting) if (service.received.length >= count) resolve();
		const data = url.includes('/config') ? CONFIG : { orderId: '0x1', status: service.status };
		const own = httpAnswer(JSON.stringify({ success: true, data }));
		socket.end((await service.answer({ url, key })) ?? own);
	});
	const service: KeyedService = {
		url: `http://127.0.0.1:${server.port}`,
		received: [],
		keys: () => [...new Set(service.received.map((line) => line.slice(line.indexOf(' ') + 1)))],
		status: 'pending',
		answer: asUsual,
		untilReceived: async (count) => {
			if (service.received.length < count)
				await new Promise<void>((resolve) => waiting.push({ count, resolve }));
		},
		stop: server.stop,
	};
	return service;
}

/** Answers with a status and JSON. */
export function answering(
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): () => Bytes {
	return () => httpAnswer(JSON.stringify(body), { status: `${status} Said`, headers });
}
