import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import { ServiceError } from '../../api/http/serviceError';
import { downloadStoredFile, type ArrivingFile } from '../../api/files/download';
import { isObject } from '../../api/json/objects';
import { isKeyOf, nameOf } from '../../api/schema/fields';
import { Schema } from '../../api/schema/schema';
import { safeFileName, storedFileName } from '../../api/values/fileNames';
import type { SheetAddress } from '../../api/values/sheetAddress';
import { isSubtableKey } from '../../api/values/subtableKeys';
import type { OutputOptions } from '../parameters/options';

/** Where files come from, and the node or trigger that stores them. */
export interface FileTarget {
	readonly client: Client;
	readonly context: { helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'> };
}

/** Puts an arriving file into n8n's store. Name and type are given: n8n would take them from the address, with the identity in it. */
export async function storeFile({ context }: FileTarget, file: ArrivingFile, name: string) {
	return await context.helpers.prepareBinaryData(file.stream, name, file.mimeType);
}

/** Fetches a file by the value of its field. Throws ServiceError, of kind `notFound` when it is not there. */
export async function storedFile(target: FileTarget, value: string) {
	const name = safeFileName(storedFileName(value), 'file');
	const store = async (file: ArrivingFile) => await storeFile(target, file, name);
	return await downloadStoredFile(target.client, value, store);
}

/** So many items of a trigger come with files at a time: they start one execution. */
export const mostItemsWithFiles = 100;

/**
 * Returns items with the files that the user wants, and a `_warning` on what is not there. Throws what else fails, but
 * not for changes, which come once and whose record is where `form` says: the `_warning` names whatever was not fetched.
 */
export async function itemsWithFiles(
	target: FileTarget,
	sheet: SheetAddress,
	options: OutputOptions,
	items: readonly IDataObject[],
	form?: 'event' | 'record',
): Promise<INodeExecutionData[]> {
	const { downloadFiles = [] } = options;
	if (downloadFiles.length === 0) return items.map((json) => ({ json }));
	const troubles: string[] = [];
	const keys = await fileKeys(target.client, sheet, options).catch((error: unknown) => {
		if (form === undefined) throw error;
		const reason = error instanceof ServiceError ? `: ${error.message}` : '';
		troubles.push(`Files may be missing, since their fields could not be looked up${reason}.`);
		return downloadFiles;
	});
	const output: INodeExecutionData[] = [];
	for (const [index, json] of items.entries()) {
		const binary: NonNullable<INodeExecutionData['binary']> = {};
		const missing = index === 0 ? troubles : [];
		const isTooMany = form !== undefined && index >= mostItemsWithFiles;
		for (const key of new Set(keys)) {
			const values = fileValuesIn(Object(form === 'event' ? json.record : json), key);
			for (const [position, value] of values.entries()) {
				const file = isTooMany
					? `only ${mostItemsWithFiles} items at a time have files`
					: await storedFile(target, value).catch((error: unknown) => {
							const isKnown = error instanceof ServiceError;
							if (form === undefined && !(isKnown && error.kind === 'notFound')) throw error;
							return isKnown ? error.message : 'n8n did not take it in time';
						});
				if (typeof file !== 'string') binary[`${key}_${position + 1}`] = file;
				else missing.push(`'${storedFileName(value)}' of '${key}' was not downloaded: ${file}.`);
			}
		}
		const [said = json] = withWarnings([json], missing);
		output.push({ json: said, binary });
	}
	return output;
}

/** Returns the keys in records of the fields that the user named. Throws InputError for unknown names. */
export async function fileKeys(
	client: Client,
	sheet: SheetAddress,
	{ downloadFiles = [], naming }: OutputOptions,
): Promise<string[]> {
	if (downloadFiles.length === 0) return [];
	const schema = new Schema(client, sheet);
	const fields = await schema.namedFields();
	const keys: string[] = [];
	for (const wanted of await schema.fieldKeys(downloadFiles)) {
		await schema.requireField(wanted);
		const found = fields.filter((field) => isKeyOf(wanted, field));
		const known = found.map((field) => (naming === 'EID' ? field.fieldId : nameOf(field)));
		keys.push(...(known.length > 0 ? known : [wanted]));
	}
	return keys;
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

/** Returns the items, the first one with the warnings beside its own. */
export function withWarnings(items: IDataObject[], warnings: readonly string[]): IDataObject[] {
	const [first, ...others] = items;
	if (!first || warnings.length === 0) return items;
	const own = typeof first._warning === 'string' ? [first._warning] : [];
	return [{ ...first, _warning: [...own, ...warnings].join(' ') }, ...others];
}
