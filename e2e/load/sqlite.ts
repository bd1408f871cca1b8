import { join } from 'node:path';

import { run } from '../processes';
import { nodeRuntimeOf, type N8nRelease } from '../releases';

/** Reads the first row of what a query gives and prints it; runs in the Node.js of the release, whose sqlite3 was built for it. */
const READER = `
const [, file, sql] = process.argv;
const sqlite3 = require('sqlite3');
const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
database.get(sql, (error, row) => {
	if (error) throw error;
	process.stdout.write(JSON.stringify(row ?? null));
});
`;

/**
 * The first row that a query finds in the database of an n8n, which may be running; null where there is none.
 * @throws with SQLite's own words when the query cannot be run
 */
export async function readSqlite(release: N8nRelease, userFolder: string, sql: string): Promise<Record<string, unknown> | null> {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const answer = await run(nodeRuntimeOf(release).program, ['-e', READER, file, sql], { cwd: release.folder });
	return JSON.parse(answer) as Record<string, unknown> | null;
}
