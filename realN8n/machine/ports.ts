import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

const LOOPBACK = '127.0.0.1';

async function listen(port: number): Promise<Server> {
	const server = createServer();
	server.listen(port, LOOPBACK);
	await once(server, 'listening');
	return server;
}

async function close(server: Server): Promise<void> {
	server.close();
	await once(server, 'close');
}

/** Port numbers that nobody listens on, all different: all stay in use until the last is found. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(Array.from({ length: count }, async () => await listen(0)));
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(servers.map(close));
	return ports;
}

/** Whether something listens on this port already. */
export async function isPortTaken(port: number): Promise<boolean> {
	try {
		await close(await listen(port));
		return false;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return true;
		throw error;
	}
}
