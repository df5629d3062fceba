// Prints the changelog's section on a version, which must be the package's: node .ci/releaseNotes.mjs 0.1.0
import { readFileSync } from 'node:fs';

const [wanted] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
if (wanted !== version) throw new Error(`The tag is ${wanted}, the package is ${version}`);
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const section = sections.find((text) => text.split('\n')[0].trim() === version);
if (section === undefined) throw new Error(`CHANGELOG.md has no section on ${version}`);
console.log(section.slice(section.indexOf('\n')).trim());
