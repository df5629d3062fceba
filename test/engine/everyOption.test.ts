import type { INodeParameters, INodeProperties, NodeParameterValueType } from 'n8n-workflow';
import { orders, siteVisits, type ReferenceService } from '../service';
import { timeLimit } from '../timeLimit';
import { InvalidRecordError } from '../service/http/serviceError';
import { submitTask } from './faults/readingOperations';
import { upload } from './file/fileTestbed';
import {
	assign,
	byConditions,
	byIds,
	mass,
	quickly,
	replace,
} from './massOperation/massParameters';
import { offeredOperations, optionsOf } from './operations';
import { itemWithFiles, textFile } from './record/filesOnItem';
import { asJson, autoMapped, filesOption, mapped } from './record/recordValues';
import { numbers, onOrder, onOrders, recordId, sheet, useRecordTestbed } from './recordTestbed';
import { clearProcessState } from './runner/typeLibrary';
import { onLines, rowAsJson } from './subtableRow/rowTestbed';

// Two pages of 40 records.
const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;

type Values = Record<string, unknown>;

/** A value of an option, and the other input of both runs: the one with the option, and the one without. */
interface Trial {
	value: NodeParameterValueType;
	/** Field ID → value that is written to a record. */
	values?: Values;
	/** Field ID → value that is written to a row. */
	row?: Values;
	/** Other parameters of the operation. */
	parameters?: INodeParameters;
	/** Other options. */
	options?: INodeParameters;
	/** Properties of the input item. */
	item?: object;
	prepare?: (service: ReferenceService) => void;
}

const writing = (name: string, value: NodeParameterValueType, written: Values): [string, Trial] => [
	name,
	{ value, values: written, row: written },
];

/** Makes three orders that match. */
function alike({ data }: ReferenceService): void {
	for (const id of [30, 50]) data.record(orders, id).set(fields.reference, 'SAME');
}
const byReference = { matchFields: [fields.reference] };
const matching = { parameters: byReference, prepare: alike, item: { [fields.reference]: 'SAME' } };
const newFile = { options: filesOption([fields.contract, 'data']) };

/** Trials of the options of reads. */
const readTrials: Record<string, Trial> = {
	additionalParameters: {
		value: {
			parameter: [
				{ name: 'x', value: 'y' },
				{ name: 'z', value: '' },
			],
		},
	},
	approval: { value: true },
	bbcode: { value: true },
	callback: { value: 'show' },
	comment: { value: true },
	conversation: { value: true },
	defaultFilter: { value: true },
	downloadFiles: {
		value: [fields.contract, fields.shippingLabel].join('\n'),
		prepare: ({ data }) => {
			const order = data.record(orders, 50);
			order.set(fields.shippingLabel, order.text(fields.contract));
		},
	},
	emptyResult: {
		value: 'error',
		parameters: { filters: { conditions: [{ field: '512', operator: 'eq', value: 'none' }] } },
	},
	fieldKeys: { value: 'id' },
	fullText: { value: 'Lyon' },
	history: { value: true },
	ignoreFixedFilter: { value: true },
	ignoreMask: { value: true },
	info: { value: true },
	isoDates: { value: true },
	keepInput: { value: true, item: { kept: 1 } },
	listFields: { value: 'Status\nCity' },
	listing: { value: true },
	numberFields: {
		value: 'Total\nRemark',
		prepare: ({ data }) => data.record(orders, 50).set(fields.remark, '12'),
	},
	onlyFields: { value: [fields.city, fields.remark].join('\n') },
	pageSize: { value: 40 },
	reverse: { value: true },
	sharedViewId: { value: orders.views.open },
	sort: { value: { rule: { field: fields.remark, direction: 'DESC' } } },
	subtables: { value: false },
	timeZone: { value: 8 },
	typedValues: { value: true },
	version: { value: '2025-02-02' },
	where: { value: `${fields.status},eq,Open\n${fields.express},eq,Yes` },
	onMultipleMatches: { value: 'all', ...matching },
};

const twoRows = {
	rows: ['new', 'newer'].map((text) => {
		return { subtableId: lines.id, rowJson: JSON.stringify({ [article]: text }) };
	}),
};

