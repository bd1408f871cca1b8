import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { COMMANDS } from '../../tools/commands';
import { exists, read, ROOT } from './files';

interface Manifest {
	name: string;
	version: string;
	license: string;
	description: string;
	dependencies?: object;
	optionalDependencies?: object;
	bundleDependencies?: unknown;
	overrides?: object;
	main?: string;
	bin?: unknown;
	files: string[];
	peerDependencies: object;
	devDependencies: Record<string, string>;
	scripts: Record<string, string>;
	keywords: string[];
	author: { name: string; email: string };
	repository: { type: string; url: string };
	homepage: string;
	bugs: { url: string };
	n8n: { n8nNodesApiVersion: number; strict: boolean; nodes: string[]; credentials: string[] };
}

/** The files in a folder and in those below it, as paths from there. */
function filesBelow(folder: string): string[] {
	return fs
		.readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) =>
			path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
		);
}

const manifest = JSON.parse(read('package.json')) as Manifest;

/** What is packed, by its path from the project's top. */
const SOURCES = ['nodes', 'credentials'].flatMap((folder) =>
	filesBelow(path.join(ROOT, folder)).map((file) => `${folder}/${file}`),
);

/** The tarball is unpacked as n8n does it: nothing else is next to it but n8n-workflow. */
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'packed-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

/** The file that PACKAGE_TARBALL names, which is then published; otherwise made by npm of the dist that `npm test` has just built. */
const tarball =
	process.env.PACKAGE_TARBALL === undefined
		? pack()
		: path.resolve(ROOT, process.env.PACKAGE_TARBALL);

function pack(): string {
	const output = execFileSync('npm', ['pack', '--json', '--pack-destination', place], {
		cwd: ROOT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [packed] = Object.values(JSON.parse(output) as Record<string, { filename: string }>);
	if (packed === undefined) throw new Error('npm pack made no tarball');
	return path.join(place, packed.filename);
}

const installed = path.join(place, 'node_modules', manifest.name);
fs.mkdirSync(installed, { recursive: true });
execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
const files = filesBelow(installed);
fs.symlinkSync(
	path.join(ROOT, 'node_modules', 'n8n-workflow'),
	path.join(place, 'node_modules', 'n8n-workflow'),
	'junction',
);

/** The path in the tarball of a file below nodes/ or credentials/. */
function packedAs(source: string): string {
	return `dist/${source.replace(/\.ts$/, '.js')}`;
}

test('the tarball has a readable file for each source file, each asset, README, LICENSE and package.json, and nothing else', () => {
	expect(
		SOURCES.filter(
			(source) =>
				!/\.(ts|svg|node\.json)$|\/__schema__\/v\d+\.\d+\.\d+(\/\w+)?\.json$/.test(source),
		),
	).toEqual([]);
	expect([...files].sort()).toEqual(
		['LICENSE.md', 'README.md', 'package.json', ...SOURCES.map(packedAs)].sort(),
	);
	process.stdout.write(
		`The tarball: ${files.length} files, ${fs.statSync(tarball).size} bytes packed.\n`,
	);
});

test('what is packed is what tsc makes of the source: its names, its comments, a line for each statement', () => {
	for (const source of SOURCES.filter((file) => file.endsWith('.ts'))) {
		const compiled = fs.readFileSync(path.join(installed, packedAs(source)), 'utf8');
		const namesIn = (text: string) =>
			[...text.matchAll(/^(?:export )?(?:async |abstract )?(?:function|class) (\w+)/gm)].map(
				([, name]) => name,
			);
		expect(namesIn(compiled)).toEqual(namesIn(read(source)));
		const longest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
		expect(longest(compiled)).toBeLessThanOrEqual(Math.max(200, 2 * longest(read(source))));
	}
});

test('the files that n8n is to load are there', () => {
	for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials])
		expect(files).toContain(file);
	for (const file of manifest.n8n.nodes) expect(files).toContain(`${file}on`);
});

