import type { Call } from '../call';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { applyChanges } from './applyChanges';
import { calculate, loadDefaults, numberAutomatically } from './calculation';
import { readChanges } from './readChanges';
import { dropUnstorable } from './storable';
import { validate } from './validation';

/**
 * Carries out a create or an update on a draft of the record (specification, endpoint 6, query
 * parameters). Nothing is kept until every check has passed; a failing check throws.
 */
export function save(call: Call, sheet: Sheet, draft: SheetRecord, isNew: boolean): void {
	const { query, state, identity } = call;
	const changes = readChanges(call, sheet);
	dropUnstorable(changes, sheet, state);
	const uploads = applyChanges(changes, draft, sheet, state);
	if (isNew) numberAutomatically(draft, sheet);
	if (query.first('doDefaultValue') === 'true') loadDefaults(draft, sheet, changes);

	const formula = query.first('doFormula') === 'true';
	calculate(draft, sheet, state.data, { formula, linkLoad: query.first('doLinkLoad') });
	validate(draft, sheet, query.flag('doValidation'), state.switches);
	if (!formula && query.first('doWorkflow') !== 'false') {
		sheet.definition.workflow?.(draft, identity.name);
	}

	for (const file of uploads) state.data.keepFile(file);
	draft.noteEdit(state.clock, {
		user: identity.email,
		type: isNew ? 'Create' : 'Update',
		detail: [...changes.values.keys()].join(', '),
	});
	if (query.first('notification') !== 'false') {
		const { path, index } = sheet;
		state.data.notifications.push({
			sheet: { path, index },
			recordId: draft.id,
			user: identity.email,
		});
	}
}