/** Trials of the options of writes. */
const writeTrials: Record<string, Trial> = {
	checkLock: { value: true },
	copyFiles: { value: true },
	doDefaultValue: { value: true },
	doFormula: { value: true },
	doLinkLoad: { value: 'true' },
	doValidation: { value: true },
	doWorkflow: { value: true },
	dryRun: { value: true },
	fieldKeys: { value: 'id' },
	notification: { value: false },
	timeZone: { value: 8 },
	version: { value: '2025-02-02' },
	onMultipleMatches: { value: 'all', ...matching },
	onConflict: {
		value: 'error',
		item: { _recordId: 50, _update_date: '2020/01/01 00:00:00' },
	},
	skipUnchanged: {
		value: true,
		prepare: ({ data }) => data.record(orders, 50).set(fields.remark, 'changed'),
	},
	upsertMode: { value: 'createOnly' },
	clearEmpty: { value: true, values: { [fields.city]: '' }, row: { [lines.fields.quantity]: '' } },
	ignoreFields: {
		value: [fields.city, lines.fields.quantity],
		parameters: autoMapped(),
		options: { unknownFields: 'ignore' },
		item: {
			[fields.city]: 'x',
			[lines.fields.quantity]: 7,
			[fields.orderNumber]: 'SO-00050',
			[fields.customerNumber]: 'C-0001',
		},
	},
	rowsMode: { value: 'replace', values: { [`_subtable_${lines.id}`]: [] } },
	rowMatchFields: {
		value: [article, quantity].join('\n'),
		values: { [`_subtable_${lines.id}`]: [{ [article]: 'Vase', [quantity]: '5' }] },
		options: { rowsMode: 'upsert' },
		prepare: ({ data }) => {
			const rows = data.record(orders, 50).rows(lines.id);
			const [first = 0] = rows.keys();
			for (const [at, values] of [
				['Vase', '5'],
				['Vase', '7'],
				['Tea', '5'],
			].entries()) {
				rows.set(
					first + at,
					new Map(values.map((text, n) => [[article, quantity][n] ?? '', text])),
				);
			}
		},
	},
	filesMode: { value: 'replace', ...newFile },
	files: {
		value: filesOption([fields.contract, 'data'], [fields.contract, 'other']).files ?? null,
	},
	missingFile: { value: 'skip', options: filesOption([fields.contract, 'absent']) },
	subtables: {
		value: twoRows,
		parameters: mapped({ [fields.remark]: 'x', [fields.customerNumber]: 'C-0001' }),
	},
	...Object.fromEntries([
		writing('unknownFields', 'ignore', { 'No such field': 1 }),
		writing('unknownChoices', 'error', { [fields.status]: 'No choice' }),
	]),
};

/** Trials of the options of mass operations and tasks. */
const taskTrials: Record<string, Trial> = {
	failOnPartial: { value: true, parameters: byIds('50,99999') },
	preview: { value: true },
	sheet: { value: 'sales/orders/1', prepare: atSheetOnly },
	timeout: { value: 0.001, parameters: byIds(numbers(20).join()), prepare: inSteps },
	timeZone: {
		value: 8,
		parameters: byConditions([fields.deliveryTime, 'gte', '2026-03-02T12:00:00Z']),
	},
	userSheet: {
		value: 'internal',
		// The e-mail address of a user cannot be changed.
		parameters: { ...assign(['1', 'x']), ...replace('1', 'x', 'y') },
	},
	where: {
		value: `${fields.status},eq,Open\n${fields.express},eq,Yes`,
		parameters: byConditions([fields.orderNumber, 'like', 'SO-0001']),
	},
};

/** Options whose trials are refused, or that end the operation. */
const refusing = [
	...['emptyResult', 'failOnPartial', 'onConflict', 'timeout', 'unknownChoices', 'userSheet'],
];

/** Options that change nothing but times. */
const untried = ['pollInterval'];

/** Makes a task end after several status requests. */
function inSteps({ tasks }: ReferenceService): void {
	tasks.recordsPerLook = 4;
}

/** Submits a task that is in progress or, with `work`, that has failed for its record. */
function submit({ tasks, identities }: ReferenceService, work?: () => never): void {
	const recordIds = work ? [11] : numbers(20);
	if (!work) tasks.recordsPerLook = 4;
	const owner = identities.member.email;
	tasks.submit({ name: 'massLock', owner, sheet: orders, recordIds, work: work ?? (() => {}) });
	if (work) tasks.step(1);
}

function failForRecord(): never {
	throw new InvalidRecordError('It is locked.');
}

function atSheetOnly({ switches }: ReferenceService): void {
	switches.taskAtAccount = 'http404';
}

