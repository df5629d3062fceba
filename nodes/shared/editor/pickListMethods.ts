import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { connect } from '../connect';
import { authenticationParameter } from './nodeDescription';
import { nodeError } from '../nodeError';
import type { ParameterSource } from '../parameters/parameter';
import { locatorText, sheetParameter, sheetProperty } from '../parameters/sheet';
import { listActionButtons } from '../../api/actions';
import type { Client } from '../../api/http/client';
import { plainReadOptions } from '../../api/read/readOptions';
import { listPage, newestFirst, recordsIn } from '../../api/read/records';
import type { SheetRecord } from '../../api/read/record';
import type { FieldIndex } from '../../api/sheet/fieldIndex';
import { fieldKey, nameOf, systemFields, type Field, type Subtable } from '../../api/sheet/fields';
import { SheetFields } from '../../api/sheet/sheetFields';
import { listSheets } from '../../api/account/sheets';
import { findSubtable } from '../../api/sheet/subtables';
import { InputError } from '../../api/values/inputError';
import { formatSheetPath, sheetPath, type SheetAddress } from '../../api/values/sheetAddress';

/** Description of a choice that the service does not list. */
export const valueInUse = 'In use in the newest records';

/** Maximum age of the lists that the editor shows, in ms. */
const maxListAgeMilliseconds = 60_000;

/** The sheet that is selected in the editor, with its client and fields. */
export interface ChosenSheet {
	context: ILoadOptionsFunctions;
	client: Client;
	sheet: SheetAddress;
	sheetFields: SheetFields;
}

/** Calls `read` with the selected sheet, and returns its result. Returns `beforeChoice` if no sheet is selected. */
export async function ofChosenSheet<T>(
	context: ILoadOptionsFunctions,
	beforeChoice: T,
	read: (chosen: ChosenSheet) => Promise<T>,
): Promise<T> {
	const source = sourceOf(context);
	if (locatorText(source.value(sheetProperty.name), 'Sheet') === '') return beforeChoice;
	return await forEditor(context, async (client) => {
		const sheet = sheetParameter.parse({ ...source, client });
		const sheetFields = new SheetFields(client, sheet);
		// Show fields that the user has just added to the sheet.
		sheetFields.forgetLists(maxListAgeMilliseconds);
		return await read({ context, client, sheet, sheetFields });
	});
}

/** Returns the ID of the selected subtable, which may be selected by name; undefined if it is unknown. */
export async function chosenSubtable(
	context: ILoadOptionsFunctions,
	sheetFields: SheetFields,
): Promise<string | undefined> {
	const key = String(context.getCurrentNodeParameter('subtableId') ?? '');
	return findSubtable(key, (await sheetFields.load()).subtables);
}

/** Calls `read` with a client for the selected credential, and returns its result. Throws its errors as errors that the editor shows. */
async function forEditor<T>(context: ILoadOptionsFunctions, read: (client: Client) => Promise<T>) {
	try {
		const type = authenticationParameter.parse(sourceOf(context));
		return await read(await connect(context, type));
	} catch (thrown) {
		throw nodeError(context.getNode(), thrown, 0);
	}
}

function sourceOf(context: ILoadOptionsFunctions): ParameterSource {
	return { value: (name) => context.getCurrentNodeParameter(name) };
}

type Options = INodeListSearchResult['results'];

/** Returns an editor method that lists options of the selected sheet. */
function listMethod(list: (chosen: ChosenSheet) => Promise<Options>) {
	return async function (this: ILoadOptionsFunctions): Promise<Options> {
		return await ofChosenSheet(this, chooseSheet, list);
	};
}

/** Returns an editor method that searches a list of the selected sheet. */
function searchMethod(list: (chosen: ChosenSheet) => Promise<Options>) {
	return async function (this: ILoadOptionsFunctions, filter?: string) {
		const results = await ofChosenSheet(this, chooseSheet, list);
		return { results: results.filter(containing(filter)) };
	};
}

const chooseSheet = note('Choose the Sheet First');
const noList = note('The Service Does Not List the Fields – Enter a Field ID as an Expression');
const noSubtables = note('No Subtable of This Sheet Is Known – Enter Its ID as an Expression');

/** Returns a list with a single note. Its value is empty, which n8n does not mark as wrong. */
function note(name: string): Options {
	return [{ name, value: '' }];
}

/** Returns the options of the fields outside of subtables, sorted by name; `noList` if the service lists no fields. */
async function fieldChoices({ sheetFields }: ChosenSheet): Promise<Options> {
	const index = await sheetFields.load({ readNames: true });
	if (index.isEmpty) return noList;
	return index
		.fieldsOf('record')
		.map((field, _, fields) => ({ name: labelOf(field, fields), value: field.fieldId }))
		.sort((left, right) => left.name.localeCompare(right.name));
}

/** Returns the option of a subtable. A subtable without a name is described by three of its fields and its ID. */
function subtableChoice({ subtableId, name }: Subtable, index: FieldIndex): Options[number] {
	const names = index.fieldsOf({ subtableId }).map((field) => index.outputKey(field));
	const label = name || `${names.slice(0, 3).join(', ')} (${subtableId})`.trim();
	return { name: label, value: subtableId };
}

