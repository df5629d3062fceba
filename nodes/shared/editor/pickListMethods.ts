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
import type { FieldList, Subtable } from '../../api/schema/fieldLists';
import type { Field } from '../../api/schema/fields';
import { fieldKey, findField, nameOf, systemFields } from '../../api/schema/fields';
import { Schema } from '../../api/schema/schema';
import { listSheets } from '../../api/schema/sheets';
import { findSubtable } from '../../api/schema/subtables';
import { InputError } from '../../api/values/inputError';
import { formatSheetPath, sheetPath, type SheetAddress } from '../../api/values/sheetAddress';

/** Maximum age of the lists that the editor shows, in ms. */
const maxListAgeMilliseconds = 60_000;

/** The sheet that is chosen in the editor, and the way to it. */
export interface ChosenSheet {
	context: ILoadOptionsFunctions;
	client: Client;
	sheet: SheetAddress;
	schema: Schema;
}

/** Returns what `read` yields of the chosen sheet; before one is chosen `beforeChoice`, without a request. */
export async function ofChosenSheet<T>(
	context: ILoadOptionsFunctions,
	beforeChoice: T,
	read: (chosen: ChosenSheet) => Promise<T>,
): Promise<T> {
	const source = sourceOf(context);
	if (locatorText(source.value(sheetProperty.name)) === '') return beforeChoice;
	return await forEditor(context, async (client) => {
		const sheet = sheetParameter.parse({ ...source, client });
		const schema = new Schema(client, sheet);
		// Somebody who has just added a field looks for it.
		schema.forgetLists(maxListAgeMilliseconds);
		return await read({ context, client, sheet, schema });
	});
}

/** Returns the ID of the chosen subtable, which may be chosen by its name; undefined if it is unknown. */
export async function chosenSubtable(
	context: ILoadOptionsFunctions,
	schema: Schema,
): Promise<string | undefined> {
	const key = String(context.getCurrentNodeParameter('subtableId') ?? '');
	return findSubtable(key, await schema.list());
}

/** Returns what `read` yields with the chosen credential; what it throws as an error that the editor shows. */
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

/** Returns a method of the editor that lists something of the chosen sheet. */
function listOf(list: (chosen: ChosenSheet) => Promise<Options>) {
	return async function (this: ILoadOptionsFunctions): Promise<Options> {
		return await ofChosenSheet(this, chooseSheet, list);
	};
}

/** The same for a list that is searched. */
function searchOf(list: (chosen: ChosenSheet) => Promise<Options>) {
	return async function (this: ILoadOptionsFunctions, filter?: string) {
		const results = await ofChosenSheet(this, chooseSheet, list);
		return { results: results.filter(containing(filter)) };
	};
}

const chooseSheet = note('Choose the Sheet First');
const noList = note('The Service Does Not List the Fields – Enter a Field ID as an Expression');
const noSubtables = note('No Subtable of This Sheet Is Known – Enter Its ID as an Expression');

/** A list of one line that is no choice: n8n does not mark the empty value as wrong. */
function note(name: string): Options {
	return [{ name, value: '' }];
}

async function fieldOptions({ schema }: ChosenSheet): Promise<Options> {
	const list = await schema.namedList();
	if (!list) return noList;
	return list.fields
		.filter(({ subtableId }) => subtableId === undefined)
		.map((field, _, fields) => ({ name: labelOf(field, fields), value: field.fieldId }))
		.sort((left, right) => left.name.localeCompare(right.name));
}

/** By its name; without one, by some fields by which people know it, and the id. */
function subtableChoice({ subtableId, name }: Subtable, { fields }: FieldList): Options[number] {
	const own = fields.filter((field) => field.subtableId === subtableId).map(nameOf);
	const label = name || `${own.slice(0, 3).join(', ')} (${subtableId})`.trim();
	return { name: label, value: subtableId };
}

/** The name, with the id behind it where that of another field is not known to differ. */
export function labelOf(field: Field, fields: readonly Field[]): string {
	const name = nameOf(field);
	const isOnly = fields.every((other) => other.fieldId === field.fieldId || nameOf(other) !== name);
	return isOnly ? name : `${name} (${field.fieldId})`;
}

