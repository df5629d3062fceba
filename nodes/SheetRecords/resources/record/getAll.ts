import type { IDataObject } from 'n8n-workflow';
import { jsonpPages, listPages } from '../../../service/pages';
import type { ListRequest } from '../../../service/records';
import type { QueryParameter } from '../../../wire/query';
import { inputError } from '../../../wire/serviceError';
import { textOf } from '../../../wire/text';
import type { ItemParameters } from '../../itemParameters';
import type { Operation } from '../../operation';
import { filterParameters, readConditions } from '../../parameters/filters';
import { fieldKeysParameter, simplifyParameter } from '../../../editor/recordOutput';
import { emptyResult } from '../../parameters/emptyResult';
import { getAllOptions, readOutputShape, readParameters } from '../../parameters/readOptions';
import { sheetParameter } from '../../../editor/sheet';
import { readOrder, sortParameters } from '../../parameters/sort';
import { limitParameters, readLimit } from '../../parameters/limit';
import { offsetHours } from '../../parameters/timeZone';
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
		const clock = item.clock(offsetHours(item.collection('options')));
		const request: ListRequest = {
			sheet,
			where: await readConditions(item, sheetFields, clock),
			parameters: [
				...filterFlags(item),
				...(await readOrder(item, sheetFields)),
				...readParameters(item),
			],
		};
		const limit = readLimit(item);
		const pageSize = readPageSize(item);
		const callback = readCallback(item);
		const json: IDataObject[] = [];
		if (callback !== '') {
			for await (const jsonp of jsonpPages(client, request, callback, limit, pageSize))
				json.push({ jsonp });
		} else {
			const toJson = await readOutputShape(item, sheetFields);
			for await (const page of listPages(client, request, limit, pageSize)) {
				for (const record of page) json.push(toJson(record));
			}
		}
		return json.length > 0 ? json : emptyResult(item, 'No record was found');
	},
};

/** Full-text search, shared view and default filter (specification, endpoint 1). */
function filterFlags(item: ItemParameters): QueryParameter[] {
	const flags: QueryParameter[] = [];
	const fullText = item.verbatimText('fullText');
	const sharedViewId = item.text('sharedViewId');
	if (fullText !== '') flags.push(['fts', fullText]);
	if (sharedViewId !== '') flags.push(['filterId', sharedViewId]);
	if (item.flag('defaultFilter')) flags.push(['defaultFilter', 1]);
	return flags;
}

function readCallback(item: ItemParameters): string {
	const callback = textOf(item.collection('options').callback);
	if (/^[\w$.]*$/.test(callback)) return callback;
	throw inputError("'JSONP Callback' must be the name of a function, e.g. showRecords");
}

function readPageSize(item: ItemParameters): number {
	const size = Number(textOf(item.collection('options').pageSize) || 0);
	if (Number.isSafeInteger(size) && size >= 0) return size;
	throw inputError("'Page Size' must be a whole number, or 0 for automatic");
}
