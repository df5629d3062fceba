import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { orders, type SeenRequest } from '../service';
import { itemWithFiles, textFile, upload } from './file/fileTestbed';
import { byConditions, mass } from './massOperation/massParameters';
import { optionsOf } from './operations';
import { asJson, filesOption } from './record/recordValues';
import { numbers, onOrder, onOrders, useRecordTestbed } from './recordTestbed';
import { packageName, packageTypes, type InputItem } from './runner';
import { onLines, rowAsJson, rowIdsOf } from './subtableRow/rowTestbed';

/** Each option that changes requests is sent in every request of its operation, on each of its paths. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;
const { lines } = orders.subtables;
const { article } = lines.fields;

const keyOf = (id: number) => `KEY-${id}-${'x'.repeat(60)}`;

/** A value of an option, and the part of the query with which requests send it. */
type Sent = [value: NodeParameterValueType, query: string];

/** Options of reads. */
const readOptions: Record<string, Sent> = {
	additionalParameters: [{ parameter: [{ name: 'more', value: 'yes' }] }, 'more=yes'],
	approval: [true, 'approval=true'],
	bbcode: [true, 'bbcode=true'],
	callback: ['show', 'callback=show'],
	comment: [true, 'comment=true'],
	conversation: [true, 'conversation=true'],
	defaultFilter: [true, 'defaultFilter=1'],
	fieldKeys: ['id', 'naming=EID'],
	fullText: ['KEY', 'fts=KEY'],
	history: [true, 'history=true'],
	ignoreFixedFilter: [true, 'ignoreFixedFilter=true'],
	ignoreMask: [true, 'ignoreMask=true'],
	info: [true, 'info=true'],
	listing: [true, 'listing=true'],
	reverse: [true, 'order=105,DESC'],
	sharedViewId: ['7', 'filterId=7'],
	sort: [{ rule: { field: fields.orderNumber, direction: 'DESC' } }, `${fields.orderNumber},DESC`],
	subtables: [false, 'subtables=0'],
	timeZone: [8, 'tz=8'],
	version: ['2025-02-02', 'version=2025-02-02'],
	where: [`${fields.express},eq,Yes`, `where=${fields.express},eq,Yes`],
};

/** Options of writes. */
const writeOptions: Record<string, Sent> = {
	checkLock: [true, 'checkLock=true'],
	doDefaultValue: [true, 'doDefaultValue=true'],
	doFormula: [true, 'doFormula=true'],
	doLinkLoad: ['first', 'doLinkLoad=first'],
	doValidation: [true, 'doValidation=true'],
	doWorkflow: [true, 'doWorkflow=true'],
	notification: [false, 'notification=false'],
	version: ['2025-02-02', 'version=2025-02-02'],
};

/** Options without a parameter in requests, which decide what the node returns, or which requests it sends. */
const otherOptions = [
	...[
		'clearEmpty',
		'copyFiles',
		'downloadFiles',
		'dryRun',
		'emptyResult',
		'failOnPartial',
		'files',
	],
	...['filesMode', 'ignoreFields', 'isoDates', 'keepInput', 'listFields', 'missingFile'],
	...['numberFields', 'onConflict', 'onMultipleMatches', 'onlyFields', 'pageSize', 'pollInterval'],
	...['preview', 'rowMatchFields', 'rowsMode', 'sheet', 'skipUnchanged', 'timeout', 'typedValues'],
	...['unknownChoices', 'unknownFields', 'upsertMode', 'userSheet'],
];
/** Options of writes that are not sent in the query, although a read sends options of these names. */
const inBodies = ['fieldKeys', 'subtables', 'timeZone'];

/** A run of an operation, and the kinds of its requests. */
interface Path {
	operation: string;
	parameters: () => INodeParameters;
	items?: () => InputItem[] | Promise<InputItem[]>;
	prepare?: () => void;
	/** Options of this path that are the same in each of its tests. */
	options?: INodeParameters;
	/** Options that this path cannot have, or that have no effect on it. */
	without?: string[];
	/** Returns the kind of a request; undefined for requests that do not belong to the operation, such as look-ups of names. */
	kindOf: (request: SeenRequest) => string | undefined;
	/** Kind of request → options that it does not send. */
	kinds: Record<string, string[]>;
}

