import type { Client } from '../http/client';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { apiQuery } from '../values/query';
import { accountPath, parseSheetPath, type SheetAddress } from '../values/sheetAddress';
import { fetchUnlessRefused } from '../sheet/sources/sources';

/** A sheet of the menu, with the displayed names of its folders. */
export interface MenuSheet {
	name: string;
	/** Names of the folders, outermost first. Empty for a sheet of the vendor's list, which has no names of folders. */
	folderNames: string[];
	address: SheetAddress;
}

/**
 * Request for the list of sheets that the vendor's own clients use. It has the name of the client in place of `api`. It names no
 * account; `sheetsOfList` selects the sheets of the account.
 */
export const sheetListRequest = { path: '/api/http/integromatForms.jsp', query: 'n8n' } as const;

/**
 * Fetches the sheets in the account's menu or, if that is refused or empty, in the list for the vendor's own clients. Returns
 * undefined if that lists none, either. Neither is in the specification. Throws ServiceError if the service cannot be reached.
 */
export async function listSheets(client: Client): Promise<MenuSheet[] | undefined> {
	const { account } = client.connection;
	const menu = await fetchUnlessRefused(client, {
		path: accountPath(account),
		query: apiQuery([]),
	});
	const sheets = menu === undefined ? [] : sheetsOfMenu(menu, account);
	if (sheets.length > 0) return sheets;
	const list = await fetchUnlessRefused(client, sheetListRequest);
	return list === undefined ? undefined : sheetsOfList(list, account);
}

/** Returns the sheets of a menu tree, in its order; an empty list for any other value. */
export function sheetsOfMenu(value: JsonValue, account: string): MenuSheet[] {
	if (!isJsonObject(value)) return [];
	const root = value.get(account) ?? [...value.values()][0];
	return isJsonObject(root) ? sheetsBelow(root, [], []) : [];
}

/** Returns whether the value is a menu tree of the account, which may have no sheets. */
export function isMenu(value: JsonValue, account: string): boolean {
	if (!isJsonObject(value)) return false;
	const hasChildren = (node: JsonValue) => isJsonObject(node) && isJsonObject(node.get('children'));
	return isJsonObject(value.get(account)) || [...value.values()].some(hasChildren);
}

/** Folders of the menu that contain no sheets of the account: reports, and the setup. */
const setupFolders = ['Report', '/ragic-setup'];

function sheetsBelow(node: JsonObject, folders: string[], folderNames: string[]): MenuSheet[] {
	const children = node.get('children');
	if (!isJsonObject(children)) return [];
	const sheets: MenuSheet[] = [];
	for (const [key, child] of children) {
		if (!isJsonObject(child)) continue;
		const name = String(child.get('name') ?? key);
		if (/^\d+$/.test(key)) {
			// Reports and dashboards are no sheets. Nodes without a type are taken for sheets.
			if (String(child.get('type') ?? 'sheet') !== 'sheet') continue;
			sheets.push({ name, folderNames, address: { folders, sheetIndex: Number(key) } });
		} else if (!setupFolders.includes(key)) {
			sheets.push(...sheetsBelow(child, foldersOf(key, folders), [...folderNames, name]));
		}
	}
	return sheets;
}

/** Returns the path of a folder. Its key is either the whole path, or the path below its parent. */
function foldersOf(key: string, parents: string[]): string[] {
	const segments = key.split('/').filter((segment) => segment !== '');
	const isWhole =
		key.startsWith('/') &&
		segments.length > parents.length &&
		parents.every((parent, index) => segments[index] === parent);
	return isWhole ? segments : [...parents, ...segments];
}

/** Returns the sheets in an object or an array of `{displayName, path}`, with the account as first segment of `path`; undefined if it has no sheets. */
export function sheetsOfList(value: JsonValue, account: string): MenuSheet[] | undefined {
	const entries = isJsonObject(value) ? [...value.values()] : value;
	if (!Array.isArray(entries)) return undefined;
	const sheets = entries.filter(isJsonObject).flatMap((entry) => sheetOf(entry, account));
	return sheets.length > 0 ? sheets : undefined;
}

function sheetOf(entry: JsonObject, account: string): MenuSheet[] {
	const path = entry.get('path');
	if (typeof path !== 'string') return [];
	try {
		const { folders, sheetIndex } = parseSheetPath(path);
		const [accountInPath, ...foldersBelow] = folders;
		const isOfAccount = accountInPath?.toLowerCase() === account.toLowerCase();
		if (!isOfAccount || foldersBelow.length === 0) return [];
		const name = String(entry.get('displayName') ?? path);
		return [{ name, folderNames: [], address: { folders: foldersBelow, sheetIndex } }];
	} catch {
		// `parseSheetPath` throws if the text is not the path of a sheet.
		return [];
	}
}
