import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { JsonObject } from '../../realN8n/server/types';

const HOST = '127.0.0.1';
const BOT_TOKEN = '1234:stand-in';

/** Stands in for Telegram's Bot API and for a Discord webhook: keeps the messages that n8n's own nodes send. */
export class ChatApps {
	/** By app, in the order in which they came. */
	readonly messages: Array<{ app: 'telegram' | 'discord'; body: JsonObject }> = [];

	private constructor(private readonly server: Server) {
		server.on('request', (request, response) => {
			void text(request).then((body) => {
				const app =
					request.url?.startsWith(`/bot${BOT_TOKEN}/sendMessage`) === true
						? 'telegram'
						: request.url?.startsWith('/discord') === true
							? 'discord'
							: null;
				response.statusCode = app === null ? 404 : 200;
				response.setHeader('content-type', 'application/json');
				if (app !== null) this.messages.push({ app, body: JSON.parse(body) as JsonObject });
				response.end(JSON.stringify({ ok: app !== null, result: {} }));
			});
		});
	}

	/** Listens on a free port. */
	static async start(): Promise<ChatApps> {
		const server = createServer();
		server.listen(0, HOST);
		await once(server, 'listening');
		return new ChatApps(server);
	}

	/** The texts that came by Telegram so far. */
	get telegrams(): string[] {
		return this.messages
			.filter(({ app }) => app === 'telegram')
			.map(({ body }) => String(body.text));
	}

	/** The data of n8n's credentials that lead here. */
	get telegramCredential(): JsonObject {
		return { accessToken: BOT_TOKEN, baseUrl: this.url };
	}

	get discordCredential(): JsonObject {
		return { webhookUri: `${this.url}/discord` };
	}

	private get url(): string {
		return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
	}
}
