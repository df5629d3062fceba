import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';
import { findFilePlace } from '../../api/files/filePlaces';
import type { ServiceError } from '../../api/http/serviceError';
import { numberOrText } from '../../api/read/record';
import { arrayIn } from '../../api/read/selectionText';
import { fieldKey } from '../../api/sheet/fields';
import { SheetFields } from '../../api/sheet/sheetFields';
import { fileValuesOf } from '../../api/values/fileNames';
import { InputError, inParameter, parsedIn } from '../../api/values/inputError';
import { requireTextual } from '../../api/values/singleValue';
import { asSentence, isBlank } from '../../api/values/text';
import { planUpdate } from '../../api/write/plan';
import { contentWithoutKinds, noChanges } from '../../api/write/recordContent';
import { StoredRecord } from '../../api/write/storedRecord';
import {
	choiceParameter,
	deferred,
	mapped,
	nameListParameter,
	propertiesOf,
	requiredTextParameter,
	shownFor,
	textParameter,
} from '../../shared/parameters/parameter';
import { pickList } from '../../shared/editor/pickList';
import { isOfOneFile, storedFile } from '../../shared/output/recordFiles';
import { requireText } from '../../shared/parameters/settings';
import { fieldsOfSheet } from '../../shared/parameters/sheet';
import { fileValuesAt } from '../files/fieldFiles';
import { fileParts } from '../files/filePart';
import type { ItemContext } from '../run/itemContext';
import { operation, type Resource } from '../run/operation';
import { OutputItems } from '../run/operationResult';
import { recordParameter } from '../parameters/record';
import { fileModes, uploadOptions } from '../parameters/writeOptions';
import { savedRecordJson } from '../run/savedRecord';
import { carryOut } from './record/carryOut';

/** File field of a record or of a row, by name or ID. */
const fieldProperty = pickList(
	'fieldId',
	'Field Name or ID',
	'getFields',
	'File or image field. For a field of a subtable row, enter field_rowID, e.g. Photo_17.',
);
const fieldParameter = requiredTextParameter(fieldProperty, fieldKey);

/** Returns the place of the chosen field. Throws as `findFilePlace`. */
async function chosenPlace(sheetFields: SheetFields, field: string) {
	return await inParameter(fieldProperty.displayName, async () => {
		return await findFilePlace(sheetFields, field);
	});
}

/** Name of an output field for a file; `data` if it is empty. Parsing throws InputError for `__proto__`. */
export const outputFieldParameter = mapped(
	textParameter({
		displayName: 'Output Data Field Name',
		name: 'outputDataFieldName',
		required: true,
		placeholder: 'e.g. data',
		default: 'data',
		description: 'Name of the output field to put the file in',
	}),
	(name) => {
		if (name !== '__proto__') return name || 'data';
		throw new InputError("'Output Data Field Name' cannot be '__proto__'", 'Choose another name.');
	},
);

const downloadBy = choiceParameter({
	displayName: 'Choose Files By',
	name: 'downloadBy',
	choices: {
		field: ['Record and Field', 'The files that are in the field now'],
		value: ['Stored Value', 'A file value from a previous node'],
	},
	default: 'value',
	description: 'How to select the files',
});

const fileValue: INodeProperties = {
	displayName: 'File Value',
	name: 'fileValue',
	type: 'string',
	required: true,
	displayOptions: { show: { downloadBy: ['value'] } },
	placeholder: 'e.g. {{ $json.Contract }}',
	default: '',
	description: 'Whole value of a file field, e.g. kq2Ab@contract.pdf, or an array of such values',
};

/**
 * Values of the selected files: entered by the user, or those of a field of a record or row. The type of the field is not
 * checked, only the form `prefix@name` of its values.
 */
const fileValuesParameter = deferred(
	[
		...downloadBy.properties,
		fileValue,
		...shownFor({ downloadBy: ['field'] }, propertiesOf({ recordParameter, fieldParameter })),
	],
	async (item: ItemContext): Promise<string[]> => {
		if (downloadBy.parse(item) === 'value') return enteredValues(item.value(fileValue.name));
		const record = recordParameter.parse(item);
		const place = await chosenPlace(fieldsOfSheet(item), fieldParameter.parse(item));
		return await fileValuesAt(item.client, record, place);
	},
);

