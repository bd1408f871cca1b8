import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { PROJECT_FOLDER } from '../../realN8n/machine/paths';
import { LINES, PICTURES_FOLDER, RESULTS_FOLDER } from './settings';

const [DEFAULT_LINE] = LINES;

const HELP = `npm run e2e -- editor [flags]

What a person does in n8n's editor, in a real n8n and a Chromium of this machine (or the one that the environment variable
CHROMIUM_PATH names), as tests of Playwright. Pictures of each step are in .cache/editor/pictures; of a walk that fails,
npx playwright show-trace shows what .cache/editor/results has recorded.

  --n8n <line>    ${LINES.join(' or ')} (default ${DEFAULT_LINE})
  --only <walks>  some of the walks, with commas between: import, search, quote, kept, order, junk, wait, webhook, message, fields, examples
  --keep-images   put the pictures that the documents show into docs/images and examples/images (n8n ${DEFAULT_LINE} only)
  --help          this text
`;

function main(): void {
	const { values: flags } = parseArgs({
		options: {
			n8n: { type: 'string', default: DEFAULT_LINE },
			only: { type: 'string' },
			'keep-images': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	if (flags['keep-images'] && flags.n8n !== DEFAULT_LINE)
		throw new Error(`The pictures of the documents are those of n8n ${DEFAULT_LINE}.`);
	const config = join(__dirname, 'playwright.config.ts');
	const chosen = flags.only?.split(',').join('|');
	const { status } = spawnSync(
		'npx',
		[
			...['playwright', 'test', '--config', config, '--project', flags.n8n],
			...(chosen === undefined ? [] : ['--grep', ` (?:${chosen})(?::|$)`]),
		],
		{
			cwd: PROJECT_FOLDER,
			env: { ...process.env, ...(flags['keep-images'] ? { KEEP_IMAGES: 'yes' } : {}) },
			stdio: 'inherit',
		},
	);
	console.log(`Pictures: ${PICTURES_FOLDER}\nTraces of walks that failed: ${RESULTS_FOLDER}`);
	process.exitCode = status ?? 1;
}

try {
	main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
