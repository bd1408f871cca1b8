import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axios from 'axios';

import { nodeRuntimeFor } from '../../realN8n/install/nodeRuntime';
import { freePorts } from '../../realN8n/machine/ports';
import { endProcess, isRunning, lastLines, run } from '../../realN8n/machine/processes';
import { until } from '../../realN8n/machine/until';

const VERDACCIO = join(__dirname, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
const NODE_MAJORS = { first: 22, last: Number.POSITIVE_INFINITY };
const START_SECONDS = 60;
const STOP_GRACE_MILLISECONDS = 5_000;

/** Anybody on this machine may publish, nothing is asked of any other registry. */
const CONFIGURATION = {
	storage: './storage',
	uplinks: {},
	packages: { '**': { access: '$all', publish: '$all', unpublish: '$all' } },
	web: { enable: false },
	log: { type: 'stdout', format: 'pretty', level: 'warn' },
};

/** A package registry on loopback (Verdaccio), a process of its own. */
export class Registry {
	private constructor(
		readonly url: string,
		private readonly child: ChildProcess,
	) {}

	/** @param folder keeps the registry's configuration and packages; made if it is not there */
	static async start(folder: string): Promise<Registry> {
		mkdirSync(folder, { recursive: true });
		const [port = 0] = await freePorts(1);
		const configuration = join(folder, 'config.yaml');
		// JSON is YAML, too
		writeFileSync(configuration, JSON.stringify(CONFIGURATION));
		const { program } = nodeRuntimeFor('Verdaccio', { folder: __dirname, nodeMajors: NODE_MAJORS });
		const child = spawn(
			program,
			[VERDACCIO, '--config', configuration, '--listen', `127.0.0.1:${port}`],
			{
				cwd: folder,
				stdio: ['ignore', 'pipe', 'pipe'],
				detached: process.platform !== 'win32',
			},
		);
		let output = '';
		for (const stream of [child.stdout, child.stderr])
			stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
		const registry = new Registry(`http://127.0.0.1:${port}`, child);
		try {
			await until(
				'the package registry to start',
				async () => {
					if (!isRunning(child)) throw new Error('The package registry ended while it started.');
					return await registry.answers();
				},
				{ seconds: START_SECONDS, everyMilliseconds: 100 },
			);
		} catch (error) {
			await registry.stop();
			throw new Error(
				`${error instanceof Error ? error.message : String(error)}\n${lastLines(output, 20)}`,
			);
		}
		return registry;
	}

	/** Publishes the package in a folder, as `npm publish` does. */
	async publish(packageFolder: string): Promise<void> {
		const address = this.url.replace('http:', '');
		// npm sends nothing without a token; this registry wants none, and takes any
		const flags = [
			`--registry=${this.url}`,
			`--${address}/:_authToken=anybody`,
			'--provenance=false',
			'--tag=latest',
		];
		await run('npm', ['publish', ...flags], { cwd: packageFolder });
	}

	async stop(): Promise<void> {
		await endProcess(this.child, STOP_GRACE_MILLISECONDS);
	}

	private async answers(): Promise<boolean> {
		try {
			return (
				(await axios.get(`${this.url}/-/ping`, { proxy: false, validateStatus: () => true }))
					.status === 200
			);
		} catch {
			// nobody listens yet
			return false;
		}
	}
}
