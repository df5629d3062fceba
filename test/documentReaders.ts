import { read, utils } from '@e965/xlsx';
import { decode } from 'fast-png';
import { extractRawText } from 'mammoth';
import { extractText, getDocumentProxy } from 'unpdf';

// Readers of documents by other hands than those that the reference service writes them with.

/** The text of a PDF, all pages together. */
export async function textOfPdf(content: Buffer): Promise<string> {
	const document = await getDocumentProxy(new Uint8Array(content));
	const { text } = await extractText(document, { mergePages: true });
	return text;
}

/** The cells of each sheet of a workbook, by the sheet's name. */
export function cellsOfWorkbook(content: Buffer): Map<string, string[][]> {
	const { Sheets: sheets } = read(content);
	return new Map(
		Object.entries(sheets).map(([name, sheet]) => [
			name,
			utils.sheet_to_json<string[]>(sheet, { header: 1, defval: '' }),
		]),
	);
}

/** The text of a document for a word processor. */
export async function textOfLetter(content: Buffer): Promise<string> {
	const { value } = await extractRawText({ buffer: content });
	return value;
}

/** The record's id in a picture: its first 32 pixels are the bits, black for one. */
export function recordIdInPicture(content: Buffer): number {
	const { width, height, channels, data } = decode(content);
	if (width !== 32 || height !== 32) throw new Error(`The picture is ${width} × ${height}`);
	let recordId = 0;
	for (let bit = 0; bit < 32; bit += 1) {
		if (data[bit * channels] === 0) recordId += 2 ** bit;
	}
	return recordId;
}
