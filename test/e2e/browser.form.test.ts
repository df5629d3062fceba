import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import { orders } from '../service';
import { maxStepMilliseconds, useEditorPage, type EditorPage } from './browser';
import { placed, sheetRecords, type Step } from './chain';
import type { SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';
import { until } from './until';

// A form that a person fills in, whose file goes into a record, and from there into another one.

const testbed = useSharedN8n();
const { fields } = orders;

let editor: EditorPage;
let credential: SavedCredential;
beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});
useEditorPage(testbed, (opened) => (editor = opened));

const form = 'Order Form';
const customer = "'Customer Number': 'C-0001'";
const file = (inputDataFieldName: string) => ({
	files: { file: [{ fieldId: fields.contract, inputDataFieldName }] },
});

/** Returns a workflow in which each node follows the one before. */
function formWorkflow(): WorkflowJson {
	const steps: Step[] = [
		{
			name: form,
			type: 'n8n-nodes-base.formTrigger',
			typeVersion: 2.3,
			webhookId: '5e3c1a00-0000-4000-8000-00000000e2e1',
			parameters: {
				formTitle: 'Hand in an order',
				formFields: {
					values: [
						{ fieldLabel: 'Reference', fieldType: 'text', requiredField: true },
						{ fieldLabel: 'Contract', fieldType: 'file', multipleFiles: false },
					],
				},
				options: { appendAttribution: false },
			},
		},
		sheetRecords('Save the Order', credential, {
			operation: 'create',
			...{ inputMode: 'json', recordJson: `={{ { ${customer}, Reference: $json.Reference } }}` },
			options: file('Contract'),
		}),
		sheetRecords('Fetch the Contract', credential, {
			...{ resource: 'file', operation: 'download', fileValue: '={{ $json.Contract }}' },
		}),
		sheetRecords('Save a Copy', credential, {
			operation: 'create',
			...{ inputMode: 'json', recordJson: `={{ { ${customer}, Reference: 'Copy' } }}` },
			options: file('data'),
		}),
	];
	const nodes = steps.map(placed);
	const connections: WorkflowJson['connections'] = {};
	for (const [index, { name }] of nodes.slice(1).entries()) {
		connections[nodes[index]?.name ?? ''] = { main: [[{ node: name, type: 'main', index: 0 }]] };
	}
	return { name: 'Form', nodes, connections };
}

const picture = join(__dirname, '../../icons/sheetRecords.svg');

async function fillIn(page: Page): Promise<void> {
	await page.getByLabel('Reference').fill('From the form');
	await page.locator('input[type=file]').setInputFiles(picture);
	await page.locator('button[type=submit], #submit-btn').first().click();
	await page.getByText('Your response has been recorded').waitFor();
}

it('the file of a form is stored, downloaded, and stored in a new record', async () => {
	const { id } = await testbed.editor.importWorkflow(formWorkflow(), [credential]);
	await editor.openWorkflow(id);
	const opened = editor.page.waitForEvent('popup');
	await editor.executeWorkflow();
	const page = await opened;
	page.setDefaultTimeout(maxStepMilliseconds);
	await fillIn(page);
	await page.close();

	const { records } = testbed.service.data.sheet(orders);
	const added = () =>
		[...records.values()].filter((order) =>
			['From the form', 'Copy'].includes(order.text(fields.reference)),
		);
	await until(() => added().length === 2);
	const contents = added().map((order) => {
		const stored = testbed.service.data.files.get(String(order.value(fields.contract)));
		return stored?.content.toString();
	});
	expect(contents).toEqual([expect.stringContaining('<svg'), contents[0]]);
	await editor.openNode('Save a Copy');
	const output = editor.page.getByTestId('output-panel');
	await output.getByText('Copy', { exact: true }).first().waitFor();
	await editor.screenshot('form copied');
});
