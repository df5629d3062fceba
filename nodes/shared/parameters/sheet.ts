import type { INodeProperties } from 'n8n-workflow';
import { builderHint, type SheetContext } from './parameter';
import { fromList } from '../editor/pickList';
import { requireText } from './settings';
import type { Connection } from '../../api/http/connection';
import { isObject } from '../../api/json/objects';
import { originOf } from '../../api/values/serviceAddress';
import { InputError, parsedIn } from '../../api/values/inputError';
import {
	parsePastedAddress,
	parseSheetPath,
	type SheetAddress,
} from '../../api/values/sheetAddress';
import { requireTextual } from '../../api/values/singleValue';
import { textOf, trimmedPaste } from '../../api/values/text';
import { SheetFields } from '../../api/sheet/sheetFields';

const message = 'If the list takes long, select the sheet By URL or By Path';

export const sheetProperty: INodeProperties = {
	displayName: 'Sheet',
	name: 'sheet',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'Sheet that contains the records',
	...builderHint(
		"With mode 'path', give the folder path and sheet number that follow the account in the sheet's address, e.g. sales/orders/1. With mode 'url', give the whole address. If the sheet is unknown, keep mode 'list' and let the user choose.",
	),
	modes: [
		fromList('searchSheets', { slowLoadNotice: { message, timeout: 10_000 } }),
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://www.example.com/acme/sales/orders/1',
			hint: 'Copy the address from the browser while the sheet is open. If the name of its folder is a number, use By Path instead.',
		},
		{
			displayName: 'By Path',
			name: 'path',
			type: 'string',
			placeholder: 'e.g. sales/orders/1',
			hint: 'Folder path and sheet number from the address of the sheet',
		},
	],
};

type ClientSource = Pick<SheetContext, 'client' | 'value'>;

export const sheetParameter = {
	properties: [sheetProperty],
	parse: (item: ClientSource) => parseSheet(item.value('sheet'), item.client.connection),
};

/** Returns the sheet of a resource locator or of a text. Throws InputError if it is empty, or a sheet of another account. */
export function parseSheet(locator: unknown, connection: Connection): SheetAddress {
	const text = requireText(locatorText(locator, 'Sheet'), 'Sheet');
	return isAddress(text)
		? parseAddressOfAccount(text, connection, 'Sheet').sheet
		: parsedIn('Sheet', () => parseSheetPath(text));
}

/** Returns the text of a resource locator in any mode. Throws InputError for a list, an object, a date or NaN. */
export function locatorText(locator: unknown, displayName: string): string {
	// A generated workflow may lack n8n's mark `__rl`.
	const isLocator = isObject(locator) && ('__rl' in locator || 'mode' in locator);
	const value = isLocator ? locator.value : locator;
	requireTextual(value, displayName);
	return trimmedPaste(textOf(value));
}

/** Returns whether a text begins like a pasted address (`http://` or `https://`), not like a path or an ID. */
export function isAddress(text: string): boolean {
	return /^https?:\/\//i.test(text);
}

/** Parses a pasted address. Throws InputError if it does not belong to the host and account of the credential. */
export function parseAddressOfAccount(
	text: string,
	{ baseUrl, account }: Connection,
	displayName: string,
) {
	const pasted = parsedIn(displayName, () => parsePastedAddress(text));
	const host = originOf(pasted.origin.replace(/^http:/, 'https:'));
	if (host === baseUrl && pasted.account === account) return pasted;
	throw new InputError(
		`The address belongs to the account '${pasted.account}' on ${pasted.origin}, but the credential is for '${account}' on ${baseUrl}`,
		"Choose another credential, or select the sheet 'By Path'.",
	);
}

/** Returns the fields of the selected sheet of an item. */
export function fieldsOfSheet(item: ClientSource): SheetFields {
	return new SheetFields(item.client, sheetParameter.parse(item));
}
