import { Sheet, type SheetDefinition } from '../service/data/sheet';

const fieldCount = 40;
const user = 'ada.admin@acme.example';

/** A sheet of forty fields; no test needs one, so it is not among the demo data. */
export const wideSheet = { path: 'sales/measurements', index: 90 };

/** The names of the fields that are read. */
export const fewFields = ['Field 5', 'Field 20', 'Field 35'];

/** The sheet with so many records. */
export function makeWideSheet(recordCount: number): Sheet {
	const fields = Array.from({ length: fieldCount }, (_, index) => ({
		id: String(1_900_001 + index),
		name: `Field ${index + 1}`,
		type: 'text' as const,
	}));
	const definition: SheetDefinition = {
		...wideSheet,
		folderName: 'Sales',
		name: 'Measurements',
		keyFieldId: fields[0]?.id ?? '',
		rights: { Sales: 'write' },
		fields,
		fill: (sheet) => {
			for (let counter = 1; counter <= recordCount; counter += 1) {
				const record = sheet.add({ at: Date.UTC(2024, 2, 1), user }, counter);
				for (const [index, { id }] of fields.entries()) {
					record.set(id, `${counter * (index + 1)} measured`);
				}
			}
		},
	};
	return new Sheet(definition);
}
