import type { IDataObject } from 'n8n-workflow';
import { jsonpPages, listPages } from '../../../api/read/pages';
import { newestFirst as byCreation, recordsAs } from '../../../api/read/records';
import { conditionsParameter, rawConditions } from '../../../shared/parameters/filters';
import { listFlags, recordOptions } from '../../../shared/parameters/options';
import {
	mapped,
	numberParameter,
	optional,
	optionsCollection,
	textParameter,
} from '../../../shared/parameters/parameter';
import {
	outputReadOptions,
	outputShape,
	simplifyParameter,
} from '../../../shared/output/recordOutput';
import { sheetParameter } from '../../../shared/parameters/sheet';
import { InputError } from '../../../api/values/inputError';
import { operation } from '../../run/operation';
import { OutputItems } from '../../run/operationResult';
import { itemsWithFiles } from '../../../shared/output/recordFiles';
import {
	emptyOutput,
	emptyResultOption,
	fullText,
	limitParameter,
	newestFirst,
	sheetFilters,
	sortParameter,
} from '../../parameters/list';

const callback = optional(
	mapped(
		textParameter({
			displayName: 'JSONP Callback',
			name: 'callback',
			placeholder: 'e.g. showRecords',
			description:
				"Name of the function to wrap the response in. Each page is returned as text in the field 'jsonp'.",
		}),
		(name) => {
			if (/^[\w$.]*$/.test(name)) return name;
			throw new InputError(
				"'JSONP Callback' must be the name of a function, e.g. showRecords",
				'Use only letters, digits, _, $ and dots.',
			);
		},
	),
);

const pageSize = optional(
	numberParameter(
		{
			displayName: 'Page Size',
			name: 'pageSize',
			typeOptions: { minValue: 0 },
			description: 'Records to fetch per request. Set to 0 to choose automatically.',
		},
		(size) => Number.isSafeInteger(size) && size >= 0,
		'a whole number, or 0 for automatic',
		0,
	),
);

const emptyResult = emptyResultOption('none', 'What to return if no record matches');

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many records',
	description: 'Get the records that match filters: find, list or search records',
	parameters: {
		sheet: sheetParameter,
		limit: limitParameter,
		conditions: conditionsParameter,
		sort: sortParameter,
		simplify: simplifyParameter,
		options: optionsCollection({
			...recordOptions,
			where: rawConditions,
			fullText,
			newestFirst,
			emptyResult,
			...sheetFilters,
			...listFlags,
			pageSize,
			callback,
		}),
	},
	async run(item, { sheet, limit, conditions, sort, simplify, options }) {
		const { client, run } = item;
		const shape = await outputShape(client, sheet, { simplify, ...options }, run.hints.untyped);
		const reading = await outputReadOptions(client, sheet, options);
		const order = options.newestFirst ? [...sort, byCreation] : sort;
		const where = [...conditions, ...(options.where ?? [])];
		const request = { sheet, where, search: options, order, reading };
		const size = options.pageSize ?? 0;
		const json: IDataObject[] = [];
		if (options.callback) {
			const pages = jsonpPages(client, request, options.callback, limit, size);
			for await (const { text, records } of pages) {
				json.push({ jsonp: text });
				run.progress({ records: records.length });
			}
		} else {
			const decode = recordsAs((id, members) => ({ id, json: shape.json(id, members) }));
			for await (const page of listPages(client, request, decode, limit, size)) {
				for (const named of await shape.named(page.map((one) => one.json))) json.push(named);
				run.progress({ records: page.length });
			}
		}
		if (json.length === 0) return emptyOutput(options.emptyResult, 'No record was found');
		return new OutputItems(await itemsWithFiles(item, sheet, options, json));
	},
});
