import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readFlags, welcome } from '../../sandbox/cli';
import { API, clientOf } from './rehearsal';

const ROOT = join(__dirname, '..', '..');
const started: ChildProcessWithoutNullStreams[] = [];

function startCli(...flags: string[]): ChildProcessWithoutNullStreams {
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts', ...flags], {
		cwd: ROOT,
	});
	started.push(child);
	return child;
}

afterEach(async () => {
	for (const child of started.splice(0)) {
		if (child.exitCode !== null || child.signalCode !== null) continue;
		const closed = once(child, 'close');
		child.kill('SIGKILL');
		await closed;
	}
});

/** All that a process writes until it exits, and its exit code. */
async function outcomeOf(
	child: ChildProcessWithoutNullStreams,
): Promise<{ code: unknown; out: string; err: string }> {
	let [out, err] = ['', ''];
	child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
	child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()));
	const [code] = (await once(child, 'close')) as unknown[];
	return { code, out, err };
}

describe('flags', () => {
	test('defaults', () => {
		expect(readFlags([])).toEqual({
			port: 4010,
			apiKey: 'sandbox-key',
			requestsPerMinute: 100,
			speed: 1,
			filterConfig: false,
			retryAfter: false,
		});
	});

	test('all of them', () => {
		const flags = '--port 0 --key k --limit 0 --speed 2.5 --filter-config --retry-after'.split(' ');
		expect(readFlags(flags)).toEqual({
			port: 0,
			apiKey: 'k',
			requestsPerMinute: 0,
			speed: 2.5,
			filterConfig: true,
			retryAfter: true,
		});
	});

	test('help', () => {
		expect(readFlags(['--port', 'x', '--help'])).toBe('help');
	});

	test.each([
		[['--port', 'http'], '--port'],
		[['--port', '65536'], '--port'],
		[['--port='], '--port'],
		[['--limit', '1.5'], '--limit'],
		[['--speed', '0'], '--speed'],
		[['--key='], '--key'],
		[['--prot', '1'], '--prot'],
		[['4010'], '4010'],
	])('%p is rejected', (flags, named) => {
		expect(() => readFlags(flags)).toThrow(named);
	});
});

test('the welcome has address, key and lines to try', () => {
	const text = welcome({
		url: 'http://127.0.0.1:1',
		apiKey: 'my-key',
		stop: async () => await Promise.resolve(),
	});
	expect(text).toContain('Bridge sandbox at http://127.0.0.1:1\n');
	expect(text).toContain("curl -H 'x-api-key: my-key' http://127.0.0.1:1/api/sdk/v2/config\n");
});

test('starts, prints its address, serves, and exits with 0 when interrupted', async () => {
	const child = startCli('--port', '0', '--key', 'cli-key', '--limit', '1');
	const [text] = (await once(child.stdout, 'data')) as [Buffer];
	const url = text.toString().match(/http:\/\/127\.0\.0\.1:\d+/)?.[0] ?? '';
	const client = clientOf(url, { 'x-api-key': 'cli-key' });
	expect((await client.get(`${API}/config`)).status).toBe(200);
	expect((await client.get(`${API}/config`)).status).toBe(429);
	const closed = once(child, 'close');
	child.kill('SIGINT');
	expect((await closed)[0]).toBe(0);
});

test('--help prints the flags', async () => {
	const { code, out } = await outcomeOf(startCli('--help'));
	expect(code).toBe(0);
	for (const flag of [
		'--port',
		'--key',
		'--limit',
		'--speed',
		'--filter-config',
		'--retry-after',
	]) {
		expect(out).toContain(flag);
	}
});

test('a slip is one sentence, no stack', async () => {
	const { code, out, err } = await outcomeOf(startCli('--speed', 'fast'));
	expect(code).toBe(1);
	expect(out).toBe('');
	expect(err).toBe('--speed must be a number above 0, not "fast"\nTry --help.\n');
});
