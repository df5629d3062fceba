import type { MenuSheet } from './menu';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { parseSheetPath } from '../values/sheetAddress';

/** Where the vendor's own clients are told the sheets of a key; their mark takes the place of `api`. */
export const sheetListRequest = { path: '/api/http/integromatForms.jsp', query: 'n8n' } as const;

/**
 * The sheets in the list for the vendor's own clients, an object or an array of `{displayName, path}`, in its
 * order. Its paths begin with the account. Not in the specification; what is no sheet is left out.
 *
 * @returns undefined when the list names no sheet
 */
export function sheetsOfList(value: JsonValue, account: string): MenuSheet[] | undefined {
	const entries = isJsonObject(value) ? [...value.values()] : value;
	if (!Array.isArray(entries)) return undefined;
	const sheets = entries.flatMap((entry) => sheetOf(entry, account) ?? []);
	return sheets.length > 0 ? sheets : undefined;
}

function sheetOf(entry: JsonValue, account: string): MenuSheet | undefined {
	const path = isJsonObject(entry) ? entry.get('path') : undefined;
	if (!isJsonObject(entry) || typeof path !== 'string') return undefined;
	try {
		const { folders, sheetIndex } = parseSheetPath(path);
		const [first, ...others] = folders;
		const isOwn = first?.toLowerCase() === account.toLowerCase();
		if (!isOwn || others.length === 0) return undefined;
		const name = String(entry.get('displayName') ?? path);
		return { name, folderNames: [], address: { folders: others, sheetIndex } };
	} catch {
		// What is no path of a sheet, `parseSheetPath` refuses.
		return undefined;
	}
}
