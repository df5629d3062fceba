import type { RecordContent } from './recordContent';

/** A workbook: the fields on the first sheet, each subtable on one of its own. */
export async function makeWorkbook({ fields, subtables }: RecordContent): Promise<Buffer> {
	const { default: writeExcelFile } = await import('write-excel-file/node');
	const cells = (row: string[]) => row.map((value) => ({ value, type: String }));
	const workbook = writeExcelFile([
		{ sheet: 'Record', data: fields.map(cells) },
		...subtables.map(({ name, heading, rows }) => ({
			sheet: name,
			data: [heading, ...rows].map(cells),
		})),
	]);
	return await workbook.toBuffer();
}
