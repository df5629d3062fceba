import { isAdministrator, sendWebhooks, type Call } from '../call';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { jsonMembers, type RequestBody } from '../http/body';
import { ServiceError } from '../http/serviceError';
import { demandPostParameters } from '../http/query';

/** Returns whether the body is an import instead of a create: it has the parameter `importData`. */
export function isImport(body: RequestBody): boolean {
	if (body.kind === 'form') return body.fields.some(([name]) => name === 'importData');
	return body.kind === 'json' && 'importData' in jsonMembers(body.text);
}

/**
 * Imports from the URL set on the sheet (specification, endpoint 10). The sources are in the account data. Updates records
 * with the same key, creates the others, and sends webhooks for both (specification, "Events").
 */
export function importFromUrl(call: Call, sheet: Sheet): Answer {
	const { identity, query, state } = call;
	if (!isAdministrator(identity)) throw new ServiceError('noAccessRight');
	demandPostParameters(call);
	const { enabled, url } = sheet.periodicImport;
	if (!enabled) {
		throw new ServiceError('execution', 'Periodic import from URL is not enabled on this sheet.');
	}
	const source = state.data.importSources.get(url);
	if (!source) throw new ServiceError('execution', `Nothing can be read from ${url}`);
	const created = new Set<SheetRecord>();
	const updated = new Set<SheetRecord>();
	for (const values of source) {
		const { record, isNew } = importRecord(values, sheet, call);
		if (isNew) created.add(record);
		else if (!created.has(record)) updated.add(record);
	}
	sendWebhooks(call, sheet, 'CREATE', [...created]);
	sendWebhooks(call, sheet, 'UPDATE', [...updated]);
	return jsonAnswer({ status: 'SUCCESS', msg: 'Import started.' }, query);
}

function importRecord(
	values: Record<string, string>,
	sheet: Sheet,
	{ identity, state }: Call,
): { record: SheetRecord; isNew: boolean } {
	const { keyFieldId } = sheet.definition;
	const user = identity.email;
	const present = [...sheet.records.values()].find(
		(candidate) => candidate.text(keyFieldId) === values[keyFieldId],
	);
	const record = present ?? sheet.add({ at: state.clock.stamp(), user });
	for (const [fieldId, text] of Object.entries(values)) record.set(fieldId, text);
	record.noteEdit(state.clock, { user, type: present ? 'Import' : 'Create' });
	return { record, isNew: present === undefined };
}
