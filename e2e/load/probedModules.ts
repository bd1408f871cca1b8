import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';

import { transformSync } from '@swc/core';

import { PROJECT_FOLDER } from '../../realN8n/machine/paths';

type Load = (
	exports: object,
	require: (name: string) => unknown,
	module: { exports: object },
	...globals: unknown[]
) => void;

const ROOT = join(PROJECT_FOLDER, 'nodes', 'CrossChainBridge');

/** A module-level variable that contains an object made at loading: whatever a process remembers hangs on one of them. */
const DECLARATION = /^(?:const|let|var) (\w+) = new \w/gm;

/**
 * The shipped modules, loaded once with other globals (a simulated clock) and with a view of what their module-level
 * variables contain, which Node.js gives no other way to.
 */
export class ProbedModules {
	private readonly modules = new Map<string, { exports: object }>();

	/** Module and variable to what it contains. */
	private readonly variables = new Map<string, unknown>();

	private readonly requireOutside = createRequire(__filename);

	constructor(
		private readonly globals: Readonly<Record<string, unknown>>,
		/** In place of packages that the modules import. */
		private readonly packages: Readonly<Record<string, object>>,
	) {}

	/** @param name path below nodes/CrossChainBridge without .ts */
	load(name: string): object {
		const known = this.modules.get(name);
		if (known !== undefined) return known.exports;
		const module = { exports: {} };
		this.modules.set(name, module);
		const require = (wanted: string): unknown => {
			if (wanted.startsWith('.'))
				return this.load(posix.normalize(posix.join(posix.dirname(name), wanted)));
			return this.packages[wanted] ?? this.requireOutside(wanted);
		};
		const record = (variable: string, value: unknown): void =>
			void this.variables.set(`${name}.${variable}`, value);
		this.compile(name)(module.exports, require, module, record, ...Object.values(this.globals));
		return module.exports;
	}

	/**
	 * How many entries the collections have that module-level variables lead to, by place: `trigger/session.watches.*.*.pending`
	 * is the sum over all watches. What `ignored` names is not gone into.
	 */
	census(ignored: WeakSet<object>): Record<string, number> {
		const sizes: Record<string, number> = {};
		const seen = new WeakSet<object>();
		const walk = (value: unknown, place: string): void => {
			if (typeof value !== 'object' || value === null || seen.has(value) || ignored.has(value))
				return;
			seen.add(value);
			if (ArrayBuffer.isView(value)) return;
			if (value instanceof Map || value instanceof Set || Array.isArray(value)) {
				sizes[place] = (sizes[place] ?? 0) + (Array.isArray(value) ? value.length : value.size);
				for (const entry of value.values()) walk(entry, `${place}.*`);
				return;
			}
			for (const [field, inner] of Object.entries(value)) walk(inner, `${place}.${field}`);
		};
		for (const [place, value] of this.variables) walk(value, place);
		return sizes;
	}

	private compile(name: string): Load {
		const file = join(ROOT, `${name}.ts`);
		const { code } = transformSync(readFileSync(file, 'utf8'), {
			filename: file,
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		// A comment would stand before the declaration, on the same line.
		const noted = [...code.replaceAll(/\/\*[\s\S]*?\*\/\s*/g, '').matchAll(DECLARATION)]
			.map(([, variable]) => `record('${variable}', ${variable});`)
			.join('\n');
		const parameters = ['exports', 'require', 'module', 'record', ...Object.keys(this.globals)];
		return new Function(...parameters, `${code}\n${noted}\n//# sourceURL=${file}`) as Load;
	}
}
