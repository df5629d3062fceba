import type { INodeProperties } from 'n8n-workflow';
import type { DocumentFormat } from '../../../service/documents';
import { inputError } from '../../../wire/serviceError';
import { isWholeNumber } from '../../../wire/sheetAddress';
import type { ItemParameters } from '../../itemParameters';

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
			{ name: 'Excel', value: 'xlsx' },
			{
				name: 'Mail Merge',
				value: 'mailMerge',
				description: 'A document from a mail merge template of the sheet',
			},
			{ name: 'PDF', value: 'pdf' },
			{ name: 'Printable Page', value: 'xhtml', description: 'The record as HTML for printing' },
		],
		default: 'pdf',
	},
	{
		displayName: 'Template ID',
		name: 'templateId',
		type: 'string',
		required: true,
		displayOptions: { show: { format: ['customPrint', 'mailMerge'] } },
		placeholder: 'e.g. 3',
		default: '',
		description:
			'The number of the template: it is in the address when you download such a document by hand',
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
	},
	{
		displayName: 'File Name Field Name or ID',
		name: 'fileNameFieldId',
		type: 'options',
		typeOptions: {
			loadOptionsMethod: 'getFields',
			loadOptionsDependsOn: ['sheet.value', 'authentication'],
		},
		default: '',
		description:
			'The field whose value becomes the name of the file, where the service does not name it. Without one it is the title of the record. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
];

/**
 * The document that the item wants.
 *
 * @throws ServiceError of kind `input` when a template is needed and its id is no whole number
 */
export function readDocument(item: ItemParameters, fileNameFieldId?: string): DocumentFormat {
	const format = item.text('format');
	if (format === 'mailMerge') return { format, templateId: readTemplateId(item) };
	if (format === 'customPrint') {
		const chosen = item.text('fileFormat');
		const fileFormat = chosen === 'png' || chosen === 'docx' ? chosen : 'pdf';
		return { format, templateId: readTemplateId(item), fileFormat, fileNameFieldId };
	}
	if (format === 'xhtml' || format === 'xlsx' || format === 'pdf') return { format };
	throw inputError(`'${format}' is not a format`, 'Choose one from the list.');
}

function readTemplateId(item: ItemParameters): string {
	const templateId = item.text('templateId');
	if (isWholeNumber(templateId)) return templateId;
	throw inputError(
		templateId === '' ? "'Template ID' is empty" : `'${templateId}' is not a template ID`,
		'It is a whole number: look at the address when you download such a document by hand.',
	);
}
