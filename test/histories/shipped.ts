import fs from 'node:fs';
import path from 'node:path';

import { transformSync } from '@swc/core';
import * as n8nWorkflow from 'n8n-workflow';

import type { CrossChainBridgeTrigger as Trigger } from '../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';
import type { VirtualTime } from './virtualTime';

/** The shipped modules, with a memory of its own for each process: a hundred times as fast as Jest loads modules again. */

const ROOT = path.resolve(__dirname, '../../nodes/CrossChainBridge');

type Load = (
	exports: object,
	require: (name: string) => unknown,
	module: { exports: object },
	...globals: unknown[]
) => void;

/** Modules that remember nothing, and import none that does: they are loaded once. All others are loaded for each process. */
const PURE = /^(orders|watch)\//;

export class ShippedModules {
	private readonly compiled = new Map<string, Load>();

	private readonly shared = new Map<string, object>();

	constructor(private readonly time: VirtualTime) {}

	/** The trigger in a process that has just begun. `isAlive`: whether timers of that process still fire. */
	startProcess(isAlive: () => boolean): Trigger {
		const own = new Map<string, object>();
		const sleep = async (ms: number): Promise<void> => {
			await new Promise<void>((resolve) => {
				this.time.at(this.time.now() + Math.max(0, ms), () => {
					if (isAlive()) resolve();
				});
			});
		};
		const workflow = { ...n8nWorkflow, sleep };
		const load = (name: string, importer: string | null): object => {
			const isPure = PURE.test(name);
			if (!isPure && importer !== null && PURE.test(importer))
				throw new Error(`${importer} imports ${name}, which may remember something`);
			const cache = isPure ? this.shared : own;
			const known = cache.get(name);
			if (known !== undefined) return known;
			const module = { exports: {} };
			cache.set(name, module.exports);
			const require = (wanted: string): unknown => {
				if (wanted === 'n8n-workflow') return workflow;
				if (!wanted.startsWith('.')) return jest.requireActual<object>(wanted);
				return load(path.posix.normalize(path.posix.join(path.posix.dirname(name), wanted)), name);
			};
			const { Date, performance, AbortSignal } = this.time.globals;
			this.compile(name)(module.exports, require, module, Date, performance, AbortSignal);
			return module.exports;
		};
		const { CrossChainBridgeTrigger } = load('CrossChainBridgeTrigger.node', null) as {
			CrossChainBridgeTrigger: new () => Trigger;
		};
		return new CrossChainBridgeTrigger();
	}

	private compile(name: string): Load {
		const known = this.compiled.get(name);
		if (known !== undefined) return known;
		const file = path.join(ROOT, `${name}.ts`);
		const { code } = transformSync(fs.readFileSync(file, 'utf8'), {
			filename: file,
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		const load = new Function(
			'exports',
			'require',
			'module',
			'Date',
			'performance',
			'AbortSignal',
			`${code}\n//# sourceURL=${file}`,
		) as Load;
		this.compiled.set(name, load);
		return load;
	}
}
