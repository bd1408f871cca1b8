import { spawnSync } from 'node:child_process';

import { ensureInstalled } from './install';
import { PROJECT_FOLDER } from './paths';
import { RELEASES } from './releases';

/**
 * `npm run test:engines`: the engine suite of `npm test`, which runs on the oldest n8n-core that is supported, on those
 * of the whole servers too. n8n-core runs on this Node.js, whatever the server of the same version asks for.
 */
async function main(): Promise<void> {
	for (const release of Object.values(RELEASES)) {
		await ensureInstalled(release, (line) => console.log(line));
		console.log(`The engine suite on the n8n-core of n8n ${release.version}`);
		const { status } = spawnSync('npx', ['jest', '--selectProjects', 'engine'], {
			cwd: PROJECT_FOLDER,
			env: { ...process.env, N8N_CORE_FROM: release.folder },
			stdio: 'inherit',
		});
		if (status !== 0) process.exitCode = 1;
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
