import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { transformSync } from '@swc/core';
import axios from 'axios';

import { CACHE_FOLDER } from '../../realN8n/machine/paths';

/** What the probe (probe.ts) reads of the n8n process that it sits in. */
export interface ProbeReading {
	/** Resident memory of the process. */
	rssBytes: number;
	/** JavaScript objects in use. */
	heapBytes: number;
	/** Processor time since the process began. */
	processorMs: number;
	/** How long each poll of our trigger took, since the last reset. */
	pollMs: number[];
	/** How late the event loop came to its work, since the last reset: what every other part of n8n had to wait. */
	loopHeldUpMs: { p99: number; longest: number };
}

/** Environment of an n8n that the probe is to sit in. */
export function probeEnvironment(port: number): Record<string, string> {
	return {
		NODE_OPTIONS: `--require ${JSON.stringify(compiledProbe())}`,
		LOAD_PROBE_PORT: String(port),
	};
}

/** The probe as plain JavaScript: n8n's own Node.js may not read TypeScript. */
function compiledProbe(): string {
	const source = join(__dirname, 'probe.ts');
	const compiled = join(CACHE_FOLDER, 'load-probe.cjs');
	const { code } = transformSync(readFileSync(source, 'utf8'), {
		filename: source,
		jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
		module: { type: 'commonjs' },
	});
	mkdirSync(CACHE_FOLDER, { recursive: true });
	writeFileSync(compiled, code);
	return compiled;
}

export class Probe {
	constructor(private readonly port: number) {}

	async read(): Promise<ProbeReading> {
		return await this.ask('/');
	}

	/** After all that can be freed has been freed. */
	async readAfterCollection(): Promise<ProbeReading> {
		return await this.ask('/?gc');
	}

	/** Reads, and starts the lists and the delays of the event loop again. */
	async reset(): Promise<ProbeReading> {
		return await this.ask('/?reset');
	}

	private async ask(path: string): Promise<ProbeReading> {
		const { data } = await axios.get<ProbeReading>(`http://127.0.0.1:${this.port}${path}`, {
			proxy: false,
			timeout: 30_000,
		});
		return data;
	}
}
