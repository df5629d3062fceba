import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../api/http/client';
import { fallbackTo } from '../../../api/http/serviceError';
import { membersByKey } from '../../../api/json/jsonReading';
import { jsonpPages, listPages } from '../../../api/read/pages';
import { isNodeCondition, whereParts, type WhereCondition } from '../../../api/read/query';
import { newestFirst as byCreation, recordsAs, type ListRequest } from '../../../api/read/records';
import {
	conditionsParameter,
	rawConditions,
	requireUsableConditions,
} from '../../../shared/parameters/filters';
import { firstReadingOptions, listFlags, recordOptions } from '../../../shared/parameters/options';
import type { OutputOptions } from '../../../shared/parameters/options';
import {
	mapped,
	numberParameter,
	optional,
	optionsCollection,
	textParameter,
} from '../../../shared/parameters/parameter';
import { outputShape, type OutputShape } from '../../../shared/output/recordOutput';
import { outputReadOptions } from '../../../shared/output/returnedFields';
import { outputFormParameter } from '../../../shared/parameters/outputForm';
import { sheetParameter } from '../../../shared/parameters/sheet';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { InputError } from '../../../api/values/inputError';
import type { QueryParameter } from '../../../api/values/query';
import {
	countMatching,
	matchingFlags,
	NodeFilter,
	operatorLabels,
} from '../../../shared/nodeFilter';
import type { Item } from '../../run/itemContext';
import { operation } from '../../run/operation';
import { maxReportedMatches } from '../../run/toolAnswer';
import { OutputItems } from '../../run/operationResult';
import { itemsWithFiles } from '../../../shared/output/recordFiles';
import {
	emptyOutput,
	emptyResultOption,
	fullText,
	limitParameter,
	newestFirst,
	sheetFilters,
	orderOf,
	sortOption,
} from '../../parameters/list';

/** Name of the JSONP function: letters, digits, `_`, `$` and dots. Without a name, the output is records. */
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
	description:
		'Get the records that match filters: find, list or search records. To know only how many match, use Count.',
	parameters: {
		sheet: sheetParameter,
		limit: limitParameter,
		conditions: conditionsParameter,
		form: outputFormParameter,
		options: optionsCollection(
			{
				...recordOptions,
				sort: sortOption,
				where: rawConditions,
				fullText,
				newestFirst,
				emptyResult,
				...sheetFilters,
				...listFlags,
				pageSize,
				callback,
			},
			firstReadingOptions,
		),
	},
	async run(item, { sheet, limit, conditions, form, options }) {
		const { client, run } = item;
		const sheetFields = new SheetFields(client, sheet);
		const settings = { ...options, ...form };
		const shape = await outputShape(client, sheet, settings, run.hints.untyped);
		const { naming = 'FNAME' } = options;
		const nodeFilter = await NodeFilter.of(conditions, naming, sheetFields, options);
		const reading = await outputReadOptions(client, sheet, settings, nodeFilter.fieldIds);
		const order = await orderOf(sheetFields, options.sort);
		// The API takes one `order`, so a Sort rule replaces it.
		if (options.newestFirst && order.length === 0) order.push(byCreation);
		const raw = options.where ?? [];
		await requireUsableConditions(sheetFields, conditions, raw);
		const sent = conditions.filter((condition) => !isNodeCondition(condition));
		const where = [...sent, ...raw];
		requireUndivided(where, options);
		const request = { sheet, where, search: options, order, reading };
		const limits = { limit, pageSize: options.pageSize };
		const json: IDataObject[] = [];
		let recordCount = 0;
		if (options.callback) {
			requireNoRecordOptions(nodeFilter, options);
			const pages = jsonpPages(client, request, options.callback, limits);
			for await (const { text, records } of pages) {
				json.push({ jsonp: text });
				recordCount += records.length;
				run.progress({ records: records.length });
			}
		} else {
			const pages = matchingPages(client, request, { ...limits, nodeFilter, shape, item });
			for await (const page of pages) json.push(...page);
			recordCount = json.length;
		}
		if (run.isTool) {
			const isCut = recordCount >= limit;
			const counting = async () => await matchedRecords(item, request, conditions, options);
			// The records are read, so a failed count must not lose them.
			const count = async () => await counting().catch(fallbackTo(NaN));
			run.addMatches(isCut ? await count() : recordCount);
		}
		if (json.length === 0) {
			return emptyOutput(options.emptyResult, 'No record was found', 'Check the filters.');
		}
		const { simplify } = form;
		run.journal.noteRecords(item.index, sheet, { ...options, simplify });
		return new OutputItems(await itemsWithFiles(item, { ...options, simplify, sheet }, json));
	},
});

