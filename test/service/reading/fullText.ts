import { textsOf } from '../data/field';
import type { ReadonlyRow, SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';

/**
 * Full-text search across fields (specification, endpoint 1, `fts`). Masked texts are not searched.
 */
export function fullTextTest(text: string, sheet: Sheet): (record: SheetRecord) => boolean {
	const wanted = text.toLowerCase();
	const masked = new Set(
		sheet.fields.filter(({ type }) => type === 'maskedText').map(({ id }) => id),
	);
	const occursIn = (row: ReadonlyRow) =>
		[...row].some(
			([fieldId, value]) =>
				!masked.has(fieldId) &&
				textsOf(value).some((candidate) => candidate.toLowerCase().includes(wanted)),
		);
	return ({ content }) =>
		occursIn(content.values) ||
		[...content.subtables.values()].some((rows) => [...rows.values()].some(occursIn));
}