const isOfSheet = ({ path, method }: SeenRequest) =>
	method === 'GET' && path === `/acme/${orders.path}/${orders.index}`;
const isOfRecord = ({ path, method }: SeenRequest) => method === 'GET' && /\/1\/\d+$/.test(path);
const has = ({ rawUrl }: SeenRequest, text: string) => decodeURIComponent(rawUrl).includes(text);
const isUpload = ({ files }: SeenRequest) => files.length > 0;
const oneKind = (kind: string, test: (request: SeenRequest) => boolean) => ({
	kindOf: (request: SeenRequest) => (test(request) ? kind : undefined),
	kinds: { [kind]: [] },
});

const filtered = (operation: string, operator: string, value: NodeParameterValueType) => ({
	...onOrders(operation),
	...{ returnAll: true, filters: { conditions: [{ field: fields.remark, operator, value }] } },
});
const keyList = `={{ Array.from({ length: 150 }, (_, index) => 'KEY-' + (index + 1) + '-' + 'x'.repeat(60)) }}`;
const pages = {
	kindOf: (request: SeenRequest) => {
		if (!isOfSheet(request) || !has(request, 'limit=40')) return undefined;
		return has(request, 'offset=0') ? 'first page' : 'next page';
	},
	kinds: { 'first page': [], 'next page': [] },
};
const parts = {
	kindOf: (request: SeenRequest) => {
		if (!isOfSheet(request) || !has(request, `where=${fields.remark},eq,KEY-`)) return undefined;
		return has(request, 'KEY-1-') ? 'first part' : 'next part';
	},
	kinds: { 'first part': [], 'next part': [] },
};
const whole = { options: { pageSize: 40 } };
const all = () => ({ ...onOrders('getAll'), returnAll: true });
const matched = () => ({ ...onOrders('get'), getBy: 'match', matchFields: [fields.remark] });
/** Options that would select or convert the records that the node compares. */
const notCompared = ['listing', 'callback', 'reverse'];

const reads: Record<string, Path> = {
	'pages of a list': {
		...{ operation: 'record.getAll', parameters: all, ...whole, ...pages },
		without: ['callback', 'reverse'],
	},
	'pages of a list, newest first': {
		...{ operation: 'record.getAll', parameters: all, ...whole, ...pages },
		without: ['callback', 'sort'],
	},
	'pages of JSONP': {
		...{ operation: 'record.getAll', parameters: all, ...whole, ...pages },
		without: ['reverse'],
	},
	'a divided list': {
		operation: 'record.getAll',
		parameters: () => filtered('getAll', 'in', keyList),
		...parts,
		without: ['callback', 'reverse', 'sort'],
	},
	'a list with a condition of the node': {
		operation: 'record.getAll',
		parameters: () => filtered('getAll', 'ne', 'other'),
		...whole,
		...pages,
		without: notCompared,
	},
	'a count': {
		operation: 'record.count',
		parameters: () => onOrders('count'),
		...oneKind('list', isOfSheet),
	},
	'a divided count': {
		operation: 'record.count',
		parameters: () => filtered('count', 'in', keyList),
		...parts,
	},
	'a count with a condition of the node': {
		operation: 'record.count',
		parameters: () => filtered('count', 'ne', 'other'),
		...oneKind('list', (request) => isOfSheet(request) && has(request, 'fts=')),
	},
	'a record by its ID': {
		operation: 'record.get',
		parameters: () => onOrder('get', 1),
		...oneKind('single read', isOfRecord),
	},
	'many records by their IDs': {
		operation: 'record.get',
		parameters: () => onOrder('get'),
		items: () => [...numbers(14), 99_999].map((id) => ({ id })),
		options: { emptyResult: 'none' },
		kindOf: (request) => {
			if (isOfRecord(request)) return 'single read';
			return isOfSheet(request) && has(request, 'order=109,DESC') ? 'list' : undefined;
		},
		kinds: { 'single read': [], list: [] },
	},
	'records by match': {
		operation: 'record.get',
		parameters: matched,
		items: () => numbers(3).map((id) => ({ [fields.remark]: keyOf(id) })),
		...oneKind('look-up', (request) => isOfSheet(request) && has(request, 'KEY-')),
		without: ['timeZone'],
	},
	'records by match, in another time zone': {
		operation: 'record.get',
		parameters: matched,
		items: () => numbers(3).map((id) => ({ [fields.remark]: keyOf(id) })),
		...oneKind('single read', isOfRecord),
	},
	'rows of a record': {
		operation: 'subtableRow.getAll',
		parameters: () => onLines('getAll'),
		items: () => [{ order: 1 }],
		...oneKind('single read', isOfRecord),
	},
	'a preview of a mass operation': {
		operation: 'massOperation.lock',
		parameters: () => mass('lock', byConditions([fields.remark, 'like', 'KEY'])),
		options: { preview: true },
		without: ['timeZone'],
		...oneKind('list', (request) => isOfSheet(request) && has(request, 'like,KEY')),
	},
	'a mass operation': {
		operation: 'massOperation.lock',
		parameters: () => mass('lock', byConditions([fields.remark, 'like', 'KEY'])),
		options: { pollInterval: 0.01 },
		without: ['timeZone'],
		...oneKind('submission', ({ method }) => method === 'POST'),
	},
};

