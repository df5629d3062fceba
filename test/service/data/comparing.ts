import { longDateTime } from './dates';
import type { FieldType } from './field';

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/** How far a number stays exact as a JavaScript number, counted in characters. */
const exactLength = 15;

export function isNumber(text: string): boolean {
	return decimalPattern.test(text);
}

/** Whether fields of the type hold a day, with or without a time. */
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
