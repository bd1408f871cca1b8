import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';

/** A server that speaks whatever a test wants it to, down to the byte. */
export interface RawServer {
	port: number;
	/** Connections that were opened, and those that are open now. */
	opened: number;
	open: ReadonlySet<Socket>;
	/** All that came in, of all connections. */
	received(): string;
	/** Bytes that were sent. */
	sent(): number;
	/** Resolves when the last open connection has been closed by the other side. */
	allClosed(): Promise<void>;
	stop(): Promise<void>;
}

/** What is done with a connection on which a whole request head has come, or at once where `request` is null. */
export type Behavior = (socket: Socket, request: string | null) => unknown;

export interface RawServerOptions {
	tls?: { key: string; cert: string };
	/** Called with each connection before anything is read. */
	atOnce?: boolean;
}

const started: RawServer[] = [];

/** Whatever a test file has started ends with it. */
afterAll(async () => void (await Promise.all(started.map(async (server) => await server.stop()))));

export async function startRawServer(
	behave: Behavior,
	options: RawServerOptions = {},
): Promise<RawServer> {
	const open = new Set<Socket>();
	const chunks: Buffer[] = [];
	const waiting: Array<() => void> = [];
	let sent = 0;
	const state = { opened: 0 };
	const onConnection = (socket: Socket): void => {
		let head: string | null = '';
		socket.on('error', () => undefined);
		socket.on('data', (chunk: Buffer) => {
			chunks.push(chunk);
			if (head === null) return;
			head += chunk.toString('latin1');
			if (!head.includes('\r\n\r\n')) return;
			const request = head;
			head = null;
			behave(socket, request);
		});
		if (options.atOnce === true) behave(socket, null);
	};
	const server =
		options.tls === undefined
			? net.createServer(onConnection)
			: tls.createServer(options.tls, onConnection);
	server.on('connection', (socket: Socket) => {
		state.opened++;
		open.add(socket);
		// Whatever is not TLS on a TLS port is to be seen as well.
		if (options.tls !== undefined) socket.on('error', () => undefined);
		socket.on('close', () => {
			sent += socket.bytesWritten;
			open.delete(socket);
			if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
		});
	});
	server.on('tlsClientError', () => undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const raw: RawServer = {
		port: (server.address() as AddressInfo).port,
		get opened() {
			return state.opened;
		},
		open,
		received: () => Buffer.concat(chunks).toString('latin1'),
		sent: () => sent + [...open].reduce((sum, socket) => sum + socket.bytesWritten, 0),
		allClosed: async () => {
			if (open.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
		},
		stop: async () => {
			for (const socket of open) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	started.push(raw);
	return raw;
}

/** A whole HTTP answer with a body of JSON. */
export function httpAnswer(
	body: string | Buffer,
	{ status = '200 OK', headers = {} }: { status?: string; headers?: Record<string, string> } = {},
): Buffer {
	const bytes = Buffer.from(body);
	const all = {
		'Content-Type': 'application/json',
		'Content-Length': String(bytes.length),
		Connection: 'close',
		...headers,
	};
	const head = Object.entries(all)
		.map(([name, value]) => `${name}: ${value}\r\n`)
		.join('');
	return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head}\r\n`), bytes]);
}
