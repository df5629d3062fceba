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

/** One text, or several in a field of selections or files. Records share values: a change is a new one. */
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

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/** How far a number stays exact as a JavaScript number, counted in characters. */
const exactLength = 15;

export function isNumber(text: string): boolean {
	return decimalPattern.test(text);
}

export function isDateType(type: FieldType): boolean {
	return type === 'date' || type === 'dateTime';
}

/** Compares two texts as values of a field type: negative, zero or positive. Empty comes first. */
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
