import { beginningOf, readAnswer, wordsOf, type RawAnswer } from '../http/answer';
import type { JsonMembers } from '../json/jsonReader';
import { isJsonObject, parseOrderedJson } from '../json/orderedJson';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import type { QueryParameter } from '../values/query';
import { mayStandAlone, recordIdText, recordsOf, type SheetRecord } from './record';
import { ServiceError, fallbackTo } from '../http/serviceError';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { withoutTrailing } from '../json/objects';
import { whereParameter, type WhereCondition } from './query';
import { recordRequest, sheetRequest, type Client } from '../http/client';
import { readOptionParameters, readOptionsBy, type ReadOptions } from './readOptions';

/** Which records to list, and in what form (specification, endpoint 1). */
export interface ListRequest {
	sheet: SheetAddress;
	where: readonly WhereCondition[];
	reading: ReadOptions;
	order?: readonly OrderRule[];
	search?: ListSearch;
}

/** A field by which a list is ordered; without any the service chooses the order. */
export interface OrderRule {
	fieldId: string;
	direction: 'ASC' | 'DESC';
}

/** By the Create Date: `reverse` turns an order around that differs from service to service. */
export const newestFirst: OrderRule = { fieldId: '105', direction: 'DESC' };

/** What narrows a list beside conditions. */
export interface ListSearch {
	fullText?: string;
	sharedViewId?: string;
	defaultFilter?: boolean;
}

/** Which part of a list is asked for. */
export interface PageRange {
	offset: number;
	limit: number;
	/** Whether less can be asked for if this is too much at once. */
	isDivisible?: boolean;
}

/** Reads what was asked for out of the answer with a page of a list. */
export type DecodePage<T> = (answer: RawAnswer) => T[];

/** Returns one page of a list, in the order of the service (specification, endpoint 1). Throws ServiceError. */
export async function listPage<T>(
	client: Client,
	{ sheet, where, order, search, reading }: ListRequest,
	{ offset, limit, isDivisible }: PageRange,
	decode: DecodePage<T>,
): Promise<T[]> {
	const parameters: QueryParameter[] = [
		...searchParameters(search),
		...(order ?? []).map(({ fieldId, direction }) => ['order', `${fieldId},${direction}`] as const),
		...readOptionParameters(reading, client.connection.dialect),
		['limit', limit],
		['offset', offset],
	];
	const { path, query: others } = sheetRequest(client, sheet, parameters);
	const query = [others, ...where.map(whereParameter)].join('&');
	return await client.read({ path, query, isDivisible }, decode);
}

/**
 * Returns what makes something of each record, of its id and its members, as soon as it has been read: a page is not
 * in memory as a whole.
 */
export function recordsAs<T>(
	make: (id: string, members: JsonMembers<JsonValue>) => T,
): DecodePage<{ id: string; value: T }> {
	return (answer) => {
		const made = new Map<string, { id: string; value: T }>();
		const others = readAnswer(answer, (text) =>
			parseOrderedJson(text, (id, members) => {
				const isRecord = recordIdText(id) !== undefined;
				if (isRecord) made.set(id, { id, value: make(id, members) });
				return isRecord;
			}),
		);
		const keys = isJsonObject(others) ? [...others.keys()] : ['none'];
		const isWhole = keys.every((key) => recordIdText(key) === undefined);
		if (isWhole && (made.size > 0 || mayStandAlone(keys))) return [...made.values()];
		throw noRecords(answer);
	};
}

/** Returns the records of a page. Throws ServiceError for any other answer. */
export function recordsIn(answer: RawAnswer): SheetRecord[] {
	const records = recordsOf(readAnswer(answer));
	if (records) return records;
	throw noRecords(answer);
}

/** As `recordsIn`, of a page as JSONP; a refusal may come unwrapped. */
export function jsonpRecordsIn(answer: RawAnswer): SheetRecord[] {
	const call = withoutTrailing(answer.text.trim(), ';').trimEnd();
	const text = /^[^({<[]*\(([\s\S]*)\)$/.exec(call)?.[1] ?? answer.text;
	return recordsIn({ ...answer, text });
}

function searchParameters(search: ListSearch = {}): QueryParameter[] {
	const { fullText = '', sharedViewId = '', defaultFilter } = search;
	const viewId = sharedViewId.trim();
	return [
		...(fullText === '' ? [] : [['fts', fullText] as const]),
		...(viewId === '' ? [] : [['filterId', viewId] as const]),
		...(defaultFilter ? [['defaultFilter', 1] as const] : []),
	];
}

/**
 * One record (specification, endpoint 2). Undefined when the service says that there is none: `{}` or code 404.
 * Throws ServiceError, also when the answer is about other records.
 */
export async function getRecord(
	client: Client,
	record: RecordAddress,
	reading: ReadOptions,
): Promise<SheetRecord | undefined> {
	const parameters = readOptionParameters(reading, client.connection.dialect);
	const request = recordRequest(client, record, parameters);
	const read = client.read(request, (answer) => readRecord(answer, record.recordId));
	return await read.catch(fallbackTo(undefined, 'notFound'));
}

/** Returns the content of a record, by field ids; undefined when it cannot be read: after a write, that must not look like a failed write. */
export async function contentNow(
	client: Client,
	record: RecordAddress,
): Promise<JsonObject | undefined> {
	const read = await getRecord(client, record, readOptionsBy('EID')).catch(() => undefined);
	return read?.content;
}

function noRecords(answer: RawAnswer): ServiceError {
	const message = 'The service answered with something else than records';
	return unexpected(message, answer, beginningOf(answer.text));
}

function readRecord(answer: RawAnswer, recordId: string): SheetRecord | undefined {
	const records = recordsIn(answer);
	const record = records.find(({ id }) => id === recordId);
	if (record || records.length === 0) return record;
	throw unexpected(`The service answered with other records than ${recordId}`, answer);
}

function unexpected(message: string, { status, text }: RawAnswer, words = ''): ServiceError {
	return new ServiceError({
		kind: 'refused',
		message,
		description: `${words} Check that the sheet address is that of a sheet.`.trim(),
		status,
		quoted: [wordsOf(text)],
	});
}
