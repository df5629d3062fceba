import type { Sheet, SheetDefinition } from '../data/sheet';

const fieldIds = (count: number) =>
	Array.from({ length: count }, (_, index) => String(1_900_001 + index));
const user = 'ada.admin@acme.example';

/** A sheet with 50 records and forty fields, `Field 1` to `Field 40`. */
export const measurements = {
	path: 'laboratory/measurements',
	folderName: 'Laboratory',
	index: 90,
	name: 'Measurements',
	fields: fieldIds(40),
} as const;

/** Returns the sheet with this number of records and fields. Measurements of speed use more records than the demo data has. */
export function measurementsSheet(recordCount = 50, fieldCount = 40): SheetDefinition {
	const fields = fieldIds(fieldCount);
	return {
		...measurements,
		keyFieldId: fields[0] ?? '',
		rights: { Sales: 'write' },
		fields: fields.map((id, index) => ({
			id,
			name: `Field ${index + 1}`,
			type: 'text',
		})),
		fill: (sheet) => fillMeasurements(sheet, recordCount, fields),
	};
}

function fillMeasurements(sheet: Sheet, recordCount: number, fields: readonly string[]): void {
	for (let counter = 1; counter <= recordCount; counter += 1) {
		const record = sheet.add({ at: Date.UTC(2024, 2, 1), user }, counter);
		for (const [index, id] of fields.entries()) {
			record.set(id, `${counter * (index + 1)} measured`);
		}
	}
}
