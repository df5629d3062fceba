import { bytesOf } from './spellings';
import type { Spelling } from './spellings';

/** A part of a text. */
export interface Place {
	start: number;
	end: number;
}

/** Where a form stands in a text, and where its first characters stand before a cut. */
export interface Found {
	whole: Place[];
	beginnings: Place[];
}

/** A form, made ready to be looked for in many texts. */
export interface SoughtForm {
	bytes: string;
	/** For each beginning of the form, how much of the form's beginning it ends with, itself left out. */
	shorter: readonly number[];
}

/** Makes a form ready to be looked for. */
export function soughtForm(form: string): SoughtForm {
	const bytes = comparable(bytesOf(form));
	return { bytes, shorter: beginningsWithin(bytes) };
}

/**
 * Finds a form in a spelling of a text, with overlaps, in one pass over the text (Knuth, Morris and Pratt).
 * A blank and a plus sign count as the same: addresses write one for the other.
 *
 * @param cutMark what stands where the rest of the text was left out
 */
export function findForm(spelling: Spelling, form: SoughtForm, cutMark: string): Found {
	const { bytes: wanted, shorter } = form;
	const bytes = comparable(spelling.bytes);
	const cut = bytesOf(cutMark);
	const found: Found = { whole: [], beginnings: [] };
	let length = 0;
	for (let position = 0; position < bytes.length; position++) {
		const isCut = bytes[position] === cut[0] && bytes.startsWith(cut, position);
		if (isCut && length > 0) {
			// To the mark: what is left of an escape before it has no bytes of its own.
			const start = spelling.starts[position - length] ?? 0;
			found.beginnings.push({ start, end: spelling.starts[position] ?? 0 });
		}
		while (length > 0 && bytes[position] !== wanted[length]) length = shorter[length - 1] ?? 0;
		if (bytes[position] === wanted[length]) length++;
		if (length < wanted.length) continue;
		const start = spelling.starts[position - length + 1] ?? 0;
		found.whole.push({ start, end: spelling.ends[position] ?? 0 });
		length = shorter[length - 1] ?? 0;
	}
	return found;
}

function beginningsWithin(text: string): number[] {
	const lengths = [0];
	let length = 0;
	for (let position = 1; position < text.length; position++) {
		while (length > 0 && text[position] !== text[length]) length = lengths[length - 1] ?? 0;
		if (text[position] === text[length]) length++;
		lengths.push(length);
	}
	return lengths;
}

function comparable(bytes: string): string {
	return bytes.replace(/ /g, '+');
}
