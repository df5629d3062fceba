import { isFieldId, nameOf, type Field } from './fields';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { keysBesideFields } from '../read/recordKeys';
import { subtableOf } from '../values/subtableKeys';
import { getOrInsert } from '../json/objects';

type Names = ReadonlyMap<string, string>;

/**
 * What a read by names calls the fields of a sheet: what such a read has shown, else the name that is that of
 * one field only. For records that come by ids.
 */
export class FieldNames {
	/** By the subtable that the fields belong to; `undefined` stands for the record itself. */
	private readonly bySubtable = new Map<string | undefined, Names>();

	constructor(private readonly fields: readonly Field[]) {}

	/** Returns the names without those that something else has. */
	without(taken: ReadonlySet<string>): FieldNames {
		return new FieldNames(this.fields.filter((field) => !taken.has(nameOf(field))));
	}

	/** A record, or a row of a subtable, with the names of its fields for their ids, which stay where no name is known. */
	named(content: JsonObject, subtableId?: string): JsonObject {
		return new Map(
			[...content].map(([key, value]) => {
				const ofSubtable = subtableOf(key);
				if (ofSubtable === undefined || !isJsonObject(value))
					return [this.nameIn(content, key, subtableId) ?? key, value];
				return [key, rowsOf(value, (row) => this.named(row, ofSubtable))];
			}),
		);
	}

	/** The ids of the fields of a record, or of a row, and of those of its rows that have no name here, each once. */
	unnamedIn(content: JsonObject, subtableId?: string): string[] {
		const ids = [...content].flatMap(([key, value]) => {
			const ofSubtable = subtableOf(key);
			if (ofSubtable !== undefined && isJsonObject(value)) {
				const rows = [...value.values()].filter(isJsonObject);
				return rows.flatMap((row) => this.unnamedIn(row, ofSubtable));
			}
			const isUnnamed = isFieldId(key) && this.nameIn(content, key, subtableId) === undefined;
			return isUnnamed ? [key] : [];
		});
		return [...new Set(ids)];
	}

	private nameIn(content: JsonObject, key: string, subtableId?: string): string | undefined {
		const name = this.of(subtableId).get(key);
		// What stands there already must not be lost to a field that is called like it, nor what is added to items.
		const isTaken = name !== undefined && (content.has(name) || keysBesideFields.has(name));
		return isTaken ? undefined : name;
	}

	private of(subtableId?: string): Names {
		return getOrInsert(this.bySubtable, subtableId, () => this.read(subtableId));
	}

	private read(subtableId?: string): Names {
		const own = this.fields.filter((field) => field.subtableId === subtableId);
		const uses = new Map<string, number>();
		for (const { name, readName = name } of own) {
			for (const use of new Set([name, readName])) uses.set(use, (uses.get(use) ?? 0) + 1);
		}
		const known = own.filter(
			({ fieldId, name, readName }) =>
				readName !== undefined || (uses.get(name) === 1 && name !== fieldId),
		);
		return new Map(known.map((field) => [field.fieldId, nameOf(field)]));
	}
}

/** Whether a record that comes by ids, or one of its rows, has fields to name. */
export function holdsFieldIds(content: JsonObject): boolean {
	return new FieldNames([]).unnamedIn(content).length > 0;
}

/** Of how many fields a sentence tells the ids. */
const mostIds = 12;

/** One sentence about the fields that are called by their ids although names were wanted. */
export function unnamedSentence(fieldIds: readonly string[]): string {
	const shown = fieldIds.slice(0, mostIds).join(', ');
	const others = fieldIds.length - mostIds;
	const told = others > 0 ? `${shown} and ${others} more` : shown;
	return `The names of these fields could not be looked up, so the output has their IDs: ${told}.`;
}

function rowsOf(rows: JsonObject, rowOf: (row: JsonObject) => JsonObject): JsonObject {
	return new Map([...rows].map(([rowId, row]) => [rowId, isJsonObject(row) ? rowOf(row) : row]));
}

/** Whether reads give numbers to some of the fields, which their list does not tell. */
export function haveNumbers(fields: readonly Field[]): boolean {
	return numberedPlaces(fields).length > 0;
}

/** The fields with the names that reads give them, where those are known. */
export function withReadNames(fields: readonly Field[], asRead: readonly Field[] = []): Field[] {
	return fields.map((field) => {
		const read = asRead.find(
			({ fieldId, subtableId }) => fieldId === field.fieldId && subtableId === field.subtableId,
		);
		return read && read.name !== read.fieldId ? { ...field, readName: read.name } : field;
	});
}

/** The fields of the record, or of a subtable, among which some get numbers. */
export function numberedPlaces(fields: readonly Field[]): Field[][] {
	const places = [...new Set(fields.map(({ subtableId }) => subtableId))];
	return places
		.map((subtableId) => fields.filter((field) => field.subtableId === subtableId))
		.filter(needNumbers);
}

/** Whether one has no name, which lists tell by its id, or the name of another. */
function needNumbers(fields: readonly Field[]): boolean {
	const names = new Set(fields.map(({ name }) => name));
	return names.size < fields.length || fields.some(({ fieldId }) => names.has(fieldId));
}
