import { delimiter, dirname } from 'node:path';

import { nodeRuntimeOf, type N8nRelease } from '../install/releases';

// What the person who runs this has set for another n8n, or what npm and test runners set, must not reach ours.
const FOREIGN =
	/^(N8N_|DB_|QUEUE_|EXECUTIONS_|WORKFLOWS_|CREDENTIALS_|GENERIC_|npm_|NODE_ENV$|NODE_OPTIONS$|JEST_)/;

export interface N8nPlace {
	/** n8n keeps all its data in `.n8n` inside this folder. */
	userFolder: string;
	port: number;
	/** n8n's task runner broker wants a port of its own; two servers side by side need two. */
	brokerPort: number;
}

/** Polls as jobs in the database, their state committed together with the executions that they start (n8n 2.40). */
export const DURABLE_ENGINE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

// A key of this machine's rehearsal only: it makes the database readable for the next start.
const ENCRYPTION_KEY = 'local-rehearsal-encryption-key';

/** The environment of an n8n that calls nobody outside, shows no banners, and is reached on loopback only. */
export function n8nEnvironment(
	release: N8nRelease,
	place: N8nPlace,
	extra: Record<string, string>,
): NodeJS.ProcessEnv {
	const { program } = nodeRuntimeOf(release);
	const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
	return {
		...Object.fromEntries(inherited),
		// n8n starts its task runner as plain `node`: it must be the one that runs n8n itself
		PATH: `${dirname(program)}${delimiter}${process.env.PATH ?? ''}`,
		NO_PROXY: '127.0.0.1,localhost',
		no_proxy: '127.0.0.1,localhost',
		N8N_USER_FOLDER: place.userFolder,
		N8N_ENCRYPTION_KEY: ENCRYPTION_KEY,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(place.port),
		N8N_RUNNERS_BROKER_PORT: String(place.brokerPort),
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${place.port}`,
		N8N_SECURE_COOKIE: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		DB_SQLITE_POOL_SIZE: '2',
		GENERIC_TIMEZONE: 'UTC',
		...release.env,
		...extra,
	};
}
