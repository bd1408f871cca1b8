import net from 'node:net';

import { against } from './ways';

/** No request is sent to an address over which the key could be read, or that is no address at all. */

let connect: jest.SpyInstance;
beforeEach(() => void (connect = jest.spyOn(net.Socket.prototype, 'connect')));
afterEach(() => void jest.restoreAllMocks());

const REJECTED: Array<[string, string]> = [
	'http://bridge.example.com',
	'http://bridge.example.com:8080/api/sdk/v2',
	'HTTP://bridge.example.com',
	'http://8.8.8.8',
	'http://134744072',
	'http://0x08080808',
	'http://172.32.0.1',
	'http://192.169.0.1',
	'http://169.254.169.254',
	'http://[fe80::1]:8080',
	'http://127.0.0.1.example.com',
	'http://localhost.example.com',
	'http://localhost@bridge.example.com',
	'http://localhost#@bridge.example.com',
	'http://localhost?.example.com',
	'http://localhost\\.example.com',
	'http://[2001:db8::1]',
	'https://key@bridge.example.com',
	'ftp://bridge.example.com',
	'file:///etc/passwd',
	'javascript:alert(1)',
	'bridge.example.com',
	'',
].map((url): [string, string] => [url === '' ? 'no address' : url, url]);

test.each(against(REJECTED))('%s: %s opens no connection', async (_attack, _way, way, url) => {
	await way.go(url, new Promise(() => undefined));
	expect(connect).not.toHaveBeenCalled();
});
