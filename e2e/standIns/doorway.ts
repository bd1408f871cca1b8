import { once } from 'node:events';
import {
	createServer,
	request as requestOf,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const HOST = '127.0.0.1';

/** One answer of the service as it went through. */
interface PassedAnswer {
	/** Path and query of the request. */
	path: string;
	status: number;
	body: string;
}

/**
 * An address in front of the sandbox that can be shut: then nothing listens there, as where a service is away, while
 * its orders continue. It passes everything on as it comes, and reports each answer once that has gone out.
 */
export class Doorway {
	private readonly listeners = new Set<(answer: PassedAnswer) => void>();
	private server: Server | null = null;

	private constructor(
		private readonly target: string,
		private port: number,
	) {}

	/** @param target the sandbox's URL */
	static async open(target: string): Promise<Doorway> {
		const doorway = new Doorway(target, 0);
		await doorway.open();
		return doorway;
	}

	get url(): string {
		return `http://${HOST}:${this.port}`;
	}

	/** Lets requests in again, at the same address. */
	async open(): Promise<void> {
		const server = createServer((request, response) => {
			this.pass(request, response).catch(() => response.destroy());
		});
		server.listen(this.port, HOST);
		await once(server, 'listening');
		this.port = (server.address() as AddressInfo).port;
		this.server = server;
	}

	/** From now on connections are refused; those that are open are dropped. Can be called twice. */
	async shut(): Promise<void> {
		const { server } = this;
		if (server === null) return;
		this.server = null;
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	}

	/** @returns the function that stops the reports */
	onAnswer(listener: (answer: PassedAnswer) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = request.url ?? '/';
		const forwarded = requestOf(`${this.target}${path}`, {
			method: request.method,
			headers: request.headers,
			agent: false,
		});
		forwarded.end(await buffer(request));
		const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
		const body = await buffer(answer);
		const status = answer.statusCode ?? 502;
		response.writeHead(status, answer.headers);
		response.end(body);
		await once(response, 'finish');
		for (const listener of this.listeners) listener({ path, status, body: body.toString() });
	}
}