/** Returns the name of a field, followed by its ID if another field has the same name. */
export function labelOf(field: Field, fields: readonly Field[]): string {
	const name = nameOf(field);
	const isShared = fields.some((listed) => {
		return listed.fieldId !== field.fieldId && nameOf(listed) === name;
	});
	return isShared ? `${name} (${field.fieldId})` : name;
}

export const loadOptions = {
	getFields: listMethod(fieldChoices),

	/** The fields of the selected sheet, followed by the system fields of every sheet in the order of the specification. */
	getFilterFields: listMethod(async (chosen) => {
		const choices = await fieldChoices(chosen);
		const index = await chosen.sheetFields.load();
		return [
			...choices,
			// Use the name of a system field if a field is named like its ID, because that ID would select the field.
			...systemFields.map(({ fieldId, name }) => ({
				name: `— ${name} (System)`,
				value: index.hasName(fieldId, 'record') ? name : fieldId,
			})),
		];
	}),

	/** The fields of the selected sheet, after an empty option. */
	getOptionalFields: listMethod(async (chosen) => {
		const fields = await fieldChoices(chosen);
		return fields === noList ? fields : [{ name: '[None]', value: '' }, ...fields];
	}),

	getSubtables: listMethod(async ({ sheetFields }) => {
		const index = await sheetFields.load();
		if (index.subtables.length === 0) return noSubtables;
		return index.subtables.map((subtable) => subtableChoice(subtable, index));
	}),
};

const recordsPerPage = 50;

/** Read options for titles of records. */
const reading = plainReadOptions('FNAME', ['listing', true]);

/** Sheets from A to Z, each with its folders. */
async function searchSheets(this: ILoadOptionsFunctions, filter?: string) {
	return await forEditor(this, async (client) => {
		const sheets = await listSheets(client);
		if (!sheets) {
			throw new InputError(
				'The service does not list sheets for this user. Use By URL or By Path instead',
				"The user sees no sheet in the account's menu, nor in the service's list for integrations. Select 'By URL' instead of 'From List' and paste the address of the sheet, or select 'By Path'.",
			);
		}
		const results = sheets.map(({ name, folderNames, address }) => ({
			name: [...folderNames, name].join(' / '),
			value: formatSheetPath(address),
			url: sheetUrl(client, address),
		}));
		results.sort((left, right) => left.name.localeCompare(right.name, 'en', { numeric: true }));
		return { results: results.filter(containing(filter)) };
	});
}

/**
 * Lists records with their titles, newest first. `filter` is a full-text search of the service. The pagination token has the
 * IDs of the records already listed. All of them are read again, so that no record is skipped or listed twice if records are
 * added or deleted in the meantime.
 */
async function searchRecords(this: ILoadOptionsFunctions, filter?: string, token?: unknown) {
	const before: INodeListSearchResult = { results: chooseSheet };
	return await ofChosenSheet(this, before, async ({ client, sheet }) => {
		const search = { fullText: filter };
		const request = { sheet, where: [], search, order: [newestFirst], reading };
		const listedIds = typeof token === 'string' ? token.split(',') : [];
		const limit = listedIds.length + recordsPerPage;
		const records = await listPage(client, request, { offset: 0, limit }, recordsIn);
		const unlisted = records.filter(({ id }) => !listedIds.includes(id));
		const next = unlisted.slice(0, recordsPerPage);
		const isLast = records.length < limit && next.length === unlisted.length;
		const url = sheetUrl(client, sheet);
		const results = next.map((record) => {
			return { name: titleOf(record), value: record.id, url: `${url}/${record.id}` };
		});
		if (isLast) return { results };
		return { results, paginationToken: [...listedIds, ...next.map(({ id }) => id)].join() };
	});
}

function sheetUrl({ connection }: Client, sheet: SheetAddress): string {
	return `${connection.baseUrl}${sheetPath(connection.account, sheet)}`;
}

function titleOf({ id, content }: SheetRecord): string {
	const title = content.get('_index_title_');
	return typeof title === 'string' && title !== '' ? `${title} (${id})` : `Record ${id}`;
}

/** Returns a filter for entries whose name or value contains a text, in any letter case. Notes have no value and always match. */
function containing(filter = ''): (entry: Options[number]) => boolean {
	const text = filter.toLowerCase();
	return ({ name, value }) => value === '' || `${name} ${value}`.toLowerCase().includes(text);
}

export const listSearch = {
	searchActionButtons: searchMethod(async ({ client, sheet }) => {
		const buttons = await listActionButtons(client, sheet);
		return buttons.map(({ name, buttonId }) => ({ name, value: buttonId }));
	}),

	/** The choices of the selected field, or its values in the newest records, which are marked. */
	searchChoices: searchMethod(async ({ context, sheetFields }) => {
		const key = fieldKey(context.getCurrentNodeParameter('&field'));
		if (key === '') return note('Choose the Field First');
		const index = await sheetFields.load();
		const field = index.require(key, index.isOfRows(key) ? 'rows' : 'recordOrSystem');
		const known = await sheetFields.observedValues(field.choices ? [] : [field]);
		const choices = field.choices ?? known.get(field.fieldId)?.choices ?? [];
		const mark = field.choices ? {} : { description: valueInUse };
		return choices.map((choice) => ({ name: choice, value: choice, ...mark }));
	}),

	searchRecords,
	searchSheets,
};
