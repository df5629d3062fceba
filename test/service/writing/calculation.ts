import type { AccountData } from '../data/accountData';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import type { RecordChanges } from './changes';

/** Gives a new record its automatic number, unless the write brought one. */
export function numberAutomatically(draft: SheetRecord, sheet: Sheet): void {
	for (const { id, type } of sheet.fields) {
		if (type === 'autoNumber' && draft.text(id) === '') draft.set(id, sheet.takeAutoNumber(draft));
	}
}

/** `doDefaultValue`: loads defaults into fields that are empty and that the write does not name. */
export function loadDefaults(draft: SheetRecord, sheet: Sheet, changes: RecordChanges): void {
	for (const { id, defaultValue } of sheet.fields) {
		if (defaultValue === undefined || changes.values.has(id)) continue;
		if (draft.text(id) === '') draft.set(id, defaultValue);
	}
}

/**
 * `doFormula` and `doLinkLoad`: `first` loads before the formulas are recalculated, `true` after.
 */
export function calculate(
	draft: SheetRecord,
	sheet: Sheet,
	data: AccountData,
	{ formula, linkLoad }: { formula: boolean; linkLoad: string | undefined },
): void {
	if (linkLoad === 'first') loadLinks(draft, sheet, data);
	if (formula) sheet.definition.formulas?.(draft);
	if (linkLoad === 'true') loadLinks(draft, sheet, data);
}

/** Copies fields from the records that link fields name. */
function loadLinks(draft: SheetRecord, sheet: Sheet, data: AccountData): void {
	for (const { id, link } of sheet.fields) {
		if (!link) continue;
		const key = draft.text(id);
		const linked = [...(data.findSheet(link.sheet)?.records.values() ?? [])].find(
			(record) => record.text(link.keyFieldId) === key,
		);
		if (!linked) continue;
		for (const { from, to } of link.loads) draft.set(to, linked.value(from));
	}
}
