import { customers, orders } from '../service';
import { offeredOperations } from '../engine/operations';
import { useEditorPage, type EditorPage } from './browser';
import { branches, start, type Branch } from './chain';
import type { SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

// The table view of the editor shows a red "undefined" where an item lacks a key that another item has.

const testbed = useSharedN8n();

let editor: EditorPage;
let credential: SavedCredential;
beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});
useEditorPage(testbed, (opened) => (editor = opened));

const { fields, subtables, buttons } = orders;
const { article, quantity } = subtables.lines.fields;
const { customerNumber, name, city } = customers.fields;

const locator = (value: string, mode = 'id') => ({ __rl: true, mode, value });
const ofCustomers = { sheet: locator('sales/customers/2', 'path') };
const eachRecord = { recordId: locator('={{ $json.id }}') };
const lines = { ...eachRecord, subtableId: subtables.lines.id };
const values = { inputMode: 'json', recordJson: '={{ $json.values }}' };
const rowValues = { inputMode: 'json', rowJson: '={{ $json.values }}' };
const byId = { selection: 'recordIds', recordIds: '={{ $json.id }}' };
const ids = (...list: number[]) => list.map((id) => ({ id }));
const customer = (number: string, place: string, company = 'Acme') => ({
	values: { [customerNumber]: number, [name]: company, [city]: place },
});
const upsert = { ...ofCustomers, ...values, matchFields: [customerNumber] };
const rows = {
	sheet: locator('sales/orders/1', 'path'),
	...{ recordId: locator('={{ $json._recordId }}'), subtableId: subtables.lines.id },
	rowId: '={{ $json._rowId }}',
};
const task = { taskId: '={{ $json.taskId }}' };

/** Operations with items of different outcomes, by resource and operation. */
const tables: Record<string, Branch> = {
	// A starred order, one with rows, one with a file.
	'record get': { parameters: eachRecord, input: ids(1, 20, 50) },
	'record getAll': { parameters: { limit: 30 } },
	'record count': { parameters: {}, input: ids(1, 2) },
	'record ifExists': {
		parameters: { matchFields: ['_recordId'] },
		input: [{ _recordId: 1 }, { _recordId: 2 }],
	},
	'record create': {
		parameters: { ...ofCustomers, ...values },
		input: [customer('C-901', 'Rome'), customer('C-902', '')],
	},
	'record update': {
		parameters: { ...ofCustomers, ...eachRecord, ...values, options: { skipUnchanged: true } },
		input: [
			{ id: 1, values: { [city]: 'Rome' } },
			{ id: 1, values: { [city]: 'Rome' } },
			{ id: 2, values: { [name]: 'New', [city]: '' } },
		],
	},
	'record upsert': {
		parameters: { ...upsert, options: { skipUnchanged: true } },
		input: [customer('C-0011', 'Rome'), customer('C-0011', 'Rome'), customer('C-911', 'Rome')],
	},
	'record upsert dryRun': {
		parameters: { ...upsert, options: { dryRun: true, skipUnchanged: true } },
		input: [customer('C-0013', 'Rome'), customer('C-913', 'Rome')],
	},
	'record upsert dryRun updateOnly': {
		parameters: { ...upsert, options: { dryRun: true, upsertMode: 'updateOnly' } },
		input: [customer('C-0014', 'Rome'), customer('C-914', 'Rome')],
	},
	'record duplicate': { parameters: eachRecord, input: ids(21, 22) },
	'record delete': { parameters: eachRecord, input: ids(31, 32) },
	'record delete dryRun': {
		parameters: { ...eachRecord, options: { dryRun: true } },
		input: ids(33, 34),
	},
	'subtableRow getAll': { parameters: lines, input: ids(1, 2) },
	'subtableRow add': {
		parameters: { ...lines, ...rowValues },
		input: [
			{ id: 1, values: { [article]: 'Vase' } },
			{ id: 2, values: { [quantity]: 2 } },
		],
	},
	'subtableRow update': {
		parameters: { ...rows, inputMode: 'json', rowJson: { [quantity]: 3 } },
		after: 'subtableRow getAll',
	},
	'subtableRow delete': { parameters: rows, after: 'subtableRow update' },
	'comment add': { parameters: { ...eachRecord, comment: 'Seen' }, input: ids(1, 2) },
	'comment getAll': { parameters: eachRecord, input: ids(1, 2, 3) },
	'lock lock': { parameters: eachRecord, input: ids(41, 43) },
	'lock unlock': { parameters: eachRecord, input: ids(42, 83) },
	'actionButton getAll': { parameters: { returnAll: true } },
	'actionButton run': {
		parameters: { ...eachRecord, buttonId: locator(buttons.cancel) },
		input: ids(51, 52),
	},
	'massOperation lock': { parameters: byId, input: ids(61, 62) },
	'task get': { parameters: task, after: 'massOperation lock' },
	'task wait': { parameters: task, after: 'massOperation lock' },
	'massOperation approve': { parameters: byId, input: ids(61, 62) },
	'massOperation runActionButton': {
		parameters: { ...byId, buttonId: locator(buttons.cancel) },
		input: ids(61, 62),
	},
	'massOperation update': {
		parameters: { ...byId, assignments: { assignment: [{ field: fields.remark, value: 'x' }] } },
		input: ids(61, 62),
	},
	'massOperation searchReplace': {
		parameters: {
			...byId,
			replacements: { replacement: [{ field: fields.remark, valueReplaced: 'x', valueNew: 'y' }] },
		},
		input: ids(61, 62),
	},
	'document export': { parameters: { ...eachRecord, format: 'xhtml' }, input: ids(1, 2) },
	'document exportList': { parameters: {}, input: ids(1, 2) },
	'file download': {
		parameters: { downloadBy: 'field', ...eachRecord, fieldId: fields.contract },
		input: ids(50, 100),
	},
	'file upload': {
		parameters: { recordId: locator('={{ $itemIndex + 1 }}'), fieldId: fields.contract },
		after: 'file download',
	},
	'sheet getFields': { parameters: {}, input: ids(1) },
	'sheet importFromUrl': { parameters: ofCustomers, input: ids(1, 2) },
};

