import { demandReading, demandWriting, type Call } from '../call';
import { textsOf, type FieldValue } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { demandPressing, findActionButton, press } from '../endpoints/actionButton';
import { unknownField } from '../http/query';
import { ServiceError } from '../http/serviceError';
import { applyChanges } from '../writing/applyChanges';
import { ChangeCollector } from '../writing/changes';
import { readTextsOfField } from '../writing/readChanges';
import { dropUnstorable } from '../writing/save';
import { validate } from '../writing/validation';
import type { MassOperation, Replacement } from './operation';
import {
	demandAdministrator,
	demandChangeable,
	demandGroups,
	isGroupsField,
	readGroups,
} from './userSheetRules';

type Work = (record: SheetRecord) => void;

/** Checks an operation and returns its work for one record. The work throws if it fails for that record. */
export function recordWork(call: Call, sheet: Sheet, operation: MassOperation): Work {
	const { identity } = call;
	if (operation.type === 'massActionButton') {
		demandReading(sheet, identity);
		const button = findActionButton(sheet, operation.buttonId);
		demandPressing(button, identity);
		return (record) => void press(button, record, call);
	}
	demandWriting(sheet, identity);
	switch (operation.type) {
		case 'massLock':
			return (record) => {
				record.locked = operation.lock;
			};
		case 'massApproval':
			return (record) => decide(record, operation, call);
		case 'massUpdate':
			return updateWork(call, sheet, operation.assignments);
		case 'massSearchReplace':
			return replaceWork(call, sheet, operation.replacements);
	}
}

function decide(
	record: SheetRecord,
	{ approve, comment }: { approve: boolean; comment: string },
	call: Call,
): void {
	const { email } = call.identity;
	const status = approve ? 'Approved' : 'Rejected';
	record.approval = { status, approver: email, ...(comment === '' ? {} : { comment }) };
}

function updateWork(
	call: Call,
	sheet: Sheet,
	assignments: ReadonlyArray<{ field: string; value: unknown }>,
): Work {
	const collector = new ChangeCollector(sheet, call.state.switches.unknownBodyField);
	for (const { field, value } of assignments) {
		demandChangeable(sheet, field);
		const texts = isGroupsField(sheet, field)
			? readGroups(sheet, value)
			: readTextsOfField(field, value, sheet.field(field));
		collector.setField(field, texts);
	}
	dropUnstorable(collector.changes, sheet, call.state);
	return (record) => {
		const draft = record.draft();
		applyChanges(collector.changes, draft, sheet, call.state);
		keep(record, draft, sheet, call, 'Mass Update');
	};
}

function replaceWork(call: Call, sheet: Sheet, replacements: readonly Replacement[]): Work {
	const { unknownBodyField } = call.state.switches;
	for (const { field, search, replace } of replacements) {
		if (search === '') {
			throw new ServiceError('parameters', `No old value for field ${field}.`);
		}
		demandChangeable(sheet, field);
		if (isGroupsField(sheet, field) && replace !== '') demandGroups(sheet, [replace]);
		if (!sheet.field(field) && unknownBodyField === 'refused') throw unknownField(field);
	}
	const known = replacements.filter(({ field }) => sheet.field(field));
	return (record) => {
		const draft = record.draft();
		for (const replacement of known) replaceIn(draft, replacement);
		keep(record, draft, sheet, call, 'Search and Replace');
	};
}

/** Replaces every occurrence in a single text, or whole texts in a list. */
function replaceIn(draft: SheetRecord, { field, search, replace }: Replacement): void {
	const value = draft.value(field);
	const replaced: FieldValue =
		typeof value === 'string'
			? value.replaceAll(search, () => replace)
			: value.map((text) => (text === search ? replace : text)).filter((text) => text !== '');
	if (textsOf(replaced).join('\n') !== textsOf(value).join('\n')) draft.set(field, replaced);
}

/** Saves a change unless a check fails. */
function keep(
	record: SheetRecord,
	draft: SheetRecord,
	sheet: Sheet,
	{ identity, state }: Call,
	type: string,
): void {
	validate(draft, sheet, false, state.switches);
	demandAdministrator(sheet, draft);
	draft.noteEdit(state.clock, { user: identity.email, type });
	record.takeOver(draft);
}
