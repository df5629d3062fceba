import { arrayIn } from './read/selectionText';
import { InputError } from './values/inputError';

/** Kind of users sheet. Special rules apply to mass updates of these sheets (specification, endpoint 13). */
export type UserSheet = 'none' | 'internal' | 'external';

/** Fields of users sheets that mass operations must not change: ID → name. */
const protectedFields: Readonly<Record<string, string>> = {
	1: 'E-mail',
	4: 'Full Name',
	10: 'System Log',
	31: 'Status',
	43: 'Internal/External',
};

const groupsFieldId = '3';

/** Throws InputError if mass operations must not change this field of a users sheet. */
export function requireChangeable(userSheet: UserSheet, fieldId: string): void {
	const name = protectedFields[Number(fieldId)];
	if (userSheet === 'none' || name === undefined) return;
	throw new InputError(
		`The field ${fieldId} (${name}) of a users sheet cannot be changed by a mass operation`,
		'Update the records one by one instead.',
	);
}

export function holdsGroups(userSheet: UserSheet, fieldId: string): boolean {
	return userSheet !== 'none' && String(Number(fieldId)) === groupsFieldId;
}

/** Returns groups in the service's format: a JSON array as text. Throws InputError if there is no group. */
export function groupsValue(userSheet: UserSheet, value: unknown): string {
	const groups = parseGroups(userSheet, value);
	if (groups.length > 0) return JSON.stringify(groups);
	throw new InputError('The list of groups is empty', 'Give at least one group, e.g. ["Sales"].');
}

/**
 * Returns the distinct names of groups from an array, a JSON array or a comma-separated text. Throws InputError for any other
 * value, and for groups of external users that do not begin with `x-`.
 */
export function parseGroups(userSheet: UserSheet, value: unknown): string[] {
	const names = elementsOf(value).map((name) => {
		if (typeof name === 'string' || typeof name === 'number') return String(name).trim();
		throw new InputError(
			`${JSON.stringify(name)} is not the name of a group`,
			'Give the names of groups as texts, e.g. ["Sales"].',
		);
	});
	const groups = [...new Set(names.filter((name) => name !== ''))];
	const foreign = groups.find((group) => userSheet === 'external' && !/^x-/i.test(group));
	if (foreign === undefined) return groups;
	throw new InputError(
		`'${foreign}' cannot be a group of external users: their groups begin with x-`,
		`Write it as 'x-${foreign}', unless the users are internal.`,
	);
}

function elementsOf(value: unknown): unknown[] {
	if (typeof value === 'object' && value !== null) return [value].flat();
	const text = String(value ?? '').trim();
	if (!text.startsWith('[')) return text.split(',');
	const names = arrayIn(text);
	if (names) return names;
	const advice = 'Write it as ["Sales","Support"].';
	throw new InputError(`'${text}' is not a JSON array of group names`, advice);
}
