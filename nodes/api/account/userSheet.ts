import { InputError } from '../values/inputError';
import { arrayIn } from '../read/selectionText';

/** The sheets of an account's users, to which rules of their own apply. */
export type UserSheet = 'none' | 'internal' | 'external';

/** Fields of users sheets that mass operations must not touch (specification, endpoint 13). */
const protectedFields = new Map<string, string>([
	['1', 'E-mail'],
	['4', 'Full Name'],
	['10', 'System Log'],
	['31', 'Status'],
	['43', 'Internal/External'],
]);

/** The field that holds a user's groups. */
export const groupsFieldId = '3';
export const administratorsGroup = 'SYSAdmin';

/** Refuses the fields of a users sheet that the service does not let mass operations change. */
export function requireChangeable(userSheet: UserSheet, fieldId: string): void {
	const name = userSheet === 'none' ? undefined : protectedFields.get(String(Number(fieldId)));
	if (name === undefined) return;
	throw new InputError(
		`The field ${fieldId} (${name}) of a users sheet cannot be changed by a mass operation`,
		'Update the records one by one instead.',
	);
}

/**
 * The groups of users as the service takes them: a text that holds a JSON array.
 *
 * @param value an array, the text of a JSON array, or names with commas between
 * @throws InputError when there is none, or one of an external user has no `x-` in front
 */
export function groupsValue(userSheet: UserSheet, value: unknown): string {
	const groups = groupNames(value);
	if (groups.length === 0) {
		throw new InputError("'Groups' is empty", 'Give at least one group, e.g. ["Sales"].');
	}
	requireGroups(userSheet, groups);
	return JSON.stringify(groups);
}

/** Whether the field of a users sheet holds groups. */
export function holdsGroups(userSheet: UserSheet, fieldId: string): boolean {
	return userSheet !== 'none' && String(Number(fieldId)) === groupsFieldId;
}

/**
 * Refuses names that cannot be groups on the users sheet. Throws InputError when one of an external user has no
 * `x-` in front.
 */
export function requireGroups(userSheet: UserSheet, groups: readonly string[]): void {
	const foreign = groups.find((group) => userSheet === 'external' && !/^x-/i.test(group));
	if (foreign === undefined) return;
	throw new InputError(
		`'${foreign}' cannot be a group of external users: their groups begin with x-`,
		`Write it as 'x-${foreign}', or set 'Users Sheet' to 'Internal Users'.`,
	);
}

/**
 * The names in any of the forms in which groups are given, each once. Throws InputError for anything else than
 * names.
 */
export function groupNames(value: unknown): string[] {
	const names = listOf(value).map((name) => {
		if (typeof name === 'string' || typeof name === 'number') return String(name).trim();
		throw new InputError(`${JSON.stringify(name)} is not the name of a group`);
	});
	return [...new Set(names.filter((name) => name !== ''))];
}

function listOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	if (typeof value === 'object' && value !== null) return [value];
	const text = String(value ?? '').trim();
	if (!text.startsWith('[')) return text.split(',');
	const names = arrayIn(text);
	if (names) return names;
	throw new InputError(
		`'${text}' is not a JSON array of group names`,
		'Write it as ["Sales","Support"].',
	);
}
