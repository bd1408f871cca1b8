import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it came in. */
interface ReceivedRequest {
	path: string;
	headers: IncomingHttpHeaders;
}

interface Stranger {
	url: string;
	/** Every request so far, the oldest first. */
	requests: readonly ReceivedRequest[];
}

/** A server on this machine that is not the bridge service, and keeps what it is sent. It answers as the service does. */
export async function withStranger(body: (stranger: Stranger) => Promise<void>): Promise<void> {
	const requests: ReceivedRequest[] = [];
	const server = createServer(({ url = '', headers }, response) => {
		requests.push({ path: url, headers });
		response
			.setHeader('content-type', 'application/json')
			.end('{"success":true,"data":{"networks":[]}}');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	try {
		await body({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests });
	} finally {
		server.close();
		server.closeAllConnections();
	}
}
