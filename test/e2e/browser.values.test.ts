import type { Locator } from 'playwright-core';
import { customers, orders } from '../service';
import { useEditorPage, type EditorPage } from './browser';
import { useSharedN8n } from './n8nTestbed';

// Values in the editor: choices of fields, names of fields in the output, typed values.

const testbed = useSharedN8n();
const { fields } = orders;

let editor: EditorPage;
let output: Locator;

beforeAll(async () => {
	const { baseUrl, account, identities } = testbed.service;
	const { apiKey } = identities.member;
	const member = { baseUrl, account, apiKey, requestsPerSecond: 0 };
	await testbed.editor.createCredential('sheetRecordsApi', member, 'Key of a member');
	// n8n preselects the credential saved last in a new node.
	await testbed.apiKey('admin');
});
useEditorPage(testbed, (opened) => {
	editor = opened;
	output = editor.page.getByTestId('output-panel');
});

beforeEach(() => {
	testbed.service.reset();
	testbed.service.switches.schemaChoices = true;
});

const mapped = (name: string, id: string) =>
	editor.page.getByTestId(`parameter-input-${name} (${id})`).first();
const displayedValue = async (field: Locator) => await field.locator('input').first().inputValue();

const newest = () => [...testbed.service.data.sheet(orders).records.values()].at(-1);

it('choices can be selected, a checkbox shows the value that is sent, and the output uses field names', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Create a record');
	await editor.pickSheet('Sales / Orders');
	const customer = mapped('Customer Number', fields.customerNumber);
	await customer.waitFor();
	// Fields computed by the service are not offered.
	expect(await page.getByText('Shipping Label').count()).toBe(0);
	await editor.settled();
	await editor.screenshot('mapper');
	await editor.screenshotInBothThemes('panel create');
	await customer.locator('input').first().fill('C-0001');
	expect(await editor.choose(mapped('Status', fields.status), 'Confirmed')).toEqual([
		...['Open', 'Confirmed', 'Shipped', 'Cancelled'],
	]);
	const express = mapped('Express', fields.express);
	expect(await displayedValue(express)).toBe('');
	await page.getByText('Tags (e.g. Fragile, Gift)').waitFor();
	await mapped('Tags', fields.tags).locator('input').first().fill('Gift, Bulk');
	const dates = [
		mapped('Order Date', fields.orderDate),
		mapped('Delivery Time', fields.deliveryTime),
	];
	for (const date of dates) {
		await date.locator('input').first().fill('2031-01-31 09:30:00');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Tab');
		expect(await displayedValue(date)).toContain('2031-01-31');
	}
	await editor.execute();
	await output.getByText('C-0001').first().waitFor();
	await editor.closeMessages();
	const { orderDate, deliveryTime, express: expressId, reference } = fields;
	const sent = [orderDate, deliveryTime, expressId, reference].map((id) => newest()?.text(id));
	expect(sent).toEqual(['2031/01/31', '2031/01/31 09:30:00', '', '']);
	expect(newest()?.value(fields.tags)).toEqual(['Gift', 'Bulk']);
	// A new record has no value to leave unchanged.
	expect(await editor.choose(express, 'Yes')).toEqual(['Yes', 'No']);
	expect(await displayedValue(express)).toBe('Yes');
	const before = newest()?.id;
	await editor.execute();
	await output.getByText('C-0001').first().waitFor();
	await editor.closeMessages();
	await editor.screenshot('names out after create');
	for (const name of ['Customer Number', 'Status', 'Express'])
		await output.getByText(name, { exact: true }).first().waitFor();
	expect(await output.innerText()).not.toContain(fields.status);
	expect(newest()?.id).not.toBe(before);
	expect([newest()?.text(fields.status), newest()?.text(fields.express)]).toEqual([
		'Confirmed',
		'Yes',
	]);
});

