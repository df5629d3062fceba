import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customers } from '../service';
import { useEditorPage, type EditorPage } from './browser';
import { useSharedN8n } from './n8nTestbed';

// Follows the quick start of the README step by step, in an n8n without a credential for the service.

const testbed = useSharedN8n();

let editor: EditorPage;
useEditorPage(testbed, (opened) => (editor = opened));

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
const [, fiveMinutes = ''] = /\n1\. (.+?)\n\nNo account/s.exec(readme) ?? [];
/** Labels in the quick start that are not checked yet. Excludes a label of the service and a label of older n8n versions. */
const uncheckedLabels = new Set(
	[...fiveMinutes.matchAll(/\*\*(.+?)\*\*/g)].map(([, label = '']) => label),
);
for (const elsewhere of ['API key', 'Create new credential']) uncheckedLabels.delete(elsewhere);

/** Returns a label after checking that the README quotes it. */
function quotedLabel(label: string): string {
	expect(fiveMinutes).toContain(`**${label}**`);
	uncheckedLabels.delete(label);
	return label;
}

it('the quick start leads to the first records in 8 steps, plus 3 steps to correct a mistyped key', async () => {
	const { page } = editor;
	const { baseUrl, account, identities } = testbed.service;
	await editor.newWorkflow();
	quotedLabel('+');
	await editor.addNode(quotedLabel('Get many records'), quotedLabel('Actions'));

	const steps = await editor.countSteps();
	await page.getByText(quotedLabel('Credential'), { exact: true }).first().waitFor();
	await page.getByText(quotedLabel('Connect to Sheet Records')).click();
	const dialog = page.getByRole('dialog').last();
	await dialog.getByText(quotedLabel('Base URL')).first().waitFor();
	await editor.enter('baseUrl', baseUrl);
	await editor.enter('account', account);
	await editor.enter('apiKey', 'mistyped');
	const save = dialog.getByRole('button', { name: 'Save', exact: true });
	await save.click();
	await dialog.getByText(quotedLabel('More details')).click();
	await dialog.getByText('The service does not accept this key').waitFor();
	await editor.enter('apiKey', identities.admin.apiKey);
	await save.click();
	await page.getByText(quotedLabel('Credential saved')).waitFor();
	await save.waitFor({ state: 'hidden' });

	await page.getByText(quotedLabel('Sheet'), { exact: true }).first().waitFor();
	await editor.pickSheet('Sales / Customers');
	const panel = page.getByTestId('ndv');
	await panel
		.getByRole('button', { name: quotedLabel('Execute step') })
		.first()
		.click();
	const output = page.getByTestId('output-panel');
	await output.getByText('50 items', { exact: true }).waitFor();
	expect(await steps()).toBe(8 + 3);
	await editor.screenshot('minutes first records');
	for (const name of ['Customer Number', 'City'])
		await output.getByText(name, { exact: true }).first().waitFor();

	await page.getByText(quotedLabel('Filters'), { exact: true }).first().waitFor();
	await page.getByText(quotedLabel('Return All'), { exact: true }).first().waitFor();
	await page.getByRole('button', { name: 'Add Condition' }).click();
	await editor.pick('field', 'City');
	await editor.type('value', 'Lyon');
	await editor.execute();
	const { records } = testbed.service.data.sheet(customers);
	const inLyon = [...records.values()].filter(
		(record) => record.text(customers.fields.city) === 'Lyon',
	);
	await output.getByText(`${inLyon.length} items`, { exact: true }).waitFor();
	await output.getByText('Lyon', { exact: true }).first().waitFor();
	await editor.screenshot('minutes condition');

	await editor.leaveNode();
	await editor.addOtherNode('Edit Fields (Set)');
	const area = page.getByTestId('assignment-collection-drop-area');
	await editor.drag(page.locator('[data-name="City"]'), area);
	await editor.screenshot('minutes dragged');
	await page.getByText('{{ $json.City }}').first().waitFor();
	await editor.leaveNode();

	await editor.newWorkflow();
	await editor.addNode('Get many records');
	await editor.pickSheet('Sales / Customers');
	for (const operation of ['Create', 'Create or Update', 'Update']) {
		await editor.pick('operation', new RegExp(`^\\s*${quotedLabel(operation)}(?! or)`));
		if (operation === 'Update') {
			// The operation Update shows no fields until the user adds one.
			await page.getByText('Add field to send').first().waitFor();
			expect(await page.getByTestId(/^parameter-input-Customer Number/).count()).toBe(0);
			expect(fiveMinutes).toContain('add the fields to change');
		} else if (operation === 'Create') {
			await page.getByText('Customer Number').first().waitFor();
		} else {
			const fields = page.getByText('Customer Number').or(page.getByText('Add field to send'));
			await fields.first().waitFor();
		}
	}
	// After Update, n8n keeps the fields hidden, so the notice explains how to show them.
	await editor.pick('operation', /^\s*Create(?! or)/);
	const notice = page.getByText("choose 'Add All Fields' in the menu ⋮ of 'Values to Send'");
	await notice.waitFor();
	await page.getByTestId('resource-mapper-container').getByTestId('action-toggle').last().click();
	await page.getByText('Add All Fields', { exact: true }).click();
	await page
		.getByTestId(/^parameter-input-Customer Number/)
		.first()
		.waitFor();
	await notice.waitFor({ state: 'hidden' });
	await editor.settled();
	await editor.screenshot('minutes create');

	for (const trigger of ['Sheet Records Trigger', 'Sheet Records Polling Trigger']) {
		await editor.newWorkflow();
		const found = await editor.searchNodes(quotedLabel(trigger));
		expect(found.map((name) => `${name} Trigger`)).toContain(trigger);
	}
	expect([...uncheckedLabels]).toEqual([]);
});