const { photos } = siteVisits.subtables;
const onPhotos = {
	...{ sheet: sheet(siteVisits), recordId: recordId(1), subtableId: photos.id },
	...rowAsJson({}),
};
/** Trials of single operations, which take precedence. */
const ownTrials: Record<string, Trial> = {
	'record.get.emptyResult': { value: 'none', parameters: { recordId: recordId(99_999) } },
	'record.get.onMultipleMatches': {
		...matching,
		value: 'all',
		parameters: { getBy: 'match', ...byReference },
	},
	'record.upsert.onMultipleMatches': {
		...matching,
		value: 'updateAll',
		values: { [fields.reference]: 'SAME' },
	},
	'record.upsert.ignoreFields': {
		value: [fields.city, fields.remark],
		parameters: autoMapped([fields.orderNumber]),
		options: { unknownFields: 'ignore' },
		item: { [fields.city]: 'x', [fields.remark]: 'y', [fields.orderNumber]: 'SO-00050' },
	},
	'record.upsert.subtables': {
		value: twoRows,
		parameters: mapped({ [fields.orderNumber]: 'SO-00050' }, [fields.orderNumber]),
	},
	'record.delete.dryRun': { ...matching, value: true, options: { onMultipleMatches: 'all' } },
	'subtableRow.getAll.listFields': { value: 'Article\nQuantity' },
	'subtableRow.getAll.numberFields': { value: 'Quantity\nUnit Price' },
	'task.wait.failOnPartial': { value: true, prepare: (service) => submit(service, failForRecord) },
	'task.wait.timeout': { value: 0.001, options: quickly, prepare: submit },
	'file.upload.missingFile': { value: 'skip', parameters: { inputDataFieldName: 'absent' } },
	...Object.fromEntries(
		['subtableRow.add', 'subtableRow.update'].flatMap((operation): Array<[string, Trial]> => [
			[
				`${operation}.files`,
				{
					value:
						filesOption([photos.fields.photo, 'data'], [photos.fields.photo, 'other']).files ??
						null,
					parameters: onPhotos,
				},
			],
			[
				`${operation}.ignoreFields`,
				{
					value: [lines.fields.quantity, lines.fields.unitPrice],
					parameters: autoMapped(),
					options: { unknownFields: 'ignore' },
					item: {
						...{ [lines.fields.quantity]: 7, [lines.fields.unitPrice]: 8 },
						[lines.fields.article]: 'Vase',
					},
				},
			],
			[
				`${operation}.missingFile`,
				{
					value: 'skip',
					parameters: { ...onPhotos, ...rowAsJson({ [photos.fields.caption]: 'new' }) },
					options: filesOption([photos.fields.photo, 'absent']),
				},
			],
		]),
	),
};

const ofRow = ({ row }: Trial) => rowAsJson({ [lines.fields.article]: 'changed', ...row });
const ofRecord = ({ values }: Trial, key: Values = {}) =>
	asJson({ ...key, [fields.remark]: 'changed', ...values });
const cancel: INodeParameters = {
	buttonId: { __rl: true, mode: 'id', value: orders.buttons.cancel },
};

/** The trials and the parameters of each operation with options. */
const operations: Record<string, [Record<string, Trial>, (trial: Trial) => INodeParameters]> = {
	'record.get': [readTrials, () => onOrder('get', 50)],
	'record.getAll': [readTrials, () => ({ ...onOrders('getAll'), returnAll: true })],
	'record.count': [readTrials, () => onOrders('count')],
	'record.create': [
		writeTrials,
		(trial) => ({
			...onOrders('create'),
			...ofRecord(trial, { [fields.customerNumber]: 'C-0001' }),
		}),
	],
	'record.update': [writeTrials, (trial) => ({ ...onOrder('update', 50), ...ofRecord(trial) })],
	'record.upsert': [
		writeTrials,
		(trial) => ({
			...{ ...onOrders('upsert'), matchFields: [fields.orderNumber] },
			...ofRecord(trial, { [fields.orderNumber]: 'SO-00050' }),
		}),
	],
	'record.delete': [
		writeTrials,
		() => ({ ...onOrders('delete'), deleteBy: 'match', ...byReference }),
	],
	'record.duplicate': [writeTrials, () => onOrder('duplicate', 50)],
	'file.upload': [writeTrials, () => upload(50)],
	'subtableRow.add': [writeTrials, (trial) => onLines('add', ofRow(trial))],
	'subtableRow.update': [
		writeTrials,
		(trial) => onLines('update', { ...ofRow(trial), rowId: '={{ $json.line }}' }),
	],
	'subtableRow.delete': [writeTrials, () => onLines('delete', { rowId: '={{ $json.line }}' })],
	'subtableRow.getAll': [readTrials, () => onLines('getAll')],
	'massOperation.approve': [taskTrials, () => mass('approve', byIds('50'))],
	'massOperation.lock': [taskTrials, () => mass('lock', byIds('50'))],
	'massOperation.runActionButton': [
		taskTrials,
		() => mass('runActionButton', { ...byIds('50'), ...cancel }),
	],
	'massOperation.searchReplace': [
		taskTrials,
		() => mass('searchReplace', { ...byIds('50'), ...replace(fields.remark, 'a', 'b') }),
	],
	'massOperation.update': [
		taskTrials,
		() => mass('update', { ...byIds('50'), ...assign([fields.remark, 'changed']) }),
	],
	'task.get': [taskTrials, () => ofTask('get')],
	'task.wait': [taskTrials, () => ofTask('wait')],
};

