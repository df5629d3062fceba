import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ReferenceService, SheetAddress } from '../../service';
import { makeBinary } from '../runner';

export interface TestFile {
	name: string;
	type: string;
	content: string | Buffer;
}

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

export function textFile(name: string, content = `Content of ${name}`): TestFile {
	return { name, type: 'text/plain', content };
}
