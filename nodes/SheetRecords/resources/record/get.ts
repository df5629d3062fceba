import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { membersOf, numberOrText } from '../../../api/read/record';
import { recordLoader } from '../../../api/read/recordLoader';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { itemsWithFiles } from '../../../shared/output/recordFiles';
import { outputShape, type OutputSettings } from '../../../shared/output/recordOutput';
import { outputReadOptions } from '../../../shared/output/returnedFields';
import { outputFormParameter } from '../../../shared/parameters/outputForm';
import { firstReadingOptions, recordOptions } from '../../../shared/parameters/options';
import {
	choiceParameter,
	deferred,
	flagOptions,
	optionsCollection,
	shownFor,
} from '../../../shared/parameters/parameter';
import { sheetParameter, sheetProperty } from '../../../shared/parameters/sheet';
import { emptyOutput, emptyResultChoice } from '../../parameters/list';
import { matchValuesProperties, withMatchValues } from '../../parameters/matchValues';
import { recordParameter } from '../../parameters/record';
import { idOrMatchParameter, type ItemMatch } from '../../parameters/matchFields';
import { multipleMatches } from '../../parameters/writeOptions';
import type { Item, ItemContext } from '../../run/itemContext';
import { batchOperation } from '../../run/operation';
import { OutputItems } from '../../run/operationResult';
import { recordFinder, type RecordFinder } from './getByMatch';

const getBy = choiceParameter({
	displayName: 'Get By',
	name: 'getBy',
	choices: {
		match: ['Match', 'The record whose fields have the values of the item'],
		recordId: 'Record ID',
	},
	default: 'recordId',
	description: 'How to find the record',
});

/** Record to get: its ID, or the item's values for the match fields. */
interface Target {
	sheet: SheetAddress;
	match: ItemMatch | string;
}

const targetParameter = deferred(
	[
		sheetProperty,
		...getBy.properties,
		...shownFor(
			{ getBy: ['recordId'] },
			recordParameter.properties.filter((property) => property !== sheetProperty),
		),
		...shownFor({ getBy: ['match'] }, [...idOrMatchParameter.properties, ...matchValuesProperties]),
	],
	async (item: ItemContext): Promise<Target> => {
		if (getBy.parse(item) === 'recordId') {
			const { sheet, recordId } = recordParameter.parse(item);
			return { sheet, match: recordId };
		}
		const match = await idOrMatchParameter.parse(await withMatchValues(item));
		return { sheet: sheetParameter.parse(item), match };
	},
);

const emptyResult = emptyResultChoice(
	'error',
	'What to return if the record does not exist. An empty item contains _missing, and _recordId or the values to match.',
);

const { keepInput } = flagOptions({
	keepInput: {
		label: 'Keep Input',
		description:
			"Whether to return the input item with the record in its field 'record'. If there is no record, 'record' is null.",
	},
});

const onMultipleMatches = multipleMatches({
	all: 'Return All',
	first: ['Return the First', 'The record with the lowest ID'],
	error: 'Stop With an Error',
});

export const get = batchOperation({
	value: 'get',
	name: 'Get',
	action: 'Get a record',
	description:
		'Get one record by its ID, or look up the record of each item by field values. To find records by conditions, use Get Many.',
	parameters: {
		target: targetParameter,
		form: outputFormParameter,
		options: optionsCollection(
			{ ...recordOptions, emptyResult, keepInput, onMultipleMatches },
			firstReadingOptions,
		),
	},
	async addToBatch(item, { target: { sheet, match }, form, options }) {
		const settings = { ...options, ...form };
		return typeof match === 'string'
			? await byId(item, sheet, match, settings)
			: await recordFinder(item, sheet, match, settings);
	},
	async run(item, { target: { sheet }, form: { simplify }, options }, getBatch) {
		const finder = await getBatch();
		const records = await finder.find();
		const { emptyResult: onEmpty = options.keepInput ? 'emptyItem' : 'error' } = options;
		if (records.length === 0) {
			const { message, check, emptyItem } = await finder.missing();
			const empty = emptyOutput(onEmpty, message, check, emptyItem);
			return options.keepInput ? new OutputItems(empty.map(() => withInput(item, null))) : empty;
		}
		const found = await itemsWithFiles(item, { ...options, simplify, sheet }, records);
		if (!options.keepInput) {
			item.run.journal.noteRecords(item.index, sheet, { ...options, simplify });
			return new OutputItems(found);
		}
		return new OutputItems(found.map((record) => withInput(item, record.json, record.binary)));
	},
});

/** Enqueues a record by its ID, so that the records of all items are loaded together. */
async function byId(
	{ client, run }: Item,
	sheet: SheetAddress,
	recordId: string,
	settings: OutputSettings,
): Promise<RecordFinder> {
	const reading = await outputReadOptions(client, sheet, settings);
	const loader = recordLoader(client, sheet, reading).enqueue(recordId);
	return {
		async find() {
			const shape = await outputShape(client, sheet, settings, run.hints.untyped);
			const content = await loader.loadAndDrop(client, recordId);
			return content ? await shape.withOutputKeys([shape.json(recordId, membersOf(content))]) : [];
		},
		async missing() {
			return {
				message: `There is no record ${recordId} on this sheet`,
				check: 'Check the record ID and the sheet.',
				emptyItem: { _recordId: numberOrText(recordId), _missing: true },
			};
		},
	};
}

/** Files of an item by their keys. */
type Files = NonNullable<INodeExecutionData['binary']>;

/** Returns the input item with a record in its field `record`, and with the files of both. */
function withInput(
	{ context, index }: Item,
	record: IDataObject | null,
	files?: Files,
): INodeExecutionData {
	const { json = {}, binary } = context.getInputData()[index] ?? {};
	const allFiles = binary || files ? { binary: withFreeKeys(binary, files) } : {};
	return { json: { ...json, record }, ...allFiles };
}

/** Returns the files of an item with added ones, such as `Contract_1`. An added file gets the next free number if its key is taken. */
function withFreeKeys(itemFiles: Files = {}, addedFiles: Files = {}): Files {
	const files = { ...itemFiles };
	for (const [key, file] of Object.entries(addedFiles)) {
		const field = key.replace(/_\d+$/, '');
		let freeKey = key;
		for (let number = 2; freeKey in files; number += 1) freeKey = `${field}_${number}`;
		files[freeKey] = file;
	}
	return files;
}
