import type { IBinaryData } from 'n8n-workflow';
import type { Client } from '../../../service/client';
import { documentExtension, documentRequest } from '../../../service/documents';
import { downloadFile } from '../../../service/download';
import { plainReading } from '../../../service/reading';
import { getRecord } from '../../../service/records';
import { safeFileName } from '../../../wire/fileName';
import { numberOrText } from '../../../wire/record';
import type { JsonValue } from '../../../wire/orderedJson';
import type { RecordAddress } from '../../../wire/sheetAddress';
import { textOf } from '../../../wire/text';
import { FileResult } from '../../operationResult';
import { operation } from '../../operation';
import { outputFieldParameter } from '../../parameters/outputField';
import { recordParameter } from '../../parameters/record';
import { storeFile } from '../../storeFile';
import { documentParameter, fileNameFieldParameter } from './documentParameters';

export const exportDocument = operation({
	value: 'export',
	name: 'Export',
	action: 'Export a record as a document',
	description: 'Get a record as PDF, Excel, printable page, mail merge or custom print report',
	parameters: {
		record: recordParameter,
		chosen: documentParameter,
		fileNameFieldId: fileNameFieldParameter,
		outputField: outputFieldParameter,
	},
	async run({ client, item, record, chosen, fileNameFieldId, outputField }) {
		const { recordId } = record;
		const document = chosen.format === 'customPrint' ? { ...chosen, fileNameFieldId } : chosen;
		const extension = documentExtension(document);
		const request = documentRequest(client, record, document);
		const { binary, isNamed } = await downloadFile(client, request, async (file) => ({
			binary: await storeFile(
				item,
				file,
				safeFileName(file.name ?? '', named(recordId, extension)),
			),
			isNamed: file.name !== undefined,
		}));
		// Requests of an account take turns, so the record is asked for after the document has come.
		const fileName = isNamed
			? binary.fileName
			: named(await nameFor(client, record, fileNameFieldId), extensionFor(extension, binary));
		return new FileResult(
			{ _recordId: numberOrText(recordId), fileName, mimeType: binary.mimeType },
			{ [outputField]: { ...binary, fileName } },
		);
	},
});

/** The chosen field's value, and the title where that is empty; else the id, for which nothing has to be read. */
async function nameFor(
	client: Client,
	address: RecordAddress,
	fieldId: string | undefined,
): Promise<string> {
	if (fieldId === undefined) return address.recordId;
	const reading = { ...plainReading('EID'), fields: [fieldId] };
	const record = await getRecord(client, address, reading);
	const value = record?.content.get(fieldId);
	const title = record?.content.get('_index_title_');
	return [value, title].map(nameIn).find((name) => name !== '') ?? address.recordId;
}

/** A field with several values gives them all to the name. */
function nameIn(value: JsonValue | undefined): string {
	return (Array.isArray(value) ? value.map(textOf) : [textOf(value)]).filter(Boolean).join(', ');
}

function extensionFor(extension: string, { fileExtension }: IBinaryData): string {
	return extension === '' ? (fileExtension ?? '') : extension;
}

function named(name: string, extension: string): string {
	return safeFileName(extension === '' ? name : `${name}.${extension}`, 'document');
}
