import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import type { SheetAddress } from '../values/sheetAddress';

/** A sheet of the menu, with the names that a person sees on the way to it. */
export interface MenuSheet {
	name: string;
	/** Names of the folders from the outermost in. */
	folderNames: string[];
	address: SheetAddress;
}

/** The sheets of an account's menu tree, in its order; empty when the value is no such tree. */
export function sheetsOfMenu(value: JsonValue, account: string): MenuSheet[] {
	if (!isJsonObject(value)) return [];
	const root = value.get(account) ?? [...value.values()][0];
	return isJsonObject(root) ? sheetsBelow(root, [], []) : [];
}

/** Whether the value is a menu tree of the account: one without sheets, too. */
export function isMenu(value: JsonValue, account: string): boolean {
	if (!isJsonObject(value)) return false;
	const hasChildren = (node: JsonValue) => isJsonObject(node) && isJsonObject(node.get('children'));
	return isJsonObject(value.get(account)) || [...value.values()].some(hasChildren);
}

function sheetsBelow(node: JsonObject, folders: string[], folderNames: string[]): MenuSheet[] {
	const children = node.get('children');
	if (!isJsonObject(children)) return [];
	const sheets: MenuSheet[] = [];
	for (const [key, child] of children) {
		if (!isJsonObject(child)) continue;
		const name = String(child.get('name') ?? key);
		if (/^\d+$/.test(key)) {
			sheets.push({ name, folderNames, address: { folders, sheetIndex: Number(key) } });
		} else {
			sheets.push(...sheetsBelow(child, foldersOf(key, folders), [...folderNames, name]));
		}
	}
	return sheets;
}

/** A folder's key is its path, either whole or below its parent. */
function foldersOf(key: string, parents: string[]): string[] {
	const segments = key.split('/').filter((segment) => segment !== '');
	const isWhole =
		key.startsWith('/') &&
		segments.length > parents.length &&
		parents.every((parent, index) => segments[index] === parent);
	return isWhole ? segments : [...parents, ...segments];
}
