import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { assign, byIds, mass } from '../massOperation/massParameters';
import { operationsToDo } from '../operations';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { packageName, packageTypes } from '../runner';
import { onLines, rowAsJson } from '../subtableRow/rowTestbed';
import { bombard } from './bombardment';
import { nastyTexts } from './corpus';

const testbed = useRecordTestbed({ demoRecords: 60 });
const text = '={{ $json.text }}';
const { remark } = orders.fields;

const isId = (written: string) => /^\d{1,18}$/.test(written.trim());
const inOrders = { sheet: sheet(orders) };
const inOrder = { ...inOrders, recordId: recordId(1) };
const lines = { subtableId: orders.subtables.lines.id };
const json = { inputMode: 'json', recordJson: `{ "${remark}": "x" }` };
const document = { resource: 'document', operation: 'export', ...inOrder };

const listDocument = {
	...{ resource: 'document', operation: 'exportList', ...inOrders, format: 'mailMerge' },
	templateId: orders.templates.mailMerge,
};

/** Expects that all texts are rejected, except texts that may be valid identifiers. */
async function expectRefused(
	parameters: INodeParameters,
	mayBe: (written: string) => boolean,
): Promise<void> {
	const texts = nastyTexts.filter((written) => !mayBe(written));
	await bombard(testbed, { parameters, refuses: () => true, texts });
	expect(testbed.writes).toEqual([]);
}

/** Operations on one record. */
const ofOneRecord: Array<[string, INodeParameters]> = [
	['get', { operation: 'get' }],
	['update', { operation: 'update', ...json }],
	['delete', { operation: 'delete' }],
	['duplicate', { operation: 'duplicate' }],
	['lock', { resource: 'lock', operation: 'lock' }],
	['unlock', { resource: 'lock', operation: 'unlock' }],
	['a comment', { resource: 'comment', operation: 'add', comment: 'x' }],
	['comments', { resource: 'comment', operation: 'getAll' }],
	['a button', { resource: 'actionButton', operation: 'run', buttonId: recordId(4) }],
	['a document', { resource: 'document', operation: 'export' }],
	['an upload', { resource: 'file', operation: 'upload', fieldId: remark }],
	['rows', { resource: 'subtableRow', operation: 'getAll', ...lines }],
	['a new row', { resource: 'subtableRow', operation: 'add', ...lines, ...rowAsJson({ a: 1 }) }],
	[
		'a change of a row',
		{ resource: 'subtableRow', operation: 'update', ...lines, rowId: '1', ...rowAsJson({ a: 1 }) },
	],
	['a deletion of a row', { resource: 'subtableRow', operation: 'delete', ...lines, rowId: '1' }],
	[
		'a download',
		{ resource: 'file', operation: 'download', downloadBy: 'field', fieldId: remark },
	],
];

/** Returns the operations that show the parameter 'Record', such as `record.get`. */
async function operationsWithRecord(): Promise<string[]> {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.sheetRecords`).description;
	return properties
		.filter(({ name }) => name === 'recordId')
		.map(({ displayOptions }) => displayOptions?.show ?? {})
		.map(({ resource = [], operation = [] }) => `${String(resource[0])}.${String(operation[0])}`);
}

describe('an invalid record ID is rejected before anything is sent, by', () => {
	const oneRecord = { ...inOrders, recordId: recordId(text) };

	it('every operation on one record', async () => {
		const withRecord = await operationsWithRecord();
		const tested = ofOneRecord.map(
			([, { resource = 'record', operation }]) => `${String(resource)}.${String(operation)}`,
		);
		const isDone = (name: string) => !withRecord.includes(name) || tested.includes(name);
		const todo = 'add it to the operations on one record in this file (HOW_TO, step 7)';
		expect(withRecord.length).toBeGreaterThan(12);
		expect(await operationsToDo(isDone, todo)).toEqual([]);
	});

	it.each(ofOneRecord)('%s', async (_name, parameters) => {
		await expectRefused({ ...oneRecord, ...parameters }, isId);
	});

	it('a mass operation', async () => {
		// Record IDs are separated by white space or commas, or form a JSON array.
		const mayBe = (written: string) => written.split(/[\s,[\]]+/).some(isId);
		await expectRefused(mass('lock', byIds(text)), mayBe);
	});
});

describe('an unknown field name is rejected before anything is changed, by', () => {
	/** A number may be the ID of a field that is not listed, so it is not rejected. */
	const mayBe = (written: string) => /^\d*$/.test(written.trim());
	const keyed = '={{ JSON.stringify({ [$json.text]: "x" }) }}';

	it.each<[string, INodeParameters]>([
		['create', { operation: 'create', inputMode: 'json', recordJson: keyed }],
		['a row', onLines('add', { ...inOrder, ...rowAsJson(keyed) })],
		[
			'a sort rule',
			{ operation: 'getAll', options: { sort: { rule: { field: text, direction: 'ASC' } } } },
		],
		['an upload', { resource: 'file', operation: 'upload', fieldId: text, ...inOrder }],
		['a mass update', mass('update', { ...byIds('1'), ...assign([text, 'x']) })],
	])('%s', async (_name, parameters) => {
		await expectRefused({ ...inOrders, ...parameters }, mayBe);
	});
});

it.each<[string, INodeParameters, (written: string) => boolean]>([
	['a record', { operation: 'create', ...inOrders, ...json, recordJson: text }, isKeyedObject],
	['a row', onLines('delete', { ...inOrder, rowId: text }), isId],
	['a template', { ...document, format: 'mailMerge', templateId: text }, isId],
	['a template of a list', { ...listDocument, templateId: text }, isId],
	['a position in a list', { ...listDocument, firstRecord: text, lastRecord: text }, isNumber],
	['a format', { ...document, format: text }, () => false],
	['a subtable', onLines('getAll', { ...inOrder, subtableId: text }), isSubtable],
])(
	'a text in place of %s is rejected, and nothing is changed',
	async (_name, parameters, mayBe) => {
		await expectRefused(parameters, mayBe);
	},
);

/** Returns whether the text is an object with numeric keys, which are field IDs. */
function isKeyedObject(written: string): boolean {
	return /^\{"\d/.test(written);
}

/** Returns whether n8n or the node may read the text as a number, which is sent as a number. */
function isNumber(written: string): boolean {
	return Number.isSafeInteger(Number(written.trim() || 0));
}

function isSubtable(written: string): boolean {
	return /^(?:_subtable_)?\d+$/.test(written.trim());
}
