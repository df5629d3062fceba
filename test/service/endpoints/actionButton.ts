import { demandReading, existingRecord, isAdministrator, type Call } from '../call';
import type { SheetRecord } from '../data/record';
import type { ActionButton, Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { ServiceError } from '../http/serviceError';
import type { Identity } from '../identities';
import type { JsonValue } from '../json';
import { demandPostParameters } from '../http/query';
import { discover } from './discovery';

/** Lists the buttons of a sheet (specification, endpoint 12). */
export function listActionButtons(call: Call, sheet: Sheet): Answer {
	return discover(call, 'actionButtons', () => {
		demandReading(sheet, call.identity);
		const category = call.query.first('category') ?? '';
		const isOptional = call.state.switches.buttonCategory === 'optional';
		if (category !== 'massOperation' && !(isOptional && category === '')) {
			throw new ServiceError('parameters', `Invalid category: ${category}`);
		}
		const buttons: JsonValue = sheet.actionButtons.map(({ id, name }) => ({
			id: Number(id),
			name,
		}));
		const isBare = call.state.switches.actionButtonList === 'array';
		return isBare ? buttons : { actionButtons: buttons };
	});
}

/** Runs an action button on a record. The caller must be allowed to run it and to read the record. */
export function pressActionButton(call: Call, sheet: Sheet, recordId: number): Answer {
	demandReading(sheet, call.identity);
	demandPostParameters(call, 'bId');
	const record = existingRecord(sheet, recordId);
	const button = findActionButton(sheet, call.query.first('bId') ?? '');
	const message = press(button, record, call);
	return jsonAnswer({ status: call.state.switches.buttonStatus, msg: message }, call.query);
}

export function findActionButton(sheet: Sheet, buttonId: string): ActionButton {
	const button = sheet.actionButtons.find(({ id }) => id === buttonId);
	if (button) return button;
	throw new ServiceError('execution', `There is no action button ${buttonId}.`);
}

export function demandPressing({ runnableBy }: ActionButton, identity: Identity): void {
	const mayPress = runnableBy.some((group) => identity.groups.includes(group));
	if (!mayPress && !isAdministrator(identity)) throw new ServiceError('noAccessRight');
}

/** Runs an action button as the identity. If the action fails, the record stays unchanged. */
export function press(
	button: ActionButton,
	record: SheetRecord,
	{ identity, state }: Pick<Call, 'identity' | 'state'>,
): string {
	const { email, name } = identity;
	demandPressing(button, identity);
	const draft = record.draft();
	const message = button.press(draft, name);
	draft.noteEdit(state.clock, { user: email, type: 'Action Button', detail: button.name });
	record.takeOver(draft);
	return message;
}
