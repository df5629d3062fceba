import type { DocumentFormat } from '../../../service/documents';
import { choiceParameter, textParameter } from '../../../shared/parameter';
import type { Given, Parameter } from '../../../shared/parameter';
import { InputError } from '../../../wire/inputError';
import { isWholeNumber } from '../../../wire/sheetAddress';
import type { LookedUp } from '../../operation';
import { pickList } from '../../../shared/pickList';
import { sheetFieldsOf } from '../../../shared/sheetFields';

const format = choiceParameter({
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
export const documentParameter: Parameter<DocumentFormat> = {
	shown: [...format.shown, ...templateId.shown, ...fileFormat.shown],
	read(call) {
		const chosen = format.read(call);
		if (chosen === 'mailMerge') return { format: chosen, templateId: readTemplateId(call) };
		if (chosen !== 'customPrint') return { format: chosen };
		return {
			format: chosen,
			templateId: readTemplateId(call),
			fileFormat: fileFormat.read(call),
		};
	},
};

function readTemplateId(call: Given): string {
	const text = templateId.read(call);
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
export const fileNameFieldParameter: LookedUp<string | undefined> = {
	shown: fileNameField.shown,
	async lookUp(call) {
		const key = fileNameField.read(call);
		return key === '' ? undefined : (await sheetFieldsOf(call).find(key)).fieldId;
	},
};
