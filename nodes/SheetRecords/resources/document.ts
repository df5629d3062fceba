import {
	customPrintError,
	documentExtension,
	documentRequest,
	type DocumentFormat,
} from '../../api/documents';
import { templateError } from '../../api/documentErrors';
import { downloadFile } from '../../api/files/download';
import type { Client } from '../../api/http/client';
import { plainReadOptions } from '../../api/read/readOptions';
import { numberOrText } from '../../api/read/record';
import { getRecord } from '../../api/read/records';
import { Schema } from '../../api/schema/schema';
import { extensionOf, safeFileName } from '../../api/values/fileNames';
import { InputError } from '../../api/values/inputError';
import { isWholeNumber, type RecordAddress } from '../../api/values/sheetAddress';
import { textOf } from '../../api/values/text';
import {
	choiceParameter,
	mapped,
	propertiesOf,
	textParameter,
} from '../../shared/parameters/parameter';
import type { Parameter } from '../../shared/parameters/parameter';
import { expressionAdvice } from '../../shared/parameters/settings';
import { pickList } from '../../shared/editor/pickList';
import { storeFile } from '../../shared/output/recordFiles';
import { operation, type Resource } from '../run/operation';
import { OutputItems } from '../run/operationResult';
import { recordParameter } from '../parameters/record';
import { outputFieldParameter } from './file';

const formatChoice = choiceParameter({
	displayName: 'Format',
	name: 'format',
	choices: {
		customPrint: [
			'Custom Print Report',
			'A report made from a template of the sheet, as PDF, PNG or Word document',
		],
		xlsx: ['Excel', 'The record as an Excel workbook'],
		mailMerge: ['Mail Merge', 'A document made from a mail merge template of the sheet'],
		pdf: ['PDF', 'The record as a PDF file'],
		xhtml: ['Printable Page', 'The record as an HTML page for printing'],
	},
	default: 'pdf',
	description: 'Kind of document to export',
});

const templateId = mapped(
	// Not marked as required: if the format is an expression, n8n would require a value for every format.
	textParameter({
		displayName: 'Template ID',
		name: 'templateId',
		displayOptions: { show: { format: ['customPrint', 'mailMerge'] } },
		placeholder: 'e.g. 3',
		description:
			'Number of the template. To find it, download such a document manually once: the number follows cid or …TemplateId in the address.',
	}),
	(text) => {
		if (isWholeNumber(text)) return text;
		throw new InputError(
			text === '' ? "'Template ID' is empty" : `'${text}' is not a template ID`,
			`${text === '' ? `${expressionAdvice} ` : ''}A template ID is a whole number. To find it, download such a document manually and look at the address.`,
		);
	},
);

const fileFormat = choiceParameter({
	displayName: 'File Format',
	name: 'fileFormat',
	displayOptions: { show: { format: ['customPrint'] } },
	choices: { pdf: 'PDF', png: 'PNG', docx: 'Word' },
	default: 'pdf',
	description: 'File format of the report',
});

const fileNameField = textParameter(
	pickList(
		'fileNameFieldId',
		'Name File By Field Name or ID',
		'getOptionalFields',
		'Field to use as file name. Used when the service provides no file name, and always for custom print reports. Defaults to the record ID.',
	),
);

const documentParameter: Parameter<DocumentFormat> = {
	properties: propertiesOf({ formatChoice, templateId, fileFormat }),
	parse(item) {
		const format = formatChoice.parse(item);
		if (format === 'mailMerge') return { format, templateId: templateId.parse(item) };
		if (format !== 'customPrint') return { format };
		return { format, templateId: templateId.parse(item), fileFormat: fileFormat.parse(item) };
	},
};

const exportDocument = operation({
	value: 'export',
	name: 'Export',
	action: 'Export a record as a document',
	description: 'Export a record as PDF, Excel, printable page, mail merge or custom print report',
	parameters: {
		record: recordParameter,
		documentFormat: documentParameter,
		nameField: fileNameField,
		outputField: outputFieldParameter,
	},
	async run(item, { record, documentFormat, nameField, outputField }) {
		const { client } = item;
		const schema = new Schema(client, record.sheet);
		const fieldId = nameField === '' ? undefined : (await schema.field(nameField)).fieldId;
		// The service itself names a report by the field.
		const isReport = documentFormat.format === 'customPrint';
		const document = isReport ? { ...documentFormat, fileNameFieldId: fieldId } : documentFormat;
		const title = isReport ? record.recordId : await fetchTitle(client, record, fieldId);
		const defaultName = fileNameOf(title, documentExtension(document));
		const binary = await downloadFile(
			client,
			documentRequest(client, record, document),
			async (file) => await storeFile(item, file, safeFileName(file.name ?? '', defaultName)),
		).catch((error: unknown) => {
			const { templateId: template } = { templateId: undefined, ...documentFormat };
			throw templateError(isReport ? customPrintError(client, error) : error, template);
		});
		// The extension of a mail merge document follows from its media type, which n8n evaluates.
		const { fileName: name = defaultName, fileExtension, mimeType } = binary;
		const fileName = extensionOf(name) === '' ? fileNameOf(name, fileExtension) : name;
		const json = { _recordId: numberOrText(record.recordId), fileName, mimeType };
		return new OutputItems([{ json, binary: { [outputField]: { ...binary, fileName } } }]);
	},
});

/** Fetches the value of a field. Returns the record ID if no field is selected, the field is empty or the record is missing. */
async function fetchTitle(
	client: Client,
	record: RecordAddress,
	fieldId?: string,
): Promise<string> {
	if (fieldId === undefined) return record.recordId;
	const found = await getRecord(client, record, { ...plainReadOptions('EID'), fields: [fieldId] });
	const values = [found?.content.get(fieldId)].flat().map(textOf);
	return values.filter(Boolean).join(', ') || record.recordId;
}

/** Returns a safe file name. Appends the extension, even if the name ends with it. */
function fileNameOf(name: string, extension?: string): string {
	return safeFileName(extension ? `${name}.${extension}` : name, 'document');
}

export const document: Resource = {
	value: 'document',
	name: 'Document',
	description: 'Record as a document to print or send',
	defaultOperation: exportDocument,
	operations: [exportDocument],
};