/** Selection and conversion of the records of a list. */
interface Matching {
	nodeFilter: NodeFilter;
	/** Maximum number of matching records. */
	limit: number;
	/** Omitted for automatic. */
	pageSize?: number;
	shape: OutputShape;
	item: Item;
}

/** Yields at most `limit` matching records as items, page by page. Adds a hint with the number of records that the node compared. */
async function* matchingPages(
	client: Client,
	request: ListRequest,
	{ nodeFilter, limit, pageSize, shape, item: { run, index } }: Matching,
): AsyncGenerator<IDataObject[]> {
	const decode = recordsAs((id, members) => {
		const isMatch = nodeFilter.isEmpty || nodeFilter.matches(membersByKey(members));
		return { id, json: isMatch ? shape.json(id, members) : undefined };
	});
	// Pages have the usual size, because any number of records may not match.
	const limits = { limit: nodeFilter.isEmpty ? limit : Infinity, pageSize };
	let [readCount, count] = [0, 0];
	for await (const page of listPages(client, request, decode, limits)) {
		readCount += page.length;
		run.progress({ records: page.length });
		nodeFilter.requireFields();
		const matching = page.flatMap(({ json }) => (json ? [json] : [])).slice(0, limit - count);
		count += matching.length;
		yield await shape.withOutputKeys(matching);
		if (count >= limit) break;
	}
	if (!nodeFilter.isEmpty) run.hints.addComparison(index, readCount, count);
}

/** Returns the number of records that match without the limit. Stops counting at the maximum that the answer of a tool reports. */
async function matchedRecords(
	{ client }: Item,
	request: ListRequest,
	conditions: readonly WhereCondition[],
	{ additionalParameters = [] }: { additionalParameters?: QueryParameter[] },
): Promise<number> {
	const filter = await NodeFilter.of(conditions, 'EID', new SheetFields(client, request.sheet));
	// Additional parameters may be conditions, too. The read contains them, so the set removes doubles.
	const flags = [...new Set([...matchingFlags(request.reading), ...additionalParameters])];
	const { version } = request.reading;
	const maxCount = maxReportedMatches;
	return await countMatching(client, request, filter, { flags, version, maxCount });
}

/** Throws InputError if a list of values needs several requests, and an option needs a single one. */
function requireUndivided(
	where: readonly WhereCondition[],
	options: { sort: readonly unknown[]; newestFirst?: boolean; callback?: string },
): void {
	const labels = [
		options.sort.length > 0 && 'Sort',
		options.newestFirst && 'Newest First',
		options.callback && 'JSONP Callback',
	];
	const label = labels.find((candidate) => candidate);
	if (!label || whereParts(where).length === 1) return;
	throw new InputError(
		`The list of 'Is One Of' needs several requests, so the option '${label}' cannot be applied`,
		"Remove the option, shorten the list, or look up the values with the operation Get and 'Get By' set to Match.",
	);
}

/** Throws InputError for options that change or select records. JSONP pages are returned as texts, without reading their records. */
function requireNoRecordOptions(nodeFilter: NodeFilter, options: OutputOptions): void {
	const { typedValues, isoDates, numberFields = [], listFields = [], downloadFiles = [] } = options;
	const labels = [
		!nodeFilter.isEmpty && operatorLabels,
		typedValues && "'Typed Values'",
		numberFields.length > 0 && "'Number Fields'",
		listFields.length > 0 && "'List Fields'",
		isoDates && "'ISO Dates'",
		downloadFiles.length > 0 && "'Download Files'",
	];
	const label = labels.find(Boolean);
	if (!label) return;
	throw new InputError(
		`${label} cannot be applied together with the option 'JSONP Callback'`,
		'The option returns pages as texts. Remove one of the two.',
	);
}