it('a new update node takes the record ID from the item, and sends the displayed number', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Get many records');
	await editor.pickSheet('Sales / Customers');
	await editor.enter('limit', '1');
	await editor.leaveNode();
	await editor.addNode('Update a record');
	await editor.pickSheet('Sales / Customers');
	const record = page.getByTestId('parameter-input-recordId').first();
	await record.getByText('{{ $json._recordId }}').waitFor();
	await page.getByText('Add field to send').click();
	await page.getByText('Credit Limit', { exact: true }).last().click();
	const limit = mapped('Credit Limit', customers.fields.creditLimit);
	await limit.locator('input').first().fill('12.5');
	await editor.screenshot('update of what was read');
	await editor.execute();
	await output.getByText('12.5').first().waitFor();
	await editor.closeMessages();
	expect(await displayedValue(limit)).toBe('12.5');
	const { requests, data } = testbed.service;
	const writes = requests.all().filter(({ method }) => method === 'POST');
	const id = Math.max(...data.sheet(customers).records.keys());
	expect(writes.map(({ path, body }) => [path, body])).toEqual([
		[expect.stringMatching(new RegExp(`/${id}$`)), { [customers.fields.creditLimit]: 12.5 }],
	]);
});

it('a filter lists the choices of its field, a second filter explains their combination, and values can be typed', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Get many records');
	const parameters = page.locator('.parameter-input-list-wrapper').first();
	// The initial panel must not be longer than the panels of comparable nodes.
	expect(await parameters.evaluate((list) => list.scrollHeight)).toBeLessThanOrEqual(660);
	await editor.screenshotInBothThemes('panel get many');
	const sheets = await editor.pickSheet('Sales / Orders');
	expect(sheets).toEqual([...sheets].sort((left, right) => left.localeCompare(right, 'en')));
	expect(sheets.length).toBeGreaterThan(10);
	await page.getByRole('button', { name: 'Add Condition' }).click();
	const rules = page.getByText('Conditions on different fields are combined with AND');
	expect(await rules.count()).toBe(0);
	const offered = await editor.pick('field', 'Status');
	const sheetFields = offered.filter((name) => !name.startsWith('— '));
	expect(sheetFields).toEqual([...sheetFields].sort((left, right) => left.localeCompare(right)));
	expect(sheetFields).toContain('Order Number');
	expect(offered.slice(sheetFields.length)).toEqual([
		...['— Create Date (System)', '— Entry Manager (System)', '— Create User (System)'],
		...['— Last Update Date (System)', '— Notify User (System)'],
		...['— If Locked (System)', '— If Starred (System)'],
	]);
	await editor.screenshot('filter value');
	await page.getByTestId('resource-locator-value').getByTestId('rlc-mode-selector').click();
	await page.locator('.el-select-dropdown__item:visible').filter({ hasText: 'List' }).click();
	await page.getByTestId('resource-locator-value').getByTestId('rlc-input').click();
	const entries = page.getByTestId('rlc-item');
	await entries.filter({ hasText: 'Shipped' }).waitFor();
	await editor.screenshot('filter with choices');
	await entries.filter({ hasText: 'Shipped' }).click();
	await page.getByTestId('collection-parameter-add').click();
	await page
		.locator('.el-select-dropdown__item:visible')
		.filter({ hasText: 'Typed Values' })
		.first()
		.click();
	await editor.settled();
	await editor.screenshot('typed values');
	await editor.execute();
	await output.getByText('Shipped').first().waitFor();
	await editor.closeMessages();
	await output.getByText('JSON', { exact: true }).click();
	await editor.settled();
	await editor.screenshot('typed output');
	expect(await output.innerText()).toMatch(/"?Express"?\s*:\s*(true|false)/);
	await page.getByRole('button', { name: 'Add Condition' }).click();
	await rules.waitFor();
	await editor.screenshot('filters');
});

