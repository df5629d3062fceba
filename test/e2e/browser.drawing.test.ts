import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { customers, orders } from '../service';
import { maxStepMilliseconds, useEditorPage, type EditorPage } from './browser';
import { useSharedN8n } from './n8nTestbed';
import { until } from './until';

// Workflows that are drawn on an empty canvas, with the node between other nodes of n8n.

const testbed = useSharedN8n();
const { fields } = orders;
const { customerNumber, name, city } = customers.fields;

let editor: EditorPage;
let output: Locator;
let panel: Locator;

beforeAll(async () => {
	await testbed.apiKey('admin');
});
useEditorPage(testbed, (opened) => {
	editor = opened;
	output = editor.page.getByTestId('output-panel');
	panel = editor.page.getByTestId('ndv');
});
beforeEach(async () => {
	testbed.service.reset();
	await editor.newWorkflow();
});

const writes = () => testbed.service.requests.all().filter(({ method }) => method !== 'GET');
const order = (id: number) => testbed.service.data.record(orders, id);

/** Adds the newest orders as input items. */
async function addOrders(limit: number): Promise<void> {
	await editor.addNode('Get many records');
	await editor.pickSheet('Sales / Orders');
	await editor.type('limit', String(limit));
	await editor.leaveNode();
}

/** Adds an item with the given JSON. */
async function addItem(json: object): Promise<void> {
	await editor.addOtherNode('Edit Fields (Set)');
	await editor.pick('mode', 'JSON');
	const code = panel.getByTestId('parameter-input-jsonOutput').locator('[contenteditable]').first();
	await code.fill(JSON.stringify(json));
	await editor.leaveNode();
}

async function mapAutomatically(): Promise<void> {
	await panel.getByText('Fetching fields').waitFor({ state: 'hidden' });
	await editor.choose(panel.getByTestId('mapping-mode-select').first(), 'Map Automatically');
}

async function addCondition(field: string, value: string): Promise<void> {
	await editor.addOtherNode('If');
	const condition = panel.getByTestId('filter-condition').first();
	const side = (part: 'left' | 'right') => condition.getByTestId(`filter-condition-${part}`);
	const input = 'input, [contenteditable]';
	const expression = side('left')
		.locator('[contenteditable]')
		.filter({ hasText: `$json.${field}` });
	const dragged = editor.page.locator(`[data-name="${field}"]`).first();
	await editor.dragUntil(expression, dragged, side('left').locator(input).first());
	await side('right').locator(input).first().fill(value);
	// The editor stores the value of a condition later than other values.
	await editor.settled();
}

it('a step that has written is not executed again together with the step after it', async () => {
	await addItem({ 'Customer Number': 'C-0950', Name: 'New', City: 'Oslo' });
	await editor.addNode('Create a record');
	await editor.pickSheet('Sales / Customers');
	await mapAutomatically();
	await editor.execute();
	await output.getByText('1 item', { exact: true }).waitFor();
	// The editor may load the fields again after an execution.
	await editor.settled();
	await editor.leaveNode();
	await addCondition('City', 'Oslo');
	await editor.execute();
	await output.getByText('True Branch (1 item)').waitFor();
	expect(writes()).toHaveLength(1);
	await editor.leaveNode();
});

it('rows of a CSV file are created or updated, and an If node separates them by their action', async () => {
	const text = 'Customer Number,Name,City\nC-0001,First & Sons,Rome\nC-0950,"New, Ltd.",Oslo';
	await addItem({ text });
	await editor.addOtherNode('Convert to File', 'Convert to text file');
	await editor.type('sourceProperty', 'text');
	await editor.leaveNode();
	await editor.addOtherNode('Extract from File', 'Extract from CSV');
	await editor.leaveNode();
	await editor.addNode('Create or update a record');
	await editor.pickSheet('Sales / Customers');
	await mapAutomatically();
	await editor.execute();
	await output.getByText('2 items', { exact: true }).waitFor();
	await editor.settled();
	await editor.leaveNode();
	await addCondition('_action', 'created');
	await editor.execute();
	await output.getByText('True Branch (1 item)').waitFor();
	await output.getByText('False Branch (1 item)').waitFor();
	await output.getByText('New, Ltd.').first().waitFor();
	await editor.screenshot('drawn csv');
	await editor.leaveNode();
	const written = (...[number, company, place]: string[]) => ({
		...{ [customerNumber]: number, [name]: company, [city]: place },
	});
	expect(writes().map(({ body }) => body)).toEqual([
		written('C-0001', 'First & Sons', 'Rome'),
		written('C-0950', 'New, Ltd.', 'Oslo'),
	]);
	await editor.tidyUp();
	await editor.screenshot('drawn csv canvas');
});

it('Loop Over Items updates 25 orders in portions of ten', async () => {
	await addOrders(25);
	await editor.addOtherNode('Loop Over Items');
	await editor.type('batchSize', '10');
	await editor.leaveNode();
	await editor.tidyUp();
	await editor.replaceNode('Replace Me', 'Update a record');
	await editor.openNode('Update a record');
	await editor.pickSheet('Sales / Orders');
	await editor.addMappedField('Remark');
	const remark = panel.getByTestId(/^parameter-input-Remark/).first();
	await remark.locator('input').first().fill('In portions');
	await editor.settled();
	await editor.leaveNode();
	await editor.executeWorkflow();
	await until(() => writes().length === 25);
	// n8n shows how many items have left the loop.
	await editor.page
		.getByTestId('canvas-node')
		.filter({ hasText: /done\s*25 items/ })
		.waitFor();
	await editor.screenshot('drawn loop');
	expect(new Set(writes().map(({ path }) => path)).size).toBe(25);
	expect(writes().map(({ body }) => body)).toEqual(
		Array.from({ length: 25 }, () => ({ [fields.remark]: 'In portions' })),
	);
});