const nodes = Object.keys(tables);

/** Nodes whose table is looked at in the editor; the others by their items, which is faster. */
const { SCREENSHOTS: takesScreenshots } = process.env;
const openedNodes = takesScreenshots ? nodes : ['record get', 'record upsert', 'task get'];

it('all operations have a table', async () => {
	const offered = (await offeredOperations()).map(
		({ resource, operation }) => `${resource.value} ${operation.value}`,
	);
	expect(nodes).toEqual(expect.arrayContaining(offered));
});

beforeEach(() => {
	testbed.service.reset();
	testbed.service.data.sheet(customers).periodicImport.enabled = true;
});

it('all items of a table have the same keys, whatever happened to them', async () => {
	const workflow = branches(tables, credential);
	const saved = await testbed.editor.importWorkflow(workflow, [credential]);
	const execution = await testbed.editor.run(saved, start);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	const incomplete = nodes.filter((node) => {
		const items = execution.json(node);
		const keys = new Set(items.flatMap((item) => Object.keys(item)));
		return items.length === 0 || items.some((item) => Object.keys(item).length < keys.size);
	});
	expect(incomplete).toEqual([]);
});

it('no table in the editor shows "undefined"', async () => {
	// A busy browser takes minutes to draw all operations while they run.
	const needed = openedNodes.flatMap((node) => [node, tables[node]?.after ?? node]);
	const opened = Object.entries(tables).filter(([node]) => needed.includes(node));
	const workflow = branches(Object.fromEntries(opened), credential);
	const saved = await testbed.editor.importWorkflow(workflow, [credential]);
	await editor.openWorkflow(saved.id);
	await editor.executeWorkflow();
	const [execution] = await testbed.editor.endedExecutions(saved, 1);
	expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
	const incomplete: string[] = [];
	for (const node of openedNodes) {
		if ((await editor.tableOf(node)).includes('undefined')) incomplete.push(node);
	}
	expect(incomplete).toEqual([]);
});
