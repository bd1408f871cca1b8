import { mkdirSync } from 'node:fs';

import { startSandbox, type SandboxOptions } from '../../sandbox';
import { ensureInstalled } from '../install/installRelease';
import { packedPackage } from '../install/pack';
import type { N8nRelease } from '../install/releases';
import { N8nClient, N8nError } from '../server/client';
import { N8nServer, type N8nOptions } from '../server/server';
import type { JsonObject, StoredCredential } from '../server/types';
import { CREDENTIAL_TYPE } from './examples';
import { SandboxControl } from './sandboxControl';

export interface RehearsalOptions {
	release: N8nRelease;
	/** Keeps all that this n8n knows; made if it is not there. */
	userFolder: string;
	/** Default: a free one. */
	n8nPort?: number;
	sandbox?: SandboxOptions;
	/** Further environment of n8n. */
	env?: Record<string, string>;
	/** true: n8n also stays where its owner has another e-mail or password by now; `isSignedIn` says so. Default: that is an error. */
	anyOwner?: boolean;
	/** Receives lines about what is being done. */
	say: (line: string) => void;
}

const UNAUTHORIZED = 401;
/** More starts than that in a row no kill has cost n8n. */
const MAX_STARTS_GIVEN_UP = 5;

/** A real n8n with the packed package, a sandbox to talk to, and the owner signed in. */
export class Rehearsal {
	private startsGivenUp = 0;

	private constructor(
		readonly control: SandboxControl,
		private server: N8nServer,
		private signedIn: N8nClient,
		/** false: n8n runs, but `client` can do nothing there. */
		readonly isSignedIn: boolean,
	) {}

	/** Installs, builds and packs what is missing, then starts both. If a part fails, the others are stopped. */
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
			const client = new N8nClient(server.url);
			const isSignedIn = await client.signIn().then(
				() => true,
				(error: unknown) => {
					if (
						options.anyOwner === true &&
						error instanceof N8nError &&
						error.status === UNAUTHORIZED
					)
						return false;
					server.kill();
					throw error;
				},
			);
			return new Rehearsal(new SandboxControl(sandbox), server, client, isSignedIn);
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

	/** The credential of this name with exactly this data, whether it was there before or not. Only for an n8n of our own. */
	async credential(name: string, data: JsonObject): Promise<StoredCredential> {
		const definition = { name, type: CREDENTIAL_TYPE, data };
		const known = (await this.client.credentials()).find((each) => each.name === name);
		return known
			? await this.client.updateCredential(known.id, definition)
			: await this.client.createCredential(definition);
	}

	/** Ends n8n and starts it again with all it knew; `whileDown` runs between the two. `env`: in the place of what was set before. */
	async restartN8n(
		whileDown: () => Promise<void> = async () => undefined,
		env = this.server.options.env,
	): Promise<void> {
		await this.server.stop();
		await whileDown();
		this.server = await this.startedAgain({ ...this.server.options, env });
		this.signedIn = await signIn(this.server);
	}

	/**
	 * Ends n8n at once, as kill -9 does, and starts it again with what it had saved by then.
	 * @param atTheKill runs in the moment of the signal
	 * @param whileDown runs between end and start
	 */
	async killAndRestartN8n(
		atTheKill: () => void = () => undefined,
		whileDown: () => Promise<void> = async () => undefined,
	): Promise<void> {
		this.server.kill();
		atTheKill();
		await this.server.ended();
		await whileDown();
		this.server = await this.startedAgain(this.server.options);
		this.signedIn = await signIn(this.server);
	}

	/** How many starts n8n has given up by itself, in the recovery of what a kill had cut off. */
	get failedStarts(): number {
		return this.startsGivenUp;
	}

	/**
	 * n8n 2.40 gives up a start where it trips over an execution that a kill has met before it had begun ("reading 'getTime'",
	 * in its own recovery), also at a later, orderly restart. Each start deals with one such execution at least, so it is
	 * started again, as every service manager does.
	 */
	private async startedAgain(options: N8nOptions): Promise<N8nServer> {
		for (let givenUp = 0; ; givenUp++) {
			try {
				return await N8nServer.start(options);
			} catch (error) {
				const isItsRecovery =
					error instanceof Error && error.message.includes('ExecutionRecoveryService.runHooks');
				if (!isItsRecovery || givenUp === MAX_STARTS_GIVEN_UP) throw error;
				this.startsGivenUp += 1;
			}
		}
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
