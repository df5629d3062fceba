import type { SheetAddress } from './sheet';

export type FieldType =
	| 'text'
	| 'number'
	| 'date'
	| 'dateTime'
	| 'singleSelection'
	| 'multipleSelection'
	| 'checkbox'
	| 'autoNumber'
	| 'email'
	| 'link'
	| 'file'
	| 'richText'
	| 'maskedText'
	| 'user';

/**
 * What a record holds in a field: one text, or several in fields that hold a selection or files.
 * Records share values with each other, so a change is a new value.
 */
export type FieldValue = string | readonly string[];

/** A field of a sheet or of a subtable (specification, "Field identifier"). */
export interface Field {
	id: string;
	/** Two fields may share a name, and a field may have none. */
	name: string;
	type: FieldType;
	/** Checked on every write: an empty one makes the write INVALID. */
	required?: boolean;
	/** Checked on every write: a text that another record holds makes the write INVALID. */
	unique?: boolean;
	readOnly?: boolean;
	computed?: boolean;
	hidden?: boolean;
	/** Shown on the listing page. */
	onListing?: boolean;
	choices?: string[];
	/** Loaded by `doDefaultValue` when the field is empty. */
	defaultValue?: FieldValue;
	/** What `doValidation` checks besides what the type demands. */
	rule?: { expression: RegExp; message: string };
	/** Groups that see a masked text when they ask for it. */
	unmaskedFor?: string[];
	/** The record on another sheet that the value names, and what `doLinkLoad` copies from it. */
	link?: { sheet: SheetAddress; keyFieldId: string; loads: Array<{ from: string; to: string }> };
}

export function holdsSeveral(field: Field): boolean {
	return field.type === 'multipleSelection' || field.type === 'file';
}

/** The texts of a value; an empty field has none. */
export function textsOf(value: FieldValue | undefined): string[] {
	if (value === undefined || value === '') return [];
	return typeof value === 'string' ? [value] : value.filter((text) => text !== '');
}
