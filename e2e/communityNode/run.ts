import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ensureFolderInstalled } from '../../realN8n/install/installFolder';
import { ensureInstalled } from '../../realN8n/install/installRelease';
import { packedPackage } from '../../realN8n/install/pack';
import { LINE_NAMES, type N8nRelease, releaseOf, RELEASES } from '../../realN8n/install/releases';
import { exitWhenInterrupted } from '../../realN8n/machine/interruption';
import { SandboxControl } from '../../realN8n/rehearsal/sandboxControl';
import { startSandbox } from '../../sandbox';
import { CheckList } from '../checks/checkList';
import { checkInstallation } from './checks';
import { environmentWithRegistry } from './npmForN8n';
import { Registry } from './registry';

const HELP = `npm run e2e -- install [flags]

What the nodes' users do: n8n installs the package from a registry (one on this machine), the nodes are used, n8n updates
the package to the next version, and everything continues. The last line is "N passed, N failed".

  --n8n <line>  ${LINE_NAMES} (default: one after the other)
  --help        this text
`;

const say = (line: string): void => console.log(line);

/** The packed package as its next version: the same code, with a higher number. */
function nextVersion(packageFolder: string, folder: string): string {
	cpSync(packageFolder, folder, { recursive: true });
	const manifestPath = join(folder, 'package.json');
	const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as { version: string };
	const next = manifest.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
	writeFileSync(manifestPath, JSON.stringify({ ...manifest, version: next }, null, 2));
	return next;
}

async function checkRelease(
	release: N8nRelease,
	packageFolder: string,
	checks: CheckList,
): Promise<void> {
	// not inside the project: n8n must find no other n8n-workflow than its own
	const folder = mkdtempSync(join(tmpdir(), 'install-'));
	const toStop: Array<() => Promise<void>> = [];
	const clean = async (): Promise<void> => {
		for (const stop of toStop.splice(0).reverse()) await stop();
		rmSync(folder, { recursive: true, force: true });
	};
	exitWhenInterrupted(clean);
	try {
		const registry = await Registry.start(join(folder, 'registry'));
		toStop.push(async () => await registry.stop());
		const sandbox = await startSandbox({ requestsPerMinute: 0 });
		toStop.push(async () => await sandbox.stop());
		const nextFolder = join(folder, 'next');
		await checkInstallation({
			checks,
			registry,
			control: new SandboxControl(sandbox),
			n8n: {
				release,
				userFolder: folder,
				env: await environmentWithRegistry(release, registry.url, join(folder, 'npm')),
			},
			versions: {
				first: { folder: packageFolder, version: versionIn(packageFolder) },
				next: { version: nextVersion(packageFolder, nextFolder), folder: nextFolder },
			},
			stopAtTheEnd: (stop) => toStop.push(stop),
		});
	} finally {
		await clean();
	}
}

function versionIn(packageFolder: string): string {
	return (
		JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
	).version;
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: { n8n: { type: 'string' }, help: { type: 'boolean', default: false } },
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const releases = flags.n8n === undefined ? Object.values(RELEASES) : [releaseOf(flags.n8n)];
	await ensureFolderInstalled(__dirname, 'a package registry', say);
	const packageFolder = await packedPackage(say);
	const checks = new CheckList(say);
	for (const release of releases) {
		await ensureInstalled(release, say);
		say(`Installing and updating, in n8n ${release.version}`);
		await checkRelease(release, packageFolder, checks);
	}
	say(checks.summary);
	process.exitCode = checks.allPassed ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
