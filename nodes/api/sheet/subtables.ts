import { EntryError, InputError } from '../values/inputError';
import { subtableIdIn } from '../values/subtableKeys';
import { idInKey, isSurelyFieldId, listOf, type Subtable } from './fields';

/**
 * Returns the ID of the subtable for a user's key: an ID, a name, or any name followed by the ID in parentheses. Returns undefined
 * if no subtable of the list has this name. Throws InputError if several subtables have it.
 */
export function findSubtable(key: string, subtables: readonly Subtable[]): string | undefined {
	const enteredId = subtableIdIn(key);
	if (enteredId !== undefined) return enteredId;
	const named = subtables.filter(({ name }) => name?.trim() === key.trim());
	if (named.length > 1) {
		const ids = named.map(({ subtableId }) => subtableId).join(', ');
		throw new EntryError(
			key,
			`is the name of ${named.length} subtables (${ids})`,
			'Use the ID of the subtable instead of its name.',
		);
	}
	if (named[0]) return named[0].subtableId;
	const id = idInKey(key);
	const isKnown = subtables.some(({ subtableId }) => subtableId === id);
	// A list that was made from records lacks subtables without rows.
	return id !== undefined && (isKnown || isSurelyFieldId(id)) ? id : undefined;
}

/** Returns the error for a name that no subtable has. */
export function unknownSubtable(key: string, subtables: readonly Subtable[]): EntryError {
	const known = subtables.map(subtableLabel);
	const help = known.length > 0 ? `. Its subtables are ${listOf(known)}` : '';
	return new EntryError(
		key,
		`is not a subtable of this sheet${help}`,
		'Pick the subtable from the list, or give its ID, e.g. 2000001. The service shows the names of subtables to administrators only.',
	);
}

/** Returns the error for an ID that no subtable has. */
export function missingSubtable(subtableId: string, subtables: readonly Subtable[]): InputError {
	const known = subtables.map(subtableLabel);
	const help = known.length > 0 ? `Its subtables are ${listOf(known)}. ` : '';
	return new InputError(
		`The sheet has no subtable ${subtableId}`,
		`${help}Check the sheet and the ID of the subtable.`,
	);
}

function subtableLabel({ subtableId, name }: Subtable): string {
	return name === undefined ? subtableId : `'${name}' (${subtableId})`;
}
