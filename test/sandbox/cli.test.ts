import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readFlags } from '../../sandbox/cli';
import { API, clientOf } from './rehearsal';

const BY_DEFAULT = { port: 4010, apiKey: 'sandbox-key', requestsPerMinute: 100, speed: 1 };
const SWITCHES = { filterConfig: false, retryAfter: false };
const CHOSEN = { port: 0, apiKey: 'k', requestsPerMinute: 0, speed: 2.5 };

test.each<[string, unknown]>([
	['', { ...BY_DEFAULT, ...SWITCHES }],
	['--port 0 --key k --limit 0 --speed 2.5', { ...CHOSEN, ...SWITCHES }],
	['--filter-config --retry-after', { ...BY_DEFAULT, filterConfig: true, retryAfter: true }],
	['--port x --help', 'help'],
])('the flags "%s" are understood', (flags, settings) => {
	expect(readFlags(flags.split(' ').filter(Boolean))).toEqual(settings);
});

test.each([
	['--port http', '--port'],
	['--port 65536', '--port'],
	['--port=', '--port'],
	['--limit 1.5', '--limit'],
	['--speed 0', '--speed must be a number above 0, not "0"'],
	['--key=', '--key'],
	['--prot 1', '--prot'],
	['4010', '4010'],
])('%s is rejected', (flags, named) => {
	expect(() => readFlags(flags.split(' '))).toThrow(named);
});

test('starts, prints its address, serves, and exits with 0 when interrupted', async () => {
	const flags = ['--port', '0', '--key', 'cli-key', '--limit', '1'];
	const cwd = join(__dirname, '..', '..');
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts', ...flags], { cwd });
	const closed = once(child, 'close');
	try {
		const [text] = (await once(child.stdout, 'data')) as [Buffer];
		const url = /Bridge sandbox at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(text.toString())?.[1] ?? '';
		expect(text.toString()).toContain(`curl -H 'x-api-key: cli-key' ${url}${API}/config\n`);
		const client = clientOf(url, { 'x-api-key': 'cli-key' });
		expect((await client.get(`${API}/config`)).status).toBe(200);
		expect((await client.get(`${API}/config`)).status).toBe(429);
		child.kill('SIGINT');
		expect((await closed)[0]).toBe(0);
	} finally {
		child.kill('SIGKILL');
		await closed;
	}
});
