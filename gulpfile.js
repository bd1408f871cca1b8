const fs = require('node:fs');
const path = require('node:path');
const { Transform } = require('node:stream');
const { dest, series, src } = require('gulp');
const { build: esbuild } = require('esbuild');
const { minify } = require('terser');

const { n8n } = require('./package.json');

const ASSETS = ['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'];

/** So that nothing that has no source any more is packed. */
async function clean() {
	fs.rmSync('dist', { recursive: true, force: true });
}

/** Passes files on with what `contentOf` makes of each. */
function rewriting(contentOf) {
	return new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			Promise.resolve(contentOf(file)).then((content) => {
				file.contents = Buffer.from(content);
				done(null, file);
			}, done);
		},
	});
}

/** All modules in one file: a hundred files of their own would weigh a quarter more, and n8n reads this one once. */
const BUNDLE = 'dist/nodes/CrossChainBridge/modules.js';

/** What n8n loads, by the name of its class. */
const CLASSES = [...n8n.credentials, ...n8n.nodes].map((compiled) => ({ compiled, name: path.basename(compiled).split('.')[0] }));

async function bundle() {
	const sourceOf = (compiled) => `./${compiled.replace(/^dist\//, '').replace(/\.js$/, '')}`;
	const imports = CLASSES.map(({ compiled, name }) => `import { ${name} } from '${sourceOf(compiled)}';`).join('\n');
	// Exported as Node.js does it: what esbuild makes of an `export` is ten lines that nothing here needs.
	const contents = `${imports}\nObject.assign(exports, { ${CLASSES.map(({ name }) => name).join(', ')} });`;
	await esbuild({
		stdin: { contents, resolveDir: __dirname, loader: 'ts' },
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		external: ['n8n-workflow', 'crypto'],
		outfile: BUNDLE,
		logLevel: 'warning',
	});
	for (const { compiled, name } of CLASSES) {
		const shared = path.posix.relative(path.posix.dirname(compiled), BUNDLE);
		fs.mkdirSync(path.dirname(compiled), { recursive: true });
		fs.writeFileSync(compiled, `exports.${name} = require('./${shared}').${name};\n`.replace("'./../", "'../"));
	}
}

/**
 * What n8n installs is small, and can still be read: comments and white space go and variables get short names; the names
 * of functions and classes stay, each statement has a line of its own, and each module begins with its path, so that a stack
 * trace in n8n's log says where.
 */
async function packTight() {
	const bundled = fs.readFileSync(BUNDLE, 'utf8');
	// A class or function that esbuild assigns to a variable has its name from there.
	const reserved = [...bundled.matchAll(/^(?:var|let|const) (\w+) = (?:class\b|(?:async )?\()/gm)].map(([, name]) => name);
	const mangle = { toplevel: true, reserved, keep_fnames: true, keep_classnames: true };
	const format = { semicolons: false, comments: /^ (?:nodes|credentials)\// };
	// Constants stand where they are used, and `true` becomes `!0`: what merges statements would leave no lines to read, and what moves a
	// class or function would leave it without its name, or under another module's path.
	const compress = { defaults: false, booleans: true, evaluate: true, reduce_vars: true, reduce_funcs: false, unused: true, toplevel: true, top_retain: reserved, keep_fnames: true };
	const { code } = await minify(bundled, { compress, mangle, ecma: 2020, format });
	fs.writeFileSync(BUNDLE, code);
}

/** Brings what is no code into dist: icons, codex files, output schemas. JSON loses its white space on the way. */
function copyAssets() {
	const tightened = rewriting(({ extname, contents }) => (extname === '.json' ? JSON.stringify(JSON.parse(contents.toString())) : contents));
	return src(ASSETS, { base: '.', encoding: false }).pipe(tightened).pipe(dest('dist'));
}

/** Fails when something that n8n will look for is not in dist. */
async function checkAssets() {
	const missing = [...n8n.nodes, ...n8n.credentials].flatMap(expectedFiles).filter((file) => !fs.existsSync(file));
	if (missing.length > 0) throw new Error(`Missing in dist: ${[...new Set(missing)].join(', ')}`);
}

/** The files that a compiled node or credential refers to, besides itself. */
function expectedFiles(compiled) {
	if (!fs.existsSync(compiled)) return [compiled];
	const exported = Object.values(require(path.resolve(compiled)));
	const described = exported.map((Class) => new Class());
	const icons = described.flatMap(({ icon, description }) => Object.values(icon ?? description.icon));
	const files = icons.map((icon) => path.join(path.dirname(compiled), icon.replace('file:', '')));
	const isNode = compiled.endsWith('.node.js');
	return [...files, ...(isNode ? [`${compiled}on`, ...expectedSchemas(compiled, described)] : [])];
}

/** One output schema for each operation, as the editor asks for them: the shape of its items by default. */
function expectedSchemas(compiled, described) {
	const operation = described[0].description.properties.find(({ name }) => name === 'operation');
	return (operation?.options ?? []).map(({ value }) => path.join(path.dirname(compiled), '__schema__', 'v1.0.0', `${value}.json`));
}

exports.clean = clean;
exports.build = series(bundle, packTight, copyAssets, checkAssets);
