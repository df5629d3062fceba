import { extensionOf, storedFileName } from './fileName';
import { InputError } from './inputError';
import { orderedJsonIn } from '../json/orderedJson';
import { shortened } from './text';

/** Extensions of files that are no top-level domains: no e-mail address ends with them. */
const fileExtensions: ReadonlySet<string> = new Set(
	`7z avi bmp csv doc docx dwg dxf eml gif gz heic htm html ics jpeg jpg json log mkv mp3 mp4 msg
	odp ods odt pdf png ppt pptx rar rtf svg tar tif tiff txt vcf wav webp xls xlsx xml`.split(/\s+/),
);

/** A host, as it stands in an e-mail address. */
const host = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i;

/** Whether a field's type, as the service calls it, says that it holds files or images. */
export function isFileType(type: string): boolean {
	return /file|image|picture|photo|attach|upload|signature/i.test(type);
}

/**
 * Whether a value can only be that of a file: `<prefix>@<file name>` (specification, "Value formats"). An
 * e-mail address has the same form, so the end of the name decides. Where there is a doubt it is no.
 */
export function isSurelyFile(value: unknown): boolean {
	if (typeof value !== 'string' || !/^[\w-]+@/.test(value)) return false;
	const name = storedFileName(value);
	const [first = '', ...rest] = name.split(/[\s,;]+/);
	const beginsWithAddress = rest.length > 0 && host.test(first);
	return fileExtensions.has(extensionOf(name)) && !beginsWithAddress;
}

/**
 * The values of the files that a parameter stands for: one, an array of them, or its JSON text. Empty
 * elements, as the service puts in front, are skipped.
 *
 * @throws InputError when there is none, or one that is no file value
 */
export function fileValuesOf(given: unknown): string[] {
	const value = typeof given === 'string' && /^\s*\[/.test(given) ? parsed(given) : given;
	const values = (Array.isArray(value) ? value : [value]).filter(
		(element) => element !== '' && element !== null && element !== undefined,
	);
	if (values.length > 0) return values.map(fileValueOf);
	throw new InputError('The file value is empty', 'The record may hold no file in this field.');
}

function fileValueOf(value: unknown): string {
	if (typeof value === 'string' && value.includes('@')) return value;
	const shown = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
	throw new InputError(
		`${shortened(shown, 80)} is not the value of a file field`,
		'It has the form prefix@name, as a record holds it.',
	);
}

function parsed(text: string): unknown[] {
	const values = orderedJsonIn(text);
	if (Array.isArray(values)) return values;
	throw new InputError(
		'The file value begins with [ and is not a JSON array',
		'Give one file value, an array of them, or its JSON text, e.g. ["kq2Ab@contract.pdf"].',
	);
}
