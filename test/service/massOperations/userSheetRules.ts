import { textsOf } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { InvalidRecordError, ServiceError } from '../http/serviceError';
import { administrators } from '../identities';

/** Fields with fixed IDs in a users sheet (specification, "User-sheet fields"). */
const groupsField = '3';
const protectedFields = ['1', '4', '10', '31', '43'];

export function isGroupsField({ definition }: Sheet, fieldId: string): boolean {
	return definition.users !== undefined && fieldId === groupsField;
}

export function demandChangeable({ definition }: Sheet, fieldId: string): void {
	if (definition.users === undefined || !protectedFields.includes(fieldId)) return;
	throw new ServiceError('execution', `Field ${fieldId} cannot be mass updated.`);
}

/** Parses the groups from a text with a JSON array of texts. Throws if the value is anything else. */
export function readGroups(sheet: Sheet, value: unknown): string[] {
	const groups = parsedGroups(value);
	if (!groups) {
		throw new ServiceError('parameters', 'Groups must be a text with a JSON array.');
	}
	demandGroups(sheet, groups);
	return groups;
}

/** Checks that the groups fit the sheet. External users have separate groups, whose names start with `x-` or `X-`. */
export function demandGroups({ definition }: Sheet, groups: readonly string[]): void {
	const wrong = groups.find((group) => definition.users === 'external' && !/^x-/i.test(group));
	if (wrong === undefined) return;
	throw new ServiceError('execution', `External group ${wrong} must start with x-.`);
}

/** Throws if a change would remove the last administrator from the internal users. */
export function demandAdministrator(sheet: Sheet, draft: SheetRecord): void {
	if (sheet.definition.users !== 'internal' || isAdministrator(draft)) return;
	const otherRecords = [...sheet.records.values()].filter(({ id }) => id !== draft.id);
	if (otherRecords.some(isAdministrator)) return;
	throw new InvalidRecordError(`At least one user must be in group ${administrators}.`);
}

function isAdministrator(record: SheetRecord): boolean {
	return textsOf(record.value(groupsField)).includes(administrators);
}

function parsedGroups(value: unknown): string[] | undefined {
	if (typeof value !== 'string') return undefined;
	try {
		const parsed: unknown = JSON.parse(value);
		if (!Array.isArray(parsed)) return undefined;
		const groups = parsed.filter((group) => typeof group === 'string');
		return groups.length === parsed.length ? groups : undefined;
	} catch {
		return undefined;
	}
}
