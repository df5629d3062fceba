import type { Field, FieldType, FieldValue } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';

const hour = 60 * 60 * 1000;

/** A field: its ID, name, type and other properties. */
type FieldRow = readonly [
	id: string,
	name: string,
	type: FieldType,
	more?: Omit<Field, 'id' | 'name' | 'type'>,
];

/** Returns the IDs of the fields by the names that tests use, and the field definitions. */
export function fieldTable<Key extends string>(
	rows: Record<Key, FieldRow>,
): { ids: Readonly<Record<Key, string>>; fields: Field[] } {
	const entries = Object.entries<FieldRow>(rows);
	return {
		// The entries have the keys of `rows`.
		ids: Object.fromEntries(entries.map(([key, [id]]) => [key, id])) as Record<Key, string>,
		fields: entries.map(([, [id, name, type, properties]]) => ({ id, name, type, ...properties })),
	};
}

/** Adds `count` records with IDs from 1 on, created one hour apart, and sets their values. */
export function fillHourly(
	sheet: Sheet,
	count: number,
	startTime: number,
	valuesOf: (counter: number) => Record<string, FieldValue>,
): SheetRecord[] {
	return Array.from({ length: count }, (_, index) => {
		const counter = index + 1;
		const at = startTime + counter * hour;
		const record = sheet.add({ at, user: 'ada.admin@acme.example' }, counter);
		for (const [id, value] of Object.entries(valuesOf(counter))) record.set(id, value);
		return record;
	});
}
