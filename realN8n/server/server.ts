import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, createWriteStream, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import axios from 'axios';

import { nodeRuntimeOf, type N8nRelease } from '../install/releases';
import { PACKAGE_NAME } from '../machine/paths';
import { freePorts } from '../machine/ports';
import { endProcess, isRunning, lastLines, run, signalGroup } from '../machine/processes';
import { until } from '../machine/until';
import { n8nEnvironment, type N8nPlace } from './environment';

export interface N8nOptions {
	release: N8nRelease;
	/** Everything this n8n knows lies here; given again, it is the same n8n once more. */
	userFolder: string;
	/** The unpacked package (see pack.ts); it replaces what an earlier start put there. Default: n8n has what it has installed itself. */
	packageFolder?: string;
	/** Default: a free one. */
	port?: number;
	/** Further environment variables, also to overrule the usual ones. */
	env?: Record<string, string>;
	/** A worker takes executions from the queue that `env` names; `port` is then that of its health page. Default: main. */
	role?: 'main' | 'worker';
}

/** Some seconds as a rule, and much longer on a slow machine that starts several at once. */
const START_SECONDS = 300;
const STOP_GRACE_MILLISECONDS = 10_000;
const ROLES = {
	main: { command: 'start', ready: 'Editor is now accessible via' },
	worker: { command: 'worker', ready: 'n8n worker is now ready' },
} as const;

/** How many times n8n is started where another program has taken one of its free ports before n8n itself did. */
const MAX_STARTS = 3;
const PORT_TAKEN = /\bport \d+ is already in use/i;

/** A real n8n with the package in its nodes folder: a process of its own, on loopback. */
export class N8nServer {
	readonly url: string;
	private readonly logPath: string;
	private output = '';
	private endWasWanted = false;

	private constructor(
		readonly options: N8nOptions,
		private readonly child: ChildProcess,
		readonly place: N8nPlace,
	) {
		this.url = `http://127.0.0.1:${place.port}`;
		this.logPath = join(options.userFolder, 'n8n.log');
		const log = createWriteStream(this.logPath, { flags: 'a' });
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (chunk: Buffer) => {
				this.output += chunk.toString();
				log.write(chunk);
			});
		}
		// whatever ends us, n8n is not left behind
		const killWithUs = () => this.kill();
		process.once('exit', killWithUs);
		child.once('close', () => {
			log.end();
			process.off('exit', killWithUs);
		});
	}

	/**
	 * Starts an n8n and waits until it answers and has taken up its published workflows.
	 * @throws with the end of n8n's own output when it gives up or is not ready in five minutes
	 */
	static async start(options: N8nOptions): Promise<N8nServer> {
		for (let count = 1; ; count++) {
			try {
				return await N8nServer.startOnce(options);
			} catch (error) {
				const isPortTaken = error instanceof Error && PORT_TAKEN.test(error.message);
				if (!isPortTaken || count === MAX_STARTS) throw error;
			}
		}
	}

	private static async startOnce(options: N8nOptions): Promise<N8nServer> {
		const place = await prepare(options);
		const { program } = nodeRuntimeOf(options.release);
		const health = {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(place.port),
		};
		const env = options.role === 'worker' ? { ...health, ...options.env } : (options.env ?? {});
		// in a process group of its own: Ctrl-C in the terminal goes only to us, and we end n8n in good order
		const child = spawn(
			program,
			[n8nProgram(options.release), ROLES[options.role ?? 'main'].command],
			{
				cwd: options.userFolder,
				env: n8nEnvironment(options.release, place, env),
				stdio: ['ignore', 'pipe', 'pipe'],
				detached: process.platform !== 'win32',
			},
		);
		const server = new N8nServer(options, child, place);
		try {
			await until(`n8n ${options.release.version} to start`, async () => await server.isReady(), {
				seconds: START_SECONDS,
				everyMilliseconds: 100,
			});
		} catch (error) {
			server.kill();
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(
				`${reason}\n${lastLines(server.output, 30)}\nAll of n8n's output: ${server.logPath}`,
			);
		}
		return server;
	}

	/** Whether the process is still there. */
	get isRunning(): boolean {
		return isRunning(this.child);
	}

	/** Whether stop() or kill() was called: if not, n8n exited by itself. */
	get wasStopped(): boolean {
		return this.endWasWanted;
	}

	/** Resolves when the process has exited, for whatever reason. */
	async ended(): Promise<void> {
		if (!this.isRunning) return;
		await new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
	}

	/** Everything that n8n has written since this start. */
	get log(): string {
		return this.output;
	}

	/** Ends n8n as a service manager does: asks first. */
	async stop(): Promise<void> {
		this.endWasWanted = true;
		await endProcess(this.child, STOP_GRACE_MILLISECONDS);
	}

	/** Ends n8n as a power cut does: nothing is saved any more. */
	kill(): void {
		this.endWasWanted = true;
		if (this.isRunning) signalGroup(this.child, 'SIGKILL');
	}

	/** Lets n8n stand still, as a machine that is suspended does, until `resume`. */
	suspend(): void {
		signalGroup(this.child, 'SIGSTOP');
	}

	resume(): void {
		signalGroup(this.child, 'SIGCONT');
	}

	private async isReady(): Promise<boolean> {
		if (!this.isRunning)
			throw new Error(`n8n ${this.options.release.version} ended while it started.`);
		if (!this.output.includes(ROLES[this.options.role ?? 'main'].ready)) return false;
		// the other health page, /healthz, also answers where the database does not
		const { status } = await axios.get(`${this.url}/healthz/readiness`, {
			validateStatus: () => true,
			proxy: false,
		});
		return status === 200;
	}
}

/**
 * Runs one command of n8n's own command line (`import:workflow` and so on) on a user folder. No n8n may run on
 * that folder meanwhile: what is imported into a running one leaves ghosts of the old workflow behind.
 * @returns what the command wrote to standard output
 */
export async function runN8nCommand(options: N8nOptions, args: string[]): Promise<string> {
	const place = await prepare(options);
	const { program } = nodeRuntimeOf(options.release);
	return await run(program, [n8nProgram(options.release), ...args], {
		cwd: options.userFolder,
		env: n8nEnvironment(options.release, place, options.env ?? {}),
	});
}

function n8nProgram(release: N8nRelease): string {
	return join(release.folder, 'node_modules', 'n8n', 'bin', 'n8n');
}

/** Puts the package, if one is given, where n8n looks for community packages, and finds the ports. */
async function prepare({
	release,
	userFolder,
	packageFolder,
	port,
}: N8nOptions): Promise<N8nPlace> {
	if (packageFolder !== undefined) putPackage(release, userFolder, packageFolder);
	const [freePort = 0, brokerPort = 0] = await freePorts(2);
	return { userFolder, port: port ?? freePort, brokerPort };
}

function putPackage(release: N8nRelease, userFolder: string, packageFolder: string): void {
	const packages = join(userFolder, '.n8n', 'nodes', 'node_modules');
	const installed = join(packages, PACKAGE_NAME);
	rmSync(installed, { recursive: true, force: true });
	mkdirSync(packages, { recursive: true });
	cpSync(packageFolder, installed, { recursive: true });
	// The user folder lies inside the project, whose own n8n-workflow would be found first; anywhere else n8n gives its own.
	const workflowLibrary = join(packages, 'n8n-workflow');
	rmSync(workflowLibrary, { force: true });
	symlinkSync(join(release.folder, 'node_modules', 'n8n-workflow'), workflowLibrary, 'junction');
}
