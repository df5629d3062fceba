// Checks that comments under nodes/, credentials/ and test/ can be read without decoding, and that limits have plain names:
// node .ci/plainComments.mjs. Prints each line with the reason, and fails if there is one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Phrases of comments that a newcomer has to decode, with the plain words to use instead. */
const phrases = [
	{ pattern: /\b(?:so many|whatever|whichever|whoever)\b/i, advice: 'name the thing' },
	{ pattern: /\b(?:for|is|are|of) none\b(?! of)/i, advice: 'say "if there is no …"' },
	{
		pattern:
			/\bwhat (?:is|was|are|were|it|they|that|has|had|comes?|came|stands|goes|went|only|else|no)\b/i,
		advice: 'use a noun instead of a clause',
	},
	{
		pattern: /\b(?:ones?|those|some) (?:that|which|of which|of whom|whose)\b/i,
		advice: 'repeat the noun',
	},
	{
		pattern: /\b(?:that|which) (?:it|they) (?:is|are|has|have|was|were)\b/i,
		advice: 'shorten the clause',
	},
	{ pattern: /\bnever set\b/i, advice: 'say "monotonic"' },
	{ pattern: /\b(?:is|are|was|were) to be\b/i, advice: 'say "must be" or "will be"' },
	{ pattern: /\bnobody knows\b/i, advice: 'say "unknown"' },
	{
		pattern: /\bas (?:it|they) (?:is|are|was|were|comes?|came|stands?)\b/i,
		advice: 'say "unchanged"',
	},
	{
		pattern: /\b(?:tells?|told) (?:of|what|whether|apart)\b/i,
		advice: 'say "reports" or "distinguishes"',
	},
	{ pattern: /\bof then\b|\bof its (?:day|time)\b/i, advice: 'say when' },
	{ pattern: /\bin (?:its|their) turn\b|\bby turns\b/i, advice: 'say in which order' },
	{ pattern: /\bthe same,? but\b/i, advice: 'say what differs' },
	{
		pattern: /\bhave (?:their|its) turn\b|\bothers may\b/i,
		advice: 'say "yields to the event loop"',
	},
	{
		pattern:
			/^\s*(?:\/\*\*|\*|\/\/)\s*(?:Of|By|As|In which|What|How|So|Without|With|For)\b(?!.*\bexample\b)/,
		advice: 'begin with a verb or a noun',
	},
];

const comment = /^\s*(?:\/\*\*|\*(?!\/)|\/\/)/;

/** Limits are called max… or min…, with their unit. */
const limitName =
	/^\s*(?:export )?const (?:\[?(?:\w+, )*)((?:most|longest|fewest|least|shortest|smallest)[A-Z]\w*)/;

function* faultsOf(line) {
	const name = limitName.exec(line)?.[1];
	if (name) yield `call ${name} max… or min…, with its unit`;
	if (!comment.test(line)) return;
	for (const { pattern, advice } of phrases) if (pattern.test(line)) yield advice;
}

const files = ['nodes', 'credentials', 'test'].flatMap((folder) =>
	readdirSync(folder, { recursive: true })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name)),
);
let count = 0;
for (const file of files.sort()) {
	for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
		for (const fault of faultsOf(line)) {
			console.log(`${file}:${index + 1}: ${line.trim()}\n    ${fault}`);
			count++;
		}
	}
}
if (count > 0) {
	console.log(`${count} lines are not plain`);
	process.exitCode = 1;
}
