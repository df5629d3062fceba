import type { Sheet, SheetDefinition } from '../data/sheet';

const fieldCount = 40;
const user = 'ada.admin@acme.example';

/** A sheet with 50 records and forty fields, `Field 1` to `Field 40`. */
export const measurements = {
	path: 'laboratory/measurements',
	folderName: 'Laboratory',
	index: 90,
	name: 'Measurements',
	fields: Array.from({ length: fieldCount }, (_, index) => String(1_900_001 + index)),
} as const;

/** Returns the sheet with this number of records. Measurements of speed use more records than the demo data has. */
export function measurementsSheet(recordCount = 50): SheetDefinition {
	return {
		...measurements,
		keyFieldId: measurements.fields[0] ?? '',
		rights: { Sales: 'write' },
		fields: measurements.fields.map((id, index) => ({
			id,
			name: `Field ${index + 1}`,
			type: 'text',
		})),
		fill: (sheet) => fillMeasurements(sheet, recordCount),
	};
}

function fillMeasurements(sheet: Sheet, recordCount: number): void {
	for (let counter = 1; counter <= recordCount; counter += 1) {
		const record = sheet.add({ at: Date.UTC(2024, 2, 1), user }, counter);
		for (const [index, id] of measurements.fields.entries()) {
			record.set(id, `${counter * (index + 1)} measured`);
		}
	}
}
