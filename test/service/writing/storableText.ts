import { isDateTime, longDateTime } from '../data/dates';
import type { Field } from '../data/field';

/**
 * The form in which a text is stored: times with seconds (some write `HH:mm`), checkboxes as Yes or
 * No.
 */
export function storableText(field: Field, text: string): string {
	if (field.type === 'dateTime' && isDateTime(text)) return longDateTime(text) ?? text;
	if (field.type === 'checkbox') {
		if (/^(yes|true|1)$/i.test(text)) return 'Yes';
		if (/^(no|false|0)$/i.test(text)) return 'No';
	}
	return text;
}
