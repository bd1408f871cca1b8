import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { ensureFolderInstalled } from '../../realN8n/install/installFolder';
import { ensureInstalled } from '../../realN8n/install/installRelease';
import { RELEASES } from '../../realN8n/install/releases';
import { CACHE_FOLDER, PROJECT_FOLDER, RELEASES_FOLDER } from '../../realN8n/machine/paths';

interface Engine {
	/** Version of n8n-core. */
	core: string;
	/** Where it is installed, with the n8n-workflow that belongs to it. */
	folder: string;
	install(say: (line: string) => void): Promise<void>;
}

const ONLY_CORE = join(RELEASES_FOLDER, 'n8n-core-2.40');

/**
 * The versions of n8n-core on which the engine suite runs, besides the oldest one, on which `npm test` runs it: those of
 * the whole servers, and that of the line with the first durable engine, without its server. All of them run on this Node.js, whatever their servers ask for.
 */
const ENGINES: Engine[] = [
	{
		core: '2.8.1',
		folder: RELEASES['2.8'].folder,
		install: async (say) => await ensureInstalled(RELEASES['2.8'], say),
	},
	{
		core: '2.40.3',
		folder: ONLY_CORE,
		install: async (say) => await ensureFolderInstalled(ONLY_CORE, 'n8n-core 2.40.3', say),
	},
	{
		core: '2.41.1',
		folder: RELEASES['2.41'].folder,
		install: async (say) => await ensureInstalled(RELEASES['2.41'], say),
	},
];

const HELP = `npm run e2e -- engines [flags]

The engine suite of npm test on newer versions of n8n-core, and the types of what is shipped against their n8n-workflow.

  --core <version>  one of them: ${ENGINES.map(({ core }) => core).join(', ')}
  --install         only installs them, the whole servers among them
  --help            this text
`;

function installedCore({ folder }: Engine): string {
	const manifest = JSON.parse(
		readFileSync(join(folder, 'node_modules', 'n8n-core', 'package.json'), 'utf8'),
	) as { version: string };
	return manifest.version;
}

/** Compiles nodes/ and credentials/ with the types of the n8n-workflow that belongs to a core. @returns whether they fit */
function fitsTypesOf({ core, folder }: Engine): boolean {
	const config = join(CACHE_FOLDER, 'types', `tsconfig.${core}.json`);
	mkdirSync(dirname(config), { recursive: true });
	writeFileSync(
		config,
		JSON.stringify({
			extends: join(PROJECT_FOLDER, 'tsconfig.json'),
			compilerOptions: {
				noEmit: true,
				paths: { 'n8n-workflow': [join(folder, 'node_modules', 'n8n-workflow')] },
			},
		}),
	);
	console.log(`The types of the n8n-workflow of n8n-core ${core}`);
	const { status } = spawnSync('npx', ['tsc', '-p', config], {
		cwd: PROJECT_FOLDER,
		stdio: 'inherit',
	});
	return status === 0;
}

/** @returns whether all tests passed */
async function runSuiteOn(engine: Engine): Promise<boolean> {
	const found = installedCore(engine);
	if (found !== engine.core)
		throw new Error(`There is n8n-core ${found} in ${engine.folder}, and not ${engine.core}.`);
	console.log(`The engine suite on n8n-core ${engine.core}, with Node.js ${process.versions.node}`);
	const { status } = spawnSync('npx', ['jest', 'test/engine'], {
		cwd: PROJECT_FOLDER,
		env: { ...process.env, N8N_CORE_FROM: engine.folder },
		stdio: 'inherit',
	});
	return status === 0;
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			core: { type: 'string' },
			install: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const engines = ENGINES.filter(({ core }) => flags.core === undefined || core === flags.core);
	if (engines.length === 0) throw new Error(`There is no n8n-core ${flags.core} here. Try --help.`);
	const failed: string[] = [];
	for (const engine of engines) {
		await engine.install((line) => console.log(line));
		if (flags.install) continue;
		if (!fitsTypesOf(engine)) failed.push(`the types of ${engine.core}`);
		if (!(await runSuiteOn(engine))) failed.push(`the engine suite on ${engine.core}`);
	}
	if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}.`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
