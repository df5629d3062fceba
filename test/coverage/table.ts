/** A row of the coverage table: what the specification has, where it is in the package, what shows it. */
export interface Row {
	/** The heading above the row. */
	section: string;
	/** Where the row stands, for messages. */
	line: number;
	/** What the first cell names in backticks. */
	keys: string[];
	subject: string;
	place: string;
	proof: string;
	/** Cells beyond these, or too few of them, make no row. */
	isWhole: boolean;
}

export interface TestLink {
	title: string;
	/** The path from the folder of the table. */
	file: string;
}

/** The rows of all tables of a page, without their heads. */
export function rowsOf(markdown: string): Row[] {
	const rows: Row[] = [];
	let section = '';
	let isBody = false;
	for (const [index, text] of markdown.split('\n').entries()) {
		section = /^## (.+)$/.exec(text)?.[1] ?? section;
		if (/^\|( *-+ *\|)+$/.test(text)) isBody = true;
		else if (!text.startsWith('|')) isBody = false;
		else if (isBody) rows.push(rowOf(section, index + 1, text));
	}
	return rows;
}

/** The texts of a cell that stand between backticks. */
export function codeSpans(cell: string): string[] {
	return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

/** The links of a cell. */
export function testLinks(cell: string): TestLink[] {
	return [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = '', file = '']) => ({
		title,
		file,
	}));
}

function rowOf(section: string, line: number, text: string): Row {
	const cells = text
		.split(/(?<!\\)\|/)
		.slice(1, -1)
		.map((cell) => cell.replace(/\\\|/g, '|').trim());
	const [subject = '', place = '', proof = ''] = cells;
	return {
		section,
		line,
		keys: codeSpans(subject),
		subject,
		place,
		proof,
		isWhole: cells.length === 3,
	};
}
