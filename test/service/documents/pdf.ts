import { buffer } from 'node:stream/consumers';
import type { RecordContent } from './recordContent';

/** The libraries for documents are loaded when one is wanted: most tests want none. */
export async function makePdf(
	{ title, fields, subtables }: RecordContent,
	heading: string,
): Promise<Buffer> {
	const { default: PdfDocument } = await import('pdfkit');
	const document = new PdfDocument({ size: 'A4', info: { Title: `${heading} ${title}` } });
	const content = buffer(document);
	document.fontSize(20).text(`${heading} ${title}`).moveDown().fontSize(10);
	for (const [name, value] of fields) document.text(`${name}: ${value}`);
	for (const { name, heading: columns, rows } of subtables) {
		document.moveDown().fontSize(14).text(name).fontSize(10).text(columns.join('   '));
		for (const row of rows) document.text(row.join('   '));
	}
	document.end();
	return await content;
}
