import type { IDataObject } from 'n8n-workflow';
import type { JsonObject } from '../api/json/orderedJson';
import { membersOf } from '../api/read/record';
import { isDateTimeValue } from '../api/sheet/sources/inference';
import { outputShape } from '../shared/output/recordOutput';
import { changeItem, changesJson } from '../shared/trigger';
import type { RecordChange } from './cursor';
import { addMissingSubtables } from '../shared/output/missingSubtables';
import type { PollCall } from './pollCall';

/** Returns the items of changed records, with the current names of their fields. Throws InputError for a wrong output option. */
export async function changeItems(
	call: PollCall,
	changes: readonly RecordChange[],
): Promise<IDataObject[]> {
	if (changes.length === 0) return [];
	const { client, sheet, settings } = call;
	const { simplify, offsetHours, form } = settings;
	const shape = await outputShape(client, sheet, settings);
	const jsons = changes.map(({ record: { id, content, inOutputZone = content } }) => {
		const json = shape.json(id, membersOf(inOutputZone));
		// `info` adds the position of the record in this answer. Simplified items omit it, because it is meaningless for the user.
		if (simplify) delete json._seq;
		return json;
	});
	const records = await shape.named(jsons);
	addMissingSubtables(records.map((record) => ['', record]));
	const fieldShape = await outputShape(client, sheet, { ...settings, onlyFields: [] });
	const fieldsOf = async (content: JsonObject) => {
		// Previous values were stored in the account's time zone. If UTC Offset is set, leave out previous values with a time.
		const withoutTimes = [...content].filter(([, value]) => !isDateTimeValue(value));
		const comparable = offsetHours === undefined ? content : new Map(withoutTimes);
		const [json = {}] = await fieldShape.named([fieldShape.json('', membersOf(comparable))]);
		return json;
	};
	const items: IDataObject[] = [];
	for (const [index, { record, event, fields }] of changes.entries()) {
		const fieldsJson = fields && (await changesJson(fields, fieldsOf));
		const change = { event, recordId: record.id, verified: true, record: records[index] };
		const item = { ...change, fields: fieldsJson };
		items.push(changeItem(item, client.connection.account, sheet, form));
	}
	return items;
}

/** Returns the items of deleted records. */
export function deletionItems(
	{ client, sheet, settings }: PollCall,
	recordIds: readonly string[],
): IDataObject[] {
	return recordIds.map((recordId) => {
		const change = { event: 'DELETE', recordId, verified: true, deleted: true } as const;
		return changeItem(change, client.connection.account, sheet, settings.form);
	});
}
