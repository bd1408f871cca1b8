import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { PROJECT_FOLDER } from '../realN8n/machine/paths';

const HELP = `npm run check -- histories [flags]

Random histories of a trigger, in both poll engines. A failure prints the SEED and PATH_TO_IT that show it again:
  SEED=… PATH_TO_IT=… npx jest test/histories/usual (or durable)

  --count <n>  how many of each engine (100000)
  --seed <n>   those of an earlier run
  --help       this text
`;

function main(): void {
	const { values: flags } = parseArgs({
		options: {
			count: { type: 'string', default: '100000' },
			seed: { type: 'string', default: String(Math.floor(Date.now() / 1000)) },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const { status } = spawnSync(
		'npx',
		['jest', 'test/histories/.*Histories.long', '--maxWorkers', '2'],
		{
			cwd: PROJECT_FOLDER,
			env: { ...process.env, HISTORIES: flags.count, SEED: flags.seed },
			stdio: 'inherit',
		},
	);
	process.exitCode = status ?? 1;
}

main();