function ofTask(operation: string): INodeParameters {
	return { resource: 'task', operation, taskId: '={{ $json.taskId }}' };
}

/** Returns a list once for each entry, with the next entry in its place: names or lines, an array, or the entries of a collection. */
function withEntriesReplaced(list: unknown): NodeParameterValueType[] {
	if (typeof list === 'string') {
		return withEntriesReplaced(list.split('\n')).map((names) => [names].flat().join('\n'));
	}
	if (Array.isArray(list)) {
		const next = (at: number): NodeParameterValueType => list[(at + 1) % list.length];
		return list.map((_, at) => list.map((entry, index) => (index === at ? next(at) : entry)));
	}
	const [[name, entries] = ['', []]] = Object.entries(Object(list));
	return withEntriesReplaced(entries).map((replaced): INodeParameters => ({ [name]: replaced }));
}

/** Returns whether the user can enter several names, lines or entries. */
function isList({ type, typeOptions: { rows, multipleValues } = {} }: INodeProperties): boolean {
	return type === 'multiOptions' || rows !== undefined || multipleValues === true;
}

/** Returns the values of an option with which it must change nothing: an empty text, and the default of a choice. */
function idleValues({ name, type, default: preset }: INodeProperties): NodeParameterValueType[] {
	if (type === 'string') return [''];
	// The service is told the default of this choice, too.
	return type === 'options' && name !== 'doLinkLoad' ? [preset] : [];
}

/** Returns the faults of an option: no effect, an effect of its default, or an entry of its list without effect. */
async function faultsOf(name: string, trial: Trial, property: INodeProperties): Promise<string[]> {
	const { name: option, type, default: preset } = property;
	const outcomeWith = async (value: NodeParameterValueType) =>
		await outcomeOf(name, trial, { [option]: value });
	const without = await outcomeWithout(name, trial);
	const outcome = await outcomeWith(trial.value);
	const faults = outcome === without ? [`${option} is idle`] : [];
	const [, , [error]] = JSON.parse(outcome);
	if (error && !refusing.includes(option)) faults.push(`${option}: ${error.json.error}`);
	// A switch that the user adds is in the position that changes something.
	if (type === 'boolean' && preset !== trial.value) faults.push(`${option} is added as idle`);
	for (const value of idleValues(property)) {
		if ((await outcomeWith(value)) === without) continue;
		faults.push(`${option} is not idle with ${JSON.stringify(value)}`);
	}
	const lists = isList(property) ? withEntriesReplaced(trial.value) : [];
	if (isList(property) && lists.length < 2) faults.push(`${option} needs a second entry`);
	for (const [at, list] of lists.entries()) {
		if ((await outcomeWith(list)) === outcome) faults.push(`entry ${at} of ${option} is idle`);
	}
	return faults;
}

let storedFiles: ReturnType<typeof itemWithFiles> | undefined;

/** Returns the files of each input item, which are stored once. */
async function files() {
	storedFiles ??= itemWithFiles({}, { data: textFile('new.txt'), other: textFile('other.txt') });
	return { binary: (await storedFiles).binary };
}

/** Outcomes of runs without an option, by their input, because many options are tried beside the same input. */
const outcomesWithout = new Map<string, string>();

async function outcomeWithout(name: string, trial: Trial): Promise<string> {
	if (trial.prepare) return await outcomeOf(name, trial, {});
	const input = JSON.stringify([name, { ...trial, value: undefined }]);
	const outcome = outcomesWithout.get(input) ?? (await outcomeOf(name, trial, {}));
	outcomesWithout.set(input, outcome);
	return outcome;
}

