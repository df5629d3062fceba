import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import type { JsonObject } from '../api/json/orderedJson';
import { membersOf } from '../api/read/record';
import { shownType } from '../api/schema/fieldTypes';
import type { SheetAddress } from '../api/values/sheetAddress';
import { itemsWithFiles, type FileTarget } from '../ui/recordFiles';
import { outputShape, type OutputSettings } from '../ui/recordOutput';
import { changeItem, shownChanges } from '../ui/trigger';
import type { Change } from './cursor';

/** What items are made by. */
export interface ItemSettings {
	readonly client: Client;
	sheet: SheetAddress;
	settings: OutputSettings;
	form: 'event' | 'record' | undefined;
}

/** Returns the item of a record that is gone. */
export function deletionItem({ client, sheet, form }: ItemSettings, recordId: string): IDataObject {
	const change = { event: 'DELETE', recordId, verified: true, deleted: true } as const;
	return changeItem(change, client.connection.account, sheet, form);
}

/** Returns items with the files that the user wants. */
export async function withFiles(
	call: ItemSettings & FileTarget,
	items: IDataObject[],
): Promise<INodeExecutionData[]> {
	return await itemsWithFiles(call, call.sheet, call.settings, items, call.form ?? 'event');
}

/** Returns the items of changes. Throws as `outputShape`. */
export async function itemsOf(
	{ client, sheet, settings, form }: ItemSettings,
	changes: readonly Change[],
): Promise<IDataObject[]> {
	if (changes.length === 0) return [];
	const shape = await outputShape(client, sheet, settings);
	const records = await shape.named(
		changes.map(({ record: { id, content, shown = content } }) =>
			shape.json(id, membersOf(settings.simplify ? withoutPosition(shown) : shown)),
		),
	);
	const fieldShape = await outputShape(client, sheet, { ...settings, onlyFields: [] });
	const { account } = client.connection;
	const items: IDataObject[] = [];
	for (const [index, { record, event, fields }] of changes.entries()) {
		const shown = async (content: JsonObject) => {
			const known = settings.timeZone === undefined ? content : withoutTimes(content);
			const [json = {}] = await fieldShape.named([fieldShape.json('', membersOf(known))]);
			return json;
		};
		const change = { event, recordId: record.id, verified: true, record: records[index] };
		const shownFields = fields && (await shownChanges(fields, shown));
		items.push(changeItem({ ...change, fields: shownFields }, account, sheet, form));
	}
	return items;
}

/** Where a record stands in the answer is asked for with its times, and says nothing. */
function withoutPosition(content: JsonObject): JsonObject {
	return new Map([...content].filter(([key]) => key !== '_seq'));
}

/** What was read at the start has times of the account. */
function withoutTimes(content: JsonObject): JsonObject {
	return new Map([...content].filter(([, value]) => shownType(value) !== 'dateTime'));
}
