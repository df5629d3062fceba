import { textsOf } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';

/** What documents show of a record. */
export interface RecordContent {
	recordId: number;
	title: string;
	/** Every field that is not hidden: its name and its value as one text. */
	fields: Array<[name: string, value: string]>;
	subtables: Array<{ name: string; heading: string[]; rows: string[][] }>;
}

/** Takes from a record what documents show: nothing hidden, and nothing masked. */
export function recordContent(sheet: Sheet, record: SheetRecord): RecordContent {
	const shown = sheet.fields.filter(({ hidden, unmaskedFor }) => !hidden && !unmaskedFor);
	return {
		recordId: record.id,
		title: sheet.titleOf(record),
		fields: shown.map(({ id, name }) => [name, textsOf(record.value(id)).join(', ')]),
		subtables: sheet.subtables.map(({ id, name, fields }) => ({
			name,
			heading: fields.map((field) => field.name),
			rows: [...record.rows(id).values()].map((row) =>
				fields.map((field) => textsOf(row.get(field.id)).join(', ')),
			),
		})),
	};
}
