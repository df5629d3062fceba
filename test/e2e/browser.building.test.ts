import type { Locator } from 'playwright-core';
import { customers, orders } from '../service';
import { useEditorPage, type EditorPage } from './browser';
import { chain, recordLocator, sheetRecords } from './chain';
import type { SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

// Workflows that are built, changed and executed in parts, as people do.

const testbed = useSharedN8n();
const { fields } = orders;

let editor: EditorPage;
let output: Locator;
let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});
useEditorPage(testbed, (opened) => {
	editor = opened;
	output = editor.page.getByTestId('output-panel');
});
beforeEach(() => testbed.service.reset());

const writes = () => testbed.service.requests.all().filter(({ method }) => method !== 'GET');
const mapped = (name: string, id: string) =>
	editor.page.getByTestId(`parameter-input-${name} (${id})`).first().locator('input').first();

it('the mapper starts again when another sheet is chosen, and keeps no value of the old sheet', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Create a record');
	await editor.pickSheet('Sales / Customers');
	await mapped('Customer Number', customers.fields.customerNumber).fill('C-0990');
	await mapped('Name', customers.fields.name).fill('Moved');
	await editor.pickSheet('Sales / Orders');
	const customerNumber = mapped('Customer Number', fields.customerNumber);
	await customerNumber.waitFor();
	await editor.settled();
	await editor.screenshot('sheet changed');
	expect(await customerNumber.inputValue()).toBe('');
	expect(await page.getByTestId(/^parameter-input-Name/).count()).toBe(0);
	await customerNumber.fill('C-0001');
	await editor.execute();
	await output.getByText('C-0001').first().waitFor();
	await editor.closeMessages();
	expect(writes().map(({ body }) => body)).toEqual([{ [fields.customerNumber]: 'C-0001' }]);
	await editor.leaveNode();
});

it('pinned items are used again: a step alone reads no record, and writes those items', async () => {
	const { page } = editor;
	const list = sheetRecords('List', credential, { operation: 'getAll', limit: 2 });
	const update = sheetRecords('Update', credential, {
		...{ operation: 'update', recordId: recordLocator('={{ $json._recordId }}') },
		...{ inputMode: 'json', recordJson: { Remark: 'Pinned' } },
	});
	const { id } = await testbed.editor.importWorkflow(chain('Pinned', list, update), [credential]);
	await editor.openWorkflow(id);
	await editor.openNode('List');
	await editor.execute();
	await output.getByText('2 items', { exact: true }).waitFor();
	await page.getByTestId('ndv-pin-data').click();
	await output.getByText('This data is pinned').waitFor();
	await editor.leaveNode();
	testbed.service.requests.clear();
	await editor.openNode('Update');
	await editor.execute();
	await output.getByText('Pinned').first().waitFor();
	await editor.screenshot('pinned');
	expect(writes()).toHaveLength(2);
	const lists = testbed.service.requests.all().filter(({ rawUrl }) => rawUrl.includes('limit='));
	expect(lists).toEqual([]);
	await editor.leaveNode();
});
