import type { IBinaryData } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import { documentExtension, documentRequest, type DocumentFormat } from '../../api/documents';
import { downloadFile } from '../../api/files/download';
import { plainReadOptions } from '../../api/read/readOptions';
import { getRecord } from '../../api/read/records';
import { choiceParameter, textParameter } from '../../ui/parameter';
import type { Parameter, ParameterSource } from '../../ui/parameter';
import { pickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import { safeFileName } from '../../api/values/fileName';
import { numberOrText } from '../../api/read/record';
import type { JsonValue } from '../../api/json/orderedJson';
import { InputError } from '../../api/values/inputError';
import { isWholeNumber, type RecordAddress } from '../../api/values/sheetAddress';
import { textOf } from '../../api/values/text';
import { OutputItems } from '../operationResult';
import type { ItemContext } from '../itemContext';
import { operation, type Resource } from '../operation';
import { outputFieldParameter, storeFile } from '../parameters/outputField';
import { recordParameter } from '../parameters/record';

const formatChoice = choiceParameter({
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: [
		{
			name: 'Custom Print Report',
			value: 'customPrint',
			description: 'A report from a template of the sheet, as PDF, PNG or Word document',
		},
		{ name: 'Excel', value: 'xlsx', description: 'The record as a workbook' },
		{
			name: 'Mail Merge',
			value: 'mailMerge',
			description: 'A document from a mail merge template of the sheet',
		},
		{ name: 'PDF', value: 'pdf', description: 'The record as a PDF file' },
		{ name: 'Printable Page', value: 'xhtml', description: 'The record as HTML for printing' },
	],
	default: 'pdf',
	description: 'What kind of document to make of the record',
});

/** Not marked as required: n8n would then want one for formats of expressions, too. */
const templateId = textParameter({
	displayName: 'Template ID',
	name: 'templateId',
	type: 'string',
	displayOptions: { show: { format: ['customPrint', 'mailMerge'] } },
	placeholder: 'e.g. 3',
	default: '',
	description:
		'The number of the template. Download such a document by hand once: the number is in the address, behind cid or …TemplateId.',
});

const fileFormat = choiceParameter({
	displayName: 'File Format',
	name: 'fileFormat',
	type: 'options',
	displayOptions: { show: { format: ['customPrint'] } },
	options: [
		{ name: 'PDF', value: 'pdf' },
		{ name: 'PNG', value: 'png' },
		{ name: 'Word', value: 'docx' },
	],
	default: 'pdf',
	description: 'The kind of file that is made from the report',
});

/** The document that the item wants; a template's id is a whole number. */
const documentParameter: Parameter<DocumentFormat> = {
	properties: [...formatChoice.properties, ...templateId.properties, ...fileFormat.properties],
	parse(item) {
		const chosen = formatChoice.parse(item);
		if (chosen === 'mailMerge') return { format: chosen, templateId: readTemplateId(item) };
		if (chosen !== 'customPrint') return { format: chosen };
		return {
			format: chosen,
			templateId: readTemplateId(item),
			fileFormat: fileFormat.parse(item),
		};
	},
};

function readTemplateId(item: ParameterSource): string {
	const text = templateId.parse(item);
	if (isWholeNumber(text)) return text;
	throw new InputError(
		text === '' ? "'Template ID' is empty" : `'${text}' is not a template ID`,
		'It is a whole number: look at the address when you download such a document by hand.',
	);
}

const fileNameField = textParameter(
	pickList(
		'fileNameFieldId',
		'File Name Field Name or ID',
		'getOptionalFields',
		'The field whose value names the file: always for a custom print report, else where the service gives the file no name of its own. Without a field that is the ID of the record.',
	),
);

/** The id of the field whose value names the file; undefined when the item chose none. */
const fileNameFieldParameter: Parameter<Promise<string | undefined>, ItemContext> = {
	properties: fileNameField.properties,
	deferred: true,
	async parse(item) {
		const key = fileNameField.parse(item);
		return key === '' ? undefined : (await schemaOf(item).field(key)).fieldId;
	},
};

const exportDocument = operation({
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
	async run(item, { record, chosen, fileNameFieldId, outputField }) {
		const { recordId } = record;
		const document = chosen.format === 'customPrint' ? { ...chosen, fileNameFieldId } : chosen;
		const extension = documentExtension(document);
		const request = documentRequest(item.client, record, document);
		const { binary, isNamed } = await downloadFile(item.client, request, async (file) => ({
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
			: named(await nameFor(item.client, record, fileNameFieldId), extensionFor(extension, binary));
		return new OutputItems([
			{
				json: { _recordId: numberOrText(recordId), fileName, mimeType: binary.mimeType },
				binary: { [outputField]: { ...binary, fileName } },
			},
		]);
	},
});

/** The chosen field's value, and the title where that is empty; else the id, for which nothing has to be read. */
async function nameFor(
	client: Client,
	address: RecordAddress,
	fieldId: string | undefined,
): Promise<string> {
	if (fieldId === undefined) return address.recordId;
	const reading = { ...plainReadOptions('EID'), fields: [fieldId] };
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

export const document: Resource = {
	value: 'document',
	name: 'Document',
	description: 'A record as a document for people',
	defaultOperation: exportDocument,
	operations: [exportDocument],
};
