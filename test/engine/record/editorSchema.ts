import type { INodeParameters } from 'n8n-workflow';
import type { RecordTestbed } from '../recordTestbed';
import { loadOptionsOf } from '../runner';

/** Returns the fields of `getRecordFields` as stored by the editor of an administrator. */
export async function schemaFor(
	testbed: RecordTestbed,
	parameters: INodeParameters,
): Promise<INodeParameters[]> {
	const answer = await loadOptionsOf({
		node: 'sheetRecords',
		parameters: { resource: 'record', ...parameters },
		credentials: testbed.credentials('admin'),
		method: { kind: 'resourceMapping', name: 'getRecordFields' },
	});
	return JSON.parse(JSON.stringify(answer)).fields;
}
