import { read, utils } from '@e965/xlsx';
import { decode } from 'fast-png';
import { extractRawText } from 'mammoth';
import { extractText, getDocumentProxy } from 'unpdf';

// Reads documents with other libraries than the reference service uses to write them, so that an error is not in both.

/** Returns the text of all pages of a PDF. */
export async function textOfPdf(content: Buffer): Promise<string> {
	const document = await getDocumentProxy(new Uint8Array(content));
	const { text } = await extractText(document, { mergePages: true });
	return text;
}

/** Returns the cells of a workbook: sheet name → rows. */
export function cellsOfWorkbook(content: Buffer): Map<string, string[][]> {
	const { Sheets: sheets } = read(content);
	return new Map(
		Object.entries(sheets).map(([name, sheet]) => [
			name,
			utils.sheet_to_json<string[]>(sheet, { header: 1, defval: '' }),
		]),
	);
}

/** Returns the text of a Word document. */
export async function textOfLetter(content: Buffer): Promise<string> {
	const { value } = await extractRawText({ buffer: content });
	return value;
}

/** Returns the record ID that a picture encodes: its first 32 pixels are the bits, black for 1. */
export function recordIdInPicture(content: Buffer): number {
	const { width, height, channels, data } = decode(content);
	if (width !== 32 || height !== 32) throw new Error(`The picture is ${width} × ${height}`);
	let recordId = 0;
	for (let bit = 0; bit < 32; bit += 1) {
		if (data[bit * channels] === 0) recordId += 2 ** bit;
	}
	return recordId;
}
