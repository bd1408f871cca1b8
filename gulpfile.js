const fs = require('node:fs');
const path = require('node:path');
const { Transform } = require('node:stream');
const { dest, series, src } = require('gulp');
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

/**
 * What n8n installs is small, and can still be read: comments and white space go, every name stays, and each statement has
 * a line of its own, so that a stack trace in n8n's log says where.
 */
function packTight() {
	const format = { compress: false, mangle: false, ecma: 2020, format: { semicolons: false } };
	const tightened = rewriting(async ({ contents }) => (await minify(contents.toString(), format)).code);
	return src('dist/**/*.js').pipe(tightened).pipe(dest('dist'));
}

/** Brings what tsc leaves behind into dist: icons, codex files, output schemas. JSON loses its white space on the way. */
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

/** One output schema for each operation whose answer has a known shape, as the editor asks for them. */
function expectedSchemas(compiled, described) {
	const operation = described[0].description.properties.find(({ name }) => name === 'operation');
	return (operation?.options ?? [])
		.filter(({ value }) => !OPEN_SHAPES.includes(value))
		.map(({ value }) => path.join(path.dirname(compiled), '__schema__', 'v1.0.0', `${value}.json`));
}

/** What a quote holds is not shown by the service's interface, so no schema claims to know it. */
const OPEN_SHAPES = ['getQuote'];

exports.clean = clean;
exports.build = series(packTight, copyAssets, checkAssets);