/** Runs in a process of its own, in the folder of the installed package; writes one line of JSON. */
const LOAD_ALL = `
	const { n8n } = require('./package.json');
	const report = { types: [] };
	require('n8n-workflow');
	global.gc();
	const before = { heap: process.memoryUsage().heapUsed, ms: performance.now() };
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		const loaded = require('./' + file);
		const className = file.split('/').pop().split('.')[0];
		const type = new loaded[className]();
		report.types.push((type.description ?? type).name);
	}
	report.ms = performance.now() - before.ms;
	global.gc();
	report.bytes = process.memoryUsage().heapUsed - before.heap;
	report.foreign = Object.keys(require.cache).filter((file) => !file.startsWith(__dirname) && !file.includes('node_modules'));
	console.log(JSON.stringify(report));
`;

test('where nothing but n8n-workflow is installed, every node and credential loads', () => {
	const program = path.join(installed, 'load-all.js');
	fs.writeFileSync(program, LOAD_ALL);
	const { NODE_PATH: _, ...env } = process.env;
	const output = execFileSync(process.execPath, ['--expose-gc', program], {
		cwd: installed,
		env,
		encoding: 'utf8',
	});
	const report = JSON.parse(output) as {
		types: string[];
		ms: number;
		bytes: number;
		foreign: string[];
	};
	process.stdout.write(
		`Loading all of it: ${report.ms.toFixed(0)} ms, ${(report.bytes / 1024).toFixed(0)} KB of memory.\n`,
	);
	expect(report.types).toEqual([
		'crossChainBridgeApi',
		'crossChainBridge',
		'crossChainBridgeTrigger',
	]);
	expect(report.foreign).toEqual([]);
});

test('no runtime dependency, one peer, pinned tools, no scripts that run by themselves', () => {
	for (const field of [
		'dependencies',
		'optionalDependencies',
		'bundleDependencies',
		'overrides',
		'main',
		'bin',
	] as const) {
		expect(manifest[field]).toBeUndefined();
	}
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	for (const version of Object.values(manifest.devDependencies))
		expect(version).toMatch(/^(npm:n8n-workflow@)?\d+\.\d+\.\d+$/);
	expect(
		Object.keys(manifest.scripts).filter((name) => /^(pre|post)|^install$/.test(name)),
	).toEqual([]);
});

