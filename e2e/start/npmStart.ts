import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import type { N8nRelease } from '../../realN8n/install/releases';
import { PROJECT_FOLDER } from '../../realN8n/machine/paths';
import { freePorts } from '../../realN8n/machine/ports';
import { endProcess, isRunning, lastLines } from '../../realN8n/machine/processes';
import { until } from '../../realN8n/machine/until';

/** Longer than n8n itself may take. */
const START_SECONDS = 400;
const STOP_GRACE_MILLISECONDS = 30_000;

/** One `npm start` as a person runs it, on a data folder of its own and free ports. */
export class NpmStart {
	private constructor(
		private readonly child: ChildProcess,
		readonly n8nUrl: string,
		readonly sandboxUrl: string,
		private readonly written: { text: string },
	) {}

	/**
	 * Starts it and waits until it says that n8n is ready.
	 * @throws with the last lines that it has written when it ends before
	 */
	static async run(release: N8nRelease, dataFolder: string): Promise<NpmStart> {
		const [port = 0, sandboxPort = 0] = await freePorts(2);
		const flags = [
			'--n8n',
			release.line,
			'--data',
			dataFolder,
			'--port',
			String(port),
			'--sandbox-port',
			String(sandboxPort),
		];
		const child = spawn(
			process.execPath,
			['--import', 'tsx', join(PROJECT_FOLDER, 'start', 'start.ts'), ...flags],
			{
				cwd: PROJECT_FOLDER,
				stdio: ['ignore', 'pipe', 'pipe'],
				detached: process.platform !== 'win32',
			},
		);
		const written = { text: '' };
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (chunk: Buffer) => (written.text += chunk.toString()));
		const start = new NpmStart(
			child,
			`http://127.0.0.1:${port}`,
			`http://127.0.0.1:${sandboxPort}`,
			written,
		);
		try {
			await until('npm start', () => start.isReady(), { seconds: START_SECONDS });
		} catch (error) {
			await start.stop();
			throw error;
		}
		return start;
	}

	/** Everything that it has written so far. */
	get output(): string {
		return this.written.text;
	}

	/** Ends it as Ctrl-C does, and waits until n8n and the sandbox have stopped with it. */
	async stop(): Promise<void> {
		await endProcess(this.child, STOP_GRACE_MILLISECONDS);
	}

	private isReady(): boolean {
		if (!isRunning(this.child))
			throw new Error(`npm start has exited by itself.\n${lastLines(this.output, 15)}`);
		return this.output.includes('Press Ctrl+C to stop.');
	}
}
