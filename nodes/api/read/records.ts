import { quotingSentence, readAnswer, beginningOf, type RawAnswer } from '../http/answer';
import { membersByKey, type JsonMembers } from '../json/jsonReading';
import {
	JsonSyntaxError,
	isJsonObject,
	readOrderedJson,
	type JsonValue,
} from '../json/orderedJson';
import { maxBlockMilliseconds, runCooperatively } from '../http/eventLoop';
import { viewError } from '../http/missingItems';
import type { QueryParameter } from '../values/query';
import { validRecordId, type SheetRecord } from './record';
import { ServiceError, fallbackTo } from '../http/serviceError';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { whereParameter, type WhereCondition } from './query';
import { recordRequest, sheetRequest, type Client } from '../http/client';
import { readOptionParameters, type ReadOptions } from './readOptions';

/** Request for a list of records (specification, endpoint 1). */
export interface ListRequest {
	sheet: SheetAddress;
	where: readonly WhereCondition[];
	reading: ReadOptions;
	order?: readonly OrderRule[];
	search?: ListSearch;
}

/** A field to sort a list by. Without rules, the service chooses the order. */
export interface OrderRule {
	fieldId: string;
	direction: 'ASC' | 'DESC';
}

/** Sorts by the Create Date. The parameter `reverse` of the API is not used, because the order that it reverses differs between services. */
export const newestFirst: OrderRule = { fieldId: '105', direction: 'DESC' };
export const lastChangedFirst: OrderRule = { fieldId: '109', direction: 'DESC' };

/** Search parameters of a list, in addition to conditions. */
export interface ListSearch {
	fullText?: string;
	sharedViewId?: string;
	defaultFilter?: boolean;
}

/** A part of a list. */
export interface PageRange {
	offset: number;
	limit: number;
	/** Set if a smaller part can be requested when this one is too large. */
	isDivisible?: boolean;
}

/** Decodes the answer with a page of a list. */
export type DecodePage<T> = (answer: RawAnswer) => Promise<T[]>;

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
		...readOptionParameters(reading, client.connection),
		['limit', limit],
		['offset', offset],
	];
	const { path, query: parameterQuery } = sheetRequest(client, sheet, parameters);
	const query = [parameterQuery, ...where.map(whereParameter)].join('&');
	try {
		return await client.read({ path, query, sheet, isDivisible }, decode);
	} catch (error) {
		throw viewError(error, search?.sharedViewId?.trim());
	}
}

/**
 * Returns a decoder that converts each record right after parsing it, so that the parsed page is never in memory as a whole.
 * It yields to the event loop between its steps: a page may have several MB.
 *
 * @param makeBroken converts a record whose content is not an object, and that has to be the first on its page, because its place
 * is not known. Without it, a page with such a record is no list of records
 */
export function recordsAs<T>(
	make: (id: string, members: JsonMembers<JsonValue>) => T,
	makeBroken?: (id: string) => T,
): DecodePage<T> {
	return async (answer) => {
		const made = new Map<string, T>();
		const steps = readOrderedJson(answer.text, (id, members) => {
			const isRecord = validRecordId(id) !== undefined;
			if (isRecord) made.set(id, make(id, members));
			return isRecord;
		});
		const parsed = await runCooperatively(steps, maxBlockMilliseconds).catch(noJson);
		const rest = readAnswer(answer, parsed);
		const keys = isJsonObject(rest) ? [...rest.keys()] : ['none'];
		const broken = keys.filter((key) => validRecordId(key) !== undefined);
		const isWhole = broken.length === 0 || makeBroken !== undefined;
		const isEmptyList = keys.every((key) => isMetadataKey(key) || broken.includes(key));
		if (isWhole && (made.size > 0 || isEmptyList)) {
			return makeBroken ? [...broken.map(makeBroken), ...made.values()] : [...made.values()];
		}
		const message = 'The service answered with something else than records';
		throw unexpected(message, answer, quotingSentence(answer.text));
	};
}

/** Returns undefined for a text that is not JSON. `readAnswer` throws the error with the beginning of the text. */
function noJson(error: unknown): undefined {
	if (!(error instanceof JsonSyntaxError)) throw error;
}

/** Returns whether a key is metadata next to the records of an answer: `info`, `-1`, or a key with a leading `_` (`_metaData`). */
export function isMetadataKey(key: string): boolean {
	return key.startsWith('_') || ['info', '-1'].includes(key);
}

/** Returns the records of a page. Throws ServiceError for any other answer. */
export const recordsIn: DecodePage<SheetRecord> = recordsAs((id, members) => ({
	id,
	content: membersByKey(members),
}));

/** Returns the records of a page as `recordsIn`. A record whose content is broken has no fields. */
export const recordsWithBroken: DecodePage<SheetRecord> = recordsAs(
	(id, members) => ({ id, content: membersByKey(members) }),
	(id) => ({ id, content: new Map() }),
);

const idOnly = (id: string) => ({ id });

/** Returns the records of a page with their IDs only. */
export const idsIn = recordsAs(idOnly);

/** Returns the records of a page as `idsIn`, with records whose content is broken. */
export const idsWithBroken = recordsAs(idOnly, idOnly);

function searchParameters(search: ListSearch = {}): QueryParameter[] {
	const { fullText = '', sharedViewId = '', defaultFilter } = search;
	const flag: QueryParameter = ['defaultFilter', defaultFilter ? 1 : ''];
	const parameters: QueryParameter[] = [['fts', fullText], ['filterId', sharedViewId.trim()], flag];
	return parameters.filter(([, value]) => value !== '');
}

/**
 * Fetches a record (specification, endpoint 2). Returns undefined for `{}`, code 404, and HTTP 404 without a code, except with a
 * web page. Throws ServiceError, also if the answer has other records.
 */
export async function getRecord(
	client: Client,
	record: RecordAddress,
	reading: ReadOptions,
): Promise<SheetRecord | undefined> {
	const parameters = readOptionParameters(reading, client.connection);
	const request = recordRequest(client, record, parameters);
	const read = client.read(request, async (answer): Promise<SheetRecord | undefined> => {
		const records = await recordsIn(answer);
		const found = records.find(({ id }) => id === record.recordId);
		if (found || records.length === 0) return found;
		throw unexpected(`The service answered with other records than ${record.recordId}`, answer);
	});
	return await read.catch(fallbackTo(undefined, 'notFound'));
}

function unexpected(message: string, { status, text }: RawAnswer, words = ''): ServiceError {
	return new ServiceError({
		kind: 'unexpected',
		message,
		description: `${words} Check that the sheet address is that of a sheet.`.trim(),
		status,
		quoted: [beginningOf(text)],
	});
}
