const { existsSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const path = require('node:path');
const { dest, series, src } = require('gulp');

/** What the compiler remembers of the last build, which belongs to that build. */
const compilerState = '.tsbuildinfo';

const iconReference = /['"]file:([^'"]+)['"]/g;

/** Every `file:` icon that a compiled node or credential names, as a path below dist. */
function namedIcons(file) {
	return [...readFileSync(file, 'utf8').matchAll(iconReference)].map(([, name]) =>
		path.join(path.dirname(file), name),
	);
}

function filesBelow(folder, ending) {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith(ending))
		.map((entry) => path.join(entry.parentPath, entry.name));
}

function failWhenMissing(files) {
	const missing = files.filter((file) => !existsSync(file));
	if (missing.length > 0) throw new Error(`Missing in dist: ${missing.join(', ')}`);
}

/** Removes what was made from sources that have since been moved or removed: it would be published. */
async function removeLeftovers() {
	for (const file of filesBelow('dist', '')) {
		if (path.basename(file) === compilerState) continue;
		const source = path.relative('dist', file);
		const compiled = source.replace(/\.(?:js|js\.map|d\.ts)$/, '.ts');
		if (!existsSync(source) && !existsSync(compiled)) rmSync(file);
	}
}

/** Copies what the compiler leaves behind: icons, codex files and output schemas. */
function copyAssets() {
	return src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
}

/** Fails when a file that n8n will look for is not in dist. */
async function checkAssets() {
	const { n8n } = require('./package.json');
	const compiled = [...n8n.nodes, ...n8n.credentials];
	failWhenMissing(compiled);
	failWhenMissing(n8n.nodes.map((file) => file.replace(/\.js$/, '.json')));
	failWhenMissing(
		[...filesBelow('dist/nodes', '.js'), ...filesBelow('dist/credentials', '.js')].flatMap(
			namedIcons,
		),
	);
}

exports.removeLeftovers = removeLeftovers;
exports.copyAssets = copyAssets;
exports.checkAssets = checkAssets;
exports.default = series(removeLeftovers, copyAssets, checkAssets);
