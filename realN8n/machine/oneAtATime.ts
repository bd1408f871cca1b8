import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 200;
const CONFIRM_MS = 50;

/**
 * Does something that no two processes may do at the same time. The file names the process that does it; one whose process
 * has gone is taken over. Two that take over at once can remove each other's file, so it counts only if it stands a little later.
 */
export async function oneAtATime<T>(file: string, body: () => Promise<T>): Promise<T> {
	mkdirSync(dirname(file), { recursive: true });
	do {
		while (!acquired(file)) await delay(RETRY_MS);
		await delay(CONFIRM_MS);
	} while (ownerIn(file) !== process.pid);
	try {
		return await body();
	} finally {
		rmSync(file, { force: true });
	}
}

function acquired(file: string): boolean {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (!hasCode(error, 'EEXIST')) throw error;
		if (!isAlive(ownerIn(file))) rmSync(file, { force: true });
		return false;
	}
}

/** Null if the file has just gone, or nothing stands in it yet. */
function ownerIn(file: string): number | null {
	try {
		return Number(readFileSync(file, 'utf8')) || null;
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return null;
		throw error;
	}
}

/** A process that is not known yet counts as alive. */
function isAlive(pid: number | null): boolean {
	if (pid === null) return true;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return hasCode(error, 'EPERM');
	}
}

function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}
