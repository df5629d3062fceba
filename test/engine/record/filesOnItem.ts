import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ReferenceService, SheetAddress } from '../../service';
import { makeBinary } from '../runner';

/** A file for an item: its name, its type and its content. */
export interface TestFile {
	name: string;
	type: string;
	content: string | Buffer;
}

/** An item with files, stored as n8n would store them. */
export async function itemWithFiles(
	json: IDataObject,
	files: Record<string, TestFile>,
): Promise<INodeExecutionData> {
	const binary: IBinaryKeyData = {};
	for (const [key, { name, type, content }] of Object.entries(files)) {
		binary[key] = await makeBinary(content, name, type);
	}
	return { json, binary };
}

/** The files that a record holds in a field, as the service keeps them. */
export function storedFiles(
	{ data }: ReferenceService,
	address: SheetAddress,
	recordId: number,
	fieldId: string,
) {
	return [data.record(address, recordId).value(fieldId)]
		.flat()
		.filter((value) => value !== '')
		.map((value) => data.files.get(value));
}

/** A text file with a text to know it by. */
export function textFile(name: string, content = `Content of ${name}`): TestFile {
	return { name, type: 'text/plain', content };
}
