import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import { maxBlockMilliseconds, yieldWhenBlocked } from '../../api/http/eventLoop';
import { ServiceError, type FailureKind } from '../../api/http/serviceError';
import { downloadStoredFile, type ArrivingFile } from '../../api/files/download';
import { getOrInsert, isObject } from '../../api/json/objects';
import { SheetFields } from '../../api/sheet/sheetFields';
import { isFileValue, safeFileName, storedFileName } from '../../api/values/fileNames';
import { asSentence, joinedSentences } from '../../api/values/text';
import type { SheetAddress } from '../../api/values/sheetAddress';
import { isSubtableKey } from '../../api/values/subtableKeys';
import {
	absentFields,
	anywhere,
	currentFileKeys,
	type FileKeys,
	type FileOptions,
} from './fileKeys';

/** The service that has the files, and the node or trigger that stores them. */
export interface FileTarget {
	readonly client: Client;
	readonly context: { helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'> };
}

/**
 * Stores an arriving file in n8n. Name and type are passed, because n8n would take them from the address, which contains the
 * identity.
 */
export async function storeFile({ context }: FileTarget, file: ArrivingFile, name: string) {
	return await context.helpers.prepareBinaryData(file.stream, name, file.mimeType);
}

/** Fetches and stores a file by the value of its field. Throws ServiceError, of kind `notFound` if it does not exist. */
export async function storedFile(target: FileTarget, value: string) {
	const name = safeFileName(storedFileName(value), 'file');
	const store = async (file: ArrivingFile) => await storeFile(target, file, name);
	return await downloadStoredFile(target.client, value, store);
}

/** Maximum number of files that a trigger fetches for a delivery or a poll, which starts one execution. */
export const maxTriggerFiles = 50;

/** Where an item of a trigger has the record: in its member `record` (event), or as the item itself (record). */
type TriggerOutput = 'event' | 'record';

/** Files of one item, and one sentence for each that is missing. */
interface ItemFiles {
	binary: NonNullable<INodeExecutionData['binary']>;
	missing: string[];
}

/**
 * Returns the items with the files of the fields that the user named. A `_warning` names the files that cannot be downloaded.
 * Throws failures of the connection. A trigger (`output`) emits a change only once. For its items, throws nothing, fetches at most 50 files,
 * and names every file that was not fetched in the `_warning`.
 */
export async function itemsWithFiles(
	target: FileTarget,
	{ sheet, ...options }: FileOptions & { sheet: SheetAddress },
	items: readonly IDataObject[],
	output?: TriggerOutput,
): Promise<INodeExecutionData[]> {
	const { downloadFiles = [] } = options;
	if (downloadFiles.length === 0) return items.map((json) => ({ json }));
	const troubles: string[] = [];
	const recordOf = (json: IDataObject): object => Object(output === 'event' ? json.record : json);
	const records = items.map(recordOf);
	const sheetFields = new SheetFields(target.client, sheet);
	const keys = await currentFileKeys(sheetFields, options, records).catch((error: unknown) => {
		if (output === undefined) throw error;
		const reason = error instanceof ServiceError ? `: ${error.message}` : '';
		troubles.push(
			asSentence(`Files may be missing because their fields could not be looked up${reason}`),
		);
		return new Map(downloadFiles.map((key) => [key, anywhere]));
	});
	troubles.push(...(await absentFields(sheetFields, options, { keys, records })));
	const fetchFile = output === undefined ? fileOrReason : limitedFetch(maxTriggerFiles);
	const withFiles: INodeExecutionData[] = [];
	const yieldIfBlocked = yieldWhenBlocked(maxBlockMilliseconds);
	for (const json of items) {
		const { binary, missing } = await itemFiles(target, recordOf(json), keys, fetchFile);
		const [warned = json] = withWarnings([json], [...troubles.splice(0), ...missing]);
		withFiles.push({ json: warned, binary });
		await yieldIfBlocked();
	}
	return withFiles;
}

/** Fetches a file. Returns the reason as text if it is not fetched. */
type FetchFile = (target: FileTarget, value: string) => Promise<IBinaryData | string>;

async function itemFiles(
	target: FileTarget,
	record: object,
	keys: FileKeys,
	fetchFile: FetchFile,
): Promise<ItemFiles> {
	const files: ItemFiles = { binary: {}, missing: [] };
	for (const [key, places] of keys) {
		const namesByReason = new Map<string, string[]>();
		for (const [index, value] of fileValuesIn(record, key, places).entries()) {
			const file = await fetchFile(target, value);
			if (typeof file === 'string') {
				getOrInsert(namesByReason, file, () => []).push(`'${storedFileName(value)}'`);
			} else {
				files.binary[`${key}_${index + 1}`] = file;
			}
		}
		for (const [reason, names] of namesByReason) {
			const verb = names.length === 1 ? 'was' : 'were';
			const text = `${names.join(', ')} of '${key}' ${verb} not downloaded: ${reason}`;
			files.missing.push(asSentence(text));
		}
	}
	return files;
}

/** Kinds of failures of the connection or of n8n, which would also fail the next files. */
const endingKinds: readonly FailureKind[] = [
	...(['connectionLost', 'unreachable', 'untrusted', 'tooFrequent', 'tooSlow', 'server'] as const),
	...(['authentication', 'sessionExpired', 'notStored', 'unsent'] as const),
];

/** Returns whether a failure concerns one file, so that other files may be downloaded. */
export function isOfOneFile(error: unknown): error is ServiceError {
	return error instanceof ServiceError && !endingKinds.includes(error.kind);
}

/** Returns the message of a failed download without its beginning, because the warning begins with the same words. */
function reasonOf({ message }: ServiceError, value: string): string {
	return message.replace(`The file '${storedFileName(value)}' was not downloaded: `, '');
}

/** Throws failures that are not about this file. One file that cannot be downloaded does not end a list. */
async function fileOrReason(target: FileTarget, value: string): Promise<IBinaryData | string> {
	return await storedFile(target, value).catch((error: unknown) => {
		if (isOfOneFile(error)) return reasonOf(error, value);
		throw error;
	});
}

/** Returns a function that fetches files until it was called `maxFiles` times, and never throws. */
function limitedFetch(maxFiles: number): FetchFile {
	let filesLeft = maxFiles;
	return async (target, value) => {
		if (filesLeft === 0) return `at most ${maxFiles} files are downloaded at a time`;
		filesLeft -= 1;
		return await storedFile(target, value).catch((error: unknown) =>
			error instanceof ServiceError ? reasonOf(error, value) : 'n8n could not store it in time',
		);
	};
}

/** Returns the file values of a field, in the record and its rows. */
function fileValuesIn(
	record: object,
	key: string,
	places: ReadonlySet<'record' | 'rows'>,
): string[] {
	return Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
		if (isSubtableKey(name) && places.has('rows')) {
			const rows = Object.values(Object(value));
			return rows.filter(isObject).flatMap((row) => fileValuesIn(row, key, anywhere));
		}
		if (name !== key || !places.has('record')) return [];
		const files: unknown[] = [value].flat();
		return files.filter((file) => typeof file === 'string').filter(isFileValue);
	});
}

/** Returns the items with the warnings in `_warning` of the first item, after its previous warning. Without items, drops them. */
export function withWarnings(items: IDataObject[], warnings: readonly string[]): IDataObject[] {
	const [first, ...rest] = items;
	if (!first || warnings.length === 0) return items;
	const previous = typeof first._warning === 'string' ? [first._warning] : [];
	return [{ ...first, _warning: joinedSentences([...previous, ...warnings]) }, ...rest];
}