/** Returns the entered file values. Throws InputError if there is no value, and for a value that is no text. */
function enteredValues(value: unknown): string[] {
	const listed = typeof value === 'string' ? arrayIn(value) : undefined;
	const values = [listed ?? value].flat().filter((element) => !isBlank(element));
	if (values.length === 0) requireText('', fileValue.displayName);
	for (const element of values) requireTextual(element, fileValue.displayName);
	return parsedIn(fileValue.displayName, () => fileValuesOf(values));
}

/**
 * Returns one output item with all files in `binary` and their names in `fileNames`. A `_warning` names the files that cannot be
 * downloaded. Fails only if none of several files can be downloaded, or if the connection fails.
 */
const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a file',
	description:
		'Download the files of a file or image field. To get records with their files, use Record: Get Many.',
	parameters: { fileValues: fileValuesParameter, outputField: outputFieldParameter },
	async run(item, { fileValues, outputField }) {
		const files: IBinaryKeyData = {};
		const fileNames: string[] = [];
		const failures: ServiceError[] = [];
		for (const [index, value] of fileValues.entries()) {
			const file = await storedFile(item, value).catch((error: unknown) => {
				if (!isOfOneFile(error)) throw error;
				failures.push(error);
				return undefined;
			});
			if (!file) continue;
			// The second file is stored in data_2, and so on.
			files[index === 0 ? outputField : `${outputField}_${index + 1}`] = file;
			fileNames.push(file.fileName ?? '');
		}
		const [failure] = failures;
		if (failure && fileNames.length === 0) throw failure;
		const _warning = failures.map(({ message }) => asSentence(message)).join(' ');
		const json = _warning === '' ? { fileNames } : { fileNames, _warning };
		return new OutputItems([{ json, binary: files }]);
	},
});

/** Returns the saved record with the file names in `_fileNames`. If all files were skipped, `_action` is `skipped`. */
const upload = operation({
	value: 'upload',
	name: 'Upload',
	action: 'Upload a file',
	description:
		'Upload files to a file or image field of a record or of one of its rows, and return the record as saved. For texts, use Record: Update.',
	writesEachItem: true,
	parameters: {
		record: recordParameter,
		field: fieldParameter,
		inputFields: nameListParameter({
			displayName: 'Input Data Field Name',
			name: 'inputDataFieldName',
			required: true,
			default: 'data',
			description:
				'Name of the input field that contains the file. To upload several files, enter comma-separated names, or an expression for a list of names.',
		}),
		mode: choiceParameter({
			displayName: 'Upload Mode',
			name: 'uploadMode',
			...fileModes,
		}),
		writing: uploadOptions,
	},
	async run(item, { record, field, inputFields, mode, writing }) {
		const place = await chosenPlace(new SheetFields(item.client, record.sheet), field);
		const parts = await fileParts(item, inputFields, writing.missingFile);
		const _recordId = numberOrText(record.recordId);
		// If all files are missing and skipped, do not write. The record was not read, so the output has its ID, but no fields.
		if (parts.length === 0) return { _recordId, _fileNames: [], _action: 'skipped' };
		const files = parts.map((file) => ({ ...place, file }));
		const rules = { replacesFiles: mode === 'replace', skipsUnchanged: false };
		const plan = planUpdate(contentWithoutKinds(noChanges(), files), rules);
		const stored = new StoredRecord(item.client, record);
		const saved = await carryOut({ item, stored, plan, options: writing });
		const keys = { item, sheet: record.sheet, ...writing };
		return { ...(await savedRecordJson(keys, saved)), _fileNames: parts.map(({ name }) => name) };
	},
});

export const file: Resource = {
	value: 'file',
	name: 'File',
	description: 'File in a file or image field',
	defaultOperation: download,
	operations: [download, upload],
};
