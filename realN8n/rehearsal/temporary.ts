import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { exitWhenInterrupted } from '../machine/interruption';
import { CACHE_FOLDER } from '../machine/paths';
import { Rehearsal, type RehearsalOptions } from './rehearsal';

/** Starts a real n8n and a sandbox in a folder of their own, uses them, and leaves nothing behind, Ctrl-C or not. */
export async function withTemporaryRehearsal<Result>(
	options: Omit<RehearsalOptions, 'userFolder'>,
	use: (rehearsal: Rehearsal) => Promise<Result>,
): Promise<Result> {
	mkdirSync(CACHE_FOLDER, { recursive: true });
	const userFolder = mkdtempSync(join(CACHE_FOLDER, 'temporary-'));
	let rehearsal: Rehearsal | undefined;
	const clean = async () => {
		await rehearsal?.stop();
		rmSync(userFolder, { recursive: true, force: true });
	};
	exitWhenInterrupted(clean);
	try {
		rehearsal = await Rehearsal.start({ ...options, userFolder });
		return await use(rehearsal);
	} finally {
		await clean();
	}
}