/** Returns all that a user or the service sees of a run: the requests, items, errors and hints. */
async function outcomeOf(name: string, trial: Trial, options: INodeParameters): Promise<string> {
	const [, parametersOf] = operations[name] ?? [];
	const { service } = testbed;
	service.reset();
	clearProcessState();
	service.switches.keyReadsOpenSession = false;
	service.data.record(orders, 50).set(fields.express, 'Yes');
	trial.prepare?.(service);
	if (name.startsWith('task')) submitTask(service);
	const [task] = service.tasks.all;
	const subtable = trial.parameters?.subtableId === photos.id ? photos.id : lines.id;
	const address = subtable === photos.id ? siteVisits : orders;
	const [line] = service.data
		.record(address, address === orders ? 50 : 1)
		.rows(subtable)
		.keys();
	const item = { json: { order: 50, line, taskId: task?.id, ...trial.item }, ...(await files()) };
	const base = parametersOf?.(trial) ?? {};
	const fixed = { ...Object(base.options), ...trial.options };
	const parameters = { ...base, ...trial.parameters, options: { ...fixed, ...options } };
	const { items, errorItems, error, hints } = await testbed.runAll(parameters, [item]);
	const requests = service.requests.all().map(({ method, rawUrl, body, files }) => {
		return JSON.stringify([method, rawUrl, body, files.map(({ fileName }) => fileName)]);
	});
	// Requests for the state of a task repeat, depending on the time.
	const distinct = requests.filter((request, at) => request !== requests[at - 1]);
	const outcome = JSON.stringify([distinct, items, errorItems, error?.message, hints]);
	// Each run has tasks with other IDs.
	return outcome.replace(/\w{8}(?:-\w{4}){3}-\w{12}/g, 'task');
}

it('each operation with options is in the table', async () => {
	const names: string[] = [];
	for (const { resource, operation } of await offeredOperations()) {
		const options = await optionsOf(resource.value, operation.value);
		if (options.length > 0) names.push(`${resource.value}.${operation.value}`);
	}
	expect(Object.keys(operations).sort()).toEqual(names.sort());
});

it.each(Object.entries(operations))(
	'each option of %s, and each entry of a list, changes what is sent or returned; an empty text and the default of a choice do not',
	async (name, [trials]) => {
		const [resource = '', operation = ''] = name.split('.');
		// Otherwise, any option would seem to change something.
		expect(await outcomeOf(name, { value: true }, {})).toBe(
			await outcomeOf(name, { value: true }, {}),
		);
		const faults: string[] = [];
		for (const property of await optionsOf(resource, operation)) {
			const { name: option } = property;
			if (untried.includes(option)) continue;
			const trial = ownTrials[`${name}.${option}`] ?? trials[option];
			if (!trial) throw new Error(`${name}: add a trial of the option ${option}`);
			faults.push(...(await faultsOf(name, trial, property)));
		}
		expect(faults).toEqual([]);
	},
	timeLimit(60),
);

describe('options of a list that add parameters to its request', () => {
	const few = { value: true, item: { kept: 1 }, parameters: { returnAll: false, limit: 41 } };
	/** Returns the parameters of each request for the list. Requests for fields, and for single records, are left out. */
	async function queriesWith(...names: string[]): Promise<string[][]> {
		const options = Object.fromEntries(names.map((name) => [name, readTrials[name]?.value ?? '']));
		await outcomeOf('record.getAll', few, options);
		return testbed.reads
			.filter(({ path, rawUrl }) => path === '/acme/sales/orders/1' && /&limit=\d+&/.test(rawUrl))
			.filter(({ rawUrl }) => !rawUrl.includes('order=105,DESC&naming'))
			.map(({ query }) => query.map((pair) => pair.join('=')));
	}

	it('send the same together, and beside each other option', async () => {
		const [plain = []] = await queriesWith();
		const own = new Map<string, string[]>();
		const all = (await optionsOf('record', 'getAll')).map(({ name }) => name);
		// A Sort rule replaces Newest First.
		const names = all.filter((name) => name !== 'reverse');
		for (const name of names) {
			const [query = []] = await queriesWith(name);
			own.set(
				name,
				query.filter((pair) => !plain.includes(pair) && !/^(limit|offset)=/.test(pair)),
			);
		}
		const sent = names.filter((name) => own.get(name)?.length);
		expect(sent).toEqual(
			expect.arrayContaining(['callback', 'fullText', 'ignoreMask', 'timeZone']),
		);
		for (const other of names.filter((name) => name === 'callback' || !sent.includes(name))) {
			const together = [...new Set([...sent.filter((name) => name !== 'callback'), other])];
			const wanted = together.flatMap((name) => own.get(name) ?? []);
			const queries = await queriesWith(...together);
			for (const query of queries)
				expect([other, query]).toEqual([other, expect.arrayContaining(wanted)]);
			expect(queries.length).toBeGreaterThan(0);
		}
	});
});
