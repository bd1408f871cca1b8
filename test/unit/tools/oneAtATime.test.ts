import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { oneAtATime } from '../../../realN8n/machine/oneAtATime';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'one-at-a-time-'));
});
afterEach(() => {
	rmSync(folder, { recursive: true });
});

test('two that want the same file come one after the other', async () => {
	const file = join(folder, 'below', 'packing');
	const happened: string[] = [];
	const slow = (name: string) => async () => {
		happened.push(`${name} begins`);
		await new Promise((resolve) => setTimeout(resolve, 20));
		happened.push(`${name} is done`);
	};
	await Promise.all([oneAtATime(file, slow('a')), oneAtATime(file, slow('b'))]);
	expect(happened).toEqual(['a begins', 'a is done', 'b begins', 'b is done']);
	expect(existsSync(file)).toBe(false);
});

test('of two that take over at once, one waits for the other', async () => {
	const file = join(folder, 'packing');
	const happened: string[] = [];
	const ours = oneAtATime(file, async () => {
		happened.push('ours');
		await Promise.resolve();
	});
	expect(readFileSync(file, 'utf8')).toBe(String(process.pid));
	// the other had found the process before us gone, and removes ours for it
	writeFileSync(file, String(process.ppid));
	await new Promise((resolve) => setTimeout(resolve, 150));
	happened.push('theirs is done');
	rmSync(file);
	await ours;
	expect(happened).toEqual(['theirs is done', 'ours']);
});
