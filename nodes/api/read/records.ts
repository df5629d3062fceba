import { readAnswer, type RawAnswer } from '../http/answer';
import { beginningOf, wordsOf } from '../http/answer';
import type { JsonMembers } from '../json/jsonReader';
import { isJsonObject, parseTaking } from '../json/orderedJson';
import type { JsonValue } from '../json/orderedJson';
import type { QueryParameter } from '../values/query';
import { recordIdText, recordsOf, type SheetRecord } from './record';
import { ServiceError, fallbackTo } from '../http/serviceError';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { withoutTrailing } from '../json/objects';
import { whereParameter, type WhereCondition } from './query';
import type { Client, ServiceRequest } from '../http/client';
import { divisibleReadPolicy } from '../http/policies';
import { readOptionParameters, type ReadOptions } from './readOptions';
import { recordRequest, sheetRequest } from '../http/sheetRequest';

/** Which records to list, and in what form (specification, endpoint 1). */
export interface ListRequest {
	sheet: SheetAddress;
	where: readonly WhereCondition[];
	reading: ReadOptions;
	order?: ListOrder;
	search?: ListSearch;
}

/** The order of a list; without rules that of creation. */
export interface ListOrder {
	by?: Array<{ fieldId: string; direction: 'ASC' | 'DESC' }>;
	/** The newest first. */
	reverse?: boolean;
}

/** What narrows a list beside conditions. */
export interface ListSearch {
	fullText?: string;
	sharedViewId?: string;
	defaultFilter?: boolean;
}

/** Makes something of a record: of its id, and of its members. */
export type MakeOfRecord<T> = (id: string, members: JsonMembers<JsonValue>) => T;

/** What was made of a record. */
export interface Made<T> {
	id: string;
	value: T;
}

/** Which part of a list is asked for. */
export interface PageRange {
	offset: number;
	limit: number;
	/** Whether less can be asked for if this is too much at once. */
	isDivisible?: boolean;
}

/** One page of a list, in the order of the service (specification, endpoint 1). Throws ServiceError. */
export async function listPage(
	client: Client,
	request: ListRequest,
	range: PageRange,
): Promise<SheetRecord[]> {
	return await client.read(listPageRequest(client, request, range), readRecords);
}

/**
 * As `listPage`; each record is made into something else as soon as it has been read, so that what is read of a
 * page is not in memory as a whole. Throws ServiceError.
 */
export async function listPageAs<T>(
	client: Client,
	request: ListRequest,
	range: PageRange,
	make: MakeOfRecord<T>,
): Promise<Array<Made<T>>> {
	return await client.read(listPageRequest(client, request, range), (answer) => {
		const made = new Map<string, Made<T>>();
		const others = readAnswer(answer, (text) =>
			parseTaking(text, (id, members) => {
				const isRecord = recordIdText(id) !== undefined;
				if (isRecord) made.set(id, { id, value: make(id, members) });
				return isRecord;
			}),
		);
		if (isJsonObject(others) && others.size === 0) return [...made.values()];
		throw noRecords(answer);
	});
}

/**
 * One page of a list as JSONP: the text as it came, and the records in it (specification, endpoint 1,
 * `callback`).
 *
 * @param callback the function that the service wraps the records in
 * @throws ServiceError
 */
export async function listJsonpPage(
	client: Client,
	request: ListRequest,
	callback: string,
	range: PageRange,
): Promise<{ records: SheetRecord[]; text: string }> {
	const { more = [] } = request.reading;
	const reading = { ...request.reading, more: [...more, ['callback', callback] as const] };
	const pageRequest = listPageRequest(client, { ...request, reading }, range);
	return await client.read(pageRequest, (answer) => ({
		records: readRecords({ ...answer, text: jsonpArgument(answer.text) }),
		text: answer.text,
	}));
}

function listPageRequest(
	client: Client,
	{ sheet, where, order, search, reading }: ListRequest,
	{ offset, limit, isDivisible }: PageRange,
): ServiceRequest {
	const page: QueryParameter[] = [
		['limit', limit],
		['offset', offset],
	];
	const which = [...searchParameters(search), ...orderParameters(order)];
	const all = [...which, ...readOptionParameters(reading, client.connection.dialect), ...page];
	const { path, query: others } = sheetRequest(client, sheet, all);
	const query = [others, ...where.map(whereParameter)].join('&');
	return { path, query, ...(isDivisible ? { retry: divisibleReadPolicy } : {}) };
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

function orderParameters({ by = [], reverse }: ListOrder = {}): QueryParameter[] {
	const rules = by.map(({ fieldId, direction }) => ['order', `${fieldId},${direction}`] as const);
	return [...rules, ...(reverse ? [['reverse', true] as const] : [])];
}

/** What stands between the first and the last parenthesis; a refusal may come unwrapped. */
function jsonpArgument(text: string): string {
	const call = withoutTrailing(text.trim(), ';').trimEnd();
	return /^[^({<[]*\(([\s\S]*)\)$/.exec(call)?.[1] ?? text;
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

function readRecords(answer: RawAnswer): SheetRecord[] {
	const records = recordsOf(readAnswer(answer));
	if (records) return records;
	throw noRecords(answer);
}

function noRecords(answer: RawAnswer): ServiceError {
	const message = 'The service answered with something else than records';
	return unexpected(message, answer, beginningOf(answer.text));
}

function readRecord(answer: RawAnswer, recordId: string): SheetRecord | undefined {
	const records = readRecords(answer);
	const record = records.find(({ id }) => id === recordId);
	if (record || records.length === 0) return record;
	throw unexpected(`The service answered with other records than ${recordId}`, answer);
}

function unexpected(message: string, { status, text }: RawAnswer, words = ''): ServiceError {
	return new ServiceError({
		kind: 'refused',
		message,
		description: `${words}Check that the sheet address is that of a sheet.`,
		status,
		quoted: [wordsOf(text)],
	});
}
