import { customers } from '../service';
import { useEditorPage, type EditorPage } from './browser';
import { useSharedN8n } from './n8nTestbed';

/** The README's five minutes, step by step, in an n8n that has no credential of the service yet. */

const testbed = useSharedN8n();

let editor: EditorPage;
useEditorPage(testbed, (opened) => (editor = opened));

it('lead to the first records in 8 steps, and past a mistyped key in 3 more', async () => {
	const { page } = editor;
	const { baseUrl, account, identities } = testbed.service;
	await editor.newWorkflow();
	await editor.addNode('Get many records');

	const steps = await editor.countSteps();
	await page.getByText('Connect to Sheet Records').click();
	const dialog = page.getByRole('dialog').last();
	await editor.enter('baseUrl', baseUrl);
	await editor.enter('account', account);
	await editor.enter('apiKey', 'mistyped');
	const save = dialog.getByRole('button', { name: 'Save', exact: true });
	await save.click();
	await dialog.getByText('More details').click();
	await dialog.getByText('The service does not accept this key').waitFor();
	await editor.enter('apiKey', identities.member.apiKey);
	await save.click();
	await page.getByText('Credential saved').waitFor();
	await save.waitFor({ state: 'hidden' });

	await editor.pickSheet('Sales / Customers');
	await editor.execute();
	const output = page.getByTestId('output-panel');
	await output.getByText('50 items', { exact: true }).waitFor();
	expect(await steps()).toBe(8 + 3);
	await editor.screenshot('minutes first records');
	for (const name of ['Customer Number', 'City'])
		await output.getByText(name, { exact: true }).first().waitFor();

	await page.getByRole('button', { name: 'Add Condition' }).click();
	await editor.pick('field', 'City');
	await editor.type('value', 'Lyon');
	await editor.execute();
	const { records } = testbed.service.data.sheet(customers);
	const inLyon = [...records.values()].filter((one) => one.text(customers.fields.city) === 'Lyon');
	await output.getByText(`${inLyon.length} items`, { exact: true }).waitFor();
	await output.getByText('Lyon', { exact: true }).first().waitFor();
	await editor.screenshot('minutes condition');

	await editor.newWorkflow();
	await editor.addNode('Create a record');
	await editor.pickSheet('Sales / Customers');
	await page.getByText('Customer Number').first().waitFor();
	await editor.settled();
	await editor.screenshot('minutes create');

	// No item is there yet that its record could be taken from.
	await editor.newWorkflow();
	await editor.addNode('Update a record');
	await editor.pickSheet('Sales / Customers');
	await page.getByText('Add field to send').waitFor();
	await editor.screenshot('minutes update');
});
