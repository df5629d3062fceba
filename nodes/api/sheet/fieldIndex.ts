import { getOrInsert } from '../json/objects';
import { idInKey, isFieldId, isSurelyFieldId, keyWithId, nameOf } from './fields';
import { readKeyOf, systemFields, type Field, type Subtable } from './fields';
import { ambiguousField, unknownField } from './fieldErrors';
import { kindOf, type FieldKinds } from './kinds/valueKinds';
import type { ValueKind } from './kinds/valueKind';
import { nearestNames } from './nearNames';
import type { EntryError } from '../values/inputError';

/**
 * The fields among which a key is looked up: those of the record itself, also with the system fields, those of all rows, those of
 * the rows of one subtable, or those of the record and of all rows.
 */
export type FieldScope =
	'record' | 'recordOrSystem' | 'rows' | 'anywhere' | { readonly subtableId: string };

/** The meaning of a key. `near` returns similar names. */
export type Resolution =
	| { readonly kind: 'found'; readonly field: Field }
	| { readonly kind: 'several'; readonly fields: readonly Field[] }
	| { readonly kind: 'unknown'; readonly near: () => readonly string[] };

/** The type of a field, and the source that shows it. */
export interface KnownType {
	/** Name of the type in the schema, otherwise the name of the kind. */
	type: string;
	typeSource: 'schema' | 'definition' | 'records';
}

/** Knowledge about the fields of a sheet. */
export interface KnownFields {
	fields?: readonly Field[];
	subtables?: readonly Subtable[];
	/** ID of the field that identifies a record. */
	keyFieldId?: string;
	/** Kinds by field ID, including inferred ones. */
	kinds?: FieldKinds;
	/** Choices and words of checkboxes that the newest records contain, by field ID. */
	choices?: ReadonlyMap<string, readonly string[]>;
}

/** Fields by a text. Most texts stand for one field, which takes less memory than a list. */
type FieldsByText = Map<string, Field | Field[]>;

function addField(fields: FieldsByText, text: string, field: Field): void {
	const known = fields.get(text);
	fields.set(text, known === undefined ? field : [known, field].flat());
}

function fieldsWith(fields: FieldsByText, text: string): readonly Field[] {
	return [fields.get(text) ?? []].flat();
}

/** The fields of the record, or of the rows of one subtable, by the texts that identify them. */
class PlaceFields {
	readonly fields: Field[] = [];
	private readonly byId: FieldsByText = new Map();
	private readonly byName: FieldsByText = new Map();
	/** Only output keys and keys in reads that differ from the name. */
	private readonly byOtherKey: FieldsByText = new Map();

	add(field: Field): void {
		this.fields.push(field);
		addField(this.byId, field.fieldId, field);
		addField(this.byName, field.name, field);
		for (const key of new Set([nameOf(field), readKeyOf(field)])) {
			if (key !== field.name) addField(this.byOtherKey, key, field);
		}
	}

	withId(fieldId: string): readonly Field[] {
		return fieldsWith(this.byId, fieldId);
	}

	withName(name: string): readonly Field[] {
		return fieldsWith(this.byName, name);
	}

	/** Returns the fields with an output key, or with a key in reads by name. */
	withOutputKey(key: string): readonly Field[] {
		const named = this.withName(key).filter((field) =>
			[nameOf(field), readKeyOf(field)].includes(key),
		);
		return [...named, ...fieldsWith(this.byOtherKey, key)];
	}
}

/**
 * Answers every question about the fields of a sheet from loaded knowledge. It sends no request and never changes. A new
 * list of fields makes a new index.
 */
export class FieldIndex {
	readonly fields: readonly Field[];
	readonly subtables: readonly Subtable[];
	/** ID of the field that identifies a record. */
	readonly keyFieldId: string | undefined;
	/** Kinds by field ID, including inferred ones. Empty if they were not loaded. */
	readonly kinds: FieldKinds;
	/** Choices and words of checkboxes that the newest records contain, by field ID. Empty if they were not loaded. */
	readonly choices: ReadonlyMap<string, readonly string[]>;

	/**
	 * @param known knowledge about the fields
	 * @param places the fields by subtable ID, shared with other indexes of the same fields
	 */
	constructor(
		known: KnownFields,
		private places?: ReadonlyMap<string | undefined, PlaceFields>,
	) {
		this.fields = known.fields ?? [];
		this.subtables = known.subtables ?? [];
		this.keyFieldId = known.keyFieldId;
		this.kinds = known.kinds ?? new Map();
		this.choices = known.choices ?? new Map();
	}

	/** Whether no source lists fields. */
	get isEmpty(): boolean {
		return this.fields.length === 0;
	}

	/** Whether the list has all fields of the sheet. A list from records lacks the fields that are empty in them. */
	get isComplete(): boolean {
		return this.fields.some(({ required }) => required !== undefined);
	}

	/** Whether the schema lists the fields, with what the service fills in. */
	get isTyped(): boolean {
		return this.fields.some(({ type }) => type !== undefined);
	}

