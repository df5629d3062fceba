import type { Client } from '../../api/http/client';
import { documentExtension, documentRequest, type DocumentFormat } from '../../api/documents';
import { downloadFile } from '../../api/files/download';
import { plainReadOptions } from '../../api/read/readOptions';
import { getRecord } from '../../api/read/records';
import { choiceParameter, deferred, propertiesOf, textParameter } from '../../ui/parameter';
import { pickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import { extensionOf, safeFileName } from '../../api/values/fileNames';
import { numberOrText } from '../../api/read/record';
import { InputError } from '../../api/values/inputError';
import { isWholeNumber, type RecordAddress } from '../../api/values/sheetAddress';
import { textOf } from '../../api/values/text';
import { operation, type Resource } from '../operation';
import { OutputItems } from '../operationResult';
import type { ItemContext } from '../itemContext';
import { storeFile } from '../../ui/recordFiles';
import { outputFieldParameter } from '../parameters/fileEntries';
import { recordParameter } from '../parameters/record';

const formatChoice = choiceParameter({
	displayName: 'Format',
	name: 'format',
	choices: {
		customPrint: [
			'Custom Print Report',
			'A report from a template of the sheet, as PDF, PNG or Word document',
		],
		xlsx: ['Excel', 'The record as a workbook'],
		mailMerge: ['Mail Merge', 'A document from a mail merge template of the sheet'],
		pdf: ['PDF', 'The record as a PDF file'],
		xhtml: ['Printable Page', 'The record as HTML for printing'],
	},
	default: 'pdf',
	description: 'What kind of document to make of the record',
});

/** Not marked as required: n8n would then want one for formats of expressions, too. */
const templateId = textParameter({
	displayName: 'Template ID',
	name: 'templateId',
	displayOptions: { show: { format: ['customPrint', 'mailMerge'] } },
	placeholder: 'e.g. 3',
	description:
		'The number of the template. Download such a document by hand once: the number is in the address, behind cid or …TemplateId.',
});

const fileFormat = choiceParameter({
	displayName: 'File Format',
	name: 'fileFormat',
	displayOptions: { show: { format: ['customPrint'] } },
	choices: { pdf: 'PDF', png: 'PNG', docx: 'Word' },
	default: 'pdf',
	description: 'The kind of file that is made from the report',
});

const fileNameField = textParameter(
	pickList(
		'fileNameFieldId',
		'File Name Field Name or ID',
		'getOptionalFields',
		'The field whose value names the file: always for a custom print report, else where the service gives the file no name of its own. Without a field that is the ID of the record.',
	),
);

interface Wanted {
	document: DocumentFormat;
	/** The id of the field whose value names the file. */
	fileNameFieldId?: string;
}

const documentParameter = deferred(
	propertiesOf({ formatChoice, templateId, fileFormat, fileNameField }),
	async (item: ItemContext): Promise<Wanted> => {
		const format = formatChoice.parse(item);
		const isTemplate = format === 'mailMerge' || format === 'customPrint';
		const template = isTemplate ? requiredTemplateId(templateId.parse(item)) : '';
		const key = fileNameField.parse(item);
		const fileNameFieldId = key === '' ? undefined : (await schemaOf(item).field(key)).fieldId;
		if (format === 'mailMerge') {
			return { document: { format, templateId: template }, fileNameFieldId };
		}
		if (format !== 'customPrint') return { document: { format }, fileNameFieldId };
		const report = { format, templateId: template, fileFormat: fileFormat.parse(item) };
		// The service itself names a report.
		return { document: { ...report, fileNameFieldId } };
	},
);

function requiredTemplateId(text: string): string {
	if (isWholeNumber(text)) return text;
	throw new InputError(
		text === '' ? "'Template ID' is empty" : `'${text}' is not a template ID`,
		'It is a whole number: look at the address when you download such a document by hand.',
	);
}

const exportDocument = operation({
	value: 'export',
	name: 'Export',
	action: 'Export a record as a document',
	description: 'Get a record as PDF, Excel, printable page, mail merge or custom print report',
	parameters: {
		record: recordParameter,
		wanted: documentParameter,
		outputField: outputFieldParameter,
	},
	async run(item, { record, wanted: { document, fileNameFieldId }, outputField }) {
		const { client } = item;
		const extension = documentExtension(document);
		const otherwise = fileNameOf(await titleOf(client, record, fileNameFieldId), extension);
		const binary = await downloadFile(
			client,
			documentRequest(client, record, document),
			async (file) => await storeFile(item, file, safeFileName(file.name ?? '', otherwise)),
		);
		// What a mail merge has made, n8n knows by its media type.
		const { fileName: name = otherwise, fileExtension, mimeType } = binary;
		const fileName = extensionOf(name) === '' ? fileNameOf(name, fileExtension) : name;
		return new OutputItems([
			{
				json: { _recordId: numberOrText(record.recordId), fileName, mimeType },
				binary: { [outputField]: { ...binary, fileName } },
			},
		]);
	},
});

/** Returns the chosen field's value; the record's id where no field is chosen, or it is empty. */
async function titleOf(client: Client, record: RecordAddress, fieldId?: string): Promise<string> {
	if (fieldId === undefined) return record.recordId;
	const found = await getRecord(client, record, { ...plainReadOptions('EID'), fields: [fieldId] });
	const values = [found?.content.get(fieldId)].flat().map(textOf);
	return values.filter(Boolean).join(', ') || record.recordId;
}

function fileNameOf(name: string, extension?: string): string {
	return safeFileName(extension ? `${name}.${extension}` : name, 'document');
}

export const document: Resource = {
	value: 'document',
	name: 'Document',
	description: 'A record as a document for people',
	defaultOperation: exportDocument,
	operations: [exportDocument],
};
