import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

/** A small RSS feed on this machine, for n8n's own RSS Feed Trigger. */
export class RssFeed {
	private readonly items: string[] = [];

	private constructor(private readonly server: Server) {
		server.on('request', (_request, response) => {
			response.setHeader('content-type', 'application/rss+xml');
			response.end(
				`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${this.items.join('')}</channel></rss>`,
			);
		});
	}

	static async start(): Promise<RssFeed> {
		const server = createServer();
		server.listen(0, HOST);
		await once(server, 'listening');
		return new RssFeed(server);
	}

	get url(): string {
		return `http://${HOST}:${(this.server.address() as AddressInfo).port}/feed`;
	}

	/** An item of this moment, or of another one. New is, for the trigger, what is later than all that it has found before. */
	add(title: string, at: number = Date.now()): void {
		const date = new Date(at).toUTCString();
		this.items.push(
			`<item><title>${title}</title><guid>${title}</guid><pubDate>${date}</pubDate></item>`,
		);
	}

	async stop(): Promise<void> {
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
	}
}
