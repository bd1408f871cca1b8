import * as faults from './faults';
import { type Behavior, httpAnswer, startRawServer } from './rawServer';
import { against, attackOf, KEY } from './ways';

/** What the service answers can neither bring the key into what n8n stores and shows, nor block or flood the process. */

const WORDS = `the key ${KEY} is not known`;
const failed = (code: string, message: string): object => ({
	success: false,
	error: { code, message },
});

const ECHOES = [
	['the key in an error', '400 Bad Request', failed('INVALID_PARAMETER', WORDS)],
	['the key in the code of an error', '400 Bad Request', failed(KEY, 'no')],
	['the key in a 401', '401 Unauthorized', failed('UNAUTHORIZED', WORDS)],
	['the key where nothing is found', '404 Not Found', failed('ORDER_NOT_FOUND', WORDS)],
	[
		'the key in an error of the server',
		'500 Internal Server Error',
		{ error: WORDS, stack: WORDS },
	],
	[
		'the key in a web page',
		'502 Bad Gateway',
		`<!doctype html><title>${WORDS}</title>`,
		'text/html',
	],
	['the key in plain text', '403 Forbidden', WORDS, 'text/plain'],
	['the key in JSON that breaks off', '200 OK', `{"success":true,"data":{"a":"${KEY}`],
	['the key in the status line', `418 ${KEY}`, {}],
].map(([name, status, body, type = 'application/json']): [string, Behavior] => [
	String(name),
	(socket) => {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const headers = { 'Content-Type': String(type) };
		socket.end(httpAnswer(text, { status: String(status), headers }));
	},
]);

test.each(against(ECHOES))(
	'%s: %s stores and shows it nowhere',
	async (_attack, _way, way, behave) => {
		const server = await startRawServer(behave);
		const seen = await way.go(`http://localhost:${server.port}`, attackOf(server));
		expect(server.received()).toContain(KEY);
		expect(seen).not.toContain(KEY);
	},
);

/** So much may be sent for one answer before the connection is closed: the largest body that is taken, and what was under way. */
const MAX_BYTES = 64_000_000;

const FLOODS: Array<[string, Behavior]> = [
	['an endless body', faults.endlessBody],
	['300 KB of headers', faults.hugeHeaders],
	['200 MB packed with gzip', faults.bomb(200, 'gzip')],
	['200 MB packed with deflate', faults.bomb(200, 'deflate')],
	['200 MB packed with brotli', faults.bomb(200, 'br')],
];

const nodes = against(FLOODS).filter(([, way]) => way !== 'the test of the credential');

test.each(nodes)(
	'%s: %s stops soon, and keeps nothing of it',
	async (_attack, _way, way, behave) => {
		const server = await startRawServer(behave);
		const seen = await way.go(`http://localhost:${server.port}`, attackOf(server));
		await server.allClosed();
		expect(server.sent()).toBeLessThan(MAX_BYTES * server.opened);
		expect(seen.length).toBeLessThan(100_000);
		expect(seen).not.toContain(KEY);
	},
);
