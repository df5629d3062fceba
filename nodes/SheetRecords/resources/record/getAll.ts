import type { IDataObject } from 'n8n-workflow';
import { jsonpPages, listPages } from '../../../service/pages';
import type { ListRequest } from '../../../service/records';
import type { QueryParameter } from '../../../wire/query';
import { InputError } from '../../../wire/inputError';
import { textOf } from '../../../wire/text';
import type { ItemParameters } from '../../itemParameters';
import type { Operation } from '../../operation';
import { filterParameters, readConditions } from '../../parameters/filters';
import { fieldKeysParameter, simplifyParameter } from '../../../shared/recordOutput';
import { readEmptyResult } from '../../parameters/emptyResult';
import { readOutputShape } from '../../parameters/outputShape';
import { getAllOptions, readReading } from '../../parameters/readOptions';
import { sheetParameter } from '../../../shared/sheet';
import { readOrder, sortParameters } from '../../parameters/sort';
import { limitParameters, readLimit } from '../../parameters/limit';
import { SheetFields } from '../../sheetFields';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many records',
	description: 'Get the records that match filters, in the order asked for',
	parameters: [
		sheetParameter,
		...limitParameters,
		...filterParameters,
		...sortParameters,
		fieldKeysParameter,
		simplifyParameter,
		getAllOptions,
	],
	async run({ item, client }) {
		const sheet = item.sheet(client.connection);
		const sheetFields = new SheetFields(client, sheet);
		const limit = readLimit(item);
		const pageSize = readPageSize(item);
		const callback = readCallback(item);
		const emptyResult = readEmptyResult(item, 'none');
		const flags = filterFlags(item);
		const reading = readReading(item);
		const request: ListRequest = {
			sheet,
			// The option Time Zone is about the answer only: it must not change which records are found.
			where: await readConditions(item, sheetFields, item.clock()),
			parameters: [...flags, ...(await readOrder(item, sheetFields))],
			reading,
		};
		const json: IDataObject[] = [];
		if (callback !== '') {
			for await (const jsonp of jsonpPages(client, request, callback, limit, pageSize))
				json.push({ jsonp });
		} else {
			const shape = await readOutputShape(item, sheetFields);
			for await (const page of listPages(client, request, limit, pageSize)) {
				for (const record of page) json.push(shape.json(record));
			}
			shape.warnOfMissing(item);
		}
		return json.length > 0 ? json : emptyResult('No record was found');
	},
};

/** Full-text search, shared view and default filter (specification, endpoint 1). */
function filterFlags(item: ItemParameters): QueryParameter[] {
	const flags: QueryParameter[] = [];
	const fullText = searchText(item, 'fullText', 'Full-Text Search');
	const sharedViewId = searchText(item, 'sharedViewId', 'Shared View ID').trim();
	if (fullText !== '') flags.push(['fts', fullText]);
	if (sharedViewId !== '') flags.push(['filterId', sharedViewId]);
	if (item.flag('defaultFilter', 'Apply Default Filter')) flags.push(['defaultFilter', 1]);
	return flags;
}

/** What narrows the search: an expression that finds nothing would widen it to all records. */
function searchText(item: ItemParameters, name: string, displayName: string): string {
	const value = item.value(name);
	if (value !== undefined && value !== null) return item.verbatimText(name);
	throw new InputError(
		`'${displayName}' has no value`,
		'Check its expression. To search without it, let it yield an empty text.',
	);
}

function readCallback(item: ItemParameters): string {
	const callback = textOf(item.collection('options').callback);
	if (/^[\w$.]*$/.test(callback)) return callback;
	throw new InputError(
		"'JSONP Callback' must be the name of a function, e.g. showRecords",
		'Use letters, digits, _, $ and dots only.',
	);
}

function readPageSize(item: ItemParameters): number {
	const size = Number(textOf(item.collection('options').pageSize) || 0);
	if (Number.isSafeInteger(size) && size >= 0) return size;
	throw new InputError(
		"'Page Size' must be a whole number, or 0 for automatic",
		'Change the number, or check its expression.',
	);
}
