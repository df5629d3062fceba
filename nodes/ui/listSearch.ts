import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { listActionButtons } from '../api/actions';
import { listSheets } from '../api/schema/sheets';
import { listAfter, type ListPosition } from '../api/read/pages';
import { plainReadOptions } from '../api/read/readOptions';
import { fieldKey, findField } from '../api/schema/fields';
import type { SheetRecord } from '../api/read/record';
import { InputError } from '../api/values/inputError';
import { formatSheetPath, sheetPath } from '../api/values/sheetAddress';
import { note } from './loadOptions';
import { connectForPickList, forEditor, ofChosenSheet } from './pickListContext';

const recordsPerPage = 50;

/** Only titles are shown. */
const reading = plainReadOptions('FNAME', ['listing', true]);

async function searchSheets(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await forEditor(this, async () => {
		const client = await connectForPickList(this);
		const sheets = await listSheets(client);
		if (!sheets || sheets.length === 0) {
			throw new InputError(
				'The service does not list its sheets for this user',
				"Choose 'By URL' and paste the address of the sheet, or 'By Path'.",
			);
		}
		const { baseUrl, account } = client.connection;
		const results = sheets
			.map(({ name, folderNames, address }): INodeListSearchItems => ({
				name: [...folderNames, name].join(' / '),
				value: formatSheetPath(address),
				url: `${baseUrl}${sheetPath(account, address)}`,
			}))
			.filter(({ name, value }) => contains(`${name} ${value}`, filter));
		return { results };
	});
}

/** Records of the chosen sheet by their titles, found by full text. */
async function searchRecords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	return await ofChosenSheet(this, chooseSheet, async ({ client, sheet }) => {
		const search = { fullText: filter };
		const request = { sheet, where: [], search, order: { reverse: true }, reading };
		const after = positionOf(paginationToken);
		const { records, position } = await listAfter(client, request, recordsPerPage, after);
		const { baseUrl, account } = client.connection;
		return {
			results: records.map((record) => ({
				name: titleOf(record),
				value: record.id,
				url: `${baseUrl}${sheetPath(account, sheet)}/${record.id}`,
			})),
			...(position ? { paginationToken: tokenOf(position) } : {}),
		};
	});
}

async function searchActionButtons(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await ofChosenSheet(this, chooseSheet, async ({ client, sheet }) => {
		const buttons = await listActionButtons(client, sheet);
		const results = buttons
			.filter(({ name }) => contains(name, filter))
			.map(({ name, buttonId }) => ({ name, value: buttonId }));
		return { results };
	});
}

/** The choices of the field beside the value, or what the newest records hold in it. */
async function searchChoices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await ofChosenSheet(this, chooseSheet, async ({ schema }) => {
		const key = fieldKey(this.getCurrentNodeParameter('&field'));
		if (key === '') return { results: note('Choose the Field First') };
		const field = findField(await schema.fields(), key);
		const known = await schema.choices(field.choices ? [] : [field]);
		const choices = field.choices ?? known.get(field.fieldId) ?? [];
		const results = choices
			.filter((choice) => contains(choice, filter))
			.map((choice) => ({ name: choice, value: choice }));
		return { results };
	});
}

const chooseSheet = { results: note('Choose the Sheet First') };

/** The place in the list, and the records shown last: by them it is found again although others came or went. */
function tokenOf({ count, keys }: ListPosition): string {
	return [count, ...keys].join();
}

function positionOf(token: unknown): ListPosition | undefined {
	if (typeof token !== 'string' || token === '') return undefined;
	const [count, ...keys] = token.split(',');
	return { count: Number(count), keys };
}

function titleOf({ id, content }: SheetRecord): string {
	const title = content.get('_index_title_');
	return typeof title === 'string' && title !== '' ? `${title} (${id})` : `Record ${id}`;
}

function contains(text: string, filter: string | undefined): boolean {
	return filter === undefined || text.toLowerCase().includes(filter.toLowerCase());
}

export const listSearch = { searchActionButtons, searchChoices, searchRecords, searchSheets };
