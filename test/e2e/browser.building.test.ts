import type { Locator } from 'playwright-core';
import { customers, orders, siteVisits } from '../service';
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

it('a mapped field is still written after it was renamed, and is named after it was deleted', async () => {
	const visits = testbed.service.data.sheet(siteVisits);
	const { site } = siteVisits.fields;
	await editor.newWorkflow();
	await editor.addNode('Create a record');
	await editor.pickSheet('Visits');
	const field = mapped('Site', site);
	await field.waitFor();
	await field.fill('Lyon 7');
	await editor.settled();
	const renamed = visits.fields.find(({ id }) => id === site);
	if (renamed) renamed.name = 'Place';
	await editor.execute();
	await output.getByText('Lyon 7').first().waitFor();
	await editor.closeMessages();
	await editor.screenshot('renamed');
	expect(writes().map(({ body }) => body)).toEqual([{ [site]: 'Lyon 7' }]);

	visits.fields.splice(0, visits.fields.length, ...visits.fields.filter(({ id }) => id !== site));
	await editor.execute();
	// The node still knows the field from the run before. The service names it by its ID.
	await output.getByText(`Error processing parameter: ${site}`).first().waitFor();
	await output.getByText('the ID of a field that was deleted').first().waitFor();
	await editor.closeMessages();
	await editor.screenshot('deleted');
});
