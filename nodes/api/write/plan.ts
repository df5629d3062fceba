import type { JsonObject } from '../json/orderedJson';
import { isFieldId } from '../sheet/fields';
import { InputError } from '../values/inputError';
import { subtableOf } from '../values/subtableKeys';
import { changedKeys, differingChanges } from './diff';
import { plannedChanges, type PlannedChanges } from './plannedChanges';
import { contentWithoutKinds, forNewRecord, isEmpty, noChanges } from './recordContent';
import type { RecordChanges, RecordContent, RecordFile } from './recordContent';

/**
 * A step of a write to one record. `create` and `change` carry the fields, rows, files and deletions of rows that travel in one
 * request. `emptyFiles` removes the old files of the fields that get new ones, and writes the values of existing rows and fields.
 */
export type Step =
	{ what: 'create' | 'change' | 'emptyFiles'; content: RecordContent } | { what: 'deleteRecord' };

/** The steps of a write to one record. They are carried out in this order. Without steps, the record stays unchanged. */
export interface Plan {
	steps: readonly Step[];
	/** The whole input, with the IDs of the matched rows. */
	content: RecordContent;
	/** The stored record by field ID; undefined if it was not read. */
	before?: JsonObject;
	/** The part of the input that differs from the stored record. */
	difference: RecordChanges;
	/** IDs of the fields and keys of the subtables that the input changes; undefined if the stored record was not read. */
	changed?: readonly string[];
}

/** Rules for the plan of an update. */
export interface PlanRules {
	replacesFiles: boolean;
	/** Whether a record that already holds all values of the input is not written. */
	skipsUnchanged: boolean;
}

/**
 * Returns the plan of an update. The comparison with the stored record only decides whether to write: somebody may have changed the
 * record since it was read, so a write sends all values of the input. If the input differs from the stored record, rows to delete
 * that the record does not have are left out. Throws InputError for a file of a row to delete.
 *
 * @param before the stored record; undefined if the input is not compared with it
 */
export function planUpdate(content: RecordContent, rules: PlanRules, before?: JsonObject): Plan {
	const { changes, files, kinds } = content;
	const isOfDeletedRow = ({ rowId = '', subtableId = '' }: RecordFile) =>
		changes.deletedRows.get(subtableId)?.includes(rowId);
	const lost = files.find(isOfDeletedRow);
	if (lost) throw fileOfDeletedRow(lost);
	if (!before) return { content, difference: changes, steps: stepsOf(content, rules) };
	const difference = differingChanges(before, changes, kinds);
	const changed = changedKeys(before, difference, files);
	const plan = { content, before, difference, changed };
	const isSame = isEmpty(difference) && files.length === 0;
	if (isSame && (rules.skipsUnchanged || isEmpty(changes))) return { ...plan, steps: [] };
	const deletedRows = isSame ? changes.deletedRows : difference.deletedRows;
	const sent = { ...content, changes: { ...changes, deletedRows } };
	return { ...plan, steps: stepsOf(sent, rules) };
}

function fileOfDeletedRow({ rowId, file }: RecordFile): InputError {
	return new InputError(
		`The file '${file.name}' is for row ${rowId}, which this item deletes, so nothing was written`,
		'Give the row with its _rowId, or leave out the file.',
	);
}

/** Returns the plan of a new record. */
export function planCreation(input: RecordContent): Plan {
	const content = forNewRecord(input);
	const { changes: difference } = content;
	const steps = [{ what: 'create', content } as const];
	return { steps, content, before: new Map(), difference, changed: [] };
}

/** Returns the plan of a deletion. `before` is the stored record, for a dry run. */
export function planDeletion(before?: JsonObject): Plan {
	const content = contentWithoutKinds(noChanges());
	return { steps: [{ what: 'deleteRecord' }], content, before, difference: content.changes };
}

/** Returns the changes of a plan in fields, rows and files, for a dry run. */
export function changesOf(
	{ steps, before = new Map(), content, difference }: Plan,
	replacesFiles = false,
): PlannedChanges {
	if (steps.some(({ what }) => what === 'deleteRecord')) {
		const isField = (key: string) => isFieldId(key) || subtableOf(key) !== undefined;
		const fields = [...before].filter(([key]) => isField(key));
		return { before: new Map(fields), after: new Map() };
	}
	return plannedChanges(before, { ...content, changes: difference }, replacesFiles);
}

function stepsOf(content: RecordContent, { replacesFiles }: PlanRules): Step[] {
	const isEmptying = replacesFiles && content.files.length > 0;
	const emptying = isEmptying ? [{ what: 'emptyFiles', content } as const] : [];
	return [...emptying, { what: 'change', content }];
}
