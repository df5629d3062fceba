import {
	customPrintError,
	documentRequest,
	listDocumentRequest,
	type DocumentFormat,
	type ListDocumentFormat,
} from '../../api/documents';
import { templateError } from '../../api/http/missingItems';
import { downloadFile, type FileRequest } from '../../api/files/download';
import type { Client } from '../../api/http/client';
import { plainReadOptions } from '../../api/read/readOptions';
import { numberOrText } from '../../api/read/record';
import { getRecord } from '../../api/read/records';
import { SheetFields } from '../../api/sheet/sheetFields';
import { extensionOf, safeFileName } from '../../api/values/fileNames';
import { InputError, inParameter } from '../../api/values/inputError';
import {
	isWholeNumber,
	type RecordAddress,
	type SheetAddress,
} from '../../api/values/sheetAddress';
import { textOf } from '../../api/values/text';
import {
	choiceParameter,
	mapped,
	positiveIntegerParameter,
	propertiesOf,
	textParameter,
} from '../../shared/parameters/parameter';
import type { Parameter } from '../../shared/parameters/parameter';
import { expressionAdvice } from '../../shared/parameters/settings';
import { pickList } from '../../shared/editor/pickList';
import { storeFile } from '../../shared/output/recordFiles';
import { sheetParameter } from '../../shared/parameters/sheet';
import type { Item, ItemContext } from '../run/itemContext';
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

const fileNameProperty = pickList(
	'fileNameFieldId',
	'Name File By Field Name or ID',
	'getOptionalFields',
	'Field to use as file name. Used when the service provides no file name, and always for custom print reports. Defaults to the record ID.',
);
const fileNameField = textParameter(fileNameProperty);

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
	description:
		'Export a record as PDF, Excel, printable page, mail merge or custom print report. For its values, use Record: Get.',
	parameters: {
		record: recordParameter,
		documentFormat: documentParameter,
		nameField: fileNameField,
		outputField: outputFieldParameter,
	},
	async run(item, { record, documentFormat, nameField, outputField }) {
		const { client } = item;
		const sheetFields = new SheetFields(client, record.sheet);
		const named = async () => await sheetFields.field(nameField);
		const fieldId =
			nameField === ''
				? undefined
				: (await inParameter(fileNameProperty.displayName, named)).fieldId;
		// The service itself names a report by the field. Without a name, the record is read after it.
		const isReport = documentFormat.format === 'customPrint';
		const document = isReport ? { ...documentFormat, fileNameFieldId: fieldId } : documentFormat;
		const title = isReport ? record.recordId : await fetchTitle(client, record, fieldId);
		const request = documentRequest(client, record, document);
		const { templateId: template } = { templateId: undefined, ...documentFormat };
		const { isNamed, ...exported } = await fetchDocument(item, request, title).catch(
			(error: unknown) => {
				throw templateError(isReport ? customPrintError(client, error) : error, template);
			},
		);
		const { mimeType } = exported.binary;
		const fileName =
			isReport && !isNamed
				? fileNameOf(await fetchTitle(client, record, fieldId), request.expected.extension)
				: exported.fileName;
		const json = { _recordId: numberOrText(record.recordId), fileName, mimeType };
		const binary = { [outputField]: { ...exported.binary, fileName } };
		return new OutputItems([{ json, binary }]);
	},
});

const listFormatChoice = choiceParameter({
	displayName: 'Format',
	name: 'format',
	choices: {
		xlsx: ['Excel', 'The whole list as an Excel workbook'],
		mailMerge: [
			'Mail Merge',
			'One document with several records, made from a mail merge template of the sheet',
		],
	},
	default: 'xlsx',
	description: 'Kind of document to export',
});

const ofMailMerge = { show: { format: ['mailMerge'] } };

const firstRecord = positiveIntegerParameter({
	displayName: 'First Record',
	name: 'firstRecord',
	displayOptions: ofMailMerge,
	typeOptions: { minValue: 1 },
	default: 1,
	description: 'Position of the first record in the list. The first record has the position 1.',
});

const lastRecord = positiveIntegerParameter({
	displayName: 'Last Record',
	name: 'lastRecord',
	displayOptions: ofMailMerge,
	typeOptions: { minValue: 1 },
	default: 10,
	description: 'Position of the last record in the list',
});

const listTemplateId: typeof templateId = {
	...templateId,
	properties: templateId.properties.map((property) => ({
		...property,
		displayOptions: ofMailMerge,
	})),
};

const listDocumentParameter: Parameter<ListDocumentFormat, ItemContext> = {
	properties: propertiesOf({ listFormatChoice, listTemplateId, firstRecord, lastRecord }),
	parse(item) {
		const format = listFormatChoice.parse(item);
		if (format === 'xlsx') return { format };
		const first = firstRecord.parse(item);
		const last = lastRecord.parse(item);
		if (last < first) {
			throw new InputError(
				`'Last Record' (${last}) is before 'First Record' (${first})`,
				'Both are positions in the list, beginning with 1. Enter the same number twice for one record.',
			);
		}
		const id = listTemplateId.parse(item);
		return { format, templateId: id, firstRecord: first, lastRecord: last };
	},
};

const exportList = operation({
	value: 'exportList',
	name: 'Export List',
	action: 'Export a list as a document',
	description:
		'Export the list of a sheet as an Excel workbook, or several records as a mail merge. For one record, use Export.',
	parameters: {
		sheet: sheetParameter,
		documentFormat: listDocumentParameter,
		outputField: outputFieldParameter,
	},
	async run(item, { sheet, documentFormat, outputField }) {
		const request = listDocumentRequest(item.client, sheet, documentFormat);
		const { templateId: template } = { templateId: undefined, ...documentFormat };
		const { fileName, binary } = await fetchDocument(item, request, titleOfList(sheet)).catch(
			(error: unknown) => {
				throw templateError(error, template);
			},
		);
		const json = { fileName, mimeType: binary.mimeType };
		return new OutputItems([{ json, binary: { [outputField]: binary } }]);
	},
});

/** Returns the file name of a list without extension: the last folder and the number of the sheet, such as `orders 1`. */
function titleOfList({ folders, sheetIndex }: SheetAddress): string {
	return [...folders.slice(-1), sheetIndex].join(' ');
}

/** Downloads and stores a document. Its name is that of the service (`isNamed`) or, without one, the title. Throws ServiceError. */
async function fetchDocument(item: Item, request: FileRequest, title: string) {
	const { extension } = request.expected;
	const defaultName = fileNameOf(title, extension);
	let isNamed = false;
	const stored = await downloadFile(item.client, request, async (file) => {
		isNamed = Boolean(file.name);
		// n8n would take what follows a dot in a title for the extension.
		const otherwise = extension === '' ? 'document' : defaultName;
		return await storeFile(item, file, safeFileName(file.name ?? '', otherwise));
	});
	// The extension of a mail merge document follows from its media type, which n8n evaluates.
	const { fileName: name = defaultName, fileExtension } = stored;
	const fileName =
		extensionOf(name) === '' ? fileNameOf(isNamed ? name : title, fileExtension) : name;
	return { fileName, isNamed, binary: { ...stored, fileName } };
}

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
	description: 'Record or list as a document to print or send',
	defaultOperation: exportDocument,
	operations: [exportDocument, exportList],
};
