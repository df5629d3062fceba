import type { Locator } from 'playwright-core';

import { orders } from '../service';
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

const newest = () => [...testbed.service.data.sheet(orders).records.values()].at(-1);

it('choices are picked, a checkbox says what is sent, and the record comes out by names', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Create a record');
	await editor.pickSheet('Sales / Orders');
	const mapped = (name: string, id: string) =>
		page.getByTestId(`parameter-input-${name} (${id})`).first();
	const customer = mapped('Customer Number', fields.customerNumber);
	await customer.waitFor();
	await customer.locator('input').first().fill('C-0001');
	expect(await editor.choose(mapped('Status', fields.status), 'Confirmed')).toEqual([
		...['Open', 'Confirmed', 'Shipped', 'Cancelled'],
	]);
	const express = mapped('Express', fields.express);
	const shown = async () => await express.locator('input').first().inputValue();
	expect(await shown()).toBe('(leave as it is)');
	await editor.execute();
	await output.getByText('C-0001').first().waitFor();
	await editor.closeMessages();
	expect(newest()?.text(fields.express)).toBe('');
	await editor.choose(express, 'Yes');
	expect(await shown()).toBe('Yes');
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

it('a filter offers the choices of its field, and types are an option', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.addNode('Get many records');
	await editor.pickSheet('Sales / Orders');
	await page.getByRole('button', { name: 'Add Condition' }).click();
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
});
