import type { IDataObject } from 'n8n-workflow';
import { taskItem } from './massOperation/massParameters';
import { operations } from './faults/matrix';
import { operationsWithOptions } from './faults/operationsWithOptions';
import type { OperationCase } from './faults/operation';
import { orders } from '../service';
import { unname, useRecordTestbed, type Locator } from './recordTestbed';
import { clearProcessState } from './runner/typeLibrary';

/** The complete output of each operation with the node's defaults, and its output when the service refuses all requests. */
const testbed = useRecordTestbed({ demoRecords: 60 });

const cases = operations
	.filter((operation) => !operationsWithOptions.includes(operation))
	.filter(({ operation }) => !operation.startsWith('trigger.'))
	.map((operation) => ({
		operation,
		name: [operation.operation, operation.variant].filter(Boolean).join(' '),
	}));

/** Row IDs of the last record in the order of the answer, because JSON.parse sorts them. */
let rowIds: number[] = [];

const pathOf = ({ parameters }: OperationCase) => (parameters.sheet as Locator).value;

/** Returns a record, by names, as the reference service sends it to the user of the operation. */
async function rawRecord(operation: OperationCase, recordId: unknown): Promise<IDataObject> {
	const { baseUrl, account, identities } = testbed.service;
	const { apiKey } = identities[operation.identity ?? 'member'];
	const url = `${baseUrl}/${account}/${pathOf(operation)}/${String(recordId)}?api&naming=FNAME`;
	const answer = await fetch(url, { headers: { authorization: `Basic ${apiKey}` } });
	const text = await answer.text();
	rowIds = [...text.matchAll(/"(\d+)":\{/g)].map(([, id]) => Number(id));
	return Object(JSON.parse(text)[String(recordId)]);
}

const isRows = (key: string) => key.startsWith('_subtable_');
const nameOf = (key: string) => (key === 'Untitled' ? `Untitled (${orders.fields.unnamed})` : key);

/** Returns the rows of a subtable in the output. */
function rowsIn(raw: unknown): IDataObject[] {
	const rows = Object.entries<IDataObject>(Object(raw)).map(([rowId, fields]) => {
		const named = Object.entries(fields).filter(([key]) => !key.startsWith('_'));
		return { _rowId: Number(rowId), ...Object.fromEntries(named) };
	});
	return rows.sort((left, right) => rowIds.indexOf(left._rowId) - rowIds.indexOf(right._rowId));
}

/** Returns a record in the output. */
async function record(operation: OperationCase, recordId: unknown): Promise<IDataObject> {
	const raw = await rawRecord(operation, recordId);
	const members = Object.entries(raw).filter(([key]) => !key.startsWith('_') || isRows(key));
	return {
		...{ _recordId: recordId, _title: raw._index_title_, _starred: raw._star },
		...Object.fromEntries(
			members.map(([key, value]) => [nameOf(key), isRows(key) ? rowsIn(value) : value]),
		),
	} as IDataObject;
}

/** Returns a row in the output of operations on rows. */
async function row(operation: OperationCase, { _recordId = 11, _rowId }: IDataObject) {
	const raw = await rawRecord(operation, _recordId);
	const rows = Object.entries(raw).flatMap(([key, value]) => (isRows(key) ? rowsIn(value) : []));
	return { _recordId, ...rows.find((candidate) => candidate._rowId === _rowId) };
}

const task = ({ taskId }: IDataObject, count: number) => ({
	...taskItem({ taskId, status: 'COMPLETED', finished: true, succeeded: true }),
	...{ total: count, progress: count },
});

const linesKey = `_subtable_${orders.subtables.lines.id}`;

type Complete = (
	operation: OperationCase,
	/** Expected output of the item. */
	known: IDataObject,
	input: IDataObject,
) => Promise<object> | object;

const knownAlone: Complete = (_, known) => known;
const excelType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const massTask: Complete = (_, known) => task(known, 2);

/** The complete items of each operation. */
const outputs: Record<string, Complete> = {
	'record.get': async (operation, { _recordId }) => await record(operation, _recordId),
	// The service omits a subtable without rows. All records of a list have the same subtables.
	'record.getAll': async (operation, { _recordId }) => {
		const json = await record(operation, _recordId);
		return { ...json, [linesKey]: json[linesKey] ?? [] };
	},
	'record.count': (_operation, known) => known,
	'record.ifExists': (_operation, _known, input) => input,
	'record.create': async (operation, { _recordId }) => await record(operation, _recordId),
	'record.update': async (operation, { _recordId }) => ({
		...(await record(operation, _recordId)),
		_action: 'updated',
	}),
	'record.upsert': async (operation, { _recordId, _action }) => ({
		...(await record(operation, _recordId)),
		_action: _action ?? 'updated',
	}),
	'record.delete': knownAlone,
	'subtableRow.getAll': row,
	'subtableRow.add': row,
	'subtableRow.update': row,
	'subtableRow.delete': (_operation, _known, { line }) => ({
		...{ deleted: true, _recordId: 11, _rowId: line },
	}),
	'comment.getAll': (_, { comment }) => ({
		...{ _recordId: 1, commentId: expect.stringMatching(/^\d+$/) },
		...{ author: expect.stringContaining('@acme.example'), comment, attachment: '' },
		time: expect.stringMatching(/^2023-02-01T\d\d:\d\d:00\.000Z$/),
	}),
	'comment.add': (_, { comment }) => ({
		...{ _recordId: 11, author: testbed.service.identities.member.email, comment },
		...{ attachment: 'new.txt', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
	}),
	'lock.lock': knownAlone,
	'lock.unlock': knownAlone,
	'actionButton.getAll': (_, { buttonId }) => ({
		buttonId,
		name: testbed.orders.actionButtons.find(({ id }) => id === buttonId)?.name,
	}),
	'actionButton.run': (_, known) => ({ ...known, message: '' }),
	'task.get': (_, known) => task(known, 1),
	'task.wait': (_, known) => task(known, 1),
	'massOperation.lock': massTask,
	'massOperation.approve': massTask,
	'massOperation.runActionButton': massTask,
	'massOperation.update': massTask,
	'massOperation.searchReplace': massTask,
	'document.export': (_, known) => ({
		...{ ...known, fileName: 'Orders SO-00011.pdf', mimeType: 'application/pdf' },
	}),
	'document.exportList': (_, known) => ({ ...known, mimeType: excelType }),
	'file.download': knownAlone,
	'record.duplicate': async (operation, { _recordId, _copiedFrom }) => ({
		...(await record(operation, _recordId)),
		_copiedFrom,
	}),
	'file.upload': async (operation, { _recordId, _fileNames }) => ({
		...(await record(operation, _recordId)),
		_fileNames,
	}),
	'sheet.getFields': (_, { fieldId }) => ({
		...{ fieldId, name: expect.any(String), ...inferredType(String(fieldId)) },
		...{ required: fieldId === '1400001', readOnly: false, hidden: null },
		...{ choices: null, subtableId: null, subtableName: null },
	}),
	'sheet.importFromUrl': knownAlone,
};

/** Types that the records suggest, where they do. */
const inferredTypes = new Map([
	['1400001', 'text'],
	['1400002', 'number'],
	['1400003', 'richText'],
]);

function inferredType(fieldId: string): IDataObject {
	const type = inferredTypes.get(fieldId);
	return type === undefined ? { type: null, typeSource: null } : { type, typeSource: 'records' };
}

/** Prepares the service, and returns the input items and the settings of a run. */
async function begin(operation: OperationCase) {
	operation.prepare?.(testbed.service);
	const found = (await operation.items?.(testbed.service)) ?? [{ json: {} }];
	const items = found.map((item) => ({ ...item, json: { ...item.json, patience: 20 } }));
	const parameters = { ...operation.parameters, authentication: 'apiKey' };
	return { items, parameters, as: testbed.as(operation.identity) };
}

it('every operation has its complete output in this file', () => {
	const names = new Set(cases.map(({ operation }) => operation.operation));
	expect(Object.keys(outputs).sort()).toEqual([...names].sort());
});

describe.each([
	{ where: 'where all fields have names', isUnnamed: false },
	{ where: 'where a field has no name', isUnnamed: true },
])('$where', ({ isUnnamed }) => {
	// Two fields of the orders have the same name even without this change.
	beforeEach(() => {
		clearProcessState();
		if (isUnnamed) unname(testbed.service);
	});

	it.each(cases)(
		`the default output is complete, ${isUnnamed ? 'without a name for a field' : 'with names'}: $name`,
		async ({ operation }) => {
			const { items: input, parameters, as } = await begin(operation);
			const { items, error, hints } = await testbed.run(parameters, input, as);
			expect(error).toBeUndefined();
			expect(hints.filter(({ type }) => type !== 'info')).toEqual([]);
			const complete = outputs[operation.operation];
			const known = operation.itemsOf(testbed.service) as IDataObject[];
			const expected = await Promise.all(
				known.map(async (item) => await complete?.(operation, item, input[0]?.json ?? {})),
			);
			expect(items.map(({ json }) => json)).toEqual(expected);
			expect(items.map(({ json }) => Object.keys(json))).toEqual(
				expected.map((json) => Object.keys(json ?? {})),
			);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		},
	);
});

/** Returns the error of an operation, and its text in addition to the message of the service. */
function refusalOf({ operation, variant }: OperationCase): { message: string; advice: string } {
	if (variant === 'by names of fields') {
		const reason = "the service does not show the names of this sheet's fields to this user";
		const message = `The field 'Customer Number' cannot be found by its name: ${reason}`;
		return { message, advice: 'Use field IDs' };
	}
	if (operation === 'sheet.getFields') {
		return {
			message: 'The service does not return the fields of this sheet to this user',
			advice: 'IDs',
		};
	}
	if (operation === 'file.download') {
		const file = "The file 'contract 50@acme.pdf' was not downloaded: ";
		return { message: `${file}Error executing the request: No.`, advice: 'code 202.' };
	}
	const advice = operation === 'sheet.importFromUrl' ? 'SYSAdmin privilege' : 'code 202.';
	return { message: 'Error executing the request: No.', advice };
}

describe('an item that the service rejects', () => {
	it.each(cases)(
		'is on the error output unchanged except for its error, and nothing is written: $name',
		async ({ operation }) => {
			const { items: input, parameters, as } = await begin(operation);
			const before = operation.changes?.(testbed.service);
			testbed.refuse(() => true, Infinity);
			const { items, errorItems } = await testbed.runAll(parameters, input, as);
			const { message, advice } = refusalOf(operation);
			const error = expect.stringMatching(new RegExp(`^${message}.*${advice}`));
			expect(errorItems).toEqual([
				expect.objectContaining({ json: { ...input[0]?.json, error }, pairedItem: { item: 0 } }),
			]);
			expect([items, operation.changes?.(testbed.service)]).toEqual([[], before]);
		},
	);

	it.each(cases)(
		'is on the regular output with only its error if the run continues on errors: $name',
		async ({ operation }) => {
			const { items: input, parameters, as } = await begin(operation);
			testbed.refuse(() => true, Infinity);
			const overrides = { ...as, onError: 'continueRegularOutput' } as const;
			const { items } = await testbed.run(parameters, input, overrides);
			const { message: error, advice } = refusalOf(operation);
			const details = expect.objectContaining({ description: expect.stringContaining(advice) });
			expect(items).toEqual([{ json: { error, details }, pairedItem: { item: 0 } }]);
		},
	);
});
