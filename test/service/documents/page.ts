import type { RecordContent } from './recordContent';

/** The record as a page for a printer, in XHTML. */
export function makePage({ title, fields, subtables }: RecordContent, heading: string): Buffer {
	const tables = subtables.map(
		({ name, heading: columns, rows }) => `<h2>${markup(name)}</h2>${tableOf([columns, ...rows])}`,
	);
	const body = `<h1>${markup(`${heading} ${title}`)}</h1>${tableOf(fields)}${tables.join('')}`;
	return Buffer.from(
		'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n' +
			`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${markup(title)}</title></head>` +
			`<body>${body}</body></html>\n`,
	);
}

function tableOf(rows: string[][]): string {
	const cells = (row: string[]) => row.map((cell) => `<td>${markup(cell)}</td>`).join('');
	return `<table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</table>`;
}

function markup(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}
