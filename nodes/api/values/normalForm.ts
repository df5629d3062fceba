import { fromServiceDate, toServiceDate } from './dates';
import { withoutTrailing } from '../json/objects';

const decimal = /^(-?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/;

/**
 * Returns a canonical text, which is the same for all spellings of a number, date or checkbox. Ignores letter case, surrounding
 * white space and Unicode normalization. The filters of the service may be stricter.
 */
export function normalForm(text: string): string {
	const trimmed = text.normalize('NFC').trim();
	const form = dateTimeForm(trimmed) ?? numberForm(trimmed) ?? switchForm(trimmed) ?? trimmed;
	return form.toLowerCase();
}

/**
 * Returns `true` for true, yes or on, and `false` for false, no or off. Ignores letter case and surrounding white space. Returns undefined
 * for any other text.
 */
export function switchForm(text: string): string | undefined {
	if (/^\s*(?:true|yes|on)\s*$/i.test(text)) return 'true';
	return /^\s*(?:false|no|off)\s*$/i.test(text) ? 'false' : undefined;
}

/** Returns a canonical text for a date or time; undefined for any other text. A date counts as its first second, as in the service's comparisons. */
export function dateTimeForm(text: string): string | undefined {
	return toServiceDate(fromServiceDate(text) ?? text, { offsetHours: 0 }, 'dateTime');
}

/** Returns a canonical text for a plain decimal number, with or without commas between thousands; undefined for any other text. */
export function numberForm(text: string): string | undefined {
	const [, sign, grouped, decimals = ''] = decimal.exec(text) ?? [];
	if (grouped === undefined) return undefined;
	const whole = grouped.replace(/,/g, '').replace(/^0+(?=\d)/, '');
	const rest = withoutTrailing(decimals, '0');
	const number = rest === '' ? whole : `${whole}.${rest}`;
	return number === '0' ? number : `${sign}${number}`;
}
