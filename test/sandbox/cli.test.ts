import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readFlags } from '../../sandbox/cli';
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
	const byDefault = { port: 4010, apiKey: 'sandbox-key', requestsPerMinute: 100, speed: 1 };
	const all = '--port 0 --key k --limit 0 --speed 2.5 --filter-config --retry-after';

	test.each<[string, unknown]>([
		['', { ...byDefault, filterConfig: false, retryAfter: false }],
		[
			all,
			{
				port: 0,
				apiKey: 'k',
				requestsPerMinute: 0,
				speed: 2.5,
				filterConfig: true,
				retryAfter: true,
			},
		],
		['--port x --help', 'help'],
	])('"%s" are understood', (flags, settings) => {
		expect(readFlags(flags.split(' ').filter(Boolean))).toEqual(settings);
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

test('starts, prints its address, serves, and exits with 0 when interrupted', async () => {
	const child = startCli('--port', '0', '--key', 'cli-key', '--limit', '1');
	const [text] = (await once(child.stdout, 'data')) as [Buffer];
	const url = /Bridge sandbox at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(text.toString())?.[1] ?? '';
	expect(text.toString()).toContain(`curl -H 'x-api-key: cli-key' ${url}${API}/config\n`);
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
	for (const flag of ['port', 'key', 'limit', 'speed', 'filter-config', 'retry-after'])
		expect(out).toContain(`--${flag}`);
});

test('a slip is one sentence, no stack', async () => {
	const { code, out, err } = await outcomeOf(startCli('--speed', 'fast'));
	expect(code).toBe(1);
	expect(out).toBe('');
	expect(err).toBe('--speed must be a number above 0, not "fast"\nTry --help.\n');
});