const isPost = ({ method }: SeenRequest) => method === 'POST';
const file = async (json: object) => [
	await itemWithFiles({ ...json }, { data: textFile('new.txt') }),
];
const replacing = {
	items: async () => await file({ order: 50 }),
	kindOf: (request: SeenRequest) => {
		if (!isPost(request)) return undefined;
		return isUpload(request) ? 'upload' : 'emptying';
	},
	kinds: { upload: [], emptying: [] },
};
const hasDeletions = ({ body }: SeenRequest) => Object.keys(Object(body)).join().includes('DELSUB');
const hasRows = ({ body }: SeenRequest) => Object.keys(Object(body)).join().includes('_subtable_');
const firstLine = () => rowIdsOf(testbed.service, 50)[0] ?? 0;
const changedRow = () => ({ [`_subtable_${lines.id}`]: [{ [article]: 'new' }] });
const changed = { [fields.remark]: 'changed' };

const writes: Record<string, Path> = {
	'a creation': {
		operation: 'record.create',
		parameters: () => ({
			...onOrders('create'),
			...asJson({ ...changed, [fields.customerNumber]: 'C-0001' }),
		}),
		...oneKind('creation', isPost),
	},
	'a copy': {
		operation: 'record.duplicate',
		parameters: () => onOrder('duplicate', 50),
		...oneKind('creation', isPost),
	},
	'deletions of rows by themselves': {
		operation: 'record.update',
		parameters: () => ({
			...onOrder('update', 50),
			...asJson({ ...changedRow(), [`_DELSUB_${lines.id}`]: [firstLine()] }),
		}),
		prepare: () => {
			testbed.service.switches.deletionsWithRows = 'refused';
		},
		kindOf: (request) => {
			if (!isPost(request)) return undefined;
			if (hasDeletions(request)) return hasRows(request) ? 'both' : 'deletions';
			return 'rows';
		},
		kinds: { both: [], rows: [], deletions: [] },
	},
	'replaced files of a record': {
		operation: 'record.update',
		parameters: () => ({ ...onOrder('update', 50), ...asJson(changed) }),
		options: { ...filesOption([fields.contract, 'data']), filesMode: 'replace' },
		...replacing,
	},
	'a creation and an update by an upsert': {
		operation: 'record.upsert',
		parameters: () => ({
			...onOrders('upsert'),
			...asJson(`={{ JSON.stringify($json) }}`),
			matchFields: [fields.orderNumber],
		}),
		items: () =>
			['SO-00050', 'SO-99999'].map((key) => ({
				...{ ...changed, [fields.orderNumber]: key, [fields.customerNumber]: 'C-0001' },
			})),
		kindOf: (request) => {
			if (!isPost(request)) return undefined;
			return request.path.endsWith('/1') ? 'creation' : 'update';
		},
		// There is no lock before a record exists.
		kinds: { creation: ['checkLock'], update: [] },
	},
	'replaced files of a field': {
		operation: 'file.upload',
		parameters: () => upload(50, { uploadMode: 'replace' }),
		...replacing,
	},
	'new rows': {
		operation: 'subtableRow.add',
		parameters: () => onLines('add', rowAsJson({ [article]: 'new' })),
		items: () => [{ order: 50 }],
		...oneKind('write', isPost),
	},
	'changed rows': {
		operation: 'subtableRow.update',
		parameters: () =>
			onLines('update', { ...rowAsJson({ [article]: 'new' }), rowId: `${firstLine()}` }),
		items: () => [{ order: 50 }],
		...oneKind('write', isPost),
	},
	'deleted rows': {
		operation: 'subtableRow.delete',
		parameters: () => onLines('delete', { rowId: `${firstLine()}` }),
		items: () => [{ order: 50 }],
		...oneKind('write', isPost),
	},
};

