import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { nodeRuntimeOf } from '../install/releases';
import type { N8nOptions } from './server';

/** A value as SQLite gives it. */
export type Cell = string | number | Buffer | null;
export type Row = Record<string, Cell>;

export interface Query {
	sql: string;
	parameters: Cell[];
}

const READER = join(__dirname, 'sqliteRows.js');

/** n8n's database file. */
export function databasePath(userFolder: string): string {
	return join(userFolder, '.n8n', 'database.sqlite');
}

/**
 * The rows of each query, from n8n's own database and past n8n, whether it runs or not: right after a kill they are what
 * the kill has left. Nothing is changed.
 */
export async function rowsOf(
	{ release, userFolder }: Pick<N8nOptions, 'release' | 'userFolder'>,
	queries: Query[],
): Promise<Row[][]> {
	const path = databasePath(userFolder);
	if (!existsSync(path)) throw new Error(`There is no database ${path}.`);
	const reader = spawn(nodeRuntimeOf(release).program, [READER, release.folder, path], {
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	reader.stdin.end(JSON.stringify(queries));
	const [output, errors] = await Promise.all([
		text(reader.stdout),
		text(reader.stderr),
		once(reader, 'close'),
	]);
	if (reader.exitCode !== 0) throw new Error(`The database could not be read.\n${errors}`);
	return JSON.parse(output, revived) as Row[][];
}

/** All rows of all tables. */
export async function allTables(
	options: Pick<N8nOptions, 'release' | 'userFolder'>,
): Promise<Map<string, Row[]>> {
	const sql = `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`;
	const [tables = []] = await rowsOf(options, [{ sql, parameters: [] }]);
	const names = tables.map(({ name }) => String(name));
	const rows = await rowsOf(
		options,
		names.map((name) => ({ sql: `SELECT * FROM "${name.replaceAll('"', '""')}"`, parameters: [] })),
	);
	return new Map(names.map((name, index) => [name, rows[index] ?? []]));
}

/** JSON's form of a Buffer, as the Buffer it was. */
function revived(_name: string, value: unknown): unknown {
	const isBuffer =
		typeof value === 'object' &&
		value !== null &&
		'type' in value &&
		value.type === 'Buffer' &&
		'data' in value;
	return isBuffer && Array.isArray(value.data) ? Buffer.from(value.data as number[]) : value;
}
