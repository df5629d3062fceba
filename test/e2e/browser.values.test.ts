import type { Locator } from 'playwright-core';
import { customers, orders } from '../service';
import { useEditorPage, type EditorPage } from './browser';
import { useSharedN8n } from './n8nTestbed';

/** Values that people can work with: choices in, names out, types. */

const testbed = useSharedN8n();
const { fields } = orders;

let editor: EditorPage;
let output: Locator;

beforeAll(async () => {
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
const shownIn = async (field: Locator) => await field.locator('input').first().inputValue();

const newest = () => [...testbed.service.data.sheet(orders).records.values()].at(-1);

it('choices are picked, a checkbox says what is sent, and the record comes out by names', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Create a record');
	await editor.pickSheet('Sales / Orders');
	const customer = mapped('Customer Number', fields.customerNumber);
	await customer.waitFor();
	// What the service computes is not offered.
	expect(await page.getByText('Shipping Label').count()).toBe(0);
	await editor.settled();
	await editor.screenshot('mapper');
	await customer.locator('input').first().fill('C-0001');
	expect(await editor.choose(mapped('Status', fields.status), 'Confirmed')).toEqual([
		...['Open', 'Confirmed', 'Shipped', 'Cancelled'],
	]);
	const express = mapped('Express', fields.express);
	expect(await shownIn(express)).toBe('');
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
		expect(await shownIn(date)).toContain('2031-01-31');
	}
	await editor.execute();
	await output.getByText('C-0001').first().waitFor();
	await editor.closeMessages();
	const { orderDate, deliveryTime, express: expressId, reference } = fields;
	const sent = [orderDate, deliveryTime, expressId, reference].map((id) => newest()?.text(id));
	expect(sent).toEqual(['2031/01/31', '2031/01/31 09:30:00', '', '']);
	expect(newest()?.value(fields.tags)).toEqual(['Gift', 'Bulk']);
	await editor.choose(express, 'Yes');
	expect(await shownIn(express)).toBe('Yes');
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

it('a fresh update takes its record from the item, and sends a number as it is shown', async () => {
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
	expect(await shownIn(limit)).toBe('12.5');
	const { requests, data } = testbed.service;
	const writes = requests.all().filter(({ method }) => method === 'POST');
	const id = Math.max(...data.sheet(customers).records.keys());
	expect(writes.map(({ path, body }) => [path, body])).toEqual([
		[expect.stringMatching(new RegExp(`/${id}$`)), { [customers.fields.creditLimit]: 12.5 }],
	]);
});

it('a filter offers the choices of its field, a second one says how both count, and types are an option', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Get many records');
	await editor.pickSheet('Sales / Orders');
	await page.getByRole('button', { name: 'Add Condition' }).click();
	const rules = page.getByText('Conditions on different fields are combined with AND');
	expect(await rules.count()).toBe(0);
	await editor.pick('field', 'Status');
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
	expect(editor.complaints).toEqual([]);
});
