import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

function filesBelow(folder: string, path: string): string[] {
	const full = join(folder, path);
	if (!existsSync(full)) return [];
	if (!statSync(full).isDirectory()) return [path];
	return readdirSync(full)
		.sort()
		.flatMap((name) => filesBelow(folder, join(path, name)));
}

/**
 * A short text that changes when one of these files, or a file below one of these folders, appears, vanishes or
 * changes; it stays when the whole project is moved.
 * @param paths relative to the folder
 */
export function fingerprint(folder: string, paths: string[]): string {
	const hash = createHash('sha256');
	for (const file of paths.flatMap((path) => filesBelow(folder, path))) {
		hash
			.update(file)
			.update('\0')
			.update(readFileSync(join(folder, file)))
			.update('\0');
	}
	return hash.digest('hex').slice(0, 32);
}
