import type { SheetAddress } from './sheet';
import { longDateTime } from './dates';

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

/** One text, or several in a field with selections or files. Records share values, so values are never changed in place. */
export type FieldValue = string | readonly string[];

/** A field of a sheet or of a subtable (specification, "Field identifier"). */
export interface Field {
	id: string;
	/** Two fields may share a name, and a field may have none. */
	name: string;
	type: FieldType;
	/** Checked on every write: an empty value makes the write INVALID. */
	required?: boolean;
	/** Checked on every write: a text that another record has makes the write INVALID. */
	unique?: boolean;
	readOnly?: boolean;
	computed?: boolean;
	hidden?: boolean;
	/** Whether the listing page contains the field. */
	onListing?: boolean;
	choices?: string[];
	/** Set by `doDefaultValue` if the field is empty. */
	defaultValue?: FieldValue;
	/** Additional check by `doValidation`, beside the check of the type. */
	rule?: { expression: RegExp; message: string };
	/** Groups that may see the unmasked text. Set for masked fields. */
	unmaskedFor?: string[];
	/** The linked record, found by this key, and the fields that `doLinkLoad` copies from it. */
	link?: { sheet: SheetAddress; keyFieldId: string; loads: Array<{ from: string; to: string }> };
}

export function holdsSeveral(field: Field): boolean {
	return field.type === 'multipleSelection' || field.type === 'file';
}

/** Returns the texts of a value, or an empty list for an empty field. */
export function textsOf(value: FieldValue | undefined): string[] {
	if (value === undefined || value === '') return [];
	return typeof value === 'string' ? [value] : value.filter((text) => text !== '');
}

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Maximum length in characters of a number that JavaScript represents exactly. */
const exactLength = 15;

export function isNumber(text: string): boolean {
	return decimalPattern.test(text);
}

export function isDateType(type: FieldType): boolean {
	return type === 'date' || type === 'dateTime';
}

/**
 * Compares two texts as values of a field type. Returns a negative number, zero or a positive number. Empty texts come first.
 */
export function compareValues(type: FieldType, left: string, right: string): number {
	if (left === right) return 0;
	if (left === '' || right === '') return left === '' ? -1 : 1;
	if (type === 'number' && isNumber(left) && isNumber(right)) return compareNumbers(left, right);
	if (isDateType(type)) {
		return compareTexts(longDateTime(left) ?? left, longDateTime(right) ?? right);
	}
	return compareTexts(left, right);
}

function compareTexts(left: string, right: string): number {
	return left < right ? -1 : Number(left > right);
}

function compareNumbers(left: string, right: string): number {
	if (left.length <= exactLength && right.length <= exactLength) {
		return Number(left) - Number(right);
	}
	const decimals = Math.max(decimalsOf(left), decimalsOf(right));
	const difference = scaled(left, decimals) - scaled(right, decimals);
	return difference < 0n ? -1 : Number(difference > 0n);
}

function decimalsOf(number: string): number {
	return decimalPattern.exec(number)?.[3]?.length ?? 0;
}

function scaled(number: string, decimals: number): bigint {
	const [, sign = '', whole = '0', fraction = ''] = decimalPattern.exec(number) ?? [];
	return BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
}
