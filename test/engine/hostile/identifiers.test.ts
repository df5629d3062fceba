import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { withFiles } from '../record/recordValues';
import { onLines, rowAsJson } from '../subtableRow/rowTestbed';
import { addressOf, bombard, type Bombardment } from './bombardment';
import { nastyTexts } from './corpus';

const testbed = useRecordTestbed({ demoRecords: 60 });
const text = '={{ $json.text }}';
const { remark } = orders.fields;

const isId = (written: string) => /^\d{1,18}$/.test(written.trim());
const inOrders = { sheet: sheet(orders) };
const inOrder = { ...inOrders, recordId: recordId(1) };

/** The texts that are no ids are refused, and nothing at all is asked of the service. */
async function expectRefused(parameters: INodeParameters, more: Partial<Bombardment> = {}) {
	const texts = (more.texts ?? nastyTexts).filter((written) => !isId(written));
	await bombard(testbed, { parameters, refuses: () => true, ...more, texts });
}

const json = { inputMode: 'json', recordJson: `{ "${remark}": "x" }` };

function withRow(row: INodeParameters): INodeParameters {
	const fields = { mappingMode: 'defineBelow', value: { [remark]: 'x' } };
	return { operation: 'create', ...inOrders, fields, options: { subtables: { rows: [row] } } };
}

describe('what is no record id is refused, and nothing is sent, by', () => {
	const lines = { subtableId: orders.subtables.lines.id };
	const one = { ...inOrders, recordId: recordId(text) };

	it.each<[string, INodeParameters]>([
		['get', { operation: 'get' }],
		['update', { operation: 'update', ...json }],
		['delete', { operation: 'delete' }],
		['lock', { resource: 'lock', operation: 'lock' }],
		['unlock', { resource: 'lock', operation: 'unlock' }],
		['a comment', { resource: 'comment', operation: 'add', comment: 'x' }],
		['comments', { resource: 'comment', operation: 'getAll' }],
		['a button', { resource: 'actionButton', operation: 'run', buttonId: recordId(4) }],
		['a document', { resource: 'document', operation: 'export' }],
		['an upload', { resource: 'file', operation: 'upload', fieldId: remark }],
		['rows', { resource: 'subtableRow', operation: 'getAll', ...lines }],
		['a new row', { resource: 'subtableRow', operation: 'add', ...lines, ...rowAsJson({ a: 1 }) }],
	])('%s', async (_name, parameters) => {
		await expectRefused({ ...one, ...parameters });
	});

	it('a mass operation', async () => {
		await expectRefused(
			{
				resource: 'massOperation',
				operation: 'lock',
				...inOrders,
				selection: 'recordIds',
				recordIds: text,
			},
			{
				// A list of ids has white space and commas between them, or is a JSON array.
				texts: nastyTexts.filter((written) => !written.split(/[\s,[\]]+/).some(isId)),
			},
		);
	});

	it('a mass operation on the items', async () => {
		const selection = { selection: 'inputItems', recordIdField: 'text' };
		const lock = { resource: 'massOperation', operation: 'lock', ...inOrders };
		await expectRefused({ ...lock, ...selection });
	});
});

describe('what is a record id', () => {
	/** 007 and 7 are the same record. */
	const spelled = (written: string) => written.trim().replace(/^0+(?=.)/, '');

	it('reaches that record, and no other', async () => {
		await bombard(testbed, {
			parameters: {
				operation: 'get',
				...inOrders,
				recordId: recordId(text),
				options: { emptyResult: 'emptyItem' },
			},
			// Items that ask for the same record share a read: the last spelling of each stands for all.
			texts: [...new Map(nastyTexts.filter(isId).map((id) => [spelled(id), id])).values()],
			refuses: () => false,
			carried: ({ path }) => path.split('/').at(-1),
			sent: spelled,
			path: (_id, written) => `${addressOf(orders)}/${spelled(written)}`,
			query: ['api', 'naming', 'version'],
		});
	});
});

