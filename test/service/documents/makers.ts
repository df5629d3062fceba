import { buffer } from 'node:stream/consumers';
import { textsOf } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';

// The document libraries are imported on first use, because most tests need none.

export interface RecordContent {
	recordId: number;
	title: string;
	/** All visible fields with their values as one text. */
	fields: Array<[name: string, value: string]>;
}

/** Returns the content of a record for documents, without hidden and masked fields. */
export function recordContent(sheet: Sheet, record: SheetRecord): RecordContent {
	const visible = sheet.fields.filter(({ hidden, unmaskedFor }) => !hidden && !unmaskedFor);
	return {
		recordId: record.id,
		title: sheet.titleOf(record),
		fields: visible.map(({ id, name }) => [name, textsOf(record.value(id)).join(', ')]),
	};
}

export async function makeLetter(
	{ title, fields }: RecordContent,
	heading: string,
): Promise<Buffer> {
	const { Document, HeadingLevel, Packer, Paragraph } = await import('docx');
	const document = new Document({
		sections: [
			{
				children: [
					new Paragraph({ text: `${heading} ${title}`, heading: HeadingLevel.HEADING_1 }),
					...fields.map(([name, value]) => new Paragraph(`${name}: ${value}`)),
				],
			},
		],
	});
	return await Packer.toBuffer(document);
}

/** Returns a printable page with the fields of the record, in XHTML. */
export function makePage({ title, fields }: RecordContent, heading: string): Buffer {
	const lines = fields.map(([name, value]) => `<p>${markup(`${name}: ${value}`)}</p>`);
	return Buffer.from(
		'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n' +
			`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${markup(title)}</title></head>` +
			`<body><h1>${markup(`${heading} ${title}`)}</h1>${lines.join('')}</body></html>\n`,
	);
}

function markup(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}

export async function makePdf({ title, fields }: RecordContent, heading: string): Promise<Buffer> {
	const { default: PdfDocument } = await import('pdfkit');
	const document = new PdfDocument({ size: 'A4', info: { Title: `${heading} ${title}` } });
	const content = buffer(document);
	document.fontSize(20).text(`${heading} ${title}`).moveDown().fontSize(10);
	for (const [name, value] of fields) document.text(`${name}: ${value}`);
	document.end();
	return await content;
}

const width = 32;

/** Returns a picture that encodes the record ID: one bar per bit, black for 1. */
export async function makePicture({ recordId }: RecordContent): Promise<Buffer> {
	const { PNG } = await import('pngjs');
	const picture = new PNG({ width, height: width });
	for (let pixel = 0; pixel < width * width; pixel += 1) {
		const isBlack = (recordId >>> (pixel % width)) & 1;
		picture.data.fill(isBlack ? 0 : 255, pixel * 4, pixel * 4 + 3);
		picture.data.writeUInt8(255, pixel * 4 + 3);
	}
	return PNG.sync.write(picture);
}

/** Returns a workbook with one field per row. */
export async function makeWorkbook({ fields }: RecordContent): Promise<Buffer> {
	const { default: writeExcelFile } = await import('write-excel-file/node');
	const data = fields.map((row) => row.map((value) => ({ value, type: String })));
	return await writeExcelFile([{ sheet: 'Record', data }]).toBuffer();
}