test('package.json says what n8n asks of a community package', () => {
	expect(manifest.name).toMatch(/^n8n-nodes-[a-z0-9-]+$/);
	expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
	expect(manifest.keywords).toContain('n8n-community-node-package');
	expect(manifest.license).toBe('MIT');
	expect(manifest.description).not.toBe('');
	expect(manifest.author.name).not.toBe('');
	expect(manifest.author.email).toMatch(/^\S+@\S+\.\S+$/);
	expect(manifest.repository).toEqual({
		type: 'git',
		url: expect.stringMatching(/^git\+https:\/\/github\.com\/[^/]+\/[^/]+\.git$/),
	});
	expect(manifest.homepage).toMatch(/^https:\/\//);
	expect(manifest.files).toEqual(['dist']);
	// every n8n so far rejects a higher one
	expect(manifest.n8n.n8nNodesApiVersion).toBe(1);
	expect(manifest.n8n.strict).toBe(true);
});

test('one address for the project, the same everywhere', () => {
	const address = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	for (const file of ['SECURITY.md', 'CODE_OF_CONDUCT.md', '.github/ISSUE_TEMPLATE/config.yml'])
		expect(read(file)).toContain(address);
	expect(manifest.homepage).toBe(`${address}#readme`);
	expect(manifest.bugs.url).toBe(`${address}/issues`);
	const sources = SOURCES.filter((file) => /\.(ts|json)$/.test(file)).map((file) => read(file));
	for (const link of sources.join('\n').match(/https:\/\/github\.com\/[^\s"'#]+/g) ?? [])
		expect(link.replace(/\/blob\/HEAD\/docs\/[\w-]+\.md$/, '')).toBe(address);
});

test('compiled files import only n8n-workflow and each other', () => {
	for (const file of files.filter((name) => name.endsWith('.js'))) {
		const code = fs.readFileSync(path.join(installed, file), 'utf8');
		for (const [, name = ''] of code.matchAll(/require\("([^"]+)"\)/g))
			expect(name).toMatch(/^(n8n-workflow|(node:)?crypto|\.{1,2}(\/.*)?)$/);
	}
});

test('the changelog begins with this version', () => {
	const [, newest] =
		/^## \[(.+)\] - (?:Unreleased|\d{4}-\d\d-\d\d)$/m.exec(read('CHANGELOG.md')) ?? [];
	expect(newest).toBe(manifest.version);
});

test('every folder that is installed has a lockfile that pins by checksum and records no download addresses', () => {
	const folders = [
		'.',
		...['e2e', 'tools'].flatMap((parent) =>
			fs.readdirSync(path.join(ROOT, parent)).map((name) => `${parent}/${name}`),
		),
	];
	const installable = folders.filter((folder) => exists(folder, 'package.json'));
	expect(installable).toEqual(
		expect.arrayContaining([
			'.',
			'e2e/n8n-2.8',
			'e2e/n8n-2.41',
			'e2e/n8n-core-2.40',
			'tools/check-package',
		]),
	);
	for (const folder of installable) {
		const lockfile = read(folder, 'package-lock.json');
		expect(lockfile).not.toContain('"resolved": "http');
		expect(lockfile).toContain('"integrity": "sha512-');
	}
});

test('npm run lint has the plugins of the scanner of n8n’s verification, in the versions that it runs', () => {
	const { packages } = JSON.parse(read('tools', 'check-package', 'package-lock.json')) as {
		packages: Record<string, { version: string }>;
	};
	const theirs = (name: string) => packages[`node_modules/${name}`]?.version;
	for (const name of ['@n8n/eslint-plugin-community-nodes', 'eslint-plugin-n8n-nodes-base'])
		expect([name, manifest.devDependencies[name]]).toEqual([name, theirs(name)]);
	// ESLint itself may be newer, of the same major version: the rules come from the plugins.
	const majorOf = (version = '') => version.split('.')[0];
	expect(majorOf(manifest.devDependencies.eslint)).toBe(majorOf(theirs('eslint')));
	// The rules themselves are compared by `npm run check -- package`, which installs the scanner.
	const { version } = packages['node_modules/@n8n/scan-community-package'] ?? {};
	expect(read('tools', 'eslint.config.mjs').replaceAll('\n// ', ' ')).toContain(
		`@n8n/scan-community-package ${version}`,
	);
});

test('the commands that the documents, CI and helps name exist', () => {
	const texts = [
		'README.md',
		'CONTRIBUTING.md',
		'AGENTS.md',
		'SECURITY.md',
		'.ci/run',
		...['docs', 'e2e', 'bench', 'tools', '.github'].flatMap(textsBelow),
	].map((file) => read(file));
	const scripts = texts.flatMap((text) =>
		[...text.matchAll(/npm run ([a-z][\w:]*)/g)].map(([, name = '']) => name),
	);
	expect(scripts.length).toBeGreaterThan(0);
	expect([...new Set(scripts)].filter((name) => !(name in manifest.scripts))).toEqual([]);
	const named = texts.flatMap((text) =>
		[...text.matchAll(/npm run (e2e|bench|check) -- ([a-z]+)/g)].map(([, ...names]) => names),
	);
	const unknown = named.filter(
		([script, name = '']) => COMMANDS[script as keyof typeof COMMANDS][name] === undefined,
	);
	expect(unknown).toEqual([]);
	for (const { program } of Object.values(COMMANDS).flatMap((each) => Object.values(each)))
		expect([program, exists(program)]).toEqual([program, true]);
	for (const name of ['npm ci && npm start', 'npm ci && npm test'])
		expect(read('README.md')).toContain(name);
});

/** The documents, settings and sources in a folder and below it, except what is installed there. */
function textsBelow(folder: string): string[] {
	return fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
		const name = `${folder}/${entry.name}`;
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : textsBelow(name);
		return /\.(?:md|ya?ml|ts)$/.test(entry.name) ? [name] : [];
	});
}

test('anyone who reports something is asked for versions, engine and message, and warned of the key', () => {
	const form = read('.github', 'ISSUE_TEMPLATE', 'bug.yml');
	for (const id of ['n8n', 'engine', 'message', 'description', 'key'])
		expect(form).toContain(`    id: ${id}\n`);
	expect(form).toContain('Never paste an API key');
});