describe('a name that is no field is refused, and nothing is changed, by', () => {
	/** A number may be the id of a field that is not told; what it names is asked for as it is. */
	const texts = nastyTexts.filter((written) => !/^\d*$/.test(written.trim()));

	it.each<[string, INodeParameters]>([
		['create', { operation: 'create', inputMode: 'json', recordJson: keyed() }],
		['update', { operation: 'update', inputMode: 'json', recordJson: keyed(), ...inOrder }],
		['a row', onLines('add', { ...inOrder, ...rowAsJson(keyed()) })],
		['a condition', { operation: 'getAll', filters: conditions() }],
		['a sort rule', { operation: 'getAll', sort: { rule: { field: text, direction: 'ASC' } } }],
		['an upload', { resource: 'file', operation: 'upload', fieldId: text, ...inOrder }],
		[
			'a document',
			{ resource: 'document', operation: 'export', fileNameFieldId: text, ...inOrder },
		],
		['the file of a record', withFile({ fieldId: text, inputDataFieldName: 'data' })],
	])('%s', async (_name, parameters) => {
		await expectRefused({ ...inOrders, ...parameters }, { texts });
		expect(testbed.writes).toEqual([]);
	});

	it('the fields to return', async () => {
		const options = { onlyFields: text, fieldKeys: 'id' };
		// Several names have commas between; names with an underscore are those of the service.
		const single = texts.filter((written) => !/^_|,/.test(written.trim()));
		await expectRefused({ operation: 'get', ...inOrder, options }, { texts: single });
	});

	function withFile(file: INodeParameters): INodeParameters {
		return { operation: 'create', ...json, options: { files: { file: [file] } } };
	}

	function keyed(): string {
		return '={{ JSON.stringify({ [$json.text]: "x" }) }}';
	}

	function conditions(): INodeParameters {
		return { conditions: [{ field: text, operator: 'eq', value: 'x' }] };
	}
});

describe('a text in place of JSON', () => {
	/** Objects with numbers as keys name fields. */
	const texts = nastyTexts.filter((written) => !/^\{"\d/.test(written));

	it.each<[string, INodeParameters]>([
		['a record', { operation: 'create', ...inOrders, inputMode: 'json', recordJson: text }],
		['a row', onLines('add', { ...inOrder, inputMode: 'json', rowJson: text })],
	])('is refused as %s, and nothing is changed', async (_name, parameters) => {
		await expectRefused(parameters, { texts });
		expect(testbed.writes).toEqual([]);
	});
});

describe('other ids that are none are refused, and nothing is sent:', () => {
	it.each<[string, INodeParameters]>([
		['a row', onLines('delete', { ...inOrder, rowId: text })],
		[
			'a template',
			{
				resource: 'document',
				operation: 'export',
				...inOrder,
				format: 'mailMerge',
				templateId: text,
			},
		],
		['a format', { resource: 'document', operation: 'export', ...inOrder, format: text }],
		[
			'a file of the item',
			{
				resource: 'file',
				operation: 'upload',
				...inOrder,
				fieldId: remark,
				inputDataFieldName: text,
			},
		],
		[
			'a file of the record',
			{
				...{ operation: 'create', ...inOrders, ...json },
				...withFiles([remark, text]),
			},
		],
		[
			'an attachment',
			{
				resource: 'comment',
				operation: 'add',
				...inOrder,
				comment: 'x',
				inputDataFieldName: `=_${text.slice(1)}`,
			},
		],
	])('%s', async (_name, parameters) => {
		await expectRefused(parameters);
	});

	it.each<[string, INodeParameters]>([
		['a subtable', onLines('getAll', { ...inOrder, subtableId: text })],
		['the subtable of a record', withRow({ subtableId: text, rowJson: '{ "1": "x" }' })],
	])('%s', async (_name, parameters) => {
		await expectRefused(parameters, {
			texts: nastyTexts.filter((written) => !/^(?:_subtable_)?\d+$/.test(written.trim())),
		});
	});

	it('a row of a record', async () => {
		await expectRefused(withRow({ subtableId: orders.subtables.lines.id, rowJson: text }), {
			// An empty row is one.
			texts: nastyTexts.filter((written) => !/^\{(?:"\d|\}$)/.test(written.trim())),
		});
	});
});