	/**
	 * Returns the field that a key of the user stands for. The first of these rules that fits decides:
	 *
	 * 1. the ID of a listed field; white space around it is ignored
	 * 2. the exact name of a field; several fields with the name are `several`
	 * 3. in the scope `recordOrSystem`, the ID or the name of a system field
	 * 4. the output key of a field, or its key in reads by name
	 * 5. any text that ends with the ID of a listed field in parentheses
	 * 6. an ID that is not listed, because lists can be incomplete. The field then has the ID as its name. After another text, it
	 *    must certainly be an ID of a list that is not complete, or no fields are listed. In the scope `record`, it is not the ID of a
	 *    field of rows
	 */
	resolve(key: string, scope: FieldScope): Resolution {
		const listed = this.listed(key, scope);
		const [field] = listed;
		if (field && listed.length === 1) return { kind: 'found', field };
		if (field) return { kind: 'several', fields: listed };
		const fieldId = this.unlistedId(key, scope);
		if (fieldId !== undefined) {
			return { kind: 'found', field: { fieldId, name: fieldId, ...subtableOfScope(scope) } };
		}
		const near = () => nearestNames(this.fieldsOf(scope).map(nameOf), key);
		return { kind: 'unknown', near };
	}

	/** Returns the field that a key stands for (see `resolve`). Throws InputError for an unknown key, and for several fields. */
	require(key: string, scope: FieldScope): Field {
		const result = this.resolve(key, scope);
		if (result.kind === 'found') return result.field;
		if (result.kind === 'several') throw ambiguousField(key, result.fields);
		throw this.unknown(key, scope);
	}

	/** Returns the error for a key that stands for no field of the scope, with similar names. */
	unknown(key: string, scope: FieldScope): EntryError {
		const { fields, subtables, isComplete } = this;
		const hasSystem = scope === 'recordOrSystem';
		const list = { fields, subtables, candidates: this.fieldsOf(scope), isComplete, hasSystem };
		return unknownField(key, { ...list, ...subtableOfScope(scope) });
	}

	/** Returns the listed fields that a key stands for, by the same rules; an empty list if it is unknown or not a listed ID. */
	listed(key: string, scope: FieldScope): readonly Field[] {
		const id = key.trim();
		const places = this.placesOf(scope);
		const rules: ReadonlyArray<() => readonly Field[]> = [
			() => places.flatMap((place) => place.withId(id)),
			() => places.flatMap((place) => place.withName(key)),
			() => (scope === 'recordOrSystem' ? systemFieldsFor(key) : []),
			() => places.flatMap((place) => place.withOutputKey(key)),
			() => places.flatMap((place) => place.withId(idInKey(key) ?? '')),
		];
		for (const rule of rules) {
			const found = rule();
			if (found.length > 0) return found;
		}
		return [];
	}

	/** Returns whether a key stands for a listed field of rows, and for none of the record. */
	isOfRows(key: string): boolean {
		return this.listed(key, 'record').length === 0 && this.listed(key, 'rows').length > 0;
	}

	/** Returns the fields whose ID or name is exactly the key. */
	exactly(key: string, scope: FieldScope): readonly Field[] {
		const found = this.placesOf(scope).flatMap((place) => [
			...place.withId(key),
			...place.withName(key),
		]);
		return [...new Set(found)];
	}

	/** Returns whether a field of the scope has exactly this name. */
	hasName(name: string, scope: FieldScope): boolean {
		return this.placesOf(scope).some((place) => place.withName(name).length > 0);
	}

	/**
	 * Returns the field with an output key, or with a key in reads by name; undefined if no or several fields have it. The keys of items
	 * that were read are such keys. For them, an output key takes precedence over a name: of two fields with the name `Note`, the
	 * first one has the output key `Note`.
	 */
	byOutputKey(key: string, scope: FieldScope): Field | undefined {
		const fields = this.placesOf(scope).flatMap((place) => place.withOutputKey(key));
		return fields.length === 1 ? fields[0] : undefined;
	}

	/**
	 * Returns the key of a field in reads by name: its key in such a read if that was loaded, otherwise its name if no other field of
	 * the record, or of the subtable, has it. Undefined if the key is not known.
	 */
	readKey({ fieldId, name, readName, subtableId }: Field): string | undefined {
		if (readName !== undefined) return readName;
		const [place] = this.placesOf(scopeOf(subtableId));
		const isUnique = place?.withName(name).length === 1;
		return isUnique && !['', fieldId].includes(name) ? name : undefined;
	}

	/**
	 * Returns the keys in the entries of a user's list of fields. A single entry that is not the name of a field is split at its
	 * commas. White space around a key is only kept if it belongs to the name of a field.
	 */
	keysIn(entries: readonly string[]): string[] {
		const isName = (key: string) =>
			this.placesOf('anywhere').some(
				(place) =>
					place.withName(key).length > 0 ||
					place.withOutputKey(key).some((field) => nameOf(field) === key),
			);
		const isNamed = entries.some((key) => isName(key) || isName(key.trim()));
		const isSplit = entries.length === 1 && !isNamed;
		const keys = isSplit ? entries.flatMap((key) => key.split(',')) : entries;
		return keys.map((key) => (isName(key) ? key : key.trim())).filter((key) => key !== '');
	}

