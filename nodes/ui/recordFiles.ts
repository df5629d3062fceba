import type { IBinaryData, IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { ServiceError } from '../api/http/serviceError';
import type { ArrivingFile } from '../api/files/download';
import { downloadStoredFile } from '../api/files/storedFiles';
import { isObject } from '../api/json/objects';
import { idInKey, nameOf } from '../api/schema/fields';
import { Schema } from '../api/schema/schema';
import { safeFileName, storedFileName } from '../api/values/fileNames';
import type { SheetAddress } from '../api/values/sheetAddress';
import { isSubtableKey } from '../api/values/subtableKeys';
import type { OutputOptions } from './options';

/** Where files come from, and the node or trigger that stores them. */
export interface FileTarget {
	readonly client: Client;
	readonly context: { helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'> };
}

/**
 * Puts an arriving file into n8n's store, as a stream. Name and type are always given: n8n would
 * otherwise take them from the address, with the identity in it.
 */
export async function storeFile(
	{ context }: FileTarget,
	{ stream, mimeType }: ArrivingFile,
	name: string,
): Promise<IBinaryData> {
	return await context.helpers.prepareBinaryData(stream, name, mimeType);
}

/** Fetches a file by the value of its field. Throws ServiceError, of kind `notFound` when it is not there. */
export async function storedFile(target: FileTarget, value: string): Promise<IBinaryData> {
	const name = safeFileName(storedFileName(value), 'file');
	const store = async (file: ArrivingFile) => await storeFile(target, file, name);
	return await downloadStoredFile(target.client, value, store);
}

/** Fetches the files of a record of the output: binary data, and a warning that names what is not there. */
export type FilesOf = (
	record: IDataObject,
) => Promise<{ binary?: IBinaryKeyData; warning?: string }>;

/** Returns what fetches the files of the fields that the user named, one after the other. Throws InputError for unknown names. */
export async function filesOfRecords(
	target: FileTarget,
	sheet: SheetAddress,
	{ downloadFiles = [], naming }: OutputOptions,
): Promise<FilesOf> {
	if (downloadFiles.length === 0) return async () => ({});
	const schema = new Schema(target.client, sheet);
	const fields = (await schema.namedList())?.fields ?? [];
	const keys: string[] = [];
	for (const wanted of await schema.fieldKeys(downloadFiles)) {
		const found = fields.filter((field) =>
			[field.name, field.fieldId, nameOf(field)].some(
				(one) => one === wanted || one === idInKey(wanted),
			),
		);
		if (found.length === 0 && fields.length > 0) found.push(await schema.field(wanted, true));
		const known = found.map((field) => (naming === 'EID' ? field.fieldId : nameOf(field)));
		keys.push(...(known.length > 0 ? known : [wanted]));
	}
	return async (record) => {
		const binary: IBinaryKeyData = {};
		const missing: string[] = [];
		for (const key of new Set(keys)) {
			for (const [index, value] of fileValuesIn(record, key).entries()) {
				const file = await storedFile(target, value).catch((error: unknown) => {
					if (!(error instanceof ServiceError) || error.kind !== 'notFound') throw error;
					missing.push(`'${storedFileName(value)}' of '${key}'`);
				});
				if (file) binary[`${key}_${index + 1}`] = file;
			}
		}
		const warning = `The service does not have the file ${missing.join(', ')}`;
		return { binary, ...(missing.length > 0 ? { warning } : {}) };
	};
}

/** Returns the values of files in a field of a record and its rows. */
function fileValuesIn(record: object, key: string): string[] {
	return Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
		if (isSubtableKey(name)) {
			const rows = Object.values(Object(value));
			return rows.filter(isObject).flatMap((row) => fileValuesIn(row, key));
		}
		if (name !== key) return [];
		const files: unknown[] = [value].flat();
		return files.filter((file) => typeof file === 'string').filter((file) => file.includes('@'));
	});
}
