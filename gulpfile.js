const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { dest, series, src } = require('gulp');

const { n8n } = require('./package.json');

const ASSETS = ['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'];

/** Removes what has no source any more, so that it is not packed. */
async function clean() {
	fs.rmSync('dist', { recursive: true, force: true });
}

/** Writes a file for each source file, as readable in node_modules as in the repository. */
async function compile() {
	execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.json'], {
		stdio: 'inherit',
	});
}

/** Copies icons, codex files and output schemas to where n8n looks for them. */
function copyAssets() {
	return src(ASSETS, { base: '.', encoding: false }).pipe(dest('dist'));
}

/** Fails when something that n8n will look for is not in dist. */
async function checkAssets() {
	const missing = [...n8n.nodes, ...n8n.credentials]
		.flatMap(expectedFiles)
		.filter((file) => !fs.existsSync(file));
	if (missing.length > 0) throw new Error(`Missing in dist: ${[...new Set(missing)].join(', ')}`);
}

/** The files that a compiled node or credential refers to, besides itself. */
function expectedFiles(compiled) {
	if (!fs.existsSync(compiled)) return [compiled];
	const exported = Object.values(require(path.resolve(compiled)));
	const described = exported.map((Class) => new Class());
	const icons = described.flatMap(({ icon, description }) =>
		Object.values(icon ?? description.icon),
	);
	const files = icons.map((icon) => path.join(path.dirname(compiled), icon.replace('file:', '')));
	const isNode = compiled.endsWith('.node.js');
	return [...files, ...(isNode ? [`${compiled}on`, ...expectedSchemas(compiled, described)] : [])];
}

/** The output schemas that the editor asks for, the shape of items by default: one for each operation, one for a node without operations. */
function expectedSchemas(compiled, described) {
	const operation = described[0].description.properties.find(({ name }) => name === 'operation');
	const schemas = operation?.options.map(({ value }) => `v1.0.0/${value}.json`) ?? ['v1.0.0.json'];
	return schemas.map((schema) => path.join(path.dirname(compiled), '__schema__', schema));
}

exports.build = series(clean, compile, copyAssets, checkAssets);
