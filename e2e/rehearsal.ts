import { mkdirSync } from 'node:fs';

import { startSandbox, type SandboxOptions } from '../sandbox';
import { CREDENTIAL_TYPE } from './examples';
import { ensureInstalled } from './install';
import { N8nClient } from './n8nClient';
import { N8nServer, type N8nOptions } from './n8nServer';
import type { JsonObject, StoredCredential } from './n8nTypes';
import { packedPackage } from './pack';
import type { N8nRelease } from './releases';
import { SandboxControl } from './sandboxControl';

export interface RehearsalOptions {
	release: N8nRelease;
	/** Holds all that this n8n knows; made if it is not there. */
	userFolder: string;
	/** Default: a free one. */
	n8nPort?: number;
	sandbox?: SandboxOptions;
	/** Further environment of n8n. */
	env?: Record<string, string>;
	/** Receives lines about what is being done. */
	say: (line: string) => void;
}

/** A real n8n with the packed package, a sandbox to talk to, and the owner signed in. */
export class Rehearsal {
	private constructor(
		readonly control: SandboxControl,
		private server: N8nServer,
		private signedIn: N8nClient,
	) {}

	/** Installs, builds and packs what is missing, then starts both. What has started is ended if the rest fails. */
	static async start(options: RehearsalOptions): Promise<Rehearsal> {
		const { release, say } = options;
		await ensureInstalled(release, say);
		const packageFolder = await packedPackage(say);
		mkdirSync(options.userFolder, { recursive: true });
		const sandbox = await startSandbox(options.sandbox);
		try {
			say(`Starting n8n ${release.version}`);
			const { userFolder, n8nPort: port, env } = options;
			const server = await N8nServer.start({ release, userFolder, packageFolder, port, env });
			return new Rehearsal(new SandboxControl(sandbox), server, await signIn(server));
		} catch (error) {
			await sandbox.stop();
			throw error;
		}
	}

	get n8n(): N8nServer {
		return this.server;
	}

	get client(): N8nClient {
		return this.signedIn;
	}

	get options(): N8nOptions {
		return this.server.options;
	}

	/** The data of a credential that is right for the sandbox. */
	get rightCredential(): { apiKey: string; baseUrl: string; requestsPerMinute: number } {
		const { apiKey, url } = this.control.sandbox;
		return { apiKey, baseUrl: url, requestsPerMinute: 100 };
	}

	/** The credential of this name with exactly this data, whether it was there before or not. */
	async credential(name: string, data: JsonObject): Promise<StoredCredential> {
		const definition = { name, type: CREDENTIAL_TYPE, data };
		const known = (await this.client.credentials()).find((each) => each.name === name);
		return known
			? await this.client.updateCredential(known.id, definition)
			: await this.client.createCredential(definition);
	}

	/** Ends n8n and starts it again with all it knew; `whileDown` runs between the two. */
	async restartN8n(whileDown: () => Promise<void> = async () => undefined): Promise<void> {
		await this.server.stop();
		await whileDown();
		this.server = await N8nServer.start(this.server.options);
		this.signedIn = await signIn(this.server);
	}

	/** Ends both. */
	async stop(): Promise<void> {
		await Promise.all([this.server.stop(), this.control.sandbox.stop()]);
	}
}

async function signIn(server: N8nServer): Promise<N8nClient> {
	const client = new N8nClient(server.url);
	try {
		await client.signIn();
	} catch (error) {
		server.kill();
		throw error;
	}
	return client;
}
