import type { Field } from '../schema/fields';
import { holdsFiles, isFilledIn } from '../schema/fieldTypes';
import { isSurelyFile } from '../values/fileValues';
import { looksRendered } from '../values/richText';
import { isMasked } from '../values/text';

/**
 * What a read yields for a field, and whether it goes back: a record that was read and is written again
 * must keep what nobody changed.
 */

/** Why a value of an item that was mapped automatically is not written. */
export type LeftOutReason = 'filledIn' | 'file' | 'masked' | 'html' | 'shifted' | 'unknown';

/** What was left out, by the name that the user knows. */
export interface LeftOut {
	name: string;
	reason: LeftOutReason;
}

const reasonWords: Record<LeftOutReason, string> = {
	filledIn: 'filled in by the service',
	file: 'files',
	masked: 'masked',
	html: "rich text as HTML; read it with 'Raw Markup' to write it back",
	shifted: "times read with 'Time Zone'; read them without it to write them back",
	unknown: 'not a field of the sheet',
};

/**
 * Why a value must not be written back into a field: the service would refuse it, or what is stored is
 * something else than what was read.
 *
 * @param isRead whether the item says of which record it is; of others a single * is a text
 * @returns undefined when it may
 */
export function reasonToLeaveOut(
	field: Field,
	value: unknown,
	isRead: boolean,
): LeftOutReason | undefined {
	if (isFilledIn(field)) return 'filledIn';
	if (holdsFiles(field) || (field.type === undefined && isFiles(value))) return 'file';
	const mayBeMasked = isRead || value !== '*' || /mask/i.test(field.type ?? '');
	if (mayBeMasked && isMasked(value)) return 'masked';
	const isRichText = field.type === undefined ? isRead : /rich|html|bbcode/i.test(field.type);
	return isRichText && looksRendered(value) ? 'html' : undefined;
}

/** Several files come as an array whose first element may be empty. */
function isFiles(value: unknown): boolean {
	const values = (Array.isArray(value) ? value : [value]).filter((element) => element !== '');
	return values.length > 0 && values.every(isSurelyFile);
}

/** One sentence that names all that was left out, by reason; undefined when nothing was. */
export function leftOutSentence(leftOut: readonly LeftOut[]): string | undefined {
	if (leftOut.length === 0) return undefined;
	const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
	const parts = reasons.map((reason) => {
		const names = leftOut.filter((one) => one.reason === reason).map(({ name }) => `'${name}'`);
		return `${[...new Set(names)].join(', ')} (${reasonWords[reason]})`;
	});
	return `Left out of what was written: ${parts.join(', ')}.`;
}