it('a member without access to the menu can select a sheet, and a long write shows its expected duration', async () => {
	const { page } = editor;
	const { requests, switches } = testbed.service;
	switches.menu = 'code106';
	await editor.newWorkflow();
	await editor.addNode('Get many records');
	await page.getByTestId('node-credentials-select').first().click();
	await page.getByText('Key of a member', { exact: true }).last().click();
	const sheets = await editor.pickSheet('Sales / Orders');
	expect(sheets).not.toContain('Private / Salaries');
	expect(requests.all().map(({ path }) => path)).toContain('/api/http/integromatForms.jsp');
	await editor.screenshot('sheets of a member');
	await page.getByTestId('parameter-input-returnAll').first().click();
	await editor.execute();
	await output.getByText('2500 items', { exact: true }).waitFor();
	await editor.leaveNode();
	await editor.addNode('Update a record');
	await output.getByText('Writing more than 1,500 items takes more than 5 minutes').waitFor();
	await editor.screenshot('long run');
});

it('an error explains the cause and the solution: missing match value, unknown sheet, unknown field', async () => {
	const { page } = editor;
	const expectError = async (message: string, advice: string) => {
		await editor.execute();
		await output.getByText(message).first().waitFor();
		await output.getByText(advice).first().waitFor();
		await editor.closeMessages();
	};
	await editor.newWorkflow();
	await editor.addNode('Delete a record');
	await editor.screenshotInBothThemes('panel delete');
	await editor.pickSheet('Sales / Orders');
	await editor.pick('deleteBy', 'Match');
	await page.getByText("Values are taken from the input item's fields with these names").waitFor();
	await editor.pick('matchFields', 'Order Number');
	await page.keyboard.press('Escape');
	await expectError("'Order Number' to match on has no value", 'It needs a field with this name');
	await editor.screenshotInBothThemes('error');
	expect(testbed.service.data.sheet(orders).records.size).toBe(2500);

	await editor.pick('operation', /^\s*Create(?! or)/);
	await editor.pick('inputMode', 'JSON');
	const json = page.getByTestId('parameter-input-recordJson').locator('[contenteditable]').first();
	await json.fill('{ "Statuss": "Open" }');
	await expectError("is not a field of the sheet. Did you mean 'Status'?", 'Use the exact name');
	await editor.screenshot('error field');
	await editor.choose(page.getByTestId('rlc-mode-selector').first(), 'By Path');
	await editor.type('sheet', 'sales/orders/77');
	await expectError("There is no sheet 77 in the folder 'sales/orders'", 'Choose the sheet again');
	await editor.screenshot('error sheet');
});

it('Create or Update preselects no automatic number for matching, and a mass operation returns its result', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Create or update a record');
	await editor.pickSheet('Sales / Orders');
	await page.getByText('Fields that find existing records').waitFor();
	const matching = page.getByTestId('matching-column-select').first();
	expect(await matching.innerText()).not.toContain('Order Number');
	const offered = await editor.choose(matching, 'Reference');
	expect(offered.slice(0, 3)).toEqual(['Record ID', 'Order Number', 'Customer Number']);
	await page.keyboard.press('Escape');
	await page.getByText('Reference (using to match)').first().waitFor();
	await editor.screenshot('match fields');

	await editor.pick('resource', 'Mass Operation');
	await editor.pick('operation', 'Lock or Unlock');
	await editor.pick('selection', 'Record IDs');
	await editor.type('recordIds', '1, 2');
	await editor.execute();
	await output.getByText('The task ended: 2 of 2 records').waitFor();
	await editor.closeMessages();
	await output.getByText('JSON', { exact: true }).click();
	await editor.settled();
	const keys = [...(await output.innerText()).matchAll(/"(\w+)"\s*:/g)].map(([, key]) => key);
	expect(keys).toEqual([
		...['taskId', 'taskName', 'account', 'status', 'finished', 'succeeded'],
		...['processed', 'success', 'fail', 'total', 'progress', 'message'],
	]);
	await editor.screenshot('mass operation');
	expect(editor.complaints).toEqual([]);
});
