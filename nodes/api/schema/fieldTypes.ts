import type { Field } from './fields';
import { isFileType } from '../values/fileValues';

/** What a field's type says about its dates; undefined when it is no date or its type is not known. */
export function dateForm(type: string | undefined): 'date' | 'dateTime' | undefined {
	const word = type?.toLowerCase().replace(/[^a-z]/g, '') ?? '';
	if (/^(datetime|timestamp)/.test(word)) return 'dateTime';
	return word.startsWith('date') ? 'date' : undefined;
}

/** Whether the service gives the field its value. */
export function isFilledIn({ readOnly, type }: Field): boolean {
	return readOnly === true || /^auto/i.test(type ?? '');
}

/** Whether the field holds one or more of a list of choices. */
export function isSelection({ type }: Pick<Field, 'type'>): boolean {
	return /select|choice|dropdown/i.test(type ?? '') || valueKind(type) === 'list';
}

/** Whether the field holds files or images, as far as its type is known. */
export function holdsFiles({ type }: Field): boolean {
	return type !== undefined && isFileType(type);
}

/** What the values of a field are, where they are more than texts. */
export type ValueKind = 'number' | 'switch' | 'list' | 'other';

/** What a field of the type holds; undefined when its type is not known. Automatic numbers are texts, such as `SO-0012`. */
export function valueKind(type: string | undefined): ValueKind | undefined {
	const word = type?.toLowerCase() ?? '';
	if (word === '') return undefined;
	if (/^(number|numeric|money|currency|integer|decimal)/.test(word)) return 'number';
	if (/^(check|bool)/.test(word)) return 'switch';
	return word.includes('multi') && !/line|text/.test(word) ? 'list' : 'other';
}
