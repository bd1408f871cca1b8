import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ensureFolderInstalled } from '../../realN8n/install/installFolder';
import { PROJECT_FOLDER } from '../../realN8n/machine/paths';
import { run } from '../../realN8n/machine/processes';

/** Within the folder in which the tool is installed, and within the project: from here both are found. */
const WORKSPACE = join(__dirname, '.cache', 'shipped');
const TOOL = join(__dirname, 'node_modules', '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');
const SHIPPED = [
	'package.json',
	'eslint.config.mjs',
	'tsconfig.json',
	'index.js',
	'nodes',
	'credentials',
];

/** The tool is installed here, because it brings in LangChain, which only `overrides` leave out, and n8n refuses those in a package. */
async function main(): Promise<void> {
	await ensureFolderInstalled(__dirname, 'n8n-node', (line) => console.log(line));
	rmSync(WORKSPACE, { recursive: true, force: true });
	mkdirSync(WORKSPACE, { recursive: true });
	for (const name of SHIPPED)
		cpSync(join(PROJECT_FOLDER, name), join(WORKSPACE, name), { recursive: true });
	try {
		console.log(await run(process.execPath, [TOOL, 'lint'], { cwd: WORKSPACE }));
		console.log('No findings.');
	} finally {
		rmSync(WORKSPACE, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
