import type { INodeProperties } from 'n8n-workflow';
import type { DocumentFormat } from '../../../service/documents';
import { InputError } from '../../../wire/inputError';
import { isWholeNumber } from '../../../wire/sheetAddress';
import type { ItemParameters } from '../../itemParameters';
import { pickList } from '../../parameters/pickList';

/** The template is not marked as required: n8n would then want one for formats of expressions, too. */
export const documentParameters: INodeProperties[] = [
	{
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
	},
	{
		displayName: 'Template ID',
		name: 'templateId',
		type: 'string',
		displayOptions: { show: { format: ['customPrint', 'mailMerge'] } },
		placeholder: 'e.g. 3',
		default: '',
		description:
			'The number of the template. Download such a document by hand once: the number is in the address, behind cid or …TemplateId.',
	},
	{
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
	},
	pickList(
		'fileNameFieldId',
		'File Name Field Name or ID',
		'getOptionalFields',
		'The field whose value names the file: always for a custom print report, else where the service gives the file no name of its own. Without a field that is the title of the record.',
	),
];

/**
 * The document that the item wants.
 *
 * @throws InputError for an unknown format, and when a template is needed and its id
 *   is no whole number
 */
export function readDocument(item: ItemParameters): DocumentFormat {
	const format = item.choice('format', 'Format', [
		'pdf',
		'xlsx',
		'xhtml',
		'mailMerge',
		'customPrint',
	]);
	if (format === 'mailMerge') return { format, templateId: readTemplateId(item) };
	if (format !== 'customPrint') return { format };
	const fileFormat = item.choice('fileFormat', 'File Format', ['pdf', 'png', 'docx']);
	return { format, templateId: readTemplateId(item), fileFormat };
}

function readTemplateId(item: ItemParameters): string {
	const templateId = item.text('templateId');
	if (isWholeNumber(templateId)) return templateId;
	throw new InputError(
		templateId === '' ? "'Template ID' is empty" : `'${templateId}' is not a template ID`,
		'It is a whole number: look at the address when you download such a document by hand.',
	);
}