it('one bad item of five goes to the error output, and the other four are written', async () => {
	await addOrders(5);
	await editor.addNode('Update a record');
	await editor.pickSheet('Sales / Orders');
	await editor.addMappedField('Order Date');
	const date = "{{ $itemIndex === 2 ? '2026-02-30' : '2026-03-01' }}";
	await editor.typeExpression(/^parameter-input-Order Date/, date);
	await panel.getByTestId('tab-settings').click();
	await editor.pick('onError', 'Continue (using error output)');
	await panel.getByTestId('tab-params').click();
	await editor.execute();
	await output.getByText('Success Branch (4 items)').waitFor();
	await output.getByText('Error Branch (1 item)').click();
	await output.getByText("'2026-02-30' is not a valid date").first().waitFor();
	await editor.screenshot('drawn error output');
	await editor.leaveNode();
	expect(writes().map(({ body }) => body)).toEqual(
		Array.from({ length: 4 }, () => ({ [fields.orderDate]: '2026/03/01' })),
	);
});

it('a sub-workflow reads the record whose ID it gets', async () => {
	const { page } = editor;
	await editor.addOtherNode('Execute Sub-workflow', 'When executed by Another Workflow');
	await page.getByText('Add field', { exact: true }).click();
	await editor.type('name', '_recordId');
	await editor.pick('type', 'Number');
	await editor.leaveNode();
	await editor.addNode('Get a record');
	await editor.pickSheet('Sales / Orders');
	await editor.typeExpression('recordId', '{{ $json._recordId }}');
	await editor.leaveNode();
	await editor.rename('Read One Order');

	await editor.newWorkflow();
	await addOrders(2);
	await editor.addOtherNode('Execute Sub-workflow', 'Execute A Sub Workflow');
	await editor.pickSheet('Read One Order');
	await editor.typeExpression('_recordId', '{{ $json._recordId }}');
	await editor.execute();
	await output.getByText('2 items', { exact: true }).waitFor();
	await editor.screenshot('drawn sub-workflow');
	await editor.leaveNode();
	const reads = testbed.service.requests.all().filter(({ path }) => /\/1\/\d+$/.test(path));
	expect(reads).toHaveLength(2);
	expect(new Set(reads.map(({ path }) => path)).size).toBe(2);
});

it('the file of a form is uploaded, downloaded, and stored in a new record', async () => {
	const { page } = editor;
	await editor.addOtherNode('n8n Form', 'On new n8n Form event');
	await editor.type('formTitle', 'Hand in a contract');
	await page.getByText('Add Form Element', { exact: true }).click();
	await editor.pick('fieldType', /^\s*File/);
	await editor.type('fieldLabel', 'Signed');
	await editor.leaveNode();
	await editor.addNode('Upload a file');
	await editor.pickSheet('Sales / Orders');
	await editor.type('recordId', '5');
	await editor.pick('fieldId', /^\s*Contract/);
	await editor.type('inputDataFieldName', 'Signed');
	await editor.leaveNode();
	await addDownloadOfContract();
	await addCopyWithContract();

	const opened = page.waitForEvent('popup');
	await editor.executeWorkflow();
	const form = await opened;
	form.setDefaultTimeout(maxStepMilliseconds);
	await form
		.locator('input[type=file]')
		.setInputFiles(join(__dirname, '../../icons/sheetRecords.svg'));
	await form.locator('button[type=submit], #submit-btn').first().click();
	await form.getByText('Your response has been recorded').waitFor();
	await form.close();
	const newest = () => Math.max(...testbed.service.data.sheet(orders).records.keys());
	await until(() => order(newest()).text(fields.reference) === 'Copy of the form');
	const contents = [5, newest()].map((id) => {
		const stored = testbed.service.data.files.get(String(order(id).value(fields.contract)));
		return stored?.content.toString();
	});
	expect(contents).toEqual([expect.stringContaining('<svg'), contents[0]]);
	await editor.tidyUp();
	await editor.screenshot('drawn form');
});

async function addDownloadOfContract(): Promise<void> {
	await editor.addAction('Download a file');
	await editor.pick('downloadBy', 'Record and Field');
	await editor.pickSheet('Sales / Orders');
	await editor.type('recordId', '5');
	await editor.pick('fieldId', /^\s*Contract/);
	await editor.settled();
	await editor.leaveNode();
}

async function addCopyWithContract(): Promise<void> {
	await editor.addNode('Create a record');
	await editor.pickSheet('Sales / Orders');
	const mapped = (name: RegExp) => panel.getByTestId(name).first().locator('input').first();
	await mapped(/^parameter-input-Customer Number/).fill('C-0001');
	await mapped(/^parameter-input-Reference/).fill('Copy of the form');
	await editor.choose(panel.getByTestId('collection-parameter-add').last(), /^\s*Files$/);
	await panel.getByRole('button', { name: 'Add File' }).click();
	await editor.pick('fieldId', /^\s*Contract/);
	await editor.settled();
	await editor.leaveNode();
}
