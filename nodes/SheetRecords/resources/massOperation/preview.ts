import type { Client } from '../../../api/http/client';
import { listPages } from '../../../api/read/pages';
import { plainReadOptions } from '../../../api/read/readOptions';
import { recordsIn } from '../../../api/read/records';
import { recordsByIds } from '../../../api/read/recordsByIds';
import { simplifiedRecord, type SheetRecord } from '../../../api/read/record';
import type { RecordSelection } from '../../../api/read/query';
import { ItemKeys } from '../../../api/schema/fieldNames';
import { Schema } from '../../../api/schema/schema';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { Outcome } from './itemGroups';

const reading = plainReadOptions('FNAME');

/** The records that an operation would work on; ids that are not there are left out. Throws ServiceError. */
export async function preview(
	client: Client,
	sheet: SheetAddress,
	selection: RecordSelection,
): Promise<Outcome[]> {
	const outputs: Outcome[] = [];
	const keys = new ItemKeys();
	const schema = new Schema(client, sheet);
	const jsonOf = async (records: readonly SheetRecord[]) => {
		const items = records.map((record) => simplifiedRecord(record, keys));
		return await keys.named(items, async () => await schema.keyedFields());
	};
	if (selection.kind === 'filters') {
		const request = { sheet, where: selection.where, reading };
		for await (const page of listPages(client, request, recordsIn)) {
			for (const json of await jsonOf(page)) outputs.push({ json });
		}
		return outputs;
	}
	const recordIds = [...new Set(selection.recordIds)];
	const records = recordsByIds(client, sheet, reading);
	records.expect(...recordIds);
	for (const recordId of recordIds) {
		const content = await records.take(client, recordId);
		if (!content) continue;
		const record = { id: recordId, content };
		for (const json of await jsonOf([record])) outputs.push({ json, recordIds: [recordId] });
	}
	return outputs;
}
