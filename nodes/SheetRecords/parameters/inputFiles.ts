import { textParameter } from '../../shared/parameter';
import type { FilePart } from '../../wire/formBody';
import { filePart, fileParts } from '../filePart';
import type { LookedUp } from '../operation';
import { missingFile } from './writeOptions';

const optionalField = textParameter({
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	placeholder: 'e.g. data',
	default: '',
	description:
		'The name of the input field that holds the file to attach. Leave it empty to attach none.',
});

/** The file of the item to attach; undefined for none. */
export const attachmentParameter: LookedUp<FilePart | undefined> = {
	shown: optionalField.shown,
	async lookUp(call) {
		const name = optionalField.read(call);
		return name === '' ? undefined : await filePart(call.item, name);
	},
};

const fields = textParameter({
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	description:
		'The name of the input field that holds the file. Several names with commas between upload several files.',
});

/** The files of the item to upload; none only where a missing one is to be skipped. */
export const inputFilesParameter: LookedUp<FilePart[]> = {
	shown: fields.shown,
	lookUp: async (call) => await fileParts(call.item, fields.read(call), missingFile.read(call)),
};
