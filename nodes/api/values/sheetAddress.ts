import { encodeText } from './query';
import { InputError } from './inputError';
import { percentDecoded, withoutOuterSlashes } from './text';

/** Where a sheet is: its folders from the outermost in, decoded, and its number. */
export interface SheetAddress {
	folders: string[];
	sheetIndex: number;
}

/** Where a record is. */
export interface RecordAddress {
	sheet: SheetAddress;
	/** Digits. */
	recordId: string;
}

/** What a pasted browser address points at; `recordId` only when it is a record's address. */
export interface PastedAddress {
	origin: string;
	account: string;
	sheet: SheetAddress;
	recordId?: string;
}

/** Reads `folder/sub/3`: folder path and sheet number. Throws InputError when it is no such path. */
export function parseSheetPath(path: string): SheetAddress {
	const folders = splitPath(path);
	const index = folders.pop() ?? '';
	if (folders.length > 0 && isWholeNumber(index))
		return { folders, sheetIndex: sheetNumber(index) };
	throw new InputError(
		`'${path}' is not a sheet path. Write the folder path and the sheet number, e.g. sales/orders/1`,
	);
}

/** Reads a browser's address of a sheet or record, without query and fragment: on a write they would pass for fields. Throws InputError. */
export function parsePastedAddress(address: string): PastedAddress {
	// Read by hand: `new URL` would resolve `..` before it can be refused.
	const match = /^(https?:\/\/([^/?#\\]+))\/([^?#]*)/i.exec(address.trim());
	const [, origin = '', host = '', path = ''] = match ?? [];
	const shown = `'${withoutQuery(address)}'`;
	if (!match) throw new InputError(`${shown} is not an address of a sheet, e.g. https://…/sales/1`);
	if (host.includes('@')) throw new InputError('The address must not hold a user name or password');
	const [account = '', ...folders] = splitPath(path);
	const last = folders.pop() ?? '';
	const before = folders.at(-1) ?? '';
	if (!isWholeNumber(last)) {
		throw new InputError(`${shown} does not end with the number of a sheet or record`);
	}
	if (folders.length === 0)
		throw new InputError(`${shown} names no folder before the sheet number`);
	// Two numbers at the end are sheet and record.
	const isRecord = folders.length >= 2 && isWholeNumber(before);
	if (isRecord) folders.pop();
	return {
		origin: origin.toLowerCase(),
		account,
		sheet: { folders, sheetIndex: sheetNumber(isRecord ? before : last) },
		...(isRecord ? { recordId: wholeNumberText(last) } : {}),
	};
}

/** Returns the path of an account below the service address, encoded. Throws InputError as `encodeText`. */
export function accountPath(account: string): string {
	return `/${encodeText(account)}`;
}

/** Returns the encoded path of a sheet: `/account/folder/sub/3`. Throws InputError as `encodeText`. */
export function sheetPath(account: string, { folders, sheetIndex }: SheetAddress): string {
	return [accountPath(account), ...folders.map(encodeText), sheetIndex].join('/');
}

/** The path as a person writes it; `parseSheetPath` reads it back. */
export function formatSheetPath({ folders, sheetIndex }: SheetAddress): string {
	const names = folders.map((folder) => folder.replace(/[%/?#]|^\s|\s$/g, encodeURIComponent));
	return [...names, sheetIndex].join('/');
}

/** Whether the text has the form of a record id, row id or sheet number: digits only, and not too many. */
export function isWholeNumber(text: string): boolean {
	return /^\d{1,18}$/.test(text);
}

/** Returns a record id, row id or sheet number without zeros in front; undefined for a text that is none. */
export function wholeNumberText(text: string): string | undefined {
	return isWholeNumber(text) ? text.replace(/^0+(?=\d)/, '') : undefined;
}

/** A number that JavaScript would round is that of another sheet. */
function sheetNumber(text: string): number {
	const number = Number(text);
	if (Number.isSafeInteger(number)) return number;
	throw new InputError(`'${text}' is not the number of a sheet`);
}

function splitPath(path: string): string[] {
	const trimmed = withoutOuterSlashes(path.trim());
	if (trimmed === '') return [];
	if (/[?#]/.test(trimmed)) {
		throw new InputError(`'${withoutQuery(path)}' must be without '?', '#' and what follows them`);
	}
	return trimmed.split('/').map((segment) => decodeSegment(segment, path));
}

function decodeSegment(segment: string, path: string): string {
	// With a lone percent sign, the folder's name is meant as it stands.
	const decoded = percentDecoded(segment) ?? segment;
	// Whoever decodes the address once more would take an encoded slash for one between folders.
	if (decoded === '' || decoded.split(/[/\\]/).some((part) => part === '.' || part === '..')) {
		throw new InputError(`'${withoutQuery(path)}' holds an empty folder name, '.' or '..'`);
	}
	return decoded;
}

/** A query may hold a session or a key. */
function withoutQuery(address: string): string {
	return address.replace(/[?#].*$/s, '');
}
