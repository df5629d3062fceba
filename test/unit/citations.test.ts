import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { questions } from '../probe/questions';
import { positions } from '../service/switches';

const root = join(__dirname, '../..');
const specification = readFileSync(join(root, 'test/service/SPECIFICATION.md'), 'utf8');

/** Returns the sources of a folder, by their paths from the root. */
function sourcesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.tsx?$/.test(name))
		.map((name) => join(folder, name))
		.filter((path) => path !== 'test/unit/citations.test.ts');
}

/** Returns the sections of a page: heading → text up to the next heading of the same or a higher level. */
function sectionsOf(page: string): Map<string, string> {
	const headings = [...page.matchAll(/^(#+) (.+)$/gm)];
	return new Map(
		headings.map(({ 1: marks = '', 2: heading = '', index }) => {
			const end = headings.find(
				(next) => next.index > index && (next[1] ?? '').length <= marks.length,
			);
			return [heading, page.slice(index, end?.index)] as const;
		}),
	);
}

const sections = sectionsOf(specification);

/** Returns the section of an endpoint, such as `Endpoint 7: Update a record`. */
function endpoint(number: number): string | undefined {
	const heading = [...sections.keys()].find((name) => name.startsWith(`Endpoint ${number}: `));
	return heading && sections.get(heading);
}

const hasItem = (section: string | undefined, number: number) =>
	section !== undefined && new RegExp(`^${number}\\. `, 'm').test(section);

/** Returns the numbers in a text such as `6, 7 and 8` or `6 to 11`. */
function numbersIn(text: string): number[] {
	const numbers = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
	const [first = 0, last = 0] = numbers;
	if (!/^\d+ to \d+$/.test(text)) return numbers;
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Returns the comments of a source as one line each, without the marks at the beginning of lines. */
function commentsOf(source: string): string[] {
	const comments = source.match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm) ?? [];
	return comments.map((comment) => comment.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' '));
}

/** Returns the citations in the comments of a source, such as `endpoint 1, "Paging rules"`. */
function citationsIn(source: string): string[] {
	return commentsOf(source)
		.flatMap((comment) => [...comment.matchAll(/\(specification,\s+([^)]+)\)/g)])
		.map(([, citation = '']) => citation);
}

const part =
	/^(?:endpoints? (?<endpoints>\d+(?:(?:, | and | to )\d+)*)|filter rules? (?<rules>\d+(?:(?:, | and )\d+)*)|"(?<heading>[^"]+)"|`(?<parameter>[^`]+)`|(?<item>\d+))(?:, | and |$)/;

/**
 * Returns whether all parts of a citation exist: endpoints, filter rules, headings, and parameters or items of the section that
 * stands before them.
 */
function exists(citation: string): boolean {
	let rest = citation;
	let section: string | undefined;
	while (rest !== '') {
		const { groups, 0: text } = part.exec(rest) ?? { 0: '' };
		if (!groups) return false;
		const { endpoints, rules, heading, parameter, item } = groups;
		if (endpoints !== undefined) {
			const cited = numbersIn(endpoints).map(endpoint);
			if (cited.includes(undefined)) return false;
			section = cited.join('\n');
		}
		if (heading !== undefined) {
			section = sections.get(heading);
			if (section === undefined) return false;
		}
		const filterRules = sections.get('Filter rules');
		if (rules !== undefined && !numbersIn(rules).every((number) => hasItem(filterRules, number))) {
			return false;
		}
		if (item !== undefined && !hasItem(section, Number(item))) return false;
		if (parameter !== undefined && !section?.includes(`\`${parameter}\``)) return false;
		rest = rest.slice(text.length);
	}
	return true;
}

const files = ['nodes', 'credentials', 'test'].flatMap(sourcesBelow);
const cited = files.flatMap((file) =>
	citationsIn(readFileSync(join(root, file), 'utf8')).map((citation) => ({ file, citation })),
);

