import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { nodeRuntimeOf, type N8nRelease } from '../../realN8n/install/releases';
import { run } from '../../realN8n/machine/processes';

/**
 * Calls npm with another registry than the one that it is given. n8n gives npm the public registry on the command line;
 * only a licensed n8n takes another one from its settings (N8N_COMMUNITY_PACKAGES_REGISTRY).
 */
function wrapper(npm: string, registryUrl: string): string {
	return `#!/bin/sh
for argument do
	shift
	case "$argument" in
	--registry=*) argument='--registry=${registryUrl}' ;;
	esac
	set -- "$@" "$argument"
done
exec '${npm}' "$@"
`;
}

/**
 * The environment in which an n8n with its usual settings finds the packages of a registry on this machine, and reaches
 * nothing outside: the public registry is played by the local one, and all other requests end at a closed door.
 * @param folder for the npm that this n8n is given
 */
export async function environmentWithRegistry(
	release: N8nRelease,
	registryUrl: string,
	folder: string,
): Promise<Record<string, string>> {
	if (process.platform === 'win32')
		throw new Error('This needs a shell that n8n’s npm can be wrapped with: Linux or macOS.');
	const npm = (await run('sh', ['-c', 'command -v npm'], { cwd: dirname(folder) })).trim();
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'npm'), wrapper(npm, registryUrl), { mode: 0o755 });
	const path = [folder, dirname(nodeRuntimeOf(release).program), process.env.PATH ?? ''];
	// nobody listens at port 9 of loopback; what is on loopback itself needs no proxy
	const closedDoor = 'http://127.0.0.1:9';
	return {
		PATH: path.join(delimiter),
		npm_config_registry: registryUrl,
		npm_config_cache: join(folder, 'cache'),
		HTTPS_PROXY: closedDoor,
		https_proxy: closedDoor,
		NO_PROXY: '127.0.0.1,localhost',
	};
}
