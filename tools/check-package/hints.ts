import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What n8n's verification may find tomorrow. Nothing here lets the check fail. */

const MODULES = join(__dirname, 'node_modules');

/** A part of an ESLint configuration. */
export interface LintPart {
	files?: string[];
	ignores?: string[];
	rules?: Record<string, unknown>;
	plugins?: Record<string, unknown>;
	languageOptions?: { parser?: unknown };
}

interface LintResult {
	filePath: string;
	messages: Array<{ line: number; ruleId: string | null; message: string }>;
}

/** The classes of ESLint that are used here. */
interface Eslint {
	ESLint: new (options: object) => { lintFiles(patterns: string[]): Promise<LintResult[]> };
}

/** @returns the version of the newest lint plugin, and what its recommended rules find in the source in a folder */
export async function newestLintFindings(
	folder: string,
	filePatterns: string[],
): Promise<{ version: string; findings: string[] }> {
	const require = createRequire(join(MODULES, 'newest-lint-plugin', 'package.json'));
	const { version } = require('./package.json') as { version: string };
	const { n8nCommunityNodesPlugin: plugin } = require('newest-lint-plugin') as {
		n8nCommunityNodesPlugin: { configs: { recommended: LintPart | LintPart[] } };
	};
	const { ESLint } = require('eslint') as Eslint;
	const parser: unknown = require('@typescript-eslint/parser');
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: [
			...[plugin.configs.recommended].flat(),
			{ files: ['**/*.ts', '**/*.json'], languageOptions: { parser } },
		],
	});
	const results = await eslint.lintFiles(filePatterns);
	const findings = results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, ruleId, message }) =>
				`${filePath.slice(folder.length + 1)}:${line} ${ruleId ?? ''}: ${message}`,
		),
	);
	return { version, findings };
}

interface Yara {
	initSync(options: { module: Buffer }): void;
	Compiler: new () => { addSource(source: string): void; build(): Rules };
}

interface Rules {
	scan(bytes: Buffer): { matches: Array<{ identifier: string }> };
}

/** GuardDog's other rules say what code can do, for its threats to build upon. */
const THREAT = 'threat_';

/** @returns how many files of YARA rules there are in a folder, and which threats they find in the code in another one */
export async function yaraFindings(
	rulesFolder: string,
	folder: string,
): Promise<{ count: number; findings: string[] }> {
	const module = join(MODULES, '@virustotal', 'yara-x', 'pkg');
	const { initSync, Compiler } = (await import(
		pathToFileURL(join(module, 'yara_x_js.js')).href
	)) as Yara;
	initSync({ module: readFileSync(join(module, 'yara_x_js_bg.wasm')) });
	const compiler = new Compiler();
	const files = filesBelow(rulesFolder).filter((file) => /\.yara?$/.test(file));
	for (const file of files) compiler.addSource(withIncludes(join(rulesFolder, file)));
	const rules = compiler.build();
	const code = filesBelow(folder).filter((file) => /^package\.json$|\.js$/.test(file));
	const findings = code.flatMap((file) =>
		rules
			.scan(readFileSync(join(folder, file)))
			.matches.filter(({ identifier }) => identifier.startsWith(THREAT))
			.map(({ identifier }) => `${file}: ${identifier}`),
	);
	return { count: files.length, findings };
}

/** A file of rules, with the files that it includes in their places: the reader for JavaScript opens no files. */
function withIncludes(file: string): string {
	return readFileSync(file, 'utf8').replace(/^include "([^"]+)"/gm, (_line, name: string) =>
		withIncludes(join(dirname(file), name)),
	);
}

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
