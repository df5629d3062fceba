import type { INodeParameters } from 'n8n-workflow';

import { fewTexts, nastyTexts } from './corpus';

interface WholeRun {
	operation: string;
	/** The file of tests, without its ending, that gives them. */
	file: string;
}

const run =
	(file: string) =>
	(operation: string): WholeRun => ({ operation, file });
const identifiers = run('identifiers');
const queries = run('queries');
const values = run('values');
const rows = run('formsAndRows');

/**
 * Parameters that are read by the same code, and operations that have a parameter in common, read it in
 * the same way. So one of them is given all nasty texts, and the others a few. By the place of the parameter.
 */
export const wholeRuns: ReadonlyMap<string, WholeRun> = new Map(
	Object.entries({
		sheet: run('sheets')('record.create'),
		recordId: identifiers('record.get'),
		recordIds: identifiers('massOperation.lock'),
		recordIdField: identifiers('massOperation.lock'),
		rowId: identifiers('subtableRow.delete'),
		subtableId: identifiers('subtableRow.getAll'),
		fieldId: identifiers('file.upload'),
		templateId: identifiers('document.export'),
		inputDataFieldName: identifiers('file.upload'),
		'options.onlyFields': identifiers('record.get'),
		'filters.conditions.value': queries('record.getAll'),
		where: queries('record.getAll'),
		'options.fullText': queries('record.getAll'),
		'options.callback': queries('record.getAll'),
		'options.additionalParameters.parameter.name': queries('record.get'),
		fileValue: queries('file.download'),
		recordJson: values('record.update'),
		matchFields: run('upsert')('record.upsert'),
		rowJson: rows('subtableRow.add'),
		comment: rows('comment.add'),
		outputDataFieldName: run('fileNames')('file.download'),
	}),
);

/** Parameters that are read as another one is, which is given all nasty texts. */
export const readAlike: ReadonlyMap<string, string> = new Map(
	Object.entries({
		'options.sheet': 'sheet',
		taskId: 'options.fullText',
		fields: 'recordJson',
		'assignments.assignment.value': 'recordJson',
		fileNameFieldId: 'fieldId',
		'options.ignoreFields': 'options.onlyFields',
		'options.numberFields': 'options.onlyFields',
		'options.listFields': 'options.onlyFields',
		'files.file.fieldId': 'fieldId',
		'files.file.inputDataFieldName': 'inputDataFieldName',
		'filters.conditions.field': 'fieldId',
		'sort.rule.field': 'fieldId',
		'assignments.assignment.field': 'fieldId',
		'replacements.replacement.field': 'fieldId',
		'subtables.rows.subtableId': 'subtableId',
		'subtables.rows.rowJson': 'rowJson',
		'options.sharedViewId': 'options.fullText',
		'options.version': 'options.fullText',
		buttonId: 'options.fullText',
		'options.additionalParameters.parameter.value': 'options.fullText',
		'replacements.replacement.valueReplaced': 'recordJson',
		'replacements.replacement.valueNew': 'recordJson',
	}),
);

const given = new Set<string>();

/** Those of the texts that are to be given to a parameter of an operation. */
export function textsFor(
	place: string,
	operation: string,
	texts: readonly string[] = nastyTexts,
): readonly string[] {
	const isWhole = wholeRuns.get(place)?.operation === operation;
	if (isWhole) given.add(place);
	return isWhole ? texts : texts.filter((text) => fewTexts.includes(text));
}

/** A test, the last of a file, that all whole runs of the file took place. */
export function expectWholeRuns(file: string): void {
	it('all nasty texts were given to each parameter that counts on this file', () => {
		const due = [...wholeRuns].filter(([, wholeRun]) => wholeRun.file === file);
		expect(due.map(([place]) => place).filter((place) => !given.has(place))).toEqual([]);
	});
}

/** The operation that parameters are for, as `resource.operation`. */
export function operationOf({ resource = 'record', operation }: INodeParameters): string {
	return `${String(resource)}.${String(operation)}`;
}

/** The place of the parameter that holds the text of the item. */
export function placeOfText(parameters: object): string | undefined {
	for (const [name, value] of Object.entries(parameters)) {
		if (typeof value === 'string' && value.includes('$json.text')) return name;
		for (const inner of Array.isArray(value) ? value : [value]) {
			if (typeof inner !== 'object' || inner === null) continue;
			const place = placeOfText(inner);
			if (place === undefined) continue;
			// What is inside a resource locator or a mapper is no parameter of its own.
			return '__rl' in inner || 'mappingMode' in inner ? name : `${name}.${place}`;
		}
	}
	return undefined;
}
