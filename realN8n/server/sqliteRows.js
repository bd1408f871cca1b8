// Runs on the Node.js for which a server's sqlite3 was built, which may be another one than that of the tests.
// Arguments: the server's folder, the database file. Standard input: a JSON list of {sql, parameters}; output: the rows of each.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [folder, path] = process.argv.slice(2);
const { Database, OPEN_READONLY } = createRequire(join(folder, 'package.json'))('sqlite3');

const rowsOf = (database, { sql, parameters }) =>
	new Promise((resolve, reject) =>
		database.all(sql, parameters, (error, rows) =>
			error === null ? resolve(rows) : reject(error),
		),
	);

async function main() {
	let queries = '';
	for await (const chunk of process.stdin) queries += chunk;
	const database = new Database(path, OPEN_READONLY);
	database.configure('busyTimeout', 10_000);
	const answers = [];
	for (const query of JSON.parse(queries)) answers.push(await rowsOf(database, query));
	process.stdout.write(JSON.stringify(answers));
}

main().catch((error) => {
	process.stderr.write(`${error.stack}\n`);
	process.exitCode = 1;
});
