import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bridge service of a test's own that writes down which keys it was sent, at which path. */
export interface KeyedService {
	url: string;
	/** `path key`, in the order of arrival. */
	received: string[];
	/** Keys that were sent, each once. */
	keys(): string[];
	/** What each order is answered with. */
	status: string;
	/** Answers instead of the service; false: the service answers. */
	answer: (request: http.IncomingMessage, response: http.ServerResponse) => boolean;
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

export async function startKeyedService(): Promise<KeyedService> {
	const waiting: Array<{ count: number; resolve: () => void }> = [];
	const server = http.createServer((request, response) => {
		service.received.push(
			`${new URL(request.url ?? '', 'http://x').pathname} ${String(request.headers['x-api-key'])}`,
		);
		for (const { count, resolve } of waiting) if (service.received.length >= count) resolve();
		if (service.answer(request, response)) return;
		const data =
			request.url?.includes('/config') === true
				? CONFIG
				: { orderId: '0x1', status: service.status };
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ success: true, data }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const service: KeyedService = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received: [],
		keys: () => [...new Set(service.received.map((line) => line.slice(line.indexOf(' ') + 1)))],
		status: 'pending',
		answer: () => false,
		untilReceived: async (count) => {
			if (service.received.length < count)
				await new Promise<void>((resolve) => waiting.push({ count, resolve }));
		},
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return service;
}

/** Answers with a status and JSON. */
export function answering(
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): KeyedService['answer'] {
	return (_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
		return true;
	};
}
