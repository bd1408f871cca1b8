import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');

interface Manifest {
	version: string;
	dependencies?: object;
	overrides?: object;
	main?: string;
	peerDependencies: object;
	devDependencies: Record<string, string>;
	scripts: Record<string, string>;
	keywords: string[];
	repository: { url: string };
	homepage: string;
	bugs: { url: string };
	n8n: { nodes: string[]; credentials: string[] };
}

const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Manifest;

/** The tarball as npm would make it, of the dist that `npm test` has just built. */
const [tarball] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
) as Array<{ files: Array<{ path: string }>; size: number; unpackedSize: number }>;

const files = (tarball?.files ?? []).map((file) => file.path);

test('the tarball holds the compiled nodes, their assets, README, LICENSE and package.json, and nothing else', () => {
	const outside = files.filter((file) => !file.startsWith('dist/'));
	expect(outside.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	for (const file of files.filter((name) => name.startsWith('dist/'))) {
		expect(file).toMatch(/^dist\/(nodes|credentials)\/.*\.(js|svg|node\.json)$|__schema__\/v\d+\.\d+\.\d+\/\w+\.json$/);
	}
});

test('every source file has its compiled twin, and nothing compiled is left over from before', () => {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		fs
			.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => `dist/${folder}/${file.replace(/\.ts$/, '.js')}`),
	);
	expect(files.filter((file) => file.endsWith('.js')).sort()).toEqual(sources.sort());
});

test('what n8n is told to load is there', () => {
	for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) expect(files).toContain(file);
	for (const file of manifest.n8n.nodes) expect(files).toContain(`${file}on`);
});

test('no runtime dependency, one peer, pinned tools, no scripts that run by themselves', () => {
	expect(manifest.dependencies).toBeUndefined();
	expect(manifest.overrides).toBeUndefined();
	expect(manifest.main).toBeUndefined();
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	for (const version of Object.values(manifest.devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
	expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)|^install$/.test(name))).toEqual([]);
	expect(manifest.keywords).toContain('n8n-community-node-package');
});

test('one address for the project, the same everywhere', () => {
	const address = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	expect(manifest.homepage).toBe(`${address}#readme`);
	expect(manifest.bugs.url).toBe(`${address}/issues`);
	const sources = ['credentials', 'nodes'].flatMap((folder) =>
		fs
			.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.(ts|json)$/.test(file))
			.map((file) => fs.readFileSync(path.join(ROOT, folder, file), 'utf8')),
	);
	for (const link of sources.join('\n').match(/https:\/\/github\.com\/[^\s"'#]+/g) ?? []) expect(link).toBe(address);
});

test('compiled files import n8n-workflow and each other alone', () => {
	for (const file of files.filter((name) => name.endsWith('.js'))) {
		const code = fs.readFileSync(path.join(ROOT, file), 'utf8');
		for (const [, name = ''] of code.matchAll(/require\("([^"]+)"\)/g)) expect(name).toMatch(/^(n8n-workflow|(node:)?crypto|\.{1,2}(\/.*)?)$/);
	}
});

test('the changelog has this version, and lockfiles record no download addresses', () => {
	expect(fs.readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8')).toContain(`## ${manifest.version}`);
	const lockfiles = ['package-lock.json', 'e2e/n8n-2.8/package-lock.json', 'e2e/n8n-2.40/package-lock.json'];
	for (const lockfile of lockfiles) expect(fs.readFileSync(path.join(ROOT, lockfile), 'utf8')).not.toContain('"resolved": "http');
});

test('the README’s commands exist', () => {
	const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');
	const commands = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
	for (const name of commands) expect(Object.keys(manifest.scripts)).toContain(name);
	for (const name of ['npm ci && npm start', 'npm ci && npm test']) expect(readme).toContain(name);
});

test('the examples hold no key and name our nodes', () => {
	const examples = fs.readdirSync(path.join(ROOT, 'examples')).filter((file) => file.endsWith('.json'));
	expect(examples.length).toBeGreaterThan(0);
	for (const file of examples) {
		const text = fs.readFileSync(path.join(ROOT, 'examples', file), 'utf8');
		expect(text).not.toMatch(/api-?key|sandbox-key/i);
		expect(text).toContain('n8n-nodes-cross-chain-bridge.crossChainBridge');
	}
});