/** Operations whose options are not sent, or are those of an operation above. */
const sameOptions = ['approve', 'runActionButton', 'searchReplace', 'update'];
const otherOperations = [
	...['record.delete', 'task.get', 'task.wait'],
	...sameOptions.map((operation) => `massOperation.${operation}`),
];

/** Returns the names of the options that the node offers for an operation, such as `record.get`. */
async function optionNamesOf(name: string): Promise<string[]> {
	const [resource = '', operation = ''] = name.split('.');
	return (await optionsOf(resource, operation)).map((option) => option.name);
}

const paths = [
	...Object.entries(reads).map(([name, path]) => ({ name, path, table: readOptions })),
	...Object.entries(writes).map(([name, path]) => ({ name, path, table: writeOptions })),
];

beforeEach(() => {
	const { data } = testbed.service;
	const sheet = data.sheet(orders);
	sheet.sharedViews['7'] = [];
	sheet.defaultFilter = [];
	for (const id of numbers(60)) {
		testbed.order(id).set(fields.remark, keyOf(id)).set(fields.express, 'Yes');
	}
});

it('each operation with options has a path', async () => {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.sheetRecords`).description;
	const names = properties
		.filter(({ type, name }) => type === 'collection' && name === 'options')
		.flatMap(({ displayOptions: { show = {} } = {} }) =>
			[show.resource ?? []]
				.flat()
				.flatMap((resource) =>
					[show.operation ?? []].flat().map((operation) => `${resource}.${operation}`),
				),
		);
	const tried = [...paths.map(({ path }) => path.operation), ...otherOperations];
	expect([...new Set(names)].sort()).toEqual([...new Set(tried)].sort());
});

it.each(paths)('each option of $path.operation has an entry: $name', async ({ path, table }) => {
	const offered = await optionNamesOf(path.operation);
	const known = [
		...Object.keys(table),
		...otherOptions,
		...(table === writeOptions ? inBodies : []),
	];
	expect(offered.filter((option) => !known.includes(option))).toEqual([]);
	expect(offered).not.toEqual([]);
});

it.each(paths)('every request has all options: $name', async ({ path, table }) => {
	const { without = [], kinds, kindOf, items, prepare } = path;
	prepare?.();
	const offered = (await optionNamesOf(path.operation)).filter((option) => option in table);
	const chosen = offered.filter((option) => !without.includes(option));
	const values = Object.fromEntries(chosen.map((option) => [option, table[option]?.[0] ?? null]));
	const parameters = { ...path.parameters(), options: { ...path.options, ...values } };
	const { error } = await testbed.run(parameters, (await items?.()) ?? [{}], testbed.as('admin'));
	expect(error).toBeUndefined();
	const sent = new Map<string, Set<string>>();
	for (const request of testbed.service.requests.all()) {
		const kind = kindOf(request);
		if (kind === undefined) continue;
		const missing = chosen.filter((option) => !has(request, table[option]?.[1] ?? ''));
		for (const option of missing) sent.set(kind, (sent.get(kind) ?? new Set()).add(option));
		if (missing.length === 0) sent.set(kind, sent.get(kind) ?? new Set());
	}
	const lacking = [...sent].map(([kind, options]) => [kind, [...options].sort()]);
	expect(Object.fromEntries(lacking)).toEqual(kinds);
});

it('no option of the webhook trigger is a parameter of its requests', async () => {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(
		`${packageName}.sheetRecordsTrigger`,
	).description;
	const collection = properties.find(({ type }) => type === 'collection');
	const names = (collection?.options ?? []).map(({ name }) => name);
	// Records are fetched as the sheet holds them, with field IDs. If an option shall change that, try it as in the tests above.
	expect(names.sort()).toEqual([
		...['downloadFiles', 'fetchRecord', 'fieldKeys', 'output', 'simplify', 'skipRepeats'],
		'skipUnchanged',
	]);
});
