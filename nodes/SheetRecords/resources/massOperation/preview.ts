import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../api/http/client';
import { listPages } from '../../../api/read/pages';
import { plainReadOptions } from '../../../api/read/readOptions';
import { getRecord, recordsIn } from '../../../api/read/records';
import { readListed } from '../../../api/read/recordsByIds';
import { simplifiedRecord } from '../../../api/read/record';
import type { RecordSelection } from '../../../api/read/query';
import type { SheetAddress } from '../../../api/values/sheetAddress';

/** A result, and the records that it is about when it is not about all that are selected. */
export interface OperationOutput {
	json: IDataObject;
	recordIds?: readonly string[];
}

const reading = plainReadOptions('FNAME');

/** The records that an operation would work on; ids that are not there are left out. Throws ServiceError. */
export async function preview(
	client: Client,
	sheet: SheetAddress,
	selection: RecordSelection,
): Promise<OperationOutput[]> {
	const outputs: OperationOutput[] = [];
	if (selection.kind === 'filters') {
		const request = { sheet, where: selection.where, reading };
		for await (const page of listPages(client, request, recordsIn)) {
			for (const record of page) outputs.push({ json: simplifiedRecord(record) });
		}
		return outputs;
	}
	const recordIds = new Set(selection.recordIds);
	const { found } = await readListed(client, sheet, recordIds, reading, Infinity);
	const listed = new Map(found.map((record) => [record.id, record]));
	for (const recordId of recordIds) {
		const record = listed.get(recordId) ?? (await getRecord(client, { sheet, recordId }, reading));
		if (record) outputs.push({ json: simplifiedRecord(record), recordIds: [recordId] });
	}
	return outputs;
}