it('each section of the specification that a comment cites exists', () => {
	expect(cited.length).toBeGreaterThan(100);
	expect(cited.filter(({ citation }) => !exists(citation))).toEqual([]);
});

it('a comment that speaks of the specification in parentheses cites a section', () => {
	const inParentheses = files.flatMap((file) =>
		commentsOf(readFileSync(join(root, file), 'utf8'))
			.flatMap((comment) => comment.match(/\(specification[^)]*\)?/gi) ?? [])
			.map((citation) => ({ file, citation })),
	);
	expect(inParentheses.length).toBeGreaterThan(100);
	expect(
		inParentheses.filter(({ citation }) => !/^\(specification, [^)]+\)$/.test(citation)),
	).toEqual([]);
});

it.each([
	...[
		'endpoint 7',
		'endpoints 6 to 11',
		'endpoint 1, filter rules 6, 7 and 8',
		'"Authentication", 4',
	],
	...[
		'filter rule 9',
		'endpoint 1, `callback`',
		'endpoint 1, "Paging rules"',
		'"Field identifier"',
	],
])('the citation %s is found', (citation) => {
	expect(exists(citation)).toBe(true);
});

it.each([
	...['endpoint 16', 'endpoints 14 to 16', 'filter rules 8 and 10', '"Authentication", 6'],
	...['endpoint 2, `callback`', '"No such section"', 'section 7', 'endpoint 7, somewhere'],
])('the citation %s is not found', (citation) => {
	expect(exists(citation)).toBe(false);
});

it('citations are read across lines, and from comments only', () => {
	const source = [
		'/** Reads a list (specification,\n * endpoint 1). */',
		'// Sorted as in (specification, "Signature\n// verification").',
		'const text = "(specification, endpoint 99)";',
	].join('\n');
	expect(citationsIn(source)).toEqual(['endpoint 1', '"Signature verification"']);
});

it('the specification names each switch of the reference service, and no other', () => {
	const named = [...specification.matchAll(/Switch(?:es)? ((?:`\w+`(?:, )?)+)/g)].flatMap(
		([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
	);
	const beyond = [...(sections.get('Beyond this page') ?? '').matchAll(/`([a-z]\w+)`/gi)]
		.map(([, name = '']) => name)
		.filter((name) => Object.hasOwn(positions, name));
	expect(named.filter((name) => !Object.hasOwn(positions, name))).toEqual([]);
	const all = new Set([...named, ...beyond]);
	expect(Object.keys(positions).filter((name) => !all.has(name))).toEqual([]);
});

describe('the list of what a real answer would delete', () => {
	const decisions = readFileSync(join(root, '.github/DECISIONS.md'), 'utf8');
	const section = sectionsOf(decisions).get('What a real answer would delete') ?? '';
	const rows = [...section.matchAll(/^\| (.+) \| (.+) \| +(\d+) \| (.+) \|$/gm)].map(
		([, mechanism = '', where = '', , question = '']) => ({ mechanism, where, question }),
	);
	const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

	it('each row of the list names files of the nodes and questions that the probe asks', () => {
		const asked = new Set(questions.map(({ about }) => String(about)));
		expect(rows.length).toBeGreaterThan(20);
		for (const { where, question } of rows) {
			expect(codeIn(where).filter((file) => !existsSync(join(root, file)))).toEqual([]);
			expect(codeIn(question).filter((about) => !asked.has(about))).toEqual([]);
			expect([codeIn(where).length, codeIn(question).length]).not.toContain(0);
		}
	});

	it('the sum of the lines is the number in the text', () => {
		const [, about = ''] = /Some ([\d,]+) lines/.exec(section) ?? [];
		const sum = [...section.matchAll(/ \| +(\d+) \| /g)].reduce(
			(all, [, lines]) => all + Number(lines),
			0,
		);
		expect(Math.abs(sum - Number(about.replace(',', '')))).toBeLessThanOrEqual(100);
	});
});
