import { encodeText } from './query';
import { EntryError, InputError } from './inputError';
import { percentDecoded, withoutOuterSlashes } from './text';

/** Address of a sheet: its decoded folders, outermost first, and its number. */
export interface SheetAddress {
	folders: string[];
	sheetIndex: number;
}

/** Address of a record. */
export interface RecordAddress {
	sheet: SheetAddress;
	/** Record ID, digits only. */
	recordId: string;
}

/** Parts of a pasted browser address. `recordId` is set if it is the address of a record. */
export interface PastedAddress {
	origin: string;
	account: string;
	sheet: SheetAddress;
	recordId?: string;
}

/** Parses `folder/sub/3`: at least one folder, and the sheet number. Throws InputError for any other text. */
export function parseSheetPath(path: string): SheetAddress {
	const folders = splitPath(path);
	const index = folders.pop() ?? '';
	if (folders.length > 0 && isWholeNumber(index))
		return { folders, sheetIndex: sheetNumber(index) };
	throw wrongAddress(path, 'is not a sheet path');
}

/**
 * Parses the browser address of a sheet or a record. Query and fragment are dropped, because the service would take them for
 * fields in a write. Throws InputError.
 */
export function parsePastedAddress(address: string): PastedAddress {
	// Do not use `new URL`: it resolves `..` before this function can reject it.
	const match = /^(https?:\/\/([^/?#\\]+))\/([^?#]*)/i.exec(address.trim());
	const [, origin = '', host = '', path = ''] = match ?? [];
	const shownAddress = withoutQuery(address);
	if (!match)
		throw wrongAddress(shownAddress, 'is not an address of a sheet, e.g. https://…/sales/1');
	if (host.includes('@'))
		throw new InputError('The address must not hold a user name or password', addressAdvice);
	const [account = '', ...segments] = splitPath(path);
	return { origin: origin.toLowerCase(), account, ...parseSegments(segments, shownAddress) };
}

/**
 * Parses the path after the account: folders, the sheet number and, for a record, its ID. `shownAddress` is the address for
 * errors.
 */
function parseSegments(
	segments: readonly string[],
	shownAddress: string,
): Pick<PastedAddress, 'sheet' | 'recordId'> {
	const folders = segments.slice(0, -1);
	const last = segments.at(-1) ?? '';
	if (!isWholeNumber(last)) {
		throw wrongAddress(shownAddress, 'does not end with the number of a sheet or record');
	}
	const before = folders.at(-1);
	if (before === undefined) {
		throw wrongAddress(shownAddress, 'names no folder before the sheet number');
	}
	// Two numbers after a folder are the sheet number and the record ID. A number as the only folder stays a folder.
	const isRecord = folders.length >= 2 && isWholeNumber(before);
	if (!isRecord) return { sheet: { folders, sheetIndex: sheetNumber(last) } };
	const sheet = { folders: folders.slice(0, -1), sheetIndex: sheetNumber(before) };
	return { sheet, recordId: wholeNumberText(last) };
}

/** Returns the encoded path of an account: `/account`. Throws InputError if it cannot be encoded. */
export function accountPath(account: string): string {
	return `/${encodeText(account)}`;
}

/** Returns the encoded path of a sheet: `/account/folder/sub/3`. Throws InputError if a text cannot be encoded. */
export function sheetPath(account: string, { folders, sheetIndex }: SheetAddress): string {
	return [accountPath(account), ...folders.map(encodeText), sheetIndex].join('/');
}

/** Returns the path as a person writes it. Encodes only characters that `parseSheetPath` would otherwise misread. */
export function formatSheetPath({ folders, sheetIndex }: SheetAddress): string {
	const names = folders.map((folder) =>
		folder.replace(/[%/?#]|^[\s\p{Cf}]|[\s\p{Cf}]$/gu, encodeURIComponent),
	);
	return [...names, sheetIndex].join('/');
}

/** Returns whether a text can be a record ID, a row ID or a sheet number: 1 to 18 digits. */
export function isWholeNumber(text: string): boolean {
	return /^\d{1,18}$/.test(text);
}

/** Returns a record ID, row ID or sheet number without leading zeros, or undefined if the text is not a whole number. */
export function wholeNumberText(text: string): string | undefined {
	return isWholeNumber(text) ? text.replace(/^0+(?=\d)/, '') : undefined;
}

/** Parses a sheet number. Throws InputError for a number that JavaScript would round, because it would be another sheet. */
function sheetNumber(text: string): number {
	const number = Number(text);
	if (Number.isSafeInteger(number)) return number;
	throw wrongAddress(text, 'is not the number of a sheet');
}

function splitPath(path: string): string[] {
	const trimmed = withoutOuterSlashes(path.trim());
	if (trimmed === '') return [];
	if (/[?#]/.test(trimmed)) {
		throw wrongAddress(withoutQuery(path), "must be without '?', '#' and what follows them");
	}
	return trimmed.split('/').map((segment) => decodeSegment(segment, path));
}

function decodeSegment(segment: string, path: string): string {
	// A malformed percent escape means that the name is not encoded.
	const decoded = percentDecoded(segment) ?? segment;
	// A folder name may contain an encoded slash. Also reject names such as `a/..`, because a server that decodes the path again
	// would resolve them.
	if (decoded === '' || decoded.split(/[/\\]/).some((part) => part === '.' || part === '..')) {
		throw wrongAddress(withoutQuery(path), "holds an empty folder name, '.' or '..'");
	}
	return decoded;
}

const addressAdvice =
	'Choose the sheet from the list, paste its address, or enter the folder path and the sheet number, e.g. sales/orders/1.';

function wrongAddress(address: string, problem: string): EntryError {
	return new EntryError(address, problem, addressAdvice);
}

/** Removes the query, because it may contain a session ID or an API key. */
function withoutQuery(address: string): string {
	return address.replace(/[?#].*$/s, '');
}