	/** Returns the fields of a scope, in the order of the list. System fields are not listed. */
	fieldsOf(scope: FieldScope): readonly Field[] {
		return this.placesOf(scope).flatMap((place) => place.fields);
	}

	/** Returns the key of a field in items: its name, with the ID where the name alone would be wrong (see `nameOf`). */
	outputKey(field: Field): string {
		return nameOf(field);
	}

	/** Returns the listed or system field with an ID. */
	byId(fieldId: string): Field | undefined {
		const id = fieldId.trim();
		const [listed] = this.placesOf('anywhere').flatMap((place) => place.withId(id));
		return listed ?? systemFields.find((system) => system.fieldId === id);
	}

	/** Returns the name for messages of the field with this ID; the key itself if it is unknown. */
	labelOf(fieldId: string): string {
		const field = this.byId(fieldId);
		return field ? nameOf(field) : fieldId;
	}

	/** Returns the kind of a field: that of its type or, without a type, the kind that was inferred from the newest records. */
	kindOf(field: Pick<Field, 'fieldId' | 'type'>): ValueKind {
		return this.kinds.get(field.fieldId) ?? kindOf(field);
	}

	/**
	 * Returns the type of a field: the service's name of it if the schema lists it, `selection` if the definition has its choices
	 * and records hold single ones, otherwise the kind that was inferred from the newest records. Undefined if the type is unknown:
	 * choices alone do not show whether a record may hold several.
	 */
	typeOf(field: Field): KnownType | undefined {
		if (field.type !== undefined) return { type: field.type, typeSource: 'schema' };
		const kind = this.kindOf(field);
		if (kind.is('unknown')) return undefined;
		if (field.choices && !kind.isList) return { type: 'selection', typeSource: 'definition' };
		const { name: type } = kind;
		return { type, typeSource: 'records' };
	}

	/** Returns an index with kinds and choices of the same fields. */
	with({ kinds = this.kinds, choices = this.choices }: Pick<KnownFields, 'kinds' | 'choices'>) {
		const { fields, subtables, keyFieldId } = this;
		return new FieldIndex({ fields, subtables, keyFieldId, kinds, choices }, this.byPlace);
	}

	/** Returns an index of other fields with the same subtables, kinds and choices. */
	withFields(fields: readonly Field[]): FieldIndex {
		const { subtables, keyFieldId, kinds, choices } = this;
		return new FieldIndex({ fields, subtables, keyFieldId, kinds, choices });
	}

	private unlistedId(key: string, scope: FieldScope): string | undefined {
		const fieldId = idInKey(key);
		if (scope === 'record' && this.listed(fieldId ?? '', 'rows').length > 0) return undefined;
		if (fieldId === undefined || isFieldId(key.trim()) || this.isEmpty) return fieldId;
		// The key was chosen from a list of fields: for another sheet, or before the field was deleted.
		const isOfNoField = this.isComplete && this.byId(fieldId) === undefined;
		return isSurelyFieldId(fieldId) && !isOfNoField ? fieldId : undefined;
	}

	/** The fields of the record and of each subtable, by subtable ID. */
	private get byPlace(): ReadonlyMap<string | undefined, PlaceFields> {
		if (this.places) return this.places;
		const places = new Map<string | undefined, PlaceFields>();
		for (const field of this.fields) {
			getOrInsert(places, field.subtableId, () => new PlaceFields()).add(field);
		}
		this.places = places;
		return places;
	}

	private placesOf(scope: FieldScope): readonly PlaceFields[] {
		if (scope === 'anywhere') return [...this.byPlace.values()];
		if (scope === 'rows') {
			return [...this.byPlace].flatMap(([id, place]) => (id === undefined ? [] : place));
		}
		const place = this.byPlace.get(typeof scope === 'string' ? undefined : scope.subtableId);
		return place ? [place] : [];
	}
}

/** Returns the system fields with an ID or name, or both. */
function systemFieldsFor(key: string): readonly Field[] {
	const id = key.trim();
	return systemFields.filter(
		(field) => field.fieldId === id || [field.name, keyWithId(field, [])].includes(key),
	);
}

/** Returns the scope of the fields of the record or, with an ID, of the rows of a subtable. */
export function scopeOf(subtableId: string | undefined): FieldScope {
	return subtableId === undefined ? 'record' : { subtableId };
}

function subtableOfScope(scope: FieldScope): { subtableId?: string } {
	return typeof scope === 'string' ? {} : { subtableId: scope.subtableId };
}

/**
 * Returns whether the names of the fields are needed to tell the keys in the entries of a user's list (see `FieldIndex.keysIn`):
 * an entry has white space around it, or the only entry has a comma.
 */
export function needsNames(entries: readonly string[]): boolean {
	const isSingle = entries.length === 1;
	return entries.some((key) => key !== key.trim() || (isSingle && key.includes(',')));
}
