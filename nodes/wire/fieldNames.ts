import type { Field } from './fields';
import { isJsonObject } from './orderedJson';
import type { JsonObject } from './orderedJson';
import { subtableOf } from './subtableKeys';

/** The name of each field by its id, where the name is that of one field only. */
export class FieldNames {
	/** By the subtable that the fields belong to; `undefined` stands for the record itself. */
	private readonly bySubtable = new Map<string | undefined, Map<string, string>>();

	constructor(private readonly fields: readonly Field[]) {}

	/** Whether there are names at all. */
	get areKnown(): boolean {
		return this.fields.length > 0;
	}

	/** The names of the record's own fields, or of a subtable's, by the id of the field. */
	of(subtableId?: string): ReadonlyMap<string, string> {
		const known = this.bySubtable.get(subtableId) ?? this.read(subtableId);
		this.bySubtable.set(subtableId, known);
		return known;
	}

	private read(subtableId?: string): Map<string, string> {
		const own = this.fields.filter((field) => field.subtableId === subtableId);
		const uses = new Map<string, number>();
		for (const { name } of own) uses.set(name, (uses.get(name) ?? 0) + 1);
		const single = own.filter(({ name }) => uses.get(name) === 1);
		return new Map(single.map(({ fieldId, name }) => [fieldId, name]));
	}
}

/** A record, or a row of a subtable, with names in place of the ids of fields, where they are known. */
export function withNames(content: JsonObject, names: FieldNames, subtableId?: string): JsonObject {
	const own = names.of(subtableId);
	return new Map(
		[...content].map(([key, value]) => {
			const ofSubtable = subtableOf(key);
			if (ofSubtable !== undefined && isJsonObject(value)) {
				return [key, rowsWithNames(value, names, ofSubtable)];
			}
			return [own.get(key) ?? key, value];
		}),
	);
}

function rowsWithNames(rows: JsonObject, names: FieldNames, subtableId: string): JsonObject {
	return new Map(
		[...rows].map(([rowId, row]) => [
			rowId,
			isJsonObject(row) ? withNames(row, names, subtableId) : row,
		]),
	);
}