export const loadOptions = {
	getFields: listOf(fieldOptions),

	/** The fields of the chosen sheet, and those that every sheet has. */
	getFilterFields: listOf(async (chosen) => {
		const own = await fieldOptions(chosen);
		const isName = (id: string) => own.some(({ name }) => name === id);
		return [
			...own,
			// An id that is the name of a field stands for that field.
			...systemFields.map(({ fieldId, name }) => ({
				name: `${name} (System)`,
				value: isName(fieldId) ? name : fieldId,
			})),
		];
	}),

	/** The fields of the chosen sheet behind a choice of none. */
	getOptionalFields: listOf(async (chosen) => {
		const fields = await fieldOptions(chosen);
		return fields === noList ? fields : [{ name: '[None]', value: '' }, ...fields];
	}),

	getSubtables: listOf(async ({ schema }) => {
		const list = await schema.list();
		if (!list || list.subtables.length === 0) return noSubtables;
		return list.subtables.map((subtable) => subtableChoice(subtable, list));
	}),
};

const recordsPerPage = 50;

/** Only titles are shown. */
const reading = plainReadOptions('FNAME', ['listing', true]);

async function searchSheets(this: ILoadOptionsFunctions, filter?: string) {
	return await forEditor(this, async (client) => {
		const sheets = await listSheets(client);
		if (!sheets || sheets.length === 0) {
			throw new InputError(
				'The service does not list sheets for this user. Use By URL or By Path instead',
				"Select 'By URL' instead of 'From List' and paste the address of the sheet, or select 'By Path'.",
			);
		}
		const results = sheets.map(({ name, folderNames, address }) => ({
			name: [...folderNames, name].join(' / '),
			value: formatSheetPath(address),
			url: urlOf(client, address),
		}));
		return { results: results.filter(containing(filter)) };
	});
}

/** Records by their titles. The token names those shown: read once more, none is passed over or shown twice when others come and go. */
async function searchRecords(this: ILoadOptionsFunctions, filter?: string, token?: unknown) {
	const before: INodeListSearchResult = { results: chooseSheet };
	return await ofChosenSheet(this, before, async ({ client, sheet }) => {
		const search = { fullText: filter };
		const request = { sheet, where: [], search, order: [newestFirst], reading };
		const shown = typeof token === 'string' ? token.split(',') : [];
		const limit = shown.length + recordsPerPage;
		const records = await listPage(client, request, { offset: 0, limit }, recordsIn);
		const others = records.filter(({ id }) => !shown.includes(id));
		const next = others.slice(0, recordsPerPage);
		const isLast = records.length < limit && next.length === others.length;
		const url = urlOf(client, sheet);
		return {
			results: next.map((one) => ({ name: titleOf(one), value: one.id, url: `${url}/${one.id}` })),
			...(!isLast && { paginationToken: [...shown, ...next.map(({ id }) => id)].join() }),
		};
	});
}

function urlOf({ connection }: Client, sheet: SheetAddress): string {
	return `${connection.baseUrl}${sheetPath(connection.account, sheet)}`;
}

function titleOf({ id, content }: SheetRecord): string {
	const title = content.get('_index_title_');
	return typeof title === 'string' && title !== '' ? `${title} (${id})` : `Record ${id}`;
}

/** Whether the name of an entry contains a text, or its value does: notes without one are always shown. */
function containing(filter = ''): (entry: Options[number]) => boolean {
	const wanted = filter.toLowerCase();
	return ({ name, value }) => value === '' || `${name} ${value}`.toLowerCase().includes(wanted);
}

export const listSearch = {
	searchActionButtons: searchOf(async ({ client, sheet }) => {
		const buttons = await listActionButtons(client, sheet);
		return buttons.map(({ name, buttonId }) => ({ name, value: buttonId }));
	}),

	/** The choices of the field beside the value, or what the newest records hold in it. */
	searchChoices: searchOf(async ({ context, schema }) => {
		const key = fieldKey(context.getCurrentNodeParameter('&field'));
		if (key === '') return note('Choose the Field First');
		const field = findField(await schema.fields(), key);
		const known = await schema.choices(field.choices ? [] : [field]);
		const choices = field.choices ?? known.get(field.fieldId)?.choices ?? [];
		return choices.map((choice) => ({ name: choice, value: choice }));
	}),

	searchRecords,
	searchSheets,
};
