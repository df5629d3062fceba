// Prints the README for npm, which shows it without the repository: links and pictures get full addresses, at the tag of the
// package's version.
import { readFileSync } from 'node:fs';

const { repository, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const [, project] = /github\.com\/(.+?)(?:\.git)?$/.exec(repository.url);
const pages = `https://github.com/${project}/blob/${version}/`;
const pictures = `https://raw.githubusercontent.com/${project}/${version}/`;

/** The end of a link or a picture, with its target. */
const targets = /(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)/g;

const readme = readFileSync('README.md', 'utf8').replace(targets, (_, mark, text, target) => {
	const folder = mark === '!' ? pictures : pages;
	return `${mark}${text}(${folder}${target})`;
});
process.stdout.write(readme);
