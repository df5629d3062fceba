import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import type { JsonObject } from '../api/json/orderedJson';
import type { PlainObject } from '../api/read/record';
import { membersOf } from '../api/read/record';
import type { SheetAddress } from '../api/values/sheetAddress';
import { isDateTimeValue } from '../api/sheet/sources/inference';
import { outputShape, type OutputSettings, type OutputShape } from '../shared/output/recordOutput';
import { changeItem, changesJson } from '../shared/trigger';
import type { RecordChange } from './cursor';
import { addMissingSubtables } from '../shared/output/missingSubtables';

/** The sheet and the output options of a poll. */
interface PollOutput {
	client: Client;
	sheet: SheetAddress;
	settings: OutputSettings & { form: 'event' | 'record' };
}

/** Makes the items of a poll. The fields of the output are resolved once, when the settings are checked or with the first change. */
export class ChangeItems {
	private shapes?: Promise<{ ofRecords: OutputShape; ofChanges: OutputShape }>;

	constructor(private readonly output: PollOutput) {}

	/** Returns the items of changed records, with the current names of their fields. Throws InputError for a wrong output option. */
	async changed(changes: readonly RecordChange[]): Promise<IDataObject[]> {
		if (changes.length === 0) return [];
		const { client, sheet, settings } = this.output;
		const records = await this.recordsOf(changes);
		const items: IDataObject[] = [];
		for (const [index, { record, event, fields }] of changes.entries()) {
			const fieldsJson =
				fields && (await changesJson(fields, async (content) => await this.fieldsOf(content)));
			const change = { event, recordId: record.id, verified: true, record: records[index] };
			const item = { ...change, fields: fieldsJson };
			items.push(changeItem(item, client.connection.account, sheet, settings.form));
		}
		return items;
	}

	/** Returns the items of deleted records. */
	deleted(recordIds: readonly string[]): IDataObject[] {
		const { client, sheet, settings } = this.output;
		return recordIds.map((recordId) => {
			const change = { event: 'DELETE', recordId, verified: true, deleted: true } as const;
			return changeItem(change, client.connection.account, sheet, settings.form);
		});
	}

	private async recordsOf(changes: readonly RecordChange[]): Promise<PlainObject[]> {
		const { ofRecords } = await this.loadShapes();
		const jsons = changes.map(({ record: { id, content, inOutputZone = content } }) => {
			const json = ofRecords.json(id, membersOf(inOutputZone));
			// `info` adds the position of the record in this answer. Simplified items omit it, because it is meaningless for the user.
			if (this.output.settings.simplify) delete json._seq;
			return json;
		});
		const records = await ofRecords.withOutputKeys(jsons);
		addMissingSubtables(records.map((record) => ['', record]));
		return records;
	}

	/** Returns watched fields as in the output. */
	private async fieldsOf(content: JsonObject): Promise<PlainObject> {
		const { ofChanges } = await this.loadShapes();
		// Previous values were stored in the account's time zone. If UTC Offset is set, leave out previous values with a time.
		const withoutTimes = [...content].filter(([, value]) => !isDateTimeValue(value));
		const hasOffset = this.output.settings.offsetHours !== undefined;
		const comparable = hasOffset ? new Map(withoutTimes) : content;
		const [json = {}] = await ofChanges.withOutputKeys([ofChanges.json('', membersOf(comparable))]);
		return json;
	}

	/** Returns the converters of records and of watched fields. Throws InputError for a wrong output option. */
	async loadShapes() {
		const { client, sheet, settings } = this.output;
		const load = async () => ({
			ofRecords: await outputShape(client, sheet, settings),
			ofChanges: await outputShape(client, sheet, { ...settings, onlyFields: [] }),
		});
		this.shapes ??= load();
		return await this.shapes;
	}
}
