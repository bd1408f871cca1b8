import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT_FOLDER } from '../realN8n/machine/paths';
import { run } from '../realN8n/machine/processes';

const HELP = `npm run release

Tags this commit as the version of package.json, if all is as a release needs it: on main, nothing uncommitted, the changelog
begins with that version and a day, and the tag is new. It pushes nothing: the line that publishes is printed.
`;

const git = async (...args: string[]): Promise<string> =>
	(await run('git', args, { cwd: PROJECT_FOLDER })).trim();

/** What keeps this commit from being released, in sentences. */
async function obstacles(version: string): Promise<string[]> {
	const changelog = readFileSync(join(PROJECT_FOLDER, 'CHANGELOG.md'), 'utf8');
	const [, newest, day = ''] = /^## \[(.+)\] - (.+)$/m.exec(changelog) ?? [];
	const [branch, changes, tags] = [
		await git('branch', '--show-current'),
		await git('status', '--porcelain'),
		await git('tag', '--list', `v${version}`),
	];
	return [
		branch === 'main' ? '' : `This is the branch ${branch}, not main.`,
		changes === '' ? '' : 'There are changes that are not committed.',
		newest === version ? '' : `The changelog begins with ${newest}, not ${version}.`,
		/^\d{4}-\d\d-\d\d$/.test(day)
			? ''
			: `The changelog has no day, such as 2026-01-31, but "${day}".`,
		tags === '' ? '' : `There is a tag v${version}: raise the version in package.json.`,
	].filter((sentence) => sentence !== '');
}

async function main(): Promise<void> {
	if (process.argv.includes('--help')) {
		process.stdout.write(HELP);
		return;
	}
	const { version } = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
		version: string;
	};
	const found = await obstacles(version);
	if (found.length > 0) throw new Error(found.join('\n'));
	await git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
	console.log(
		`Tagged. This publishes it, once CI has passed on main:\n  git push origin v${version}`,
	);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
