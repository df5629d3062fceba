import { fromServiceDate, toServiceDate } from './dates';
import { withoutTrailing } from '../json/objects';

const decimal = /^(-?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/;

/** Returns the same text for all spellings of a value, in whichever letter case. The service may still tell some apart: its filters decide. */
export function normalForm(text: string): string {
	const trimmed = text.normalize('NFC').trim();
	const form = dateTimeForm(trimmed) ?? numberForm(trimmed) ?? switchForm(trimmed) ?? trimmed;
	return form.toLowerCase();
}

/** Returns `true` or `false` for all spellings of what a checkbox holds; undefined for what is neither. */
export function switchForm(text: string): string | undefined {
	if (/^\s*(?:true|yes)\s*$/i.test(text)) return 'true';
	return /^\s*(?:false|no)\s*$/i.test(text) ? 'false' : undefined;
}

/** Returns one text for all spellings of a moment, if it is one. A day is its first second, as the service compares it. */
export function dateTimeForm(text: string): string | undefined {
	return toServiceDate(fromServiceDate(text) ?? text, { offsetHours: 0 }, 'dateTime');
}

/** The same text for all spellings of a number; undefined for what is none. */
export function numberForm(text: string): string | undefined {
	const [, sign, grouped, decimals = ''] = decimal.exec(text) ?? [];
	if (grouped === undefined) return undefined;
	const whole = grouped.replace(/,/g, '').replace(/^0+(?=\d)/, '');
	const rest = withoutTrailing(decimals, '0');
	const number = rest === '' ? whole : `${whole}.${rest}`;
	return number === '0' ? number : `${sign}${number}`;
}
