import net from 'node:net';

import { runAction } from '../engine/n8n';
import * as certificates from './certificates';
import * as faults from './faults';
import { type Behavior, type RawServer, startRawServer } from './rawServer';
import { credentialsFor, KEY } from './ways';

/** n8n sends through the proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY name, also to this machine, unless NO_PROXY excepts the host. */

const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
	name,
	name.toLowerCase(),
]);
const before = new Map(NAMES.map((name) => [name, process.env[name]]));

function setEnvironment(values: Record<string, string>): void {
	for (const name of NAMES) delete process.env[name];
	Object.assign(process.env, values);
}

afterEach(() => {
	setEnvironment(
		Object.fromEntries(
			[...before].filter((entry): entry is [string, string] => entry[1] !== undefined),
		),
	);
	jest.restoreAllMocks();
});

/** A proxy that answers plain requests itself, as if it had asked, and tunnels the others. */
const proxying: Behavior = (socket, request) => {
	const port = /^CONNECT [^:]+:(\d+)/.exec(request ?? '')?.[1];
	if (port === undefined) return faults.sound(socket, request);
	const onward = net.connect(Number(port), '127.0.0.1', () => {
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		onward.pipe(socket).pipe(onward);
	});
	onward.on('error', () => socket.destroy());
};

async function ask(server: RawServer, scheme: 'http' | 'https'): Promise<string | undefined> {
	const credentials = credentialsFor(`${scheme}://localhost:${server.port}`);
	const { error } = await runAction(credentials, {
		operation: 'getStatus',
		sourceHash: `0x${'ab'.repeat(32)}`,
		simplify: false,
	});
	return error?.message as string | undefined;
}

test('over https a proxy tunnels: it sees the host, and not the key', async () => {
	certificates.trustAuthority();
	const proxy = await startRawServer(proxying);
	const server = await startRawServer(faults.sound, {
		tls: { key: certificates.KEY, cert: certificates.GOOD },
	});
	setEnvironment({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
	expect(await ask(server, 'https')).toBeUndefined();
	expect(server.received()).toContain(KEY);
	expect(proxy.received()).toContain(`CONNECT localhost:${server.port}`);
	expect(proxy.received()).not.toContain(KEY);
});

test('over http a proxy reads all, the key too: anyone who sets one for a private address has to except that address', async () => {
	const proxy = await startRawServer(proxying);
	const server = await startRawServer(faults.sound);
	setEnvironment({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
	expect(await ask(server, 'http')).toBeUndefined();
	expect([proxy.received().includes(KEY), server.opened]).toEqual([true, 0]);

	setEnvironment({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'localhost' });
	const opened = proxy.opened;
	expect(await ask(server, 'http')).toBeUndefined();
	expect([proxy.opened, server.opened]).toEqual([opened, 1]);
});

test('a proxy that is gone is reported as a service that cannot be reached', async () => {
	const server = await startRawServer(faults.sound);
	// No server listens on port 1; a port that was free a moment ago may be another suite's by now.
	setEnvironment({ HTTP_PROXY: 'http://127.0.0.1:1' });
	expect(await ask(server, 'http')).toBe('The bridge could not be reached');
	expect(server.opened).toBe(0);
});
